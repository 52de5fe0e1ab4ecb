package fakemodel

import (
	"encoding/json"
	"net/http"
)

// openTool is a tool as OpenAI's interfaces offer it: by its name, within
// "function", or in a namespace that has tools of its own.
type openTool struct {
	Name     string     `json:"name"`
	Function *openTool  `json:"function"`
	Tools    []openTool `json:"tools"`
}

func openTools(namespace string, list []openTool) []tool {
	var all []tool
	for _, t := range list {
		switch {
		case t.Tools != nil:
			all = append(all, openTools(t.Name, t.Tools)...)
		case t.Function != nil:
			all = append(all, tool{namespace, t.Function.Name})
		case t.Name != "":
			all = append(all, tool{namespace, t.Name})
		}
	}
	return all
}

func readResponses(body []byte) (request, error) {
	var b struct {
		Model  string          `json:"model"`
		Stream bool            `json:"stream"`
		Tools  []openTool      `json:"tools"`
		Input  json.RawMessage `json:"input"`
	}
	if err := json.Unmarshal(body, &b); err != nil {
		return request{}, err
	}
	r := request{model: b.Model, stream: b.Stream, tools: openTools("", b.Tools)}
	var items []struct {
		Type   string `json:"type"`
		Output text   `json:"output"`
	}
	if json.Unmarshal(b.Input, &items) != nil {
		return r, nil // a text alone
	}
	for _, it := range items {
		switch it.Type {
		case "function_call_output", "custom_tool_call_output", "mcp_tool_call_output":
			r.results = append(r.results, Result{Text: string(it.Output)})
		}
	}
	return r, nil
}

func writeResponses(w http.ResponseWriter, rep reply, streamed bool) {
	items := []object{}
	for _, c := range rep.calls {
		item := object{"type": "function_call", "id": "fc_" + c.id, "call_id": "call_" + c.id, "name": c.tool.name, "arguments": string(c.args), "status": "completed"}
		if c.tool.namespace != "" {
			item["namespace"] = c.tool.namespace
		}
		items = append(items, item)
	}
	if len(items) == 0 {
		items = append(items, object{
			"type": "message", "id": "msg_" + rep.id, "role": "assistant", "status": "completed",
			"content": []object{{"type": "output_text", "text": rep.text, "annotations": []object{}}},
		})
	}
	resp := object{
		"id": "resp_" + rep.id, "object": "response", "created_at": 0, "model": rep.model, "status": "completed", "output": items,
		"usage": object{
			"input_tokens": 10, "output_tokens": 5, "total_tokens": 15,
			"input_tokens_details": object{"cached_tokens": 0}, "output_tokens_details": object{"reasoning_tokens": 0},
		},
	}
	if !streamed {
		whole(w, resp)
		return
	}
	s := stream(w)
	s.send("response.created", object{"type": "response.created", "response": object{
		"id": resp["id"], "object": "response", "created_at": 0, "model": rep.model, "status": "in_progress", "output": []object{},
	}})
	for i, item := range items {
		s.send("response.output_item.added", object{"type": "response.output_item.added", "output_index": i, "item": item})
		if item["type"] == "message" {
			s.send("response.output_text.delta", object{"type": "response.output_text.delta", "item_id": item["id"], "output_index": i, "content_index": 0, "delta": rep.text})
		}
		s.send("response.output_item.done", object{"type": "response.output_item.done", "output_index": i, "item": item})
	}
	s.send("response.completed", object{"type": "response.completed", "response": resp})
}

func readChat(body []byte) (request, error) {
	var b struct {
		Model    string     `json:"model"`
		Stream   bool       `json:"stream"`
		Tools    []openTool `json:"tools"`
		Messages []struct {
			Role    string `json:"role"`
			Content text   `json:"content"`
		} `json:"messages"`
	}
	if err := json.Unmarshal(body, &b); err != nil {
		return request{}, err
	}
	r := request{model: b.Model, stream: b.Stream, tools: openTools("", b.Tools)}
	for _, msg := range b.Messages {
		if msg.Role == "tool" {
			r.results = append(r.results, Result{Text: string(msg.Content)})
		}
	}
	return r, nil
}

func writeChat(w http.ResponseWriter, rep reply, streamed bool) {
	msg, finish := object{"role": "assistant", "content": rep.text}, "stop"
	if len(rep.calls) > 0 {
		var calls []object
		for i, c := range rep.calls {
			calls = append(calls, object{"index": i, "id": "call_" + c.id, "type": "function", "function": object{"name": c.tool.name, "arguments": string(c.args)}})
		}
		msg, finish = object{"role": "assistant", "content": nil, "tool_calls": calls}, "tool_calls"
	}
	part := func(kind string, choice object) object {
		return object{
			"id": "chatcmpl_" + rep.id, "object": kind, "created": 0, "model": rep.model, "choices": []object{choice},
		}
	}
	usage := object{"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
	if !streamed {
		resp := part("chat.completion", object{"index": 0, "message": msg, "finish_reason": finish})
		resp["usage"] = usage
		whole(w, resp)
		return
	}
	s := stream(w)
	s.send("", part("chat.completion.chunk", object{"index": 0, "delta": msg, "finish_reason": nil}))
	last := part("chat.completion.chunk", object{"index": 0, "delta": object{}, "finish_reason": finish})
	last["usage"] = usage
	s.send("", last)
	s.end()
}
