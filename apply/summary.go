package apply

// summary gives the line of spec 7. Operations that change nothing show that
// in place of their counts.
func (l *layout) summary() string {
	b := make([]byte, 0, 32*len(l.ops))
	for i := range l.ops {
		o := &l.ops[i]
		if i > 0 {
			b = append(b, "; "...)
		}
		if l.places[i].same {
			b = append(o.Append(b), " (no change)"...)
		} else {
			b = o.AppendSummary(b)
		}
	}
	return string(b)
}
