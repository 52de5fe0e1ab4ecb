package mcpserver

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/auth"
)

// minToken is how many characters a token has at least; fewer can be guessed.
const minToken = 16

// ParseTokens reads tokens, one a line. Blank lines and lines that begin with # are
// passed over.
func ParseTokens(text string) ([]string, error) {
	var tokens []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
			continue
		case len(line) < minToken:
			return nil, fmt.Errorf("a token has at least %d characters", minToken)
		case strings.ContainsFunc(line, func(r rune) bool { return r <= ' ' || r > '~' }):
			return nil, errors.New("a token consists of visible ASCII characters")
		}
		tokens = append(tokens, line)
	}
	if len(tokens) == 0 {
		return nil, errors.New("there is no token")
	}
	return tokens, nil
}

// verifier knows tokens. How long it takes tells nothing about them. A session
// belongs to the token that began it.
func verifier(tokens []string) auth.TokenVerifier {
	var sums [][sha256.Size]byte
	for _, t := range tokens {
		sums = append(sums, sha256.Sum256([]byte(t)))
	}
	return func(_ context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
		sum, found := sha256.Sum256([]byte(token)), -1
		for i := range sums {
			found = subtle.ConstantTimeSelect(subtle.ConstantTimeCompare(sum[:], sums[i][:]), i, found)
		}
		if found < 0 {
			return nil, auth.ErrInvalidToken
		}
		return &auth.TokenInfo{UserID: "token " + strconv.Itoa(found+1)}, nil
	}
}

// bearer lets requests pass that have one of the tokens.
func bearer(tokens []string, h http.Handler) http.Handler {
	known := auth.RequireBearerToken(verifier(tokens), &auth.RequireBearerTokenOptions{AllowMissingExpiration: true})
	inside := known(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Del("WWW-Authenticate")
		h.ServeHTTP(w, r)
	}))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("WWW-Authenticate", "Bearer")
		inside.ServeHTTP(w, r)
	})
}
