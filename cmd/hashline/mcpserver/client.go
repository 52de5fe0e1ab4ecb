package mcpserver

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// client is what is known of a program that shows answers to a model.
type client struct {
	// name is the one by which the program announces itself; in the table, how
	// that begins, in small letters.
	name string
	// limit is how many bytes of an answer the model gets to see.
	limit int
	// refusal is the same for answers that are errors; 0 stands for limit.
	refusal int
	// rows is how many rows of a file the model gets to see at once; 0 is no
	// bound.
	rows int
	// bare: what is for hosts would be shown to the model as well.
	bare bool
}

// The limits are a little below what was measured, since clients add words of
// their own. Where a client counts characters, bytes are the safe side.
var clients = []client{
	{name: "claude-code", limit: 48 << 10, refusal: 9_500},
	{name: "codex", limit: 11_500},
	// It keeps 2,000 lines, of which some are not rows.
	{name: "opencode", limit: 48 << 10, rows: 1_990},
	// An error is shown as JSON, together with the arguments.
	{name: "gemini-cli", limit: 38_000, refusal: 16_000, bare: true},
	{name: "github-copilot", limit: 20_000},
	{name: "copilot", limit: 20_000},
	// The same, and the text twice.
	{name: "qwen", limit: 24_000, refusal: 8_000, bare: true},
	// It counts 8,000 characters of the result as JSON, where line ends, tabs,
	// quotes and backslashes are two, and some text is nothing else.
	{name: "cline", limit: 3_900, bare: true},
	{name: "omp", limit: 48_000},
}

// unknown is any other client.
var unknown = client{limit: 7_500}

// client tells who made a request, with the operator's settings in place of what
// is known.
func (s *Server) client(req *mcp.CallToolRequest) client {
	name := clientName(req.ClientInfo())
	who := knownClient(name)
	who.name = cmp.Or(s.cfg.Agent.Name, name)
	if n := s.cfg.Agent.OutputLimit; n > 0 {
		who.limit, who.refusal = n, 0
	}
	return who
}

// knownClient finds a client by the name that it announced.
func knownClient(name string) client {
	name = strings.TrimLeft(strings.ToLower(name), "@")
	for _, c := range clients {
		if strings.HasPrefix(name, c.name) {
			return c
		}
	}
	return unknown
}

// maxName bounds what is kept of a client's name, in bytes.
const maxName = 64

// clientName is the name that a client announced, as far as it can be shown.
func clientName(info *mcp.Implementation) string {
	if info == nil {
		return ""
	}
	name := strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7F || r == '\uFFFD' {
			return -1
		}
		return r
	}, info.Name)
	for i := range name {
		if i+utf8.UTFMax > maxName {
			return name[:i]
		}
	}
	return name
}
