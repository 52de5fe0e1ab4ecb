package workspace_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/hashline-go/hashline/hashline"
	"github.com/hashline-go/hashline/hashline/workspace"
)

func Example() {
	dir, err := os.MkdirTemp("", "hashline-example-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "greet.txt"), []byte("hello\nworld\n"), 0o644); err != nil {
		log.Fatal(err)
	}

	ws, err := workspace.Open(dir, workspace.Config{State: filepath.Join(dir, ".state")})
	if err != nil {
		log.Fatal(err)
	}
	defer ws.Close()
	agent := ws.Session(workspace.SessionConfig{Name: "example"})
	ctx := context.Background()

	seen, err := agent.Read(ctx, workspace.ReadArgs{Path: "greet.txt"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(seen.Content) // give this to the model

	document := "[greet.txt#0EB5]\nPUT 2:\n+there\n" // what the model sends back
	done, err := agent.Edit(ctx, document)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(done.Content)

	// The tag is that of the old text now, so the same document is refused, and
	// the refusal's text tells the model how to go on.
	_, err = agent.Edit(ctx, document)
	var refusal *workspace.Refusal
	if errors.Is(err, hashline.StaleTag) && errors.As(err, &refusal) {
		fmt.Println(refusal.Content)
	}
	// Output:
	// [greet.txt#0EB5]
	// 1:hello
	// 2:world
	// PUT 2: (1 → 1 line(s))
	// [greet.txt#A876]
	// 1:hello
	// 2:there
	// edit rejected, nothing was written
	// greet.txt: stale_tag: the tag is 0EB5 but the file's is A876: it is not the text that the line numbers were taken from; check the numbers against the live snapshot and send the document again under [greet.txt#A876]
	//
	// Live snapshot to retry from:
	// [greet.txt#A876]
	// 1:hello
	// 2:there
}
