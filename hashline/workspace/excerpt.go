package workspace

// excerpt gives a change of a file that is not held the lines that its diff is
// made of: those that change, and some around them.
func (t *target) excerpt(c *FileChange) {
	if t.file.large == nil {
		return
	}
	old, parts := t.file.snap.Text, t.edit.Parts
	// What is the same at the beginning and at the end.
	head, tail, above, below := 0, 0, 0, old.Lines()
	for _, p := range parts {
		if p.Data != nil || p.From != head {
			break
		}
		head, above = p.To, p.Above+p.Ends
	}
	if n := len(parts); n > 0 {
		if p := parts[n-1]; p.Data == nil && p.To == old.Size() && p.From >= head {
			tail, below = p.To-p.From, p.Above
		}
	}
	first := max(1, above-diffContext)
	from, to := old.Start(first), old.Size()
	if first == 1 {
		from = 0
	}
	if last := below + diffContext + 1; tail > 0 && last < old.Lines() {
		to = old.End(last)
	}
	rest := old.Size() - to
	end := t.after.Text.Size() - rest
	if to-from+end-from > maxDiffed {
		c.omitted = true
		return
	}
	c.before, c.after, c.above = old.Slice(from, to), t.after.Text.Slice(from, end), first-1
}
