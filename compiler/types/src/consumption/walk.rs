//! The walk through expressions, in the order of evaluation.

use ravel_base::{Code, Diagnostic, Span};

use super::alias::Aliases;
use super::{Barrier, Consumption};
use crate::tast::{Exp, ExpNode, Function, Loop, LoopForm, Pattern, PatternNode, SliceDim, Type, ValueId};
use crate::type_exp::has_array;

impl Consumption<'_, '_> {
    /// Walks through an expression; gives what its value shares memory with.
    pub(super) fn exp(&mut self, exp: &Exp) -> Aliases {
        let aliases = self.node(exp);
        if has_array(&exp.ty) { aliases } else { Aliases::none() }
    }

    fn node(&mut self, exp: &Exp) -> Aliases {
        match &exp.node {
            ExpNode::Const(_) => Aliases::none(),
            ExpNode::Var { id, .. } => self.observe(*id, &exp.ty, exp.span),
            ExpNode::Tuple(parts) => Aliases::Tuple(parts.iter().map(|part| self.exp(part)).collect()),
            ExpNode::Array(parts) => {
                parts.iter().for_each(|part| drop(self.exp(part)));
                Aliases::none()
            }
            ExpNode::Range(range) => {
                self.exp(&range.start);
                range.second.iter().for_each(|second| drop(self.exp(second)));
                self.exp(&range.end);
                Aliases::none()
            }
            ExpNode::Apply(function, arguments) => self.apply(function, arguments),
            ExpNode::Unary(_, inner) => self.exp(inner),
            ExpNode::Coerce(inner) => self.exp(inner),
            ExpNode::Project(inner, index) => self.exp(inner).part(*index),
            ExpNode::Binary(_, a, b)
            | ExpNode::Compare(_, a, b)
            | ExpNode::Equal(_, a, b)
            | ExpNode::Assert(a, b, _) => {
                self.exp(a);
                self.exp(b)
            }
            ExpNode::And(a, b) | ExpNode::Or(a, b) => {
                self.exp(a);
                self.exp(b)
            }
            ExpNode::Index(array, dims) => {
                let aliases = self.exp(array);
                self.dims(dims);
                aliases
            }
            ExpNode::Update(array, dims, value) => self.update(array, dims, value, exp.span),
            ExpNode::Let { pattern, value, body, .. } => {
                let aliases = self.exp(value);
                self.bind(pattern, &aliases, true);
                self.exp(body)
            }
            ExpNode::LetFunction { id, function, body, .. } => {
                let (captured, fresh) = self.closure(function);
                self.bind_name(*id, captured, true);
                if let Some(variable) = self.variables.get_mut(id) {
                    variable.fresh_results = fresh;
                }
                self.exp(body)
            }
            ExpNode::Lambda(function) => self.closure(function).0,
            ExpNode::If(condition, then, otherwise) => {
                self.exp(condition);
                let before = self.trail.len();
                let then = self.exp(then);
                let consumed: Vec<(ValueId, Span)> = self
                    .trail
                    .drain(before..)
                    .filter_map(|id| self.consumed.remove(&id).map(|span| (id, span)))
                    .collect();
                let otherwise = self.exp(otherwise);
                for (id, span) in consumed {
                    if self.consumed.insert(id, span).is_none() {
                        self.trail.push(id);
                    }
                }
                // What one side consumes and the other hands on belongs to the result alone,
                // unless two components of the result share it.
                let either = then.union(&otherwise);
                let gone = &self.trail[before..];
                either
                    .keep(&|id| !gone.contains(&id) || either.iter().filter(|&other| other == id).count() > 1)
            }
            ExpNode::Loop(inner) => self.loop_exp(inner),
        }
    }

    fn dims(&mut self, dims: &[SliceDim]) {
        for dim in dims {
            match dim {
                SliceDim::Fix(index) => drop(self.exp(index)),
                SliceDim::Range { start, end, stride } => {
                    [start, end, stride].into_iter().flatten().for_each(|bound| drop(self.exp(bound)));
                }
            }
        }
    }

    fn update(&mut self, array: &Exp, dims: &[SliceDim], value: &Exp, span: Span) -> Aliases {
        let target = self.exp(array);
        self.dims(dims);
        let new = self.exp(value);
        if let Some(id) = new.iter().find(|&id| target.iter().any(|other| other == id)) {
            let message = format!(
                "the new value shares memory with {}, which is consumed by this update",
                self.name(id)
            );
            let help = "put a `copy` of the new value there";
            self.report(Diagnostic::error(Code::Consumed, value.span, message).help(help));
        }
        self.consume(&target, span);
        Aliases::none()
    }

    fn apply(&mut self, function: &Exp, arguments: &[Exp]) -> Aliases {
        let mut result = self.exp(function);
        let mut ty = &function.ty;
        let mut unique = match function.node {
            ExpNode::Var { id, .. } => self.variables.get(&id).is_some_and(|variable| variable.fresh_results),
            _ => false,
        };
        let mut seen: Vec<(Aliases, bool)> = Vec::new();
        for argument in arguments {
            let aliases = self.exp(argument);
            let Type::Function(step) = ty else { return result };
            if consumes_more(&step.from, &argument.ty) {
                let message = "this function consumes its argument, which is not promised to be consumable";
                let help = "pass a function that takes a `copy`";
                self.report(Diagnostic::error(Code::NotConsumable, argument.span, message).help(help));
            }
            let shares = |(other, consumed): &(Aliases, bool)| {
                (*consumed || step.consumes) && aliases.iter().any(|id| other.iter().any(|known| known == id))
            };
            if step.consumes {
                if seen.iter().any(shares) {
                    let message = "this argument is consumed, but another argument shares memory with it";
                    let help = "pass a `copy`";
                    self.report(Diagnostic::error(Code::Consumed, argument.span, message).help(help));
                } else {
                    self.consume(&aliases, argument.span);
                }
            } else if has_array(&argument.ty) {
                // A function argument's own memory shows in the result as well.
                result = Aliases::Whole(result.iter().chain(aliases.iter()).collect());
            }
            seen.push((aliases, step.consumes));
            unique |= step.unique;
            ty = &step.to;
        }
        if unique { Aliases::none() } else { result }
    }

    /// Walks through a function; gives what it holds on to, and whether its results are fresh.
    fn closure(&mut self, function: &Function) -> (Aliases, bool) {
        let (first, used) = (self.variables.len(), self.uses.len());
        self.barriers.push((first, Barrier::Function));
        let result = self.body(function);
        let fresh = result.is_fresh(|id| self.is_own(id));
        self.barriers.pop();
        let mut captured = Aliases::none();
        for id in &self.uses[used..] {
            if let Some(variable) = self.variables.get(id).filter(|variable| variable.serial < first) {
                captured = Aliases::Whole(captured.iter().chain(variable.aliases.iter()).collect());
            }
        }
        (captured, fresh)
    }

    fn loop_exp(&mut self, inner: &Loop) -> Aliases {
        let init = self.exp(&inner.init);
        let sequence = match &inner.form {
            LoopForm::For(_, _, bound) => {
                self.exp(bound);
                None
            }
            LoopForm::ForIn(pattern, sequence) => Some((pattern, self.exp(sequence))),
            LoopForm::While(_) => None,
        };
        let first = self.variables.len();
        let before = self.trail.len();
        self.barriers.push((first, Barrier::Loop));
        self.bind(&inner.pattern, &Aliases::none(), true);
        if let Some((pattern, aliases)) = sequence {
            self.bind(pattern, &aliases, false);
        }
        if let LoopForm::While(condition) = &inner.form {
            self.exp(condition);
        }
        let round = self.exp(&inner.body);
        self.barriers.pop();
        let consumed: Vec<ValueId> = self.trail[before..].to_vec();
        let whole = LoopPart { pattern: &inner.pattern, init, round };
        self.settle(&whole, &consumed, first, (inner.init.span, inner.body.span))
    }

    /// What a merge parameter shares memory with after the loop.
    fn settle(
        &mut self,
        part: &LoopPart<'_>,
        consumed: &[ValueId],
        first: usize,
        spans: (Span, Span),
    ) -> Aliases {
        if let PatternNode::Tuple(parts) = &part.pattern.node {
            let parts = parts.iter().enumerate().map(|(index, pattern)| {
                let inner = LoopPart { pattern, init: part.init.part(index), round: part.round.part(index) };
                self.settle(&inner, consumed, first, spans)
            });
            return Aliases::Tuple(parts.collect());
        }
        let outside = |consumption: &Self, id: ValueId| {
            consumption.variables.get(&id).is_none_or(|variable| variable.serial < first)
        };
        let is_consumed = matches!(part.pattern.node, PatternNode::Name(id, _) if consumed.contains(&id));
        let kept = part.round.keep(&|id| outside(self, id));
        if !is_consumed {
            return part.init.union(&kept);
        }
        if let Some(id) = kept.iter().next() {
            let name = match part.pattern.node {
                PatternNode::Name(_, name) => name.to_string(),
                _ => "_".to_owned(),
            };
            let message = format!(
                "the next round consumes `{name}`, but here it shares memory with {}, which may not be consumed",
                self.name(id)
            );
            let help = "give a `copy` to the next round";
            self.report(Diagnostic::error(Code::NotConsumable, spans.1, message).help(help));
        }
        self.consume(&part.init, spans.0);
        Aliases::none()
    }
}

/// A merge parameter with its values' aliases before the loop and after a round.
struct LoopPart<'a> {
    pattern: &'a Pattern,
    init: Aliases,
    round: Aliases,
}

/// Does a function consume what the expected function type does not say it does?
fn consumes_more(expected: &Type, actual: &Type) -> bool {
    match (expected, actual) {
        (Type::Function(expected), Type::Function(actual)) => {
            (actual.consumes && !expected.consumes) || consumes_more(&expected.to, &actual.to)
        }
        (Type::Tuple(expected), Type::Tuple(actual)) => {
            expected.iter().zip(actual).any(|(expected, actual)| consumes_more(expected, actual))
        }
        _ => false,
    }
}
