package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestColored(t *testing.T) {
	for _, c := range []struct {
		flag          string
		terminal      bool
		noColor, term string
		want          bool
	}{
		{"auto", true, "", "xterm", true},
		{"auto", true, "", "", true},
		{"auto", false, "", "xterm", false},
		{"auto", true, "1", "xterm", false},
		{"auto", true, "0", "xterm", false},
		{"auto", true, "", "dumb", false},
		{"always", false, "1", "dumb", true},
		{"never", true, "", "xterm", false},
	} {
		if got := colored(c.flag, c.terminal, c.noColor, c.term); got != c.want {
			t.Errorf("colored(%q, %v, %q, %q) = %v", c.flag, c.terminal, c.noColor, c.term, got)
		}
	}
}

func TestPainted(t *testing.T) {
	// A removed line "-- a" looks like the name of a file and is none.
	diff := "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n same\n--- a\n+++ b\n\\ No newline at end of file\n"
	want := "\x1b[1m--- a/x\x1b[22m\n\x1b[1m+++ b/x\x1b[22m\n\x1b[36m@@ -1,2 +1,2 @@\x1b[0m\n same\n" +
		"\x1b[31m--- a\x1b[0m\n\x1b[32m+++ b\x1b[0m\n\\ No newline at end of file\n"
	if diff := cmp.Diff(want, painted(diff)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestOnlyCRLF(t *testing.T) {
	const head = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n"
	for _, c := range []struct {
		diff string
		want bool
	}{
		{head + " a\r\n-b\r\n+c\r\n", true},
		{head + " a\r\n-b\r\n+c\n", false},
		{head + "-b\n+b\r\n", false},
		{head + " a\r\n+c\r\n\\ No newline at end of file\n", true},
		{head, false},
	} {
		if got := onlyCRLF(c.diff); got != c.want {
			t.Errorf("onlyCRLF(%q) = %v", c.diff, got)
		}
	}
}
