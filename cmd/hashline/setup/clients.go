package setup

// clients makes the table. It says what the clients' own commands write and
// what was seen to work.
func clients() []*Client {
	return []*Client{
		{
			Name: "claude", Title: "Claude Code", aliases: []string{"claudecode"}, Writes: true,
			Scopes: []Scope{Project, User}, files: claudeFiles, table: "mcpServers",
			stdio: claude.stdio, http: claude.http,
			types:   &types{stdio: []string{"stdio", ""}, http: []string{"http", "sse", "ws", "streamable-http"}},
			noTools: true,
			notes: []note{
				{member: "alwaysLoad", text: "alwaysLoad offers the tools to the model from the start; without it they are found only by a search."},
				{scope: Project, text: "Claude Code asks once before it uses a server of a project's .mcp.json."},
			},
		},
		{
			Name: "codex", Title: "Codex", aliases: []string{"codexcli", "openaicodex"}, Writes: true,
			Scopes: []Scope{User, Project}, files: codexFiles, table: "mcp_servers", toml: true,
			stdio: func(s Server) object { return append(command(s), approve) },
			http: func(s Server) object {
				o := object{{"url", s.URL}}
				if s.TokenEnv != "" {
					o = append(o, member{"bearer_token_env_var", s.TokenEnv})
				}
				return append(o, approve)
			},
			notes: []note{
				{text: `default_tools_approval_mode = "approve" lets the tools run without a question; where it is missing Codex asks ` +
					`before every edit, and refuses it where it may not ask (approval_policy = "never", codex exec). ` +
					`Take the line out to be asked.`},
				{scope: Project, text: "A project's .codex/config.toml counts only where Codex trusts the project."},
			},
		},
		{
			Name: "opencode", Title: "opencode", aliases: []string{"opencodeai"}, Writes: true,
			Scopes: []Scope{Project, User}, files: opencodeFiles, table: "mcp",
			stdio: func(s Server) object {
				return object{{"type", "local"}, {"command", append([]string{s.Command}, s.Args...)}, {"enabled", true}}
			},
			http: func(s Server) object {
				o := object{{"type", "remote"}, {"url", s.URL}}
				o = append(o, bearer(s, "{env:", "}")...)
				return append(o, member{"oauth", false}, member{"enabled", true})
			},
		},
		{
			Name: "gemini", Title: "Gemini CLI", aliases: []string{"geminicli"}, Writes: true,
			Scopes: []Scope{Project, User}, files: geminiFiles, table: "mcpServers", trust: &trusted,
			stdio: command, http: httpTyped("${", "}"),
			notes: []note{{untrusted: true, text: "Gemini CLI asks before a tool runs; with --trust it does not, in folders that are trusted."}},
		},
		{
			Name: "copilot", Title: "Copilot CLI", aliases: []string{"copilotcli", "githubcopilot", "githubcopilotcli"}, Writes: true,
			Scopes: []Scope{User, Project}, files: copilotFiles, table: "mcpServers",
			stdio: func(s Server) object {
				return append(append(object{{"type", "local"}}, command(s)...), allTools)
			},
			http: func(s Server) object { return append(httpTyped("${", "}")(s), allTools) },
			// Claude Code reads the project's file as well, and skips what is not in
			// its own form; this client takes that.
			shared: &claude, first: true,
			types: &types{stdio: []string{"local", "stdio", ""}, http: []string{"http", "sse", "streamable-http", ""}},
		},
		{
			Name: "qwen", Title: "Qwen Code", aliases: []string{"qwencode"}, Writes: true,
			Scopes: []Scope{Project, User}, files: qwenFiles, table: "mcpServers", trust: &trusted,
			stdio: command,
			http: func(s Server) object {
				return append(object{{"httpUrl", s.URL}}, bearer(s, "${", "}")...)
			},
			notes: []note{
				{untrusted: true, text: "Qwen Code asks before a tool runs; with --trust it does not."},
				{scope: Project, text: "Qwen Code asks once before it uses a server of a project's settings."},
			},
		},
		{
			Name: "vscode", Title: "VS Code", aliases: []string{"code", "visualstudiocode"},
			Scopes: []Scope{Project, User}, files: vscodeFiles, table: "servers", folder: "${workspaceFolder}",
			stdio: func(s Server) object { return append(object{{"type", "stdio"}}, command(s)...) },
			http:  httpTyped("${env:", "}"),
		},
		{
			Name: "cursor", Title: "Cursor", aliases: []string{"cursorai", "cursoragent"},
			Scopes: []Scope{Project, User}, files: cursorFiles, table: "mcpServers", folder: "${workspaceFolder}",
			stdio: command,
			http: func(s Server) object {
				return append(object{{"url", s.URL}}, bearer(s, "${env:", "}")...)
			},
		},
		{
			Name: "zed", Title: "Zed", aliases: []string{"zededitor"},
			Scopes: []Scope{User, Project}, files: zedFiles, table: "context_servers", literal: true,
			stdio: func(s Server) object { return append(command(s), member{"env", object{}}) },
			http: func(s Server) object {
				return append(object{{"url", s.URL}}, bearer(s, "<", ">")...)
			},
		},
	}
}

// claude are the forms of Claude Code. It would find the tools only by a search
// without alwaysLoad.
var claude = forms{
	stdio: func(s Server) object {
		return append(append(object{{"type", "stdio"}}, command(s)...), member{"alwaysLoad", true})
	},
	http: func(s Server) object {
		return append(httpTyped("${", "}")(s), member{"alwaysLoad", true})
	},
}

var (
	approve  = member{"default_tools_approval_mode", "approve"}
	allTools = member{"tools", []string{"*"}}
	trusted  = member{"trust", true}
)

// command is how most clients say what to start.
func command(s Server) object {
	return object{{"command", s.Command}, {"args", append([]string{}, s.Args...)}}
}

// httpTyped is how most clients name a running server; open and end enclose
// the name of a variable.
func httpTyped(open, end string) func(Server) object {
	return func(s Server) object {
		return append(object{{"type", "http"}, {"url", s.URL}}, bearer(s, open, end)...)
	}
}

// bearer is the header with the token, which the client takes from its
// environment.
func bearer(s Server, open, end string) object {
	if s.TokenEnv == "" {
		return nil
	}
	return object{{"headers", object{{"Authorization", "Bearer " + open + s.TokenEnv + end}}}}
}
