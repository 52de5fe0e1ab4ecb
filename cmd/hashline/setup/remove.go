package setup

import "bytes"

// Remove gives the configuration without the entry of a server. One that is not
// ours is left alone unless force is set ([ErrForeign]).
func (c *Client) Remove(data []byte, s Server, force bool) (Result, error) {
	body, bom := bytes.CutPrefix(data, mark)
	if len(bytes.TrimSpace(body)) == 0 {
		return Result{Data: data, Empty: true}, nil
	}
	tree, err := c.tree(body)
	if err != nil {
		return Result{}, err
	}
	if err := c.twice(body, s.Name); err != nil {
		return Result{}, err
	}
	old, exists, err := c.server(tree, s.Name)
	switch {
	case err != nil:
		return Result{}, err
	case !exists:
		return Result{Data: data}, nil
	case !force && !s.owns(old):
		return Result{}, ErrForeign
	}
	if body, err = c.remove(body, s.Name); err != nil {
		return Result{}, err
	}
	servers := tree[c.table].(map[string]any)
	delete(servers, s.Name)
	if err := c.check(body, tree); err != nil {
		return Result{}, err
	}
	return Result{Data: restored(body, bom), Change: Removed, Empty: c.empty(body)}, nil
}

func (c *Client) remove(body []byte, name string) ([]byte, error) {
	path := []string{c.table, name}
	if c.toml {
		f, err := parseTOML(body)
		if err != nil {
			return nil, err
		}
		return f.unset(path), nil
	}
	for ; len(path) > 0; path = path[:len(path)-1] {
		j, err := parseJSONC(body)
		if err != nil {
			return nil, err
		}
		if body, err = j.unset(path); err != nil {
			return nil, err
		}
		if j, err = parseJSONC(body); err != nil {
			return nil, err
		}
		if !j.bare(path[:len(path)-1]) {
			break
		}
	}
	return body, nil
}

// empty reports that a configuration says nothing, not even in a comment.
func (c *Client) empty(body []byte) bool {
	if c.toml || len(bytes.TrimSpace(body)) == 0 {
		return len(bytes.TrimSpace(body)) == 0
	}
	j, err := parseJSONC(body)
	return err == nil && j.bare(nil)
}
