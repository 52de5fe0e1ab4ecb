package workspace

import (
	"fmt"
	"strings"

	"github.com/hashline-go/hashline/snapshot/ledger"
)

// renumber puts at the end of an answer where the numbers went that the agent
// counts from (spec 7). Where no line was moved it says nothing but which
// numbers are void: that is no move, however often it is said.
func (s *Session) renumber(content string, changed []renumbered, several bool) string {
	if s.ledger == nil {
		return content
	}
	var void, lines []string
	for _, c := range changed {
		prefix := ""
		if several {
			prefix = c.path + ": "
		}
		if spans := s.ledger.Void(c.real); len(spans) > 0 {
			void = append(void, prefix+voidLine(spans))
		}
		if c.moved {
			lines = append(lines, stretchLines(prefix, s.ledger.Renumber(c.real), maxRenumber/len(changed))...)
		}
	}
	// What is void comes first: of all that may not fit, silence about it would
	// mislead most.
	return s.withLines(content, append(void, lines...))
}

// renumbered is a file that was changed; moved tells that lines were moved.
type renumbered struct {
	place
	moved bool
}

// maxRenumber is how many bytes the answer to one call spends on where numbers
// went, but for a line or two that each file may have.
const maxRenumber = 1 << 10

// stretchLines says where the numbers of one file went, within some bytes. The
// numbers that there is no room for are void: an agent takes one that is not
// named for one that stays.
func stretchLines(prefix string, stretches []ledger.Stretch, room int) (lines []string) {
	for i, stretch := range stretches {
		line := prefix + stretch.String()
		if room -= len(line) + 1; room < 0 && i > 0 {
			return append(lines, fmt.Sprintf("%s[old line %d and all after it are void; read_file shows them again]", prefix, stretch.Old))
		}
		lines = append(lines, line)
	}
	return lines
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

// allVoid stands for all lines that an answer has no room for.
const allVoid = "\n[all other old line numbers are void; read_file shows them again]"

// withLines appends lines to an answer as far as they fit.
func (s *Session) withLines(content string, lines []string) string {
	if len(lines) == 0 {
		return content
	}
	var b strings.Builder
	b.WriteString(content)
	b.WriteString("\n")
	for i, line := range lines {
		if end := b.Len() + len("\n") + len(line); end+len(allVoid) > s.limit && (i < len(lines)-1 || end > s.limit) {
			if b.Len()+len(allVoid) <= s.limit {
				b.WriteString(allVoid)
			}
			break
		}
		b.WriteString("\n" + line)
	}
	return b.String()
}
