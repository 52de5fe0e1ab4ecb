package hashline

import (
	"strconv"
	"strings"
)

// Row gives a line as a view shows it: "N:text" (spec 4).
func Row(n int, text string) string { return strconv.Itoa(n) + ":" + text }

// ParseRow takes a row of a view apart. ok is false for any other text, also
// for one whose number has a leading zero or no meaning as a line.
func ParseRow(row string) (n int, text string, ok bool) {
	digits := 0
	for digits < len(row) && '0' <= row[digits] && row[digits] <= '9' {
		digits++
	}
	if digits == 0 || digits == len(row) || row[digits] != ':' || row[0] == '0' {
		return 0, "", false
	}
	n, err := strconv.Atoi(row[:digits])
	if err != nil || n > MaxLine {
		return 0, "", false
	}
	return n, row[digits+1:], true
}

// ParseHeader takes a header "[path#TAG]" apart; blanks around its parts are
// not part of them, and the last "#" counts (spec 5). ok is false for any other
// text. The path is as written: see [CleanPath].
func ParseHeader(line string) (path string, tag Tag, ok bool) {
	line = strings.Trim(line, " \t")
	if len(line) < 2 || line[0] != '[' || line[len(line)-1] != ']' {
		return "", 0, false
	}
	line = line[1 : len(line)-1]
	at := strings.LastIndexByte(line, '#')
	if at < 0 {
		return "", 0, false
	}
	path = strings.Trim(line[:at], " \t")
	tag, err := ParseTag(strings.Trim(line[at+1:], " \t"))
	return path, tag, err == nil && path != ""
}
