//! Expressions as sizes.
//!
//! Names, constants and arithmetic are sizes directly. Any other expression becomes a call of a generated
//! definition, whose parameters are its operands: `f (n + 1) xs.0` is the call of `□ □ □` with `f`,
//! `n + 1` and `xs.0`, which itself is a call of `□.0` with `xs`. Sizes are equal if they are the same
//! tree. So two expressions are equal sizes if they read the same after name resolution; nothing is
//! evaluated.
//!
//! An assertion or attribute does not change the size that an expression stands for. It is evaluated with the
//! expression, but not with the size. The attribute of a tuning parameter is different: the value is known only at run
//! time.
//!
//! An argument is not a size if it binds names, consumes something, or has a part of unknown size, as
//! `map f (filter p xs)` has. Then an existential size stands for it. Sections and operators do not count as binding
//! names.

use ravel_base::{Span, Symbol};
use ravel_prim::{BinOp, PrimType};
use ravel_syntax::ast::Literal;

use crate::attribute::parameter;
use crate::checker::{Checker, exp};
use crate::desugar;
use crate::general_sizes::sizes_within;
use crate::print::{HOLE, sign};
use crate::resolution::bit_pattern;
use crate::size_definition::SizeDefinition;
use crate::size_text::spaced;
use crate::tast::{
    Definition, Exp, ExpNode, Function, FunctionBody, LoopForm, Param, Pattern, PatternNode, Size, SliceDim,
    Type, ValueId,
};
use crate::unify::ERROR;
use crate::uniqueness::Uniqueness;

/// A definition under construction: the expression with holes.
#[derive(Default)]
struct Skeleton {
    /// The expression as messages show it.
    text: String,
    /// The text without the names of definitions, since a definition may have several names.
    nameless: String,
    globals: Vec<ValueId>,
    params: Vec<Param>,
    args: Vec<Size>,
}

impl Skeleton {
    fn put(&mut self, text: &str) {
        self.text += text;
        self.nameless += text;
    }

    fn put_name(&mut self, id: ValueId, name: &str) {
        self.text += name;
        self.globals.push(id);
    }

    fn put_hole(&mut self) {
        self.text.push(HOLE);
        self.nameless.push(HOLE);
    }

    fn space(&mut self) {
        self.text = spaced(&self.text);
        self.nameless = spaced(&self.nameless);
    }
}

impl Checker<'_> {
    /// The argument as a size, if it can be one.
    pub(crate) fn size_of_exp(&mut self, exp: &Exp) -> Option<Size> {
        let has_known_parts = || exp.children().into_iter().all(has_known_size);
        if self.is_plain(exp) && has_known_parts() { self.size_term(exp) } else { None }
    }

    /// Replaces an expression by the size that it equals, so that it is computed only once. The size contains no
    /// assertions and attributes. So those around the expression are kept, and an expression that contains any is not
    /// replaced.
    pub(crate) fn compute_as(&self, value: &mut Exp, size: &Size) {
        if let ExpNode::Assert(_, inner, _) | ExpNode::Attributed(_, inner) = &mut value.node {
            self.compute_as(inner, size);
        } else if matches!(size, Size::Call(..)) && !is_annotated(value) {
            value.node = ExpNode::Size(size.clone());
        }
    }

    /// The expression in brackets as a size.
    pub(crate) fn size_term(&mut self, exp: &Exp) -> Option<Size> {
        match &exp.node {
            ExpNode::Size(size) => Some(size.clone()),
            ExpNode::Var { id, types, sizes } if types.is_empty() && sizes.is_empty() => Some(Size::Var(*id)),
            ExpNode::Const(literal) if self.is_i64(&exp.ty) => self.size_of_literal(literal.bits()),
            ExpNode::Binary(op, a, b) if is_arithmetic(*op) && self.is_i64(&exp.ty) => {
                let (a, b) = (self.size_term(a)?, self.size_term(b)?);
                Some(Size::Binary(*op, Box::new(a), Box::new(b)))
            }
            ExpNode::Attributed(attribute, inner) if parameter(*attribute).is_none() => self.size_term(inner),
            ExpNode::Assert(_, inner, _) => self.size_term(inner),
            _ => self.size_call(exp),
        }
    }

    fn is_i64(&self, ty: &Type) -> bool {
        self.unifier.head(ty) == Type::Prim(PrimType::I64)
    }

    fn size_of_literal(&self, number: u64) -> Option<Size> {
        match self.literals.get(number as usize)? {
            Literal::Integer(value, None) => i64::try_from(*value).ok().map(Size::Const),
            Literal::Integer(value, Some(_)) => bit_pattern(*value, PrimType::I64)?.as_i64().map(Size::Const),
            _ => None,
        }
    }

    /// The call of a definition generated for the expression.
    fn size_call(&mut self, whole: &Exp) -> Option<Size> {
        let mut skeleton = Skeleton::default();
        let body = match &whole.node {
            ExpNode::Apply(function, args) => {
                let function = self.callee(function, &mut skeleton)?;
                let mut holes = Vec::new();
                for arg in args {
                    skeleton.put(" ");
                    holes.push(self.hole(arg, &mut skeleton)?);
                }
                ExpNode::Apply(Box::new(function), holes)
            }
            ExpNode::Project(tuple, index) => {
                let hole = self.hole(tuple, &mut skeleton)?;
                skeleton.put(&format!(".{index}"));
                ExpNode::Project(Box::new(hole), *index)
            }
            ExpNode::Binary(op, a, b) => {
                let a = self.hole(a, &mut skeleton)?;
                skeleton.put(&format!(" {} ", sign(*op)));
                let b = self.hole(b, &mut skeleton)?;
                ExpNode::Binary(*op, Box::new(a), Box::new(b))
            }
            ExpNode::Index(array, dims) if dims.iter().all(|dim| matches!(dim, SliceDim::Fix(_))) => {
                let array = self.hole(array, &mut skeleton)?;
                let mut holes = Vec::new();
                for (number, dim) in dims.iter().enumerate() {
                    skeleton.put(if number == 0 { "[" } else { ", " });
                    let SliceDim::Fix(index) = dim else { continue };
                    holes.push(SliceDim::Fix(self.hole(index, &mut skeleton)?));
                }
                skeleton.put("]");
                ExpNode::Index(Box::new(array), holes)
            }
            _ => self.with_holes(whole, &mut skeleton)?,
        };
        let name = Symbol::new(&skeleton.text);
        let body = Exp { exists: whole.exists.clone(), ..exp(body, whole.ty.clone(), whole.span) };
        let bound = bound_names(&body);
        let mut function = Function {
            type_params: Vec::new(),
            size_params: Vec::new(),
            params: skeleton.params,
            exists: Vec::new(),
            result: whole.ty.clone(),
            declared: None,
            body: FunctionBody::Exp(body),
        };
        let here = self.generalise_sizes(&mut function, &mut skeleton.args, bound, whole.span);
        let (id, entry, noinline, promise) = (self.fresh_value(), false, false, false);
        let definition = Definition { id, name, entry, noinline, promise, function, span: whole.span };
        let text = Symbol::new(&skeleton.nameless);
        let made = SizeDefinition { text, globals: skeleton.globals, definition };
        let key = self.size_key(&made);
        if let Some(known) = self.size_definitions.find(&key, |sizes| here.is_served_by(sizes)) {
            return Some(Size::Call(known, skeleton.args));
        }
        self.names.insert(id, name);
        self.size_definitions.insert(key, sizes_within(&made.definition.function), id);
        self.open_definitions.push(made);
        Some(Size::Call(id, skeleton.args))
    }

    /// The function of an application in the skeleton: its name if it is a definition, otherwise a hole.
    fn callee(&mut self, function: &Exp, skeleton: &mut Skeleton) -> Option<Exp> {
        match &function.node {
            ExpNode::Var { id, .. } if self.is_definition(*id) => {
                skeleton.put_name(*id, &spaced(&self.source(function.span)));
                Some(function.clone())
            }
            _ => self.hole(function, skeleton),
        }
    }

    /// Replaces an expression by a parameter. But a lambda is kept, and the values on which it depends become
    /// parameters.
    fn hole(&mut self, part: &Exp, skeleton: &mut Skeleton) -> Option<Exp> {
        if let ExpNode::Lambda(function) = &part.node {
            skeleton.put("(");
            let node = self.with_holes(part, skeleton)?;
            skeleton.put(")");
            // The text of an operator does not show the types of its operands.
            for param in &function.params {
                if let Type::Prim(prim) = self.unifier.head(&param.pattern.ty) {
                    skeleton.nameless += prim.name();
                }
            }
            return Some(exp(node, part.ty.clone(), part.span));
        }
        let arg = self.size_term(part)?;
        skeleton.put_hole();
        Some(self.parameter(part, arg, skeleton))
    }

    fn parameter(&mut self, part: &Exp, arg: Size, skeleton: &mut Skeleton) -> Exp {
        let name = Symbol::new(&format!("value {}", skeleton.params.len()));
        let id = self.fresh_value();
        if let Size::Var(known) = arg
            && let Some(&known) = self.names.get(&known)
        {
            self.names.insert(id, known);
        }
        let (ty, span) = (part.ty.clone(), part.span);
        let pattern = Pattern { node: PatternNode::Name(id, name), ty: ty.clone(), span };
        skeleton.params.push(Param { pattern, consumed: Uniqueness::None });
        skeleton.args.push(arg);
        exp(ExpNode::Var { id, types: Vec::new(), sizes: Vec::new() }, ty, span)
    }

    /// The expression with a hole for each use of a local variable.
    fn with_holes(&mut self, whole: &Exp, skeleton: &mut Skeleton) -> Option<ExpNode> {
        let (mut used, mut bound) = (Vec::new(), Vec::new());
        collect_names(whole, &mut used, &mut bound);
        used.retain(|part| !matches!(part.node, ExpNode::Var { id, .. } if bound.contains(&id)));
        used.retain(
            |part| !matches!(&part.node, ExpNode::Size(size) if size.any(&mut |id| bound.contains(&id))),
        );
        used.sort_by_key(|part| part.span.start);
        let Span { start: mut end, end: last, .. } = self.without_parentheses(whole.span);
        let mut holes: Vec<Exp> = Vec::new();
        for part in used {
            skeleton.put(&self.source(Span { start: end, end: part.span.start, ..whole.span }));
            end = part.span.end;
            let arg = match &part.node {
                ExpNode::Size(size) => size.clone(),
                ExpNode::Var { id, .. } if self.is_definition(*id) => {
                    skeleton.put_name(*id, &self.source(part.span));
                    continue;
                }
                ExpNode::Var { id, types, sizes } if types.is_empty() && sizes.is_empty() => Size::Var(*id),
                // A local polymorphic function has no instances outside the function that contains it.
                _ => return None,
            };
            skeleton.put_hole();
            holes.push(self.parameter(part, arg, skeleton));
        }
        skeleton.put(&self.source(Span { start: end, end: last, ..whole.span }));
        skeleton.space();
        let mut body = whole.clone();
        fill_holes(&mut body, &holes);
        Some(body.node)
    }

    /// The place without the parentheses that enclose all of it.
    fn without_parentheses(&self, mut span: Span) -> Span {
        let mut text = self.text.get(span.start as usize..span.end as usize).unwrap_or_default();
        while let Some(inner) = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'))
            && is_balanced(inner)
        {
            text = inner.trim_start();
            span.start += (inner.len() - text.len() + 1) as u32;
            text = text.trim_end();
            span.end = span.start + text.len() as u32;
        }
        span
    }

    /// The text of the file at a place.
    fn source(&self, span: Span) -> String {
        self.text.get(span.start as usize..span.end as usize).unwrap_or_default().to_owned()
    }

    /// Whether the id is that of an earlier top-level definition, which is visible everywhere.
    pub(crate) fn is_definition(&self, id: ValueId) -> bool {
        id.0 < self.first_local
    }

    /// Whether the expression binds no names and consumes nothing.
    fn is_plain(&self, exp: &Exp) -> bool {
        let binds = match &exp.node {
            // The user may set the value of a tuning parameter.
            ExpNode::Attributed(attribute, _) => parameter(*attribute).is_some(),
            ExpNode::Let { pattern, .. } => !is_generated(pattern),
            ExpNode::Lambda(function) => !function.params.iter().all(|param| is_generated(&param.pattern)),
            ExpNode::LetFunction { .. } | ExpNode::Loop(_) | ExpNode::Match(..) | ExpNode::Update(..) => true,
            ExpNode::Apply(function, args) => {
                let mut ty = self.unifier.resolve(&function.ty);
                args.iter().any(|_| match std::mem::replace(&mut ty, ERROR) {
                    Type::Function(function) => {
                        ty = function.to;
                        function.consumes.is_any()
                    }
                    _ => false,
                })
            }
            _ => false,
        };
        !binds && exp.children().into_iter().all(|child| self.is_plain(child))
    }
}

/// Whether there is an assertion or attribute in the expression.
fn is_annotated(exp: &Exp) -> bool {
    matches!(exp.node, ExpNode::Assert(..) | ExpNode::Attributed(..))
        || exp.children().into_iter().any(is_annotated)
}

/// Whether every size in the expression is known before its evaluation.
fn has_known_size(exp: &Exp) -> bool {
    exp.exists.is_empty() && exp.children().into_iter().all(has_known_size)
}

/// Whether the pattern binds a name generated for a section or for an operator used as a function.
fn is_generated(pattern: &Pattern) -> bool {
    matches!(pattern.node, PatternNode::Name(_, name) if desugar::is_generated(name))
}

/// Whether the parentheses are balanced.
fn is_balanced(text: &str) -> bool {
    let depths = text.chars().scan(0, |depth: &mut i32, letter| {
        *depth += i32::from(letter == '(') - i32::from(letter == ')');
        Some(*depth)
    });
    depths.min().is_none_or(|least| least >= 0)
}

fn is_arithmetic(op: BinOp) -> bool {
    matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div | BinOp::Mod)
}

/// The uses of variables and computed sizes in an expression, and the names that it binds itself.
fn collect_names<'e>(exp: &'e Exp, used: &mut Vec<&'e Exp>, bound: &mut Vec<ValueId>) {
    bound.extend(&exp.exists);
    match &exp.node {
        ExpNode::Var { .. } | ExpNode::Size(_) => used.push(exp),
        ExpNode::Let { pattern, sizes, .. } => {
            bound.extend(sizes.iter().map(|(id, _)| *id));
            pattern.each_name(&mut |id| bound.push(id));
        }
        ExpNode::LetFunction { id, function, .. } => {
            bound.push(*id);
            bind_params(function, bound);
        }
        ExpNode::Lambda(function) => bind_params(function, bound),
        ExpNode::Match(_, cases) => {
            cases.iter().for_each(|(pattern, _)| pattern.each_name(&mut |id| bound.push(id)));
        }
        ExpNode::Loop(inner) => {
            bound.extend(inner.sizes.iter().map(|(id, _)| *id));
            inner.pattern.each_name(&mut |id| bound.push(id));
            match &inner.form {
                LoopForm::For(id, ..) => bound.push(*id),
                LoopForm::ForIn(pattern, _) => pattern.each_name(&mut |id| bound.push(id)),
                LoopForm::While(_) => {}
            }
        }
        _ => {}
    }
    exp.children().into_iter().for_each(|child| collect_names(child, used, bound));
}

/// The names and sizes that an expression binds.
pub(crate) fn bound_names(exp: &Exp) -> Vec<ValueId> {
    let (mut used, mut bound) = (Vec::new(), Vec::new());
    collect_names(exp, &mut used, &mut bound);
    bound
}

fn bind_params(function: &Function, bound: &mut Vec<ValueId>) {
    bound.extend(&function.size_params);
    for param in &function.params {
        param.pattern.each_name(&mut |id| bound.push(id));
    }
}

/// Replaces each part for which there is a hole, at the same place, by the hole.
fn fill_holes(exp: &mut Exp, holes: &[Exp]) {
    match holes.iter().find(|hole| hole.span == exp.span) {
        Some(hole) if matches!(exp.node, ExpNode::Var { .. } | ExpNode::Size(_)) => *exp = hole.clone(),
        _ => exp.children_mut().into_iter().for_each(|child| fill_holes(child, holes)),
    }
}
