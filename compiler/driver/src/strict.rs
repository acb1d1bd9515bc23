//! What Ravel adds to Futhark's language, found in a program that should do without.
//!
//! Warned of are the functions of the prelude that Futhark has not, and stated recurrences. That a
//! program imports files of the library is plain to see, and these are text that may go with it.

use std::collections::BTreeMap;

use ravel_base::{Code, Diagnostic, Span};
use ravel_types::tast::{Definition, Exp, ExpNode, ValueId};
use ravel_types::visit::{Visit, walk_exp};

use crate::image::PRELUDE;
use crate::library::Library;
use crate::source::{Problems, Source};
use crate::stages;

/// The functions that the prelude has beyond Futhark's, each with what to write instead.
const FUNCTIONS: &[(&str, &str)] = &[
    ("stream_map", "a `map`, or nested ones over an array that is cut by `unflatten`"),
    ("stream_red", "a `reduce` behind a `map`"),
];

/// Warnings of what is not in Futhark's language, in the order of the text.
///
/// # Errors
/// What is wrong with the program.
pub fn additions(source: &Source) -> Result<Vec<Diagnostic>, Problems> {
    let (program, _) = stages::typed(source)?;
    let mut finder = Finder { found: BTreeMap::new() };
    for definition in &program.definitions {
        match definition.promise {
            true => {
                let message = "stated recurrences are an addition to Futhark";
                finder.warn(definition.span, message.to_owned(), "leave the attribute out");
            }
            false => finder.function(&definition.function),
        }
    }
    // A promise of the library is not the user's.
    let is_users = |span: &Span| !source.sources().file(span.file).name.starts_with('<');
    Ok(finder.found.into_iter().filter(|(span, _)| is_users(span)).map(|(_, warning)| warning).collect())
}

/// Uses of additions by their places: what is copied, as parametric modules are, is found once.
struct Finder {
    found: BTreeMap<Span, Diagnostic>,
}

impl Finder {
    fn warn(&mut self, span: Span, message: String, instead: &str) {
        let warning = Diagnostic::warning(Code::NotFuthark, span, message).help(instead);
        self.found.insert(span, warning);
    }

    fn used(&mut self, id: ValueId, span: Span) {
        let of_prelude = |definition: &&Definition| definition.span.file == PRELUDE;
        let Some(definition) = Library::get().definition(id).filter(of_prelude) else { return };
        if let Some((name, instead)) = FUNCTIONS.iter().find(|(name, _)| *name == definition.name.as_str()) {
            self.warn(span, format!("`{name}` is an addition to Futhark"), &format!("instead: {instead}"));
        }
    }
}

impl<'a> Visit<'a> for Finder {
    fn exp(&mut self, exp: &'a Exp) {
        if let ExpNode::Var { id, .. } = &exp.node {
            self.used(*id, exp.span);
        }
        walk_exp(self, exp);
    }
}
