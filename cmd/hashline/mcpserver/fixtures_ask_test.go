package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// askingFixtures ask the client by requests of their own.
func askingFixtures() map[string]fixture {
	return map[string]fixture{
		"test_sampling": func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			res, err := req.Session.CreateMessage(ctx, sampling(argument(req, "prompt")))
			if err != nil {
				return nil, err
			}
			said, _ := res.Content.(*mcp.TextContent)
			return text("LLM response: %s", said.Text), nil
		},
		"test_elicitation": func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return elicited(ctx, req, elicit(argument(req, "message"), "username"))
		},
		"test_elicitation_sep1034_defaults": func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return elicited(ctx, req, &mcp.ElicitParams{Message: "With defaults?", RequestedSchema: json.RawMessage(`{"type": "object", "properties": {
				"name": {"type": "string", "default": "John Doe"}, "age": {"type": "integer", "default": 30},
				"score": {"type": "number", "default": 95.5}, "verified": {"type": "boolean", "default": true},
				"status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"}}}`)})
		},
		"test_elicitation_sep1330_enums": func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return elicited(ctx, req, &mcp.ElicitParams{Message: "Which ones?", RequestedSchema: json.RawMessage(`{"type": "object", "properties": {
				"untitledSingle": {"type": "string", "enum": ["option1", "option2", "option3"]},
				"titledSingle": {"type": "string", "oneOf": [{"const": "value1", "title": "First Option"}, {"const": "value2", "title": "Second Option"}, {"const": "value3", "title": "Third Option"}]},
				"legacyEnum": {"type": "string", "enum": ["opt1", "opt2", "opt3"], "enumNames": ["Option One", "Option Two", "Option Three"]},
				"untitledMulti": {"type": "array", "minItems": 1, "maxItems": 3, "items": {"type": "string", "enum": ["option1", "option2", "option3"]}},
				"titledMulti": {"type": "array", "minItems": 1, "maxItems": 3, "items": {"anyOf": [{"const": "value1", "title": "First Choice"}, {"const": "value2", "title": "Second Choice"}, {"const": "value3", "title": "Third Choice"}]}}}}`)})
		},
	}
}

func argument(req *mcp.CallToolRequest, name string) string {
	var args map[string]any
	_ = json.Unmarshal(req.Params.Arguments, &args)
	return fmt.Sprint(args[name])
}

func sampling(prompt string) *mcp.CreateMessageParams {
	return &mcp.CreateMessageParams{MaxTokens: 100, Messages: []*mcp.SamplingMessage{{Role: "user", Content: &mcp.TextContent{Text: prompt}}}}
}

func elicit(message, field string) *mcp.ElicitParams {
	return &mcp.ElicitParams{Message: message, RequestedSchema: json.RawMessage(
		fmt.Sprintf(`{"type": "object", "properties": {%q: {"type": "string"}}, "required": [%[1]q]}`, field))}
}

func elicited(ctx context.Context, req *mcp.CallToolRequest, ask *mcp.ElicitParams) (*mcp.CallToolResult, error) {
	res, err := req.Session.Elicit(ctx, ask)
	if err != nil {
		return nil, err
	}
	given, err := json.Marshal(res.Content)
	return text("User response: action=%s, content=%s", res.Action, given), err
}

// accepted gives what a user answered, nil where there is no answer.
func accepted(all mcp.InputResponseMap, name string) map[string]any {
	res, ok := all[name].(*mcp.ElicitResult)
	if !ok || res == nil || res.Action != "accept" {
		return nil
	}
	return res.Content
}

func sampled(all mcp.InputResponseMap, name string) (string, bool) {
	res, ok := all[name].(*mcp.CreateMessageWithToolsResult)
	if !ok || len(res.Content) == 0 {
		return "", false
	}
	said, ok := res.Content[0].(*mcp.TextContent)
	return said.Text, ok
}

func asks(state string, requests mcp.InputRequestMap) (*mcp.CallToolResult, error) {
	return &mcp.CallToolResult{RequestState: state, InputRequests: requests}, nil
}

// roundTripFixtures ask by way of a result.
func roundTripFixtures() map[string]fixture {
	roots := func(all mcp.InputResponseMap) (*mcp.ListRootsResult, bool) {
		res, ok := all["client_roots"].(*mcp.ListRootsResult)
		return res, ok
	}
	confirm := func(state string) fixture {
		return func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if accepted(req.Params.InputResponses, "confirm") == nil {
				return asks(state, mcp.InputRequestMap{"confirm": elicit("Really?", "ok")})
			}
			if req.Params.RequestState != state {
				return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "the state is not ours"}
			}
			return text("state-ok"), nil
		}
	}
	return map[string]fixture{
		"test_input_required_result_elicitation": func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if name, _ := accepted(req.Params.InputResponses, "user_name")["name"].(string); name != "" {
				return text("Hello, %s!", name), nil
			}
			return asks("", mcp.InputRequestMap{"user_name": elicit("What is your name?", "name")})
		},
		"test_input_required_result_sampling": func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if said, ok := sampled(req.Params.InputResponses, "capital_question"); ok {
				return text("%s", said), nil
			}
			return asks("", mcp.InputRequestMap{"capital_question": sampling("What is the capital of France?")})
		},
		"test_input_required_result_list_roots": func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if res, ok := roots(req.Params.InputResponses); ok {
				return text("%d roots", len(res.Roots)), nil
			}
			return asks("", mcp.InputRequestMap{"client_roots": &mcp.ListRootsParams{}})
		},
		"test_input_required_result_request_state":  confirm("a state"),
		"test_input_required_result_tampered_state": confirm("a state to be tampered with"),
		"test_input_required_result_multiple_inputs": func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			all := req.Params.InputResponses
			name, _ := accepted(all, "user_name")["name"].(string)
			greeting, greeted := sampled(all, "greeting")
			if res, ok := roots(all); ok && greeted && name != "" {
				return text("%s %s, %d roots", greeting, name, len(res.Roots)), nil
			}
			return asks("all at once", mcp.InputRequestMap{"user_name": elicit("What is your name?", "name"), "greeting": sampling("Greet."), "client_roots": &mcp.ListRootsParams{}})
		},
		"test_input_required_result_multi_round": func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			name, second := strings.CutPrefix(req.Params.RequestState, "second round of ")
			switch {
			case second:
				return text("%s likes %v", name, accepted(req.Params.InputResponses, "step2")["color"]), nil
			case req.Params.RequestState == "first round":
				return asks(fmt.Sprint("second round of ", accepted(req.Params.InputResponses, "step1")["name"]), mcp.InputRequestMap{"step2": elicit("Which color?", "color")})
			}
			return asks("first round", mcp.InputRequestMap{"step1": elicit("What is your name?", "name")})
		},
		"test_input_required_result_capabilities": func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			ask, caps := mcp.InputRequestMap{}, req.ClientCapabilities()
			if caps.Elicitation != nil {
				ask["user_name"] = elicit("What is your name?", "name")
			}
			if caps.Sampling != nil {
				ask["greeting"] = sampling("Greet.")
			}
			if caps.RootsV2 != nil {
				ask["client_roots"] = &mcp.ListRootsParams{}
			}
			if len(req.Params.InputResponses) > 0 || len(ask) == 0 {
				return text("enough"), nil
			}
			return asks("", ask)
		},
	}
}
