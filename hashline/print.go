package hashline

import "strings"

// Header gives the line "[path#TAG]" that stands over every snapshot and
// section (spec 4).
func Header(path string, tag Tag) string {
	return "[" + path + "#" + tag.String() + "]"
}

// String prints the document in canonical form: upper-case keywords and tags,
// "N" for one line and "N.=M" for several, no blank lines, "\n" line ends.
// Parsing the result gives the same document but for positions (spec 5). Paths
// must be such as [CleanPath] accepts, and rows must hold no "\n".
func (d Document) String() string {
	var b strings.Builder
	for _, s := range d.Sections {
		s.print(&b)
	}
	return b.String()
}

// String prints the section in canonical form.
func (s Section) String() string {
	var b strings.Builder
	s.print(&b)
	return b.String()
}

func (s Section) print(b *strings.Builder) {
	b.WriteString(Header(s.Path, s.Tag))
	b.WriteByte('\n')
	for _, o := range s.Ops {
		b.WriteString(o.String())
		b.WriteByte('\n')
		for _, row := range o.Body {
			b.WriteByte('+')
			b.WriteString(row)
			// The wire takes one terminal CR of a row, so a row that ends in
			// one is written with a second.
			if strings.HasSuffix(row, "\r") {
				b.WriteByte('\r')
			}
			b.WriteByte('\n')
		}
	}
}
