//! Counts the forms of a compiled program, for the `structure` clauses of test blocks.
//!
//! A form has the name that the text of the IR gives it: `screma`, `loop`, `replicate`, and `map`, `reduce`, `write`, `combine`
//! for the sinks of a screma or stream. A segment counts as `segment` and by its level, `grid` or `block`; `dimension` counts
//! the dimensions of all index spaces. Case does not matter. Forms inside branches, loops and lambdas count like others.

use ravel_core::visit::Visit;
use ravel_core::{
    Atom, Exp, Level as CoreLevel, Program as CoreProgram, Screma, Segment, Sink, Stream, StreamSink, Var,
    exp_without_bodies,
};
use ravel_kernel::{
    self as kernel, Body, GridSegment, Host, Level, MemProgram, Points, SegmentKind, Stm, Thread, Visit as _,
};
use ravel_prim::{BinOp, CmpOp, UnOp};

/// A form: its name and the predicate that recognises it.
type Form<T> = (&'static str, fn(&T) -> bool);

/// The forms of core IR's expressions, without operators.
const EXPS: &[Form<Exp>] = &[
    ("screma", |exp| matches!(exp, Exp::Screma(_))),
    ("segment", |exp| matches!(exp, Exp::Segment(_))),
    ("stream", |exp| matches!(exp, Exp::Stream(_))),
    ("if", |exp| matches!(exp, Exp::If { .. })),
    ("loop", |exp| matches!(exp, Exp::Loop(_))),
    ("call", |exp| matches!(exp, Exp::Call(..))),
    ("assert", |exp| matches!(exp, Exp::Assert { .. })),
    ("convert", |exp| matches!(exp, Exp::Convert(..))),
    ("array", |exp| matches!(exp, Exp::ArrayLit(_))),
    ("index", |exp| matches!(exp, Exp::Index(..))),
    ("slice", |exp| matches!(exp, Exp::Slice(..))),
    ("update", |exp| matches!(exp, Exp::Update { .. })),
    ("iota", |exp| matches!(exp, Exp::Iota { .. })),
    ("replicate", |exp| matches!(exp, Exp::Replicate { .. })),
    ("param", |exp| matches!(exp, Exp::Param(..))),
    ("scratch", |exp| matches!(exp, Exp::Scratch)),
    ("copy", |exp| matches!(exp, Exp::Copy(_))),
    ("rearrange", |exp| matches!(exp, Exp::Rearrange(..))),
    ("reshape", |exp| matches!(exp, Exp::Reshape(_))),
    ("manifest", |exp| matches!(exp, Exp::Manifest(..))),
    ("concat", |exp| matches!(exp, Exp::Concat(_))),
];

/// The forms of a screma's sinks.
const SINKS: &[Form<Sink>] = &[
    ("map", |sink| matches!(sink, Sink::Map)),
    ("reduce", |sink| matches!(sink, Sink::Reduce { .. })),
    ("write", |sink| matches!(sink, Sink::Write { .. })),
    ("combine", |sink| matches!(sink, Sink::Combine { .. })),
];

/// The name of a screma's scan.
const SCAN: &str = "scan";

/// The forms of a stream's sinks, with the names of a screma's.
const STREAM_SINKS: &[Form<StreamSink>] = &[
    ("map", |sink| matches!(sink, StreamSink::Map)),
    ("reduce", |sink| matches!(sink, StreamSink::Reduce { .. })),
];

/// The levels of core IR's segments.
const LEVELS: &[Form<Segment>] = &[
    ("grid", |segment| segment.level == CoreLevel::Grid),
    ("block", |segment| segment.level == CoreLevel::Workgroup),
];

/// The dimensions of core IR's segments.
const DIMENSION: &str = "dimension";

/// The segments of kernel IR.
const SEGMENTS: &[Form<SegmentKind>] = &[
    ("segmap", |kind| matches!(kind, SegmentKind::Map)),
    ("segred", |kind| matches!(kind, SegmentKind::Reduce(_))),
    ("segscan", |kind| matches!(kind, SegmentKind::Scan(..))),
];

/// The segments of kernel IR whose points are computed by workgroups.
const SEGBLOCKS: &str = "segblocks";

/// The other statements of kernel IR.
fn statements<L: Level>() -> &'static [Form<Stm<L>>] {
    &[
        ("alloc", |stm| matches!(stm, Stm::Alloc { .. })),
        ("constants", |stm| matches!(stm, Stm::Constants { .. })),
        ("load", |stm| matches!(stm, Stm::Load { .. })),
        ("store", |stm| matches!(stm, Stm::Store { .. })),
        ("combine", |stm| matches!(stm, Stm::Combine { .. })),
        ("copy", |stm| matches!(stm, Stm::Copy { .. })),
        ("if", |stm| matches!(stm, Stm::If { .. })),
        ("loop", |stm| matches!(stm, Stm::Loop { .. })),
        ("assert", |stm| matches!(stm, Stm::Assert { .. })),
        ("call", |stm| matches!(stm, Stm::Call { .. })),
    ]
}

/// The number of occurrences of each form.
#[derive(Clone, Debug)]
pub struct FormCounts(Vec<(&'static str, usize)>);

impl FormCounts {
    /// Counts the forms of a program in core IR.
    pub fn of_core(program: &CoreProgram) -> FormCounts {
        let operators = UnOp::ALL.iter().map(|op| op.name());
        let operators = operators.chain(BinOp::ALL.iter().map(|op| op.name()));
        let operators = operators.chain(CmpOp::ALL.iter().map(|op| op.name()));
        let forms = names(EXPS).chain(names(SINKS)).chain([SCAN]).chain(names(LEVELS)).chain([DIMENSION]);
        let mut counts = FormCounts::new(forms.chain(operators));
        program.functions.iter().for_each(|function| counts.function(function));
        counts
    }

    /// Counts the forms of a program in kernel IR.
    pub fn of_kernel(program: &MemProgram) -> FormCounts {
        let forms = names(SEGMENTS).chain([SEGBLOCKS]).chain(names(statements::<Host>()));
        let mut counts = KernelFormCounts(FormCounts::new(forms));
        program.host_functions.iter().for_each(|function| counts.body(&function.body));
        program.thread_functions.iter().for_each(|function| counts.body(&function.body));
        program.entries.iter().for_each(|entry| counts.body(&entry.body));
        counts.0
    }

    /// The number of occurrences of a form; `None` if there is no such form.
    pub fn count(&self, form: &str) -> Option<usize> {
        self.0.iter().find(|(name, _)| name.eq_ignore_ascii_case(form)).map(|&(_, count)| count)
    }

    /// The names of the forms.
    pub fn forms(&self) -> impl Iterator<Item = &'static str> {
        self.0.iter().map(|&(name, _)| name)
    }

    fn new(forms: impl Iterator<Item = &'static str>) -> FormCounts {
        FormCounts(forms.map(|form| (form, 0)).collect())
    }

    fn add(&mut self, form: &str) {
        if let Some((_, count)) = self.0.iter_mut().find(|(name, _)| *name == form) {
            *count += 1;
        }
    }

    fn classify<T>(&mut self, forms: &[Form<T>], thing: &T) {
        if let Some((form, _)) = forms.iter().find(|(_, is)| is(thing)) {
            self.add(form);
        }
    }
}

/// Counts forms of kernel IR.
struct KernelFormCounts(FormCounts);

impl kernel::Visit for KernelFormCounts {
    fn stm<L: Level>(&mut self, stm: &Stm<L>) {
        self.0.classify(statements(), stm);
        self.children(stm);
    }

    fn grid_segment(&mut self, segment: &GridSegment) {
        match &segment.points {
            Points::Threads { kind, body } => self.threads(kind, body),
            Points::Workgroups(body) => {
                self.0.add(SEGBLOCKS);
                self.body(body);
            }
        }
    }

    fn threads(&mut self, kind: &SegmentKind, body: &Body<Thread>) {
        self.0.classify(SEGMENTS, kind);
        self.body(body);
        kind.combiners().iter().for_each(|combiner| self.body(&combiner.body));
        kind.finish().into_iter().for_each(|finish| self.body(&finish.body));
    }
}

impl Visit for FormCounts {
    fn var(&mut self, _: &Var) {}

    fn binder(&mut self, _: &Var) {}

    fn atom(&mut self, _: &Atom) {}

    fn exp(&mut self, exp: &Exp) {
        self.classify(EXPS, exp);
        match exp {
            Exp::Unary(op, _) => self.add(op.name()),
            Exp::Binary(op, ..) => self.add(op.name()),
            Exp::Compare(op, ..) => self.add(op.name()),
            Exp::If { then, otherwise, .. } => {
                self.body(then);
                self.body(otherwise);
            }
            Exp::Loop(looped) => self.body(&looped.body),
            Exp::Screma(screma) => self.screma(screma),
            Exp::Segment(segment) => {
                self.classify(LEVELS, segment);
                segment.space().for_each(|_| self.add(DIMENSION));
                self.screma(&segment.screma);
            }
            Exp::Stream(stream) => self.stream(stream),
            exp_without_bodies!() => {}
        }
    }

    fn screma(&mut self, screma: &Screma) {
        screma.lambdas().for_each(|lambda| self.body(&lambda.body));
        screma.scans.iter().for_each(|_| self.add(SCAN));
        screma.sinks.iter().for_each(|sink| self.classify(SINKS, sink));
    }

    fn stream(&mut self, stream: &Stream) {
        stream.lambdas().for_each(|lambda| self.body(&lambda.body));
        stream.sinks.iter().for_each(|sink| self.classify(STREAM_SINKS, sink));
    }
}

fn names<T>(forms: &'static [Form<T>]) -> impl Iterator<Item = &'static str> {
    forms.iter().map(|&(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, Source};

    fn counts(text: &str) -> FormCounts {
        let source = Source::new("test.dsl", text);
        let target = &ravel_kernel::Target::CPU;
        FormCounts::of_core(
            &crate::optimised_core(&source, &Options::default(), target, None).expect("it compiles"),
        )
    }

    #[test]
    fn nested_forms_count_and_case_does_not_matter() {
        let text = "entry main (xss: [][]i32): i64 = i64.sum (map (\\xs -> i64.i32 (i32.sum xs)) xss)";
        let counts = counts(text);
        assert_eq!(
            [counts.count("Screma"), counts.count("reduce"), counts.count("map")],
            [Some(2), Some(2), Some(0)]
        );
        assert_eq!(counts.count("convert"), Some(1));
        assert_eq!(counts.count("screms"), None);
    }

    #[test]
    fn no_form_is_listed_twice() {
        let mut forms: Vec<_> = counts("entry main = 1i32").forms().collect();
        let all = forms.len();
        forms.sort_unstable();
        forms.dedup();
        assert_eq!(forms.len(), all);
    }
}
