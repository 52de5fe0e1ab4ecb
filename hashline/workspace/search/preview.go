package search

import "unicode/utf8"

// Width is how many characters of a line a search shows at most.
const Width = 200

// preview gives at most [Width] characters of a line, among them its match at
// line[start:end], or as much of that as there is room for. "…" stands where
// the line was cut.
func preview(line []byte, start, end int) string {
	head := forward(line, 0, Width)
	if head == len(line) {
		return string(line)
	}
	if end <= head {
		return string(line[:head]) + "…"
	}
	left := Width
	for at := start; at < end && left > 0; left-- {
		at = forward(line, at, 1)
	}
	from := backward(line, start, left/2)
	to := forward(line, from, Width)
	if to == len(line) {
		from = backward(line, to, Width)
	}
	text := string(line[from:to])
	if from > 0 {
		text = "…" + text
	}
	if to < len(line) {
		text += "…"
	}
	return text
}

// forward gives the offset n characters after at, or the line's end.
func forward(line []byte, at, n int) int {
	for ; n > 0 && at < len(line); n-- {
		_, size := utf8.DecodeRune(line[at:])
		at += size
	}
	return at
}

// backward gives the offset n characters before at, or 0.
func backward(line []byte, at, n int) int {
	for ; n > 0 && at > 0; n-- {
		_, size := utf8.DecodeLastRune(line[:at])
		at -= size
	}
	return at
}
