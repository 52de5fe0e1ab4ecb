package main

import (
	"os"

	"github.com/hashline-go/hashline/apply/commit/beneath"
	"github.com/hashline-go/hashline/hashline"
)

// openRegular opens a regular file and tells its size in bytes. What is none is
// not opened, since that alone can do something to a device.
func openRegular(name string) (*os.File, int64, error) {
	info, err := os.Stat(name)
	if err == nil {
		err = regular(info)
	}
	if err != nil {
		return nil, 0, err
	}
	return openNow(name)
}

// openNow does it for a file that may have been replaced since it was looked
// at, and never waits for the other end of a FIFO.
func openNow(name string) (*os.File, int64, error) {
	f, err := os.OpenFile(name, os.O_RDONLY|beneath.NoWait, 0)
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err == nil {
		err = regular(info)
	}
	if err != nil {
		f.Close()
		return nil, 0, err
	}
	return f, info.Size(), nil
}

func regular(info os.FileInfo) error {
	switch {
	case info.Mode().IsRegular():
		return nil
	case info.IsDir():
		return &hashline.Diagnostic{Code: hashline.NotRegular, Msg: "this is a folder"}
	}
	return &hashline.Diagnostic{Code: hashline.NotRegular, Msg: "this is not a regular file"}
}
