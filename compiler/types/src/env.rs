//! What is defined: values, types and modules by name, in modules.
//!
//! An [`Env`] outlives the check of one file: that of the prelude and the library is stored with the
//! compiler and lent to the check of every program.
//!
//! There are three name spaces: values and modules share one, types and module types have one
//! each.
//!
//! Modules are gone from the typed tree. A module is a table of names for definitions that stand
//! one behind the other; a parametric one keeps its definitions, checked once for its parameter,
//! and every application of it copies them with the argument's ids in place.

use std::collections::BTreeMap;

use ravel_base::Symbol;
use serde::{Deserialize, Serialize};

use crate::checker::Checked;
use crate::on_demand::OnDemand;
use crate::size_definition::SizeDefinition;
use crate::tast::{Definition, Liftedness, Type, TypeId, TypeParamId, ValueId};

/// What is known before a check: the names that every file sees, and what was checked so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Env {
    /// The prelude.
    pub root: Module,
    /// The first value id that is none of the prelude's.
    pub root_end: u32,
    /// The first ids that are still free.
    pub free: Ids,
    /// What abstract types stand for.
    pub meanings: BTreeMap<TypeId, TypeEntry>,
}

/// The number of an id of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ids {
    /// Of a value.
    pub value: u32,
    /// Of a type parameter.
    pub type_param: u32,
    /// Of an abstract type.
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
    /// What is known after the check of the prelude.
    pub fn of_prelude(prelude: &Checked) -> Env {
        let mut env = Env { root: prelude.exports.clone(), root_end: prelude.free.value, ..Env::default() };
        env.extend(prelude);
        env
    }

    /// Takes note of what was checked with it: such files can then be imported as
    /// [`Import::Checked`](crate::Import::Checked).
    pub fn extend(&mut self, checked: &Checked) {
        self.free = checked.free;
        self.meanings.extend(checked.meanings.iter().map(|(&id, meaning)| (id, meaning.clone())));
    }
}

/// The definitions of a module, or of a file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Module {
    /// Its values.
    pub values: BTreeMap<Symbol, ValueEntry>,
    /// The modules inside.
    pub modules: BTreeMap<Symbol, OnDemand<ModuleEntry>>,
    /// Its types.
    pub types: BTreeMap<Symbol, TypeEntry>,
    /// Its module types.
    pub signatures: BTreeMap<Symbol, OnDemand<Signature>>,
}

/// What the name of a module means.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ModuleEntry {
    /// A collection of definitions.
    Structure(Module),
    /// A parametric module.
    Functor(Box<Functor>),
}

/// A module type: there are some abstract types, with which the module has this form. Its values
/// and abstract types have ids that stand for those of the modules it is matched with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Signature {
    /// The abstract types.
    pub types: Vec<TypeId>,
    /// What its types have for computed sizes, in terms of its values.
    pub sizes: Vec<SizeDefinition>,
    /// The form.
    pub module: ModuleEntry,
}

/// A parametric module.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Functor {
    /// What it takes.
    pub param: Signature,
    /// What it gives, in terms of the parameter. Its abstract types are others at every
    /// application.
    pub result: Signature,
    /// How it does that.
    pub body: FunctorBody,
}

/// The code of a parametric module.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum FunctorBody {
    /// Unknown: it belongs to a parameter, under this id.
    Param(ValueId),
    /// What an application defines anew.
    Items(Vec<Item>),
}

/// What a module is made of. The items of a parametric one are copied at every application.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(clippy::large_enum_variant, reason = "almost all items are definitions")]
pub enum Item {
    /// A value.
    Definition(Definition),
    /// What was made for a size.
    Size(SizeDefinition),
    /// An abstract type.
    Type(AbstractDefinition),
    /// An application of a parametric module that is a parameter.
    Application(Box<Application>),
}

/// An abstract type with what it stands for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AbstractDefinition {
    /// Its id.
    pub id: TypeId,
    /// What messages call it.
    pub name: Symbol,
    /// What it stands for.
    pub meaning: TypeEntry,
}

/// An application to be done when the parametric module is known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Application {
    /// What is applied.
    pub functor: Functor,
    /// To what.
    pub argument: ModuleEntry,
    /// What is known of the result.
    pub result: Signature,
}

/// What a name may mean.
#[derive(Clone, Debug)]
pub(crate) enum Entry {
    Value(ValueEntry),
    Module(OnDemand<ModuleEntry>),
    Type(TypeEntry),
    Signature(OnDemand<Signature>),
}

/// Where names are looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Space {
    /// Values and modules.
    Terms,
    Types,
    /// Module types.
    Signatures,
}

impl Entry {
    /// The name space that the name lives in.
    pub(crate) fn space(&self) -> Space {
        match self {
            Entry::Value(_) | Entry::Module(_) => Space::Terms,
            Entry::Type(_) => Space::Types,
            Entry::Signature(_) => Space::Signatures,
        }
    }

    /// What it is, in words.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Entry::Value(_) | Entry::Module(_) => "name",
            Entry::Type(_) => "type",
            Entry::Signature(_) => "module type",
        }
    }
}

impl ModuleEntry {
    /// How many values and types it has, those of the modules inside included.
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
    /// The module inside of this name.
    pub(crate) fn module(&self, name: Symbol) -> Option<&ModuleEntry> {
        self.modules.get(&name).map(|module| &**module)
    }

    /// The module type inside of this name.
    pub(crate) fn signature(&self, name: Symbol) -> Option<&Signature> {
        self.signatures.get(&name).map(|signature| &**signature)
    }

    /// Binds a name, whatever it meant before.
    pub(crate) fn insert(&mut self, name: Symbol, entry: Entry) {
        self.remove(entry.space(), name);
        match entry {
            Entry::Value(value) => drop(self.values.insert(name, value)),
            Entry::Module(module) => drop(self.modules.insert(name, module)),
            Entry::Type(ty) => drop(self.types.insert(name, ty)),
            Entry::Signature(signature) => drop(self.signatures.insert(name, signature)),
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
            Space::Signatures => drop(self.signatures.remove(&name)),
        }
    }

    /// Everything that it defines.
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
    /// Those of them that are more general than `'a`.
    pub lifted: Vec<(TypeParamId, Liftedness)>,
    /// The size parameters.
    pub size_params: Vec<ValueId>,
    /// Sizes in the type of a constant that nothing but its value tells.
    pub exists: Vec<ValueId>,
    /// The type.
    pub ty: Type,
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
        }
    }
}

/// How general a type parameter is, given those that are more general than `'a`.
pub(crate) fn liftedness_of(param: TypeParamId, lifted: &[(TypeParamId, Liftedness)]) -> Liftedness {
    let found = lifted.iter().find(|(known, _)| *known == param);
    found.map_or(Liftedness::Unlifted, |(_, liftedness)| *liftedness)
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
    /// Has it too many parts to be used?
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
