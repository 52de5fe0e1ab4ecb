package setup

import "path/filepath"

// Where says where a user's files lie.
type Where struct {
	// Home is the user's home folder and Project that of the project, both
	// absolute.
	Home, Project string
	// Getenv gives variables of the environment.
	Getenv func(string) string
	// OS is the system, as runtime.GOOS has it.
	OS string
}

// Files names the files of a client in which servers of a scope can stand. The
// first is the one to make where there is none.
func (c *Client) Files(where Where, scope Scope) []string { return c.files(where, scope) }

// folder gives the folder that a variable names, or def below the home folder.
func (w Where) folder(variable string, def ...string) string {
	if dir := w.Getenv(variable); filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(append([]string{w.Home}, def...)...)
}

// application is where programs with windows keep their settings.
func (w Where) application() string {
	switch w.OS {
	case "darwin":
		return filepath.Join(w.Home, "Library", "Application Support")
	case "windows":
		return w.folder("AppData", "AppData", "Roaming")
	}
	return w.folder("XDG_CONFIG_HOME", ".config")
}

func claudeFiles(w Where, scope Scope) []string {
	if scope == Project {
		return []string{filepath.Join(w.Project, ".mcp.json")}
	}
	return []string{filepath.Join(w.folder("CLAUDE_CONFIG_DIR"), ".claude.json")}
}

func codexFiles(w Where, scope Scope) []string {
	if scope == Project {
		return []string{filepath.Join(w.Project, ".codex", "config.toml")}
	}
	return []string{filepath.Join(w.folder("CODEX_HOME", ".codex"), "config.toml")}
}

func opencodeFiles(w Where, scope Scope) []string {
	dir := w.Project
	if scope == User {
		dir = filepath.Join(w.folder("XDG_CONFIG_HOME", ".config"), "opencode")
	}
	return []string{filepath.Join(dir, "opencode.json"), filepath.Join(dir, "opencode.jsonc")}
}

func geminiFiles(w Where, scope Scope) []string {
	dir := w.Project
	if scope == User {
		dir = w.folder("GEMINI_CLI_HOME")
	}
	return []string{filepath.Join(dir, ".gemini", "settings.json")}
}

func copilotFiles(w Where, scope Scope) []string {
	if scope == Project {
		return []string{filepath.Join(w.Project, ".mcp.json"), filepath.Join(w.Project, ".github", "mcp.json")}
	}
	return []string{filepath.Join(w.folder("COPILOT_HOME", ".copilot"), "mcp-config.json")}
}

func qwenFiles(w Where, scope Scope) []string {
	dir := filepath.Join(w.Project, ".qwen")
	if scope == User {
		dir = w.folder("QWEN_HOME", ".qwen")
	}
	return []string{filepath.Join(dir, "settings.json")}
}

func vscodeFiles(w Where, scope Scope) []string {
	if scope == Project {
		return []string{filepath.Join(w.Project, ".vscode", "mcp.json")}
	}
	return []string{filepath.Join(w.application(), "Code", "User", "mcp.json")}
}

func cursorFiles(w Where, scope Scope) []string {
	dir := w.Project
	if scope == User {
		dir = w.Home
	}
	return []string{filepath.Join(dir, ".cursor", "mcp.json")}
}

func zedFiles(w Where, scope Scope) []string {
	switch {
	case scope == Project:
		return []string{filepath.Join(w.Project, ".zed", "settings.json")}
	case w.OS == "windows":
		return []string{filepath.Join(w.application(), "Zed", "settings.json")}
	}
	// Not where programs with windows keep theirs, also on macOS.
	return []string{filepath.Join(w.folder("XDG_CONFIG_HOME", ".config"), "zed", "settings.json")}
}
