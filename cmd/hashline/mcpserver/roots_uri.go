package mcpserver

import (
	"net/url"
	"path/filepath"
	"runtime"
	"strings"
)

// uriKind tells what a URI is good for.
type uriKind int

const (
	usable   uriKind = iota
	unusable         // it is to name a folder and does not
	foreign          // of another scheme
)

// fileURI gives the absolute path that a file URI names, "" for a folder of
// another host.
func fileURI(uri string) (dir string, kind uriKind) {
	u, err := url.Parse(uri)
	switch {
	case err == nil && len(u.Scheme) > 1 && !strings.EqualFold(u.Scheme, "file"):
		return "", foreign
	case err != nil || !strings.EqualFold(u.Scheme, "file") || !strings.HasPrefix(u.Path, "/") || strings.ContainsRune(u.Path, 0):
		return "", unusable
	case u.Host != "" && !strings.EqualFold(u.Host, "localhost"):
		return "", usable
	case runtime.GOOS != "windows":
		return u.Path, usable
	}
	dir = filepath.FromSlash(strings.TrimPrefix(u.Path, "/"))
	if !filepath.IsAbs(dir) {
		return "", unusable
	}
	return dir, usable
}
