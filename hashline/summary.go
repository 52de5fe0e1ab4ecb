package hashline

import "strconv"

// Summary gives the operation's own line and how many lines it takes and gives,
// as results show it (spec 7): "PUT 2.=5: (4 → 2 line(s))", "CUT 3 (1 line)".
// That an operation changes nothing only a file can tell.
func (o Op) Summary() string { return string(o.AppendSummary(nil)) }

// AppendSummary appends what [Op.Summary] gives.
func (o Op) AppendSummary(b []byte) []byte {
	b = o.Append(b)
	rows, span := int64(len(o.Body)), int64(o.Span.Len())
	switch {
	case o.Kind == Delete && span == 1:
		return append(b, " (1 line)"...)
	case o.Kind == Delete:
		b = strconv.AppendInt(append(b, " ("...), span, 10)
		return append(b, " lines)"...)
	case o.Kind == Replace:
		b = strconv.AppendInt(append(b, " ("...), span, 10)
		b = append(b, " → "...)
		b = strconv.AppendInt(b, rows, 10)
		return append(b, " line(s))"...)
	}
	b = strconv.AppendInt(append(b, " (+"...), rows, 10)
	return append(b, " line(s))"...)
}
