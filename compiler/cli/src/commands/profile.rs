//! `ravel profile`: the cost of each parallel segment of a program on a model of a GPU.

use std::fmt::Write as _;

use ravel_driver::{Options, Source};
use ravel_engine::{Cost, Engine, ModelDevice};
use ravel_program::format_time;
use ravel_program::job::{self, Input};
use serde_json::json;

use crate::args::Profile;
use crate::exit::{self, Exit};
use crate::terminal;

/// Runs the program on the model and prints the cost of its segments. Its results are not printed.
pub fn profile(args: &Profile) -> Result<(), Exit> {
    let source = super::read_source(&args.file)?;
    let tuning = args.tuning.read()?;
    let options = Options {
        entry: Some(args.entry.clone()),
        without: args.without.rules.clone(),
        ..Options::default()
    };
    let device = args.device();
    let mut executable =
        Engine::model(device).compile(&source, &options).map_err(|error| exit::uncompiled(&error))?;
    executable.tune(&tuning).map_err(exit::user)?;
    let signature = job::entry(executable.signatures(), &args.entry)?;
    let values = args.input.clone().map_or(Input::Standard, Input::File).read(signature)?;
    let (_, costs) = executable.cost(&args.entry, &values).map_err(|failure| exit::failure(&failure))?;
    let text = if args.json { json(device, &costs) } else { table(device, &costs, &source) };
    terminal::output(text.as_bytes())
}

/// A row for each segment, and its place in the source below.
fn table(device: &ModelDevice, costs: &[Cost], source: &Source) -> String {
    if costs.is_empty() {
        return format!("{}: the program has no parallel segments\n", device.target.title);
    }
    let total: f64 = costs.iter().map(|cost| cost.bound.seconds).sum();
    let mut text = format!("{}: at least {}\n\n", device.target.title, format_time(total));
    let _ = writeln!(
        text,
        "{:>9} {:>9}  {:10} {:>8} {:>9} {:>6} {:>9} {:>12} {:>9} {:>9} {:>9}  segment",
        "at least",
        "no cache",
        "bound by",
        "launches",
        "points",
        "useful",
        "coalesced",
        "bytes",
        "words",
        "conflicts",
        "barriers"
    );
    for Cost { name, place, counts, bound } in costs {
        let _ = writeln!(
            text,
            "{:>9} {:>9}  {:10} {:>8} {:>9} {:>4.0} % {:>7.0} % {:>12} {:>9} {:>9} {:>9}  {name}{}",
            format_time(bound.seconds),
            format_time(bound.without_cache),
            bound.limit.name(),
            counts.launches,
            counts.points,
            100.0 * counts.occupancy(),
            100.0 * counts.coalescing(device.sector),
            counts.bytes,
            counts.workgroup_words,
            counts.bank_conflicts,
            counts.barriers,
            place.as_ref().map_or(String::new(), |place| format!(" at {place}")),
        );
        if let Some(excerpt) = place.as_ref().and_then(|place| excerpt(source, place)) {
            text += &excerpt;
        }
    }
    text
}

/// The line of the program at a place `NAME:LINE:FIRST-LAST`, with carets under the columns.
fn excerpt(source: &Source, place: &str) -> Option<String> {
    let mut rest = place.strip_prefix(source.name())?.strip_prefix(':')?.splitn(2, ':');
    let number: usize = rest.next()?.parse().ok()?;
    let columns = rest.next()?;
    let line = source.text().lines().nth(number.checked_sub(1)?)?;
    let (first, last) = columns.split_once('-').unwrap_or((columns, columns));
    let first: usize = first.parse().ok()?;
    // A place that ends on a later line, `LINE:COLUMN`, is marked to the end of its first line.
    let last = last.parse().unwrap_or_else(|_| line.chars().count());
    let carets = "^".repeat((last + 1).saturating_sub(first).max(1));
    let indent = " ".repeat(first.saturating_sub(1));
    Some(format!("{number:>9} | {line}\n{:9} | {indent}{carets}\n", ""))
}

fn json(device: &ModelDevice, costs: &[Cost]) -> String {
    let segment = |Cost { name, place, counts, bound }: &Cost| {
        json!({
            "segment": name,
            "place": place,
            "launches": counts.launches,
            "points": counts.points,
            "issued": counts.issued,
            "useful": counts.useful,
            "slots": counts.slots,
            "longest": counts.longest,
            "bytes": counts.bytes,
            "sectors": counts.sectors,
            "distinct_sectors": counts.distinct_sectors,
            "workgroup_words": counts.workgroup_words,
            "bank_conflicts": counts.bank_conflicts,
            "barriers": counts.barriers,
            "seconds": bound.seconds,
            "without_cache": bound.without_cache,
            "bound_by": bound.limit.name(),
        })
    };
    let segments: Vec<_> = costs.iter().map(segment).collect();
    format!(
        "{:#}\n",
        json!({ "device": device.target.name, "source": device.target.source, "segments": segments })
    )
}
