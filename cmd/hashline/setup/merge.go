package setup

import (
	"bytes"
	"errors"
	"slices"
)

var mark = []byte("\xef\xbb\xbf")

// Put gives the configuration with the entry of a server in it. data is nil or
// blank where there is none yet. An entry of ours that is there keeps what the user
// added to it and does not get again what he took out, unless force is set; one
// that is not ours is left alone without force ([ErrForeign]). Errors of syntax are a *[Place].
func (c *Client) Put(data []byte, s Server, force bool) (Result, error) {
	body, bom := bytes.CutPrefix(data, mark)
	if len(bytes.TrimSpace(body)) == 0 && !c.toml {
		return Result{Data: restored([]byte(c.Print(s)), bom), Change: Added}, nil
	}
	tree, err := c.tree(body)
	if err != nil {
		return Result{}, err
	}
	old, exists, err := c.server(tree, s.Name)
	if err != nil {
		return Result{}, err
	}
	if err := c.twice(body, s.Name); err != nil {
		return Result{}, err
	}
	entry := c.entry(s)
	gone := slices.DeleteFunc(slices.Clone(owned), func(key string) bool {
		return slices.ContainsFunc(entry, func(m member) bool { return m.key == key })
	})
	if s.owns(old) && !force {
		entry, gone = c.settled(entry, gone, old, s.Name)
	}
	want := merged(old, entry, gone)
	if exists && equal(old, want) {
		return Result{Data: data}, nil
	}
	foreign := exists && !s.owns(old)
	if foreign && !force {
		return Result{}, ErrForeign
	}
	if foreign {
		// Nothing of it is for us.
		want = plain(entry)
	}
	body, err = c.put(body, s.Name, entry, gone, foreign)
	if errors.Is(err, errForm) && force {
		want = plain(entry)
		body, err = c.put(bytes.TrimPrefix(data, mark), s.Name, entry, gone, true)
	}
	if err != nil {
		return Result{}, err
	}
	servers, _ := tree[c.table].(map[string]any)
	if servers == nil {
		servers = map[string]any{}
		tree[c.table] = servers
	}
	servers[s.Name] = want
	if err := c.check(body, tree); err != nil {
		return Result{}, err
	}
	change := Added
	if exists {
		change = Replaced
	}
	return Result{Data: restored(body, bom), Change: change}, nil
}

func (c *Client) put(body []byte, name string, entry object, gone []string, whole bool) ([]byte, error) {
	path := []string{c.table, name}
	if c.toml {
		f, err := parseTOML(body)
		if err != nil {
			return nil, err
		}
		return f.set(path, entry, gone, whole)
	}
	j, err := parseJSONC(body)
	if err != nil {
		return nil, err
	}
	if whole {
		s, err := j.at(path)
		if err != nil {
			return nil, err
		}
		return j.replace(s, entry), nil
	}
	return j.set(path, entry, gone)
}

func restored(body []byte, bom bool) []byte {
	if bom {
		return slices.Concat(mark, body)
	}
	return body
}
