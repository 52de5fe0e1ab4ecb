package gitignore

import (
	"path/filepath"
	"strings"
)

// User says where the settings of git lie that hold for all repositories. The
// zero User has none.
type User struct {
	// Home is what "~" stands for; Recommended.
	Home string
	// ConfigHome is $XDG_CONFIG_HOME; Optional, by default Home/.config.
	ConfigHome string
	// System is the file with the settings of the machine; Optional.
	System string
	// Global takes the place of the user's two config files, as
	// $GIT_CONFIG_GLOBAL does; Optional.
	Global string
}

// UserFrom finds the user by the environment variables that git looks at;
// getenv is os.Getenv outside of tests.
func UserFrom(getenv func(string) string) User {
	u := User{
		Home:       getenv("HOME"),
		ConfigHome: getenv("XDG_CONFIG_HOME"),
		System:     getenv("GIT_CONFIG_SYSTEM"),
		Global:     getenv("GIT_CONFIG_GLOBAL"),
	}
	if u.Home == "" {
		u.Home = getenv("USERPROFILE")
	}
	if u.System == "" {
		u.System = "/etc/gitconfig"
	}
	if isTrue(getenv("GIT_CONFIG_NOSYSTEM")) {
		u.System = ""
	}
	return u
}

// settings are the values of a repository's configuration that matter here.
type settings struct {
	excludesFile string
	ignoreCase   bool
}

// settings reads the config files in git's order; of several values the last
// one counts.
func (u User) settings(r repository) settings {
	var s settings
	configHome := u.ConfigHome
	if configHome == "" && u.Home != "" {
		configHome = filepath.Join(u.Home, ".config")
	}
	var files []string
	if u.System != "" {
		files = append(files, u.System)
	}
	if configHome != "" {
		s.excludesFile = filepath.Join(configHome, "git", "ignore")
		files = append(files, filepath.Join(configHome, "git", "config"))
	}
	if u.Home != "" {
		files = append(files, filepath.Join(u.Home, ".gitconfig"))
	}
	if u.Global != "" {
		files = []string{u.System, u.Global}
	}
	if r.commonDir != "" {
		files = append(files, filepath.Join(r.commonDir, "config"))
	}
	perWorkTree := false
	read := func(file string) {
		u.readConfig(file, func(key, value string) {
			switch key {
			case "core.excludesfile":
				if path, ok := u.expand(value); ok {
					s.excludesFile = path
				}
			case "core.ignorecase":
				s.ignoreCase = isTrue(value)
			case "extensions.worktreeconfig":
				perWorkTree = isTrue(value)
			}
		})
	}
	for _, file := range files {
		read(file)
	}
	if perWorkTree {
		read(filepath.Join(r.gitDir, "config.worktree"))
	}
	if s.excludesFile != "" {
		s.excludesFile = join(r.workTree, s.excludesFile)
	}
	return s
}

// expand replaces a leading "~/" by the home folder. Other users' homes are not
// looked up.
func (u User) expand(path string) (string, bool) {
	rest, tilde := strings.CutPrefix(path, "~")
	switch {
	case !tilde:
		return path, true
	case u.Home == "" || rest != "" && rest[0] != '/':
		return "", false
	}
	return u.Home + rest, true
}

func isTrue(value string) bool {
	switch strings.ToLower(value) {
	case "true", "yes", "on":
		return true
	case "", "0":
		return false
	}
	return strings.Trim(value, "-+0123456789kKmMgG") == ""
}
