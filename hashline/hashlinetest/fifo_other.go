//go:build !unix

package hashlinetest

import "errors"

func makeFIFO(string) error { return errors.ErrUnsupported }
