package setup

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
	"github.com/stretchr/testify/require"
)

// decoded reads a configuration by other means than the code under test: JSON
// after comments and trailing commas were taken out by hand.
func decoded(t *testing.T, client *Client, data []byte) map[string]any {
	t.Helper()
	data = bytes.TrimPrefix(data, mark)
	tree := map[string]any{}
	if client.toml {
		require.NoError(t, toml.Unmarshal(data, &tree), "%s", data)
		return floats(tree).(map[string]any)
	}
	require.NoError(t, json.Unmarshal(stripped(data), &tree), "%s", data)
	return tree
}

// stripped takes comments and trailing commas out of JSON.
func stripped(data []byte) []byte {
	var out []byte
	comma := -1 // in out, of one that nothing followed yet
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case c == '"':
			j := i + 1
			for ; data[j] != '"'; j++ {
				if data[j] == '\\' {
					j++
				}
			}
			out = append(out, data[i:j+1]...)
			i, comma = j, -1
		case bytes.HasPrefix(data[i:], []byte("//")):
			for i < len(data) && data[i] != '\n' {
				i++
			}
		case bytes.HasPrefix(data[i:], []byte("/*")):
			i += 3 + bytes.Index(data[i+2:], []byte("*/"))
		case c == ',':
			comma = len(out)
			out = append(out, c)
		case (c == '}' || c == ']') && comma >= 0:
			out = append(append(out[:comma:comma], out[comma+1:]...), c)
			comma = -1
		case strings.ContainsRune(" \t\r\n", rune(c)):
			out = append(out, c)
		default:
			out = append(out, c)
			comma = -1
		}
	}
	return out
}
