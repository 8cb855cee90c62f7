package browser

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A real profile is used by way of a copy: what holds who is logged in where, and how sites are set, is copied into the temporary
// directory of the browser; the original is only read.

// Names in a user data directory of Chrome.
const (
	localState     = "Local State" // the key of encrypted cookies, on some systems
	preferences    = "Preferences"
	defaultProfile = "Default"
	singletonLock  = "SingletonLock" // a link to HOST-PID while a browser runs
)

// leftOut are files and directories of a profile that are not copied: caches, what the browser fetches anew by itself, tabs of old
// sessions, extensions (which are off), and what a replay has no business with: history, saved passwords, addresses, cards.
var leftOut = []string{
	"Cache", "Code Cache", "GPUCache", "DawnCache", "DawnGraphiteCache", "DawnWebGPUCache", "GrShaderCache", "ShaderCache", "GraphiteDawnCache", "Media Cache",
	"Application Cache", "CacheStorage", "blob_storage", "Crashpad", "Safe Browsing", "Sessions", "Session Storage", "Extensions", "Local Extension Settings", "Sync Extension Settings",
	"Managed Extension Settings", "Extension Rules", "Extension Scripts", "Extension State", "Sync Data", "Download Service", "BudgetDatabase", "optimization_guide_hint_cache_store",
	"optimization_guide_model_store", "AutofillStrikeDatabase", "Segmentation Platform", "History", "Archived History", "Favicons", "Top Sites", "Visited Links", "Shortcuts",
	"Login Data", "Login Data For Account", "Web Data", "Account Web Data", "Current Session", "Current Tabs", "Last Session", "Last Tabs", "DevToolsActivePort", "LOCK", "lockfile",
}

// copyTries is how often a profile that changes meanwhile is copied.
const copyTries = 4

// source is where the parts of a profile are.
type source struct{ data, profile string }

// FindProfile tells whether dir is a profile of Chrome: a user data directory, whose Default is meant, or a profile in one.
func FindProfile(dir string) error {
	_, err := findProfile(dir)
	return err
}

func findProfile(dir string) (source, error) {
	has := func(path ...string) bool {
		info, err := os.Stat(filepath.Join(path...))
		return err == nil && info.Mode().IsRegular()
	}
	switch {
	case has(dir, preferences):
		return source{filepath.Dir(filepath.Clean(dir)), dir}, nil
	case has(dir, defaultProfile, preferences):
		return source{dir, filepath.Join(dir, defaultProfile)}, nil
	}
	if _, err := os.Stat(dir); err != nil {
		return source{}, fmt.Errorf("profile: %w", err)
	}
	return source{}, fmt.Errorf("profile %s: is no profile of Chrome: it has neither %s nor %s", dir, preferences, filepath.Join(defaultProfile, preferences))
}

// copyProfile copies the profile at dir into the user data directory to, as its Default. The notes are for people.
func copyProfile(ctx context.Context, dir, to string) (notes []string, err error) {
	from, err := findProfile(dir)
	if err != nil {
		return nil, err
	}
	for try := 1; ; try++ {
		before, err := stamps(from.profile)
		if err != nil {
			return nil, fmt.Errorf("profile %s: %w", dir, err)
		}
		if err := from.copy(ctx, to, before); err != nil {
			return nil, fmt.Errorf("copying the profile %s: %w", dir, err)
		}
		after, err := stamps(from.profile)
		if err != nil {
			return nil, fmt.Errorf("profile %s: %w", dir, err)
		}
		if slices.Equal(before, after) {
			break
		}
		if try == copyTries {
			return nil, fmt.Errorf("profile %s: a browser writes to it all the time; close that browser", dir)
		}
		if err := os.RemoveAll(filepath.Join(to, defaultProfile)); err != nil {
			return nil, fmt.Errorf("copying the profile %s: %w", dir, err)
		}
	}
	if who := holder(from.data); who != "" {
		notes = append(notes, fmt.Sprintf("the profile %s is open in another browser (%s): what that has not yet written is not in the copy", dir, who))
	}
	return notes, nil
}

// stamp is what tells whether a file was written to.
type stamp struct {
	path string // from the profile
	size int64
	time int64
}

// stamps lists the files of a profile that are copied. Links and other things that are no files are not among them.
func stamps(profile string) ([]stamp, error) {
	var out []stamp
	err := filepath.WalkDir(profile, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // a journal that came and went
		}
		if err != nil {
			return err
		}
		if path != profile && skipped(d.Name()) {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if !d.Type().IsRegular() {
			return nil
		}
		info, err := d.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(profile, path)
		if err != nil {
			return err
		}
		out = append(out, stamp{rel, info.Size(), info.ModTime().UnixNano()})
		return nil
	})
	return out, err
}

// skipped reports whether a file or directory of this name is left out; the journal of a database goes with it.
func skipped(name string) bool {
	return strings.HasPrefix(name, "Singleton") || slices.Contains(leftOut, strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(name, "-journal"), "-wal"), "-shm"))
}

func (s source) copy(ctx context.Context, to string, files []stamp) error {
	if err := copyFile(filepath.Join(s.data, localState), filepath.Join(to, localState)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		target := filepath.Join(to, defaultProfile, f.path)
		if err := os.MkdirAll(filepath.Dir(target), 0o700); err != nil {
			return err
		}
		if err := copyFile(filepath.Join(s.profile, f.path), target); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// copyFile copies a regular file; where the system can, its blocks are shared and not written again.
func copyFile(from, to string) error {
	info, err := os.Lstat(from)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return nil
	}
	r, err := os.Open(from)
	if err != nil {
		return err
	}
	defer r.Close()
	w, err := os.OpenFile(to, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if _, err := io.Copy(w, r); err != nil {
		return errors.Join(err, w.Close())
	}
	return w.Close()
}

// holder names the browser that has a user data directory open, as "process 4711"; "" when none has, or it cannot be told.
func holder(data string) string {
	link, err := os.Readlink(filepath.Join(data, singletonLock))
	if err != nil {
		return ""
	}
	i := strings.LastIndexByte(link, '-')
	host, err := os.Hostname()
	if i < 0 || err != nil {
		return ""
	}
	if link[:i] != host {
		return "on " + clip(link[:i], 60)
	}
	if !lives(link[i+1:]) {
		return ""
	}
	return "process " + link[i+1:]
}
