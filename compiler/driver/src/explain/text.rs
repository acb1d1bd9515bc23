//! The explanation as text: each operator with a source excerpt, then the constructs and the loops of the host.

use std::collections::{BTreeSet, HashSet};
use std::fmt::Write as _;

use ravel_abi::Versions;
use ravel_base::{FileId, Label, Span, Symbol};

use super::{Construct, Explanation, Operator, Placement, Use};
use crate::render::{Remark, Style, remark};
use crate::source::Source;

/// The partner of an operator that has several copies, as in a function that is called twice.
const ANOTHER_COPY: &str = "another copy of it";

/// The maximum number of partners of a firing that are named.
const MAX_NAMED: usize = 8;

impl Explanation {
    /// As text, with carets on the source.
    pub fn text(&self, source: &Source, style: Style) -> String {
        let [operators, constructs] = [self.operators.len(), self.constructs.len()];
        let mut text = format!(
            "{operators} parallel operator{} in the source, {constructs} construct{} in the optimised program.\n",
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
        for host_loop in &self.loops {
            let constructs = numbered(&host_loop.constructs).unwrap_or_default();
            let _ = writeln!(text, "\nloop on the host, in {}", host_loop.function);
            let _ = writeln!(text, "  runs {constructs} in each iteration");
            if let Some(span) = host_loop.span {
                let _ = writeln!(text, "  at {}", source.sources().describe(span));
            }
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
            let mut named: Vec<String> = others.take(MAX_NAMED).collect();
            match fired.others.len() - named.len() {
                0 => {}
                more => named.push(format!("and {more} more")),
            }
            notes.push(match named.is_empty() {
                true => format!("{} fired", fired.rule),
                false => format!("{} fired, with {}", fired.rule, named.join(", ")),
            });
        }
        notes.extend(operator.materialised.iter().cloned());
        // If several rules have a reason with a place, each reason names its rule. A place may have several reasons.
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
                let is_complete = refusal.name.is_some() || !premise.otherwise.contains("{}");
                notes.extend(is_complete.then(|| refusal.reason()));
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
        let became = match numbered(&operator.constructs) {
            None => "eliminated".to_owned(),
            Some(constructs) => format!("part of {constructs}"),
        };
        let title = operator.name.clone();
        Remark { title, message: became, span: operator.without_pipe, caret, labels, notes }
    }

    /// The place to show: of an operator, its part without a pipe's left side.
    pub(super) fn place(&self, span: Span) -> Span {
        let operator = self.operators.iter().find(|operator| operator.span == span);
        operator.map_or(span, |operator| operator.without_pipe)
    }

    /// An operator's name and place, in a sentence about another place: `the map at 3:5`.
    fn named(&self, span: Span, about: Span, source: &Source) -> String {
        let at = source.sources().position(span.file, self.place(span).start);
        let file = match span.file == about.file {
            true => String::new(),
            false => format!("{}:", source.sources().file(span.file).name),
        };
        match self.operators.iter().find(|operator| operator.span == span) {
            Some(operator) => format!("the {} at {file}{}:{}", operator.name, at.line, at.column),
            None => format!("the expression at {file}{}:{}", at.line, at.column),
        }
    }

    /// An operator as in [`Self::named`], followed by its construct if other operators are fused into that construct,
    /// since a refusal concerns the whole construct.
    fn in_construct(&self, span: Span, about: Span, source: &Source) -> String {
        let named = self.named(span, about, source);
        let operator = self.operators.iter().find(|operator| operator.span == span);
        let [construct] = operator.map_or(&[][..], |operator| &operator.constructs) else { return named };
        let parts = self.operators.iter().filter(|operator| operator.constructs.contains(construct));
        match parts.count() {
            1 => named,
            _ => format!("{named} and the rest of construct {}", construct + 1),
        }
    }

    /// How a construct runs: as segments of the grid or of a workgroup, or as part of the segment around it.
    fn execution(&self, at: usize, construct: &Construct) -> String {
        let Placement { segments, in_workgroup, is_dimension, is_loop_too, versions: _, lanes } =
            &construct.placement;
        let owner = match construct.inside {
            Some(around) if *is_dimension => {
                return format!("a dimension of the segment of construct {}", around + 1);
            }
            Some(around) if segments.is_empty() => {
                let lanes = lanes.as_ref().map_or(String::new(), |lanes| format!(" ({lanes})"));
                let code = if construct.form == "stream" { "one chunk" } else { "a loop" };
                return format!("{code} in each point of construct {}{lanes}", around + 1);
            }
            Some(around) if *in_workgroup => {
                let outermost = std::iter::successors(Some(around), |&at| self.constructs[at].inside);
                let number = outermost.last().unwrap_or(around) + 1;
                format!(" of the workgroup at each point of construct {number}")
            }
            Some(around) if *is_loop_too => format!(
                " over all points of construct {0}, or a loop in each of them (the sizes decide)",
                around + 1
            ),
            Some(around) => format!(" over all points of construct {}", around + 1),
            None => String::new(),
        };
        match &segments[..] {
            [] if self.has_segment_inside(at) => {
                "the outer dimension of the segments of the constructs inside".to_owned()
            }
            [] => "no segment of its own".to_owned(),
            [one] => format!("one segment{owner}: {one}"),
            several => {
                let groups = several.chunk_by(|a, b| a == b).map(|equal| match equal.len() {
                    1 => equal[0].clone(),
                    count => format!("{count} times {}", equal[0]),
                });
                let groups: Vec<String> = groups.collect();
                format!("{} segments{owner}: {}", several.len(), groups.join(", "))
            }
        }
    }

    /// Whether a construct inside this one, at any depth, has segments.
    fn has_segment_inside(&self, at: usize) -> bool {
        let around =
            |inside: &Construct| std::iter::successors(inside.inside, |&at| self.constructs[at].inside);
        let mut inside = self.constructs.iter().filter(|inside| around(inside).any(|around| around == at));
        inside.any(|construct| !construct.placement.segments.is_empty())
    }

    fn construct(&self, text: &mut String, at: usize, construct: &Construct, source: &Source) {
        let _ = writeln!(text, "construct {}, in {}: {}", at + 1, construct.function, construct.form);
        let runs = self.execution(at, construct);
        let _ = writeln!(text, "  runs as {runs}");
        if let Some(span) = construct.span {
            let _ = writeln!(text, "  at {}", source.sources().describe(self.place(span)));
        }
        for versions in &construct.placement.versions {
            if let Some([first, second]) = self.counts(versions) {
                let Versions { name, names: [one, other], .. } = versions;
                let _ = writeln!(text, "  versions of {name} that ran: {one} {first}, {other} {second}");
            }
        }
        for (name, uses) in &construct.arrays {
            let name = name.map_or_else(|| "an array".to_owned(), |name| format!("`{name}`"));
            let _ = match uses.is_empty() {
                true => writeln!(text, "  materialises {name}, which has no use"),
                false => writeln!(text, "  materialises {name}, because {}", Use::joined_sentence(uses)),
            };
        }
    }
}

/// The reasons why arrays that an operator reads are materialised, except the read itself. For an operator without
/// other remarks, also the reasons for the arrays that it produces.
pub(super) fn materialised(
    operator: &Operator,
    all: &[(Span, Vec<usize>)],
    constructs: &[Construct],
) -> Vec<String> {
    let has_no_remarks = operator.fired.is_empty() && operator.refused.is_empty();
    // Copies of a construct have sentences that differ only in numbers: report only the first.
    let mut known: Vec<(String, String)> = Vec::new();
    let mut sentences = Vec::new();
    for (at, construct) in constructs.iter().enumerate() {
        let own = operator.constructs.contains(&at);
        for (name, uses) in &construct.arrays {
            let name = name.map_or_else(|| "an array".to_owned(), |name| format!("`{name}`"));
            let is_reported = |array_use: &&Use| {
                let reads = array_use.readers.iter().any(|reader| operator.constructs.contains(reader));
                array_use.is_reason
                    && if own { has_no_remarks } else { reads && may_use(array_use, operator.span, all) }
            };
            for array_use in uses.iter().filter(is_reported) {
                let sentence = array_use.sentence();
                let template = (name.clone(), sentence.chars().filter(|c| !c.is_ascii_digit()).collect());
                if !known.contains(&template) {
                    sentences
                        .push(format!("{name} of construct {} is materialised, because {sentence}", at + 1));
                    known.push(template);
                }
            }
        }
    }
    sentences
}

/// Whether, of the operators fused into a construct, the one at this place may be the one that uses an array. If no
/// operator's place contains the use, as in a function that several of them call, any of them may.
fn may_use(array_use: &Use, operator: Span, all: &[(Span, Vec<usize>)]) -> bool {
    let holds = |span: Span| array_use.places.iter().any(|&place| span.holds(place));
    let reads = |constructs: &[usize]| array_use.readers.iter().any(|reader| constructs.contains(reader));
    holds(operator) || !all.iter().any(|(span, constructs)| reads(constructs) && holds(*span))
}

/// The words of the program and its imports. Any other name comes from the compiler or the prelude.
pub(super) struct SourceWords<'a>(HashSet<&'a str>);

impl SourceWords<'_> {
    /// The words of the files that contain these operators.
    pub fn of<'s>(source: &'s Source, operators: &[Operator]) -> SourceWords<'s> {
        let files: BTreeSet<FileId> = operators.iter().map(|operator| operator.span.file).collect();
        let texts = files.into_iter().map(|file| &*source.sources().file(file).text);
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '\'';
        SourceWords(texts.flat_map(|text| text.split(move |c| !is_part(c))).collect())
    }

    /// Removes a name that is not in the program.
    pub fn keep_known(&self, name: &mut Option<Symbol>) {
        *name = name.filter(|name| self.0.contains(name.as_str()));
    }
}

/// The constructs at these positions, as a list of their numbers: `constructs 1, 2 and 4`. `None` if there are none.
fn numbered(constructs: &[usize]) -> Option<String> {
    let numbers: Vec<String> = constructs.iter().map(|at| (at + 1).to_string()).collect();
    match &numbers[..] {
        [] => None,
        [one] => Some(format!("construct {one}")),
        [most @ .., last] => Some(format!("constructs {} and {last}", most.join(", "))),
    }
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}
