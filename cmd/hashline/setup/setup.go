// Package setup knows how the clients that agents run in are told of an MCP
// server: which file says it, in which form, and how an entry is put into such a
// file or taken out of it again. Every byte outside of the entry stays as it is
// (spec 14).
//
// It is pure: it takes bytes and gives bytes. Reading and writing the files is
// the caller's.
package setup

import (
	"errors"
	"fmt"
)

// MaxFile is the size in bytes of the largest configuration that is read.
const MaxFile = 64 << 20

// ErrForeign is the error for an entry under the name of ours that somebody
// else made. errors.Is finds it.
var ErrForeign = errors.New("another server has this name")

// Place is an error of syntax and where it is.
type Place struct {
	// Line and Column count from 1, columns in bytes; 0 where the place is not
	// known.
	Line, Column int
	Msg          string
}

// Error gives the place and what is wrong there.
func (p *Place) Error() string {
	if p.Line == 0 {
		return p.Msg
	}
	return fmt.Sprintf("line %d, column %d: %s", p.Line, p.Column, p.Msg)
}

// Server is how a client reaches a server: by a command that it starts, or by a
// URL.
type Server struct {
	// Name is what the client calls the server. Required.
	Name string
	// Command and Args start the server. Required where there is no URL.
	Command string
	Args    []string
	// URL is that of a server that is running.
	URL string
	// TokenEnv names the variable of the environment that holds the bearer
	// token for URL. Optional.
	TokenEnv string
	// Trust asks the client to run the server's tools without asking the user,
	// where its configuration can say so. Optional.
	Trust bool
	// Written says that we are known to have written what stands under the name.
	Written bool
}

// Change says what putting or removing did.
type Change int

// The changes.
const (
	Unchanged Change = iota
	Added
	Replaced
	Removed
)

// Result is a configuration after a change.
type Result struct {
	// Data is the whole file. It is the caller's.
	Data   []byte
	Change Change
	// Empty says that nothing is left in the file.
	Empty bool
}
