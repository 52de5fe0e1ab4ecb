package setup

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// Found is an entry of a configuration.
type Found struct {
	Name string
	// Type is the word for how the server is reached, "" where there is none.
	Type    string
	Command string
	Args    []string
	// Env is what the entry adds to the environment of the command.
	Env map[string]string
	URL string
	// TokenEnv names the variable with the bearer token, "" where the entry
	// names none.
	TokenEnv string
	// Disabled says that the client is not to use it.
	Disabled bool
	// Tools says that it names the tools to be offered.
	Tools bool
	// Members are the names of all that the entry says, in no order.
	Members []string
}

// Ours reports that the entry starts hashline, or names a running one.
func (f Found) Ours() bool {
	if f.URL != "" {
		return f.Name == "hashline"
	}
	// On any system a configuration may have been written on another.
	program := f.Command[strings.LastIndexAny(f.Command, `/\`)+1:]
	return strings.HasPrefix(strings.ToLower(program), "hashline") && slices.Contains(f.Args, "mcp")
}

// owns reports that an entry is one of ours: it is known to be, it starts hashline
// or the same command as s, or names the same URL.
func (s Server) owns(entry any) bool {
	f := found(s.Name, entry)
	return s.Written || f.Ours() || f.Command != "" && f.Command == s.Command || f.URL != "" && f.URL == s.URL
}

// Wrote reports that the change from before to after made the entry of a name what
// it is now.
func (c *Client) Wrote(before, after, now []byte, name string) bool {
	was, is := c.standing(after, name), c.standing(now, name)
	return is != nil && equal(was, is) && !equal(c.standing(before, name), is)
}

// standing is what stands under a name, nil where there is nothing or the file
// cannot be read.
func (c *Client) standing(data []byte, name string) any {
	tree, err := c.tree(bytes.TrimPrefix(data, mark))
	if err != nil {
		return nil
	}
	entry, _, _ := c.server(tree, name)
	return entry
}

// Servers lists the entries of a configuration, sorted by name, and where the
// file of all a user's projects has some for the folder project alone, those
// too. Errors of syntax are a *[Place].
func (c *Client) Servers(data []byte, project string) ([]Found, error) {
	body, _ := bytes.CutPrefix(data, mark)
	if len(bytes.TrimSpace(body)) == 0 {
		return nil, nil
	}
	tree, err := c.tree(body)
	if err != nil {
		return nil, err
	}
	if _, _, err := c.server(tree, ""); err != nil {
		return nil, err
	}
	var all []Found
	projects, _ := tree["projects"].(map[string]any)
	own, _ := projects[project].(map[string]any)
	for _, tree := range []map[string]any{tree, own} {
		servers, _ := tree[c.table].(map[string]any)
		for name, entry := range servers {
			if f := found(name, entry); name == "hashline" || f.Ours() {
				if err := c.twice(body, name); err != nil {
					return nil, err
				}
			}
			all = append(all, found(name, entry))
		}
	}
	slices.SortFunc(all, func(a, b Found) int { return cmp.Compare(a.Name, b.Name) })
	return all, nil
}

// Entry shows what stands under a name, as JSON on one line without the values
// of its environment and headers; "" where there is nothing.
func (c *Client) Entry(data []byte, name string) string {
	body, _ := bytes.CutPrefix(data, mark)
	tree, err := c.tree(body)
	if err != nil {
		return ""
	}
	entry, exists, err := c.server(tree, name)
	if err != nil || !exists {
		return ""
	}
	entry = clone(entry)
	if m, ok := entry.(map[string]any); ok {
		for _, key := range []string{"env", "environment", "headers", "http_headers"} {
			if secrets, ok := m[key].(map[string]any); ok {
				for k := range secrets {
					secrets[k] = "…"
				}
			}
		}
	}
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(entry) != nil {
		return ""
	}
	return shortened(strings.TrimSpace(b.String()))
}

// found reads an entry in the form of any client.
func found(name string, entry any) Found {
	m, _ := entry.(map[string]any)
	f := Found{Name: name, Args: strs(m["args"]), Env: map[string]string{}}
	f.Members = slices.AppendSeq(f.Members, maps.Keys(m))
	switch command := m["command"].(type) {
	case string:
		f.Command = command
	case []any:
		if words := strs(command); len(words) > 0 {
			f.Command, f.Args = words[0], words[1:]
		}
	}
	f.Type, _ = m["type"].(string)
	f.Tools = len(strs(m["tools"])) > 0
	for _, key := range []string{"url", "httpUrl"} {
		if url, ok := m[key].(string); ok {
			f.URL = url
		}
	}
	for _, key := range []string{"env", "environment"} {
		env, _ := m[key].(map[string]any)
		for k, v := range env {
			if s, ok := v.(string); ok {
				f.Env[k] = s
			}
		}
	}
	f.TokenEnv, _ = m["bearer_token_env_var"].(string)
	if headers, ok := m["headers"].(map[string]any); ok {
		for k, v := range headers {
			if s, ok := v.(string); ok && strings.EqualFold(k, "Authorization") {
				f.TokenEnv = variable(strings.TrimPrefix(s, "Bearer "))
			}
		}
	}
	disabled, _ := m["disabled"].(bool)
	enabled, said := m["enabled"].(bool)
	f.Disabled = disabled || said && !enabled
	return f
}

// variable is the name in ${NAME}, ${env:NAME} or {env:NAME}; "" for all else.
func variable(s string) string {
	inner, ok := strings.CutPrefix(strings.TrimPrefix(s, "$"), "{")
	if inner, ok2 := strings.CutSuffix(inner, "}"); ok && ok2 {
		return strings.TrimPrefix(inner, "env:")
	}
	return ""
}

func strs(v any) []string {
	list, _ := v.([]any)
	var all []string
	for _, e := range list {
		if s, ok := e.(string); ok {
			all = append(all, s)
		}
	}
	return all
}

// Expand replaces the client's word for the workspace's folder.
func (c *Client) Expand(arg, folder string) string {
	if c.folder == "" {
		return arg
	}
	return strings.ReplaceAll(arg, c.folder, filepath.Clean(folder))
}
