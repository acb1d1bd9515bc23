//! Attributes: `#[word]`, `#[word(…)]`. Only `#[param(name)]` changes the meaning of a program: the user can set the
//! number when the program runs. An unknown attribute, or one with an unknown argument, has no effect, so the compiler warns.

use ravel_base::{Code, Diagnostic, Symbol, most_similar};
use ravel_syntax::ast::{Attribute, AttributeNode, QualName};

use crate::checker::Checker;

/// The attributes of expressions, in alphabetic order.
const KNOWN: &[(&str, Arguments)] = &[
    ("blank", Arguments::None),
    ("break", Arguments::None),
    ("cpu_function", Arguments::None),
    ("flattening", Arguments::OneOf(FLATTENING)),
    ("incremental_flattening", Arguments::OneOf(INCREMENTAL_FLATTENING)),
    ("inline", Arguments::None),
    ("lanes", Arguments::OneOf(&[&["inner"], &["no"], &["outer"]])),
    ("noinline", Arguments::None),
    ("opaque", Arguments::None),
    ("param", Arguments::Name),
    ("prop", Arguments::Calls(&["gen", "shrink", "size"])),
    ("recurrence", Arguments::Any),
    ("scratch", Arguments::None),
    ("sequential", Arguments::None),
    ("sequential_inner", Arguments::None),
    ("sequential_outer", Arguments::None),
    ("trace", Arguments::Any),
    ("unroll", Arguments::None),
    ("unsafe", Arguments::None),
    ("warn", Arguments::OneOf(&[&["safety_checks"]])),
];

/// The arguments of `flattening`, which choose a version of a nest.
const FLATTENING: &[&[&str]] =
    &[&["bins"], &["bins", "by_height"], &["bins", "by_width"], &["block"], &["full"], &["no"]];

/// The arguments of `incremental_flattening`, which are those of Futhark.
const INCREMENTAL_FLATTENING: &[&[&str]] = &[&["no_intra"], &["no_outer"], &["only_inner"], &["only_intra"]];

/// The arguments that an attribute takes.
#[derive(Clone, Copy)]
enum Arguments {
    /// None.
    None,
    /// A name.
    Name,
    /// One of these lists of words.
    OneOf(&'static [&'static [&'static str]]),
    /// None, or some of these words, each with an argument.
    Calls(&'static [&'static str]),
    /// None, or what the user of the attribute checks.
    Any,
}

impl Checker<'_> {
    /// The text of an attribute; `None` if it is unknown, which is reported.
    pub(crate) fn attribute(&mut self, written: &Attribute) -> Option<Symbol> {
        self.check_variables(written);
        let word = match &written.node {
            AttributeNode::Word(word) | AttributeNode::Variable(word) | AttributeNode::Call(word, _) => *word,
            AttributeNode::Number(number) => Symbol::new(&number.to_string()),
        };
        if let Some(&(_, arguments)) = KNOWN.iter().find(|(known, _)| *known == word.as_str()) {
            let warning = wrong_arguments(word, written, arguments);
            let is_known = warning.is_none();
            self.diagnostics.extend(warning);
            return is_known.then(|| Symbol::new(&text(written)));
        }
        let message = format!("Unknown attribute `{word}`");
        let warning = Diagnostic::warning(Code::UnknownAttribute, written.span, message);
        let similar = most_similar(word, KNOWN.iter().map(|(known, _)| Symbol::new(known)));
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

/// The warning about an attribute that does not take the arguments that it has.
fn wrong_arguments(word: Symbol, written: &Attribute, takes: Arguments) -> Option<Diagnostic> {
    let given = match &written.node {
        AttributeNode::Call(_, arguments) => &arguments[..],
        AttributeNode::Word(_) | AttributeNode::Number(_) | AttributeNode::Variable(_) => &[],
    };
    let warning = |message| Diagnostic::warning(Code::UnknownAttribute, written.span, message);
    let no_effect = |message| Some(warning(message).caret("this has no effect"));
    match takes {
        Arguments::Any => None,
        Arguments::None if given.is_empty() => None,
        Arguments::None => no_effect(format!("Attribute `{word}` takes no argument: `#[{word}]`")),
        Arguments::Name => match given {
            [Attribute { node: AttributeNode::Word(_), .. }] => None,
            _ => no_effect(format!("Attribute `{word}` needs a name: `#[{word}(name)]`")),
        },
        Arguments::Calls(words) => {
            let is_known = |argument: &&Attribute| matches!(&argument.node, AttributeNode::Call(name, _) if words.contains(&name.as_str()));
            Some(unknown_argument(word, given.iter().find(|argument| !is_known(argument))?, words))
        }
        Arguments::OneOf(lists) => {
            let words: Vec<String> = given.iter().map(text).collect();
            if lists.iter().any(|list| words == *list) {
                return None;
            }
            let agree = |list: &&[&str], count: usize| list.len() >= count && words[..count] == list[..count];
            let next = |count: usize| {
                let known = lists.iter().filter(|list| agree(list, count)).filter_map(|list| list.get(count));
                let mut known: Vec<&str> = known.copied().collect();
                known.dedup();
                known
            };
            let right = (0..words.len()).find(|&count| !next(count).contains(&&words[count][..]));
            let Some(wrong) = right else {
                let list = listed(&next(words.len()));
                return Some(
                    warning(format!("Attribute `{word}` needs an argument"))
                        .help(format!("known arguments: {list}")),
                );
            };
            Some(unknown_argument(word, &given[wrong], &next(wrong)))
        }
    }
}

/// The warning about an argument of an attribute that takes only these words there.
fn unknown_argument(word: Symbol, argument: &Attribute, known: &[&str]) -> Diagnostic {
    let name = match &argument.node {
        AttributeNode::Call(name, _) => *name,
        _ => Symbol::new(&text(argument)),
    };
    let warning = Diagnostic::warning(
        Code::UnknownAttribute,
        argument.span,
        format!("Unknown argument `{name}` of attribute `{word}`"),
    );
    let warning = warning.caret("the attribute has no effect");
    if known.is_empty() {
        return warning.help("leave this argument out");
    }
    let list = listed(known);
    let similar = most_similar(name, known.iter().map(|known| Symbol::new(known)));
    warning.help(match similar {
        Some(similar) => format!("did you mean `{similar}`? Known arguments: {list}"),
        None => format!("known arguments: {list}"),
    })
}

fn listed(words: &[&str]) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
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
