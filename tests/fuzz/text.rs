//! Text: a printed program parses back as the same program, and no text makes a parser panic.

use std::sync::Arc;

use proptest::prelude::*;
use ravel_abi::Machine;
use ravel_base::{FileId, TextFault};
use ravel_core::visit::VisitMut;
use ravel_core::{Exp, Function, Origin, Program, Stm, Var};
use ravel_driver::dev::{self, Form};
use ravel_driver::{Options, Source};
use ravel_kernel::{self as kernel, Level, MemProgram, Step, Target, VisitMut as _};

use crate::snapshots;

/// Removes what text lacks: the origins of statements, but not their attributes, and the places of scans.
struct Forget;

impl VisitMut for Forget {
    fn var(&mut self, _: &mut Var) {}
    fn binder(&mut self, _: &mut Var) {}

    fn function(&mut self, function: &mut Function) {
        function.origin = Origin::default();
        self.body(&mut function.body);
    }

    fn stm(&mut self, stm: &mut Stm) {
        let attributes = std::mem::take(&mut stm.origin.attributes);
        stm.origin = Origin { attributes, ..Origin::default() };
        let scans = match &mut stm.exp {
            Exp::Screma(screma) => &mut screma.scans[..],
            Exp::Segment(segment) => &mut segment.screma.scans[..],
            _ => &mut [],
        };
        scans.iter_mut().for_each(|scan| scan.path = None);
        self.exp(&mut stm.exp);
    }
}

/// Core text of a program parses back as the program, with binders numbered in order of appearance.
pub fn core_reads_back(program: &Program, what: &str) {
    let mut expected = program.clone();
    ravel_core::renumber(&mut expected);
    expected.functions.iter_mut().for_each(|function| Forget.function(function));
    expected.entries.iter_mut().for_each(|entry| entry.origin = Origin::default());
    for text in [ravel_core::print(program), ravel_core::print(&expected)] {
        let found = ravel_core::parse(&text).unwrap_or_else(|wrong| panic!("{what}: {wrong}\n{text}"));
        assert!(found == expected, "{what}: core text is read back as another program\n{text}");
    }
}

/// Reduces the origins of statements to what kernel text keeps: the main place of each segment. The segment and
/// the statements inside it have this place, and all other statements have none.
#[derive(Default)]
struct Places(Arc<Origin>);

impl kernel::VisitMut for Places {
    fn step<L: Level>(&mut self, step: &mut Step<L>) {
        let around = self.0.clone();
        if matches!(step.stm, kernel::Stm::Segment(_)) {
            self.0 = Arc::new(step.place().map(Origin::at).unwrap_or_default());
        }
        step.origin = self.0.clone();
        self.stm(&mut step.stm);
        self.0 = around;
    }
}

/// Kernel text of a program parses back as the program.
pub fn kernel_reads_back(program: &kernel::Program, what: &str) {
    let mut expected = program.clone();
    expected.renumber();
    fn forget<L: Level>(body: &mut kernel::Body<L>, origin: &mut Origin) {
        *origin = Origin::default();
        Places::default().body(body);
    }
    let kernel::Program { host_functions, thread_functions, entries, .. } = &mut expected;
    host_functions.iter_mut().for_each(|function| forget(&mut function.body, &mut function.origin));
    thread_functions.iter_mut().for_each(|function| forget(&mut function.body, &mut function.origin));
    entries.iter_mut().for_each(|entry| forget(&mut entry.body, &mut entry.origin));
    for text in [program.to_string(), expected.to_string()] {
        let found = kernel::parse(&text).unwrap_or_else(|wrong| panic!("{what}: {wrong}\n{text}"));
        assert!(found == expected, "{what}: kernel text is read back as another program\n{text}");
    }
}

#[test]
fn programs_read_back_after_every_stage() {
    ravel_driver::on_large_stack(|| {
        for (path, source) in snapshots::programs() {
            let name = snapshots::name(&path);
            core_reads_back(
                &ravel_driver::lowered_core(&source, &Options::default()).expect("it compiles"),
                &name,
            );
            for machine in Machine::ALL {
                let core = dev::optimised_core(&source, &Options::default(), machine, &mut |done| {
                    core_reads_back(&done.program, &format!("{name} after {}", done.pass.name));
                });
                let core = core.expect("it compiles");
                if let Ok(kernel) = ravel_driver::compile_optimised(
                    &source,
                    core.clone(),
                    &Options::default(),
                    Target::of(machine),
                ) {
                    kernel_reads_back(&kernel, &format!("{name} on {machine:?}"));
                }
            }
        }
    });
}

/// Parses a text as core IR and as kernel IR. If that succeeds, neither printing nor verifying the program may
/// panic, and a fault that the verifier finds has a place in the text.
fn read(text: &str) {
    let file = FileId(0);
    let is_placed = |fault: Option<TextFault>| fault.is_some_and(|fault| fault.span.is_some());
    if let Ok(program) = ravel_core::parse(text) {
        let fault = ravel_core::verify(&program);
        assert!(fault.is_ok() || is_placed(ravel_core::fault_in_text(text, file)), "{fault:?}\n{text}");
        core_reads_back(&program, "a damaged program");
    }
    if let Ok(program) = kernel::parse(text) {
        kernel_reads_back(&program, "a damaged program");
        let target = &Target::GPU;
        let fault = MemProgram::verify(program, target);
        assert!(fault.is_ok() || is_placed(kernel::fault_in_text(text, file, target)), "{fault:?}\n{text}");
    }
}

/// The tokens of small programs with scans, writes, views and loops, as core IR and as kernel IR.
fn samples() -> Vec<Vec<String>> {
    let paths =
        ["stages", "run/soacs", "run/arrays"].into_iter().flat_map(|folder| snapshots::cases(folder, "dsl"));
    let texts = paths.flat_map(|path| {
        let source = Source::new(snapshots::name(&path), snapshots::text(&path));
        let core = dev::optimised_core(&source, &Options::default(), Machine::Cpu, &mut |_| {})
            .expect("it compiles");
        [Form::Core, Form::Kernel]
            .map(|form| dev::emit(&source, &core, form, Machine::Cpu).expect("it compiles"))
    });
    texts.map(|text| tokens(&text)).collect()
}

/// The words, numbers and signs of a text, each with the blanks after it.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut last = ' ';
    for char in text.chars() {
        let is_word = |char: char| char.is_alphanumeric() || char == '_' || char == '.';
        match tokens.last_mut() {
            Some(token) if char.is_whitespace() || is_word(last) && is_word(char) => token.push(char),
            _ => tokens.push(char.to_string()),
        }
        last = char;
    }
    tokens
}

/// An edit of one place of a text.
#[derive(Clone, Debug)]
enum Damage {
    Drop(usize),
    Swap(usize, usize),
    Repeat(usize, usize),
    Put(usize, String),
}

fn damage() -> impl Strategy<Value = Damage> {
    let at = 0usize..4096;
    let words =
        ["-1i64", "9999999999999999999", "f32.nan", "`", "\"", "(", "}", "i7", "n_0", "with", "ä", "--"];
    prop_oneof![
        at.clone().prop_map(Damage::Drop),
        (at.clone(), at.clone()).prop_map(|(a, b)| Damage::Swap(a, b)),
        (at.clone(), at.clone()).prop_map(|(a, b)| Damage::Repeat(a, b)),
        (at, prop::sample::select(words.to_vec())).prop_map(|(at, word)| Damage::Put(at, format!("{word} "))),
    ]
}

fn damaged(mut tokens: Vec<String>, damages: &[Damage]) -> String {
    for damage in damages {
        let count = tokens.len();
        match damage {
            Damage::Drop(at) => drop(tokens.remove(at % count)),
            Damage::Swap(a, b) => tokens.swap(a % count, b % count),
            Damage::Repeat(from, to) => tokens.insert(to % count, tokens[from % count].clone()),
            Damage::Put(at, word) => tokens.insert(at % count, word.clone()),
        }
    }
    tokens.concat()
}

#[test]
fn damaged_programs_make_no_parser_panic() {
    ravel_driver::on_large_stack(|| {
        let samples = samples();
        let config = ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() };
        let which = 0..samples.len();
        proptest!(config, |(which in which, damages in prop::collection::vec(damage(), 1..4))| {
            read(&damaged(samples[which].clone(), &damages));
        });
        let which = 0..samples.len();
        proptest!(config, |(picks in prop::collection::vec((which, 0..4096usize), 0..80))| {
            let pick = |&(which, at): &(usize, usize)| samples[which][at % samples[which].len()].clone();
            read(&picks.iter().map(pick).collect::<String>());
        });
        proptest!(config, |(bytes in prop::collection::vec(any::<u8>(), 0..200), text in "\\PC{0,200}")| {
            read(&String::from_utf8_lossy(&bytes));
            read(&text);
        });
    });
}
