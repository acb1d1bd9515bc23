//! Modules: declarations of modules, and the expressions that give them.

use ravel_base::{Limitation, Span};
use ravel_syntax::ast::{self, ModuleExp, QualName};

use crate::checker::Checker;
use crate::env::{Entry, Module};
use crate::names::Frame;
use crate::tast::Exp;

impl Checker<'_> {
    /// Checks `module m = …`.
    pub(crate) fn module(&mut self, dec: &ast::ModuleDec) {
        if !dec.params.is_empty() || dec.signature.is_some() {
            return self.refuse(Limitation::Modules, dec.span);
        }
        self.path.push(dec.name.node);
        let module = self.module_exp(&dec.body);
        self.path.pop();
        if let Some(module) = module {
            self.declare(dec.name.node, dec.name.span, Entry::Module(module));
        }
    }

    /// Checks `open m`: its names are names of the module around, too.
    pub(crate) fn open_module(&mut self, written: &ModuleExp) {
        let Some(module) = self.module_exp(written) else { return };
        let local = self.local;
        if let Some(frame) = self.frames.last_mut() {
            module.into_entries().for_each(|(name, entry)| frame.insert(name, entry, local));
        }
    }

    /// The module that an expression gives; `None` where it has an error.
    fn module_exp(&mut self, written: &ModuleExp) -> Option<Module> {
        match written {
            ModuleExp::Name(name) => self.named_module(name),
            ModuleExp::Structure(decs, _) => {
                let local = std::mem::replace(&mut self.local, false);
                self.frames.push(Frame::default());
                self.declarations(decs);
                let frame = self.frames.pop().unwrap_or_default();
                self.local = local;
                Some(frame.exports)
            }
            ModuleExp::Lambda(_, _, _, span) | ModuleExp::Apply(_, _, span) => self.refused(*span),
            ModuleExp::Ascribed(_, signature) => {
                let span = signature.span();
                self.refused(span)
            }
            ModuleExp::Import(_, span) => {
                self.refuse(Limitation::Imports, *span);
                None
            }
        }
    }

    fn refused(&mut self, span: Span) -> Option<Module> {
        self.refuse(Limitation::Modules, span);
        None
    }

    /// The module of this name.
    fn named_module(&mut self, name: &QualName) -> Option<Module> {
        let path: Vec<_> = name.quals.iter().copied().chain([name.name]).collect();
        let found = self.find_module(&path).cloned();
        if found.is_none() {
            self.unknown_module(name);
            self.incomplete = true;
        }
        found
    }

    /// `m.(e)`.
    pub(crate) fn open_in(&mut self, name: &QualName, inner: &ast::Exp) -> Exp {
        let Some(module) = self.named_module(name) else { return self.broken(inner.span) };
        let scope = self.scopes.mark();
        self.scopes.open(module);
        let checked = self.exp(inner);
        self.scopes.leave(scope);
        checked
    }
}
