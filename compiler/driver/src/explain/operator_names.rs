//! The name of the operator that a program applies at each place, taken from the typed tree.
//!
//! The place of an operator is the whole application, including a pipe's left side. Lowering gives that place to every
//! statement that it generates from the application.

use std::collections::{BTreeMap, HashSet};

use ravel_base::Span;
use ravel_types::tast::{Exp, ExpNode, Program, ValueId};
use ravel_types::visit::{Visit, walk_exp};

use crate::image::PRELUDE;
use crate::library::Library;
use crate::source::Source;

/// The name of an operator in the source.
pub struct OperatorName {
    /// The name.
    pub name: String,
    /// The operator's place without a pipe's left side: `g` in `xs |> f |> g`.
    pub without_pipe: Span,
}

/// The names of the operators at these places, which are sorted, in a program and the library definitions that it uses.
pub fn operator_names(program: &Program, places: &[Span], source: &Source) -> BTreeMap<Span, OperatorName> {
    let mut search =
        Search { places, source, names: BTreeMap::new(), pending: Vec::new(), reached: HashSet::new() };
    program.definitions.iter().for_each(|definition| search.function(&definition.function));
    while let Some(id) = search.pending.pop() {
        let used = Library::get().definition(id).filter(|used| used.span.file != PRELUDE);
        used.into_iter().for_each(|used| search.function(&used.function));
    }
    search.names
}

struct Search<'s> {
    places: &'s [Span],
    source: &'s Source,
    names: BTreeMap<Span, OperatorName>,
    /// The values that the program reaches.
    reached: HashSet<ValueId>,
    /// The reached values whose definitions are not searched yet.
    pending: Vec<ValueId>,
}

impl<'a> Visit<'a> for Search<'_> {
    fn value(&mut self, id: ValueId) {
        if self.reached.insert(id) {
            self.pending.push(id);
        }
    }

    fn exp(&mut self, exp: &'a Exp) {
        walk_exp(self, exp);
        if self.places.binary_search(&exp.span).is_err() {
            return;
        }
        let name = match &exp.node {
            ExpNode::Apply(function, args) => {
                let Some(name) = name_of(function) else { return };
                let is_piped = args.last().is_some_and(|last| last.span.end <= name.start);
                let without_pipe = if is_piped { self.after_pipe(exp.span, name) } else { exp.span };
                OperatorName { name: self.word(name), without_pipe }
            }
            ExpNode::Equal(positive, ..) => {
                OperatorName { name: if *positive { "==" } else { "!=" }.to_owned(), without_pipe: exp.span }
            }
            ExpNode::Var { .. } if !self.names.contains_key(&exp.span) => {
                OperatorName { name: self.word(exp.span), without_pipe: exp.span }
            }
            _ => return,
        };
        self.names.insert(exp.span, name);
    }
}

impl Search<'_> {
    fn text(&self, span: Span) -> &str {
        let text = &self.source.sources().file(span.file).text;
        text.get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    /// A name without the parentheses or backquotes around it, as in `(+)` and `` `map` ``.
    fn word(&self, name: Span) -> String {
        self.text(name).trim_matches(['(', ')', '`']).to_owned()
    }

    /// The part of an application after the `|>` before this name, without parentheses around the whole pipe.
    fn after_pipe(&self, application: Span, name: Span) -> Span {
        let before = self.text(Span { end: name.start, ..application });
        let own = before.rfind("|>").map_or(before, |at| &before[at + 2..]).trim_start();
        let mut part = Span { start: name.start - own.len() as u32, ..application };
        while self.text(part).matches(')').count() > self.text(part).matches('(').count() {
            part.end = part.start + self.text(part).trim_end_matches(|c| c != ')').len() as u32 - 1;
        }
        part
    }
}

/// The name at the head of nested applications.
fn name_of(function: &Exp) -> Option<Span> {
    match &function.node {
        ExpNode::Apply(inner, _) | ExpNode::Attributed(_, inner) | ExpNode::Coerce(inner) => name_of(inner),
        ExpNode::Let { body, .. } | ExpNode::LetFunction { body, .. } => name_of(body),
        ExpNode::Var { .. } | ExpNode::Project(..) => Some(function.span),
        _ => None,
    }
}
