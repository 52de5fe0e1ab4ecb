package fakemodel

import (
	"encoding/json"
	"maps"
	"net/http"
)

func readMessages(body []byte) (request, error) {
	var b struct {
		Model  string `json:"model"`
		Stream bool   `json:"stream"`
		Tools  []struct {
			Name string `json:"name"`
		} `json:"tools"`
		Messages []struct {
			Content json.RawMessage `json:"content"`
		} `json:"messages"`
	}
	if err := json.Unmarshal(body, &b); err != nil {
		return request{}, err
	}
	r := request{model: b.Model, stream: b.Stream}
	for _, t := range b.Tools {
		r.tools = append(r.tools, tool{name: t.Name})
	}
	for _, msg := range b.Messages {
		var blocks []struct {
			Type    string `json:"type"`
			Content text   `json:"content"`
			IsError bool   `json:"is_error"`
		}
		if json.Unmarshal(msg.Content, &blocks) != nil {
			continue // a text alone
		}
		for _, block := range blocks {
			if block.Type == "tool_result" {
				r.results = append(r.results, Result{Text: string(block.Content), Error: block.IsError})
			}
		}
	}
	return r, nil
}

func writeMessages(w http.ResponseWriter, rep reply, streamed bool) {
	stop, blocks := "end_turn", []object{{"type": "text", "text": rep.text}}
	if len(rep.calls) > 0 {
		stop, blocks = "tool_use", nil
		for _, c := range rep.calls {
			blocks = append(blocks, object{"type": "tool_use", "id": "toolu_" + c.id, "name": c.tool.name, "input": c.args})
		}
	}
	msg := object{
		"id": "msg_" + rep.id, "type": "message", "role": "assistant", "model": rep.model, "content": blocks,
		"stop_reason": stop, "stop_sequence": nil, "usage": object{"input_tokens": 10, "output_tokens": 5},
	}
	if !streamed {
		whole(w, msg)
		return
	}
	s := stream(w)
	start := maps.Clone(msg)
	start["content"], start["stop_reason"] = []object{}, nil
	s.send("message_start", object{"type": "message_start", "message": start})
	for i, block := range blocks {
		// A block begins empty, and what it holds comes as a piece.
		empty, piece := object{"type": "text", "text": ""}, object{"type": "text_delta", "text": rep.text}
		if len(rep.calls) > 0 {
			empty = object{"type": "tool_use", "id": block["id"], "name": block["name"], "input": object{}}
			piece = object{"type": "input_json_delta", "partial_json": string(rep.calls[i].args)}
		}
		s.send("content_block_start", object{"type": "content_block_start", "index": i, "content_block": empty})
		s.send("content_block_delta", object{"type": "content_block_delta", "index": i, "delta": piece})
		s.send("content_block_stop", object{"type": "content_block_stop", "index": i})
	}
	s.send("message_delta", object{"type": "message_delta", "delta": object{"stop_reason": stop, "stop_sequence": nil}, "usage": object{"output_tokens": 5}})
	s.send("message_stop", object{"type": "message_stop"})
}
