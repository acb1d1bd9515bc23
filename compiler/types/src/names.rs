//! Names in scope.
//!
//! Local names stand on a stack: leaving a scope takes off what was bound in it. Behind them come
//! the modules being defined, innermost first, and behind those what was defined before the file.

use std::collections::HashMap;
use std::rc::Rc;

use ravel_base::{Code, Diagnostic, Span, Symbol};
use ravel_prim::PrimType;
use ravel_syntax::ast::QualName;

use crate::checker::Checker;
use crate::env::{Module, Scheme, ValueEntry};
use crate::tast::{Type, TypeParamId, ValueId};

/// What a local name stands for.
#[derive(Clone, Debug)]
pub(crate) struct Local {
    pub(crate) id: ValueId,
    pub(crate) scheme: Rc<Scheme>,
}

/// The local names.
#[derive(Debug, Default)]
pub(crate) struct Scopes {
    values: HashMap<Symbol, Vec<Local>>,
    types: HashMap<Symbol, Vec<TypeParamId>>,
    trail: Vec<Bound>,
}

#[derive(Debug)]
enum Bound {
    Value(Symbol),
    Type(Symbol),
}

/// A point to which the local names can be set back.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScopeMark(usize);

impl Scopes {
    /// The present point.
    pub(crate) fn mark(&self) -> ScopeMark {
        ScopeMark(self.trail.len())
    }

    /// Forgets what was bound since.
    pub(crate) fn leave(&mut self, mark: ScopeMark) {
        while self.trail.len() > mark.0 {
            match self.trail.pop() {
                Some(Bound::Value(name)) => drop(self.values.get_mut(&name).and_then(Vec::pop)),
                Some(Bound::Type(name)) => drop(self.types.get_mut(&name).and_then(Vec::pop)),
                None => {}
            }
        }
    }

    /// Binds a name.
    pub(crate) fn bind(&mut self, name: Symbol, id: ValueId, scheme: Scheme) {
        self.values.entry(name).or_default().push(Local { id, scheme: Rc::new(scheme) });
        self.trail.push(Bound::Value(name));
    }

    /// Binds the name of a type parameter.
    pub(crate) fn bind_type(&mut self, name: Symbol, id: TypeParamId) {
        self.types.entry(name).or_default().push(id);
        self.trail.push(Bound::Type(name));
    }

    fn value(&self, name: Symbol) -> Option<&Local> {
        self.values.get(&name)?.last()
    }

    /// The type parameter of this name.
    pub(crate) fn type_param(&self, name: Symbol) -> Option<TypeParamId> {
        self.types.get(&name)?.last().copied()
    }

    /// All names of values.
    pub(crate) fn names(&self) -> impl Iterator<Item = Symbol> {
        self.values.iter().filter(|(_, bindings)| !bindings.is_empty()).map(|(&name, _)| name)
    }

    /// All names of type parameters.
    pub(crate) fn type_names(&self) -> impl Iterator<Item = Symbol> {
        self.types.iter().filter(|(_, bindings)| !bindings.is_empty()).map(|(&name, _)| name)
    }
}

/// A name resolved.
pub(crate) enum Found<'a> {
    Local(Local),
    Global(&'a ValueEntry),
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

    /// What the file itself means by a name, if anything.
    pub(crate) fn find_own(&self, name: Symbol) -> Option<Found<'_>> {
        if let Some(local) = self.scopes.value(name) {
            return Some(Found::Local(local.clone()));
        }
        self.modules.iter().rev().find_map(|module| module.values.get(&name)).map(Found::Global)
    }

    /// What a name means.
    pub(crate) fn find(&self, name: &QualName) -> Option<Found<'_>> {
        if name.quals.is_empty() {
            let before = || self.env.root.values.get(&name.name).map(Found::Global);
            return self.find_own(name.name).or_else(before);
        }
        self.find_module(&name.quals)?.values.get(&name.name).map(Found::Global)
    }

    /// Does the name in front of a dot mean a value? A local one goes before a module, and a module
    /// before other values.
    pub(crate) fn is_value(&self, name: Symbol) -> bool {
        let is_module = || self.find_module(&[name]).is_some();
        let is_global = || self.find_own(name).is_some() || self.env.root.values.contains_key(&name);
        self.scopes.value(name).is_some() || (!is_module() && is_global())
    }

    /// The module with this path.
    pub(crate) fn find_module(&self, quals: &[Symbol]) -> Option<&Module> {
        let (first, rest) = quals.split_first()?;
        let own = self.modules.iter().rev().find_map(|module| module.modules.get(first));
        let outermost = own.or_else(|| self.env.root.modules.get(first))?;
        rest.iter().try_fold(outermost, |module, name| module.modules.get(name))
    }

    /// Reports a name bound twice at once.
    pub(crate) fn duplicate_name(&mut self, name: Symbol, span: Span, first: Span) {
        let message = format!("Duplicate definition of `{name}`");
        let diagnostic = Diagnostic::error(Code::DuplicateName, span, message)
            .caret("bound a second time")
            .label(first, "bound here first")
            .help("give one of them another name");
        self.diagnostics.push(diagnostic);
    }
}

/// The name as written.
pub(crate) fn written(name: &QualName) -> String {
    name.quals.iter().map(|qual| format!("{qual}.")).collect::<String>() + name.name.as_str()
}
