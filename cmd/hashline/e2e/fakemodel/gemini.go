package fakemodel

import (
	"encoding/json"
	"net/http"
)

func readGemini(body []byte) (request, error) {
	var b struct {
		Tools []struct {
			FunctionDeclarations []struct {
				Name string `json:"name"`
			} `json:"functionDeclarations"`
		} `json:"tools"`
		Contents []struct {
			Parts []struct {
				FunctionResponse *struct {
					Response json.RawMessage `json:"response"`
				} `json:"functionResponse"`
			} `json:"parts"`
		} `json:"contents"`
	}
	if err := json.Unmarshal(body, &b); err != nil {
		return request{}, err
	}
	var r request
	for _, t := range b.Tools {
		for _, f := range t.FunctionDeclarations {
			r.tools = append(r.tools, tool{name: f.Name})
		}
	}
	for _, c := range b.Contents {
		for _, p := range c.Parts {
			if p.FunctionResponse != nil {
				r.results = append(r.results, geminiResult(p.FunctionResponse.Response))
			}
		}
	}
	return r, nil
}

// geminiResult reads an object with one member, "output" or "error", that is a
// text. All else is given as JSON.
func geminiResult(response json.RawMessage) Result {
	var members map[string]json.RawMessage
	if json.Unmarshal(response, &members) == nil && len(members) == 1 {
		var s string
		if json.Unmarshal(members["output"], &s) == nil {
			return Result{Text: s}
		}
		if json.Unmarshal(members["error"], &s) == nil {
			return Result{Text: s, Error: true}
		}
	}
	return Result{Text: string(response)}
}

func writeGemini(w http.ResponseWriter, rep reply, _ bool) { whole(w, geminiAnswer(rep)) }

func streamGemini(w http.ResponseWriter, rep reply, _ bool) { stream(w).send("", geminiAnswer(rep)) }

func geminiAnswer(rep reply) object {
	var parts []object
	for _, c := range rep.calls {
		parts = append(parts, object{"functionCall": object{"id": "call_" + c.id, "name": c.tool.name, "args": c.args}})
	}
	if len(parts) == 0 {
		parts = append(parts, object{"text": rep.text})
	}
	return object{
		"candidates":    []object{{"index": 0, "content": object{"role": "model", "parts": parts}, "finishReason": "STOP"}},
		"usageMetadata": object{"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15},
	}
}
