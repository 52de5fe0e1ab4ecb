package grammar

import (
	"errors"
	"fmt"
	"sync"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
)

// The five productions of the format (spec 5). The tags of a struct's fields,
// read one after the other, are its right-hand side; EBNF prints them. Literals
// name their kind of token, so that no stray one can pass for them.
type (
	document struct {
		Sections []*section `parser:"@@+"`
	}

	section struct {
		Pos    lexer.Position
		Header header `parser:"@Header EOL"`
		Ops    []*op  `parser:"@@+"`
	}

	op struct {
		Pos   lexer.Position
		Cut   *span  `parser:"  'CUT':Keyword @@ EOL"`
		Place *place `parser:"| @@ ':':Colon EOL"`
		Body  body   `parser:"  @Body"`
	}

	place struct {
		Span   *span  `parser:"  'PUT':Keyword @@"`
		Before number `parser:"| 'PUT <':Keyword @Number"`
		After  number `parser:"| 'PUT >':Keyword @Number"`
		End    bool   `parser:"| @'PUT >$':Keyword"`
	}

	span struct {
		First number `parser:"@Number"`
		Last  number `parser:"( ( '.=':Range | '..':Range | '-':Range ) @Number )?"`
	}
)

// The parser is built on first use: it costs as much as several documents, and
// a command that parses none need not wait for it.
var engine = sync.OnceValue(func() *participle.Parser[document] {
	return participle.MustBuild[document](participle.Lexer(definition{}))
})

// EBNF gives the grammar as the parser itself prints it. Names in angle brackets
// are tokens: a header line, a line's end, a line number from 1, and a body,
// which is a run of lines that begin with "+".
func EBNF() string { return engine().String() + "\n" }

// stop is the token at which the grammar stopped.
type stop = lexer.Token

// parse runs the grammar over a scanner's tokens. Where it stops before their
// end the tree holds what came before, and may end with an operation that is not
// complete.
//
// Long sections are read in parts, so that what the engine holds while it works
// does not grow with the document.
func parse(s *scanner) (*document, *stop) {
	tree, bad := parsePart(s)
	for bad == nil && s.parted {
		s.resume()
		var part *document
		part, bad = parsePart(s)
		for i, more := range part.Sections {
			if i == 0 {
				last := tree.Sections[len(tree.Sections)-1]
				last.Ops = append(last.Ops, more.Ops...)
			} else {
				tree.Sections = append(tree.Sections, more)
			}
		}
	}
	return tree, bad
}

func parsePart(s *scanner) (*document, *stop) {
	peek, err := lexer.Upgrade(s)
	if err != nil {
		panic(fmt.Sprintf("grammar: the lexer failed: %v", err))
	}
	tree, err := engine().ParseFromLexer(peek)
	if err == nil {
		return tree, nil
	}
	var unexpected *participle.UnexpectedTokenError
	if !errors.As(err, &unexpected) {
		panic(fmt.Sprintf("grammar: %v", err))
	}
	return tree, &unexpected.Unexpected
}
