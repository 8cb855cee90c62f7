package report

import "bytes"

// jpegMark is how every JPEG file begins.
var jpegMark = []byte{0xff, 0xd8, 0xff}

// CheckPicture refuses a file that [WritePicture] could not write, or that is no picture: only a JPEG file is overwritten.
func CheckPicture(file string) error {
	return check(file, func(head []byte) bool { return bytes.HasPrefix(head, jpegMark) })
}

// WritePicture writes a JPEG picture to file, atomically.
func WritePicture(file string, data []byte) error {
	if err := CheckPicture(file); err != nil {
		return err
	}
	return write(file, data)
}
