//! The tool of bench/mcp/server.c with the official Rust SDK. serde and schemars declare it; the limits, which the SDK
//! advertises but does not enforce, are checked by hand as its users do, all of them before it answers.
use rmcp::{
    handler::server::{
        router::tool::{ToolRoute, ToolRouter},
        wrapper::Parameters,
    },
    schemars::{self, JsonSchema},
    tool, tool_handler, tool_router,
    transport::{
        stdio_pipes,
        streamable_http_server::{session::local::LocalSessionManager, StreamableHttpServerConfig, StreamableHttpService},
    },
    ServerHandler, ServiceExt,
};
use serde::Deserialize;

mod grown;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Level {
    Low,
    Medium,
    High,
}

fn ten() -> i64 {
    10
}

fn half() -> f64 {
    0.5
}

fn medium() -> Level {
    Level::Medium
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code)]
struct Search {
    /// What to look for.
    #[schemars(length(min = 1, max = 200))]
    query: String,
    /// Most results.
    #[serde(default = "ten")]
    #[schemars(range(min = 1, max = 100))]
    limit: i64,
    /// Least relevance.
    #[serde(default = "half")]
    #[schemars(range(min = 0, max = 1))]
    score: f64,
    /// Archived notes, too.
    #[serde(default)]
    archived: bool,
    /// How deep.
    #[serde(default = "medium")]
    level: Level,
    /// Only with these tags.
    #[serde(default)]
    #[schemars(length(max = 10), inner(length(min = 1, max = 30)))]
    tags: Vec<String>,
}

fn within(text: &str, least: usize, most: usize) -> bool {
    (least..=most).contains(&text.chars().count())
}

impl Search {
    /// Everything that is wrong, in one go.
    fn check(&self) -> Result<(), String> {
        let checks = [
            (within(&self.query, 1, 200), "query must have 1 to 200 characters"),
            ((1..=100).contains(&self.limit), "limit must be between 1 and 100"),
            ((0.0..=1.0).contains(&self.score), "score must be between 0 and 1"),
            (self.tags.len() <= 10 && self.tags.iter().all(|tag| within(tag, 1, 30)), "tags must be at most 10 of 1 to 30 characters"),
        ];
        let wrong: Vec<&str> = checks.iter().filter(|(good, _)| !good).map(|(_, words)| *words).collect();
        if wrong.is_empty() {
            Ok(())
        } else {
            Err(wrong.join("; "))
        }
    }
}

#[derive(Clone)]
struct Peer {
    tool_router: ToolRouter<Self>,
}

#[tool_router]
impl Peer {
    /// By BENCH_SHAPE: "tools 100" is a hundred copies of the tool, other shapes are those of grown.rs.
    fn new() -> Self {
        let shape = std::env::var("BENCH_SHAPE").unwrap_or_default();
        let tool_router = match shape.split_once(' ').map(|(what, count)| (what, count.parse().unwrap())) {
            None => Self::tool_router(),
            Some(("tools", count)) => Self::copies(count),
            Some((what, count)) => grown::router(what, count),
        };
        Self { tool_router }
    }

    fn copies(count: usize) -> ToolRouter<Self> {
        let mut router = ToolRouter::new();
        for number in 0..count {
            let mut tool = Self::search_tool_attr();
            tool.name = format!("search_{number}").into();
            router.add_route(ToolRoute::new(tool, Self::search));
        }
        router
    }

    #[tool(description = "Search the notes.", annotations(read_only_hint = true))]
    async fn search(&self, Parameters(args): Parameters<Search>) -> Result<String, String> {
        args.check()?;
        let level = match args.level {
            Level::Low => "low",
            Level::Medium => "medium",
            Level::High => "high",
        };
        Ok(format!("{}: {} results at {}, {} tags.", args.query, args.limit, level, args.tags.len()))
    }
}

#[tool_handler(router = self.tool_router)]
impl ServerHandler for Peer {}

// A server gets one core here; on one, this is a little faster than a pool of threads.
#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    if std::env::args().nth(1).as_deref() != Some("--http") {
        Peer::new().serve(stdio_pipes()).await?.waiting().await?;
        return Ok(());
    }
    let peer = Peer::new();
    let service = StreamableHttpService::new(
        move || Ok(peer.clone()),
        std::sync::Arc::new(LocalSessionManager::default()),
        StreamableHttpServerConfig::default().with_legacy_session_mode(false).with_json_response(true),
    );
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    eprintln!("listening on http://{}/mcp", listener.local_addr()?);
    axum::serve(listener, axum::Router::new().nest_service("/mcp", service)).await?;
    Ok(())
}
