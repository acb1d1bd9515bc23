//! Attributes: `#[word]`, `#[word(…)]`. Only `#[param(name)]` changes the meaning of a program: the user can set the
//! number when the program runs. An unknown attribute has no effect, so the compiler warns.

use ravel_base::{Code, Diagnostic, Symbol, most_similar};
use ravel_syntax::ast::{Attribute, AttributeNode, QualName};

use crate::checker::Checker;

/// The attributes of expressions.
const KNOWN: &[&str] = &[
    "blank",
    "break",
    "cpu_function",
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
    /// The text of an attribute; `None` if it is unknown, which is reported.
    pub(crate) fn attribute(&mut self, written: &Attribute) -> Option<Symbol> {
        self.check_variables(written);
        let word = match &written.node {
            AttributeNode::Word(word) | AttributeNode::Variable(word) | AttributeNode::Call(word, _) => *word,
            AttributeNode::Number(number) => Symbol::new(&number.to_string()),
        };
        if word.as_str() == "param" && !is_parameter(written) {
            let message = "Attribute `param` needs a name: `#[param(name)]`";
            let warning = Diagnostic::warning(Code::UnknownAttribute, written.span, message);
            self.diagnostics.push(warning.caret("this has no effect"));
            return None;
        }
        if KNOWN.contains(&word.as_str()) {
            return Some(Symbol::new(&text(written)));
        }
        let message = format!("Unknown attribute `{word}`");
        let warning = Diagnostic::warning(Code::UnknownAttribute, written.span, message);
        let similar = most_similar(word, KNOWN.iter().map(|known| Symbol::new(known)));
        self.diagnostics.push(match similar {
            Some(known) => warning.help(format!("did you mean `{known}`?")),
            None => warning.caret("this has no effect"),
        });
        None
    }

    /// The text of an attribute of something whose value is not a number: a pattern, a function, a type, a module, a
    /// specification. `None` if it is unknown, or is `param`.
    pub(crate) fn attribute_without_value(&mut self, written: &Attribute) -> Option<Symbol> {
        let attribute = self.attribute(written)?;
        let Some(name) = parameter(attribute) else { return Some(attribute) };
        let message = format!("`#[param({name})]` must stand in front of an expression");
        let error = Diagnostic::error(Code::MisplacedParameter, written.span, message);
        self.diagnostics.push(
            error
                .caret("a tuning parameter sets the value of an expression")
                .help(format!("put it in front of the default: `#[param({name})] 16`")),
        );
        None
    }

    /// Reports unknown variables in an attribute.
    fn check_variables(&mut self, written: &Attribute) {
        match &written.node {
            AttributeNode::Variable(name) => {
                let name = QualName { quals: Vec::new(), name: *name, span: written.span };
                if self.find(&name).is_none() {
                    self.unknown_name(&name);
                }
            }
            AttributeNode::Call(_, arguments) => {
                arguments.iter().for_each(|argument| self.check_variables(argument));
            }
            AttributeNode::Word(_) | AttributeNode::Number(_) => {}
        }
    }
}

fn is_parameter(attribute: &Attribute) -> bool {
    matches!(&attribute.node, AttributeNode::Call(_, arguments)
        if matches!(&arguments[..], [Attribute { node: AttributeNode::Word(_), .. }]))
}

/// The name of the tuning parameter that an attribute `param(name)` declares.
pub fn parameter(attribute: Symbol) -> Option<Symbol> {
    let name = attribute.as_str().strip_prefix("param(")?.strip_suffix(')')?;
    Some(Symbol::new(name))
}

fn text(attribute: &Attribute) -> String {
    match &attribute.node {
        AttributeNode::Word(word) => word.to_string(),
        AttributeNode::Number(number) => number.to_string(),
        AttributeNode::Variable(name) => format!("${name}"),
        AttributeNode::Call(word, arguments) => {
            format!("{word}({})", arguments.iter().map(text).collect::<Vec<_>>().join(", "))
        }
    }
}
