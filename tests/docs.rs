//! Tests of the documentation: its generated parts are up to date, its examples run.
//!
//! `INSTA_UPDATE=always cargo test -p ravel-tests docs` updates the generated parts.

use std::fmt::Write as _;
use std::path::PathBuf;

use ravel_abi::Machine;
use ravel_abi::{DeviceLimitation, read_values, write_text};
use ravel_driver::{Code, Diagnostic, Kind, Limitation, Options, Passes, Source, Style};
use ravel_engine::{Backend, DEVICES, Engine};
use ravel_kernel::{SettingValue, Target};
use ravel_passes::{FLATTEN, KERNEL, PIPELINE, Step, passes};
use ravel_support::pages::with_part;

use crate::library::{self, Item};
use crate::passes::headers;
use crate::snapshots;

/// A file of the documentation, from the root of the repository.
fn file(name: &str) -> PathBuf {
    snapshots::root().join("..").join(name)
}

/// Compares the part of the file `name` between the markers named `part` with the generated text.
pub fn check(name: &str, part: &str, generated: &str) {
    let text = snapshots::text(&file(name));
    let wanted = with_part(&text, part, generated).unwrap_or_else(|| panic!("{name} has no part `{part}`"));
    check_file(name, &wanted);
}

/// Compares a generated file of the documentation with the generated text.
pub fn check_file(name: &str, wanted: &str) {
    let file = file(name);
    let text = std::fs::read_to_string(&file).unwrap_or_default();
    if wanted != text && std::env::var_os("INSTA_UPDATE").is_some_and(|update| update == "always") {
        std::fs::write(&file, wanted).expect("the documentation can be written");
    } else {
        assert!(wanted == text, "{name} is out of date; it should be\n{wanted}");
    }
}

#[test]
fn the_language_page_lists_every_limitation() {
    let mut rows = String::from("| where | not yet | instead |\n| --- | --- | --- |\n");
    let compiler =
        Limitation::ALL.iter().map(|limitation| ("compiler", limitation.problem(), limitation.advice()));
    let devices = DeviceLimitation::ALL.iter().map(|limit| ("GPU device", limit.problem(), limit.advice()));
    for (place, what, instead) in compiler.chain(devices) {
        let _ = writeln!(rows, "| {place} | {what} | {instead} |");
    }
    check("docs/language.md", "limitations", &rows);
}

#[test]
fn the_plot_of_the_benchmarks_shows_the_table() {
    let plot = ravel_support::plot::ratios(&snapshots::text(&file("docs/benchmarks/cpu.md")));
    check_file("docs/benchmarks/cpu.svg", &plot);
}

/// The names of the files of `stdlib`.
fn stdlib() -> Vec<String> {
    let files = std::fs::read_dir(file("stdlib")).expect("the library can be read");
    let names =
        files.map(|file| file.expect("a file of the library").file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> =
        names.filter_map(|name| Some(name.strip_suffix(".dsl")?.to_owned())).collect();
    names.sort();
    names
}

/// The table of the definitions of a library file.
fn index(items: &[Item]) -> String {
    let mut rows = String::from("| definition | what it is |\n| --- | --- |\n");
    for Item { path, signature, about } in items {
        let [signature, about] =
            [signature, about.as_deref().unwrap_or_default()].map(|text: &str| text.replace('|', "\\|"));
        let row = match path.as_str() {
            "" => format!("| `{signature}` | {about} |"),
            path => format!("| `{path}` `{signature}` | {about} |"),
        };
        let _ = writeln!(rows, "{row}");
    }
    rows
}

#[test]
fn the_language_page_lists_the_prelude() {
    check(
        "docs/language.md",
        "prelude",
        &index(&library::contents(&snapshots::text(&file("stdlib/prelude.dsl"))).1),
    );
}

#[test]
fn the_language_page_lists_the_library() {
    let mut text = String::new();
    for name in stdlib().iter().filter(|name| *name != "prelude") {
        let (about, items) = library::contents(&snapshots::text(&file(&format!("stdlib/{name}.dsl"))));
        let _ = write!(text, "### {name}\n\n{about}.\n\n{}\n", index(&items));
    }
    check("docs/language.md", "library", &text);
}

#[test]
fn everything_in_the_library_is_documented() {
    for name in stdlib() {
        let items = library::contents(&snapshots::text(&file(&format!("stdlib/{name}.dsl")))).1;
        assert!(!items.is_empty(), "stdlib/{name}.dsl defines nothing");
        let silent: Vec<String> = items
            .iter()
            .filter(|item| item.about.is_none())
            .map(|item| format!("{}{}", item.path, item.signature))
            .collect();
        assert!(silent.is_empty(), "stdlib/{name}.dsl: without a doc comment:\n{}", silent.join("\n"));
    }
}

#[test]
fn the_page_of_the_architecture_lists_the_settings_of_the_targets() {
    let shown = |value| match value {
        SettingValue::Ability(true) => "yes".to_owned(),
        SettingValue::Ability(false) => "no".to_owned(),
        SettingValue::Number(None) => "unlimited".to_owned(),
        SettingValue::Number(Some(number)) => number.to_string(),
    };
    let mut table = String::from("| setting | `cpu` | `gpu` | what it means |\n| --- | --- | --- | --- |\n");
    for (cpu, gpu) in Target::CPU.settings().into_iter().zip(Target::GPU.settings()) {
        let _ =
            writeln!(table, "| {} | {} | {} | {} |", cpu.name, shown(cpu.value), shown(gpu.value), cpu.about);
    }
    check("docs/architecture.md", "targets", &table);
}

#[test]
fn the_page_of_the_model_lists_its_devices() {
    let mut table = String::from(
        "| name | device | cores | lanes of a core | clock (GHz) | bandwidth (GB/s) | figures from |\n\
         | --- | --- | --- | --- | --- | --- | --- |\n",
    );
    for device in DEVICES {
        let Target { name, title, source, hardware, .. } = device.target;
        let [cores, lanes] = [hardware.cores, hardware.lanes].map(Option::unwrap_or_default);
        let (clock, bandwidth) = (device.clock / 1e9, device.bandwidth / 1e9);
        let f64_note = if device.f64_slots.is_none() { "; no `f64`" } else { "" };
        let _ = writeln!(
            table,
            "| {name} | {title}{f64_note} | {cores} | {lanes} | {clock} | {bandwidth} | {source} |"
        );
    }
    check("docs/model.md", "devices", &table);
}

#[test]
fn the_page_of_passes_lists_every_pass() {
    let mut table = String::from("| pass | what it does |\n| --- | --- |\n");
    let mut rules = String::from("| pass | rule | what it does |\n| --- | --- | --- |\n");
    let mut premises =
        String::from("| pass | premise | of | what it requires |\n| --- | --- | --- | --- |\n");
    let Passes { core, kernel } = Passes::all();
    let of_core = core.iter().map(|pass| (pass.name, pass.about, pass.rules, pass.premises));
    let of_kernel = kernel.iter().map(|pass| (pass.name, pass.about, pass.rules, pass.premises));
    for (pass, about, names, required) in of_core.chain(of_kernel) {
        let _ = writeln!(table, "| {pass} | {about} |");
        for rule in headers::rules(pass, names) {
            let (first, rest) = rule.text.split_at(1);
            let _ = writeln!(rules, "| {pass} | {} | {}{rest} |", rule.name, first.to_uppercase());
        }
        for premise in required {
            let of = headers::rules_of(pass, premise.name);
            let of = if of.len() == names.len() { "all".to_owned() } else { of.join(", ") };
            let _ = writeln!(premises, "| {pass} | {} | {of} | {} |", premise.name, premise.about);
        }
    }
    check("docs/passes.md", "rules", &rules);
    check("docs/passes.md", "premises", &premises);
    let mut rewrites = String::from("| rewrite | what it does | what it requires |\n| --- | --- | --- |\n");
    for rewrite in ravel_native::REWRITES {
        let premises: Vec<_> =
            rewrite.premises.iter().map(|(name, about)| format!("*{name}*: {about}")).collect();
        let _ = writeln!(rewrites, "| {} | {} | {} |", rewrite.name, rewrite.about, premises.join("; "));
    }
    check("docs/passes.md", "rewrites", &rewrites);
    let kernel: Vec<_> = KERNEL.iter().map(|pass| pass.name).collect();
    let order = format!(
        "The order of the passes over core IR:\n\n{}\nAfter it, once:\n\n{}\nOn kernel IR, once:\n\n* {}\n",
        outline(PIPELINE, ""),
        outline(FLATTEN, ""),
        kernel.join(", ")
    );
    check("docs/passes.md", "passes", &format!("{table}\n{order}"));
}

/// The steps of a schedule as a nested list.
fn outline(steps: &[Step], indent: &str) -> String {
    let group = |when: String, steps: &[Step]| format!("{when}\n{}", outline(steps, &format!("{indent}  ")));
    let item = |steps: &[Step]| match steps[0] {
        Step::Run(_) => passes(steps).iter().map(|pass| pass.name).collect::<Vec<_>>().join(", ") + "\n",
        Step::Repeat(steps) => group("repeated until none of them fires:".to_owned(), steps),
        Step::RepeatWhileLastFires(steps) => {
            let last = passes(steps).last().map_or("", |pass| pass.name);
            group(format!("repeated while `{last}` fires:"), steps)
        }
    };
    let are_single = |a: &Step, b: &Step| matches!((a, b), (Step::Run(_), Step::Run(_)));
    steps.chunk_by(are_single).map(|steps| format!("{indent}* {}", item(steps))).collect()
}

/// The text from `start` to the end of its code block.
fn block<'a>(text: &'a str, start: &str) -> &'a str {
    let at = text.find(start).unwrap_or_else(|| panic!("there is no `{start}`"));
    let rest = &text[at..];
    rest.split_once("\n```").map_or(rest, |(block, _)| block)
}

#[test]
fn the_example_of_the_readme_prints_the_stated_results() {
    let readme = snapshots::text(&file("README.md"));
    let program = block(&readme, "-- dot.dsl");
    let session: Vec<&str> = block(&readme, "$ echo").lines().collect();
    assert!(session.len() >= 2, "the example has no session");
    for said in session.chunks(2) {
        let [command, answer] = said else { panic!("no answer to {said:?}") };
        let (input, run) = command
            .strip_prefix("$ echo '")
            .and_then(|rest| rest.split_once("' | ravel run "))
            .unwrap_or_else(|| panic!("not a run: {command}"));
        let backend = match run {
            "dot.dsl" => Backend::Cpu,
            "--backend gpu dot.dsl" => Backend::Gpu,
            _ => panic!("not a run: {command}"),
        };
        let engine = Engine::open(backend, None).expect("the backend is there");
        let source = Source::new("dot.dsl", program);
        let executable = engine.compile(&source, &Options::default()).expect("it compiles");
        let signature = executable.signature("main").expect("it has a main");
        let args = read_values(input.as_bytes(), &signature.expected()).expect("the input is right");
        let (results, _) = executable.call("main", &args).expect("it runs");
        assert_eq!(write_text(&results).trim_end(), *answer, "{command}");
    }
}

#[test]
fn the_explain_page_shows_the_actual_output() {
    ravel_driver::on_large_stack(|| {
        let page = snapshots::text(&file("docs/explain.md"));
        let program = block(&page, "entry main");
        let without = program.replace("(copy updating)", "updating");
        assert!(without != program, "the example has no copy");
        for (part, program) in [("with-copy", program), ("without-copy", &without)] {
            let source = Source::new("step.dsl", program);
            let diagnostics =
                ravel_driver::explain(&source, &Options::default(), Machine::Cpu).expect("it compiles");
            let transcript =
                format!("```\n$ ravel explain step.dsl\n{}```\n", diagnostics.text(&source, Style::Plain));
            check("docs/explain.md", part, &transcript);
        }
    });
}

/// The diagnostics of a program.
fn diagnostics(text: &str) -> Vec<Diagnostic> {
    ravel_driver::check(&Source::new("example.dsl", text)).unwrap_or_else(|problems| problems.diagnostics)
}

#[test]
fn the_examples_of_every_error_page_are_refused_and_accepted() {
    ravel_driver::on_large_stack(|| {
        for &code in Code::ALL {
            let number = code.number();
            let page = ravel_driver::page(number).unwrap_or_else(|| panic!("docs/errors has no {number}.md"));
            assert!(page.starts_with(&format!("# {number}: {}\n", code.title())), "the head of {number}.md");
            let blocks: Vec<&str> = page.split("```\n").skip(1).step_by(2).collect();
            let [refused, accepted] = blocks[..] else { panic!("{number}.md shows two programs") };
            let strictly = |text| {
                ravel_driver::extension_warnings(&Source::new("example.dsl", text)).unwrap_or_default()
            };
            let found = if code == Code::NotFuthark { strictly(refused) } else { diagnostics(refused) };
            let kinds: Vec<Kind> = found.iter().map(|diagnostic| diagnostic.kind).collect();
            assert!(
                matches!(kinds[..], [Kind::Error(c) | Kind::Warning(c)] if c == code),
                "{number}: {kinds:?}"
            );
            assert_eq!(diagnostics(accepted), [], "{number}.md");
        }
    });
}

#[test]
fn the_long_program_of_the_measurements_is_accepted() {
    ravel_driver::on_large_stack(|| {
        let diagnostics = diagnostics(&ravel_support::long::program());
        let refused: Vec<_> = diagnostics.iter().filter(|diagnostic| diagnostic.is_fatal()).collect();
        assert!(refused.is_empty(), "{refused:?}");
    });
}
