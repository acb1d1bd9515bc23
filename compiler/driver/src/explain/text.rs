//! The explanation as people read it: a picture for each operator, then the constructs.

use std::collections::{BTreeSet, HashSet};
use std::fmt::Write as _;

use ravel_base::{FileId, Label, Span, Symbol};

use super::{Construct, Explanation, Need, Operator};
use crate::render::{Remark, Style, remark};
use crate::source::Source;

/// What an operator is to itself that is there several times, as one of a function that is called twice.
const ANOTHER_COPY: &str = "another copy of it";

/// How many operators are named that one became one with by a rule.
const MOST_NAMED: usize = 8;

impl Explanation {
    /// As text, with carets on the source.
    pub fn text(&self, source: &Source, style: Style) -> String {
        let [operators, constructs] = [self.operators.len(), self.constructs.len()];
        let mut text = format!(
            "{operators} parallel operator{} became {constructs} construct{}.\n",
            plural(operators),
            plural(constructs)
        );
        for operator in &self.operators {
            text.push('\n');
            text.push_str(&remark(source.sources(), &self.remark(operator, source), style));
        }
        for (at, construct) in self.constructs.iter().enumerate() {
            text.push('\n');
            self.construct(&mut text, at, construct, source);
        }
        text
    }

    fn remark(&self, operator: &Operator, source: &Source) -> Remark {
        let mut notes = Vec::new();
        for fired in &operator.fired {
            let others = fired.others.iter().map(|&other| match other == operator.span {
                true => ANOTHER_COPY.to_owned(),
                false => self.named(other, operator.span, source),
            });
            let mut named: Vec<String> = others.take(MOST_NAMED).collect();
            match fired.others.len() - named.len() {
                0 => {}
                more => named.push(format!("and {more} more")),
            }
            notes.push(match named.is_empty() {
                true => format!("{} fired", fired.rule),
                false => format!("{} fired, with {}", fired.rule, named.join(", ")),
            });
        }
        notes.extend(operator.kept.iter().cloned());
        // A reason says which rule it is of where there are several, and places may have several reasons.
        let drawn = operator.refused.iter().filter(|(_, refusal)| refusal.span.is_some());
        let several = drawn.map(|(rule, _)| rule).collect::<BTreeSet<_>>().len() > 1;
        let mut reasons: Vec<(Span, Vec<String>)> = vec![(operator.span, Vec::new())];
        for (rule, refusal) in &operator.refused {
            let with = match refusal.other {
                None => String::new(),
                Some(other) if other == operator.span => format!(" with {ANOTHER_COPY}"),
                Some(other) => format!(" with {}", self.in_construct(other, operator.span, source)),
            };
            let premise = refusal.premise;
            let note = format!("{rule} did not fire{with}\nit requires {}: {}", premise.name, premise.about);
            if !notes.contains(&note) {
                notes.push(note);
            }
            let Some(span) = refusal.span else {
                let is_said = refusal.name.is_some() || !premise.otherwise.contains("{}");
                notes.extend(is_said.then(|| refusal.reason()));
                continue;
            };
            let reason = if several { format!("{rule}: {}", refusal.reason()) } else { refusal.reason() };
            match reasons.iter_mut().find(|(known, _)| *known == span) {
                Some((_, known)) if known.contains(&reason) => {}
                Some((_, known)) => known.push(reason),
                None => reasons.push((span, vec![reason])),
            }
        }
        let mut drawings = reasons
            .into_iter()
            .map(|(span, reasons)| Label { span: self.place(span), text: reasons.join("; ") });
        let caret = drawings.next().map(|label| label.text).unwrap_or_default();
        let labels: Vec<Label> = drawings.collect();
        let numbers: Vec<String> = operator.constructs.iter().map(|at| (at + 1).to_string()).collect();
        let became = match &numbers[..] {
            [] => "nothing is left of it".to_owned(),
            [one] => format!("part of construct {one}"),
            [most @ .., last] => format!("part of constructs {} and {last}", most.join(", ")),
        };
        let title = operator.name.clone();
        Remark { title, message: became, span: operator.part, caret, labels, notes }
    }

    /// Where to see what stands at a place: of an operator, its own part.
    pub(super) fn place(&self, span: Span) -> Span {
        let operator = self.operators.iter().find(|operator| operator.span == span);
        operator.map_or(span, |operator| operator.part)
    }

    /// An operator in a sentence about what stands at another place: `the map at 3:5`.
    fn named(&self, span: Span, about: Span, source: &Source) -> String {
        let at = source.sources().position(span.file, self.place(span).start);
        let file = match span.file == about.file {
            true => String::new(),
            false => format!("{}:", source.sources().file(span.file).name),
        };
        match self.operators.iter().find(|operator| operator.span == span) {
            Some(operator) => format!("the {} at {file}{}:{}", operator.name, at.line, at.column),
            None => format!("what stands at {file}{}:{}", at.line, at.column),
        }
    }

    /// The same with the construct that it is part of: what is fused with it counts too.
    fn in_construct(&self, span: Span, about: Span, source: &Source) -> String {
        let named = self.named(span, about, source);
        let operator = self.operators.iter().find(|operator| operator.span == span);
        let [construct] = operator.map_or(&[][..], |operator| &operator.constructs) else { return named };
        let parts = self.operators.iter().filter(|operator| operator.constructs.contains(construct));
        match parts.count() {
            1 => named,
            _ => format!("{named} and what else is in construct {}", construct + 1),
        }
    }

    fn construct(&self, text: &mut String, at: usize, construct: &Construct, source: &Source) {
        let _ = writeln!(text, "construct {}, in {}: {}", at + 1, construct.function, construct.form);
        let runs = match (construct.inside, &construct.segments[..]) {
            (Some(around), _) => {
                format!("part of construct {}, each point of which does it alone", around + 1)
            }
            (None, []) => "no segment of its own".to_owned(),
            (None, [one]) => format!("one segment: {one}"),
            (None, several) => format!("{} segments: {}", several.len(), several.join(", ")),
        };
        let _ = writeln!(text, "  runs as {runs}");
        if let Some(span) = construct.span {
            let _ = writeln!(text, "  at {}", source.sources().describe(self.place(span)));
        }
        for (name, needs) in &construct.arrays {
            let name = name.map_or_else(|| "an array".to_owned(), |name| format!("`{name}`"));
            let _ = match needs.is_empty() {
                true => writeln!(text, "  makes {name}, which nothing needs"),
                false => writeln!(text, "  makes {name}, since {}", Need::all_told(needs)),
            };
        }
    }
}

/// Why arrays are made that an operator reads, as far as reading does not say it all; and why those that it makes, if
/// nothing else is to be said of it.
pub(super) fn kept(operator: &Operator, all: &[(Span, Vec<usize>)], constructs: &[Construct]) -> Vec<String> {
    let silent = operator.fired.is_empty() && operator.refused.is_empty();
    // What is there several times is told once: as it is in one of the constructs.
    let mut known: Vec<(String, String)> = Vec::new();
    let mut kept = Vec::new();
    for (at, construct) in constructs.iter().enumerate() {
        let own = operator.constructs.contains(&at);
        for (name, needs) in &construct.arrays {
            let name = name.map_or_else(|| "an array".to_owned(), |name| format!("`{name}`"));
            let is_told = |need: &&Need| {
                let reads = need.readers.iter().any(|reader| operator.constructs.contains(reader));
                need.is_reason && if own { silent } else { reads && is_of(need, operator.span, all) }
            };
            for need in needs.iter().filter(is_told) {
                let told = need.told();
                let alike = (name.clone(), told.chars().filter(|c| !c.is_ascii_digit()).collect());
                if !known.contains(&alike) {
                    kept.push(format!("{name} of construct {} is made, since {told}", at + 1));
                    known.push(alike);
                }
            }
        }
    }
    kept
}

/// Is it the operator at this place that needs an array, of all that its construct is made of? If it cannot be told which
/// of them does, as in a function that they call, it may be any.
fn is_of(need: &Need, operator: Span, all: &[(Span, Vec<usize>)]) -> bool {
    let holds = |span: Span| need.places.iter().any(|&place| span.holds(place));
    let reads = |constructs: &[usize]| need.readers.iter().any(|reader| constructs.contains(reader));
    holds(operator) || !all.iter().any(|(span, constructs)| reads(constructs) && holds(*span))
}

/// The words of the program and of what it imports: what is called otherwise was named by the compiler or the prelude.
pub(super) struct Names<'a>(HashSet<&'a str>);

impl Names<'_> {
    /// The words of the files in which these operators are written.
    pub fn of<'s>(source: &'s Source, operators: &[Operator]) -> Names<'s> {
        let files: BTreeSet<FileId> = operators.iter().map(|operator| operator.span.file).collect();
        let texts = files.into_iter().map(|file| &*source.sources().file(file).text);
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '\'';
        Names(texts.flat_map(|text| text.split(move |c| !is_part(c))).collect())
    }

    /// Takes a name away that is none of the program's.
    pub fn keep_known(&self, name: &mut Option<Symbol>) {
        *name = name.filter(|name| self.0.contains(name.as_str()));
    }
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}
