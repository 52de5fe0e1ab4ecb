//go:build !linux && !darwin

package main

func onTerminal() { panic("there are no terminals to test with") }
