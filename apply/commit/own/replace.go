package own

import "os"

// Replace writes data to f, a new file of the folder under the name temp, closes
// it, and puts it in the place of name. On failure nothing is left of it. It is not
// synced.
func Replace(dir *os.Root, f *os.File, temp, name string, data []byte) error {
	_, err := f.Write(data)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = dir.Rename(temp, name)
	}
	if err != nil {
		_ = dir.Remove(temp)
	}
	return err
}
