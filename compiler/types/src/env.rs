//! The environment: values, types and modules by name.
//!
//! An [`Env`] outlives the check of one file. The environment of the prelude and the library is stored
//! with the compiler and shared by the checks of all programs.
//!
//! There are three name spaces: values and modules share one, types and module types have one
//! each.
//!
//! The typed tree has no modules. A module is only a table of names for top-level definitions. A
//! parametric module is checked once for its parameter and keeps its definitions. Each application
//! copies them and substitutes the argument's ids.

use std::collections::BTreeMap;
use std::sync::Arc;

use ravel_base::Symbol;
use serde::{Deserialize, Serialize};

use crate::checker::Checked;
use crate::lazy::Lazy;
use crate::size_definition::SizeDefinition;
use crate::tast::{Definition, Liftedness, Type, TypeId, TypeParamId, ValueId};

/// The state before a check: the names in scope in every file, and the results of earlier checks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Env {
    /// The prelude.
    pub root: Module,
    /// The first value id that does not belong to the prelude.
    pub root_end: u32,
    /// The first free ids.
    pub free: Ids,
    /// The definitions of abstract types.
    pub meanings: BTreeMap<TypeId, TypeEntry>,
}

/// The next free id of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ids {
    /// For values.
    pub value: u32,
    /// For type parameters.
    pub type_param: u32,
    /// For abstract types.
    pub ty: u32,
}

impl Ids {
    /// A new id of a value.
    pub(crate) fn fresh_value(&mut self) -> ValueId {
        self.value += 1;
        ValueId(self.value - 1)
    }
}

impl Env {
    /// The environment after the check of the prelude.
    pub fn of_prelude(prelude: &Checked) -> Env {
        let mut env = Env { root: prelude.exports.clone(), root_end: prelude.free.value, ..Env::default() };
        env.extend(prelude);
        env
    }

    /// Adds files checked in this environment, so that they can be imported as
    /// [`Import::Checked`](crate::Import::Checked).
    pub fn extend(&mut self, checked: &Checked) {
        self.free = checked.free;
        self.meanings.extend(checked.meanings.iter().map(|(&id, meaning)| (id, meaning.clone())));
    }
}

/// The names that a module or a file defines.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Module {
    /// Its values.
    pub values: BTreeMap<Symbol, ValueEntry>,
    /// Its submodules.
    pub modules: BTreeMap<Symbol, Lazy<ModuleEntry>>,
    /// Its types.
    pub types: BTreeMap<Symbol, TypeEntry>,
    /// Its module types.
    pub signatures: BTreeMap<Symbol, Lazy<Signature>>,
}

/// The meaning of a module name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ModuleEntry {
    /// A collection of definitions.
    Structure(Module),
    /// A parametric module. Its definitions are shared by all uses of its name.
    Functor(Arc<Functor>),
}

/// A module type. Matching replaces the ids of its values and abstract types by those of the module.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Signature {
    /// The abstract types.
    pub types: Vec<TypeId>,
    /// The definitions of computed sizes in its types, in terms of its values.
    pub sizes: Vec<SizeDefinition>,
    /// The specifications.
    pub module: ModuleEntry,
}

/// A parametric module.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Functor {
    /// The type of its parameter.
    pub param: Signature,
    /// The type of its result, in terms of the parameter. Every application has fresh abstract types.
    pub result: Signature,
    /// Its definitions.
    pub body: FunctorBody,
}

/// The code of a parametric module.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum FunctorBody {
    /// The code is unknown, because the module is a parameter of another module, or a component of one. When that module
    /// is applied, the code of the argument replaces this id.
    Param(ValueId),
    /// The definitions that each application copies.
    Items(Vec<Item>),
}

/// A definition in a module.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(clippy::large_enum_variant, reason = "almost all items are definitions")]
pub enum Item {
    /// A value.
    Definition(Definition),
    /// A definition generated for a size.
    Size(SizeDefinition),
    /// An abstract type.
    Type(AbstractDefinition),
    /// An application of a parametric module that is itself a parameter.
    Application(Box<Application>),
}

/// An abstract type with its definition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AbstractDefinition {
    /// Its id.
    pub id: TypeId,
    /// Its name in messages.
    pub name: Symbol,
    /// Its definition.
    pub meaning: TypeEntry,
}

/// An application that is expanded when the parametric module is known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Application {
    /// The parametric module.
    pub functor: Functor,
    /// Its argument.
    pub argument: ModuleEntry,
    /// The type of the result.
    pub result: Signature,
}

/// The meaning of a name.
#[derive(Clone, Debug)]
pub(crate) enum Entry {
    Value(ValueEntry),
    Module(Lazy<ModuleEntry>),
    Type(TypeEntry),
    Signature(Lazy<Signature>),
}

/// A name space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Space {
    /// Values and modules.
    Terms,
    Types,
    /// Module types.
    Signatures,
}

impl Entry {
    /// The name space of the name.
    pub(crate) fn space(&self) -> Space {
        match self {
            Entry::Value(_) | Entry::Module(_) => Space::Terms,
            Entry::Type(_) => Space::Types,
            Entry::Signature(_) => Space::Signatures,
        }
    }

    /// The kind of name, in words for messages.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Entry::Value(_) | Entry::Module(_) => "name",
            Entry::Type(_) => "type",
            Entry::Signature(_) => "module type",
        }
    }
}

impl ModuleEntry {
    /// The number of values and types, including those of submodules.
    pub(crate) fn size(&self) -> usize {
        match self {
            ModuleEntry::Structure(module) => {
                let inside = module.modules.values().map(|inner| inner.size());
                module.values.len() + module.types.len() + inside.sum::<usize>()
            }
            ModuleEntry::Functor(functor) => functor.param.module.size() + functor.result.module.size(),
        }
    }
}

impl Module {
    /// The submodule of this name.
    pub(crate) fn module(&self, name: Symbol) -> Option<&ModuleEntry> {
        self.modules.get(&name).map(|module| &**module)
    }

    /// The module type of this name.
    pub(crate) fn signature(&self, name: Symbol) -> Option<&Signature> {
        self.signatures.get(&name).map(|signature| &**signature)
    }

    /// Binds a name and replaces any earlier meaning.
    pub(crate) fn insert(&mut self, name: Symbol, entry: Entry) {
        self.remove(entry.space(), name);
        match entry {
            Entry::Value(value) => drop(self.values.insert(name, value)),
            Entry::Module(module) => drop(self.modules.insert(name, module)),
            Entry::Type(ty) => drop(self.types.insert(name, ty)),
            Entry::Signature(signature) => drop(self.signatures.insert(name, signature)),
        }
    }

    /// Removes a name.
    pub(crate) fn remove(&mut self, space: Space, name: Symbol) {
        match space {
            Space::Terms => {
                self.values.remove(&name);
                self.modules.remove(&name);
            }
            Space::Types => drop(self.types.remove(&name)),
            Space::Signatures => drop(self.signatures.remove(&name)),
        }
    }

    /// All names that the module defines, with their meanings.
    pub(crate) fn into_entries(self) -> impl Iterator<Item = (Symbol, Entry)> {
        let values = self.values.into_iter().map(|(name, value)| (name, Entry::Value(value)));
        let modules = self.modules.into_iter().map(|(name, module)| (name, Entry::Module(module)));
        let types = self.types.into_iter().map(|(name, ty)| (name, Entry::Type(ty)));
        let signatures = self.signatures.into_iter();
        let signatures = signatures.map(|(name, signature)| (name, Entry::Signature(signature)));
        values.chain(modules).chain(types).chain(signatures)
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
    /// The type parameters more general than `'a`, with their liftedness.
    pub lifted: Vec<(TypeParamId, Liftedness)>,
    /// The size parameters.
    pub size_params: Vec<ValueId>,
    /// The existential sizes of a constant, which only its value determines.
    pub exists: Vec<ValueId>,
    /// The type.
    pub ty: Type,
    /// Whether the type of the result is written in the definition.
    pub is_written: bool,
}

impl Scheme {
    /// A type without parameters.
    pub(crate) fn mono(ty: Type) -> Scheme {
        Scheme {
            type_params: Vec::new(),
            lifted: Vec::new(),
            size_params: Vec::new(),
            exists: Vec::new(),
            ty,
            is_written: false,
        }
    }
}

/// The liftedness of a type parameter; unlifted if it is not in the list.
pub(crate) fn liftedness_of(param: TypeParamId, lifted: &[(TypeParamId, Liftedness)]) -> Liftedness {
    let found = lifted.iter().find(|(known, _)| *known == param);
    found.map_or(Liftedness::Unlifted, |(_, liftedness)| *liftedness)
}

/// The definition of a type name, with parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TypeEntry {
    /// Its declared liftedness.
    pub liftedness: Liftedness,
    /// Its parameters.
    pub params: Vec<TypeParam>,
    /// The existential sizes of the type, such as the one in `type~ t = []i64`.
    pub exists: Vec<ValueId>,
    /// The type that it stands for.
    pub ty: Type,
    /// Whether the type has too many parts to be used.
    pub too_large: bool,
}

/// A parameter of a declared type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TypeParam {
    /// `[n]`.
    Size(ValueId),
    /// `'a`, `'~a`, `'^a`.
    Type(Liftedness, TypeParamId),
}
