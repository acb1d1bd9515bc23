//! Function types `a -> b -> … -> c`.
//!
//! A chain of arrows is checked in one walk along its parameters, and built in one walk back. If each arrow checked the
//! rest of the chain as a type of its own, the time would be quadratic in the length of the chain.

use ravel_syntax::ast::{TypeExp, TypeExpNode};
use rustc_hash::FxHashSet;

use crate::checker::Checker;
use crate::tast::{FunctionType, Type, ValueId};
use crate::type_exp::WrittenResult;
use crate::uniqueness::Uniqueness;

/// A parameter of a function type.
pub(crate) struct ParamType {
    /// The variable that stands for the argument in the types after it.
    pub(crate) name: Option<ValueId>,
    pub(crate) ty: Type,
    /// The parts that the function consumes.
    pub(crate) consumes: Uniqueness,
}

/// The result of a function type.
pub(crate) struct ResultType {
    pub(crate) ty: Type,
    /// The existential sizes of `ty`.
    pub(crate) exists: Vec<ValueId>,
    /// The parts that share no memory with the arguments.
    pub(crate) unique: Uniqueness,
}

impl Checker<'_> {
    /// The meaning of a function type. The name of a parameter is in scope in the types after it.
    pub(crate) fn function_type(&mut self, written: &TypeExp) -> Type {
        let (scope, around) = (self.scopes.mark(), self.bound_in_type.len());
        let (mut params, mut last) = (Vec::new(), written);
        while let TypeExpNode::Function(name, from, to) = &last.node {
            name.iter().for_each(|name| self.bind_in_type(name));
            let from = self.type_exp(from);
            let name = name.as_ref().map(|name| self.bind(name.node, from.ty.clone()));
            params.push(ParamType { name, ty: from.ty, consumes: from.unique });
            last = to;
        }
        let WrittenResult { ty, exists, unique, .. } = self.result_type(last);
        self.scopes.leave(scope);
        self.bound_in_type.truncate(around);
        arrows(params, ResultType { ty, exists, unique })
    }
}

/// The type of functions with these parameters and this result. A parameter keeps its name if a type after it mentions
/// the name.
pub(crate) fn arrows(params: Vec<ParamType>, mut result: ResultType) -> Type {
    let mut mentioned = FxHashSet::default();
    let mut add = |ty: &Type, name: Option<ValueId>| {
        let name = name.filter(|id| mentioned.contains(id));
        ty.each_size(&mut |size| {
            size.each_id(&mut |id| {
                mentioned.insert(id);
            });
        });
        name
    };
    add(&result.ty, None);
    for ParamType { name, ty: from, consumes } in params.into_iter().rev() {
        let name = add(&from, name);
        let ResultType { ty: to, exists, unique } = result;
        let ty = Type::Function(Box::new(FunctionType { name, from, consumes, exists, to, unique }));
        result = ResultType { ty, exists: Vec::new(), unique: Uniqueness::None };
    }
    result.ty
}
