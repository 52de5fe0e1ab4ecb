package mcpserver

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The conformance suites call tools, prompts and resources by names that they
// know. This is a server that has them; it stands behind our guards, so that the
// suites test those. The names and what is answered are the suites'.

type fixture = func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error)

func fixtureServer(t *testing.T) *Server {
	t.Helper()
	s := newServer(t, Config{})
	s.mcp = mcp.NewServer(&mcp.Implementation{Name: "fixtures", Version: "1"}, &mcp.ServerOptions{
		CompletionHandler: func(context.Context, *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
			return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: []string{}}}, nil
		},
		SubscribeHandler:   func(context.Context, *mcp.SubscribeRequest) error { return nil },
		UnsubscribeHandler: func(context.Context, *mcp.UnsubscribeRequest) error { return nil },
	})
	s.mcp.AddReceivingMiddleware(s.recovering)
	for name, h := range plainFixtures() {
		addFixture(s.mcp, name, "", h)
	}
	for name, h := range askingFixtures() {
		addFixture(s.mcp, name, "", h)
	}
	for name, h := range roundTripFixtures() {
		addFixture(s.mcp, name, "", h)
	}
	addFixture(s.mcp, "json_schema_2020_12_tool", schemaOf2020, says("called"))
	addFixture(s.mcp, "test_x_mcp_header", `{"type": "object", "properties": {
		"region": {"type": "string", "x-mcp-header": "Region"}, "level": {"type": "integer"}}}`, says("a region"))
	addFixture(s.mcp, "test_trigger_tool_change", "", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		addFixture(s.mcp, "another_tool", "", says("here"))
		return text("changed"), nil
	})
	addFixture(s.mcp, "test_trigger_prompt_change", "", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		s.mcp.AddPrompt(&mcp.Prompt{Name: "another_prompt", Description: "A fixture."}, prompts(&mcp.TextContent{Text: "here"}))
		return text("changed"), nil
	})
	addFixtureResources(t, s.mcp)
	addFixturePrompts(s.mcp)
	return s
}

const schemaOf2020 = `{"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object",
	"$defs": {"address": {"$anchor": "addressDef", "type": "object",
		"properties": {"street": {"type": "string"}, "city": {"type": "string"}}}},
	"properties": {"name": {"type": "string"}, "address": {"$ref": "#/$defs/address"},
		"contactMethod": {"type": "string", "enum": ["phone", "email"]}, "phone": {"type": "string"}, "email": {"type": "string"}},
	"allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
	"if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
	"then": {"required": ["phone"]}, "else": {"required": ["email"]}, "additionalProperties": false}`

func addFixture(s *mcp.Server, name, schema string, h fixture) {
	if schema == "" {
		schema = `{"type": "object"}`
	}
	s.AddTool(&mcp.Tool{Name: name, Description: "A fixture of the conformance suites.", InputSchema: json.RawMessage(schema)},
		func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return h(ctx, req) })
}

func text(format string, v ...any) *mcp.CallToolResult {
	return content(&mcp.TextContent{Text: fmt.Sprintf(format, v...)})
}

func content(c ...mcp.Content) *mcp.CallToolResult { return &mcp.CallToolResult{Content: c} }

func says(what string) fixture { return gives(&mcp.TextContent{Text: what}) }

func gives(c ...mcp.Content) fixture {
	return func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return content(c...), nil }
}

// A red point, and no sound.
func onePixel() []byte {
	return unbase64("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==")
}

func silence() []byte {
	return unbase64("UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=")
}

func unbase64(s string) []byte {
	data, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		panic(err)
	}
	return data
}

func plainFixtures() map[string]fixture {
	image := &mcp.ImageContent{Data: onePixel(), MIMEType: "image/png"}
	resource := func(uri string) *mcp.EmbeddedResource {
		return &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: uri, MIMEType: "text/plain", Text: "a resource"}}
	}
	return map[string]fixture{
		"test_simple_text":            says("This is a simple text response for testing."),
		"test_image_content":          gives(image),
		"test_audio_content":          gives(&mcp.AudioContent{Data: silence(), MIMEType: "audio/wav"}),
		"test_embedded_resource":      gives(resource("test://embedded-resource")),
		"test_multiple_content_types": gives(&mcp.TextContent{Text: "a text"}, image, resource("test://mixed-content-resource")),
		"test_streaming_elicitation":  says("no request comes before this"),
		"test_error_handling": func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			res := text("This tool intentionally returns an error for testing")
			res.IsError = true
			return res, nil
		},
		"test_tool_with_logging": logs("Tool execution started", "Tool processing data", "Tool execution completed"),
		"test_logging_tool":      logs("one message"),
		"test_tool_with_progress": func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			for _, n := range []float64{0, 50, 100} {
				err := req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: req.Params.GetProgressToken(), Progress: n, Total: 100})
				if err != nil {
					return nil, err
				}
			}
			return text("%v", req.Params.GetProgressToken()), nil
		},
		"test_reconnection": func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if req.Extra != nil && req.Extra.CloseSSEStream != nil {
				req.Extra.CloseSSEStream(mcp.CloseSSEStreamArgs{RetryAfter: 10 * time.Millisecond})
			}
			time.Sleep(100 * time.Millisecond)
			return text("again"), nil
		},
		"test_missing_capability": func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if caps := req.ClientCapabilities(); caps != nil && caps.Sampling != nil {
				return text("it can sample"), nil
			}
			data, err := json.Marshal(mcp.MissingRequiredClientCapabilityData{RequiredCapabilities: &mcp.ClientCapabilities{Sampling: &mcp.SamplingCapabilities{}}})
			if err != nil {
				return nil, err
			}
			return nil, &jsonrpc.Error{Code: mcp.CodeMissingRequiredClientCapabilities, Message: "it cannot sample", Data: data}
		},
	}
}

func logs(messages ...string) fixture {
	return func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		for _, m := range messages {
			if err := req.Session.Log(ctx, &mcp.LoggingMessageParams{Level: "info", Data: m}); err != nil {
				return nil, err
			}
			time.Sleep(10 * time.Millisecond)
		}
		return text("logged"), nil
	}
}

func addFixtureResources(t *testing.T, s *mcp.Server) {
	t.Helper()
	read := func(mime, body string, blob []byte) mcp.ResourceHandler {
		return func(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			uri := req.Params.URI
			id := strings.TrimSuffix(strings.TrimPrefix(uri, "test://template/"), "/data")
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{
				URI: uri, MIMEType: mime, Text: strings.ReplaceAll(body, "ID", id), Blob: blob,
			}}}, nil
		}
	}
	const watched = "test://watched-resource"
	s.AddResource(&mcp.Resource{Name: "text", MIMEType: "text/plain", URI: "test://static-text"}, read("text/plain", "This is the content of the static text resource.", nil))
	s.AddResource(&mcp.Resource{Name: "binary", MIMEType: "image/png", URI: "test://static-binary"}, read("image/png", "", onePixel()))
	s.AddResource(&mcp.Resource{Name: "watched", MIMEType: "text/plain", URI: watched}, read("text/plain", "watched", nil))
	s.AddResourceTemplate(&mcp.ResourceTemplate{Name: "template", MIMEType: "application/json", URITemplate: "test://template/{id}/data"},
		read("application/json", `{"id": "ID", "templateTest": true, "data": "Data for ID: ID"}`, nil))
	done := make(chan struct{})
	t.Cleanup(func() { close(done) })
	go func() {
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				_ = s.ResourceUpdated(context.Background(), &mcp.ResourceUpdatedNotificationParams{URI: watched})
			}
		}
	}()
}

func prompts(c ...mcp.Content) mcp.PromptHandler {
	return func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		res := new(mcp.GetPromptResult)
		for _, c := range c {
			if e, ok := c.(*mcp.EmbeddedResource); ok {
				e.Resource.URI = req.Params.Arguments["resourceUri"]
			}
			if e, ok := c.(*mcp.TextContent); ok {
				e.Text = strings.NewReplacer("ARG1", req.Params.Arguments["arg1"], "ARG2", req.Params.Arguments["arg2"]).Replace(e.Text)
			}
			res.Messages = append(res.Messages, &mcp.PromptMessage{Role: "user", Content: c})
		}
		return res, nil
	}
}

func addFixturePrompts(s *mcp.Server) {
	arg := func(name string) *mcp.PromptArgument {
		return &mcp.PromptArgument{Name: name, Description: "an argument", Required: true}
	}
	s.AddPrompt(&mcp.Prompt{Name: "test_simple_prompt", Description: "A fixture."}, prompts(&mcp.TextContent{Text: "This is a simple prompt for testing."}))
	s.AddPrompt(&mcp.Prompt{Name: "test_prompt_with_arguments", Description: "A fixture.", Arguments: []*mcp.PromptArgument{arg("arg1"), arg("arg2")}},
		prompts(&mcp.TextContent{Text: "Prompt with arguments: arg1='ARG1', arg2='ARG2'"}))
	s.AddPrompt(&mcp.Prompt{Name: "test_prompt_with_embedded_resource", Description: "A fixture.", Arguments: []*mcp.PromptArgument{arg("resourceUri")}},
		prompts(&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{MIMEType: "text/plain", Text: "a resource"}}, &mcp.TextContent{Text: "Look at this."}))
	s.AddPrompt(&mcp.Prompt{Name: "test_prompt_with_image", Description: "A fixture."},
		prompts(&mcp.ImageContent{Data: onePixel(), MIMEType: "image/png"}, &mcp.TextContent{Text: "Look at this."}))
	s.AddPrompt(&mcp.Prompt{Name: "test_input_required_result_prompt", Description: "A fixture."},
		func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			if given := accepted(req.Params.InputResponses, "user_context"); given != nil {
				return prompts(&mcp.TextContent{Text: fmt.Sprint("Context: ", given["context"])})(context.Background(), req)
			}
			return &mcp.GetPromptResult{InputRequests: mcp.InputRequestMap{"user_context": elicit("Which context?", "context")}}, nil
		})
}
