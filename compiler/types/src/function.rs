//! Functions: the common part of definitions, local functions and lambdas.

use ravel_base::{Code, Diagnostic, Section, Span};
use ravel_syntax::ast;

use crate::checker::{Checker, exp};
use crate::env::{Scheme, TypeParam};
use crate::exp::Tail;
use crate::function_type::{ParamType, ResultType, arrows};
use crate::names::ScopeMark;
use crate::pattern::Group;
use crate::report::Context;
use crate::tast::{
    DeclaredUniqueness, Exp, ExpNode, Function, FunctionBody, Liftedness, Param, PatternNode, Size, Type,
    TypeParamId, ValueId,
};
use crate::type_dec::constructive_sizes;
use crate::unify::ERROR;
use crate::uniqueness::Uniqueness;

/// The syntax of a function: a lambda, or a local or top-level definition.
#[derive(Clone, Copy)]
pub(crate) struct FunctionSyntax<'a> {
    pub(crate) type_params: &'a [ast::TypeParam],
    pub(crate) params: &'a [ast::Pattern],
    pub(crate) result: Option<&'a ast::TypeExp>,
    pub(crate) body: &'a ast::Exp,
    /// The name of the function, if it may be recursive.
    pub(crate) own: Option<&'a ast::Name>,
}

/// A function after type checking.
pub(crate) struct CheckedFunction {
    pub(crate) function: Function,
    /// The parts of the result that share no memory with the arguments, as far as the type is written.
    pub(crate) unique: Uniqueness,
    /// The sizes that the written result type leaves open, so that the body determines them.
    pub(crate) opened: Vec<Size>,
}

impl CheckedFunction {
    /// The type of the function. Without parameters it is that of the result.
    pub(crate) fn ty(&self) -> Type {
        let function = &self.function;
        function_type(&function.params, &function.exists, &function.result, &self.unique)
    }
}

/// The type of a function. `unique` parts of the result share no memory with the arguments.
pub(crate) fn function_type(
    params: &[Param],
    exists: &[ValueId],
    result: &Type,
    unique: &Uniqueness,
) -> Type {
    let params = params.iter().map(|Param { pattern, consumed }| {
        let name = match pattern.node {
            PatternNode::Name(id, _) => Some(id),
            _ => None,
        };
        ParamType { name, ty: pattern.ty.clone(), consumes: consumed.clone() }
    });
    let result = ResultType { ty: result.clone(), exists: exists.to_vec(), unique: unique.clone() };
    arrows(params.collect(), result)
}

/// The names bound before a function's body.
pub(crate) struct Head {
    scope: ScopeMark,
    /// The first id bound by the function.
    first_id: u32,
    pub(crate) type_params: Vec<TypeParamId>,
    pub(crate) size_params: Vec<ValueId>,
    pub(crate) params: Vec<Param>,
}

impl Checker<'_> {
    /// Checks a function. Flexible sizes of its parameters stay flexible.
    pub(crate) fn function(&mut self, written: FunctionSyntax<'_>) -> CheckedFunction {
        self.function_with_result(written, None)
    }

    /// Checks a function of whose result this type is expected where the function is used.
    fn function_with_result(
        &mut self,
        written: FunctionSyntax<'_>,
        expected: Option<Type>,
    ) -> CheckedFunction {
        let mut head = self.function_head(written.type_params, written.params);
        match written.result {
            Some(result) => {
                let span = result.span;
                let result = self.result_type(result);
                self.check_result_names(&head.params, &result.ty, span);
                if let Some(own) = written.own {
                    let ty = function_type(&head.params, &result.exists, &result.ty, &result.unique);
                    self.bind_own(own, &mut head, ty);
                }
                self.expected = Some(result.open.clone());
                let body = self.exp(written.body);
                self.unify(body.span, &result.open, &body.ty, Context::Result);
                let left = self.leave_function(&head, &result.open, body.span);
                let declared = DeclaredUniqueness { unique: result.unique, span };
                let closed = self.close(head, left, Some(declared), FunctionBody::Exp(body));
                CheckedFunction { opened: result.opened, ..closed }
            }
            None => {
                let own_result = written.own.map(|own| {
                    let result = self.fresh_type(own.span);
                    let ty = function_type(&head.params, &[], &result, &Uniqueness::None);
                    self.bind_own(own, &mut head, ty);
                    result
                });
                let body = self.tail(Tail { exp: written.body, expected });
                if let Some(result) = own_result {
                    self.unify_own_result(&result, &body, head.first_id);
                }
                let left = self.leave_function(&head, &body.ty, body.span);
                self.close(head, left, None, FunctionBody::Exp(body))
            }
        }
    }

    /// Binds the parameters of a function.
    pub(crate) fn function_head(&mut self, type_params: &[ast::TypeParam], params: &[ast::Pattern]) -> Head {
        let scope = self.scopes.mark();
        let first_id = self.free.value;
        let (mut types, mut sizes) = (Vec::new(), Vec::new());
        self.distinct_names(type_names(type_params));
        self.distinct_names(size_names(type_params));
        for param in self.bind_type_params(type_params) {
            match param {
                TypeParam::Size(id) => sizes.push(id),
                TypeParam::Type(_, id) => {
                    self.unifier.add_local_type_param(id);
                    types.push(id);
                }
            }
        }
        let mut group = Group::default().with_names(size_names(type_params));
        let mut checked = Vec::new();
        for param in params {
            let ty = self.fresh_type(param.span);
            let pattern = self.pattern(param, &ty, &mut group);
            checked.push(Param { pattern, consumed: std::mem::take(&mut group.unique) });
        }
        Head { scope, first_id, type_params: types, size_params: sizes, params: checked }
    }

    /// Ends a function whose result was checked or declared. The body may have determined that an earlier parameter is a
    /// size of a later one, so the types of the parameters are resolved.
    pub(crate) fn close(
        &mut self,
        mut head: Head,
        (result, exists): (Type, Vec<ValueId>),
        declared: Option<DeclaredUniqueness>,
        body: FunctionBody,
    ) -> CheckedFunction {
        self.scopes.leave(head.scope);
        for param in &mut head.params {
            param.pattern.ty = self.unifier.resolve(&param.pattern.ty);
        }
        let unique = declared.as_ref().map_or(Uniqueness::None, |declared| declared.unique.clone());
        let function = Function {
            type_params: head.type_params,
            size_params: head.size_params,
            params: head.params,
            exists,
            result,
            declared,
            body,
        };
        CheckedFunction { function, unique, opened: Vec::new() }
    }

    /// The type of a result as callers see it, and its existential sizes: the sizes that mention names bound inside the
    /// function.
    fn leave_function(&mut self, head: &Head, result: &Type, span: Span) -> (Type, Vec<ValueId>) {
        let named = |param: &Param| match param.pattern.node {
            PatternNode::Name(id, _) => Some(id),
            _ => None,
        };
        let stays: Vec<ValueId> =
            head.params.iter().filter_map(named).chain(head.size_params.iter().copied()).collect();
        let (first, last) = (head.first_id, self.free.value);
        let ends = |id: ValueId| (first..last).contains(&id.0) && !stays.contains(&id);
        let result = self.unifier.resolve(result);
        let determined = constructive_sizes(&result);
        let is_hidden = |id| ends(id) && !determined.contains(&id);
        if self.no_errors_since(self.begin)
            && let Some(id) = result.size_in_parameter(&is_hidden)
        {
            self.report_unknown_parameter(id, &result, span);
        }
        let mut exists = Vec::new();
        let ty = self.leave_scope(&result, &mut exists, &ends);
        for &id in &exists {
            self.origins.insert(id, span);
        }
        (ty, exists)
    }

    /// Reports a returned function that callers cannot apply, since the size of its parameter is known only
    /// inside.
    fn report_unknown_parameter(&mut self, id: ValueId, function: &Type, span: Span) {
        let size = self.names.get(&id).map_or_else(String::new, |name| format!(" `{name}`"));
        let shown = self.show(function);
        let message = format!("Size{size} of the returned function's parameter is not known outside");
        let error = Diagnostic::error(Code::Causality, span, message)
            .fact("Inferred", &shown)
            .note(format!(
                "Unknown size{size} in parameter of the function that is returned, which is inferred as: {shown}"
            ))
            .note("Cannot generalise: the callers cannot name the size")
            .help("let the parameter have any size, `[]`, and state the size inside with `:>`")
            .section(Section::UnknownParamDef);
        self.diagnostics.push(error);
    }

    /// Reports a parameter whose size is a component of another one, which the function's type cannot name.
    pub(crate) fn check_accessible(&mut self, function: &Function) {
        let mut parts = Vec::new();
        for param in &function.params {
            parts.extend(inner_names(param));
            let ty = self.unifier.resolve(&param.pattern.ty);
            let Some(id) = parts.iter().find(|&&id| ty.mentions(id)) else { continue };
            let name = self.names.get(id).map_or("_", |name| name.as_str());
            let message = format!("Size `{name}` is not known to the caller");
            let error = Diagnostic::error(Code::UnboundSize, param.pattern.span, message)
                .note(format!(
                    "Parameter `{}` refers to size `{name}`, which will not be accessible to the caller",
                    self.quote(param.pattern.span)
                ))
                .help(format!("make `{name}` a parameter of its own, or state the size inside with `:>`"))
                .section(Section::InaccessibleSize);
            self.diagnostics.push(error);
            return;
        }
    }

    /// Reports a result whose size is a component of a parameter, which the function's type cannot name.
    fn check_result_names(&mut self, params: &[Param], result: &Type, span: Span) {
        let Some(id) = params.iter().flat_map(inner_names).find(|&id| result.mentions(id)) else { return };
        let name = self.names.get(&id).map_or("_", |name| name.as_str());
        let message = format!("Size `{name}` of the result is not known to the caller");
        let error = Diagnostic::error(Code::UnboundSize, span, message)
            .note(format!(
                "The return type annotation refers to the name `{name}`, which is bound to an inner component of a \
                 function parameter"
            ))
            .help(format!("make `{name}` a parameter of its own, or let the result have any size: `[]`"))
            .section(Section::InaccessibleSize);
        self.diagnostics.push(error);
    }

    /// Checks a lambda of which this type may be expected.
    pub(crate) fn lambda(&mut self, written: FunctionSyntax<'_>, expected: Option<&Type>, span: Span) -> Exp {
        let expected = expected.map(|ty| self.unifier.resolve(ty));
        let steps = expected.as_ref().map(|ty| ty.steps(written.params.len()));
        let last = steps.filter(|steps| steps.len() == written.params.len());
        let result = last.and_then(|steps| Some(steps.last()?.to.clone()));
        let checked = self.function_with_result(written, result);
        self.check_accessible(&checked.function);
        let ty = checked.ty();
        exp(ExpNode::Lambda(Box::new(checked.function)), ty, span)
    }

    /// Checks a local function. The sizes of its parameters may differ from call to call, and so may the types that its
    /// type parameters stand for.
    pub(crate) fn local_function(
        &mut self,
        name: &ast::Name,
        written: FunctionSyntax<'_>,
        body: Tail<'_>,
        span: Span,
    ) -> Exp {
        self.unifier.level += 1;
        self.local_functions.push(name.node);
        let mut checked = self.function(written);
        self.local_functions.pop();
        self.unifier.level -= 1;
        self.check_size_params(written.type_params, &checked.function);
        self.check_accessible(&checked.function);
        let mut implicit = Vec::new();
        for param in &checked.function.params {
            self.unifier.resolve(&param.pattern.ty).each_size(&mut |size| {
                size.any(&mut |id| {
                    if self.unifier.is_local_size(id) && !implicit.contains(&id) {
                        implicit.push(id);
                    }
                    false
                });
            });
        }
        for id in implicit {
            let param = self.fresh_value();
            let bound = self.unifier.unify_size(&Size::Var(id), &Size::Var(param));
            debug_assert!(bound.is_ok(), "a free size takes any other");
            checked.function.size_params.push(param);
        }
        let ty = self.unifier.resolve(&checked.ty());
        self.unifier.leave_level(&ty);
        let type_params = checked.function.type_params.clone();
        let own = |(param, _): &&(TypeParamId, Liftedness)| type_params.contains(param);
        let lifted = self.unifier.lifted.iter().filter(own).copied().collect();
        let size_params = checked.function.size_params.clone();
        let scheme = Scheme { type_params, lifted, size_params, ..Scheme::mono(ty) };
        let scope = self.scopes.mark();
        let id = self.named_value(name.node);
        self.scopes.bind(name.node, id, scheme);
        let body = self.tail(body);
        self.scopes.leave(scope);
        let mut exists = Vec::new();
        let ty = self.leave_scope(&body.ty, &mut exists, &|ends| ends == id);
        for &size in &exists {
            self.origins.insert(size, span);
        }
        let function = Box::new(checked.function);
        let node = ExpNode::LetFunction { id, name: name.node, function, body: Box::new(body) };
        Exp { exists, ..exp(node, ty, span) }
    }

    /// Reports size parameters that occur in no type, so that nothing determines them.
    pub(crate) fn check_size_params(&mut self, written: &[ast::TypeParam], function: &Function) {
        for (name, &id) in size_names(written).zip(&function.size_params) {
            // A type with an error might have determined the size.
            let used = |ty: &Type| {
                let ty = self.unifier.resolve(ty);
                let mut is_broken = false;
                ty.each_param(&mut |param| is_broken |= Type::Param(param) == ERROR);
                is_broken || ty.mentions(id)
            };
            if !used(&function.result) && !function.params.iter().any(|param| used(&param.pattern.ty)) {
                let message = format!("Size [{}] is not the size of any parameter", name.node);
                let error = Diagnostic::error(Code::UnboundSize, name.span, message)
                    .note(format!("Size [{}] unused in pattern: it is not used constructively", name.node))
                    .help("use it as the size of a parameter, or remove it")
                    .section(Section::UnusedSize);
                self.diagnostics.push(error);
            }
        }
    }
}

/// The names of the parameters that stand for sizes: `n` of `[n]`.
pub(crate) fn size_names(params: &[ast::TypeParam]) -> impl Iterator<Item = &ast::Name> {
    params.iter().filter_map(|param| match param {
        ast::TypeParam::Size(name) => Some(name),
        ast::TypeParam::Type(..) => None,
    })
}

/// The names of the parameters that stand for types: `a` of `'a`.
pub(crate) fn type_names(params: &[ast::TypeParam]) -> impl Iterator<Item = &ast::Name> {
    params.iter().filter_map(|param| match param {
        ast::TypeParam::Type(_, name) => Some(name),
        ast::TypeParam::Size(_) => None,
    })
}

/// The names that the pattern of a parameter binds to components.
fn inner_names(param: &Param) -> Vec<ValueId> {
    let mut names = Vec::new();
    if !matches!(param.pattern.node, PatternNode::Name(..) | PatternNode::Wildcard) {
        param.pattern.each_name(&mut |id| names.push(id));
    }
    names
}
