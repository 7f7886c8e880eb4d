package main

import (
	"context"
	"fmt"
	"log"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The tools of the cost curves: integers from 0 to 1000, a list, a text.

type (
	integers1 struct{ P0 int }
	integers6 struct {
		integers1
		P1, P2, P3, P4, P5 int
	}
	integers20 struct {
		integers6
		P6, P7, P8, P9, P10, P11, P12, P13, P14, P15, P16, P17, P18, P19 int
	}
	integers50 struct {
		integers20
		P20, P21, P22, P23, P24, P25, P26, P27, P28, P29, P30, P31, P32, P33, P34 int
		P35, P36, P37, P38, P39, P40, P41, P42, P43, P44, P45, P46, P47, P48, P49 int
	}
	items struct {
		Items []string `json:"items" jsonschema:"Some texts."`
	}
	text struct {
		Text string `json:"text" jsonschema:"A text."`
	}
)

func (p *integers1) sum() int { return p.P0 }
func (p *integers6) sum() int { return p.integers1.sum() + p.P1 + p.P2 + p.P3 + p.P4 + p.P5 }
func (p *integers20) sum() int {
	return p.integers6.sum() + p.P6 + p.P7 + p.P8 + p.P9 + p.P10 + p.P11 + p.P12 + p.P13 + p.P14 + p.P15 + p.P16 + p.P17 +
		p.P18 + p.P19
}
func (p *integers50) sum() int {
	return p.integers20.sum() + p.P20 + p.P21 + p.P22 + p.P23 + p.P24 + p.P25 + p.P26 + p.P27 + p.P28 + p.P29 + p.P30 + p.P31 +
		p.P32 + p.P33 + p.P34 + p.P35 + p.P36 + p.P37 + p.P38 + p.P39 + p.P40 + p.P41 + p.P42 + p.P43 + p.P44 + p.P45 + p.P46 +
		p.P47 + p.P48 + p.P49
}

func (p *items) say() string { return fmt.Sprintf("%d items.", len(p.Items)) }
func (p *text) say() string  { return fmt.Sprintf("%d bytes.", len(p.Text)) }

// Adds a tool whose arguments are a T, and which answers what `say` makes of them.
func add[T any](server *mcp.Server, say func(*T) string) {
	schema, err := jsonschema.For[T](nil)
	if err != nil {
		log.Fatal(err)
	}
	for name, of := range schema.Properties {
		switch name {
		case "items":
			of.Types, of.Type = nil, "array"
			of.MaxItems, of.Items.MinLength, of.Items.MaxLength = jsonschema.Ptr(10000), jsonschema.Ptr(1), jsonschema.Ptr(64)
		case "text":
			of.MinLength, of.MaxLength = jsonschema.Ptr(1), jsonschema.Ptr(1048576)
		default:
			of.Description, of.Minimum, of.Maximum = "A number.", jsonschema.Ptr(0.0), jsonschema.Ptr(1000.0)
		}
	}
	mcp.AddTool(server, &mcp.Tool{Name: "grown", Description: "Grows.", InputSchema: schema},
		func(_ context.Context, _ *mcp.CallToolRequest, args T) (*mcp.CallToolResult, any, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: say(&args)}}}, nil, nil
		})
}

func sum[T any, P interface {
	*T
	sum() int
}](args *T) string {
	return fmt.Sprintf("sum %d.", P(args).sum())
}

func addGrown(server *mcp.Server, what string, count int) {
	switch {
	case what == "items":
		add(server, (*items).say)
	case what == "text":
		add(server, (*text).say)
	case what == "params" && count == 1:
		add(server, sum[integers1])
	case what == "params" && count == 6:
		add(server, sum[integers6])
	case what == "params" && count == 20:
		add(server, sum[integers20])
	case what == "params" && count == 50:
		add(server, sum[integers50])
	default:
		log.Fatalf("there is no shape %s %d", what, count)
	}
}
