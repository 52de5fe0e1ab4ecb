package history

import (
	"os"
	"testing"

	"github.com/hashline-go/hashline/hashline/hashlinetest"
)

func TestMain(m *testing.M) { os.Exit(hashlinetest.InMemory(m)) }
