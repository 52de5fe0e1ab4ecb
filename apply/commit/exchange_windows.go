package commit

import (
	"errors"
	"os"
)

func exchangeNames(*os.File, string, string) error { return errors.ErrUnsupported }

func cannotExchange(err error) bool { return errors.Is(err, errors.ErrUnsupported) }
