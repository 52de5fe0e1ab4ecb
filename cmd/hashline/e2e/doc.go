// Package e2e proves "hashline mcp" with the agents that people use: each client
// is installed from npm at a fixed version, told of the server by "hashline
// setup", and driven by a scripted model on this machine, without a login and
// without the network. It is a test only:
//
//	HASHLINE_E2E=all go test -count=1 -timeout 30m -v ./cmd/hashline/e2e
//
// HASHLINE_E2E lists clients by the names that setup has, such as "gemini,codex";
// where it is not set nothing is run. It needs Linux or macOS, npm, and the network
// once for each client. Clients go to HASHLINE_E2E_CACHE, by default a folder of
// the user's cache. HASHLINE_E2E_KEEP names a folder for what clients and servers
// said to each other.
package e2e
