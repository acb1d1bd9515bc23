//! WGSL as a tree.
//!
//! The translation builds a [`Module`]; [`Module::print`] prints it, and computes the features of a device that it
//! needs. A module may have a second version for devices with subgroups ([`Stm::WithSubgroups`]).
//!
//! * `exp`: typed expressions; `stm`: statements; `name`: names
//! * `print`: the printer; `reachable`: the helpers that a module calls, and its needs
//!
//! The helpers themselves are WGSL text of `.wgsl` files (see [`crate::helpers`]), and so are the few functions of
//! [`Module::sources`]. The printer copies their text.

mod exp;
mod name;
mod print;
mod reachable;
mod stm;

use std::ops::BitOrAssign;

use ravel_prim::PrimType;

use reachable::{Reachable, reachable};

pub(crate) use exp::{Exp, Infix, Type};
pub(crate) use name::Name;
pub(crate) use print::Literal;
pub(crate) use stm::{Block, Stm};

/// A module: the declarations, and the entry point.
#[derive(Clone, Debug, Default)]
pub(crate) struct Module {
    /// The number of threads of a workgroup.
    pub workgroup: u32,
    /// The members of `params`, after the two that all modules have.
    pub params: Vec<(Name, Type)>,
    /// The blocks in device memory.
    pub bindings: Vec<Binding>,
    /// The variables in workgroup memory.
    pub workgroup_vars: Vec<(Name, Type)>,
    /// Functions of `.wgsl` files.
    pub sources: Vec<String>,
    /// Everything else.
    pub items: Vec<Item>,
    /// The body of the entry point. Its parameters are `group_id`, `grid` and `lane`.
    pub main: Block,
}

/// A block in device memory.
#[derive(Clone, Debug)]
pub(crate) struct Binding {
    pub name: Name,
    pub ty: Type,
    /// Whether the module stores to it.
    pub written: bool,
}

/// A declaration of a module.
#[derive(Clone, Debug)]
pub(crate) enum Item {
    /// A constant.
    Constant(Name, Exp),
    /// A struct with its members.
    Struct(Name, Vec<(Name, Type)>),
    /// A function.
    Function(Function),
}

impl Item {
    /// Its name.
    pub(crate) fn name(&self) -> Name {
        match self {
            Item::Constant(name, _) | Item::Struct(name, _) => *name,
            Item::Function(function) => function.name,
        }
    }
}

/// A function.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub name: Name,
    pub params: Vec<(Name, Type)>,
    /// The type of its result; `Nothing` if it has none.
    pub result: Type,
    pub body: Block,
}

/// The features that a module needs and that not every device has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Needs {
    /// 64-bit integers.
    pub i64: bool,
    /// 64-bit floating-point numbers.
    pub f64: bool,
    /// Subgroups.
    pub subgroups: bool,
}

/// The versions of a module. Both compute the same, bit for bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Version {
    /// The version for all devices.
    Plain,
    /// The version for devices with subgroups.
    Subgroups,
}

impl Needs {
    /// What a type needs.
    pub(crate) fn of(ty: PrimType) -> Needs {
        Needs { i64: matches!(ty, PrimType::I64 | PrimType::U64), f64: ty == PrimType::F64, subgroups: false }
    }
}

impl BitOrAssign for Needs {
    fn bitor_assign(&mut self, other: Needs) {
        *self = Needs {
            i64: self.i64 || other.i64,
            f64: self.f64 || other.f64,
            subgroups: self.subgroups || other.subgroups,
        };
    }
}

impl Module {
    /// The text of the version for all devices, and the text of the version for devices with subgroups if that differs;
    /// each with its needs.
    pub(crate) fn print(&self) -> ((String, Needs), Option<(String, Needs)>) {
        let text = |version, reachable: &Reachable| {
            (print::print(self, version, reachable.helpers.texts()), reachable.needs)
        };
        let plain = reachable(self, Version::Plain);
        let with_subgroups = plain.has_versions.then(|| {
            let subgroups = reachable(self, Version::Subgroups);
            text(Version::Subgroups, &subgroups)
        });
        (text(Version::Plain, &plain), with_subgroups)
    }
}
