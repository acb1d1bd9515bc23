//! Sizes inside a definition generated for a size.
//!
//! The definition serves every occurrence of its expression. So its types must fit arguments of any size, and must
//! mention no local variable of the program:
//!
//! - Each size of an argument becomes a size parameter, whose value the shape of the argument determines.
//! - A size that is itself an argument becomes the parameter for that argument.
//! - Any other local size, such as `n` in `xs :> [n]t`, becomes one more parameter.

use ravel_base::{Span, Symbol};
use ravel_prim::PrimType;

use crate::checker::Checker;
use crate::size_exp::bound_names;
use crate::tast::{Exp, ExpNode, Function, FunctionBody, Param, Pattern, PatternNode, Size, Type, ValueId};
use crate::uniqueness::Uniqueness;
use crate::visit::{self, Visit};

/// The sizes that become parameters of a definition, with the ids of these parameters.
type Names = Vec<(Size, ValueId)>;

/// The number that stands for a name that the code of a definition binds.
const BOUND: i64 = i64::MIN;

/// The sizes of a definition at the occurrence that it is generated for.
pub(crate) struct Occurrence {
    /// The arguments of the definition, then the sizes that its size parameters stand for.
    given: Vec<Size>,
    /// The sizes in the types of its code ([`sizes_within`]).
    inside: Vec<Size>,
}

impl Occurrence {
    /// Whether a definition with the same text serves this occurrence. `general` are the sizes in the types of its
    /// code.
    pub(crate) fn is_served_by(&self, general: &[Size]) -> bool {
        let here: Option<Vec<Size>> = general.iter().map(|size| instantiate(size, &self.given)).collect();
        here.as_ref() == Some(&self.inside)
    }
}

impl Checker<'_> {
    /// Makes the sizes inside the function general. `args` are the arguments for the parameters that it has already;
    /// those for new parameters are added. `own` are the names that its code binds. Returns the original sizes.
    pub(crate) fn generalise_sizes(
        &mut self,
        function: &mut Function,
        args: &mut Vec<Size>,
        mut own: Vec<ValueId>,
        span: Span,
    ) -> Occurrence {
        function.map_types(&mut |ty| self.unifier.resolve(ty), &mut |size| self.unifier.size(size));
        let inside = sizes_within(function);
        let mut names: Names = Vec::new();
        for (param, arg) in function.params.iter().zip(args.iter()) {
            names.extend(param_id(param).map(|id| (self.unifier.size(arg), id)));
        }
        let holes = names.len();
        for at in 0..function.params.len() {
            let ty = function.params[at].pattern.ty.clone();
            function.params[at].pattern.ty = self.with_own_dims(&ty, &mut function.size_params, &mut names);
        }
        rename_sizes(function, &names);
        let dims: Vec<Size> = names.into_iter().skip(holes).map(|(size, _)| size).collect();
        own.extend(function.params.iter().filter_map(param_id));
        own.extend(&function.size_params);
        let mut others = OtherSizes { checker: self, own, found: Vec::new() };
        others.function(function);
        let others = others.found;
        let mut names: Names = Vec::new();
        for other in others {
            let id = self.fresh_value();
            let node = PatternNode::Name(id, Symbol::new(&format!("value {}", args.len())));
            let pattern = Pattern { node, ty: Type::Prim(PrimType::I64), span };
            function.params.push(Param { pattern, consumed: Uniqueness::None });
            args.push(other.clone());
            names.push((other, id));
        }
        rename_sizes(function, &names);
        Occurrence { given: args.iter().map(|arg| self.unifier.size(arg)).chain(dims).collect(), inside }
    }

    /// The type of a parameter, in which a new size parameter stands for each size that the shape of the argument
    /// determines.
    fn with_own_dims(&mut self, ty: &Type, params: &mut Vec<ValueId>, names: &mut Names) -> Type {
        match ty {
            Type::Array(row, size) => {
                let id = self.fresh_value();
                params.push(id);
                names.push((size.clone(), id));
                Type::Array(Box::new(self.with_own_dims(row, params, names)), Size::Var(id))
            }
            Type::Tuple(_) | Type::Record(_) => {
                ty.map_parts(&mut |part| self.with_own_dims(part, params, names))
            }
            _ => ty.clone(),
        }
    }
}

/// The sizes in the types of the function, in order; sizes in function types are left out. A parameter is replaced by its
/// position, as a negative number, and a name that the code binds by [`BOUND`]. Two definitions with the same text and
/// the same sizes are the same function.
pub(crate) fn sizes_within(function: &Function) -> Vec<Size> {
    let params = function.params.iter().filter_map(param_id);
    let params: Vec<ValueId> = params.chain(function.size_params.iter().copied()).collect();
    let bound = match &function.body {
        FunctionBody::Exp(body) => bound_names(body),
        FunctionBody::Intrinsic(_) => Vec::new(),
    };
    let mut sizes = Sizes { params, bound, found: Vec::new() };
    sizes.function(function);
    sizes.found
}

/// A size of [`sizes_within`], in which the arguments and sizes in `given` replace the parameters.
fn instantiate(size: &Size, given: &[Size]) -> Option<Size> {
    Some(match size {
        Size::Const(number) if *number < 0 && *number != BOUND => {
            given.get(usize::try_from(-1 - number).ok()?)?.clone()
        }
        Size::Const(_) | Size::Var(_) => size.clone(),
        Size::Binary(op, a, b) => {
            Size::Binary(*op, Box::new(instantiate(a, given)?), Box::new(instantiate(b, given)?))
        }
        Size::Call(function, args) => {
            let args: Option<Vec<Size>> = args.iter().map(|arg| instantiate(arg, given)).collect();
            Size::Call(*function, args?)
        }
    })
}

fn param_id(param: &Param) -> Option<ValueId> {
    match param.pattern.node {
        PatternNode::Name(id, _) => Some(id),
        _ => None,
    }
}

fn rename_sizes(function: &mut Function, names: &Names) {
    function.map_types(&mut |ty| ty.map(&mut |_| None, &mut |size| rename(size, names)), &mut |size| {
        rename(size, names)
    });
}

/// The size, in which each part that is listed in `names` is replaced by its parameter.
fn rename(size: &Size, names: &Names) -> Size {
    if let Some((_, id)) = names.iter().find(|(known, _)| known == size) {
        return Size::Var(*id);
    }
    match size {
        Size::Const(_) | Size::Var(_) => size.clone(),
        Size::Binary(op, a, b) => Size::Binary(*op, Box::new(rename(a, names)), Box::new(rename(b, names))),
        Size::Call(function, args) => {
            Size::Call(*function, args.iter().map(|arg| rename(arg, names)).collect())
        }
    }
}

/// Finds the local sizes that are not parameters.
struct OtherSizes<'c, 'p> {
    checker: &'c Checker<'p>,
    own: Vec<ValueId>,
    found: Vec<Size>,
}

impl OtherSizes<'_, '_> {
    fn size(&mut self, size: &Size) {
        let mut is_own = |id| self.own.contains(&id);
        let has_own = size.any(&mut is_own);
        let has_other = size.any(&mut |id| !is_own(id) && !self.checker.is_definition(id));
        match size {
            _ if !has_other || self.found.contains(size) => {}
            Size::Binary(_, a, b) if has_own => {
                self.size(a);
                self.size(b);
            }
            Size::Call(_, args) if has_own => args.iter().for_each(|arg| self.size(arg)),
            _ => self.found.push(size.clone()),
        }
    }
}

impl<'a> Visit<'a> for OtherSizes<'_, '_> {
    fn exp(&mut self, exp: &'a Exp) {
        bound_in_type(&exp.ty, &mut self.own);
        exp.ty.each_size(&mut |size| self.size(size));
        match &exp.node {
            ExpNode::Size(size) => self.size(size),
            ExpNode::Var { sizes, .. } => sizes.iter().for_each(|size| self.size(size)),
            _ => {}
        }
        visit::walk_parts(self, exp);
    }
}

/// Adds the names that function types bind.
fn bound_in_type(ty: &Type, bound: &mut Vec<ValueId>) {
    match ty {
        Type::Function(function) => {
            bound.extend(function.name);
            bound.extend(&function.exists);
            bound_in_type(&function.from, bound);
            bound_in_type(&function.to, bound);
        }
        Type::Array(row, _) => bound_in_type(row, bound),
        _ => ty.parts().into_iter().for_each(|part| bound_in_type(part, bound)),
    }
}

/// Collects the sizes in the types of code ([`sizes_within`]).
struct Sizes {
    params: Vec<ValueId>,
    bound: Vec<ValueId>,
    found: Vec<Size>,
}

impl Sizes {
    fn of_type(&mut self, ty: &Type) {
        if let Type::Array(row, size) = ty {
            let name = |id| match self.params.iter().position(|&param| param == id) {
                Some(at) => Some(Size::Const(-1 - at as i64)),
                None => self.bound.contains(&id).then_some(Size::Const(BOUND)),
            };
            self.found.push(size.map(&mut { name }));
            self.of_type(row);
        }
        ty.parts().into_iter().for_each(|part| self.of_type(part));
    }
}

impl<'a> Visit<'a> for Sizes {
    fn exp(&mut self, exp: &'a Exp) {
        self.of_type(&exp.ty);
        visit::walk_parts(self, exp);
    }
}
