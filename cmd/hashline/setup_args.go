package main

import (
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// ownCommand is what starts this program: its name where PATH leads to it, else
// where it lies.
func ownCommand() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", &failure{statusFailed, "it is not known where this program lies: " + reason(err)}
	}
	if found, err := exec.LookPath("hashline"); err == nil && sameFile(found, self) {
		return "hashline", nil
	}
	return self, nil
}

// sameFile reports two names of one file.
func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// temporary warns of a program that will soon be gone.
func temporary(command string) string {
	if strings.Contains(filepath.ToSlash(command), "/go-build") {
		return command + " was built for this run only; install hashline first (go install), and run setup again"
	}
	return ""
}

// httpURL refuses what is no address of a server.
func httpURL(s string) error {
	u, err := url.Parse(s)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return usagef("--http %s is no http:// or https:// address", quoted(s))
	case u.User != nil:
		return usageError("--http: a password in an address is shown everywhere; use --token-env")
	}
	return nil
}
