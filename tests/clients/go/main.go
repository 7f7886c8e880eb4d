// The official client for Go against the conformance server.
//
//	clients stdio COMMAND    starts the server, and speaks over its standard streams
//	clients http URL         speaks to one that listens
//
// A third word is the revision to begin with. Prints a line for each case: "ok NAME", or "FAILED NAME: why".
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const patience = 30 * time.Second

var progress = make(chan float64, 100)

// envelope is what every tool of Tenon answers with.
type envelope struct {
	Status string
	Error  *struct {
		Code    string
		Message string
		Details struct{ FieldErrors map[string][]string }
	}
	Data map[string]any
}

func call(ctx context.Context, session *mcp.ClientSession, tool string, arguments any) (*mcp.CallToolResult, envelope, error) {
	var said envelope
	params := &mcp.CallToolParams{Name: tool, Arguments: arguments}
	params.SetProgressToken(tool)
	result, err := session.CallTool(ctx, params)
	if err != nil {
		return nil, said, err
	}
	text, isText := result.Content[0].(*mcp.TextContent)
	if !isText {
		return nil, said, fmt.Errorf("the first content is %T", result.Content[0])
	}
	return result, said, json.Unmarshal([]byte(text.Text), &said)
}

func text(ctx context.Context, session *mcp.ClientSession, tool string, arguments any) (string, error) {
	_, said, err := call(ctx, session, tool, arguments)
	if err != nil {
		return "", err
	}
	if said.Error != nil {
		return "", errors.New(said.Error.Message)
	}
	return fmt.Sprint(said.Data["text"]), nil
}

func expect(ctx context.Context, session *mcp.ClientSession, tool string, arguments any, want string) error {
	got, err := text(ctx, session, tool, arguments)
	if err == nil && got != want {
		err = fmt.Errorf("%q, not %q", got, want)
	}
	return err
}

func goodCall(ctx context.Context, session *mcp.ClientSession) error {
	return expect(ctx, session, "test_many_arguments", map[string]any{"count": 2, "ratio": 0.5, "urgent": true, "color": "red",
		"name": "abc", "day": "2026-07-28"}, "abc: 2, 0.5, urgent, red, 2026-07-28")
}

// Six arguments, and all of them wrong: every one is named in the first answer.
func sixFaults(ctx context.Context, session *mcp.ClientSession) error {
	wrong := map[string]any{"count": 11, "ratio": "much", "urgent": "maybe", "color": "black", "name": "a", "day": "tomorrow"}
	result, said, err := call(ctx, session, "test_many_arguments", wrong)
	if err != nil {
		return err
	}
	if !result.IsError || said.Error == nil || said.Error.Code != "VALIDATION_ERROR" {
		return fmt.Errorf("no error: %v", said)
	}
	for name := range wrong {
		if len(said.Error.Details.FieldErrors[name]) != 1 {
			return fmt.Errorf("%s is not named: %v", name, said.Error.Details)
		}
	}
	return nil
}

func structuredContent(ctx context.Context, session *mcp.ClientSession) error {
	result, said, err := call(ctx, session, "test_division", map[string]any{"dividend": 7, "divisor": 2})
	if err != nil {
		return err
	}
	data, _ := result.StructuredContent.(map[string]any)
	if session.InitializeResult().ProtocolVersion < "2025-06-18" {
		if data != nil {
			return errors.New("structured content, which this revision does not have")
		}
		data = map[string]any{"data": said.Data}
	}
	got, _ := data["data"].(map[string]any)
	if got["quotient"] != 3.0 || got["remainder"] != 1.0 {
		return fmt.Errorf("structured content is %v", data)
	}
	return nil
}

func tellsProgress(ctx context.Context, session *mcp.ClientSession) error {
	if err := expect(ctx, session, "test_tool_with_progress", nil, "Done, in three steps."); err != nil {
		return err
	}
	for _, want := range []float64{0, 50, 100} {
		select {
		case got := <-progress:
			if got != want {
				return fmt.Errorf("progress is %v, not %v", got, want)
			}
		case <-time.After(patience):
			return fmt.Errorf("progress %v did not come", want)
		}
	}
	return nil
}

func fillsForm(ctx context.Context, session *mcp.ClientSession) error {
	return expect(ctx, session, "test_elicitation", map[string]any{"message": "Who?"}, "User response: ada <ada@example.com>")
}

func listsRoots(ctx context.Context, session *mcp.ClientSession) error {
	return expect(ctx, session, "test_input_required_result_list_roots", nil, "2 roots, the first is file:///a")
}

// A call is cancelled while it runs; its handler sees that, and the connection goes on.
func cancels(ctx context.Context, session *mcp.ClientSession) error {
	before, err := text(ctx, session, "test_cancelled_calls", nil)
	if err != nil {
		return err
	}
	running, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() {
		_, err := text(running, session, "slow_compute", map[string]any{"seconds": 60})
		ended <- err
	}()
	select {
	case <-progress: // it has begun
	case err := <-ended:
		stop()
		return fmt.Errorf("it ended by itself: %v", err)
	}
	stop()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		return fmt.Errorf("it ended with %v", err)
	}
	for end := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		now, err := text(ctx, session, "test_cancelled_calls", nil)
		if err != nil {
			return fmt.Errorf("after the cancellation: %w", err)
		}
		if now != before {
			return nil
		}
		if time.Now().After(end) {
			return errors.New("the handler did not see that it was cancelled")
		}
	}
}

func transport(kind, where string) mcp.Transport {
	if kind == "http" {
		return &mcp.StreamableClientTransport{Endpoint: where}
	}
	return &mcp.CommandTransport{Command: exec.Command(where)}
}

func run(kind, where, revision string) bool {
	client := mcp.NewClient(&mcp.Implementation{Name: "tenon-tests", Version: "1.0.0"}, &mcp.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, note *mcp.ProgressNotificationClientRequest) {
			progress <- note.Params.Progress
		},
		ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"username": "ada", "email": "ada@example.com"}}, nil
		},
	})
	client.AddRoots(&mcp.Root{URI: "file:///a", Name: "a"}, &mcp.Root{URI: "file:///b", Name: "b"})
	ctx, stop := context.WithTimeout(context.Background(), 2*patience)
	defer stop()
	session, err := client.Connect(ctx, transport(kind, where), &mcp.ClientSessionOptions{ProtocolVersion: revision})
	if err != nil {
		fmt.Printf("FAILED connects: %v\n", err)
		return false
	}
	fmt.Printf("revision %s\n", session.InitializeResult().ProtocolVersion)
	cases := []struct {
		name string
		try  func(context.Context, *mcp.ClientSession) error
	}{
		{"good call", goodCall}, {"six faults", sixFaults}, {"structured content", structuredContent},
		{"progress", tellsProgress}, {"elicitation", fillsForm}, {"roots", listsRoots},
		{"cancellation", cancels}, {"after it", goodCall},
	}
	good := true
	for _, each := range cases {
		if err := each.try(ctx, session); err != nil {
			fmt.Printf("FAILED %s: %v\n", each.name, err)
			good = false
		} else {
			fmt.Printf("ok %s\n", each.name)
		}
	}
	if err := session.Close(); err != nil {
		fmt.Printf("FAILED closes: %v\n", err)
		good = false
	}
	return good
}

func main() {
	revision := ""
	if len(os.Args) > 3 {
		revision = os.Args[3]
	}
	if !run(os.Args[1], os.Args[2], revision) {
		os.Exit(1)
	}
}
