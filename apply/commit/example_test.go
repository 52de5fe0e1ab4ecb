package commit_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/hashline-go/hashline/apply/commit"
)

func ExampleStore_Commit() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	os.WriteFile(filepath.Join(dir, "greeting"), []byte("hello\n"), 0o644)
	root, err := os.OpenRoot(dir)
	if err != nil {
		panic(err)
	}
	defer root.Close()
	store, err := commit.Open(filepath.Join(dir, "state"))
	if err != nil {
		panic(err)
	}

	// Lock first, then read what the change is made from.
	ctx := context.Background()
	held, err := store.Lock(ctx, root, []string{"greeting", "new/reply"})
	if err != nil {
		panic(err)
	}
	defer held.Release()
	old, _ := root.ReadFile("greeting")
	warnings, err := store.Commit(ctx, root, []commit.Change{
		{Path: "greeting", Old: old, New: []byte("hello, world\n")},
		{Path: "new/reply", New: []byte("hello yourself\n"), Create: true},
	})
	fmt.Println(len(warnings), err)
	reply, _ := root.ReadFile("new/reply")
	fmt.Print(string(reply))

	// The file is no longer what old says: nothing is written.
	_, err = store.Commit(ctx, root, []commit.Change{{Path: "greeting", Old: old, New: []byte("bye\n")}})
	fmt.Println(err)
	// Output:
	// 0 <nil>
	// hello yourself
	// greeting: changed_during_edit: its bytes changed while the edit ran, by a writer that does not use our locks; read the file again and write the edit against what it holds now
}
