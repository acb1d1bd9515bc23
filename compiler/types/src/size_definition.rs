//! Definitions made for sizes: which of them are one, and what becomes of them in modules.
//!
//! The size `f (n + 1)` is the call of a definition `□ □` made for it. A module type holds those of
//! its specifications as templates: what `f` is, the modules tell that are matched with it. A
//! template becomes what it is in a module by [`Checker::size_definition`], which makes no second
//! definition where the module, or whoever uses it, has written the same size.

use ravel_base::Symbol;
use ravel_prim::PrimType;
use serde::{Deserialize, Serialize};

use crate::checker::Checker;
use crate::env::{Item, Signature};
use crate::substitute::Substitution;
use crate::tast::{Definition, Type, ValueId};

/// A definition made for a size.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SizeDefinition {
    /// The expression, with a hole for each value that is handed to it, and without the names of
    /// definitions, which may go by many.
    pub text: Symbol,
    /// What the names of definitions mean, in the order of the text.
    pub globals: Vec<ValueId>,
    /// The function of the values.
    pub definition: Definition,
}

/// What makes two definitions of sizes one: the text without names, what the names in it mean,
/// and which primitive types are at work.
pub(crate) type SizeKey = (Symbol, Vec<ValueId>, Vec<Option<PrimType>>);

impl Checker<'_> {
    /// What makes the definition one with others.
    pub(crate) fn size_key(&self, made: &SizeDefinition) -> SizeKey {
        let function = &made.definition.function;
        let types = function.params.iter().map(|param| &param.pattern.ty).chain([&function.result]);
        let prims = types.map(|ty| self.prim_of(ty));
        (made.text, made.globals.clone(), prims.collect())
    }

    /// The primitive type that a type is, if it is one, be it under an abstract name.
    pub(crate) fn prim_of(&self, ty: &Type) -> Option<PrimType> {
        match self.unifier.head(ty) {
            Type::Prim(prim) => Some(prim),
            Type::Abstract(named) => match self.env.meanings.get(&named.id) {
                Some(meaning) => self.prim_of(&meaning.ty),
                None => self.abstract_prims.get(&named.id).copied(),
            },
            _ => None,
        }
    }

    /// Checks the definitions made for the sizes of a definition, which is fine, and puts them
    /// before it.
    pub(crate) fn finish_size_definitions(&mut self) {
        for mut made in std::mem::take(&mut self.open_definitions) {
            self.finish_function(&mut made.definition.function);
            self.check_size_consumption(&made.definition.function);
            self.items.push(Item::Size(made));
        }
    }

    /// Forgets the definitions made for the sizes of a declaration that has errors, or is to be checked again.
    pub(crate) fn forget_size_definitions(&mut self) {
        let forgotten: Vec<ValueId> =
            self.open_definitions.drain(..).map(|made| made.definition.id).collect();
        if !forgotten.is_empty() {
            self.size_definitions.retain(|_, id| !forgotten.contains(id));
        }
    }

    /// The definition that another becomes by what `given` says of the names in it, which then says
    /// that, too.
    pub(crate) fn size_definition(&mut self, template: &SizeDefinition, given: &mut Substitution) {
        let mut made = given.size_definition(template);
        let key = self.size_key(&made);
        let known = self.size_definitions.get(&key).copied();
        let id = known.unwrap_or_else(|| {
            let id = self.named_value(made.definition.name);
            made.definition.id = id;
            self.size_definitions.insert(key, id);
            self.items.push(Item::Size(made));
            id
        });
        given.values.insert(template.definition.id, id);
    }

    /// The sizes of a module type under new ids, but for those that are known already here.
    pub(crate) fn fresh_sizes(
        &mut self,
        sizes: &[SizeDefinition],
        fresh: &mut Substitution,
    ) -> Vec<SizeDefinition> {
        let mut own = Vec::new();
        for made in sizes {
            let mut copy = fresh.size_definition(made);
            let known = self.size_definitions.get(&self.size_key(&copy)).copied();
            copy.definition.id = known.unwrap_or_else(|| self.named_value(copy.definition.name));
            fresh.values.insert(made.definition.id, copy.definition.id);
            own.extend(known.is_none().then_some(copy));
        }
        own
    }

    /// Takes note of a module whose type is known: who writes the sizes of its type means these.
    pub(crate) fn know_sizes(&mut self, signature: &Signature) {
        for made in &signature.sizes {
            let key = self.size_key(made);
            self.size_definitions.insert(key, made.definition.id);
        }
    }

    /// What `check` gives, the sizes that it makes being forgotten.
    pub(crate) fn with_own_sizes<T>(&mut self, check: impl FnOnce(&mut Self) -> T) -> T {
        let known = self.size_definitions.clone();
        let checked = check(self);
        self.size_definitions = known;
        checked
    }
}
