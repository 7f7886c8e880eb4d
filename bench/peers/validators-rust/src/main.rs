//! The documents of bench/schema/cases.mjs through jsonschema-rs, with every error.
//!
//!     validators DIRECTORY    prints a line for each measurement: its name and nanoseconds for one run
//!
//! With the feature "order" objects keep their names as they came, and only the flag is measured.
//!
//! As bench/schema/schema.c does it: of several turns the best counts. Formats are notes for everyone here.
use jsonschema::Validator;
use serde_json::Value;
use std::{env, fs, hint::black_box, path::Path, time::Instant};

const TURNS: usize = 15;
const TURN_NS: f64 = 3e6;

fn time(run: &mut dyn FnMut() -> usize, times: usize) -> f64 {
    let start = Instant::now();
    for _ in 0..times {
        black_box(run());
    }
    start.elapsed().as_nanos() as f64 / times as f64
}

fn measure(name: &str, run: &mut dyn FnMut() -> usize) {
    time(run, 2);
    let mut best = time(run, 2);
    for _ in 0..TURNS {
        best = best.min(time(run, (TURN_NS / best) as usize + 1));
    }
    println!("{name} {best:.2}");
}

fn parse(text: &[u8]) -> Value {
    serde_json::from_slice(text).expect("JSON")
}

/// All errors as sentences.
fn words(validator: &Validator, value: &Value) -> usize {
    validator.iter_errors(value).map(|error| error.to_string().len()).sum()
}

fn measure_document(name: &str, validator: &Validator, text: &[u8]) {
    let value = parse(text);
    if cfg!(feature = "order") {
        measure(&format!("{name}/jsonschema-rs-in-order/judge-flag"), &mut || validator.is_valid(black_box(&value)) as usize);
        return;
    }
    measure(&format!("{name}/jsonschema-rs/judge"), &mut || validator.iter_errors(black_box(&value)).count());
    measure(&format!("{name}/jsonschema-rs/judge-flag"), &mut || validator.is_valid(black_box(&value)) as usize);
    measure(&format!("{name}/jsonschema-rs/whole"), &mut || validator.iter_errors(&parse(black_box(text))).count());
    measure(&format!("{name}/jsonschema-rs/words"), &mut || words(validator, &parse(black_box(text))));
}

fn main() {
    let directory = env::args().nth(1).expect("usage: validators DIRECTORY");
    for entry in fs::read_dir(&directory).expect("the directory of cases") {
        let file = entry.expect("a file").file_name().into_string().expect("a name");
        let Some(name) = file.strip_suffix(".schema.json") else { continue };
        if name.ends_with(|last: char| last.is_ascii_digit()) {
            continue; // those are for how Tenon's cost grows
        }
        let read = |kind: &str| fs::read(Path::new(&directory).join(format!("{name}.{kind}.json"))).expect("a case");
        let validator = jsonschema::options()
            .should_validate_formats(false)
            .build(&parse(&read("schema")))
            .expect("a schema");
        for kind in ["valid", "late", "many"] {
            let text = read(kind);
            assert_eq!(validator.is_valid(&parse(&text)), kind == "valid", "{name}.{kind} is judged otherwise");
            measure_document(&format!("{name}/{kind}"), &validator, &text);
        }
    }
}
