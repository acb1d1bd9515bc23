//! What is defined: values, types and modules by name, in modules.
//!
//! An [`Env`] outlives the check of one file: the prelude's is stored with the compiler and
//! handed to the check of every program.
//!
//! There are three name spaces: values and modules share one, types and module types have one
//! each.

use std::collections::BTreeMap;

use ravel_base::Symbol;
use serde::{Deserialize, Serialize};

use crate::tast::{Liftedness, Type, TypeParamId, ValueId};

/// The definitions known after checking a file, and the first ids that are still free.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Env {
    /// The definitions.
    pub root: Module,
    /// The next value id.
    pub next_value: u32,
    /// The next type parameter id.
    pub next_type_param: u32,
}

/// The definitions of a module, or of a file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Module {
    /// Its values.
    pub values: BTreeMap<Symbol, ValueEntry>,
    /// The modules inside.
    pub modules: BTreeMap<Symbol, Module>,
    /// Its types.
    pub types: BTreeMap<Symbol, TypeEntry>,
}

/// What a name may mean.
#[derive(Clone, Debug)]
pub(crate) enum Entry {
    Value(ValueEntry),
    Module(Module),
    Type(TypeEntry),
}

/// Where names are looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Space {
    /// Values and modules.
    Terms,
    Types,
}

impl Entry {
    /// The name space that the name lives in.
    pub(crate) fn space(&self) -> Space {
        match self {
            Entry::Value(_) | Entry::Module(_) => Space::Terms,
            Entry::Type(_) => Space::Types,
        }
    }
}

impl Module {
    /// Binds a name, whatever it meant before.
    pub(crate) fn insert(&mut self, name: Symbol, entry: Entry) {
        self.remove(entry.space(), name);
        match entry {
            Entry::Value(value) => drop(self.values.insert(name, value)),
            Entry::Module(module) => drop(self.modules.insert(name, module)),
            Entry::Type(ty) => drop(self.types.insert(name, ty)),
        }
    }

    /// Forgets a name.
    pub(crate) fn remove(&mut self, space: Space, name: Symbol) {
        match space {
            Space::Terms => {
                self.values.remove(&name);
                self.modules.remove(&name);
            }
            Space::Types => drop(self.types.remove(&name)),
        }
    }

    /// Everything that it defines.
    pub(crate) fn into_entries(self) -> impl Iterator<Item = (Symbol, Entry)> {
        let values = self.values.into_iter().map(|(name, value)| (name, Entry::Value(value)));
        let modules = self.modules.into_iter().map(|(name, module)| (name, Entry::Module(module)));
        let types = self.types.into_iter().map(|(name, ty)| (name, Entry::Type(ty)));
        values.chain(modules).chain(types)
    }

    /// Adds what another module defines, which shadows what is here.
    pub(crate) fn extend(&mut self, other: Module) {
        other.into_entries().for_each(|(name, entry)| self.insert(name, entry));
    }
}

/// A defined value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ValueEntry {
    /// Its id.
    pub id: ValueId,
    /// Its type.
    pub scheme: Scheme,
}

/// A type with its parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scheme {
    /// The type parameters.
    pub type_params: Vec<TypeParamId>,
    /// Those of them that may stand for functions.
    pub lifted: Vec<TypeParamId>,
    /// The size parameters.
    pub size_params: Vec<ValueId>,
    /// The type.
    pub ty: Type,
}

impl Scheme {
    /// A type without parameters.
    pub(crate) fn mono(ty: Type) -> Scheme {
        Scheme { type_params: Vec::new(), lifted: Vec::new(), size_params: Vec::new(), ty }
    }
}

/// A declared type: what its name stands for, given arguments.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TypeEntry {
    /// How general it may be.
    pub liftedness: Liftedness,
    /// Its parameters.
    pub params: Vec<TypeParam>,
    /// Sizes in it that nothing tells.
    pub exists: Vec<ValueId>,
    /// What it stands for.
    pub ty: Type,
}

/// A parameter of a declared type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TypeParam {
    /// `[n]`.
    Size(ValueId),
    /// `'a`, `'~a`, `'^a`.
    Type(Liftedness, TypeParamId),
}
