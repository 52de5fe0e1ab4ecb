package workspace

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hashline-go/hashline/hashline"
)

func TestCleanGlob(t *testing.T) {
	for text, want := range map[string]string{
		"secret": "secret", "*.key": "*.key", "/secret": "/secret", "./secret": "./secret", "secret/": "secret/", "./secret/": "./secret/",
		"a/**/b": "a/**/b", "{a,b}/c": "{a,b}/c", "**": "**", "...": "...", ".env": ".env", "a/.env": "a/.env", "/": "/",
		"secret/.": "/secret", "secret//k": "/secret/k", "secret/./k": "/secret/k", "secret//": "/secret/", "secret/./": "/secret/",
		"secret/../secret": "/secret", "a/b/../../c/*": "/c/*", "../ws/secret": "/secret", "../ws/a/../b/": "/b/", "../../base/ws/x": "/x",
		"/base/ws/secret": "/secret", "/base/ws/a//b/": "/a/b/", "/base/ws2/x": "/base/ws2/x", "/link/secret": "/secret", "//secret": "/secret",
		"*/./x": "/*/x", `a/\./b`: "/a/b", "*/x/../y": "/*/y",
	} {
		got, err := cleanGlob(text, []string{"/base/ws", "/link"})
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
	}
	for _, text := range []string{".", "..", "./", "./.", "../", "../ws", "../other", "../wsx", "../../x", "/base/ws", "/base/ws/", "/base/ws/.", "a/..", "a/../..", "*/../secret", "{a,b}/../c", "/.."} {
		got, err := cleanGlob(text, []string{"/base/ws", "/link"})
		require.ErrorIs(t, err, hashline.BadPattern, "%s becomes %s", text, got)
	}
}

// Whatever way a file is written in a rule, it is denied.
func TestDenyHoweverWritten(t *testing.T) {
	base := t.TempDir()
	put(t, filepath.Join(base, "ws/secret/k"), "1\n")
	for _, deny := range []string{"secret", "secret/.", "secret/./", "secret//k", "secret/./k", "secret/../secret", "../ws/secret", "../ws/./secret/k", filepath.Join(base, "ws/secret"), "/secret", "./secret", "secret/"} {
		w := openUnsynced(t, filepath.Join(base, "ws"), filepath.Join(base, "state"), Config{Deny: []string{deny}})
		_, err := w.Read(t.Context(), ReadArgs{Path: "secret/k"})
		require.ErrorIs(t, err, hashline.Denied, deny)
	}
}

func TestPermits(t *testing.T) {
	base := t.TempDir()
	at := func(name string) string { return filepath.Join(base, name) }
	for _, name := range []string{"ws/secret/k", "ws/a", "secret/k"} {
		put(t, at(name), "1\n")
	}
	require.NoError(t, os.Symlink("secret/k", at("ws/link")))
	require.NoError(t, os.Symlink("ws", at("way")))
	for _, root := range []string{at("ws"), at("way")} {
		permit, err := Permits(root, Config{Deny: []string{"secret"}})
		require.NoError(t, err)
		for _, name := range []string{"ws/secret/k", "ws/SECRET/k", "ws/link", "way/secret/k", "ws/a/../secret/k", "way/link", "ws/secret/new"} {
			require.ErrorIs(t, permit(at(name)), hashline.Denied, name)
		}
		for _, name := range []string{"ws/a", "way/a", "secret/k", "ws/none", "ws"} {
			require.NoError(t, permit(at(name)), name)
		}
	}
}
