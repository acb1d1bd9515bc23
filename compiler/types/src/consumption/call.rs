//! Functions and their applications.
//!
//! A function that is bound or passed may be called many times, so its expression must not consume: neither a variable
//! that is bound outside, nor an argument of a partial application.

use std::collections::BTreeSet;

use ravel_base::{Code, Diagnostic, Section, Span};

use super::alias::Aliases;
use super::results::{Applied, Results};
use super::{Barrier, Consumption};
use crate::application::application_order;
use crate::desugar;
use crate::tast::{Exp, ExpNode, Function, FunctionBody, Pattern, PatternNode, Type, ValueId};
use crate::uniqueness::Uniqueness;

const OF_ARGUMENT: &str = "an argument of a partial application";
const WHOLE_CALL: &str =
    "write a function that takes the remaining arguments and makes the whole call: `\\x -> f a x`";

impl Consumption<'_, '_> {
    /// Records what is known of the results of a local function.
    pub(super) fn note_results(&mut self, id: ValueId, results: Option<Results>) {
        if let Some(variable) = self.variables.get_mut(&id) {
            variable.results = results;
        }
    }

    /// Walks through an expression and returns the aliases of its value. For a lambda, a local function or a
    /// partial application it also returns what was inferred about the results.
    fn callee(&mut self, exp: &Exp) -> (Aliases, Option<Results>) {
        match &exp.node {
            ExpNode::Lambda(function) => self.lambda(function, exp.span),
            ExpNode::Var { id, .. } => {
                let results = self.variables.get(id).and_then(|variable| variable.results.clone());
                (self.exp(exp), results)
            }
            ExpNode::Apply(..) if matches!(exp.ty, Type::Function(_)) => {
                let aliases = self.exp(exp);
                (aliases, Some(Results { unique: self.results_of(exp), constants: None }))
            }
            _ => (self.exp(exp), None),
        }
    }

    /// As [`Consumption::callee`], for a value that is bound or passed. A function in it may be called many times, so
    /// its expression must not consume variables that are bound outside.
    pub(super) fn stored_value(&mut self, value: &Exp, what: &str) -> (Aliases, Option<Results>) {
        let (first, since, partial) = (self.variables.len(), self.consumption_log.len(), self.partial);
        let found = self.callee(value);
        let is_older = |id: &&ValueId| self.variables.get(id).is_none_or(|variable| variable.serial < first);
        let consumed = self.consumption_log[since..].iter().find(is_older).copied();
        if value.ty.has_function() && (consumed.is_some() || self.partial > partial) {
            let (consumed, help) = match consumed {
                Some(id) => (
                    self.name(id),
                    "consume a `copy`, or bind the result of the consumption to a name before",
                ),
                None => (OF_ARGUMENT.to_owned(), WHOLE_CALL),
            };
            let ty = self.checker.show(&value.ty);
            self.report_stored(format!("{what} {ty} contains consumption of {consumed}"), value.span, help);
        }
        found
    }

    /// Reports a top-level constant that is a partial application which has consumed an argument: each call would
    /// consume it again.
    pub(super) fn check_constant_function(&mut self, function: &Function) {
        let FunctionBody::Exp(body) = &function.body else { return };
        if function.params.is_empty() && function.result.has_function() && self.partial > 0 {
            let ty = self.checker.show(&function.result);
            let reference =
                format!("Top-level constant of higher-order type {ty} contains consumption of {OF_ARGUMENT}");
            self.report_stored(reference, body.span, WHOLE_CALL);
        }
    }

    /// Reports a function value that would consume the same value in each of its calls.
    fn report_stored(&mut self, reference: String, span: Span, help: &str) {
        let message = "A function value may not consume what it captures";
        let error = Diagnostic::error(Code::NotConsumable, span, message).note(reference).help(help);
        self.report(error.section(Section::ContainsConsumption));
    }

    /// Walks through an application. It consumes an argument as soon as the argument has been evaluated.
    pub(super) fn apply(&mut self, function: &Exp, arguments: &[Exp], span: Span) -> Aliases {
        let steps = function.ty.steps(arguments.len());
        let is_partial = steps.last().is_some_and(|last| matches!(last.to, Type::Function(_)));
        let held = self.captured_aliases(function);
        let mut kept: Vec<(Aliases, usize, Span)> = Vec::new();
        for at in application_order(function, arguments) {
            let (argument, Some(step)) = (&arguments[at], steps.get(at)) else { continue };
            let (aliases, ..) = self.argument(argument);
            self.check_promises(argument, &step.from);
            let consumed = aliases.unique_parts(&step.consumes);
            let is_shared = kept.iter().any(|(other, ..)| consumed.common_variable(other).is_some());
            let wrong = match () {
                () if consumed.common_variable(&held).is_some() => Some((
                    "Consumed argument shares memory with the function",
                    "Argument is consumed, but aliases the function being applied",
                    "pass a `copy`",
                    None,
                )),
                () if is_shared => Some((
                    "Consumed argument shares memory with another argument",
                    "Argument is consumed, but aliases a value which is also aliased by other argument",
                    "pass a `copy`",
                    None,
                )),
                () if self.overlaps(&aliases, &argument.ty, &step.consumes) => Some((
                    "Two components of a consumed argument share memory",
                    "Argument passed for consuming parameter is self-aliased",
                    "make one of them a `copy`",
                    Some(Section::SelfAliasingArg),
                )),
                () => None,
            };
            self.partial += usize::from(is_partial && step.consumes.is_any());
            match wrong {
                Some((message, reference, help, section)) => {
                    let error = Diagnostic::error(Code::Consumed, argument.span, message).note(reference);
                    self.report(Diagnostic { section, ..error.help(help) });
                }
                None => self.consume(&consumed, argument.span),
            }
            kept.push((aliases.other_parts(&step.consumes), self.consumption_log.len(), argument.span));
        }
        // The function is called here, once, so it may consume.
        let partial = self.partial;
        let (captured, results) = self.callee(function);
        self.partial = partial;
        let captured = self.use_values(vec![(captured, self.consumption_log.len(), function.span)]);
        let of_all = |aliases: Vec<Aliases>| aliases.iter().flat_map(Aliases::iter).collect();
        let (captured, passed) = (of_all(captured), of_all(self.use_values(kept)));
        let mut applied = Applied { function, span, captured, passed };
        let Some(last) = steps.last() else { return Aliases::Whole(applied.all().collect()) };
        let unique = match &last.to {
            Type::Function(_) => last.unique.clone(),
            _ if self.is_fresh_by_type(function, arguments) => Uniqueness::Whole,
            _ => results.map_or_else(|| last.unique.clone(), |results| results.unique),
        };
        if unique.is_whole() {
            return Aliases::none();
        }
        if self.may_overlap(function, arguments) {
            let token = self.application_token(&applied);
            applied.passed.insert(token);
        }
        self.result_aliases(&applied, &last.to, &unique)
    }

    /// Whether two parts of a value of this type may share memory, and one of them is marked.
    fn overlaps(&self, aliases: &Aliases, ty: &Type, marks: &Uniqueness) -> bool {
        marks.is_any() && self.split(aliases, ty).overlap(marks)
    }

    /// The aliases of what a function captures, if it is a local variable.
    fn captured_aliases(&self, function: &Exp) -> Aliases {
        let ExpNode::Var { id, .. } = &function.node else { return Aliases::none() };
        self.variables.get(id).map_or_else(Aliases::none, |variable| variable.aliases.clone())
    }

    /// Whether components of a result may share memory although the arguments do not. Prelude functions
    /// without functional arguments never do that.
    fn may_overlap(&self, function: &Exp, arguments: &[Exp]) -> bool {
        let is_known = match function.node {
            ExpNode::Var { id, .. } => id.0 < self.checker.env.root_end,
            _ => false,
        };
        !is_known || arguments.iter().any(|argument| matches!(argument.ty, Type::Function(_)))
    }

    /// Walks through a lambda. Returns the aliases that it captures, and what is known of its results.
    pub(super) fn lambda(&mut self, function: &Function, span: Span) -> (Aliases, Option<Results>) {
        let (captured, results) = self.closure(function);
        self.lambdas.extend(results.clone().map(|results| (span, results)));
        (captured, results)
    }

    /// Walks through a local function. Returns the aliases that it captures, and what is known of its results. The latter
    /// is `None` if the result is a function, whose own type states its uniqueness.
    pub(super) fn closure(&mut self, function: &Function) -> (Aliases, Option<Results>) {
        let (first, used, partial) = (self.variables.len(), self.uses.len(), self.partial);
        let is_section = function.params.iter().any(|param| is_operand(&param.pattern));
        self.barriers.push((first, if is_section { Barrier::Section } else { Barrier::Function }));
        let result = self.body(function);
        let unique = self.freshness(function, &result);
        self.barriers.pop();
        self.partial = partial;
        // A result that may be a part of a constant, or share memory with itself, does so in each call.
        let mut captured: BTreeSet<ValueId> = result.iter().filter(|&id| self.is_constant(id)).collect();
        if result.iter().any(|id| self.is_sharing(id)) {
            captured.insert(self.maker());
        }
        for id in &self.uses[used..] {
            if let Some(variable) = self.variables.get(id).filter(|variable| variable.serial < first) {
                captured.extend(variable.aliases.iter());
            }
        }
        let constants = Some(self.constant_parts(&function.result, &result));
        let results =
            (!matches!(function.result, Type::Function(_))).then_some(Results { unique, constants });
        (Aliases::Whole(captured), results)
    }
}

/// Whether the pattern is a parameter of an operator section.
fn is_operand(pattern: &Pattern) -> bool {
    matches!(pattern.node, PatternNode::Name(_, name) if desugar::is_operand(name))
}
