module github.com/hashline-go/hashline

go 1.26
