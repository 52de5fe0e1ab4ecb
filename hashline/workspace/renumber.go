package workspace

import (
	"fmt"
	"strings"
)

// renumber puts at the end of an answer where the numbers went that the agent
// counts from (spec 7). Where no line was moved it says nothing.
func (s *Session) renumber(content string, changed []place, several bool) string {
	if s.ledger == nil {
		return content
	}
	var lines []string
	for _, pl := range changed {
		prefix := ""
		if several {
			prefix = pl.path + ": "
		}
		for _, stretch := range s.ledger.Renumber(pl.real) {
			lines = append(lines, prefix+stretch.String())
		}
	}
	return s.withLines(content, lines)
}

// movesLines tells whether a change puts any line elsewhere. The answer to one
// that does not says nothing of numbers: what an earlier one said still holds,
// and an agent that has gone on from that would take it for another move.
func movesLines(changes []Changed) bool {
	for _, c := range changes {
		if c.Old.Len() != c.New.Len() {
			return true
		}
	}
	return false
}

// answerLimit is what an answer about changed files has for all but the
// renumbering. Without room for that, an agent would take it that no line moved.
func (s *Session) answerLimit() int {
	if s.ledger == nil {
		return s.limit
	}
	return s.limit - min(s.limit/4, 2<<10)
}

// withLines appends lines to an answer as far as they fit.
func (s *Session) withLines(content string, lines []string) string {
	if len(lines) == 0 {
		return content
	}
	var b strings.Builder
	b.WriteString(content)
	b.WriteString("\n")
	for i, line := range lines {
		more := fmt.Sprintf("\n[… +%d more; read_file shows the numbers]", len(lines)-i)
		if end := b.Len() + len("\n") + len(line); end+len(more) > s.limit && (i < len(lines)-1 || end > s.limit) {
			if b.Len()+len(more) <= s.limit {
				b.WriteString(more)
			}
			break
		}
		b.WriteString("\n" + line)
	}
	return b.String()
}
