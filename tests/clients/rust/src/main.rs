//! The official client for Rust against the conformance server.
//!
//!     clients stdio COMMAND    starts the server, and speaks over its standard streams
//!     clients http URL         speaks to one that listens
//!
//! A third word is how it begins: auto, or legacy. Prints a line for each case: "ok NAME", or "FAILED NAME: why".
#![allow(deprecated)] // roots, which are tested as long as they are there

use std::{process::ExitCode, time::Duration};

use rmcp::{
    ClientHandler, ClientLifecycleMode, ClientServiceExt, ErrorData, RoleClient,
    model::*,
    service::{NotificationContext, RequestContext, RunningService},
    transport::{StreamableHttpClientTransport, TokioChildProcess},
};
use serde_json::{Value, json};
use tokio::{process::Command, sync::mpsc, time::timeout};

const PATIENCE: Duration = Duration::from_secs(30);

type Session = RunningService<RoleClient, Tester>;
type Told = Result<(), String>;

struct Tester {
    progress: mpsc::UnboundedSender<f64>,
}

impl ClientHandler for Tester {
    async fn create_elicitation(&self, _: ElicitRequestParams, _: RequestContext<RoleClient>) -> Result<ElicitResult, ErrorData> {
        let content = json!({ "username": "ada", "email": "ada@example.com" });
        Ok(ElicitResult::new(ElicitationAction::Accept).with_content(content))
    }

    async fn list_roots(&self, _: RequestContext<RoleClient>) -> Result<ListRootsResult, ErrorData> {
        Ok(ListRootsResult::new(vec![Root::new("file:///a"), Root::new("file:///b")]))
    }

    async fn on_progress(&self, note: ProgressNotificationParam, _: NotificationContext<RoleClient>) {
        let _ = self.progress.send(note.progress);
    }

    fn get_info(&self) -> ClientConfig {
        let abilities = serde_json::from_value(json!({ "elicitation": {}, "roots": {} })).unwrap();
        ClientConfig::new(abilities, Implementation::new("tenon-tests", "1.0.0"))
    }
}

/// The result, and the envelope that its text is.
async fn ask(session: &Session, tool: &'static str, arguments: Value) -> Result<(CallToolResult, Value), String> {
    let mut params = CallToolRequestParams::new(tool);
    params.arguments = arguments.as_object().cloned();
    let result = session.call_tool(params).await.map_err(|why| why.to_string())?;
    let text = result.content.first().and_then(|block| block.as_text()).ok_or("there is no text")?;
    let said = serde_json::from_str(&text.text).map_err(|why| why.to_string())?;
    Ok((result, said))
}

async fn text(session: &Session, tool: &'static str, arguments: Value) -> Result<String, String> {
    let (_, said) = ask(session, tool, arguments).await?;
    said["data"]["text"].as_str().map(str::to_owned).ok_or(said.to_string())
}

async fn expect(session: &Session, tool: &'static str, arguments: Value, want: &str) -> Told {
    let got = text(session, tool, arguments).await?;
    if got == want { Ok(()) } else { Err(format!("{got:?}, not {want:?}")) }
}

async fn good_call(session: &Session) -> Told {
    let right = json!({ "count": 2, "ratio": 0.5, "urgent": true, "color": "red", "name": "abc", "day": "2026-07-28" });
    expect(session, "test_many_arguments", right, "abc: 2, 0.5, urgent, red, 2026-07-28").await
}

/// Six arguments, and all of them wrong: every one is named in the first answer.
async fn six_faults(session: &Session) -> Told {
    let wrong = json!({ "count": 11, "ratio": "much", "urgent": "maybe", "color": "black", "name": "a", "day": "tomorrow" });
    let (result, said) = ask(session, "test_many_arguments", wrong.clone()).await?;
    let named = &said["error"]["details"]["fieldErrors"];
    let all = wrong.as_object().unwrap().keys().all(|name| named[name].is_array());
    if result.is_error == Some(true) && all { Ok(()) } else { Err(said.to_string()) }
}

async fn structured_content(session: &Session) -> Told {
    let (result, said) = ask(session, "test_division", json!({ "dividend": 7, "divisor": 2 })).await?;
    let right = said["data"] == json!({ "quotient": 3, "remainder": 1 });
    if right && result.structured_content == Some(said.clone()) { Ok(()) } else { Err(said.to_string()) }
}

async fn progress(session: &Session, told: &mut mpsc::UnboundedReceiver<f64>) -> Told {
    while told.try_recv().is_ok() {}
    expect(session, "test_tool_with_progress", json!({}), "Done, in three steps.").await?;
    for want in [0.0, 50.0, 100.0] {
        match timeout(PATIENCE, told.recv()).await {
            Ok(Some(got)) if got == want => {}
            other => return Err(format!("{other:?}, not {want}")),
        }
    }
    Ok(())
}

/// A call is given up while it runs; its handler sees that.
async fn cancellation(session: &Session, told: &mut mpsc::UnboundedReceiver<f64>) -> Told {
    let before = text(session, "test_cancelled_calls", json!({})).await?;
    while told.try_recv().is_ok() {}
    tokio::select! {
        ended = ask(session, "slow_compute", json!({ "seconds": 60 })) => return Err(format!("it ended by itself: {ended:?}")),
        _ = told.recv() => {} // it has begun
    }
    while text(session, "test_cancelled_calls", json!({})).await? == before {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    Ok(())
}

async fn attempt(name: &str, case: impl Future<Output = Told>) -> bool {
    let ended = timeout(PATIENCE, case).await.unwrap_or(Err("it took too long".to_owned()));
    match &ended {
        Ok(()) => println!("ok {name}"),
        Err(why) => println!("FAILED {name}: {why}"),
    }
    ended.is_ok()
}

async fn connect(words: &[String], tester: Tester) -> Result<Session, String> {
    let mode = match words.get(3).map(String::as_str) {
        Some("legacy") => ClientLifecycleMode::Initialize,
        _ => ClientLifecycleMode::Auto { preferred_versions: vec![ProtocolVersion::V_2026_07_28], legacy_version: None },
    };
    let session = if words[1] == "http" {
        tester.serve_with_lifecycle(StreamableHttpClientTransport::from_uri(words[2].as_str()), mode).await
    } else {
        let child = TokioChildProcess::new(Command::new(&words[2])).map_err(|why| why.to_string())?;
        tester.serve_with_lifecycle(child, mode).await
    };
    session.map_err(|why| why.to_string())
}

#[tokio::main]
async fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().collect();
    let (sender, mut told) = mpsc::unbounded_channel();
    let session = match connect(&words, Tester { progress: sender }).await {
        Ok(session) => session,
        Err(why) => {
            println!("FAILED connects: {why}");
            return ExitCode::FAILURE;
        }
    };
    println!("revision {}", session.peer_info().map(|info| info.protocol_version.to_string()).unwrap_or_default());
    let form = expect(&session, "test_elicitation", json!({ "message": "Who?" }), "User response: ada <ada@example.com>");
    let roots = expect(&session, "test_input_required_result_list_roots", json!({}), "2 roots, the first is file:///a");
    let good = [
        attempt("good call", good_call(&session)).await,
        attempt("six faults", six_faults(&session)).await,
        attempt("structured content", structured_content(&session)).await,
        attempt("progress", progress(&session, &mut told)).await,
        attempt("elicitation", form).await,
        attempt("roots", roots).await,
        attempt("cancellation", cancellation(&session, &mut told)).await,
        attempt("after it", good_call(&session)).await,
    ];
    let closed = session.cancel().await.is_ok();
    if good.iter().all(|each| *each) && closed { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
