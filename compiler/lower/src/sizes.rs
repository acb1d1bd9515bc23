//! Types and sizes at compile time.
//!
//! A size is an i64 atom. In the type of an expression some sizes become known only with its value
//! ([`ravel_types::tast::Exp::exists`]); until then they are `None` in a [`Ty`], and [`Lowering::bind_sizes`] reads
//! them from the value's shape.
//!
//! The same size may have two names at one place: `n + 1` in a type and the i64 that the program computed as `n + 1`.
//! Value numbering of integer arithmetic ([`Lowering::arithmetic`]) unifies most of them. Where two names remain,
//! [`Lowering::retype`] adds an assertion that they are equal.
//!
//! The sizes of arrays are natural numbers. A number that may be negative, such as the argument of `iota` or an
//! overflowing product of two sizes, becomes a size only through a check ([`Lowering::natural`]). From there on, types,
//! indices, slices and ranges use the result of the check ([`Lowering::checked`]). So code that assumes that the number
//! is not negative depends on the check.

use std::convert::Infallible;

use ravel_core::{Atom, ErrorPart, Exp, Type};
use ravel_prim::{BinOp, CmpOp, PrimType, PrimValue};
use ravel_types::tast;
use ravel_types::tast::{Function, FunctionBody, Size, ValueId};

use crate::cx::{Computation, Lowered, Lowering};
use crate::data::{TAG, UNIT, is_unit};
use crate::errors::{bug, shape_parts, text};
use crate::value::{Env, Value};

/// A type whose sizes and type parameters are evaluated.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Ty {
    /// A primitive type.
    Prim(PrimType),
    /// An array, with its outer size if that is known.
    Array(Box<Ty>, Option<Atom>),
    /// A tuple, record or sum type, as the types of its parts.
    Tuple(Vec<Ty>),
    /// A function, or a type that is not known here.
    Opaque,
}

impl Ty {
    /// Whether all sizes of the type are known and it contains no function.
    pub fn is_known(&self) -> bool {
        match self {
            Ty::Prim(_) => true,
            Ty::Array(row, size) => size.is_some() && row.is_known(),
            Ty::Tuple(parts) => parts.iter().all(Ty::is_known),
            Ty::Opaque => false,
        }
    }

    /// States the unknown sizes of the type, from the outermost to the innermost.
    pub fn state_sizes(&mut self, size: &mut impl FnMut() -> Atom) {
        match self {
            Ty::Array(row, known) => {
                known.get_or_insert_with(&mut *size);
                row.state_sizes(size);
            }
            Ty::Tuple(parts) => parts.iter_mut().for_each(|part| part.state_sizes(size)),
            Ty::Prim(_) | Ty::Opaque => {}
        }
    }

    /// Whether the type contains a function.
    pub fn has_function(&self) -> bool {
        match self {
            Ty::Prim(_) => false,
            Ty::Array(row, _) => row.has_function(),
            Ty::Tuple(parts) => parts.iter().any(Ty::has_function),
            Ty::Opaque => true,
        }
    }
}

impl<'a> Lowering<'_, 'a> {
    /// A type, evaluated as far as its sizes are known.
    pub fn ty(&mut self, ty: &tast::Type, env: &Env<'a>) -> Ty {
        match ty {
            tast::Type::Prim(prim) => Ty::Prim(*prim),
            tast::Type::Array(row, size) => {
                let size = self.size(size, env);
                Ty::Array(Box::new(self.ty(row, env)), size)
            }
            _ if is_unit(ty) => Ty::Prim(UNIT),
            tast::Type::Tuple(_) | tast::Type::Record(_) => {
                Ty::Tuple(ty.parts().into_iter().map(|part| self.ty(part, env)).collect())
            }
            tast::Type::Sum(_) => {
                let mut types = vec![Ty::Prim(TAG)];
                for part in ty.parts() {
                    let payload = self.ty(part, env);
                    types.push(self.payload_ty(payload));
                }
                Ty::Tuple(types)
            }
            tast::Type::Function(_) | tast::Type::Abstract(_) => Ty::Opaque,
            tast::Type::Param(param) => env.types.get(param).cloned().unwrap_or(Ty::Opaque),
        }
    }

    /// The type of a payload, in which no size is negative. Only values of its constructor need the check that a number
    /// is a size: `if k < 0 then #none else #some (iota k)` has the type `#none | #some ([k]i64)` for all `k`. So the
    /// zeros that stand for a payload which the value does not have are empty if the number is negative.
    fn payload_ty(&mut self, ty: Ty) -> Ty {
        self.with_sizes(ty, &mut Self::at_least_zero)
    }

    /// The type with other sizes, which `change` makes from its own, from the outermost to the innermost.
    fn with_sizes(&mut self, ty: Ty, change: &mut impl FnMut(&mut Self, Atom) -> Atom) -> Ty {
        match ty {
            Ty::Array(row, size) => {
                let size = size.map(|size| change(self, size));
                Ty::Array(Box::new(self.with_sizes(*row, change)), size)
            }
            Ty::Tuple(types) => Ty::Tuple(types.into_iter().map(|ty| self.with_sizes(ty, change)).collect()),
            Ty::Prim(_) | Ty::Opaque => ty,
        }
    }

    fn at_least_zero(&mut self, number: Atom) -> Atom {
        if self.is_natural(number) {
            return number;
        }
        let size = self.arithmetic(BinOp::Max, number, Atom::i64(0));
        self.note_natural(size);
        size
    }

    /// The value of a size, if it is known.
    pub fn size(&mut self, size: &Size, env: &Env<'a>) -> Option<Atom> {
        let number = match size {
            Size::Binary(op, a, b) => {
                let (a, b) = (self.size(a, env)?, self.size(b, env)?);
                self.size_arithmetic(*op, a, b)
            }
            _ => match self.size_value(size, env) {
                Ok(Some(Value::Leaf(number))) => number,
                _ => return None,
            },
        };
        Some(self.checked(number))
    }

    /// The value of a size, or of an operand of a size, if it is known.
    pub fn size_value(&mut self, size: &Size, env: &Env<'a>) -> Lowered<Option<Value<'a>>> {
        match size {
            Size::Const(value) => Ok(Some(Value::Leaf(Atom::i64(*value)))),
            Size::Var(id) if env.values.contains_key(id) || self.program.definition(*id).is_some() => {
                self.variable(*id, &[], &[], env).map(Some)
            }
            Size::Var(_) => Ok(None),
            Size::Binary(op, a, b) => match (self.size_value(a, env)?, self.size_value(b, env)?) {
                (Some(a), Some(b)) => {
                    let (a, b) = (self.leaf(&a)?, self.leaf(&b)?);
                    Ok(Some(Value::Leaf(self.binary(*op, a, b))))
                }
                _ => Ok(None),
            },
            Size::Call(function, args) => {
                let mut values = Vec::new();
                for arg in args {
                    let Some(value) = self.size_value(arg, env)? else { return Ok(None) };
                    values.push(value);
                }
                self.size_call(*function, values).map(Some)
            }
        }
    }

    /// `a op b` in a type. The sum and the product of two sizes are checked to be sizes.
    pub fn size_arithmetic(&mut self, op: BinOp, a: Atom, b: Atom) -> Atom {
        let (sign, fits): (_, fn(i64, i64) -> bool) = match op {
            BinOp::Add => (" + ", |a, b| a.checked_add(b).is_some()),
            BinOp::Mul => (" * ", |a, b| a.checked_mul(b).is_some()),
            _ => return self.binary(op, a, b),
        };
        let number = self.binary(op, a, b);
        let size = self.checked(number);
        if !self.is_natural(a) || !self.is_natural(b) {
            return size;
        }
        let cond = match (op, a, b) {
            (_, Atom::Const(PrimValue::I64(a)), Atom::Const(PrimValue::I64(b))) => Atom::bool(fits(a, b)),
            _ if self.is_natural(size) => return size,
            (BinOp::Add, ..) => self.check(CmpOp::Le, Atom::i64(0), number),
            _ => {
                let divisor = self.builder.binary(BinOp::Max, b, Atom::i64(1));
                let most = self.builder.binary(BinOp::Quot, Atom::i64(i64::MAX), divisor);
                self.check(CmpOp::Le, a, most)
            }
        };
        let parts =
            vec![text("Size "), ErrorPart::Value(a), text(sign), ErrorPart::Value(b), text(" is too large.")];
        match number {
            Atom::Var(_) => {
                self.guard_extents(cond, Vec::new(), &[number], parts);
                self.checked(number)
            }
            // Not recorded as the checked value of the number: other expressions may have the same constant as their
            // value, and need not depend on this check.
            Atom::Const(_) => self.guard(cond, vec![number], parts)[0],
        }
    }

    /// The number as the size of an array, checked not to be negative.
    pub fn natural(&mut self, number: Atom) -> Atom {
        let range = |numbers: &[Atom]| {
            vec![text("Range 0..1..<"), ErrorPart::Value(numbers[0]), text(" is invalid.")]
        };
        self.naturals(&[number], range)[0]
    }

    /// The numbers as the sizes of an array, checked together not to be negative. `parts` returns the message.
    pub fn naturals(&mut self, numbers: &[Atom], parts: impl FnOnce(&[Atom]) -> Vec<ErrorPart>) -> Vec<Atom> {
        let numbers: Vec<Atom> = numbers.iter().map(|&number| self.checked(number)).collect();
        let unknown: Vec<Atom> = numbers.iter().copied().filter(|&number| !self.is_natural(number)).collect();
        if unknown.is_empty() {
            return numbers;
        }
        let conds: Vec<Atom> = unknown.iter().map(|&number| self.not_negative(number)).collect();
        let cond = self.all(conds);
        self.guard_extents(cond, Vec::new(), &unknown, parts(&numbers));
        numbers.into_iter().map(|number| self.checked(number)).collect()
    }

    /// The type, after checks that its sizes are not negative, so that a value of the type can exist.
    pub fn natural_ty(&mut self, ty: Ty) -> Ty {
        self.with_sizes(ty, &mut Self::natural)
    }

    /// The result of the definition that computes a size. A call that is already in scope is reused.
    fn size_call(&mut self, function: ValueId, args: Vec<Value<'a>>) -> Lowered<Value<'a>> {
        let known: Option<Vec<Vec<Atom>>> = args.iter().map(Value::leaves).collect();
        let computation = known.map(|leaves| Computation::Size(function, leaves.concat()));
        if let Some(result) = computation.as_ref().and_then(|computation| self.computed(computation)) {
            return Ok(Value::Leaf(result));
        }
        let value = match self.program.definition(function) {
            Some(definition) if !args.is_empty() => self.size_computation(&definition.function, args)?,
            _ => self.variable(function, &[], &[], &Env::default())?,
        };
        if let (Some(computation), Value::Leaf(result)) = (computation, &value) {
            self.remember(computation, *result);
        }
        Ok(value)
    }

    /// Evaluates the definition of a size. The program has no call there, so failures list none. If the definition
    /// was generated for an equal size at another place, they have the current place.
    fn size_computation(&mut self, function: &'a Function, args: Vec<Value<'a>>) -> Lowered<Value<'a>> {
        let FunctionBody::Exp(code) = &function.body else {
            return Err(bug(self.span, "a size computed by an intrinsic"));
        };
        self.enter_call()?;
        let mut env = Env::default();
        self.bind_params(function, args, &mut env)?;
        let value = if self.span.holds(code.span) {
            self.exp(code, &mut env)?
        } else {
            let here = self.path();
            let (caller, path) = (self.set_caller(Some(here)), self.set_path_of_size(Some(here)));
            let value = self.exp(code, &mut env)?;
            self.set_path_of_size(path);
            self.set_caller(caller);
            value
        };
        self.leave_call();
        Ok(value)
    }

    /// The value of a size that must be known.
    pub fn known_size(&mut self, size: &Size, env: &Env<'a>) -> Lowered<Atom> {
        self.size(size, env).ok_or_else(|| bug(self.span, format!("the size {size:?} is not known here")))
    }

    /// Reads the sizes `ids` that occur in `ty` and are not bound yet from the shape of `value`, which has that type.
    pub fn bind_sizes(&self, ids: &[ValueId], ty: &tast::Type, value: &Value<'a>, env: &mut Env<'a>) {
        if ids.is_empty() {
            return;
        }
        each_array(ty, value, 0, &mut |size, array, dimension| {
            if let Size::Var(id) = size
                && ids.contains(id)
                && !env.values.contains_key(id)
                && let Some(leaf) = array.first_leaf()
                && let Some(&size) = self.builder.type_of(leaf).shape.get(dimension)
            {
                env.values.insert(*id, Value::Leaf(size));
            }
        });
    }

    /// `a op b` on i64; a result that is in scope already is reused.
    pub fn arithmetic(&mut self, op: BinOp, a: Atom, b: Atom) -> Atom {
        let (zero, one) = (Atom::i64(0), Atom::i64(1));
        match (op, a, b) {
            (BinOp::Add | BinOp::Sub, _, _) if b == zero => return a,
            (BinOp::Add, _, _) if a == zero => return b,
            (BinOp::Mul, _, _) if b == one => return a,
            (BinOp::Mul, _, _) if a == one => return b,
            (_, Atom::Const(x), Atom::Const(y)) => {
                if let Some(value) = ravel_prim::binary(op, x, y) {
                    return Atom::Const(value);
                }
            }
            _ => {}
        }
        let computation = Computation::Binary(op, a, b);
        if let Some(known) = self.computed(&computation) {
            return known;
        }
        let result = self.builder.binary(op, a, b);
        self.remember(computation, result);
        result
    }

    /// The value, whose leaves get the known sizes of the type as their sizes. If a size of a leaf is another variable,
    /// an assertion checks that the two are equal.
    pub fn expect(&mut self, value: &Value<'a>, ty: &Ty) -> Value<'a> {
        self.expect_of(value, ty, "Value")
    }

    /// As [`Lowering::expect`], for a value that messages call `subject`.
    pub fn expect_of(&mut self, value: &Value<'a>, ty: &Ty, subject: &str) -> Value<'a> {
        let mut stated = stated_sizes(value, ty).into_iter();
        let Ok(value) = value.map_leaves(&mut |leaf| {
            let sizes = stated.next().expect("the sizes of each leaf");
            Ok::<Atom, Infallible>(self.retype_of(leaf, &sizes, subject))
        });
        value
    }

    /// The array, whose outer sizes become the stated ones after a check that they are equal. A stated number thereby
    /// counts as a size, and not as a number that may be negative.
    pub fn retype(&mut self, leaf: Atom, sizes: &[Option<Atom>]) -> Atom {
        self.retype_of(leaf, sizes, "Value")
    }

    fn retype_of(&mut self, leaf: Atom, sizes: &[Option<Atom>], subject: &str) -> Atom {
        let ty = self.builder.type_of(leaf);
        let mut wanted = ty.clone();
        for (dim, size) in wanted.shape.iter_mut().zip(sizes) {
            *dim = size.map_or(*dim, |size| self.checked(size));
        }
        if wanted == ty {
            return leaf;
        }
        let checks: Vec<Atom> =
            ty.shape.iter().zip(&wanted.shape).map(|(&is, &want)| self.check(CmpOp::Eq, is, want)).collect();
        let cond = self.all(checks);
        let cond = self.trusted_if_unsafe(cond);
        let mut parts = vec![ErrorPart::Text(format!("{subject} of shape "))];
        parts.extend(shape_parts(&ty.shape));
        parts.push(text(" cannot match shape of type \""));
        parts.extend(shape_parts(&wanted.shape));
        parts.push(ErrorPart::Text(format!("{}\".", ty.elem)));
        let error = self.message(parts);
        let (mut binders, mut values) = (Vec::new(), Vec::new());
        for dim in &mut wanted.shape {
            let known = values.iter().position(|number| number == dim);
            let size = match known {
                None if self.is_natural(*dim) => continue,
                None => {
                    binders.push(self.fresh_size());
                    values.push(*dim);
                    binders[binders.len() - 1]
                }
                Some(known) => binders[known],
            };
            *dim = Atom::Var(size);
        }
        for (&number, &size) in values.iter().zip(&binders) {
            self.remember_checked(number, Atom::Var(size));
        }
        let array = self.builder.fresh(None, wanted);
        binders.push(array);
        values.push(leaf);
        self.builder.emit(binders, Exp::Assert { cond, values, error });
        Atom::Var(array)
    }

    /// The core types of the leaves of a value of this type; all sizes must be known.
    pub fn leaf_types(&self, ty: &Ty) -> Lowered<Vec<Type>> {
        let mut types = Vec::new();
        self.leaf_types_below(ty, &mut Vec::new(), &mut types)?;
        Ok(types)
    }

    fn leaf_types_below(&self, ty: &Ty, outer: &mut Vec<Atom>, types: &mut Vec<Type>) -> Lowered<()> {
        match ty {
            Ty::Prim(prim) => types.push(Type::array(*prim, outer.clone())),
            Ty::Array(row, Some(size)) => {
                outer.push(*size);
                self.leaf_types_below(row, outer, types)?;
                outer.pop();
            }
            Ty::Tuple(parts) => {
                for part in parts {
                    self.leaf_types_below(part, outer, types)?;
                }
            }
            Ty::Array(_, None) => return Err(bug(self.span, "an array whose size is not known here")),
            Ty::Opaque => return Err(self.function_value()),
        }
        Ok(())
    }
}

/// Visits each size in the type with the value or part of the value that has it, and the number of the dimension.
pub(crate) fn each_array<'a>(
    ty: &tast::Type,
    value: &Value<'a>,
    dimension: usize,
    visit: &mut impl FnMut(&Size, &Value<'a>, usize),
) {
    match (ty, value) {
        (tast::Type::Array(row, size), _) => {
            visit(size, value, dimension);
            each_array(row, value, dimension + 1, visit);
        }
        (_, Value::Tuple(values)) => {
            let first = usize::from(matches!(ty, tast::Type::Sum(_)));
            for (ty, value) in ty.parts().into_iter().zip(values.iter().skip(first)) {
                each_array(ty, value, dimension, visit);
            }
        }
        // A scalar or a function has no shape.
        (_, Value::Leaf(_) | Value::Function(_) | Value::Constructor(_)) => {}
    }
}

/// The sizes that the type states for each leaf of the value, outermost first.
pub(crate) fn stated_sizes(value: &Value<'_>, ty: &Ty) -> Vec<Vec<Option<Atom>>> {
    let mut stated = Vec::new();
    collect_stated(value, ty, &mut Vec::new(), &mut stated);
    stated
}

fn collect_stated(
    value: &Value<'_>,
    ty: &Ty,
    outer: &mut Vec<Option<Atom>>,
    stated: &mut Vec<Vec<Option<Atom>>>,
) {
    match (value, ty) {
        (Value::Function(_) | Value::Constructor(_), _) => {}
        (_, Ty::Array(row, size)) => {
            outer.push(*size);
            collect_stated(value, row, outer, stated);
            outer.pop();
        }
        (Value::Tuple(values), Ty::Tuple(types)) => {
            for (value, ty) in values.iter().zip(types) {
                collect_stated(value, ty, outer, stated);
            }
        }
        (Value::Tuple(values), _) => {
            for value in values {
                collect_stated(value, ty, outer, stated);
            }
        }
        (Value::Leaf(_), _) => stated.push(outer.clone()),
    }
}

/// Visits each size that the type does not state, with an array of the value and the dimension of this array that has
/// the size. `ty` is the type of the elements below the first `dimension` dimensions of the value.
pub(crate) fn each_unstated_size(
    ty: &mut Ty,
    value: &Value<'_>,
    dimension: usize,
    visit: &mut impl FnMut(&mut Option<Atom>, Atom, usize),
) {
    match (ty, value) {
        (Ty::Array(row, size), _) => {
            if let (None, Some(array)) = (&size, value.first_leaf()) {
                visit(size, array, dimension);
            }
            each_unstated_size(row, value, dimension + 1, visit);
        }
        (Ty::Tuple(types), Value::Tuple(values)) => {
            for (ty, value) in types.iter_mut().zip(values) {
                each_unstated_size(ty, value, dimension, visit);
            }
        }
        (Ty::Tuple(_), Value::Leaf(_) | Value::Function(_) | Value::Constructor(_)) => {}
        (Ty::Prim(_) | Ty::Opaque, _) => {}
    }
}

/// The structure of a value of this type, with these leaves.
pub(crate) fn value_of<'a>(ty: &Ty, leaves: &mut impl Iterator<Item = Atom>) -> Option<Value<'a>> {
    match ty {
        Ty::Prim(_) => leaves.next().map(Value::Leaf),
        Ty::Array(row, _) => value_of(row, leaves),
        Ty::Tuple(parts) => {
            parts.iter().map(|part| value_of(part, leaves)).collect::<Option<_>>().map(Value::Tuple)
        }
        Ty::Opaque => None,
    }
}
