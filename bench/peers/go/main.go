// The tool of bench/mcp/server.c with the official Go SDK: typed arguments, and a schema with the limits, which the SDK
// applies (defaults and checks) before the handler runs.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type search struct {
	Query    string   `json:"query" jsonschema:"What to look for."`
	Limit    int      `json:"limit,omitempty" jsonschema:"Most results."`
	Score    float64  `json:"score,omitempty" jsonschema:"Least relevance."`
	Archived bool     `json:"archived,omitempty" jsonschema:"Archived notes, too."`
	Level    string   `json:"level,omitempty" jsonschema:"How deep."`
	Tags     []string `json:"tags,omitempty" jsonschema:"Only with these tags."`
}

func schema() *jsonschema.Schema {
	schema, err := jsonschema.For[search](nil)
	if err != nil {
		log.Fatal(err)
	}
	number, count := jsonschema.Ptr[float64], jsonschema.Ptr[int]
	of := schema.Properties
	of["query"].MinLength, of["query"].MaxLength = count(1), count(200)
	of["limit"].Minimum, of["limit"].Maximum, of["limit"].Default = number(1), number(100), json.RawMessage("10")
	of["score"].Minimum, of["score"].Maximum, of["score"].Default = number(0), number(1), json.RawMessage("0.5")
	of["archived"].Default = json.RawMessage("false")
	of["level"].Enum, of["level"].Default = []any{"low", "medium", "high"}, json.RawMessage(`"medium"`)
	of["tags"].Types, of["tags"].Type, of["tags"].MaxItems = nil, "array", count(10)
	of["tags"].Items.MinLength, of["tags"].Items.MaxLength = count(1), count(30)
	return schema
}

func handle(_ context.Context, _ *mcp.CallToolRequest, args search) (*mcp.CallToolResult, any, error) {
	text := fmt.Sprintf("%s: %d results at %s, %d tags.", args.Query, args.Limit, args.Level, len(args.Tags))
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil, nil
}

func addSearch(server *mcp.Server, name string) {
	mcp.AddTool(server, &mcp.Tool{
		Name: name, Description: "Search the notes.", InputSchema: schema(),
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true},
	}, handle)
}

// By BENCH_SHAPE: "tools 100" is a hundred copies of the tool, other shapes are those of grown.go.
func addTools(server *mcp.Server) {
	var what string
	var count int
	if _, err := fmt.Sscan(os.Getenv("BENCH_SHAPE"), &what, &count); err != nil {
		addSearch(server, "search")
		return
	}
	if what != "tools" {
		addGrown(server, what, count)
		return
	}
	for number := range count {
		addSearch(server, fmt.Sprintf("search_%d", number))
	}
}

func main() {
	server := mcp.NewServer(&mcp.Implementation{Name: "bench", Version: "1.0.0"}, nil)
	addTools(server)
	if len(os.Args) < 2 || os.Args[1] != "--http" {
		if err := server.Run(context.Background(), &mcp.StdioTransport{}); err != nil {
			log.Print(err)
		}
		return
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server },
		&mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true})
	fmt.Fprintf(os.Stderr, "listening on http://%s/mcp\n", listener.Addr())
	log.Fatal(http.Serve(listener, handler))
}
