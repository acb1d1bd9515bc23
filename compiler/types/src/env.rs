//! What is defined: names with their type schemes, in modules.
//!
//! An [`Env`] outlives the check of one file: the prelude's is stored with the compiler and
//! handed to the check of every program.

use std::collections::BTreeMap;

use ravel_base::Symbol;
use serde::{Deserialize, Serialize};

use crate::tast::{Type, TypeParamId, ValueId};

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

/// A name space: the top level, or `module m = { … }`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Module {
    /// Its values.
    pub values: BTreeMap<Symbol, ValueEntry>,
    /// The modules inside.
    pub modules: BTreeMap<Symbol, Module>,
}

impl Module {
    /// Adds what another module defines, which shadows what is here.
    pub(crate) fn extend(&mut self, other: Module) {
        self.values.extend(other.values);
        self.modules.extend(other.modules);
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
