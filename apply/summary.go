package apply

import (
	"strconv"

	"github.com/hashline-go/hashline/hashline"
)

// summary gives the line of spec 7. Operations that change nothing show that
// in place of their counts.
func (l *layout) summary() string {
	b := make([]byte, 0, 32*len(l.ops))
	for i := range l.ops {
		o := &l.ops[i]
		if i > 0 {
			b = append(b, "; "...)
		}
		b = o.Append(b)
		rows := int64(len(o.Body))
		switch {
		case l.places[i].same:
			b = append(b, " (no change)"...)
		case o.Kind == hashline.Delete && o.Span.Len() == 1:
			b = append(b, " (1 line)"...)
		case o.Kind == hashline.Delete:
			b = append(b, " ("...)
			b = strconv.AppendInt(b, int64(o.Span.Len()), 10)
			b = append(b, " lines)"...)
		case o.Kind == hashline.Replace:
			b = append(b, " ("...)
			b = strconv.AppendInt(b, int64(o.Span.Len()), 10)
			b = append(b, " → "...)
			b = strconv.AppendInt(b, rows, 10)
			b = append(b, " line(s))"...)
		default:
			b = append(b, " (+"...)
			b = strconv.AppendInt(b, rows, 10)
			b = append(b, " line(s))"...)
		}
	}
	return string(b)
}
