package fakemodel

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// tool is one that a client offers. Some clients keep the tools of a server in a
// namespace.
type tool struct{ namespace, name string }

// request is what the interfaces have in common.
type request struct {
	model   string
	stream  bool
	tools   []tool
	results []Result
}

// reply is a turn that is ready to be written.
type reply struct {
	id    string
	model string
	text  string
	calls []call
}

type call struct {
	tool tool
	id   string
	args json.RawMessage
}

// play gives the turn that is due when a client has told as many results as it
// has.
func (m *Model) play(r request, body []byte) reply {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.serial++
	rep := reply{id: fmt.Sprintf("%d_%d", len(r.results), m.serial), model: r.model}
	if len(r.tools) == 0 {
		// Some clients ask for a title, or for the kind of task.
		rep.text = "nothing"
		return rep
	}
	m.note(r, body)
	turn, ok := m.due(len(r.results))
	if !ok {
		return m.fail(rep, "there is no turn for %d results", len(r.results))
	}
	if n := m.begun; turn == n {
		m.begun++
		if before := m.script[n].Before; before != nil {
			if err := before(); err != nil {
				return m.fail(rep, "turn %d: %v", n, err)
			}
		}
	}
	for i, c := range m.script[turn].Calls {
		t, ok := m.find(r.tools, c)
		if !ok {
			return m.fail(rep, "no tool that ends in %q is offered, but %v", c.Tool, r.tools)
		}
		args, err := json.Marshal(c.Args(r.results))
		if err != nil {
			return m.fail(rep, "turn %d: %v", turn, err)
		}
		rep.calls = append(rep.calls, call{t, fmt.Sprintf("%s_%d", rep.id, i), args})
	}
	if len(rep.calls) == 0 {
		rep.text = m.script[turn].Text
		m.said = append(m.said, rep.text)
	}
	return rep
}

// note keeps what a request says.
func (m *Model) note(r request, body []byte) {
	m.bodies = append(m.bodies, slices.Clone(body))
	m.tools = nil
	for _, t := range r.tools {
		if strings.Contains(t.namespace+t.name, m.server) {
			m.tools = append(m.tools, t.name)
		}
	}
	for i, res := range r.results {
		if i == len(m.seen) {
			m.seen = append(m.seen, res)
		} else if m.seen[i] != res {
			m.faults = append(m.faults, fmt.Sprintf("result %d was %.200q and became %.200q", i, m.seen[i].Text, res.Text))
		}
	}
}

// due finds the turn that comes after n results.
func (m *Model) due(n int) (int, bool) {
	for i, t := range m.script {
		if n <= 0 {
			return i, n == 0
		}
		n -= len(t.Calls)
	}
	return 0, false
}

func (m *Model) find(tools []tool, c Call) (tool, bool) {
	for _, t := range tools {
		if strings.HasSuffix(t.name, c.Tool) && (c.BuiltIn || strings.Contains(t.namespace+t.name, m.server)) {
			return t, true
		}
	}
	return tool{}, false
}

func (m *Model) fail(rep reply, format string, args ...any) reply {
	rep.text = fmt.Sprintf(format, args...)
	rep.calls = nil
	m.faults = append(m.faults, rep.text)
	return rep
}
