package grammar

import (
	"io"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"
)

// The kinds of token. A keyword's value is its canonical form.
const (
	tokHeader lexer.TokenType = iota + 1
	tokKeyword
	tokNumber
	tokRange
	tokColon
	tokEOL
	tokBody
	// tokStray is what has no name, to the end of its line. No rule takes one.
	tokStray
)

// definition hands the scanner to participle.
type definition struct{}

// Symbols names the kinds of token for the grammar's tags.
func (definition) Symbols() map[string]lexer.TokenType {
	return map[string]lexer.TokenType{
		"EOF": lexer.EOF, "Header": tokHeader, "Keyword": tokKeyword, "Number": tokNumber,
		"Range": tokRange, "Colon": tokColon, "EOL": tokEOL, "Body": tokBody, "Stray": tokStray,
	}
}

// Lex scans all that r holds. Only reading can fail. The grammar's interface asks
// for it; documents are scanned from memory.
func (definition) Lex(_ string, r io.Reader) (lexer.Lexer, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	return &scanner{text: string(text), num: 1}, nil
}

// scanner makes tokens of the lines of a document, wrappers excluded. It never
// fails. A stray token is its last one, since no rule takes it, so that the
// number of tokens is bounded by the limits on sections and operations however
// hostile the text is.
type scanner struct {
	text string
	at   int // the offset of the next line
	num  int // the number of the next line

	// single ends the tokens before the second header.
	single bool
	// sections and ops count what was met, those before the text included.
	sections, ops int
	// part counts the operations of this part; parted tells that the tokens
	// ended before an operation only because the part is full.
	part   int
	parted bool
	// over tells that the stray token is one section or operation too many.
	over bool

	opened  bool // a header was met
	bare    bool // the line above is a header
	waiting bool // the line above is that of a PUT, complete
	ended   bool
	queue   [tokensPerLine + 2]lexer.Token
	head    int
	tail    int
}

// tokensPerLine bounds the tokens of a line: keyword, number, range, number,
// colon, and one more that is wrong.
const tokensPerLine = 6

// opsPerPart bounds the operations that the engine reads at once.
const opsPerPart = 256

// resume makes what follows look like a section to the grammar.
func (s *scanner) resume() {
	s.opened, s.part, s.parted, s.bare = true, 0, false, true
	s.push(tokHeader, "", line{}, 0)
	s.push(tokEOL, "", line{}, 0)
}

// Next gives the next token; the error is always nil.
func (s *scanner) Next() (lexer.Token, error) {
	if s.head == s.tail {
		s.head, s.tail = 0, 0
		s.scan()
	}
	t := s.queue[s.head]
	s.head++
	return t, nil
}

func (s *scanner) push(kind lexer.TokenType, value string, l line, i int) {
	s.queue[s.tail] = lexer.Token{Type: kind, Value: value, Pos: lexer.Position{Offset: l.off + i, Line: l.num, Column: i + 1}}
	s.tail++
	s.ended = s.ended || kind == tokStray
}

// scan queues the tokens of the next line that has any, or the end.
func (s *scanner) scan() {
	waiting := s.waiting
	s.waiting = false
	for !s.ended && s.at < len(s.text) {
		if waiting && s.text[s.at] == '+' {
			s.scanBody()
			return
		}
		waiting = false
		l := lineAt(s.text, s.at, s.num)
		if l.blank() {
			s.at, s.num = l.next, l.num+1
			continue
		}
		if i := l.start(); i < len(l.text) && l.text[i] == '[' {
			if !s.scanHeader(l, i) {
				break
			}
		} else if word := opWord(l.text, i); word != "" {
			if s.part >= opsPerPart && !s.bare {
				s.parted = true
				break
			}
			s.part++
			s.bare = false
			s.scanOp(l, i, word)
		} else {
			s.push(tokStray, l.text, l, 0)
		}
		s.at, s.num = l.next, l.num+1
		return
	}
	s.push(lexer.EOF, "", line{off: s.at, num: s.num}, 0)
}

// scanBody takes a whole body as one token: a token a row would cost far more
// than all else.
func (s *scanner) scanBody() {
	from, num := s.at, s.num
	for s.at < len(s.text) && s.text[s.at] == '+' {
		s.at = lineEnd(s.text, s.at)
		s.num++
	}
	s.push(tokBody, s.text[from:s.at], line{off: from, num: num}, 0)
}

// scanHeader queues the tokens of a line that begins with "[" at index i; false
// means that the tokens end before it.
func (s *scanner) scanHeader(l line, i int) bool {
	text := strings.TrimRight(l.text[i:], " \t")
	_, ok := readHeader(text)
	if ok && s.single && s.opened {
		return false
	}
	s.sections++
	s.over = s.sections > MaxSections
	if !ok || s.over {
		s.push(tokStray, text, l, i)
		return true
	}
	s.opened, s.bare = true, true
	s.push(tokHeader, text, l, i)
	s.push(tokEOL, "", l, i+len(text))
	return true
}
