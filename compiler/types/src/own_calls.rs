//! What functions that call themselves keep to.
//!
//! Functions are gone from compiled code: a call is specialised for those that it is given, and those that
//! it gives. So that there is an end to this, a function that calls itself hands on the functions that it
//! takes as they are, and gives none. That its types stay the same is seen to by inference.

use ravel_base::{Code, Diagnostic, Span, Symbol};
use ravel_syntax::ast::ValueDec;

use crate::checker::Checker;
use crate::class::Class;
use crate::tast::{Exp, ExpNode, Function, PatternNode, Type, ValueId};
use crate::visit::{Visit, walk_exp, walk_function};

/// A parameter that is a function: which one, and as what it is known in the body.
struct Functional {
    index: usize,
    id: Option<ValueId>,
    name: Symbol,
}

/// The calls of a function in its own body.
struct OwnCalls {
    own: ValueId,
    functional: Vec<Functional>,
    culprit: Option<(Span, String)>,
}

impl Checker<'_> {
    /// Checks the use of functions in a finished definition that calls itself.
    pub(crate) fn check_own_calls(&mut self, dec: &ValueDec, function: &Function) {
        let Some(own) = self.own_id() else { return };
        let name = dec.name.node;
        if self.unifier.restrict(&function.result, Class::FIRST_ORDER).is_err() {
            let span = dec.result.as_ref().map_or(dec.name.span, |result| result.span);
            let message = format!("Recursive function `{name}` may not return a functional value");
            let help = "take the arguments of what it returns as parameters";
            self.diagnostics.push(Diagnostic::error(Code::BadFunctionUse, span, message).help(help));
            return;
        }
        let params = function.params.iter().enumerate();
        let functional = params.filter(|(_, param)| matches!(param.pattern.ty, Type::Function(_)));
        let functional = functional.map(|(index, param)| match param.pattern.node {
            PatternNode::Name(id, name) => Functional { index, id: Some(id), name },
            _ => Functional { index, id: None, name: Symbol::new("_") },
        });
        let mut calls = OwnCalls { own, functional: functional.collect(), culprit: None };
        walk_function(&mut calls, function);
        if let Some((span, message)) = calls.culprit {
            let message = message.replace("{}", &format!("`{name}`"));
            let help = "hand on the function that was given, as it is";
            self.diagnostics.push(Diagnostic::error(Code::BadFunctionUse, span, message).help(help));
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

    /// Checks what the function is given in its own body.
    fn call(&mut self, arguments: &[Exp], span: Span) {
        for param in &self.functional {
            let culprit = match arguments.get(param.index) {
                Some(Exp { node: ExpNode::Var { id, .. }, .. }) if Some(*id) == param.id => continue,
                Some(other) => {
                    let message = "Functional argument in recursive call of {} must be the parameter itself";
                    (other.span, format!("{message}, `{}`", param.name))
                }
                None => {
                    (span, format!("Recursive use of {{}} lacks its functional argument `{}`", param.name))
                }
            };
            self.culprit.get_or_insert(culprit);
        }
    }
}

impl<'a> Visit<'a> for OwnCalls {
    fn exp(&mut self, exp: &'a Exp) {
        match &exp.node {
            ExpNode::Apply(function, arguments) if self.is_own(function) => {
                self.call(arguments, exp.span);
                arguments.iter().for_each(|argument| self.exp(argument));
            }
            _ if self.is_own(exp) => self.call(&[], exp.span),
            _ => walk_exp(self, exp),
        }
    }
}
