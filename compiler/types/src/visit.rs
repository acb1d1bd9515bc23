//! Visitors of typed trees, in source order.
//!
//! A [`Visit`] handles the occurrences of names. To handle expressions or functions too, a visitor overrides the method
//! `exp` or `function`, which calls `walk_exp` or `walk_function` to descend.

use crate::tast::*;

/// A visitor.
pub trait Visit<'a>: Sized {
    /// An occurrence of a value or a size.
    fn value(&mut self, _: ValueId) {}

    /// An occurrence of a type parameter.
    fn type_param(&mut self, _: TypeParamId) {}

    /// An expression.
    fn exp(&mut self, exp: &'a Exp) {
        walk_exp(self, exp);
    }

    /// A function, which may be top-level, local or anonymous.
    fn function(&mut self, function: &'a Function) {
        walk_function(self, function);
    }
}

/// Visits a function's parameters, result and body.
pub fn walk_function<'a>(visit: &mut impl Visit<'a>, function: &'a Function) {
    for param in &function.params {
        pattern(visit, &param.pattern);
    }
    ty(visit, &function.result);
    if let FunctionBody::Exp(body) = &function.body {
        visit.exp(body);
    }
}

/// Visits an expression's type and parts.
pub fn walk_exp<'a>(visit: &mut impl Visit<'a>, exp: &'a Exp) {
    ty(visit, &exp.ty);
    walk_parts(visit, exp);
}

/// Visits an expression's parts.
pub fn walk_parts<'a>(visit: &mut impl Visit<'a>, exp: &'a Exp) {
    match &exp.node {
        ExpNode::Const(_) | ExpNode::Hole => {}
        ExpNode::Size(each) => size(visit, each),
        ExpNode::Var { id, types, sizes } => {
            visit.value(*id);
            types.iter().for_each(|each| ty(visit, each));
            sizes.iter().for_each(|each| size(visit, each));
        }
        ExpNode::Tuple(parts) | ExpNode::Array(parts) | ExpNode::Constructor(_, parts) => {
            parts.iter().for_each(|part| visit.exp(part));
        }
        ExpNode::Record(fields) => fields.iter().for_each(|(_, value)| visit.exp(value)),
        ExpNode::Range(range) => {
            visit.exp(&range.start);
            range.second.iter().for_each(|second| visit.exp(second));
            visit.exp(&range.end);
        }
        ExpNode::Apply(function, arguments) => {
            visit.exp(function);
            arguments.iter().for_each(|argument| visit.exp(argument));
        }
        ExpNode::Unary(_, inner)
        | ExpNode::Project(inner, _)
        | ExpNode::Coerce(inner)
        | ExpNode::Attributed(_, inner) => visit.exp(inner),
        ExpNode::Binary(_, a, b)
        | ExpNode::Compare(_, a, b)
        | ExpNode::And(a, b)
        | ExpNode::Or(a, b)
        | ExpNode::Equal(_, a, b)
        | ExpNode::RecordUpdate(a, _, b)
        | ExpNode::Assert(a, b, _) => {
            visit.exp(a);
            visit.exp(b);
        }
        ExpNode::Index(array, dims) => {
            visit.exp(array);
            slice(visit, dims);
        }
        ExpNode::Update(array, dims, value) => {
            visit.exp(array);
            slice(visit, dims);
            visit.exp(value);
        }
        ExpNode::Let { sizes, pattern: bound, value, body } => {
            visit.exp(value);
            sizes.iter().for_each(|(_, each)| size(visit, each));
            pattern(visit, bound);
            visit.exp(body);
        }
        ExpNode::LetFunction { function, body, .. } => {
            visit.function(function);
            visit.exp(body);
        }
        ExpNode::If(condition, then, otherwise) => {
            visit.exp(condition);
            visit.exp(then);
            visit.exp(otherwise);
        }
        ExpNode::Match(subject, cases) => {
            visit.exp(subject);
            for (case, body) in cases {
                pattern(visit, case);
                visit.exp(body);
            }
        }
        ExpNode::Loop(inner) => {
            inner.sizes.iter().for_each(|(_, each)| size(visit, each));
            pattern(visit, &inner.pattern);
            visit.exp(&inner.init);
            match &inner.form {
                LoopForm::For(_, _, bound) | LoopForm::While(bound) => visit.exp(bound),
                LoopForm::ForIn(element, array) => {
                    pattern(visit, element);
                    visit.exp(array);
                }
            }
            visit.exp(&inner.body);
        }
        ExpNode::Lambda(function) => visit.function(function),
    }
}

fn slice<'a>(visit: &mut impl Visit<'a>, dims: &'a [SliceDim]) {
    for dim in dims {
        match dim {
            SliceDim::Fix(index) => visit.exp(index),
            SliceDim::Range { start, end, stride } => {
                [start, end, stride].into_iter().flatten().for_each(|bound| visit.exp(bound));
            }
        }
    }
}

fn pattern<'a>(visit: &mut impl Visit<'a>, pattern: &'a Pattern) {
    // The type of the whole contains the types of the parts.
    ty(visit, &pattern.ty);
}

fn ty<'a>(visit: &mut impl Visit<'a>, ty: &'a Type) {
    ty.each_param(&mut |param| visit.type_param(param));
    ty.each_size(&mut |each| size(visit, each));
}

fn size<'a>(visit: &mut impl Visit<'a>, size: &Size) {
    match size {
        Size::Const(_) => {}
        Size::Var(id) => visit.value(*id),
        Size::Binary(_, a, b) => {
            self::size(visit, a);
            self::size(visit, b);
        }
        Size::Call(function, args) => {
            visit.value(*function);
            args.iter().for_each(|arg| self::size(visit, arg));
        }
    }
}
