//! Names and applications.
//!
//! `f a b` is one application of `f` to two arguments. Where the result's type depends on an
//! argument, the argument takes the parameter's place in it if it is a size; otherwise that size
//! is known only once the application has been evaluated, as are the function's own anonymous
//! sizes.

use ravel_base::{Code, Diagnostic, Limitation, Span, Symbol};
use ravel_syntax::ast::{self, ExpNode as Ast, QualName};

use crate::checker::{Checker, exp};
use crate::class::Class;
use crate::desugar;
use crate::env::Scheme;
use crate::names::{Found, written};
use crate::report::Context;
use crate::tast::{Exp, ExpNode, FunctionType, Size, Type, ValueId};
use crate::unify::{ERROR, ERROR_SIZE, FLEXIBLE};

impl Checker<'_> {
    /// A use of a name. `x.y` may also mean a field of a value.
    pub(crate) fn name(&mut self, name: &QualName) -> Exp {
        if let Some((first, fields)) = name.quals.split_first()
            && self.is_value(*first)
        {
            let value = self.name(&QualName { quals: Vec::new(), name: *first, span: name.span });
            return fields.iter().chain([&name.name]).fold(value, |value, &field| {
                self.project(value, &ast::Name { node: field, span: name.span }, name.span)
            });
        }
        match self.find(name) {
            Some(Found::Local(local)) => self.instance(local.id, &local.scheme, name.span),
            Some(Found::Global(entry)) => {
                let (id, scheme) = (entry.id, entry.scheme.clone());
                self.instance(id, &scheme, name.span)
            }
            None if self.is_operator(name) => self.exp(&desugar::operator(name)),
            None => {
                self.unknown_name(name);
                self.broken(name.span)
            }
        }
    }

    /// A use of a value, whose parameters may be anything.
    fn instance(&mut self, id: ValueId, scheme: &Scheme, span: Span) -> Exp {
        let types: Vec<Type> = scheme
            .type_params
            .iter()
            .map(|param| {
                let lifted = scheme.lifted.contains(param);
                self.unifier.fresh(if lifted { Class::ANY } else { Class::FIRST_ORDER }, span)
            })
            .collect();
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
    pub(crate) fn application(&mut self, whole: &ast::Exp) -> Exp {
        let mut arguments = Vec::new();
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
                }
                Ast::Binary(left, op, right) if self.is_pipe(op, "<|") => {
                    arguments.push(&**right);
                    function = left;
                }
                _ => break,
            }
        }
        arguments.reverse();
        let name = match &function.node {
            Ast::Name(name) => Some(Symbol::new(&written(name))),
            _ => None,
        };
        let function = self.exp(function);
        self.apply(function, name, &arguments, whole.span)
    }

    /// Is it this built-in way to apply a function, which the file does not define anew?
    pub(crate) fn is_pipe(&self, op: &QualName, text: &str) -> bool {
        op.quals.is_empty() && op.name.as_str() == text && self.find_own(op.name).is_none()
    }

    /// Applies a function to arguments.
    pub(crate) fn apply(
        &mut self,
        function: Exp,
        name: Option<Symbol>,
        arguments: &[&ast::Exp],
        span: Span,
    ) -> Exp {
        let mut ty = function.ty.clone();
        let mut exists = Vec::new();
        let mut checked = Vec::new();
        for (index, argument) in arguments.iter().enumerate() {
            let argument = self.exp(argument);
            ty = match self.unifier.head(&ty) {
                Type::Function(function) => self.apply_one(&function, name, &argument, &mut exists),
                ERROR => ERROR,
                open @ Type::Param(id) if id.0 >= FLEXIBLE => {
                    let to = self.fresh_type(span);
                    let function = plain_function(argument.ty.clone(), to.clone());
                    self.unify(argument.span, &open, &function, Context::Argument(name));
                    to
                }
                known => {
                    self.report_arguments(&function, name, index, &known, argument.span);
                    ERROR
                }
            };
            checked.push(argument);
        }
        let unknown = std::mem::take(&mut exists);
        exists.extend(unknown.into_iter().filter(|&id| ty.mentions(id)));
        if !exists.is_empty() && matches!(ty, Type::Function(_)) {
            return self.limited(Limitation::SizeExpressions, span);
        }
        for &id in &exists {
            self.origins.insert(id, span);
        }
        Exp { node: ExpNode::Apply(Box::new(function), checked), ty, exists, span }
    }

    /// The type of a function's result for this argument.
    fn apply_one(
        &mut self,
        function: &FunctionType,
        name: Option<Symbol>,
        argument: &Exp,
        exists: &mut Vec<ValueId>,
    ) -> Type {
        if !self.unify(argument.span, &function.from, &argument.ty, Context::Argument(name)) {
            return self.without_sizes(&function.to);
        }
        let mut to = function.to.clone();
        if let Some(param) = function.name {
            let size = self.size_of_exp(argument).unwrap_or_else(|| {
                let fresh = self.fresh_value();
                exists.push(fresh);
                Size::Var(fresh)
            });
            to = to.with_size(param, &size);
        }
        for &unknown in &function.exists {
            let fresh = self.fresh_value();
            exists.push(fresh);
            to = to.with_size(unknown, &Size::Var(fresh));
        }
        to
    }

    /// The type of a call whose argument is wrong: what it says of sizes is not to be relied on.
    fn without_sizes(&self, ty: &Type) -> Type {
        ty.map_sizes(&mut |_| ERROR_SIZE)
    }

    fn report_arguments(
        &mut self,
        function: &Exp,
        name: Option<Symbol>,
        taken: usize,
        known: &Type,
        span: Span,
    ) {
        let what = name.map_or_else(|| "this".to_owned(), |name| format!("`{name}`"));
        let diagnostic = if taken == 0 {
            let message = format!("{what} is not a function, but has type {}", self.show(known));
            Diagnostic::error(Code::NotAFunction, function.span, message)
                .label(span, "so it cannot be applied to this")
        } else {
            let arguments = if taken == 1 { "one argument" } else { &format!("{taken} arguments") };
            let message = format!("{what} takes only {arguments}");
            Diagnostic::error(Code::NotAFunction, span, message)
                .caret("this argument is one too many")
                .label(function.span, format!("this has type {}", self.show(&function.ty)))
        };
        self.diagnostics.push(diagnostic);
    }
}

/// A function type that neither binds nor consumes anything.
fn plain_function(from: Type, to: Type) -> Type {
    Type::Function(Box::new(FunctionType {
        name: None,
        from,
        consumes: false,
        exists: Vec::new(),
        to,
        unique: false,
    }))
}
