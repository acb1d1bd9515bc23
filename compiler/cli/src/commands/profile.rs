//! `ravel profile`: the cost of each parallel segment of a program on a model of a GPU.

use std::fmt::Write as _;

use ravel_driver::{Options, Source};
use ravel_engine::{CallCost, Cost, Counts, Engine, InnerCost, ModelDevice};
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
        Engine::model(device).compile(&source, &options).map_err(|error| exit::error(&error))?;
    executable.tune(&tuning).map_err(exit::user)?;
    let signature = job::entry(executable.signatures(), &args.entry)?;
    let values = args.input.clone().map_or(Input::Standard, Input::File).read(signature)?;
    let (_, cost) = executable.cost(&args.entry, &values).map_err(|failure| exit::failure(&failure))?;
    let text = if args.json { json(device, &cost) } else { table(device, &cost, &source) };
    terminal::output(text.as_bytes())
}

/// A row for each segment, and its place in the source below. Segments of workgroups are indented under their launch.
fn table(device: &ModelDevice, cost: &CallCost, source: &Source) -> String {
    let title = device.target.title;
    if cost.segments.is_empty() {
        return format!("{title}: the program has no parallel segments\n");
    }
    let total: f64 = cost.segments.iter().map(|cost| cost.bound.seconds).sum();
    let mut text =
        format!("{title}: at least {}, {} bytes allocated\n\n", format_time(total), cost.allocated);
    let _ = writeln!(
        text,
        "{:>9} {:>9}  {:10} {:>8} {:>9} {:>12} {:>6} {:>9} {:>9} {:>9} {:>12} {:>9} {:>9} {:>9}  segment",
        "at least",
        "no cache",
        "bound by",
        "launches",
        "points",
        "issued",
        "useful",
        "coalesced",
        "sectors",
        "needed",
        "bytes",
        "words",
        "conflicts",
        "barriers"
    );
    for Cost { name, place, counts, bound, inner } in &cost.segments {
        let times = [bound.seconds, bound.without_cache].map(format_time);
        let times = format!("{:>9} {:>9}  {:10}", times[0], times[1], bound.limit.name());
        row(&mut text, &times, counts, (name, place), source);
        for InnerCost { name, place, counts } in inner {
            let name = format!("  {name}");
            row(&mut text, &format!("{:31}", ""), counts, (&name, place), source);
        }
    }
    text
}

/// A row of the table, after the columns of times.
fn row(
    text: &mut String,
    times: &str,
    counts: &Counts,
    (name, place): (&str, &Option<String>),
    source: &Source,
) {
    let _ = writeln!(
        text,
        "{times} {:>8} {:>9} {:>12} {:>4.0} % {:>7.0} % {:>9} {:>9} {:>12} {:>9} {:>9} {:>9}  {name}{}",
        counts.launches,
        counts.points,
        counts.issued,
        100.0 * counts.occupancy(),
        100.0 * counts.coalescing(),
        counts.sectors,
        counts.needed_sectors,
        counts.bytes,
        counts.workgroup_words,
        counts.bank_conflicts,
        counts.barriers,
        place.as_ref().map_or(String::new(), |place| format!(" at {place}")),
    );
    if let Some(excerpt) = place.as_ref().and_then(|place| excerpt(source, place)) {
        *text += &excerpt;
    }
}

/// The line at a place `NAME:LINE:FIRST-LAST` in the program, in a file that it imports, or in the library, with carets under
/// the columns.
fn excerpt(source: &Source, place: &str) -> Option<String> {
    let mut files = source.sources().iter();
    files.find_map(|(_, file)| marked_line(&file.text, place.strip_prefix(&*file.name)?.strip_prefix(':')?))
}

/// The line of a text at a place `LINE:FIRST-LAST`, with carets under the columns.
fn marked_line(text: &str, place: &str) -> Option<String> {
    let (number, columns) = place.split_once(':')?;
    let number: usize = number.parse().ok()?;
    let line = text.lines().nth(number.checked_sub(1)?)?;
    let (first, last) = columns.split_once('-').unwrap_or((columns, columns));
    let first: usize = first.parse().ok()?;
    // A place that ends on a later line, `LINE:COLUMN`, is marked to the end of its first line.
    let last = last.parse().unwrap_or_else(|_| line.chars().count());
    let carets = "^".repeat((last + 1).saturating_sub(first).max(1));
    let indent = " ".repeat(first.saturating_sub(1));
    Some(format!("{number:>9} | {line}\n{:9} | {indent}{carets}\n", ""))
}

fn json(device: &ModelDevice, cost: &CallCost) -> String {
    let counted = |name: &str, place: &Option<String>, counts: &Counts| {
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
            "needed_sectors": counts.needed_sectors,
            "workgroup_words": counts.workgroup_words,
            "bank_conflicts": counts.bank_conflicts,
            "barriers": counts.barriers,
        })
    };
    let segment = |Cost { name, place, counts, bound, inner }: &Cost| {
        let mut segment = counted(name, place, counts);
        segment["distinct_sectors"] = json!(counts.distinct_sectors);
        segment["seconds"] = json!(bound.seconds);
        segment["without_cache"] = json!(bound.without_cache);
        segment["bound_by"] = json!(bound.limit.name());
        let inner = inner.iter().map(|InnerCost { name, place, counts }| counted(name, place, counts));
        segment["inner"] = inner.collect();
        segment
    };
    let segments: Vec<_> = cost.segments.iter().map(segment).collect();
    format!(
        "{:#}\n",
        json!({
            "device": device.target.name,
            "source": device.target.source,
            "allocated": cost.allocated,
            "segments": segments,
        })
    )
}
