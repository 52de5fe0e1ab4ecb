//go:build !unix

package main

const noWait = 0
