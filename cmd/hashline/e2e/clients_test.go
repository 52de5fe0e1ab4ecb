//go:build unix

package e2e

import (
	"github.com/hashline-go/hashline/cmd/hashline/e2e/fakemodel"
)

// client is a program that agents run in. In its texts {HOME} and {WORK} stand
// for the folders of a run and {URL} for the address of the model.
type client struct {
	// name is that of "hashline setup"; version is pinned, of an npm package.
	name, pkg, version string
	// bin is the program in the package.
	bin string
	// setup has more arguments for "hashline setup".
	setup []string
	// files are made before setup is run.
	files map[string]string
	env   []string
	// before are the arguments by which a user agrees to the server, once.
	// Optional.
	before []string
	args   []string
	// prelude are turns that come before those of a script.
	prelude []fakemodel.Turn
	// bridge gives the tool of the client, and its arguments, by which a model
	// calls tools that are not offered to it directly; nil where all are.
	bridge func(tool string, args map[string]any) (string, map[string]any)
	// plain takes off what the client is known to put around the text of an
	// answer; nil where there is nothing. It must not mend a text that was cut.
	plain func(fakemodel.Result) (string, error)
}

const prompt = "Do as the script says."

var clients = []client{
	{
		name: "codex", pkg: "@openai/codex", version: "0.171.0", bin: "codex",
		files: map[string]string{"{HOME}/.codex/config.toml": `model = "fake"
model_provider = "fake"
approval_policy = "never"
sandbox_mode = "workspace-write"

[model_providers.fake]
name = "fake"
base_url = "{URL}/v1"
wire_api = "responses"
env_key = "FAKE_KEY"
request_max_retries = 0
stream_max_retries = 0
`},
		env:   []string{"FAKE_KEY=x"},
		args:  []string{"exec", "--skip-git-repo-check", "--json", prompt},
		plain: plainCodex,
	},
	{
		name: "claude", pkg: "@anthropic-ai/claude-code", version: "2.1.332", bin: "claude",
		env: []string{
			"ANTHROPIC_BASE_URL={URL}", "ANTHROPIC_API_KEY=sk-fake", "CLAUDE_CONFIG_DIR={HOME}/.claude",
			"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1",
		},
		args: []string{
			"-p", prompt, "--model", "claude-sonnet-4-5", "--mcp-config", ".mcp.json", "--strict-mcp-config",
			"--allowedTools", "mcp__hashline", "--output-format", "stream-json", "--verbose",
		},
		plain: plainClaude,
	},
	{
		name: "opencode", pkg: "opencode-ai", version: "1.18.33", bin: "opencode",
		files: map[string]string{"{WORK}/opencode.json": `{
  "$schema": "https://opencode.ai/config.json",
  "model": "fake/fake-model",
  "small_model": "fake/fake-model",
  "provider": {
    "fake": {
      "npm": "@ai-sdk/openai-compatible",
      "options": { "baseURL": "{URL}/v1", "apiKey": "x" },
      "models": { "fake-model": { "tool_call": true } }
    }
  }
}
`},
		env:  []string{"OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_AUTOUPDATE=1"},
		args: []string{"run", "--format", "json", prompt},
	},
	{
		name: "gemini", pkg: "@google/gemini-cli", version: "0.61.0", bin: "gemini",
		setup: []string{"--trust"},
		files: map[string]string{"{HOME}/.gemini/settings.json": `{
  "security": { "auth": { "selectedType": "gemini-api-key" } },
  "general": { "enableAutoUpdate": false },
  "privacy": { "usageStatisticsEnabled": false }
}
`},
		env:   []string{"GEMINI_API_KEY=fake", "GOOGLE_GEMINI_BASE_URL={URL}", "GEMINI_CLI_TRUST_WORKSPACE=true"},
		args:  []string{"-m", "gemini-2.5-flash", "-o", "json", "-p", prompt},
		plain: plainGemini,
	},
	{
		name: "copilot", pkg: "@github/copilot", version: "1.0.102", bin: "copilot",
		env: []string{
			"COPILOT_PROVIDER_BASE_URL={URL}/v1", "COPILOT_PROVIDER_API_KEY=x", "COPILOT_MODEL=fake-model",
			"COPILOT_OFFLINE=true", "COPILOT_AUTO_UPDATE=false",
		},
		args:  []string{"-p", prompt, "--disable-builtin-mcps", "--allow-all-tools", "--no-color"},
		plain: plainCopilot,
	},
	{
		name: "qwen", pkg: "@qwen-code/qwen-code", version: "0.24.4", bin: "qwen",
		setup:  []string{"--trust"},
		before: []string{"mcp", "approve", "hashline"},
		args: []string{
			"--openai-base-url", "{URL}/v1", "--openai-api-key", "x", "--auth-type", "openai", "-m", "fake-model", "-p", prompt,
		},
		prelude: []fakemodel.Turn{{Calls: []fakemodel.Call{{
			Tool: "tool_search", BuiltIn: true,
			Args: func([]fakemodel.Result) map[string]any {
				return map[string]any{"query": "+hashline", "max_results": 20}
			},
		}}}},
		bridge: func(tool string, args map[string]any) (string, map[string]any) {
			return "tool_call", map[string]any{"name": "mcp__hashline__" + tool, "arguments": args}
		},
		plain: plainQwen,
	},
}
