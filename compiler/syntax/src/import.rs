//! The files that a file imports.

use ravel_base::Span;

use crate::ast::{Dec, ModuleExp, Program};

impl Program {
    /// Every import, with the name of the file as written, in the order of the text.
    pub fn imports(&self) -> Vec<(&str, Span)> {
        let mut found = Vec::new();
        self.decs.iter().for_each(|dec| in_dec(dec, &mut found));
        found
    }
}

fn in_dec<'a>(dec: &'a Dec, found: &mut Vec<(&'a str, Span)>) {
    match dec {
        Dec::Import(file, span) => found.push((file, *span)),
        Dec::Open(module, _) => in_module(module, found),
        Dec::Module(dec) => in_module(&dec.body, found),
        Dec::Local(dec, _) | Dec::Attributed(_, dec, _) => in_dec(dec, found),
        Dec::Value(_) | Dec::Type(_) | Dec::ModuleType(_) | Dec::Error(_) => {}
    }
}

fn in_module<'a>(module: &'a ModuleExp, found: &mut Vec<(&'a str, Span)>) {
    match module {
        ModuleExp::Name(_) => {}
        ModuleExp::Ascribed(inner, _) | ModuleExp::Lambda(_, _, inner, _) => in_module(inner, found),
        ModuleExp::Apply(function, argument, _) => {
            in_module(function, found);
            in_module(argument, found);
        }
        ModuleExp::Structure(decs, _) => decs.iter().for_each(|dec| in_dec(dec, found)),
        ModuleExp::Import(file, span) => found.push((file, *span)),
    }
}
