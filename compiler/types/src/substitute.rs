//! Substitution: expresses the definitions of one module in terms of another.
//!
//! Values are renamed, abstract types are replaced by their definitions, and parametric modules that are parameters are
//! replaced by the arguments. Names bound inside a definition keep their ids, so copies of a definition bind the same
//! ids.
//!
//! The definition of an abstract type may have unknown sizes. In the interface of a module, each use of the type has its
//! own sizes with fresh ids ([`crate::abstract_sizes`]). In code, the values determine the sizes, so the types leave them
//! anonymous.

use std::cell::Cell;
use std::sync::Arc;

use crate::abstract_sizes::HiddenSize;
use crate::env::{
    AbstractDefinition, Application, Functor, FunctorBody, Ids, Item, Module, ModuleEntry, Scheme, Signature,
    TypeEntry, ValueEntry,
};
use crate::exp::TYPE_LIMIT;
use crate::size_definition::SizeDefinition;
use crate::tast::{
    Exp, ExpNode, Function, FunctionBody, Liftedness, Size, Type, TypeId, TypeParamId, ValueId,
};
use crate::unify::ERROR;
use crate::walk::Expansions;
use rustc_hash::FxHashMap;

/// The replacements for ids.
#[derive(Clone, Debug, Default)]
pub(crate) struct Substitution {
    /// Values.
    pub(crate) values: FxHashMap<ValueId, ValueId>,
    /// Abstract types.
    pub(crate) types: FxHashMap<TypeId, TypeEntry>,
    /// Parametric modules that are parameters.
    pub(crate) functors: FxHashMap<ValueId, Functor>,
    /// Type parameters.
    pub(crate) params: FxHashMap<TypeParamId, Type>,
    /// Whether the type of a value or of an expression became too large.
    is_exhausted: Cell<bool>,
}

impl Expansions for Substitution {
    fn type_budget(&self, ty: &Type, left: usize) -> Option<Option<usize>> {
        match ty {
            Type::Param(id) => {
                let replaced = self.params.get(id)?;
                Some(replaced.budget_after(left, &Substitution::default()))
            }
            Type::Abstract(named) => {
                let entry = self.types.get(&named.id)?;
                Some(entry.budget_after(left, &named.args, self))
            }
            _ => None,
        }
    }

    fn size_budget(&self, _: ValueId, _: usize) -> Option<Option<usize>> {
        None
    }
}

/// The function with these types for its type parameters.
pub fn instance(function: &Function, types: &[Type]) -> Function {
    let params = function.type_params.iter().copied().zip(types.iter().cloned()).collect();
    let mut instance = Function { type_params: Vec::new(), ..function.clone() };
    Substitution { params, ..Substitution::default() }.function(&mut instance);
    instance
}

impl Substitution {
    fn value(&self, id: ValueId) -> ValueId {
        self.values.get(&id).copied().unwrap_or(id)
    }

    fn size(&self, size: &Size) -> Size {
        match size {
            Size::Const(_) => size.clone(),
            Size::Var(id) => Size::Var(self.value(*id)),
            Size::Binary(op, a, b) => Size::Binary(*op, Box::new(self.size(a)), Box::new(self.size(b))),
            Size::Call(function, args) => {
                Size::Call(self.value(*function), args.iter().map(|arg| self.size(arg)).collect())
            }
        }
    }

    /// Whether the type of a value or of an expression has become too large since the last call. The error type replaces
    /// it.
    pub(crate) fn take_exhausted(&self) -> bool {
        self.is_exhausted.take()
    }

    /// Substitutes in a type that occurs in code.
    fn ty(&self, ty: &Type) -> Type {
        if self.is_too_large(ty) {
            self.is_exhausted.set(true);
            return ERROR;
        }
        self.replace_ids(ty, &mut |_, _| Vec::new())
    }

    /// Whether the definitions of the abstract types in a type make it too large. Types double with each
    /// `module b: { type t } = { type t = (a.t, a.t) }`.
    fn is_too_large(&self, ty: &Type) -> bool {
        !self.types.is_empty() && ty.budget_after(TYPE_LIMIT, self).is_none()
    }

    /// Substitutes in a type of an interface. Also returns the fresh sizes of the replaced abstract types.
    fn interface_type(&self, ty: &Type, free: &mut Ids) -> (Type, Vec<HiddenSize>) {
        let mut hidden = Vec::new();
        let shown = self.replace_ids(ty, &mut |id, entry| {
            let sizes = 0..entry.exists.len();
            let sizes = sizes.map(|number| HiddenSize { id: free.fresh_value(), origin: (id, number) });
            let sizes: Vec<HiddenSize> = sizes.collect();
            hidden.extend_from_slice(&sizes);
            sizes.into_iter().map(|size| Size::Var(size.id)).collect()
        });
        (shown, hidden)
    }

    /// Substitutes in a type. `exists` returns the sizes that replace the unknown sizes of an abstract type.
    fn replace_ids(&self, ty: &Type, exists: &mut dyn FnMut(TypeId, &TypeEntry) -> Vec<Size>) -> Type {
        ty.map_all(&mut |id| self.params.get(&id).cloned(), &mut |size| self.size(size), &mut |named| {
            let entry = self.types.get(&named.id)?;
            Some(entry.apply(&named.args, &exists(named.id, entry)))
        })
    }

    /// Substitutes in the type of a value.
    pub(crate) fn scheme(&self, scheme: &Scheme, free: &mut Ids) -> Scheme {
        if self.is_too_large(&scheme.ty) {
            self.is_exhausted.set(true);
            return Scheme { ty: ERROR, ..scheme.clone() };
        }
        let (ty, hidden) = self.interface_type(&scheme.ty, free);
        let mut scheme = Scheme { ty, ..scheme.clone() };
        scheme.bind_hidden(&hidden);
        scheme
    }

    /// Substitutes in a declared type. The result may be too large to be used, and it may have unknown sizes although the
    /// original had none. If an abstract type is replaced by its definition, the result has the liftedness of the definition.
    pub(crate) fn type_entry(&self, entry: &TypeEntry, free: &mut Ids) -> TypeEntry {
        if self.is_too_large(&entry.ty) {
            return TypeEntry { ty: ERROR, too_large: true, ..entry.clone() };
        }
        let (ty, hidden) = self.interface_type(&entry.ty, free);
        let meaning = entry.abstract_id().and_then(|id| self.types.get(&id));
        let liftedness = meaning.map_or(entry.liftedness, |meaning| meaning.liftedness);
        let mut entry = TypeEntry { ty, liftedness, ..entry.clone() };
        entry.exists.extend(hidden.into_iter().map(|size| size.id));
        if !entry.exists.is_empty() {
            entry.liftedness = entry.liftedness.max(Liftedness::SizeLifted);
        }
        entry
    }

    fn structure(&self, module: &Module, free: &mut Ids) -> Module {
        let mut value = |entry: &ValueEntry| ValueEntry {
            id: self.value(entry.id),
            scheme: self.scheme(&entry.scheme, free),
        };
        Module {
            values: module.values.iter().map(|(&name, entry)| (name, value(entry))).collect(),
            modules: module
                .modules
                .iter()
                .map(|(&name, entry)| (name, self.module(entry, free).into()))
                .collect(),
            types: module.types.iter().map(|(&name, entry)| (name, self.type_entry(entry, free))).collect(),
            signatures: module
                .signatures
                .iter()
                .map(|(&name, signature)| (name, self.signature(signature, free).into()))
                .collect(),
        }
    }

    /// Substitutes in a module.
    pub(crate) fn module(&self, entry: &ModuleEntry, free: &mut Ids) -> ModuleEntry {
        match entry {
            ModuleEntry::Structure(module) => ModuleEntry::Structure(self.structure(module, free)),
            ModuleEntry::Functor(functor) => ModuleEntry::Functor(Arc::new(self.functor(functor, free))),
        }
    }

    /// Substitutes in a module type, except for its own abstract types.
    pub(crate) fn signature(&self, signature: &Signature, free: &mut Ids) -> Signature {
        Signature {
            types: signature.types.clone(),
            sizes: signature.sizes.iter().map(|made| self.size_definition(made)).collect(),
            module: self.module(&signature.module, free),
        }
    }

    /// Substitutes in the definition of a size.
    pub(crate) fn size_definition(&self, made: &SizeDefinition) -> SizeDefinition {
        let globals = made.globals.iter().map(|id| self.value(*id)).collect();
        let mut copy = SizeDefinition { globals, ..made.clone() };
        copy.definition.id = self.value(copy.definition.id);
        self.function(&mut copy.definition.function);
        copy
    }

    /// Substitutes in a parametric module.
    pub(crate) fn functor(&self, functor: &Functor, free: &mut Ids) -> Functor {
        let body = match &functor.body {
            FunctorBody::Param(id) => match self.functors.get(id) {
                Some(given) => return given.clone(),
                None => FunctorBody::Param(self.value(*id)),
            },
            FunctorBody::Items(items) => {
                FunctorBody::Items(items.iter().map(|item| self.item(item, free)).collect())
            }
        };
        let (param, result) = (self.signature(&functor.param, free), self.signature(&functor.result, free));
        Functor { param, result, body }
    }

    fn item(&self, item: &Item, free: &mut Ids) -> Item {
        match item {
            Item::Definition(definition) => {
                let mut definition = definition.clone();
                self.function(&mut definition.function);
                Item::Definition(definition)
            }
            Item::Size(made) => Item::Size(self.size_definition(made)),
            Item::Type(definition) => Item::Type(AbstractDefinition {
                meaning: self.type_entry(&definition.meaning, free),
                ..definition.clone()
            }),
            Item::Application(application) => Item::Application(Box::new(Application {
                functor: self.functor(&application.functor, free),
                argument: self.module(&application.argument, free),
                result: self.signature(&application.result, free),
            })),
        }
    }

    /// Substitutes in a function.
    pub(crate) fn function(&self, function: &mut Function) {
        function.map_types(&mut |ty| self.ty(ty), &mut |size| self.size(size));
        if let FunctionBody::Exp(body) = &mut function.body {
            self.names(body);
        }
    }

    /// Substitutes in the occurrences of values.
    fn names(&self, exp: &mut Exp) {
        if let ExpNode::Var { id, .. } = &mut exp.node {
            *id = self.value(*id);
        }
        exp.children_mut().into_iter().for_each(|child| self.names(child));
    }
}
