//! Name resolution.
//!
//! Local names are on a stack, and the end of a scope pops its names. A lookup searches the local names first, then the
//! declarations checked so far, from the innermost module outwards, and finally the prelude.

use std::rc::Rc;

use ravel_base::{Code, Diagnostic, Span, Symbol};
use ravel_prim::PrimType;
use ravel_syntax::ast::{Name, QualName};
use rustc_hash::FxHashMap;

use crate::checker::Checker;
use crate::desugar::PRELUDE;
use crate::env::{Entry, Module, ModuleEntry, Scheme, Signature, Space, TypeEntry, ValueEntry};
use crate::tast::{Type, TypeParamId, ValueId};

/// The meaning of a local name.
#[derive(Clone, Debug)]
pub(crate) struct Local {
    pub(crate) id: ValueId,
    pub(crate) scheme: Rc<Scheme>,
    depth: usize,
}

/// The local names.
#[derive(Debug, Default)]
pub(crate) struct Scopes {
    values: FxHashMap<Symbol, Vec<Local>>,
    types: FxHashMap<Symbol, Vec<(TypeParamId, usize)>>,
    /// Modules opened by `m.(e)`, with the depth of the stack at that time.
    opened: Vec<(Module, usize)>,
    stack: Vec<Binding>,
}

#[derive(Debug)]
enum Binding {
    Value(Symbol),
    Type(Symbol),
    Module,
}

/// A state of the stack to which [`Scopes::leave`] can return.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScopeMark(usize);

impl Scopes {
    /// The present state.
    pub(crate) fn mark(&self) -> ScopeMark {
        ScopeMark(self.stack.len())
    }

    /// Removes the names bound since the mark.
    pub(crate) fn leave(&mut self, mark: ScopeMark) {
        while self.stack.len() > mark.0 {
            match self.stack.pop() {
                Some(Binding::Value(name)) => drop(self.values.get_mut(&name).and_then(Vec::pop)),
                Some(Binding::Type(name)) => drop(self.types.get_mut(&name).and_then(Vec::pop)),
                Some(Binding::Module) => drop(self.opened.pop()),
                None => {}
            }
        }
    }

    /// Binds a name.
    pub(crate) fn bind(&mut self, name: Symbol, id: ValueId, scheme: Scheme) {
        let local = Local { id, scheme: Rc::new(scheme), depth: self.stack.len() };
        self.values.entry(name).or_default().push(local);
        self.stack.push(Binding::Value(name));
    }

    /// Binds the name of a type parameter.
    pub(crate) fn bind_type(&mut self, name: Symbol, id: TypeParamId) {
        self.types.entry(name).or_default().push((id, self.stack.len()));
        self.stack.push(Binding::Type(name));
    }

    /// Binds all names of a module.
    pub(crate) fn open(&mut self, module: Module) {
        self.opened.push((module, self.stack.len()));
        self.stack.push(Binding::Module);
    }

    /// The meaning of a local name.
    pub(crate) fn value(&self, name: Symbol) -> Option<&Local> {
        self.values.get(&name)?.last()
    }

    /// The modules opened since this depth, the last one first.
    fn opened_since(&self, depth: usize) -> impl Iterator<Item = &Module> {
        self.opened.iter().rev().take_while(move |(_, at)| *at >= depth).map(|(module, _)| module)
    }

    /// All names of values.
    pub(crate) fn names(&self) -> impl Iterator<Item = Symbol> {
        let bound = self.values.iter().filter(|(_, bindings)| !bindings.is_empty()).map(|(&name, _)| name);
        bound.chain(self.opened.iter().flat_map(|(module, _)| module.values.keys().copied()))
    }

    /// All names of types.
    pub(crate) fn type_names(&self) -> impl Iterator<Item = Symbol> {
        let bound = self.types.iter().filter(|(_, bindings)| !bindings.is_empty()).map(|(&name, _)| name);
        bound.chain(self.opened.iter().flat_map(|(module, _)| module.types.keys().copied()))
    }
}

/// The names that the declarations of a module have bound so far.
#[derive(Debug, Default)]
pub(crate) struct Frame {
    /// The names visible to users of the module.
    pub(crate) exports: Module,
    /// The names visible only to later declarations of the module. They shadow the exports.
    locals: Module,
    /// The places of the declarations.
    declared: FxHashMap<(Space, Symbol), Span>,
}

impl Frame {
    /// Binds a name; a `local` one is not visible outside the module.
    pub(crate) fn insert(&mut self, name: Symbol, entry: Entry, local: bool) {
        if local {
            self.locals.insert(name, entry);
        } else {
            self.locals.remove(entry.space(), name);
            self.exports.insert(name, entry);
        }
    }

    /// Takes the exported value of this name and id out of scope.
    pub(crate) fn take_export(&mut self, name: Symbol, id: ValueId) -> Option<ValueEntry> {
        if self.exports.values.get(&name)?.id == id { self.exports.values.remove(&name) } else { None }
    }

    /// The names in scope, innermost first.
    fn modules(&self) -> impl Iterator<Item = &Module> {
        [&self.locals, &self.exports].into_iter()
    }
}

/// The meaning of a resolved value name.
pub(crate) enum ValueBinding<'a> {
    Local(Local),
    Global(&'a ValueEntry),
}

/// The meaning of a resolved type name.
pub(crate) enum TypeBinding<'a> {
    Param(TypeParamId),
    Declared(&'a TypeEntry),
}

/// The meaning of a name in the name space of values and modules.
enum Term<'a> {
    Value(ValueBinding<'a>),
    Module(&'a ModuleEntry),
}

fn term(module: &Module, name: Symbol) -> Option<Term<'_>> {
    let value = || module.values.get(&name).map(|entry| Term::Value(ValueBinding::Global(entry)));
    module.module(name).map(Term::Module).or_else(value)
}

impl Checker<'_> {
    /// Binds a local name of this type.
    pub(crate) fn bind(&mut self, name: Symbol, ty: Type) -> ValueId {
        let id = self.named_value(name);
        self.scopes.bind(name, id, Scheme::mono(ty));
        id
    }

    /// Binds a size parameter or binder.
    pub(crate) fn bind_size(&mut self, name: Symbol) -> ValueId {
        self.bind(name, Type::Prim(PrimType::I64))
    }

    /// Binds the name of a declaration. A duplicate is an error unless one of the two is local.
    pub(crate) fn declare(&mut self, name: Symbol, span: Span, entry: Entry) {
        let local = self.local;
        let Some(frame) = self.frames.last_mut() else { return };
        let kind = entry.kind();
        let first = if local { None } else { frame.declared.insert((entry.space(), name), span) };
        frame.insert(name, entry, local);
        if let Some(first) = first {
            let before = self.position(first);
            let message = format!("Duplicate definition of {kind} {name}. Previously defined at {before}");
            self.duplicate(message, span, first);
        }
    }

    /// Where the innermost declaration of a value or module of this name is, if it is in the file.
    pub(crate) fn declared_at(&self, name: Symbol) -> Option<Span> {
        self.frames.iter().rev().find_map(|frame| frame.declared.get(&(Space::Terms, name)).copied())
    }

    /// The declarations of the file that are in scope, innermost first.
    pub(crate) fn own_modules(&self) -> impl Iterator<Item = &Module> {
        self.frames.iter().rev().flat_map(Frame::modules)
    }

    fn own_term(&self, name: Symbol) -> Option<Term<'_>> {
        let local = self.scopes.value(name);
        let mut opened = self.scopes.opened_since(local.map_or(0, |local| local.depth));
        opened
            .find_map(|module| term(module, name))
            .or_else(|| local.map(|local| Term::Value(ValueBinding::Local(local.clone()))))
            .or_else(|| self.own_modules().find_map(|module| term(module, name)))
    }

    fn term(&self, name: Symbol) -> Option<Term<'_>> {
        self.own_term(name).or_else(|| term(&self.env.root, name))
    }

    /// Whether the name has the prelude's meaning, because the file does not redefine it.
    pub(crate) fn has_prelude_meaning(&self, name: Symbol) -> bool {
        self.own_term(name).is_none()
    }

    /// The meaning that the file itself gives the name, if any.
    pub(crate) fn find_own(&self, name: Symbol) -> Option<ValueBinding<'_>> {
        match self.own_term(name)? {
            Term::Value(found) => Some(found),
            Term::Module(_) => None,
        }
    }

    /// The meaning of a name.
    pub(crate) fn find(&self, name: &QualName) -> Option<ValueBinding<'_>> {
        if name.quals.is_empty() {
            return match self.term(name.name)? {
                Term::Value(found) => Some(found),
                Term::Module(_) => None,
            };
        }
        let module = match name.quals[..] {
            [module] if module.as_str() == PRELUDE => &self.env.root,
            _ => self.find_module(&name.quals)?,
        };
        module.values.get(&name.name).map(ValueBinding::Global)
    }

    /// If the dotted name is a field access, the record: `m.r` for `m.r.x`.
    pub(crate) fn record_in(&self, name: &QualName) -> Option<QualName> {
        let mut length = 0;
        name.quals.iter().enumerate().find_map(|(modules, &node)| {
            length += node.as_str().len() as u32;
            let span = Span { end: name.span.start + length, ..name.span };
            length += 1;
            let record = QualName { quals: name.quals[..modules].to_vec(), name: node, span };
            self.find(&record).is_some().then_some(record)
        })
    }

    /// The module with this path.
    pub(crate) fn find_module(&self, quals: &[Symbol]) -> Option<&Module> {
        match self.find_module_entry(quals)? {
            ModuleEntry::Structure(module) => Some(module),
            ModuleEntry::Functor(_) => None,
        }
    }

    /// The module, perhaps a parametric one, with this path.
    pub(crate) fn find_module_entry(&self, path: &[Symbol]) -> Option<&ModuleEntry> {
        let (first, rest) = path.split_first()?;
        let Term::Module(outermost) = self.term(*first)? else { return None };
        rest.iter().try_fold(outermost, |entry, name| match entry {
            ModuleEntry::Structure(module) => module.module(*name),
            ModuleEntry::Functor(_) => None,
        })
    }

    /// The module type of this name.
    pub(crate) fn find_signature(&self, name: &QualName) -> Option<&Signature> {
        if !name.quals.is_empty() {
            return self.find_module(&name.quals)?.signature(name.name);
        }
        let mut around = self.own_modules().chain([&self.env.root]);
        around.find_map(|module| module.signature(name.name))
    }

    /// The meaning of a type name that is not the name of a primitive type.
    pub(crate) fn find_type(&self, name: &QualName) -> Option<TypeBinding<'_>> {
        if !name.quals.is_empty() {
            return self.find_module(&name.quals)?.types.get(&name.name).map(TypeBinding::Declared);
        }
        self.find_type_name(name.name)
    }

    /// The meaning of an unqualified type name.
    pub(crate) fn find_type_name(&self, name: Symbol) -> Option<TypeBinding<'_>> {
        let param = self.scopes.types.get(&name).and_then(|bindings| bindings.last());
        let mut opened = self.scopes.opened_since(param.map_or(0, |(_, depth)| *depth));
        opened
            .find_map(|module| module.types.get(&name))
            .map(TypeBinding::Declared)
            .or_else(|| param.map(|(id, _)| TypeBinding::Param(*id)))
            .or_else(|| {
                let mut around = self.own_modules().chain([&self.env.root]);
                around.find_map(|module| module.types.get(&name)).map(TypeBinding::Declared)
            })
    }

    /// Reports names bound twice in one pattern or parameter list.
    pub(crate) fn distinct_names<'e>(&mut self, names: impl Iterator<Item = &'e Name>) {
        let mut known: Vec<&Name> = Vec::new();
        for name in names {
            if let Some(first) = known.iter().find(|known| known.node == name.node) {
                self.duplicate_name(name.node, name.span, first.span);
            }
            known.push(name);
        }
    }

    /// Reports a name bound twice in one pattern or parameter list.
    pub(crate) fn duplicate_name(&mut self, name: Symbol, span: Span, first: Span) {
        let message = format!("Name `{name}` also bound at {}", self.position(first));
        self.duplicate(message, span, first);
    }

    fn duplicate(&mut self, message: String, span: Span, first: Span) {
        let diagnostic = Diagnostic::error(Code::DuplicateName, span, message)
            .caret("bound a second time")
            .label(first, "bound here first")
            .help("give one of them another name");
        self.diagnostics.push(diagnostic);
    }

    /// Reports duplicate fields, constructors or parameters (called `what`) in one type, value or pattern.
    /// True if there are none.
    pub(crate) fn distinct<'e>(
        &mut self,
        names: impl Iterator<Item = &'e Name>,
        what: &str,
        sigil: &str,
    ) -> bool {
        let before = self.diagnostics.len();
        let mut known: Vec<&Name> = Vec::new();
        for name in names {
            if let Some(first) = known.iter().find(|known| known.node == name.node) {
                let (name, span) = (name.node, name.span);
                let reference =
                    format!("{what} `{sigil}{name}` previously defined at {}", self.position(first.span));
                let diagnostic =
                    Diagnostic::error(Code::DuplicateName, span, format!("`{sigil}{name}` is written twice"))
                        .caret("Duplicate: written a second time")
                        .label(first.span, "written here first")
                        .note(reference)
                        .help("remove one of them, or give it another name");
                self.diagnostics.push(diagnostic);
            }
            known.push(name);
        }
        self.diagnostics.len() == before
    }
}

/// The name as it is written in the source.
pub(crate) fn source_text(name: &QualName) -> String {
    name.quals.iter().map(|qual| format!("{qual}.")).collect::<String>() + name.name.as_str()
}
