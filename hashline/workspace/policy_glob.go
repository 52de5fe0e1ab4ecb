package workspace

import (
	"path"
	"path/filepath"
	"strings"

	"github.com/hashline-go/hashline/hashline"
)

// cleanGlob gives a glob in the form of the paths that it is matched against:
// without empty names, "." and "..", and relative to the root. One that could match
// nothing there is refused.
func cleanGlob(text string, dirs []string) (string, error) {
	refuse := func(what string) (string, error) {
		return "", &hashline.Diagnostic{Code: hashline.BadPattern, Msg: "glob " + cut(text, 80) + ": " + what,
			Hint: "write it relative to the root, such as secret, src/secret or **/*.key"}
	}
	rest, from, absolute := text, "", false
	for _, dir := range dirs {
		below, ok := strings.CutPrefix(text, filepath.ToSlash(dir))
		if ok && (below == "" || below[0] == '/') && dir != "/" {
			rest, absolute = below, true
		}
	}
	if !strings.Contains(text, "/") && text != "." && text != ".." {
		return text, nil
	}
	if first, _, _ := strings.Cut(text, "/"); first == ".." && len(dirs) > 0 {
		// It may lead back to where it came from.
		from = filepath.ToSlash(dirs[0])
	}
	var names []string
	if from != "" {
		names = strings.Split(strings.Trim(from, "/"), "/")
	}
	odd := absolute
	for i, name := range strings.Split(rest, "/") {
		switch strings.ReplaceAll(name, `\`, "") {
		case "", ".":
			// One at either end has a meaning.
			odd = odd || i > 0 && !strings.HasSuffix(rest, "/") || strings.Contains(rest, "//") || strings.Contains(rest, "/./")
		case "..":
			odd = true
			if len(names) == 0 {
				return refuse("it leads out of the root")
			}
			if strings.ContainsAny(names[len(names)-1], `*?[]{}\`) {
				return refuse("it has .. behind a part that is no plain name")
			}
			names = names[:len(names)-1]
		default:
			names = append(names, name)
		}
	}
	clean := strings.Join(names, "/")
	if from != "" {
		below, ok := strings.CutPrefix("/"+clean, path.Clean(from))
		if !ok || below != "" && below[0] != '/' {
			return refuse("it leads out of the root")
		}
		clean = strings.TrimPrefix(below, "/")
	}
	switch {
	case clean == "" && text == "/":
		return text, nil
	case clean == "":
		return refuse("it names the root itself; ** stands for all that is in it")
	case !odd:
		return text, nil
	case strings.HasSuffix(rest, "/"):
		clean += "/"
	}
	return "/" + clean, nil
}

// Permits gives a function that refuses (denied) the files which the policy denies
// that Deny and Allow of cfg make for a root. Its argument is a path of the system;
// what does not lie below the root it has no say on. It is for those who open files
// in other ways than through a workspace. Errors are *[hashline.Diagnostic].
func Permits(dir string, cfg Config) (func(name string) error, error) {
	given, err := filepath.Abs(dir)
	if err != nil {
		return nil, fault(hashline.IO, "", "the root cannot be found: "+reason(err), "")
	}
	w := &core{dir: withoutLinks(given), given: given}
	if w.policy, err = newPolicy(cfg, w.dir, given); err != nil {
		return nil, err
	}
	return func(name string) error {
		abs, err := filepath.Abs(name)
		if err != nil {
			return nil // nor can it be opened
		}
		for _, abs := range [...]string{abs, withoutLinks(abs)} {
			if rel, ok := w.below(filepath.ToSlash(abs)); ok && w.policy.denies(rel) {
				return deniedPath(name)
			}
		}
		return nil
	}, nil
}
