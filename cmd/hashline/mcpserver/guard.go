package mcpserver

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
)

// guard keeps web pages out. A page that a browser has open can send requests to
// this machine, under a name of its own that it lets point here: then Host is that
// name, or Origin another than Host.
func guard(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
		switch {
		case (!ok || isLoopback(local)) && !loopbackHost(r.Host):
			http.Error(w, "Forbidden: Host is not the name of this machine", http.StatusForbidden)
		case !sameOrigin(r):
			http.Error(w, "Forbidden: the request comes from a web page of another origin", http.StatusForbidden)
		default:
			h.ServeHTTP(w, r)
		}
	})
}

// loopbackHost reports whether a Host names this machine for itself.
func loopbackHost(hostport string) bool {
	host := hostport
	if h, _, err := net.SplitHostPort(hostport); err == nil {
		host = h
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback()
}

// sameOrigin reports whether a request comes from no web page, or from one of
// this very server.
func sameOrigin(r *http.Request) bool {
	for _, origin := range r.Header.Values("Origin") {
		u, err := url.Parse(origin)
		if err != nil || u.Host == "" || !strings.EqualFold(u.Host, r.Host) {
			return false
		}
	}
	return true
}
