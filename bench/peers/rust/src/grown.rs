//! The tools of the cost curves: many parameters, a list, a text. BENCH_SHAPE names one of them and its size.
use rmcp::{
    handler::server::{
        router::tool::{CallToolHandlerExt, ToolRouter},
        wrapper::Parameters,
    },
    schemars::{self, JsonSchema},
};
use serde::Deserialize;

use crate::{within, Peer};

trait Sum {
    fn sum(&self) -> Result<i64, String>;
}

/// A struct of integers from 0 to 1000, and what checks and adds them.
macro_rules! integers {
    ($name:ident: $($field:ident)*) => {
        #[derive(Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        #[allow(non_snake_case)]
        struct $name {
            $(#[schemars(description = "A number.", range(min = 0, max = 1000))] $field: i64,)*
        }

        impl Sum for $name {
            fn sum(&self) -> Result<i64, String> {
                $(if !(0..=1000).contains(&self.$field) {
                    return Err(format!("{} must be between 0 and 1000, got {}", stringify!($field), self.$field));
                })*
                Ok(0 $(+ self.$field)*)
            }
        }
    };
}

integers!(Integers1: P0);
integers!(Integers6: P0 P1 P2 P3 P4 P5);
integers!(Integers20: P0 P1 P2 P3 P4 P5 P6 P7 P8 P9 P10 P11 P12 P13 P14 P15 P16 P17 P18 P19);
integers!(Integers50: P0 P1 P2 P3 P4 P5 P6 P7 P8 P9 P10 P11 P12 P13 P14 P15 P16 P17 P18 P19 P20 P21 P22 P23 P24 P25 P26
    P27 P28 P29 P30 P31 P32 P33 P34 P35 P36 P37 P38 P39 P40 P41 P42 P43 P44 P45 P46 P47 P48 P49);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Items {
    /// Some texts.
    #[schemars(length(max = 10000), inner(length(min = 1, max = 64)))]
    items: Vec<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Text {
    /// A text.
    #[schemars(length(min = 1, max = 1048576))]
    text: String,
}

async fn sum<T: Sum>(Parameters(args): Parameters<T>) -> Result<String, String> {
    Ok(format!("sum {}.", args.sum()?))
}

async fn items(Parameters(args): Parameters<Items>) -> Result<String, String> {
    if args.items.len() > 10000 || !args.items.iter().all(|item| within(item, 1, 64)) {
        return Err("items must be at most 10000 of 1 to 64 characters".into());
    }
    Ok(format!("{} items.", args.items.len()))
}

async fn text(Parameters(args): Parameters<Text>) -> Result<String, String> {
    if !within(&args.text, 1, 1048576) {
        return Err("text must have 1 to 1048576 characters".into());
    }
    Ok(format!("{} bytes.", args.text.len()))
}

macro_rules! grown {
    ($handler:expr, $type:ty) => {
        ToolRouter::new().with_route($handler.name("grown").description("Grows.").parameters::<$type>())
    };
}

pub fn router(what: &str, count: usize) -> ToolRouter<Peer> {
    match (what, count) {
        ("params", 1) => grown!(sum::<Integers1>, Integers1),
        ("params", 6) => grown!(sum::<Integers6>, Integers6),
        ("params", 20) => grown!(sum::<Integers20>, Integers20),
        ("params", 50) => grown!(sum::<Integers50>, Integers50),
        ("items", _) => grown!(items, Items),
        ("text", _) => grown!(text, Text),
        _ => panic!("there is no shape {what} {count}"),
    }
}
