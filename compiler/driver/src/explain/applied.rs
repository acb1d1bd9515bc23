//! What is applied where, and by which name.
//!
//! The place of an operator is that of the application, with what is piped into it; lowering gives it to all that the
//! application becomes. Which name is applied there, the typed tree knows.

use std::collections::{BTreeMap, HashSet};

use ravel_base::Span;
use ravel_types::tast::{Exp, ExpNode, Program, ValueId};
use ravel_types::visit::{Visit, walk_exp};

use crate::image::PRELUDE;
use crate::library::Library;
use crate::source::Source;

/// An operator as it is written.
pub struct Applied {
    /// Its name.
    pub name: String,
    /// Its own part of its place: of `xs |> f |> g`, that is `g`.
    pub part: Span,
}

/// What a program, and what it uses of the library, applies at these places, which are in their order.
pub fn applied(program: &Program, places: &[Span], source: &Source) -> BTreeMap<Span, Applied> {
    let mut search =
        Search { places, source, found: BTreeMap::new(), used: Vec::new(), known: HashSet::new() };
    program.definitions.iter().for_each(|definition| search.function(&definition.function));
    while let Some(id) = search.used.pop() {
        let used = Library::get().definition(id).filter(|used| used.span.file != PRELUDE);
        used.into_iter().for_each(|used| search.function(&used.function));
    }
    search.found
}

struct Search<'s> {
    places: &'s [Span],
    source: &'s Source,
    found: BTreeMap<Span, Applied>,
    /// The values that were named so far, and those of them that are yet to be looked at.
    known: HashSet<ValueId>,
    used: Vec<ValueId>,
}

impl<'a> Visit<'a> for Search<'_> {
    fn value(&mut self, id: ValueId) {
        if self.known.insert(id) {
            self.used.push(id);
        }
    }

    fn exp(&mut self, exp: &'a Exp) {
        walk_exp(self, exp);
        if self.places.binary_search(&exp.span).is_err() {
            return;
        }
        let applied = match &exp.node {
            ExpNode::Apply(function, args) => {
                let Some(name) = name_of(function) else { return };
                let is_piped = args.last().is_some_and(|last| last.span.end <= name.start);
                let part = if is_piped { self.behind_pipe(exp.span, name) } else { exp.span };
                Applied { name: self.word(name), part }
            }
            ExpNode::Equal(positive, ..) => {
                Applied { name: if *positive { "==" } else { "!=" }.to_owned(), part: exp.span }
            }
            ExpNode::Var { .. } if !self.found.contains_key(&exp.span) => {
                Applied { name: self.word(exp.span), part: exp.span }
            }
            _ => return,
        };
        self.found.insert(exp.span, applied);
    }
}

impl Search<'_> {
    fn text(&self, span: Span) -> &str {
        let text = &self.source.sources().file(span.file).text;
        text.get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    /// A name without the marks that make an operator a function, and a function an operator.
    fn word(&self, name: Span) -> String {
        self.text(name).trim_matches(['(', ')', '`']).to_owned()
    }

    /// What stands in an application behind the `|>` in front of this name, without brackets around them all.
    fn behind_pipe(&self, application: Span, name: Span) -> Span {
        let before = self.text(Span { end: name.start, ..application });
        let behind = before.rfind("|>").map_or(before, |at| &before[at + 2..]).trim_start();
        let mut part = Span { start: name.start - behind.len() as u32, ..application };
        while self.text(part).matches(')').count() > self.text(part).matches('(').count() {
            part.end = part.start + self.text(part).trim_end_matches(|c| c != ')').len() as u32 - 1;
        }
        part
    }
}

/// The name of what is applied, however often.
fn name_of(function: &Exp) -> Option<Span> {
    match &function.node {
        ExpNode::Apply(inner, _) | ExpNode::Attributed(_, inner) | ExpNode::Coerce(inner) => name_of(inner),
        ExpNode::Let { body, .. } | ExpNode::LetFunction { body, .. } => name_of(body),
        ExpNode::Var { .. } | ExpNode::Project(..) => Some(function.span),
        _ => None,
    }
}
