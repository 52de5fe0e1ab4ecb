package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/hashline/workspace"
	"github.com/hashline-go/hashline/snapshot"
)

func (a *app) demoCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "demo FILE",
		Short:   "Read and edit a scratch copy of a file, and show each step.",
		GroupID: groupOther,
		Long: `Copies FILE into a scratch folder, which is removed again, and there shows a read,
an edit, and an edit that is refused because its tag is old.`,
		Example: `  hashline demo README.md`,
		Args:    wants(1, 1, "FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			data, err := readText(args[0])
			if err != nil {
				return err
			}
			scratch, err := os.MkdirTemp("", "hashline-demo-")
			if err != nil {
				return &failure{statusFailed, err.Error()}
			}
			defer os.RemoveAll(scratch)
			d := demo{app: a, name: filepath.Base(args[0]), dir: filepath.Join(scratch, "work")}
			return d.run(cmd.Context(), data, filepath.Join(scratch, "state"))
		},
	}
}

// readText reads a file that can be edited.
func readText(name string) ([]byte, error) {
	f, _, err := openRegular(name)
	if err != nil {
		return nil, usagef("%s: %s", quoted(name), reason(err))
	}
	defer f.Close()
	data, err := io.ReadAll(f)
	if err != nil {
		return nil, &failure{statusFailed, err.Error()}
	}
	if _, err := snapshot.Decode(data); err != nil {
		return nil, usagef("%s: %s", quoted(name), err)
	}
	return data, nil
}

// demo is one run of the command: a scratch copy and what is done to it.
type demo struct {
	*app
	name, dir string
	agent     *workspace.Session
}

func (d *demo) run(ctx context.Context, data []byte, state string) error {
	if err := os.Mkdir(d.dir, 0o700); err != nil {
		return &failure{statusFailed, err.Error()}
	}
	if err := d.put(data); err != nil {
		return err
	}
	w, err := workspace.Open(d.dir, workspace.Config{Scheme: snapshot.Scheme(d.scheme.value), State: state})
	if err != nil {
		return &failure{statusFailed, err.Error()}
	}
	defer w.Close()
	d.agent = w.Session(workspace.SessionConfig{})

	d.say("The agent reads the first rows of a copy of " + d.name + ".")
	limit := 6
	read := workspace.ReadArgs{Path: d.name, Limit: &limit}
	seen, err := d.agent.Read(ctx, read)
	if err != nil {
		return err
	}
	d.show(fmt.Sprintf("hashline read %s --limit %d", d.name, limit), seen.Content)

	header, rest, _ := strings.Cut(seen.Content, "\n")
	doc := header + "\n"
	if first, _, _ := strings.Cut(rest, "\n"); strings.HasPrefix(first, "1:") {
		doc += "PUT 1:\n+" + strings.TrimPrefix(first, "1:") + " (edited)\n"
	}
	doc += "PUT >$:\n+a new last line\n"
	d.say("It sends a document back: the same header, then operations on those numbers.")
	done, err := d.agent.Edit(ctx, doc)
	if err != nil {
		return err
	}
	d.show("hashline edit <<'.'\n"+doc+".", done.Content)
	after, err := d.get()
	if err != nil {
		return err
	}

	d.say("It sends the same document again. The tag is that of the old text, so nothing is written.")
	_, err = d.agent.Edit(ctx, doc)
	var refusal *workspace.Refusal
	if !errors.As(err, &refusal) || !errors.Is(err, hashline.StaleTag) {
		return &failure{statusFailed, fmt.Sprintf("the edit should have been refused as stale: %v", err)}
	}
	d.show("hashline edit <<'.'\n"+doc+".", refusal.Content)
	if left, err := d.get(); err != nil || !bytes.Equal(left, after) {
		return &failure{statusFailed, "the refused edit changed the file"}
	}
	d.say("The file is byte for byte what the first edit left.")
	return nil
}

func (d *demo) put(data []byte) error {
	if err := os.WriteFile(filepath.Join(d.dir, d.name), data, 0o600); err != nil {
		return &failure{statusFailed, err.Error()}
	}
	return nil
}

func (d *demo) get() ([]byte, error) {
	data, err := os.ReadFile(filepath.Join(d.dir, d.name))
	if err != nil {
		return nil, &failure{statusFailed, err.Error()}
	}
	return data, nil
}

func (d *demo) say(text string) { d.out.text("# " + text + "\n\n") }

func (d *demo) show(command, answer string) { d.out.text("$ " + command + "\n" + answer + "\n\n") }
