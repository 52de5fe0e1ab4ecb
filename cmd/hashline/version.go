package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// release is the version that the linker was told: -ldflags "-X main.release=v1.2.3".
var release string

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version.",
		GroupID: groupOther,
		Long:    "Prints the version of hashline, of Go, and the system it was built for.",
		Example: `  hashline version`,
		Args:    wants(0, 0),
		RunE:    func(*cobra.Command, []string) error { return a.version() },
	}
}

func (a *app) version() error {
	a.out.raw(fmt.Sprintf("hashline %s %s %s/%s\n", moduleVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH))
	return nil
}

// moduleVersion is the version that the linker was told, else the one that the
// go command recorded, else the commit, else "devel".
func moduleVersion() string {
	if release != "" {
		return release
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "devel"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return "devel-" + s.Value[:12]
		}
	}
	return "devel"
}
