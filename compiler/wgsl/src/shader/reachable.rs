//! The helpers that a module calls, and the features of a device that it needs.
//!
//! Only types need features, and every value of a type comes from a declaration, a literal, a conversion or a helper.

use ravel_prim::PrimType;

use super::exp::{Callee, Form};
use super::print::Literal;
use super::{Block, Exp, Item, Module, Needs, Stm, Type, Version};
use crate::helpers::Helpers;

/// The helpers and features that a version of a module needs.
pub(super) struct Reachable {
    version: Version,
    /// The helpers it calls.
    pub helpers: Helpers,
    /// The features of a device that it needs.
    pub needs: Needs,
    /// Whether the versions differ.
    pub has_versions: bool,
}

/// What a version of the module reaches.
pub(super) fn reachable(module: &Module, version: Version) -> Reachable {
    let needs = Needs { subgroups: version == Version::Subgroups, ..Needs::default() };
    let mut reachable = Reachable { version, helpers: Helpers::default(), needs, has_versions: false };
    module.params.iter().for_each(|&(_, ty)| reachable.ty(ty));
    module.bindings.iter().for_each(|binding| reachable.ty(binding.ty));
    module.workgroup_vars.iter().for_each(|&(_, ty)| reachable.ty(ty));
    for item in &module.items {
        match item {
            Item::Constant(_, value) => reachable.exp(value),
            Item::Struct(_, members) => members.iter().for_each(|&(_, ty)| reachable.ty(ty)),
            Item::Function(function) => {
                function.params.iter().for_each(|&(_, ty)| reachable.ty(ty));
                reachable.block(&function.body);
            }
        }
    }
    reachable.block(&module.main);
    reachable.needs |= reachable.helpers.needs();
    reachable
}

impl Reachable {
    fn ty(&mut self, ty: Type) {
        match ty {
            Type::Scalar(ty) | Type::Array(ty, _) | Type::AtomicArray(ty, _) | Type::Atomic(ty) => {
                self.needs |= Needs::of(ty);
            }
            Type::Struct(_) | Type::Nothing => {}
        }
    }

    fn block(&mut self, block: &Block) {
        block.stms.iter().for_each(|stm| self.stm(stm));
    }

    fn stm(&mut self, stm: &Stm) {
        match stm {
            Stm::Let(_, exp) | Stm::Var(_, exp) | Stm::Run(exp) | Stm::Return(Some(exp)) => self.exp(exp),
            Stm::Declare(_, ty) => self.ty(*ty),
            Stm::Assign(place, value) => {
                self.exp(place);
                self.exp(value);
            }
            Stm::If(cond, then, otherwise) => {
                self.exp(cond);
                self.block(then);
                self.block(otherwise);
            }
            Stm::For(_, head, round) => {
                head.iter().for_each(|exp| self.exp(exp));
                self.block(round);
            }
            Stm::While(cond, round) => {
                self.exp(cond);
                self.block(round);
            }
            Stm::Break | Stm::Return(None) => {}
            Stm::Braces(block) => self.block(block),
            Stm::WithSubgroups(block) => {
                self.has_versions = true;
                if self.version == Version::Subgroups {
                    self.block(block);
                }
            }
        }
    }

    fn exp(&mut self, exp: &Exp) {
        match &exp.form {
            Form::Name(_) => {}
            Form::Literal(value) => {
                self.ty(exp.ty);
                if let Some(ty) = Literal(*value).bits_type() {
                    self.helper("from_bits", ty);
                }
            }
            Form::Member(of, _) | Form::Prefix(_, of) | Form::Address(of) => self.exp(of),
            Form::Element(of, at) => {
                self.exp(of);
                self.exp(at);
            }
            Form::Infix(left, _, right) => {
                self.exp(left);
                self.exp(right);
            }
            Form::Call(callee, args) => {
                match *callee {
                    Callee::Helper(name, ty) => self.helper(name, ty),
                    Callee::Type | Callee::Bitcast => self.ty(exp.ty),
                    Callee::Function(_) => {}
                }
                args.iter().for_each(|arg| self.exp(arg));
            }
        }
    }

    fn helper(&mut self, name: &'static str, ty: PrimType) {
        self.helpers.require(name, ty);
    }
}
