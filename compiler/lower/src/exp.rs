//! Lowering of expressions.

use ravel_base::{Limitation, Symbol};
use ravel_core::{Atom, Body, ErrorPart, Exp as CoreExp, Sink, Source, Type, trace_label};
use ravel_prim::{BinOp, CmpOp, PrimType, PrimValue};
use ravel_types::tast::{Exp, ExpNode, Size};
use ravel_types::{application_order, parameter};

use crate::cx::{Computation, Lowered, Lowering};
use crate::data::tuple;
use crate::errors::{bug, limitation, text};
use crate::sizes::value_of;
use crate::value::{Env, FunctionName, Value};
use crate::warnings::SAFETY_CHECKS;

impl<'a> Lowering<'_, 'a> {
    /// Evaluates an expression. Afterwards `env` binds the sizes that are known only from its value. It also binds
    /// the names of its `let`s, which is harmless because names are unique.
    pub fn exp(&mut self, exp: &'a Exp, env: &mut Env<'a>) -> Lowered<Value<'a>> {
        let outer = self.place();
        let mut chain = Vec::new();
        let mut current = exp;
        loop {
            for id in &current.exists {
                env.values.remove(id);
                env.checks.remove(id);
            }
            self.enter_span(current.span);
            match &current.node {
                ExpNode::Let { sizes, pattern, value, body } => {
                    let ty = &value.ty;
                    let value = self.exp(value, env)?;
                    for (id, size) in sizes {
                        let number = self.known_size(size, env)?;
                        env.values.insert(*id, Value::Leaf(number));
                        self.bind_checks(*id, size, [(ty, &value)], env);
                    }
                    self.bind(pattern, value, env)?;
                    chain.push(current);
                    current = body;
                }
                ExpNode::LetFunction { id, name, function, body } => {
                    let named = FunctionName { id: *id, name: *name, noinline: false, span: current.span };
                    let function = self.closure(function, Some(named), env);
                    env.values.insert(*id, function);
                    chain.push(current);
                    current = body;
                }
                _ => break,
            }
        }
        let value = self.node(current, env)?;
        self.set_place(outer);
        self.bind_sizes(&current.exists, &current.ty, &value, env);
        for exp in chain.into_iter().rev() {
            self.bind_sizes(&exp.exists, &exp.ty, &value, env);
        }
        Ok(value)
    }

    /// A hole: unspecified data that depend on a check that always fails.
    fn hole(&mut self, exp: &'a Exp, env: &Env<'a>) -> Lowered<Value<'a>> {
        let ty = self.ty(&exp.ty, env);
        if ty.has_function() {
            return Err(limitation(Limitation::Hole, self.span));
        }
        let ty = self.natural_ty(ty);
        let leaves = self.leaf_types(&ty)?.into_iter().map(|ty| match ty.shape[..] {
            [] => Atom::Const(PrimValue::zero(ty.elem)),
            _ => self.builder.bind(ty, CoreExp::Scratch),
        });
        let leaves: Vec<Atom> = leaves.collect();
        let value = value_of(&ty, &mut leaves.into_iter());
        let value = value.ok_or_else(|| bug(self.span, "a hole without a value"))?;
        Ok(self.guard_value(Atom::bool(false), &value, vec![text("The hole ??? was evaluated.")]))
    }

    /// Evaluates an expression that is a scalar or an array of primitives.
    pub fn atom(&mut self, exp: &'a Exp, env: &mut Env<'a>) -> Lowered<Atom> {
        let value = self.exp(exp, env)?;
        self.leaf(&value)
    }

    fn exps(&mut self, exps: &'a [Exp], env: &mut Env<'a>) -> Lowered<Vec<Value<'a>>> {
        exps.iter().map(|exp| self.exp(exp, env)).collect()
    }

    fn node(&mut self, exp: &'a Exp, env: &mut Env<'a>) -> Lowered<Value<'a>> {
        let atom = match &exp.node {
            ExpNode::Const(value) => Atom::Const(*value),
            ExpNode::Hole => return self.hole(exp, env),
            ExpNode::Size(size) => {
                let value = self.size_value(size, env)?;
                let value = value.ok_or_else(|| bug(self.span, "a size that is not known here"))?;
                return Ok(self.number_of_size(size, value, env));
            }
            ExpNode::Attributed(attribute, inner) => return self.attributed(*attribute, inner, env),
            ExpNode::Var { id, types, sizes } => {
                let value = self.variable(*id, types, sizes, env)?;
                let value = self.number_of_size(&Size::Var(*id), value, env);
                return Ok(self.with_place(value, exp.span));
            }
            ExpNode::Tuple(parts) => return Ok(tuple(self.exps(parts, env)?)),
            ExpNode::Array(elements) => return self.array(exp, elements, env),
            ExpNode::Range(range) => self.range(range, env)?,
            ExpNode::Apply(function, args) => {
                // The type of the function may mention sizes that are known only from the arguments.
                let mut values = vec![None; args.len()];
                for at in application_order(function, args) {
                    values[at] = Some(self.exp(&args[at], env)?);
                }
                // The place of the sizes of a function is its application.
                let function = match function.node {
                    ExpNode::Var { .. } => self.node(function, env)?,
                    _ => self.exp(function, env)?,
                };
                let function = self.with_place(function, exp.span);
                return self.apply(function, values.into_iter().flatten().collect());
            }
            ExpNode::Unary(op, a) => {
                let a = self.atom(a, env)?;
                self.builder.unary(*op, a)
            }
            ExpNode::Binary(op, a, b) => {
                let (a, b) = (self.atom(a, env)?, self.atom(b, env)?);
                self.binary(*op, a, b)
            }
            ExpNode::Compare(op, a, b) => {
                let (a, b) = (self.atom(a, env)?, self.atom(b, env)?);
                self.builder.compare(*op, a, b)
            }
            ExpNode::And(a, b) => self.shortcut(BinOp::And, a, b, env)?,
            ExpNode::Or(a, b) => self.shortcut(BinOp::Or, a, b, env)?,
            ExpNode::Equal(positive, a, b) => {
                let (a, b) = (self.exp(a, env)?, self.exp(b, env)?);
                let equal = self.equal(&a, &b)?;
                if *positive { equal } else { self.builder.unary(ravel_prim::UnOp::Not, equal) }
            }
            ExpNode::Record(fields) => return self.record(&exp.ty, fields, env),
            ExpNode::RecordUpdate(record, path, value) => {
                let (old, new) = (self.exp(record, env)?, self.exp(value, env)?);
                return self.replace(&record.ty, &old, path, new);
            }
            ExpNode::Project(record, field) => {
                let value = self.exp(record, env)?;
                return self.project(&record.ty, &value, *field);
            }
            ExpNode::Constructor(name, payload) => {
                let payload = self.exps(payload, env)?;
                return self.construct(exp, *name, payload, env);
            }
            ExpNode::Index(array, dims) => {
                let array = self.exp(array, env)?;
                return self.index(&array, dims, env);
            }
            ExpNode::Update(array, dims, value) => {
                let array = self.exp(array, env)?;
                let value = self.exp(value, env)?;
                return self.update(&array, dims, &value, env);
            }
            ExpNode::If(cond, then, otherwise) => {
                let cond = self.atom(cond, env)?;
                let ty = self.ty(&exp.ty, env);
                return self.branch(
                    &ty,
                    cond,
                    |lowering| lowering.exp(then, &mut env.clone()),
                    |lowering| lowering.exp(otherwise, &mut env.clone()),
                );
            }
            ExpNode::Match(subject, cases) => {
                let subject = self.exp(subject, env)?;
                let ty = self.ty(&exp.ty, env);
                return self.cases(&ty, &subject, cases, env);
            }
            ExpNode::Loop(l) => return self.looping(l, env),
            ExpNode::Lambda(function) => return Ok(self.closure(function, None, env)),
            ExpNode::Coerce(value) => {
                let value = self.exp(value, env)?;
                let ty = self.ty(&exp.ty, env);
                return Ok(self.expect(&value, &ty));
            }
            ExpNode::Assert(_, value, _) if self.unsafely => return self.exp(value, env),
            ExpNode::Assert(cond, value, source) => {
                let cond = self.atom(cond, env)?;
                let message = vec![ErrorPart::Text(format!("Assertion is false: {source}"))];
                // The interpreter evaluates statements in order. This check makes it report the assertion, even if
                // memory would run out in `value`.
                self.guard(cond, vec![cond], message.clone());
                let before = self.builder.statement_count();
                let value = self.exp(value, env)?;
                let error = self.message(message.clone());
                self.precede(before, cond, error);
                return Ok(self.guard_value(cond, &value, message));
            }
            ExpNode::Let { .. } | ExpNode::LetFunction { .. } => return self.exp(exp, env),
        };
        Ok(Value::Leaf(atom))
    }

    /// `#[attribute] e`.
    fn attributed(&mut self, attribute: Symbol, inner: &'a Exp, env: &mut Env<'a>) -> Lowered<Value<'a>> {
        if attribute.as_str() == "unsafe" {
            let outer = std::mem::replace(&mut self.unsafely, true);
            let value = self.exp(inner, env);
            self.unsafely = outer;
            return value;
        }
        if attribute.as_str() == SAFETY_CHECKS {
            let outer = std::mem::replace(&mut self.shows_checks, true);
            let value = self.exp(inner, env);
            self.shows_checks = outer;
            return value;
        }
        if let Some(name) = parameter(attribute) {
            return Ok(Value::Leaf(self.tuned_value(name, inner, env)?));
        }
        if trace_label(attribute).is_some() {
            let value = self.exp(inner, env)?;
            return Ok(self.trace(attribute, &value));
        }
        let (_, mut attributes) = self.place();
        attributes.push(attribute);
        self.pending = attributes;
        self.exp(inner, env)
    }

    /// A tuning parameter. In core IR its default is a constant. Any other default is computed in a branch that runs if
    /// the parameter is not set. To test this, the code reads the parameter with two different defaults: if it is set,
    /// the two values are equal.
    fn tuned_value(&mut self, name: Symbol, default: &'a Exp, env: &mut Env<'a>) -> Lowered<Atom> {
        self.open();
        let default = self.atom(default, &mut env.clone())?;
        let computed = self.close(vec![default]);
        if let Atom::Const(PrimValue::I64(default)) = default {
            return Ok(self.tuning_parameter(name, default));
        }
        let [value, other] = [0, 1].map(|default| self.tuning_parameter(name, default));
        let is_set = self.builder.compare(CmpOp::Eq, value, other);
        let set = Body { stms: Vec::new(), result: vec![value] };
        let branch = CoreExp::If { cond: is_set, then: set, otherwise: computed };
        Ok(self.builder.bind(Type::scalar(PrimType::I64), branch))
    }

    fn tuning_parameter(&mut self, name: Symbol, default: i64) -> Atom {
        let computation = Computation::Param(name, default);
        if let Some(known) = self.computed(&computation) {
            return known;
        }
        let result = self.builder.bind(Type::scalar(PrimType::I64), CoreExp::Param(name, default));
        self.remember(computation, result);
        result
    }

    /// The value, passed through an assertion that always holds and has the attribute. So a trace is a dependence, as a
    /// check is. A value that contains only functions is not traced.
    fn trace(&mut self, attribute: Symbol, value: &Value<'a>) -> Value<'a> {
        let leaves = value.data();
        if leaves.is_empty() {
            return value.clone();
        }
        let place = self.place();
        self.set_place((place.0, vec![attribute]));
        let types = leaves.iter().map(|&leaf| self.builder.type_of(leaf)).collect();
        let error = self.message(Vec::new());
        let assertion = CoreExp::Assert { cond: Atom::bool(true), values: leaves, error };
        let traced = self.builder.bind_many(types, assertion);
        self.set_place(place);
        value.with_leaves(&mut traced.into_iter())
    }

    /// A binary operator with its check.
    pub fn binary(&mut self, op: BinOp, a: Atom, b: Atom) -> Atom {
        let computation = Computation::Binary(op, a, b);
        if let Some(known) = self.computed(&computation) {
            return known;
        }
        let result = self.checked_binary(op, a, b);
        // The result may be a size, and equal sizes must be the same variable.
        if self.builder.type_of(a).elem == PrimType::I64 {
            self.remember(computation, result);
            self.remember_for_originals(op, a, b, result);
        }
        result
    }

    /// Records the result for the numbers of which the operands are copies: a type may compute the same size from these.
    fn remember_for_originals(&mut self, op: BinOp, a: Atom, b: Atom, result: Atom) {
        let originals = (self.original(a), self.original(b));
        if originals == (a, b) {
            return;
        }
        let computation = Computation::Binary(op, originals.0, originals.1);
        match self.computed(&computation) {
            Some(known) => self.equate_copy(known, result),
            None => self.remember(computation, result),
        }
    }

    fn checked_binary(&mut self, op: BinOp, a: Atom, b: Atom) -> Atom {
        let ty = self.builder.type_of(a).elem;
        let zero = Atom::Const(PrimValue::zero(ty));
        match op {
            BinOp::Add | BinOp::Sub | BinOp::Mul if ty == PrimType::I64 => self.arithmetic(op, a, b),
            BinOp::Div | BinOp::Mod | BinOp::Quot | BinOp::Rem if ty.is_integer() => {
                let cond = self.check(CmpOp::Ne, b, zero);
                let divisor = self.guard(cond, vec![b], vec![text("division by zero")]);
                self.builder.binary(op, a, divisor[0])
            }
            BinOp::Pow if ty.is_signed() => {
                let cond = self.check(CmpOp::Le, zero, b);
                let exponent = self.guard(cond, vec![b], vec![text("negative exponent")]);
                self.builder.binary(op, a, exponent[0])
            }
            _ => self.builder.binary(op, a, b),
        }
    }

    /// `a && b` or `a || b`. If the second operand needs no statements, it is evaluated without a branch.
    fn shortcut(&mut self, op: BinOp, a: &'a Exp, b: &'a Exp, env: &mut Env<'a>) -> Lowered<Atom> {
        let a = self.atom(a, env)?;
        self.open();
        let b = self.atom(b, &mut env.clone())?;
        let second = self.close(vec![b]);
        if second.stms.is_empty() {
            return Ok(self.connect(op, a, b));
        }
        let (then, otherwise) = match op {
            BinOp::And => (second, constant(false)),
            _ => (constant(true), second),
        };
        Ok(self.builder.bind(Type::scalar(PrimType::Bool), CoreExp::If { cond: a, then, otherwise }))
    }

    /// An array literal. An array of tuples is a tuple of array literals.
    fn array(&mut self, exp: &'a Exp, elements: &'a [Exp], env: &mut Env<'a>) -> Lowered<Value<'a>> {
        let elements = self.exps(elements, env)?;
        let Some(first) = elements.first() else {
            let ty = self.ty(&exp.ty, env);
            let ty = self.natural_ty(ty);
            let types = self.leaf_types(&ty)?;
            let leaves: Vec<Atom> =
                types.into_iter().map(|ty| self.builder.bind(ty, CoreExp::Scratch)).collect();
            return crate::sizes::value_of(&ty, &mut leaves.into_iter()).ok_or_else(|| self.function_value());
        };
        let columns = elements.iter().map(|element| self.leaves(element)).collect::<Lowered<Vec<_>>>()?;
        let mut leaves = Vec::new();
        for (at, &leaf) in columns[0].iter().enumerate() {
            let row = self.builder.type_of(leaf);
            let sizes: Vec<_> = row.shape.iter().copied().map(Some).collect();
            let column = columns.iter().map(|leaves| self.retype(leaves[at], &sizes)).collect();
            leaves.push(self.builder.array_lit(row, column));
        }
        Ok(first.with_leaves(&mut leaves.into_iter()))
    }

    /// Structural equality of values without functions.
    fn equal(&mut self, a: &Value<'a>, b: &Value<'a>) -> Lowered<Atom> {
        let (a, b) = (self.leaves(a)?, self.leaves(b)?);
        let mut equal = Vec::new();
        for (a, b) in a.into_iter().zip(b) {
            equal.push(match (a.var(), b.var()) {
                (Some(x), Some(y)) if !self.builder.type_of(a).is_scalar() => self.equal_arrays(x, y),
                _ => self.builder.compare(CmpOp::Eq, a, b),
            });
        }
        Ok(self.all(equal))
    }

    /// Equality of two arrays of one rank. Elements are compared only if the shapes are equal.
    fn equal_arrays(&mut self, a: ravel_core::Var, b: ravel_core::Var) -> Atom {
        let shape = self.builder.vars()[a].ty.shape.clone();
        let other = self.builder.vars()[b].ty.shape.clone();
        let dims: Vec<Atom> = shape.iter().zip(&other).map(|(&x, &y)| self.check(CmpOp::Eq, x, y)).collect();
        let cond = self.all(dims);
        if cond == Atom::bool(false) {
            return cond;
        }
        self.open();
        let count =
            shape.iter().fold(Atom::i64(1), |count, &size| self.size_arithmetic(BinOp::Mul, count, size));
        let elem = self.builder.vars()[a].ty.elem;
        let flat = [a, b].map(|array| self.builder.reshape(array, vec![count]));
        let sources = flat.iter().filter_map(|atom| atom.var()).map(Source::Array).collect();
        let element = Type::scalar(elem);
        let map = self.builder.lambda(&[element.clone(), element], |builder, args| {
            vec![builder.compare(CmpOp::Eq, args[0], args[1])]
        });
        let op = self.builder.operator(BinOp::And, PrimType::Bool);
        let sink = Sink::Reduce { op, neutral: vec![Atom::bool(true)], commutative: true };
        let result = self.builder.screma(count, sources, map, vec![sink]);
        let then = self.close(result);
        let otherwise = constant(false);
        self.builder.bind(Type::scalar(PrimType::Bool), CoreExp::If { cond, then, otherwise })
    }
}

/// A body without statements that returns a constant.
fn constant(value: bool) -> Body {
    Body { stms: Vec::new(), result: vec![Atom::bool(value)] }
}
