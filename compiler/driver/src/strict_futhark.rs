//! Warnings about uses of Ravel's additions to Futhark's language, for `--strict-futhark`.
//!
//! The additions are some prelude functions and stated recurrences. Imports of library files get no warning: they are visible
//! in the program, and the files can be copied along with it.

use std::collections::BTreeMap;

use ravel_base::{Code, Diagnostic, Span};
use ravel_types::tast::{Definition, Exp, ExpNode, ValueId};
use ravel_types::visit::{Visit, walk_exp};

use crate::image::PRELUDE;
use crate::library::Library;
use crate::source::{Problems, Source};
use crate::stages;

/// The prelude functions that Futhark does not have, each with a replacement.
const FUNCTIONS: &[(&str, &str)] = &[
    ("stream_map", "a `map`, or nested ones over an array that is cut by `unflatten`"),
    ("stream_red", "a `reduce` after a `map`"),
];

/// Warnings about the uses of Ravel's additions to Futhark in a program, in source order.
///
/// # Errors
/// Errors in the program.
pub fn extension_warnings(source: &Source) -> Result<Vec<Diagnostic>, Problems> {
    let (program, _) = stages::typed_program(source)?;
    let mut finder = Finder { found: BTreeMap::new() };
    for definition in &program.definitions {
        match definition.promise {
            true => {
                let message = "Stated recurrences are an addition to Futhark";
                finder.warn(definition.span, message.to_owned(), "leave the attribute out");
            }
            false => finder.function(&definition.function),
        }
    }
    // Library files state recurrences too; warn only about the user's files.
    let is_users = |span: &Span| !source.sources().file(span.file).name.starts_with('<');
    Ok(finder.found.into_iter().filter(|(span, _)| is_users(span)).map(|(_, warning)| warning).collect())
}

/// Collects uses of additions by place, so that copies, as of a parametric module, give one warning.
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
