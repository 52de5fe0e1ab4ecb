// Package fakemodel plays a model for an agent's client, from a script, so that a
// real client can be tested without a network and with the same outcome each
// time. It speaks the interfaces that clients know: OpenAI's Responses and Chat
// Completions, Anthropic's Messages and Gemini's generateContent, as streams or
// whole. It never looks at what it is asked: it asks for the next tool of its
// script, keeps what the client tells it of the outcome, and says when it is done.
package fakemodel

import (
	"encoding/json"
	"slices"
	"sync"
)

// Turn is what the model says at once: calls of tools, or a text.
type Turn struct {
	// Before is run before the turn is played the first time. Optional.
	Before func() error
	// Calls are asked for together, so that a client may run them at once.
	Calls []Call
	// Text is said where there are no calls.
	Text string
}

// Call asks for a tool.
type Call struct {
	// Tool is how the name of the tool ends; clients put the server's name
	// before it, each in its way.
	Tool string
	// BuiltIn says that the tool is the client's own, not of the server under
	// test.
	BuiltIn bool
	// Args makes the arguments out of all results so far, first one first. It
	// may be called more than once, where a client sends a request again.
	Args func(seen []Result) map[string]any
}

// Result is what a client told the model of a call.
type Result struct {
	// Text is what a model reads.
	Text string
	// Error says that the client marked it as a failure, for the model.
	Error bool
}

// Model plays one script to one client. Its methods may be called by several
// goroutines at once.
type Model struct {
	server string
	script []Turn

	mu     sync.Mutex
	begun  int // turns whose Before was run
	serial int
	seen   []Result
	said   []string
	faults []string
	tools  []string
	bodies []json.RawMessage
}

// New makes a model that calls tools of an MCP server by its name.
func New(server string, script ...Turn) *Model {
	return &Model{server: server, script: script}
}

// Seen gives the results that the model got, in the order of its calls, as it got
// them first.
func (m *Model) Seen() []Result {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.seen)
}

// Said gives the texts that the model said.
func (m *Model) Said() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.said)
}

// Faults gives what kept the script from being played, and what a client told
// otherwise later on than it first did.
func (m *Model) Faults() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.faults)
}

// Tools gives the names of the tools that the client offered last, those of the
// server under test only.
func (m *Model) Tools() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.tools)
}

// Requests gives the bodies of all requests that offered tools.
func (m *Model) Requests() []json.RawMessage {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.bodies)
}
