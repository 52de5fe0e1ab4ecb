package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/hashline-go/hashline/cmd/hashline/setup"
)

// file gives the client's file: the first of those that may be that is there.
func (r *setupRun) file() string {
	files := r.client.Files(r.where, setup.Scope(r.scope.value))
	for _, file := range files {
		if _, err := os.Lstat(file); err == nil {
			return file
		}
	}
	return files[0]
}

func (r *setupRun) tell(text string) { r.a.err.text("hashline: " + text + "\n") }

// notes tells what the user should know of the entry, as it is now.
func (r *setupRun) notes(entry setup.Found) {
	for _, note := range r.client.Notes(r.server, entry, setup.Scope(r.scope.value)) {
		r.tell(note)
	}
	if note := temporary(r.server.Command); note != "" {
		r.tell(note)
	}
}

// refused is the failure for a file that is left as it is.
func (r *setupRun) refused(file string, data []byte, err error) error {
	var place *setup.Place
	msg := err.Error()
	switch {
	case errors.Is(err, setup.ErrForeign):
		msg = fmt.Sprintf("there is another server under the name %s: %s; --name gives ours another, --force means it all the same",
			r.server.Name, r.client.Entry(data, r.server.Name))
	case errors.As(err, &place) && place.Line > 0:
		return &failure{statusRefused, fmt.Sprintf("%s:%d:%d: %s; nothing was written", file, place.Line, place.Column, place.Msg)}
	}
	return &failure{statusRefused, file + ": " + msg + "; nothing was written"}
}
