//! Unique results of functional arguments: if a function with a unique result is expected, as in
//! `f: []i32 -> *[]i32`, the actual function's result must be unique too.
//!
//! The type of a named function states the uniqueness of its result. For a lambda it is inferred from the body.

use ravel_base::{Code, Diagnostic, Span};

use super::Consumption;
use crate::tast::{Exp, ExpNode, Function, FunctionBody, FunctionType, Type};
use crate::uniqueness::Uniqueness;

impl Consumption<'_, '_> {
    /// Checks that the results of the functions in a value are as unique as the wanted type promises. The walk has
    /// already visited the value.
    pub(super) fn check_promises(&mut self, value: &Exp, wanted: &Type) {
        if !wanted.has_function() {
            return;
        }
        match &value.node {
            ExpNode::Tuple(parts) => self.check_each(parts.iter().zip(wanted.parts())),
            ExpNode::Record(fields) => {
                let parts = wanted.parts();
                let wanted = |name| wanted.field(name).and_then(|at| parts.get(at).copied());
                self.check_each(fields.iter().filter_map(|(name, field)| Some((field, wanted(*name)?))));
            }
            ExpNode::Constructor(name, payload) => {
                let Type::Sum(constructors) = wanted else { return };
                let made = constructors.iter().filter(|(known, _)| known == name);
                self.check_each(payload.iter().zip(made.flat_map(|(_, wanted)| wanted)));
            }
            ExpNode::Let { body, .. } | ExpNode::LetFunction { body, .. } => {
                self.check_promises(body, wanted);
            }
            ExpNode::Attributed(_, inner) | ExpNode::Coerce(inner) => self.check_promises(inner, wanted),
            ExpNode::Lambda(function) => self.check_lambda(function, value.span, wanted),
            _ => self.check_type(&with_results(&value.ty, &self.results_of(value)), wanted, value.span),
        }
    }

    fn check_each<'e>(&mut self, parts: impl Iterator<Item = (&'e Exp, &'e Type)>) {
        parts.for_each(|(part, wanted)| self.check_promises(part, wanted));
    }

    /// Checks the parameters of a lambda and the uniqueness inferred for its result.
    fn check_lambda(&mut self, function: &Function, span: Span, wanted: &Type) {
        let mut wanted = wanted;
        for (number, param) in function.params.iter().enumerate() {
            let Type::Function(step) = wanted else { return };
            if let Some((found, wanted)) = broken_promise(&step.from, &param.pattern.ty) {
                return self.report_promise(found, wanted, param.pattern.span);
            }
            if number + 1 == function.params.len() && !matches!(step.to, Type::Function(_)) {
                let known = self.lambdas.get(&span).map(|known| known.unique.clone()).unwrap_or_default();
                if !step.unique.is_within(&known, &step.to) {
                    self.report_promise(&FunctionType { unique: known, ..(**step).clone() }, step, span);
                }
                return;
            }
            wanted = &step.to;
        }
        if let FunctionBody::Exp(body) = &function.body {
            self.check_promises(body, wanted);
        }
    }

    fn check_type(&mut self, found: &Type, wanted: &Type, span: Span) {
        if let Some((found, wanted)) = broken_promise(found, wanted) {
            self.report_promise(found, wanted, span);
        }
    }

    fn report_promise(&mut self, found: &FunctionType, wanted: &FunctionType, span: Span) {
        let show = |function: &FunctionType| {
            let function = FunctionType { from: Type::Tuple(Vec::new()), name: None, ..function.clone() };
            let text = self.checker.show(&Type::Function(Box::new(function)));
            text.replacen("() -> ", "", 1)
        };
        let (found, wanted) = (show(found), show(wanted));
        let message = "The function's result may share memory with another value";
        let error = Diagnostic::error(Code::NotConsumable, span, message)
            .types(wanted, found)
            .note("Return types have incompatible uniqueness")
            .help("return a `copy` from the function, or remove the `*` from the expected type");
        self.report(error);
    }
}

/// The function type, whose final result gets this uniqueness.
fn with_results(ty: &Type, results: &Uniqueness) -> Type {
    let Type::Function(function) = ty else { return ty.clone() };
    let function = match &function.to {
        to @ Type::Function(_) => FunctionType { to: with_results(to, results), ..(**function).clone() },
        _ => FunctionType { unique: results.clone(), ..(**function).clone() },
    };
    Type::Function(Box::new(function))
}

/// A pair of corresponding function types in which the second promises more than the first.
fn broken_promise<'t>(found: &'t Type, wanted: &'t Type) -> Option<(&'t FunctionType, &'t FunctionType)> {
    match (found, wanted) {
        (Type::Function(found), Type::Function(wanted)) => {
            let is_last = !matches!(wanted.to, Type::Function(_));
            if is_last && !wanted.unique.is_within(&found.unique, &wanted.to) {
                return Some((found, wanted));
            }
            // Parameters are contravariant.
            broken_promise(&wanted.from, &found.from).or_else(|| broken_promise(&found.to, &wanted.to))
        }
        _ => found
            .parts()
            .into_iter()
            .zip(wanted.parts())
            .find_map(|(found, wanted)| broken_promise(found, wanted)),
    }
}
