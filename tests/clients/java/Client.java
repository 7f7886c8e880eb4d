/*
 * The official client for Java against the conformance server. It speaks the revisions before 2026-07-28.
 *
 *     Client stdio COMMAND    starts the server, and speaks over its standard streams
 *     Client http URL         speaks to one that listens
 *
 * Prints a line for each case: "ok NAME", or "FAILED NAME: why".
 */
import io.modelcontextprotocol.client.McpAsyncClient;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.client.transport.ServerParameters;
import io.modelcontextprotocol.client.transport.StdioClientTransport;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

public final class Client {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final BlockingQueue<Double> progress = new LinkedBlockingQueue<>();
    private final McpAsyncClient client;

    private interface Case {
        void run() throws Exception;
    }

    private Client(McpClientTransport transport) {
        Map<String, Object> form = Map.of("username", "ada", "email", "ada@example.com");
        client = McpClient.async(transport)
                .requestTimeout(PATIENCE)
                .capabilities(McpSchema.ClientCapabilities.builder().roots(true).elicitation().build())
                .roots(new McpSchema.Root("file:///a", "a")) // of several it keeps no order
                .elicitation(asked -> Mono.just(new McpSchema.ElicitResult(McpSchema.ElicitResult.Action.ACCEPT, form)))
                .progressConsumer(note -> Mono.fromRunnable(() -> progress.add(note.progress())))
                .build();
    }

    private Mono<CallToolResult> begin(String tool, Map<String, Object> arguments) {
        return client.callTool(McpSchema.CallToolRequest.builder(tool).arguments(arguments).progressToken(tool).build());
    }

    /** The envelope of an answer. */
    private Map<?, ?> ask(String tool, Map<String, Object> arguments) {
        return (Map<?, ?>) begin(tool, arguments).block(PATIENCE).structuredContent();
    }

    private void expect(String tool, Map<String, Object> arguments, String want) {
        Map<?, ?> said = ask(tool, arguments);
        same(said.get("data") instanceof Map<?, ?> data ? data.get("text") : said, want);
    }

    private static void same(Object got, Object want) {
        if (!want.equals(got)) {
            throw new AssertionError(got + ", not " + want);
        }
    }

    private void goodCall() {
        expect("test_many_arguments", Map.of("count", 2, "ratio", 0.5, "urgent", true, "color", "red", "name", "abc",
                "day", "2026-07-28"), "abc: 2, 0.5, urgent, red, 2026-07-28");
    }

    /** Six arguments, and all of them wrong: every one is named in the first answer. */
    private void sixFaults() {
        Map<String, Object> wrong = Map.of("count", 11, "ratio", "much", "urgent", "maybe", "color", "black", "name", "a",
                "day", "tomorrow");
        CallToolResult result = begin("test_many_arguments", wrong).block(PATIENCE);
        Map<?, ?> error = (Map<?, ?>) ((Map<?, ?>) result.structuredContent()).get("error");
        same(result.isError(), true);
        same(error.get("code"), "VALIDATION_ERROR");
        same(((Map<?, ?>) ((Map<?, ?>) error.get("details")).get("fieldErrors")).keySet(), wrong.keySet());
    }

    private void structuredContent() {
        same(ask("test_division", Map.of("dividend", 7, "divisor", 2)).get("data"), Map.of("quotient", 3, "remainder", 1));
    }

    private void tellsProgress() throws InterruptedException {
        progress.clear();
        expect("test_tool_with_progress", Map.of(), "Done, in three steps.");
        for (double want : new double[] {0, 50, 100}) {
            same(progress.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS), want);
        }
    }

    private void elicitation() {
        expect("test_elicitation", Map.of("message", "Who?"), "User response: ada <ada@example.com>");
    }

    private void roots() {
        expect("test_input_required_result_list_roots", Map.of(), "1 roots, the first is file:///a");
    }

    /** A call is given up while it runs. This client does not tell the server, which goes on, and answers to nobody. */
    private void cancellation() throws InterruptedException {
        progress.clear();
        Disposable call = begin("slow_compute", Map.of("seconds", 1)).subscribe();
        same(progress.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS), 0.0);
        call.dispose();
        expect("slow_compute", Map.of("seconds", 1.5, "label", "more"), "Computed more for 1.5 seconds.");
    }

    private boolean run() {
        Map<String, Case> cases = new LinkedHashMap<>();
        boolean good = true;

        System.out.println("revision " + client.initialize().block(PATIENCE).protocolVersion());
        cases.put("good call", this::goodCall);
        cases.put("six faults", this::sixFaults);
        cases.put("structured content", this::structuredContent);
        cases.put("progress", this::tellsProgress);
        cases.put("elicitation", this::elicitation);
        cases.put("roots", this::roots);
        cases.put("cancellation", this::cancellation);
        cases.put("after it", this::goodCall);
        for (Map.Entry<String, Case> each : cases.entrySet()) {
            try {
                each.getValue().run();
                System.out.println("ok " + each.getKey());
            } catch (Exception | AssertionError why) {
                System.out.println("FAILED " + each.getKey() + ": " + why);
                good = false;
            }
        }
        client.closeGracefully().block(PATIENCE);
        return good;
    }

    public static void main(String[] words) {
        String where = words[1];
        int path = where.lastIndexOf('/');
        McpClientTransport transport = words[0].equals("http")
                ? HttpClientStreamableHttpTransport.builder(where.substring(0, path)).endpoint(where.substring(path)).build()
                : new StdioClientTransport(ServerParameters.builder(where).args(List.of()).build(), McpJsonDefaults.getMapper());
        boolean good;

        try {
            good = new Client(transport).run();
        } catch (RuntimeException why) {
            System.out.println("FAILED connects: " + why);
            good = false;
        }
        System.exit(good ? 0 : 1);
    }
}
