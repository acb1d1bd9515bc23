//! Names and applications.
//!
//! `f a b` is one application of `f` to two arguments. If the type of the result mentions a parameter and the argument
//! can be a size, the argument is substituted for the parameter. Otherwise a fresh existential size is substituted.
//! Fresh sizes also replace the existential sizes of the function's result.

mod report;
mod results;

use std::mem::discriminant;

use ravel_base::{Limitation, Span, Symbol};
use ravel_syntax::ast::{self, ExpNode as Ast, QualName};

use super::function_names::written_part;
use crate::checker::{Checker, exp};
use crate::class::Class;
use crate::consumption::{makes_abstract, type_params_of};
use crate::desugar;
use crate::env::{Scheme, liftedness_of};
use crate::exp::{LambdaArgument, TYPE_LIMIT, result_branches};
use crate::names::{ValueBinding, source_text};
use crate::report::Context;
use crate::show::signature;
use crate::tast::{
    Exp, ExpNode, FunctionType, Liftedness, Pattern, PatternNode, Size, Type, TypeParamId, ValueId,
};
use crate::unify::{ERROR, Unifier};
use crate::uniqueness::Uniqueness;

impl Checker<'_> {
    /// A use of a name. `x.y` may also be a field of a value, and `m.x.y` a field of a value in a module.
    pub(crate) fn name(&mut self, name: &QualName) -> Exp {
        if let Some(record) = self.record_in(name) {
            let fields = &name.quals[record.quals.len() + 1..];
            let mut span = record.span;
            let names_functions = match self.find(&record) {
                Some(ValueBinding::Local(local)) => self.function_names.contains_key(&local.id),
                _ => false,
            };
            let mut value = self.name(&record);
            for &node in fields.iter().chain([&name.name]) {
                // Assumes one dot between the names; other layouts only make the span less exact.
                let dot = span.end;
                span.end = (dot + 1 + node.as_str().len() as u32).min(name.span.end);
                if names_functions && let Some(part) = written_part(&value, node) {
                    value = Exp { span: Span { end: span.end, ..value.span }, ..part };
                    continue;
                }
                value = self.project(value, &ast::Name { node, span: Span { start: dot, ..span } }, span);
            }
            return value;
        }
        if name.name.as_str().starts_with('_') {
            self.hidden_name(name);
            return self.broken(name.span);
        }
        match self.find(name) {
            Some(ValueBinding::Local(local)) => {
                self.note_own_use(local.id);
                let functions = self.function_name(local.id, name.span);
                functions.unwrap_or_else(|| self.instance(local.id, &local.scheme, name.span))
            }
            Some(ValueBinding::Global(entry)) => {
                let (id, scheme) = (entry.id, entry.scheme.clone());
                if name.quals.is_empty() {
                    self.note_outer_use(id, name.span);
                }
                if makes_abstract(&scheme.ty) {
                    self.makers.insert(id);
                }
                self.instance(id, &scheme, name.span)
            }
            None if self.is_operator(name) => self.exp(&desugar::operator(name)),
            None => {
                self.unknown_name(name);
                self.broken(name.span)
            }
        }
    }

    /// Instantiates a scheme with flexible types and sizes.
    pub(crate) fn instance(&mut self, id: ValueId, scheme: &Scheme, span: Span) -> Exp {
        let types: Vec<Type> = scheme
            .type_params
            .iter()
            .map(|param| self.unifier.fresh(Class::of_param(liftedness_of(*param, &scheme.lifted)), span))
            .collect();
        let made = type_params_of(scheme.ty.last_result());
        let is_parametric = made
            .is_some_and(|made| !made.is_empty() && made.iter().all(|id| scheme.type_params.contains(id)));
        if is_parametric && matches!(scheme.ty, Type::Function(_)) {
            self.parametric.entry(id).or_insert_with(|| scheme.ty.clone());
        }
        let sizes: Vec<Size> = scheme.size_params.iter().map(|_| self.unifier.fresh_size(span)).collect();
        let ty = if types.is_empty() && sizes.is_empty() {
            scheme.ty.clone()
        } else {
            let type_of = |id| scheme.type_params.iter().position(|param| *param == id);
            let size_of = |id| scheme.size_params.iter().position(|param| *param == id);
            scheme.ty.map(&mut |id| type_of(id).map(|at| types[at].clone()), &mut |size| {
                size.map(&mut |id| size_of(id).map(|at| sizes[at].clone()))
            })
        };
        exp(ExpNode::Var { id, types, sizes }, ty, span)
    }

    /// An application, with all its arguments. `x |> f` and `f <| x` are applications of `f`.
    pub(crate) fn application(&mut self, whole: &ast::Exp, expected: Option<&Type>) -> Exp {
        let mut arguments = Vec::new();
        let mut piped = Vec::new();
        let mut function = whole;
        loop {
            match &function.node {
                Ast::Apply(inner, argument) => {
                    arguments.push(&**argument);
                    function = inner;
                }
                Ast::Binary(left, op, right) if self.is_pipe(op, "|>") => {
                    arguments.push(&**left);
                    function = right;
                    piped.push((arguments.len(), op.name, function.span));
                }
                Ast::Binary(left, op, right) if self.is_pipe(op, "<|") => {
                    arguments.push(&**right);
                    function = left;
                    piped.push((arguments.len(), op.name, function.span));
                }
                _ => break,
            }
        }
        arguments.reverse();
        let name = match &function.node {
            Ast::Name(name) => Some(name),
            _ => None,
        };
        let function = self.exp(function);
        let whole = self.apply(function, name, &arguments, expected, whole.span);
        if let ExpNode::Apply(function, _) = &whole.node {
            // Each argument of `id id … x` doubles the type of the first function.
            if self.unifier.is_larger(&function.ty, TYPE_LIMIT) {
                self.limit(Limitation::TypeSize, whole.span);
                return self.broken(whole.span);
            }
            let ty = self.unifier.resolve(&function.ty);
            let steps = ty.steps(arguments.len());
            for (position, op, span) in piped {
                let at = arguments.len() - position;
                if op.as_str() == "<|" {
                    self.left_pipes.insert(whole.span, at);
                }
                if let Some(step) = steps.get(at) {
                    self.check_pipe(op, step, span);
                }
            }
        }
        whole
    }

    /// Checks that a piped function does not consume its argument: it is a functional argument of the pipe.
    fn check_pipe(&mut self, op: Symbol, step: &FunctionType, span: Span) {
        let actual = Type::Function(Box::new(step.clone()));
        let expected = FunctionType { consumes: Uniqueness::None, ..step.clone() };
        self.unify(span, &Type::Function(Box::new(expected)), &actual, Context::Argument(Some(op)));
    }

    /// Whether `op` is this built-in pipe and the file does not redefine it.
    pub(crate) fn is_pipe(&self, op: &QualName, text: &str) -> bool {
        op.quals.is_empty() && op.name.as_str() == text && self.find_own(op.name).is_none()
    }

    /// Applies a function to arguments. After a wrong argument, later ones are not compared with
    /// the function's type.
    pub(crate) fn apply(
        &mut self,
        function: Exp,
        name: Option<&QualName>,
        arguments: &[&ast::Exp],
        expected: Option<&Type>,
        span: Span,
    ) -> Exp {
        let mut ty = function.ty.clone();
        let mut exists = Vec::new();
        let mut checked = Vec::new();
        let mut wrong = None;
        let context = Context::Argument(name.map(|name| Symbol::new(&source_text(name))));
        let mut results = self.lifted_results(&function.ty, arguments.len());
        let sums = expected
            .map_or_else(Vec::new, |expected| self.expected_sums(&function.ty, arguments.len(), expected));
        for (index, argument) in arguments.iter().enumerate() {
            let head = self.unifier.head(&ty);
            if !self.may_be_function(&head) {
                self.report_arguments(&function, name, index, &head, argument);
                return self.broken(span);
            }
            let written = argument;
            let mut argument = self.argument(written, &head, &sums);
            ty = match head {
                Type::Function(taker) => {
                    let given = match results.iter_mut().find(|result| result.sources.contains(&index)) {
                        Some(result) if result.sources[0] == index => {
                            let arguments = taker.from.steps(usize::MAX).len();
                            self.with_named_results(&argument.ty, arguments, &mut result.named)
                        }
                        Some(result) => {
                            let arguments = taker.from.steps(usize::MAX).len();
                            self.with_equal_results(&argument.ty, arguments, &result.named, argument.span)
                        }
                        None => argument.ty.clone(),
                    };
                    if self.unify(argument.span, &taker.from, &given, context) {
                        self.apply_one(&taker, &mut argument, &mut exists)
                    } else {
                        self.explain_composition(&taker);
                        self.advise(&function, name, &taker.from, written);
                        wrong = Some((index, taker, self.diagnostics.len() - 1));
                        ERROR
                    }
                }
                ERROR => ERROR,
                open => {
                    let to = self.fresh_type(span);
                    let taker = plain_function(argument.ty.clone(), to.clone());
                    if self.unify(argument.span, &open, &taker, context) { to } else { ERROR }
                }
            };
            checked.push(argument);
        }
        if let Some((index, taker, report)) = wrong {
            let types: Vec<Type> = checked.iter().map(|argument| argument.ty.clone()).collect();
            let params = signature(&self.unifier.resolve(&function.ty)).0;
            let exchanged = self.exchanged_argument(&taker, index, &types[index..]);
            let advice = exchanged
                .or_else(|| self.missing_argument(&params, &types, index))
                .or_else(|| self.lifted_application(name, &params, &types, index));
            let untupled = self.untupled_arguments(&params, &types, index);
            let help = &mut self.diagnostics[report].help;
            *help = advice.or(help.take()).or(untupled);
        }
        if !results.is_empty() {
            ty = self.each_result(&ty, &results, &mut exists);
        }
        exists.retain(|&id| ty.mentions(id));
        // The type arguments of the instance mention these sizes, even if the result does not.
        exists.extend(results.iter().flat_map(|result| &result.named.ids));
        for &id in &exists {
            self.origins.insert(id, span);
        }
        Exp { node: ExpNode::Apply(Box::new(function), checked), ty, exists, span }
    }

    /// The sum types that the open types of a function's parameters will be if its result gets the expected type. They are
    /// not decided here, since the result may have other sizes.
    fn expected_sums(&self, function: &Type, arguments: usize, expected: &Type) -> Vec<(TypeParamId, Type)> {
        fn compare(unifier: &Unifier, open: &Type, expected: &Type, found: &mut Vec<(TypeParamId, Type)>) {
            match (unifier.head(open), unifier.head(expected)) {
                (Type::Param(id), sum @ Type::Sum(_)) if unifier.constraints(id).is_some() => {
                    found.push((id, sum))
                }
                (Type::Array(open, _), Type::Array(expected, _)) => compare(unifier, &open, &expected, found),
                (open, expected) if discriminant(&open) == discriminant(&expected) => {
                    let parts = open.parts().into_iter().zip(expected.parts());
                    parts.for_each(|(open, expected)| compare(unifier, open, expected, found));
                }
                _ => {}
            }
        }
        let mut found = Vec::new();
        let function = self.unifier.resolve(function);
        let steps = function.steps(arguments);
        if let Some(last) = steps.last().filter(|_| steps.len() == arguments) {
            compare(&self.unifier, &last.to, expected, &mut found);
        }
        found
    }

    /// Checks an argument of a function of type `taker`. `sums` has the sum types that are expected of open types.
    fn argument(&mut self, written: &ast::Exp, taker: &Type, sums: &[(TypeParamId, Type)]) -> Exp {
        let (Ast::Lambda { body, .. }, Type::Function(taker)) = (&written.node, taker) else {
            return self.exp(written);
        };
        let mut results = Vec::new();
        if self.has_results_of_one_size(&taker.from) {
            result_branches(body, &mut results);
        }
        let (first, first_size) = (self.free.value, self.unifier.next_size());
        self.lambda_arguments.push(LambdaArgument { first, first_size, results });
        let sum = |id| sums.iter().find(|(known, _)| *known == id).map(|(_, sum)| sum.clone());
        let from = self.unifier.resolve(&taker.from);
        self.expected = Some(from.map(&mut |id| sum(id), &mut |size| size.clone()));
        let argument = self.exp(written);
        self.lambda_arguments.pop();
        argument
    }

    /// Whether all results of a function of this type have one size.
    fn has_results_of_one_size(&self, ty: &Type) -> bool {
        let ty = self.unifier.resolve(ty);
        let Some(last) = ty.steps(usize::MAX).last().copied() else { return false };
        let lifted = match last.to {
            Type::Param(id) => {
                self.unifier.constraints(id).is_none_or(|open| open.class.liftedness() > Liftedness::Unlifted)
            }
            _ => false,
        };
        last.exists.is_empty() && !lifted
    }

    /// The result type for this argument. If the type mentions the parameter and the argument is not a size, the
    /// argument is bound to a fresh name, which stands for it.
    fn apply_one(&mut self, function: &FunctionType, argument: &mut Exp, exists: &mut Vec<ValueId>) -> Type {
        let mut to = function.to.clone();
        if let Some(param) = function.name {
            let size = match self.size_of_exp(argument) {
                Some(size) => size,
                None => {
                    let fresh = self.fresh_value();
                    exists.push(fresh);
                    bind_to(fresh, argument);
                    Size::Var(fresh)
                }
            };
            self.compute_as(argument, &size);
            to = to.with_size(param, &size);
        }
        for &unknown in &function.exists {
            let fresh = self.fresh_value();
            exists.push(fresh);
            to = to.with_size(unknown, &Size::Var(fresh));
        }
        to
    }

    /// Whether the type is or may become a function type.
    fn may_be_function(&self, ty: &Type) -> bool {
        match ty {
            &ERROR | Type::Function(_) => true,
            Type::Param(id) => {
                self.unifier.constraints(*id).is_some_and(|constraints| constraints.class.has_params())
            }
            _ => false,
        }
    }
}

/// A function type that neither binds nor consumes anything.
fn plain_function(from: Type, to: Type) -> Type {
    Type::Function(Box::new(FunctionType {
        name: None,
        from,
        consumes: Uniqueness::None,
        exists: Vec::new(),
        to,
        unique: Uniqueness::None,
    }))
}

/// Replaces a value by `let id = value in id`.
fn bind_to(id: ValueId, value: &mut Exp) {
    let (ty, span) = (value.ty.clone(), value.span);
    let pattern = Pattern { node: PatternNode::Name(id, Symbol::new("argument")), ty: ty.clone(), span };
    let name = exp(ExpNode::Var { id, types: Vec::new(), sizes: Vec::new() }, ty.clone(), span);
    let bound = std::mem::replace(value, name.clone());
    let node = ExpNode::Let { sizes: Vec::new(), pattern, value: Box::new(bound), body: Box::new(name) };
    *value = exp(node, ty, span);
}
