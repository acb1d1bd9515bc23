//! Attributes: `#[word]`, `#[word(…)]`. None changes what a program means; one that is not known
//! is worth a warning, since it does nothing.

use ravel_base::{Code, Diagnostic, Symbol};
use ravel_syntax::ast::{Attribute, AttributeNode};

use crate::checker::Checker;
use crate::unknown::most_similar;

/// The attributes of expressions.
const KNOWN: &[&str] = &[
    "blank",
    "break",
    "flattening",
    "incremental_flattening",
    "inline",
    "noinline",
    "opaque",
    "param",
    "prop",
    "recurrence",
    "scratch",
    "sequential",
    "sequential_inner",
    "sequential_outer",
    "trace",
    "unroll",
    "unsafe",
    "warn",
];

impl Checker<'_> {
    /// The text of an attribute; `None` of an unknown one.
    pub(crate) fn attribute(&mut self, written: &Attribute) -> Option<Symbol> {
        let word = match &written.node {
            AttributeNode::Word(word) | AttributeNode::Call(word, _) => *word,
            AttributeNode::Number(number) => Symbol::new(&number.to_string()),
        };
        if KNOWN.contains(&word.as_str()) {
            return Some(Symbol::new(&text(written)));
        }
        let message = format!("unknown attribute `{word}`");
        let warning = Diagnostic::warning(Code::UnknownAttribute, written.span, message);
        let similar = most_similar(word, KNOWN.iter().map(|known| Symbol::new(known)));
        self.diagnostics.push(match similar {
            Some(known) => warning.help(format!("did you mean `{known}`?")),
            None => warning.caret("this has no effect"),
        });
        None
    }
}

fn text(attribute: &Attribute) -> String {
    match &attribute.node {
        AttributeNode::Word(word) => word.to_string(),
        AttributeNode::Number(number) => number.to_string(),
        AttributeNode::Call(word, arguments) => {
            format!("{word}({})", arguments.iter().map(text).collect::<Vec<_>>().join(", "))
        }
    }
}
