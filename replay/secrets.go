package replay

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// Secrets are the values that a recording does not hold. A key is the name of a target ("Password") or the id of a
// recorded step as text ("7"); the id wins.
type Secrets map[string]string

// maxSecretsBytes bounds a file of secrets.
const maxSecretsBytes = 4 << 20

// ErrLiteralSecret is returned by [Secrets.Set] for a value that stands in the argument itself. Arguments of a process
// can be read by every user of the machine and stay in the history of the shell.
var ErrLiteralSecret = errors.New("a secret must not stand on the command line")

// LoadSecrets reads a JSON object whose members are strings. The warnings say when other users of the machine can read
// the file. Errors name the file and the key, and never a value.
func LoadSecrets(file string) (Secrets, []string, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, nil, fmt.Errorf("secrets: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, nil, fmt.Errorf("secrets: %w", err)
	}
	var warnings []string
	if info.Mode().IsRegular() && info.Mode().Perm()&0o077 != 0 {
		warnings = append(warnings, fmt.Sprintf("secrets: %s can be read by other users (mode %04o), chmod 600 is safer", file, info.Mode().Perm()))
	}
	data, err := io.ReadAll(io.LimitReader(f, maxSecretsBytes+1))
	if err != nil {
		return nil, nil, fmt.Errorf("secrets: %w", err)
	}
	if len(data) > maxSecretsBytes {
		return nil, nil, fmt.Errorf("secrets: %s: is larger than %d bytes", file, maxSecretsBytes)
	}
	s, err := parseSecrets(data)
	if err != nil {
		return nil, nil, fmt.Errorf("secrets: %s: %w", file, err)
	}
	return s, warnings, nil
}

// parseSecrets reads the members one by one, because a map would silently keep the last of two equal keys. The errors
// of the JSON decoder are not passed on where they could quote the text that they met.
func parseSecrets(data []byte) (Secrets, error) {
	d := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(data, []byte("\ufeff"))))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, errors.New("must be a JSON object of strings")
	}
	s := Secrets{}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return nil, fmt.Errorf("is not valid JSON at byte %d", d.InputOffset())
		}
		key := t.(string) // the decoder admits nothing else here
		if _, twice := s[key]; twice {
			return nil, fmt.Errorf("key %q occurs twice", key)
		}
		v, err := d.Token()
		if err != nil {
			return nil, fmt.Errorf("key %q: is not valid JSON at byte %d", key, d.InputOffset())
		}
		text, ok := v.(string)
		if !ok {
			return nil, fmt.Errorf("key %q: must be a string", key)
		}
		s[key] = text
	}
	if _, err := d.Token(); err != nil {
		return nil, fmt.Errorf("is not valid JSON at byte %d", d.InputOffset())
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("holds more than one JSON object")
	}
	return s, nil
}

// Set adds the secret that arg, KEY=env:NAME, speaks of: the value is that of the environment variable NAME, which
// lookup (usually [os.LookupEnv]) knows. The error wraps [ErrLiteralSecret] when arg is of another form, and does not
// repeat it.
func (s Secrets) Set(arg string, lookup func(string) (string, bool)) error {
	i := strings.LastIndex(arg, "=env:")
	if i < 0 {
		return ErrLiteralSecret
	}
	key, name := arg[:i], arg[i+len("=env:"):]
	if key == "" || name == "" {
		return fmt.Errorf("secret %q: must be KEY=env:NAME", arg)
	}
	value, ok := lookup(name)
	if !ok {
		return fmt.Errorf("secret %q: environment variable %s is not set", key, name)
	}
	s[key] = value
	return nil
}
