//! Restrictions on higher-order recursive functions.
//!
//! Compiled code has no function values: a call is specialised for its functional arguments and results.
//! For specialisation to terminate, a recursive call must have all arguments and pass functional parameters on
//! unchanged, and the result must not be functional. A tuple that contains a function is functional, and so is a value
//! of a lifted type parameter. Inference ensures that types do not change between calls.

use ravel_base::{Code, Diagnostic, Span, Symbol};
use ravel_syntax::ast::ValueDec;

use crate::checker::Checker;
use crate::class::Class;
use crate::tast::{Exp, ExpNode, Function, Param, PatternNode, ValueId};
use crate::visit::{Visit, walk_exp, walk_function};

/// The calls of a function in its own body.
struct OwnCalls {
    own: ValueId,
    name: Symbol,
    /// The pattern of each functional parameter; `None` for other parameters.
    params: Vec<Option<PatternNode>>,
    culprit: Option<(Span, String)>,
}

impl Checker<'_> {
    /// Checks the recursive calls of a finished definition.
    pub(crate) fn check_own_calls(&mut self, dec: &ValueDec, function: &Function) {
        let Some(own) = self.own_id() else { return };
        let name = dec.name.node;
        if self.unifier.restrict(&function.result, Class::FIRST_ORDER).is_err() {
            let span = dec.result.as_ref().map_or(dec.name.span, |result| result.span);
            let message = format!("Recursive function `{name}` may not return a functional value");
            let error = Diagnostic::error(Code::BadFunctionUse, span, message)
                .note("Its result type is not first-order")
                .help("take the arguments of what it returns as parameters");
            self.diagnostics.push(error);
            return;
        }
        let functional = |param: &Param| {
            let is_first_order = self.unifier.restrict(&param.pattern.ty, Class::FIRST_ORDER).is_ok();
            (!is_first_order).then(|| param.pattern.node.clone())
        };
        let params: Vec<_> = function.params.iter().map(functional).collect();
        if params.iter().all(Option::is_none) {
            return;
        }
        let mut calls = OwnCalls { own, name, params, culprit: None };
        walk_function(&mut calls, function);
        if let Some((span, reference)) = calls.culprit {
            let message = format!("`{name}` must pass its functional arguments on unchanged");
            let error = Diagnostic::error(Code::BadFunctionUse, span, message)
                .note(reference)
                .help("pass the functional parameter on unchanged, together with all other arguments");
            self.diagnostics.push(error);
        }
    }
}

impl OwnCalls {
    fn is_own(&self, exp: &Exp) -> bool {
        match &exp.node {
            ExpNode::Var { id, .. } => *id == self.own,
            ExpNode::Attributed(_, inner) => self.is_own(inner),
            _ => false,
        }
    }

    /// Checks the arguments of a recursive call.
    fn call(&mut self, arguments: &[Exp], span: Span) {
        let name = self.name;
        let found = (self.params.len(), arguments.len());
        if found.0 != found.1 {
            self.culprit.get_or_insert_with(|| {
                let message = format!(
                    "Recursive application of `{name}` is not fully saturated: expected {} arguments but got {}",
                    found.0, found.1
                );
                (span, message)
            });
        }
        for (param, argument) in self.params.iter().zip(arguments) {
            let Some(param) = param else { continue };
            let same = match (param, &argument.node) {
                (PatternNode::Name(id, _), ExpNode::Var { id: given, .. }) => id == given,
                _ => false,
            };
            if !same {
                self.culprit.get_or_insert_with(|| {
                    let message = format!(
                        "Higher-order argument in recursive application of `{name}` must be passed unchanged, i.e. be the corresponding parameter"
                    );
                    (argument.span, message)
                });
            }
        }
    }

    /// Reports a use of the function as a value in its own body.
    fn reference(&mut self, span: Span) {
        let name = self.name;
        self.culprit.get_or_insert_with(|| {
            let message = format!(
                "Recursive reference to `{name}` must be a fully saturated application, as it has a higher-order parameter"
            );
            (span, message)
        });
    }
}

impl<'a> Visit<'a> for OwnCalls {
    fn exp(&mut self, exp: &'a Exp) {
        match &exp.node {
            ExpNode::Apply(function, arguments) if self.is_own(function) => {
                self.call(arguments, exp.span);
                arguments.iter().for_each(|argument| self.exp(argument));
            }
            _ if self.is_own(exp) => self.reference(exp.span),
            _ => walk_exp(self, exp),
        }
    }
}
