//! Module declarations and module expressions.
//!
//! The body of a parametric module is checked once, for a parameter of which only the module type
//! is known. An application copies the body's definitions with fresh ids, and substitutes the argument's
//! definitions and types for the parameter's.

use std::sync::Arc;

use ravel_base::{Code, Diagnostic, Limitation, Span, Symbol};
use ravel_syntax::ast::{self, ModuleExp, ModuleTypeExp, QualName};

use crate::checker::{Checker, Import, Mode};
use crate::consumption::Representation;
use crate::env::{
    AbstractDefinition, Application, Entry, Functor, FunctorBody, Item, Module, ModuleEntry, Signature,
    TypeEntry,
};
use crate::names::Frame;
use crate::substitute::Substitution;
use crate::tast::{Definition, Exp};

/// The maximum number of definitions and specifications that parametric modules and module types may copy.
const ITEM_LIMIT: usize = 100_000;

impl Checker<'_> {
    /// Checks `module m … = …`.
    pub(crate) fn module_declaration(&mut self, dec: &ast::ModuleDec) {
        self.path.push(dec.name.node);
        let module = self.parametric(&dec.params, dec.signature.as_ref(), &dec.body);
        self.path.pop();
        match module {
            Some(module) => self.declare(dec.name.node, dec.name.span, Entry::Module(module.into())),
            None => self.incomplete = true,
        }
    }

    /// A module with these parameters.
    fn parametric(
        &mut self,
        params: &[ast::ModuleParam],
        signature: Option<&ModuleTypeExp>,
        body: &ModuleExp,
    ) -> Option<ModuleEntry> {
        match params.split_first() {
            Some((param, rest)) => {
                let checked =
                    self.written_functor(param, |checker| checker.parametric(rest, signature, body));
                checked.map(|functor| ModuleEntry::Functor(Arc::new(functor)))
            }
            None => {
                let module = self.module_exp(body)?;
                match signature {
                    Some(signature) => self.ascribe_module(&module, signature, place(body)),
                    None => Some(module),
                }
            }
        }
    }

    fn written_functor(
        &mut self,
        param: &ast::ModuleParam,
        body: impl FnOnce(&mut Self) -> Option<ModuleEntry>,
    ) -> Option<Functor> {
        let template = self.module_type(&param.signature)?;
        let param_type = self.instance_of(&template, Some(param.name.node));
        self.functor(param_type, |checker, module| {
            let mut frame = Frame::default();
            frame.insert(param.name.node, Entry::Module(module.clone().into()), false);
            checker.frames.push(frame);
            let result = body(checker);
            checker.frames.pop();
            result
        })
    }

    /// The parametric module whose result is what `body` returns for the parameter. The names of its definitions are
    /// qualified by the module that an application defines.
    pub(crate) fn functor(
        &mut self,
        param: Signature,
        body: impl FnOnce(&mut Self, &ModuleEntry) -> Option<ModuleEntry>,
    ) -> Option<Functor> {
        let (outside, path) = (std::mem::take(&mut self.items), std::mem::take(&mut self.path));
        let result = self.with_own_size_definitions(|checker| {
            checker.record_size_definitions(&param);
            body(checker, &param.module)
        });
        let items = std::mem::replace(&mut self.items, outside);
        self.path = path;
        let types = items.iter().flat_map(|item| match item {
            Item::Definition(_) | Item::Size(_) => Vec::new(),
            Item::Type(definition) => vec![definition.id],
            Item::Application(application) => application.result.types.clone(),
        });
        let result = Signature { types: types.collect(), sizes: Vec::new(), module: result? };
        Some(Functor { param, result, body: FunctorBody::Items(items) })
    }

    /// Checks `open m`, which adds the names of `m` to the enclosing module.
    pub(crate) fn open_module(&mut self, written: &ModuleExp) {
        let module = self.module_exp(written).and_then(|module| self.structure(module, written.span()));
        self.bring_into_scope(module, self.local);
    }

    /// Checks `import "file"`, which is `local open import "file"`.
    pub(crate) fn open_file(&mut self, file: &str) {
        let module = self.imported(file);
        self.bring_into_scope(module, true);
    }

    /// The exports of an imported file; `None` if it was not found, which has been reported.
    fn imported(&self, file: &str) -> Option<Module> {
        match *self.imports?.get(file)? {
            Import::File(number) | Import::Earlier(number) => self.files.get(number).cloned(),
            Import::Checked(module) => Some(module.clone()),
        }
    }

    /// The exports of the text before this one, at a prompt.
    pub(crate) fn earlier_text(&self) -> Option<&Module> {
        self.imports?.values().find_map(|import| match *import {
            Import::Earlier(number) => self.files.get(number),
            Import::File(_) | Import::Checked(_) => None,
        })
    }

    fn bring_into_scope(&mut self, module: Option<Module>, local: bool) {
        let Some(module) = module else {
            self.incomplete = true;
            return;
        };
        if let Some(frame) = self.frames.last_mut() {
            module.into_entries().for_each(|(name, entry)| frame.insert(name, entry, local));
        }
    }

    /// The module that an expression denotes; `None` after an error.
    pub(crate) fn module_exp(&mut self, written: &ModuleExp) -> Option<ModuleEntry> {
        match written {
            ModuleExp::Name(name) if self.is_intrinsics(name) => {
                let message = "The 'intrinsics' module may not be used in module expressions";
                let diagnostic = Diagnostic::error(Code::UnknownModule, name.span, message);
                let help = "name what is needed of it, as in `intrinsics.opaque`";
                self.diagnostics.push(diagnostic.help(help));
                None
            }
            ModuleExp::Name(name) => self.named_module(name),
            ModuleExp::Structure(decs, _) => {
                let local = std::mem::replace(&mut self.local, false);
                self.frames.push(Frame::default());
                self.declarations(decs);
                let frame = self.frames.pop().expect("the frame pushed above");
                self.local = local;
                Some(ModuleEntry::Structure(frame.exports))
            }
            ModuleExp::Ascribed(inner, signature) => {
                let module = self.module_exp(inner)?;
                self.ascribe_module(&module, signature, place(inner))
            }
            ModuleExp::Lambda(param, signature, body, _) => {
                let checked = self
                    .written_functor(param, |checker| checker.parametric(&[], signature.as_deref(), body));
                checked.map(|functor| ModuleEntry::Functor(Arc::new(functor)))
            }
            ModuleExp::Apply(function, argument, _) => {
                let function_span = function.span();
                let function = self.module_exp(function);
                let argument_entry = self.module_exp(argument);
                match function? {
                    ModuleEntry::Functor(functor) => {
                        self.apply_functor(&functor, &argument_entry?, "", place(argument))
                    }
                    ModuleEntry::Structure(_) => {
                        let message = "This module takes no argument";
                        let diagnostic = Diagnostic::error(Code::NotParametric, function_span, message)
                            .note("Cannot apply non-parametric module");
                        self.diagnostics.push(
                            diagnostic.help(
                                "a parametric module is declared with parameters: `module m (p: t) = …`",
                            ),
                        );
                        None
                    }
                }
            }
            ModuleExp::Import(file, _) => self.imported(file).map(ModuleEntry::Structure),
        }
    }

    /// The definitions of a module. Reports a parametric module.
    pub(crate) fn structure(&mut self, module: ModuleEntry, span: Span) -> Option<Module> {
        match module {
            ModuleEntry::Structure(module) => Some(module),
            ModuleEntry::Functor(_) => {
                let message = "This module needs an argument before it can be used";
                let diagnostic = Diagnostic::error(Code::NotParametric, span, message)
                    .note("Cannot have parametric module here");
                self.diagnostics.push(diagnostic.help("apply it to a module first: `module m = f { … }`"));
                None
            }
        }
    }

    /// The module of this name.
    fn named_module(&mut self, name: &QualName) -> Option<ModuleEntry> {
        let path: Vec<_> = name.quals.iter().copied().chain([name.name]).collect();
        let found = self.find_module_entry(&path).cloned();
        if found.is_none() {
            self.unknown_module(name);
        }
        found
    }

    /// Whether the name means the prelude's module `intrinsics`.
    fn is_intrinsics(&self, name: &QualName) -> bool {
        const INTRINSICS: &str = "intrinsics";
        let is_named = name.name.as_str() == INTRINSICS && name.quals.is_empty();
        is_named && self.mode == Mode::Program && self.has_prelude_meaning(name.name)
    }

    /// `m.(e)`.
    pub(crate) fn open_in(&mut self, name: &QualName, inner: &ast::Exp) -> Exp {
        let module = self.named_module(name).and_then(|module| self.structure(module, name.span));
        let Some(module) = module else { return self.broken(inner.span) };
        let scope = self.scopes.mark();
        self.scopes.open(module);
        let checked = self.exp(inner);
        self.scopes.leave(scope);
        checked
    }

    /// A parametric module applied to a module. `path` precedes names in messages, as in [`Self::match_module`].
    pub(crate) fn apply_functor(
        &mut self,
        functor: &Functor,
        argument: &ModuleEntry,
        path: &str,
        span: Span,
    ) -> Option<ModuleEntry> {
        let mut given = Substitution::default();
        self.match_module(argument, &functor.param, path, span, &mut given)?;
        match &functor.body {
            FunctorBody::Param(_) => {
                let result = given.signature(&functor.result, &mut self.free);
                let result = self.instance_of(&result, None);
                self.record_size_definitions(&result);
                let module = result.module.clone();
                let argument = given.module(&functor.param.module, &mut self.free);
                let application = Application { functor: functor.clone(), argument, result };
                self.items.push(Item::Application(Box::new(application)));
                self.check_size_of_types(&given, span)?;
                Some(module)
            }
            FunctorBody::Items(items) => {
                self.copy_items(items, &mut given, span)?;
                let module = given.module(&functor.result.module, &mut self.free);
                self.check_size_of_types(&given, span)?;
                Some(module)
            }
        }
    }

    /// Reports a substitution that made the type of a value or of an expression too large; `None` if there is one.
    pub(crate) fn check_size_of_types(&mut self, given: &Substitution, span: Span) -> Option<()> {
        if given.take_exhausted() {
            self.limit(Limitation::TypeSize, span);
            return None;
        }
        Some(())
    }

    /// Copies the definitions of a parametric module.
    fn copy_items(&mut self, items: &[Item], given: &mut Substitution, span: Span) -> Option<()> {
        self.count_copies(items.len(), span)?;
        for item in items {
            match item {
                Item::Definition(definition) => {
                    let (id, name) = (self.fresh_value(), self.qualified(definition.name));
                    let mut copy = Definition { id, name, ..definition.clone() };
                    given.values.insert(definition.id, copy.id);
                    given.function(&mut copy.function);
                    if let Some(&name) = self.names.get(&definition.id) {
                        self.names.insert(copy.id, name);
                    }
                    self.copy_constant_parts(definition.id, copy.id);
                    self.items.push(Item::Definition(copy));
                }
                Item::Size(made) => self.instantiate_size_definition(made, given),
                Item::Type(definition) => {
                    let meaning = given.type_entry(&definition.meaning, &mut self.free);
                    let opaque = self.define_abstract(self.qualified(definition.name), meaning);
                    given.types.insert(definition.id, opaque);
                }
                Item::Application(application) => {
                    let functor = given.functor(&application.functor, &mut self.free);
                    let argument = given.module(&application.argument, &mut self.free);
                    let result = self.apply_functor(&functor, &argument, "", span)?;
                    let template = given.signature(&application.result, &mut self.free);
                    self.match_module(&result, &template, "", span, given)?;
                }
            }
        }
        Some(())
    }

    /// Counts the definitions and specifications to copy; `None` if the limit is exceeded.
    pub(crate) fn count_copies(&mut self, items: usize, span: Span) -> Option<()> {
        let before = self.copies;
        self.copies += items;
        if self.copies <= ITEM_LIMIT {
            return Some(());
        }
        if before <= ITEM_LIMIT {
            self.limit(Limitation::ModuleCopies, span);
        }
        None
    }

    /// The name qualified by the modules being defined.
    pub(crate) fn qualified(&self, name: Symbol) -> Symbol {
        let path = self.path.iter().map(|module| format!("{module}.")).collect::<String>();
        Symbol::new(&(path + name.as_str()))
    }

    /// Defines a new abstract type with this definition. Returns the meaning of its name.
    pub(crate) fn define_abstract(&mut self, name: Symbol, meaning: TypeEntry) -> TypeEntry {
        let id = self.fresh_type_id();
        let opaque = TypeEntry::opaque(id, name, meaning.liftedness, meaning.params.clone());
        let known = Representation { prim: self.prim_of(&meaning.ty), arrays: self.arrays_of(&meaning.ty) };
        self.abstract_types.insert(id, known);
        self.items.push(Item::Type(AbstractDefinition { id, name, meaning }));
        opaque
    }
}

/// The place at which to report a wrong module. For a module in braces it is the beginning.
fn place(module: &ModuleExp) -> Span {
    match module {
        ModuleExp::Structure(_, span) => Span { end: span.start + 1, ..*span },
        other => other.span(),
    }
}
