//! Substitution: definitions of one module in terms of another.
//!
//! Values are renamed, abstract types replaced by what they stand for, and parametric modules
//! that were parameters by those given for them. Names bound inside a definition stay: the same
//! definition may be in use twice at once anyway.

use std::collections::HashMap;

use crate::env::{
    AbstractDefinition, Application, Functor, FunctorBody, Item, Module, ModuleEntry, Scheme, Signature,
    TypeEntry, ValueEntry,
};
use crate::size_definition::SizeDefinition;
use crate::tast::{
    Exp, ExpNode, Function, FunctionBody, Liftedness, LoopForm, Pattern, Size, Type, TypeId, TypeParamId,
    ValueId,
};

/// What ids are replaced by.
#[derive(Clone, Debug, Default)]
pub(crate) struct Substitution {
    /// Values.
    pub(crate) values: HashMap<ValueId, ValueId>,
    /// Abstract types.
    pub(crate) types: HashMap<TypeId, TypeEntry>,
    /// Parametric modules that are parameters.
    pub(crate) functors: HashMap<ValueId, Functor>,
    /// Type parameters.
    pub(crate) params: HashMap<TypeParamId, Type>,
}

/// The function with these types for its type parameters.
pub fn instance(function: &Function, types: &[Type]) -> Function {
    let params = function.type_params.iter().copied().zip(types.iter().cloned()).collect();
    let mut instance = Function { type_params: Vec::new(), ..function.clone() };
    Substitution { params, ..Substitution::default() }.function(&mut instance);
    instance
}

impl Substitution {
    /// The sizes that nothing tells in what abstract types stand for.
    pub(crate) fn unknown_sizes(&self) -> Vec<ValueId> {
        let mut sizes: Vec<ValueId> =
            self.types.values().flat_map(|entry| entry.exists.iter().copied()).collect();
        sizes.sort_unstable();
        sizes
    }

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

    /// The type with all replaced.
    pub(crate) fn ty(&self, ty: &Type) -> Type {
        ty.map_all(&mut |id| self.params.get(&id).cloned(), &mut |size| self.size(size), &mut |named| {
            Some(self.types.get(&named.id)?.apply(&named.args, &[]))
        })
    }

    /// The type of a value with all replaced.
    pub(crate) fn scheme(&self, scheme: &Scheme) -> Scheme {
        Scheme { ty: self.ty(&scheme.ty), ..scheme.clone() }
    }

    /// The declared type with all replaced; what had no unknown sizes may have some then.
    pub(crate) fn type_entry(&self, entry: &TypeEntry) -> TypeEntry {
        let mut entry = TypeEntry { ty: self.ty(&entry.ty), ..entry.clone() };
        let new = self.unknown_sizes().into_iter().filter(|id| entry.ty.mentions(*id));
        entry.exists.extend(new.collect::<Vec<ValueId>>());
        if !entry.exists.is_empty() {
            entry.liftedness = entry.liftedness.max(Liftedness::SizeLifted);
        }
        entry
    }

    fn structure(&self, module: &Module) -> Module {
        let value =
            |entry: &ValueEntry| ValueEntry { id: self.value(entry.id), scheme: self.scheme(&entry.scheme) };
        Module {
            values: module.values.iter().map(|(&name, entry)| (name, value(entry))).collect(),
            modules: module.modules.iter().map(|(&name, entry)| (name, self.module(entry).into())).collect(),
            types: module.types.iter().map(|(&name, entry)| (name, self.type_entry(entry))).collect(),
            signatures: module
                .signatures
                .iter()
                .map(|(&name, signature)| (name, self.signature(signature).into()))
                .collect(),
        }
    }

    /// The module with all replaced.
    pub(crate) fn module(&self, entry: &ModuleEntry) -> ModuleEntry {
        match entry {
            ModuleEntry::Structure(module) => ModuleEntry::Structure(self.structure(module)),
            ModuleEntry::Functor(functor) => ModuleEntry::Functor(Box::new(self.functor(functor))),
        }
    }

    /// The module type with all replaced but its own abstract types.
    pub(crate) fn signature(&self, signature: &Signature) -> Signature {
        Signature {
            types: signature.types.clone(),
            sizes: signature.sizes.iter().map(|made| self.size_definition(made)).collect(),
            module: self.module(&signature.module),
        }
    }

    /// What was made for a size, with all replaced.
    pub(crate) fn size_definition(&self, made: &SizeDefinition) -> SizeDefinition {
        let globals = made.globals.iter().map(|id| self.value(*id)).collect();
        let mut copy = SizeDefinition { globals, ..made.clone() };
        copy.definition.id = self.value(copy.definition.id);
        self.function(&mut copy.definition.function);
        copy
    }

    /// The parametric module with all replaced.
    pub(crate) fn functor(&self, functor: &Functor) -> Functor {
        let body = match &functor.body {
            FunctorBody::Param(id) => match self.functors.get(id) {
                Some(given) => return given.clone(),
                None => FunctorBody::Param(self.value(*id)),
            },
            FunctorBody::Items(items) => {
                FunctorBody::Items(items.iter().map(|item| self.item(item)).collect())
            }
        };
        Functor { param: self.signature(&functor.param), result: self.signature(&functor.result), body }
    }

    fn item(&self, item: &Item) -> Item {
        match item {
            Item::Definition(definition) => {
                let mut definition = definition.clone();
                self.function(&mut definition.function);
                Item::Definition(definition)
            }
            Item::Size(made) => Item::Size(self.size_definition(made)),
            Item::Type(definition) => Item::Type(AbstractDefinition {
                meaning: self.type_entry(&definition.meaning),
                ..definition.clone()
            }),
            Item::Application(application) => Item::Application(Box::new(Application {
                functor: self.functor(&application.functor),
                argument: self.module(&application.argument),
                result: self.signature(&application.result),
            })),
        }
    }

    /// Replaces all in a function.
    pub(crate) fn function(&self, function: &mut Function) {
        self.head(function);
        if let FunctionBody::Exp(body) = &mut function.body {
            self.exp(body);
        }
    }

    fn head(&self, function: &mut Function) {
        function.params.iter_mut().for_each(|param| self.pattern(&mut param.pattern));
        function.result = self.ty(&function.result);
    }

    fn pattern(&self, pattern: &mut Pattern) {
        pattern.each_type_mut(&mut |ty| *ty = self.ty(ty));
    }

    fn exp(&self, exp: &mut Exp) {
        exp.ty = self.ty(&exp.ty);
        match &mut exp.node {
            ExpNode::Size(size) => *size = self.size(size),
            ExpNode::Var { id, types, sizes } => {
                *id = self.value(*id);
                types.iter_mut().for_each(|ty| *ty = self.ty(ty));
                sizes.iter_mut().for_each(|size| *size = self.size(size));
            }
            ExpNode::Let { sizes, pattern, .. } => {
                sizes.iter_mut().for_each(|(_, size)| *size = self.size(size));
                self.pattern(pattern);
            }
            ExpNode::LetFunction { function, .. } | ExpNode::Lambda(function) => self.head(function),
            ExpNode::Match(_, cases) => cases.iter_mut().for_each(|(pattern, _)| self.pattern(pattern)),
            ExpNode::Loop(inner) => {
                inner.sizes.iter_mut().for_each(|(_, size)| *size = self.size(size));
                self.pattern(&mut inner.pattern);
                if let LoopForm::ForIn(pattern, _) = &mut inner.form {
                    self.pattern(pattern);
                }
            }
            _ => {}
        }
        exp.children_mut().into_iter().for_each(|child| self.exp(child));
    }
}
