//! Definitions generated for sizes that are expressions: sharing, and instantiation in modules.
//!
//! For the size `f (n + 1)` the checker generates a definition, and calls it with the argument `n + 1`. The text of the
//! definition is the expression with a hole for the name `f` and one for the argument: `□ □`. A module type
//! keeps the definitions of its sizes as templates, because `f` is known only in a module that matches it.
//! [`Checker::instantiate_size_definition`] instantiates a template. It reuses the definition of an equal
//! size if the module or the program already has one.

use ravel_base::Symbol;
use ravel_prim::PrimType;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::checker::Checker;
use crate::env::{Item, Signature};
use crate::general_sizes::sizes_within;
use crate::substitute::Substitution;
use crate::tast::{Definition, Size, Type, ValueId};

/// A definition generated for a size.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SizeDefinition {
    /// The expression, with a hole for each argument and for each name of a definition. Names are holes because two
    /// names may denote the same definition.
    pub text: Symbol,
    /// The definitions that the text refers to, in its order.
    pub globals: Vec<ValueId>,
    /// The generated function. Its parameters are the arguments of the size.
    pub definition: Definition,
}

/// Identifies a size: the text without names, the definitions that it refers to, and the primitive types
/// of its parameters and result. A new size uses an existing definition with an equal key if the sizes inside the
/// definition are at least as general as the sizes inside the new one.
pub(crate) type SizeKey = (Symbol, Vec<ValueId>, Vec<Option<PrimType>>);

/// The definitions generated for sizes, by key; each with the sizes that occur in the types of its function
/// ([`sizes_within`]).
#[derive(Clone, Default)]
pub(crate) struct SizeDefinitions(FxHashMap<SizeKey, Vec<(Vec<Size>, ValueId)>>);

impl SizeDefinitions {
    /// The latest definition with this key whose sizes satisfy `serves`.
    pub(crate) fn find(&self, key: &SizeKey, serves: impl Fn(&[Size]) -> bool) -> Option<ValueId> {
        let (_, id) = self.0.get(key)?.iter().rev().find(|(sizes, _)| serves(sizes))?;
        Some(*id)
    }

    /// Adds a definition. It replaces one with the same key and the same sizes.
    pub(crate) fn insert(&mut self, key: SizeKey, sizes: Vec<Size>, id: ValueId) {
        let known = self.0.entry(key).or_default();
        known.retain(|(others, _)| *others != sizes);
        known.push((sizes, id));
    }

    fn forget(&mut self, ids: &[ValueId]) {
        self.0.values_mut().for_each(|known| known.retain(|(_, id)| !ids.contains(id)));
    }
}

impl Checker<'_> {
    /// The key of the definition.
    pub(crate) fn size_key(&self, made: &SizeDefinition) -> SizeKey {
        let function = &made.definition.function;
        let types = function.params.iter().map(|param| &param.pattern.ty).chain([&function.result]);
        let prims = types.map(|ty| self.prim_of(ty));
        (made.text, made.globals.clone(), prims.collect())
    }

    /// The primitive type that a type or abstract type stands for, if any.
    pub(crate) fn prim_of(&self, ty: &Type) -> Option<PrimType> {
        match self.unifier.head(ty) {
            Type::Prim(prim) => Some(prim),
            Type::Abstract(named) => match self.env.meanings.get(&named.id) {
                Some(meaning) => self.prim_of(&meaning.ty),
                None => self.abstract_types.get(&named.id).and_then(|known| known.prim),
            },
            _ => None,
        }
    }

    /// Checks the definitions generated for the sizes of a correct definition, and puts them before it.
    pub(crate) fn finish_size_definitions(&mut self) {
        for mut made in std::mem::take(&mut self.open_definitions) {
            self.finish_function(&mut made.definition.function);
            self.check_size_consumption(&made.definition.function);
            self.items.push(Item::Size(made));
        }
    }

    /// Discards the definitions generated for a declaration that has errors or will be checked again.
    pub(crate) fn forget_size_definitions(&mut self) {
        let forgotten: Vec<ValueId> =
            self.open_definitions.drain(..).map(|made| made.definition.id).collect();
        if !forgotten.is_empty() {
            self.size_definitions.forget(&forgotten);
        }
    }

    /// Instantiates a template by a substitution, in which the instance then takes the place of the template.
    pub(crate) fn instantiate_size_definition(
        &mut self,
        template: &SizeDefinition,
        substitution: &mut Substitution,
    ) {
        let mut made = substitution.size_definition(template);
        let (key, sizes) = (self.size_key(&made), sizes_within(&made.definition.function));
        let known = self.size_definitions.find(&key, |others| *others == sizes);
        let id = known.unwrap_or_else(|| {
            let id = self.named_value(made.definition.name);
            made.definition.id = id;
            self.size_definitions.insert(key, sizes, id);
            self.items.push(Item::Size(made));
            id
        });
        substitution.values.insert(template.definition.id, id);
    }

    /// Copies the size definitions of a module type and gives the copies fresh ids. A definition that equals a known one is
    /// not copied. `fresh` then maps each old id to the id of the copy or of the known definition.
    pub(crate) fn fresh_size_definitions(
        &mut self,
        sizes: &[SizeDefinition],
        fresh: &mut Substitution,
    ) -> Vec<SizeDefinition> {
        let mut own = Vec::new();
        for made in sizes {
            let mut copy = fresh.size_definition(made);
            let sizes = sizes_within(&copy.definition.function);
            let known = self.size_definitions.find(&self.size_key(&copy), |others| *others == sizes);
            copy.definition.id = known.unwrap_or_else(|| self.named_value(copy.definition.name));
            fresh.values.insert(made.definition.id, copy.definition.id);
            own.extend(known.is_none().then_some(copy));
        }
        own
    }

    /// Records the size definitions of a module's type, so that equal sizes in the program use them.
    pub(crate) fn record_size_definitions(&mut self, signature: &Signature) {
        for made in &signature.sizes {
            let (key, sizes) = (self.size_key(made), sizes_within(&made.definition.function));
            self.size_definitions.insert(key, sizes, made.definition.id);
        }
    }

    /// Runs `check`, and then forgets the size definitions that it recorded.
    pub(crate) fn with_own_size_definitions<T>(&mut self, check: impl FnOnce(&mut Self) -> T) -> T {
        let known = self.size_definitions.clone();
        let checked = check(self);
        self.size_definitions = known;
        checked
    }
}
