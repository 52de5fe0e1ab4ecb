package mcpserver

import (
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"
)

func uriOf(dir string) string {
	dir = filepath.ToSlash(dir)
	if !strings.HasPrefix(dir, "/") {
		dir = "/" + dir
	}
	return (&url.URL{Scheme: "file", Path: dir}).String()
}

// rooted makes a server with the files a.txt and sub/b.txt.
func rooted(t *testing.T, cfg Config) *Server {
	t.Helper()
	s := newServer(t, cfg)
	require.NoError(t, os.MkdirAll(s.path("sub"), 0o777))
	require.NoError(t, os.WriteFile(s.path("sub/b.txt"), []byte("b\n"), 0o666))
	return s
}

// A client's folders narrow what can be reached, and nothing makes it wider.
func TestRoots(t *testing.T) {
	for era, opts := range eras {
		s := rooted(t, Config{})
		root := s.cfg.Workspace.Root()
		outside := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(outside, "o.txt"), []byte("o\n"), 0o666))
		if runtime.GOOS != "windows" {
			require.NoError(t, os.Symlink(outside, s.path("out")))
			require.NoError(t, os.Symlink(s.path("sub"), filepath.Join(outside, "in")))
		}
		const all, sub, none = "top sub", "sub", ""
		for name, c := range map[string]struct {
			roots []string
			want  string
		}{
			"none open":     {nil, all},
			"the root":      {[]string{uriOf(root)}, all},
			"a parent":      {[]string{uriOf(filepath.Dir(root))}, all},
			"everything":    {[]string{"file:///"}, all},
			"dots":          {[]string{uriOf(root) + "/sub/../.."}, all},
			"a folder":      {[]string{uriOf(root) + "/sub"}, sub},
			"with a slash":  {[]string{uriOf(root) + "/sub/"}, sub},
			"localhost":     {[]string{strings.Replace(uriOf(root), "file://", "FILE://localhost", 1) + "/%73ub"}, sub},
			"two":           {[]string{uriOf(outside), uriOf(root) + "/sub"}, sub},
			"elsewhere":     {[]string{uriOf(outside)}, none},
			"another host":  {[]string{strings.Replace(uriOf(root), "file://", "file://host", 1)}, none},
			"no files":      {[]string{"https://example.com/", "vscode-remote://x/y"}, all},
			"not usable":    {[]string{"https://example.com/", "", ":", "file:relative", "%zz", "file:///a%00b", `C:\x`}, none},
			"a drive":       {[]string{`C:\x`}, none},
			"a zero":        {[]string{"file:///a%00b"}, none},
			"odd, in part":  {[]string{"%zz", uriOf(root) + "/sub"}, sub},
			"odd, and sub":  {[]string{"https://example.com/", uriOf(root) + "/sub"}, sub},
			"not there yet": {[]string{uriOf(root) + "/new"}, none},
			"a link out":    {[]string{uriOf(root) + "/out"}, none},
			"a link in":     {[]string{uriOf(outside) + "/in"}, sub},
		} {
			if runtime.GOOS == "windows" && (strings.HasPrefix(name, "a link") || name == "everything") {
				continue
			}
			client := named("agent", nil)
			for _, uri := range c.roots {
				client.AddRoots(&mcp.Root{URI: uri})
			}
			session := connect(t, s, client, opts)
			var got []string
			for _, file := range []struct{ name, path string }{{"top", "a.txt"}, {"sub", "sub/b.txt"}} {
				text, ok := callText(t.Context(), t, session, "read_file", map[string]any{"path": file.path})
				if ok {
					got = append(got, file.name)
				} else {
					require.Contains(t, text, "outside_root", "%s %s", era, name)
					require.Contains(t, text, "--ignore-roots", "%s %s", era, name)
				}
			}
			require.Equal(t, c.want, strings.Join(got, " "), "%s %s", era, name)
			for _, path := range []string{filepath.Join(outside, "o.txt"), "../" + filepath.Base(outside) + "/o.txt", "out/o.txt"} {
				_, ok := callText(t.Context(), t, session, "read_file", map[string]any{"path": path})
				require.False(t, ok, "%s %s %s", era, name, path)
			}
		}
	}
}

// The operator can have a client's folders ignored.
func TestIgnoreRoots(t *testing.T) {
	for _, opts := range eras {
		client := named("agent", nil)
		client.AddRoots(&mcp.Root{URI: uriOf(t.TempDir())})
		c := connect(t, rooted(t, Config{IgnoreRoots: true}), client, opts)
		text, ok := callText(t.Context(), t, c, "read_file", map[string]any{"path": "a.txt"})
		require.True(t, ok, text)
	}
}

// Folders that the client opens later count from then on.
func TestRootsChange(t *testing.T) {
	s := rooted(t, Config{})
	client := named("agent", nil)
	client.AddRoots(&mcp.Root{URI: uriOf(s.path("sub"))})
	c := connect(t, s, client, eras["2025-11-25"])
	read := func() bool {
		_, ok := callText(t.Context(), t, c, "read_file", map[string]any{"path": "a.txt"})
		return ok
	}
	require.False(t, read())
	client.AddRoots(&mcp.Root{URI: uriOf(s.cfg.Workspace.Root())})
	require.Eventually(t, read, 5*time.Second, 10*time.Millisecond)
}

// A client that announces folders and never says which costs one wait; one that
// announces none is not asked.
func TestRootsThatDoNotCome(t *testing.T) {
	s := newServer(t, Config{})
	s.rootsWait = 50 * time.Millisecond
	w := dial(t, s)
	w.send(strings.Replace(greeting, `"capabilities":{}`, `"capabilities":{"roots":{}}`, 1), "2025-11-25")
	w.get()
	w.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	w.send("%s", call("2025-11-25", 1, "read_file", `{"path":"a.txt"}`))
	require.Contains(t, w.get(), `"method":"roots/list"`)
	for {
		line := w.get()
		if strings.Contains(line, `"notifications/cancelled"`) {
			continue
		}
		require.Contains(t, parse(t, line).text(), "1:one")
		break
	}
	begin := time.Now()
	s.rootsWait = time.Hour
	for i := range 3 {
		w.send("%s", call("2025-11-25", i, "read_file", `{"path":"a.txt"}`))
		for line := w.get(); ; line = w.get() {
			if !strings.Contains(line, `"notifications/cancelled"`) {
				require.Contains(t, parse(t, line).text(), "1:one")
				break
			}
		}
	}
	require.Less(t, time.Since(begin), time.Minute)

	quiet := dial(t, newServer(t, Config{}))
	quiet.start("2024-11-05")
	quiet.send("%s", call("2024-11-05", 1, "read_file", `{"path":"a.txt"}`))
	require.Contains(t, parse(t, quiet.get()).text(), "1:one")
}

// Folders that a client tells late count from then on.
func TestRootsThatComeLate(t *testing.T) {
	s := rooted(t, Config{})
	s.rootsWait = 20 * time.Millisecond
	w := dial(t, s)
	w.send(strings.Replace(greeting, `"capabilities":{}`, `"capabilities":{"roots":{}}`, 1), "2025-11-25")
	w.get()
	w.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	w.send("%s", call("2025-11-25", 1, "read_file", `{"path":"a.txt"}`))
	var asked struct{ ID int }
	require.NoError(t, json.Unmarshal([]byte(w.get()), &asked))
	require.Contains(t, parse(t, w.get()).text(), "1:one")
	w.send(`{"jsonrpc":"2.0","id":%d,"result":{"roots":[{"uri":%q}]}}`, asked.ID, uriOf(s.path("sub")))
	require.Eventually(t, func() bool {
		w.send("%s", call("2025-11-25", 2, "read_file", `{"path":"a.txt"}`))
		return strings.Contains(parse(t, w.get()).text(), "outside_root")
	}, 10*time.Second, time.Millisecond)
}

// A client that does not say which folders it has open is asked again after a time.
func TestRootsAskedAgain(t *testing.T) {
	s := rooted(t, Config{})
	s.rootsWait, s.rootsAgain = 10*time.Millisecond, 20*time.Millisecond
	w := dial(t, s)
	w.send(strings.Replace(greeting, `"capabilities":{}`, `"capabilities":{"roots":{}}`, 1), "2025-11-25")
	w.get()
	w.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	for asked, i := 0, 0; asked < 2; i++ {
		w.send("%s", call("2025-11-25", i, "read_file", `{"path":"a.txt"}`))
		for line := ""; !strings.Contains(line, "1:one"); {
			line = w.get()
			if strings.Contains(line, `"method":"roots/list"`) {
				asked++
			}
		}
	}
}

// Calls that wait for a client's folders do not keep its answer from being read.
func TestRootsBehindManyCalls(t *testing.T) {
	s := rooted(t, Config{})
	s.rootsWait = 20 * time.Second
	w := dial(t, s)
	w.send(strings.Replace(greeting, `"capabilities":{}`, `"capabilities":{"roots":{}}`, 1), "2025-11-25")
	w.get()
	w.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	const calls = 3 * maxWaiting
	for i := range calls {
		w.send("%s", call("2025-11-25", i, "read_file", `{"path":"a.txt"}`))
	}
	var asked struct{ ID int }
	require.NoError(t, json.Unmarshal([]byte(w.get()), &asked))
	begin := time.Now()
	w.send(`{"jsonrpc":"2.0","id":%d,"result":{"roots":[{"uri":%q}]}}`, asked.ID, uriOf(s.path("sub")))
	for range calls {
		require.Contains(t, parse(t, w.get()).text(), "outside_root")
	}
	require.Less(t, time.Since(begin), s.rootsWait)
}

// A client that answers with an error reaches what the operator allows, and is
// asked again, since nothing is settled by that.
func TestRootsThatFail(t *testing.T) {
	s := rooted(t, Config{})
	w := dial(t, s)
	w.send(strings.Replace(greeting, `"capabilities":{}`, `"capabilities":{"roots":{}}`, 1), "2025-11-25")
	w.get()
	w.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	read := func(answer string, v ...any) string {
		w.send("%s", call("2025-11-25", 1, "read_file", `{"path":"a.txt"}`))
		var asked struct{ ID int }
		require.NoError(t, json.Unmarshal([]byte(w.get()), &asked))
		w.send(`{"jsonrpc":"2.0","id":`+strconv.Itoa(asked.ID)+`,`+answer+`}`, v...)
		return parse(t, w.get()).text()
	}
	require.Contains(t, read(`"error":{"code":-32601,"message":"no"}`), "1:one")
	require.Contains(t, read(`"result":{"roots":[{"uri":%q},null]}`, uriOf(s.path("sub"))), "outside_root")
}

// A new file is answered with the path that creates it in the client's folder.
func TestRootsNameThePathOfANewFile(t *testing.T) {
	for era, opts := range eras {
		s := rooted(t, Config{})
		client := named("agent", nil)
		client.AddRoots(&mcp.Root{URI: uriOf(s.path("sub"))})
		c := connect(t, s, client, opts)
		text, ok := callText(t.Context(), t, c, "write", map[string]any{"path": "new.txt", "content": "n\n"})
		require.False(t, ok, era)
		require.Contains(t, text, "write sub/new.txt to create it", era)
		text, ok = callText(t.Context(), t, c, "write", map[string]any{"path": "sub/new.txt", "content": "n\n"})
		require.True(t, ok, text)
	}
}
