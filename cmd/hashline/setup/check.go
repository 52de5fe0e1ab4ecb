package setup

import (
	"bytes"
	"errors"
	"fmt"
)

// errUnfit is the error for a file whose form we cannot edit.
var errUnfit = errors.New("the file cannot be changed without changing something else in it; put the entry in by hand")

// tree decodes a configuration.
func (c *Client) tree(body []byte) (map[string]any, error) {
	if c.toml {
		f, err := parseTOML(body)
		if err != nil {
			return nil, err
		}
		return f.tree()
	}
	j, err := parseJSONC(body)
	if err != nil {
		return nil, err
	}
	// What stands there twice is found here, before anything is compared.
	if _, err := j.at([]string{c.table, ""}); err != nil && !errors.Is(err, errAbsent) {
		return nil, err
	}
	return j.tree()
}

// twice is the error for an entry that stands there twice, which no change of ours
// puts right.
func (c *Client) twice(body []byte, name string) error {
	if c.toml {
		return nil // which is an error of syntax there
	}
	j, err := parseJSONC(body)
	if err != nil {
		return err
	}
	if _, err = j.at([]string{c.table, name}); errors.Is(err, errAbsent) {
		return nil
	}
	return err
}

// server gives the entry of a name.
func (c *Client) server(tree map[string]any, name string) (entry any, exists bool, err error) {
	table, there := tree[c.table]
	servers, ok := table.(map[string]any)
	if there && !ok {
		return nil, false, &Place{Msg: fmt.Sprintf("%q is no table of servers", c.table)}
	}
	entry, exists = servers[name]
	return entry, exists, nil
}

// merged is an entry after ours was put into it.
func merged(old any, entry object, gone []string) any {
	m, ok := clone(old).(map[string]any)
	if !ok {
		return plain(entry)
	}
	for _, key := range gone {
		delete(m, key)
	}
	for _, f := range entry {
		if inner, ok := f.value.(object); ok {
			m[f.key] = merged(m[f.key], inner, nil)
		} else {
			m[f.key] = plain(f.value)
		}
	}
	return m
}

// check refuses a result that does not say what it is to say: better no change
// than a broken configuration. A table of servers without any is as good as
// none.
func (c *Client) check(body []byte, want map[string]any) error {
	got, err := c.tree(body)
	if err != nil {
		if len(bytes.TrimSpace(body)) > 0 {
			return errUnfit
		}
		got = map[string]any{}
	}
	for _, tree := range []map[string]any{got, want} {
		if servers, ok := tree[c.table].(map[string]any); ok && len(servers) == 0 {
			delete(tree, c.table)
		}
	}
	if !equal(got, want) {
		return errUnfit
	}
	return nil
}

// Same reports that two configurations say the same; a table of servers without
// any is as good as none, and so is a blank file.
func (c *Client) Same(a, b []byte) bool {
	a, b = bytes.TrimPrefix(a, mark), bytes.TrimPrefix(b, mark)
	want := map[string]any{}
	if len(bytes.TrimSpace(a)) > 0 {
		var err error
		if want, err = c.tree(a); err != nil {
			return false
		}
	}
	return c.check(b, want) == nil
}
