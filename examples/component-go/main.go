// The component in Go, through wasmtime's C API: `component-go ebbline.wasm < answers.json`.
//
// Standard input has a session, options, and the answers of the npm package; what was checked is printed.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"
)

type answers struct {
	Text    string `json:"text"`
	Options string `json:"options"`
	Plan    any    `json:"plan"`
	View    []any  `json:"view"`
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	if len(os.Args) != 2 {
		return errors.New("usage: component-go ebbline.wasm < answers.json")
	}
	var expected answers
	given, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(given, &expected); err != nil {
		return err
	}
	var messages []any
	if err := json.Unmarshal([]byte(expected.Text), &messages); err != nil {
		return err
	}
	bytes, err := os.ReadFile(os.Args[1])
	if err != nil {
		return err
	}
	component, err := Load(bytes)
	if err != nil {
		return err
	}
	defer component.Close()
	for _, check := range []func(*Component, answers, []any) error{compact, failures, session, compactor, sweep} {
		if err := check(component, expected, messages); err != nil {
			return err
		}
	}
	fmt.Printf("{\"version\": %q, \"checked\": [\"compact\", \"errors\", \"session\", \"compactor\", \"sweep\"]}\n", Version())
	return nil
}

func compact(component *Component, expected answers, messages []any) error {
	changed, err := component.Call("compact-messages", expected.Text, expected.Options)
	if err != nil {
		return err
	}
	record := changed.(map[string]any)
	var plan any
	var view []any
	if err := json.Unmarshal([]byte(record["plan"].(string)), &plan); err != nil {
		return err
	}
	if err := json.Unmarshal([]byte(record["view"].(string)), &view); err != nil {
		return err
	}
	if !reflect.DeepEqual(plan, expected.Plan) {
		return errors.New("plan: another one")
	}
	for at, entry := range view {
		// A number is the place of a message that stays as the caller has it.
		if index, ok := entry.(float64); ok {
			view[at] = messages[int(index)]
		} else {
			view[at] = entry.(map[string]any)["message"]
		}
	}
	if !reflect.DeepEqual(view, expected.View) {
		return errors.New("view: another one")
	}
	return nil
}

func failures(component *Component, _ answers, _ []any) error {
	_, err := component.Call("plan", `{"a": tru}`, "{}")
	var failure Failure
	if !errors.As(err, &failure) || failure["code"] != "not_json" || failure["place"].(map[string]any)["line"] != uint64(1) {
		return fmt.Errorf("error: %v", err)
	}
	return nil
}

func session(component *Component, expected answers, messages []any) error {
	opened, err := component.Call("[static]session.open", expected.Options)
	if err != nil {
		return err
	}
	session := opened.(*Resource)
	defer component.Drop(session)
	count, err := component.Call("[method]session.push", session, expected.Text)
	if err != nil || count != uint32(len(messages)) {
		return fmt.Errorf("session: %v messages, %v", count, err)
	}
	asking := []Member{{"force", false}, {"known-tokens", None{}}, {"overhead", Some{uint64(0)}}, {"idle", None{}}}
	decision, err := component.Call("[method]session.decide", session, asking)
	if err != nil {
		return err
	}
	wanted := expected.Plan.(map[string]any)["verdict"]
	if strings.ReplaceAll(decision.(map[string]any)["verdict"].(string), "-", "_") != wanted {
		return fmt.Errorf("session: %v, not %v", decision, wanted)
	}
	return nil
}

func compactor(component *Component, expected answers, _ []any) error {
	opened, err := component.Call("[static]compactor.open", expected.Options)
	if err != nil {
		return err
	}
	compactor := opened.(*Resource)
	defer component.Drop(compactor)
	request, err := component.Call("[method]compactor.prepare", compactor, uint32(0), expected.Text, "{}")
	for times := 0; err == nil && request != nil && times < 9; times++ {
		request, err = component.Call("[method]compactor.answer", compactor, "## Goal\nMend the test.", false)
	}
	if err != nil {
		return err
	}
	if _, err := component.Call("[method]compactor.usage", compactor, Some{uint64(900)}, None{}); err != nil {
		return err
	}
	view, err := component.Call("[method]compactor.view", compactor)
	if err != nil || len(view.(string)) < 3 {
		return fmt.Errorf("compactor: %v, %v", view, err)
	}
	return nil
}

func sweep(component *Component, expected answers, _ []any) error {
	opened, err := component.Call("[static]sweep.open", `{"windows": [2000, 4000]}`, "{}")
	if err != nil {
		return err
	}
	sweep := opened.(*Resource)
	defer component.Drop(sweep)
	weighed, err := component.Call("[method]sweep.weigh", sweep, expected.Text)
	if err != nil {
		return err
	}
	var figures []float64
	for _, figure := range weighed.([]any) {
		figures = append(figures, figure.(float64))
	}
	if _, err := component.Call("[method]sweep.add", sweep, figures); err != nil {
		return err
	}
	report, err := component.Call("[method]sweep.report", sweep)
	if err != nil || !strings.Contains(report.(string), `"sessions":1`) {
		return fmt.Errorf("sweep: %v, %v", report, err)
	}
	return nil
}
