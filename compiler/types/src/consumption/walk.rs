//! The walk through expressions, in the order of evaluation.

use std::collections::BTreeSet;

use ravel_base::{Code, Diagnostic, Span, Symbol};

use super::Consumption;
use super::alias::Aliases;
use super::token::Origin;
use crate::tast::{Exp, ExpNode, Pattern, PatternNode, SliceDim, Type, ValueId};
use crate::uniqueness::Uniqueness;

impl Consumption<'_, '_> {
    /// Walks through an expression and returns the aliases of its value.
    pub(super) fn exp(&mut self, exp: &Exp) -> Aliases {
        let aliases = self.node(exp);
        match exp.ty {
            _ if !self.has_memory(&exp.ty) => Aliases::none(),
            Type::Param(_) | Type::Abstract(_) => self.elements_of_constants(aliases),
            _ => aliases,
        }
    }

    fn node(&mut self, exp: &Exp) -> Aliases {
        match &exp.node {
            ExpNode::Const(_) | ExpNode::Hole => Aliases::none(),
            ExpNode::Size(size) => {
                size.any(&mut |id| {
                    self.observe_variable(id, &[], exp.span);
                    false
                });
                Aliases::none()
            }
            ExpNode::Var { id, types, sizes }
                if types.len() + sizes.len() > 0 && !self.variables.contains_key(id) =>
            {
                match exp.ty {
                    Type::Function(_) => self.of_function(*id, &[], self.checker.makers.contains(id)),
                    _ => self.instance_of_constant(*id, &[]),
                }
            }
            ExpNode::Var { id, .. } => self.observe(*id, &[], &exp.ty, exp.span),
            ExpNode::Tuple(parts) => Aliases::Tuple(self.components(parts.iter())),
            ExpNode::Record(fields) => {
                let mut parts: Vec<(Option<usize>, Aliases)> = fields
                    .iter()
                    .map(|(name, _)| exp.ty.field(*name))
                    .zip(self.components(fields.iter().map(|(_, value)| value)))
                    .collect();
                parts.sort_by_key(|(at, _)| *at);
                Aliases::Tuple(parts.into_iter().map(|(_, part)| part).collect())
            }
            ExpNode::RecordUpdate(record, path, value) => {
                let old = self.exp(record);
                let since = self.consumption_log.len();
                let new = self.exp(value);
                let field = path.iter().fold(&record.ty, |ty, name| field_type(ty, *name));
                self.check_promises(value, field);
                let kept = old.with_field(&record.ty, path, &Aliases::none());
                let note = "A field that stays shares memory with the field that is updated";
                self.observe_later_with(&kept, since, record.span, Some(note));
                let new = self.component(value, new);
                old.with_field(&record.ty, path, &new)
            }
            ExpNode::Constructor(name, payload) => {
                let made = Aliases::Tuple(self.components(payload.iter()));
                let Type::Sum(constructors) = &exp.ty else { return made };
                let payloads = constructors.iter();
                let aliases =
                    payloads.map(|(known, _)| if known == name { made.clone() } else { Aliases::none() });
                Aliases::Sum(aliases.collect())
            }
            ExpNode::Array(parts) => {
                self.together(parts);
                Aliases::none()
            }
            ExpNode::Range(range) => {
                self.exp(&range.start);
                range.second.iter().for_each(|second| drop(self.exp(second)));
                self.exp(&range.end);
                Aliases::none()
            }
            ExpNode::Apply(function, arguments) => self.apply(function, arguments, exp.span),
            ExpNode::Unary(_, inner) => self.exp(inner),
            ExpNode::Coerce(inner) | ExpNode::Attributed(_, inner) => self.exp(inner),
            ExpNode::Project(inner, field) => match component(exp) {
                Some((id, path)) => self.observe(id, &path, &exp.ty, exp.span),
                None => {
                    let whole = self.exp(inner);
                    inner.ty.field(*field).map_or_else(Aliases::none, |at| whole.part(at))
                }
            },
            ExpNode::Binary(_, a, b)
            | ExpNode::Compare(_, a, b)
            | ExpNode::And(a, b)
            | ExpNode::Or(a, b)
            | ExpNode::Assert(a, b, _) => {
                self.exp(a);
                self.exp(b)
            }
            ExpNode::Equal(_, a, b) => {
                self.together([&**a, &**b]);
                Aliases::none()
            }
            ExpNode::Index(array, dims) => {
                let aliases = self.exp(array);
                let since = self.consumption_log.len();
                self.dims(dims);
                self.observe_later(&aliases, since, array.span);
                aliases
            }
            ExpNode::Update(array, dims, value) => self.update(array, dims, value, exp.span),
            ExpNode::Let { pattern, value, body, .. } => {
                let (aliases, results) =
                    self.stored_value(value, "Let-bound expression of higher-order type");
                self.check_promises(value, &pattern.ty);
                self.bind(pattern, &aliases, &Uniqueness::Whole);
                if let PatternNode::Name(id, _) = pattern.node {
                    self.note_results(id, results);
                }
                self.exp(body)
            }
            ExpNode::LetFunction { id, function, body, .. } => {
                let (captured, results) = self.closure(function);
                self.bind_name(*id, captured, None);
                self.note_results(*id, results);
                self.exp(body)
            }
            ExpNode::Lambda(function) => self.lambda(function, exp.span).0,
            ExpNode::If(condition, then, otherwise) => {
                self.exp(condition);
                self.branches([then, otherwise].map(|branch| (None, &**branch)), &Aliases::none(), Origin::If)
            }
            ExpNode::Match(subject, cases) => {
                let (subject, _) = self.stored_value(subject, "Matched expression of higher-order type");
                self.branches(
                    cases.iter().map(|(pattern, body)| (Some(pattern), body)),
                    &subject,
                    Origin::Match,
                )
            }
            ExpNode::Loop(inner) => self.loop_exp(inner),
        }
    }

    /// Walks through expressions whose values are used after all of them have been evaluated.
    fn together<'e>(&mut self, exps: impl IntoIterator<Item = &'e Exp>) -> Vec<Aliases> {
        let evaluated = exps.into_iter().map(|exp| self.argument(exp)).collect();
        self.use_values(evaluated)
    }

    /// Walks through the components of a tuple, a record or a constructor.
    fn components<'e>(&mut self, parts: impl Iterator<Item = &'e Exp> + Clone) -> Vec<Aliases> {
        let evaluated: Vec<_> = parts.clone().map(|part| self.argument(part)).collect();
        let uses = parts.zip(evaluated);
        uses.map(|(part, (aliases, since, span))| {
            if self.copy_before_consumption(part, &aliases, since) {
                return Aliases::none();
            }
            self.observe_later(&aliases, since, span);
            self.component(part, aliases)
        })
        .collect()
    }

    /// Walks through an expression that becomes an argument or a part of another value. Also returns the length of the
    /// consumption log after its evaluation.
    pub(super) fn argument(&mut self, exp: &Exp) -> (Aliases, usize, Span) {
        let (aliases, _) = self.stored_value(exp, "Argument of functional type");
        (aliases, self.consumption_log.len(), exp.span)
    }

    /// Uses values that were evaluated earlier, and returns their aliases.
    pub(super) fn use_values(&mut self, evaluated: Vec<(Aliases, usize, Span)>) -> Vec<Aliases> {
        for (aliases, since, span) in &evaluated {
            self.observe_later(aliases, *since, *span);
        }
        evaluated.into_iter().map(|(aliases, ..)| aliases).collect()
    }

    /// Walks through the branches of an `if` or `match`, after binding each pattern to the subject.
    fn branches<'e>(
        &mut self,
        branches: impl IntoIterator<Item = (Option<&'e Pattern>, &'e Exp)>,
        subject: &Aliases,
        origin: Origin,
    ) -> Aliases {
        let before = self.consumption_log.len();
        let mut either: Option<Aliases> = None;
        let mut gone: Vec<(ValueId, Span)> = Vec::new();
        for (pattern, body) in branches {
            if let Some(pattern) = pattern {
                self.bind(pattern, subject, &Uniqueness::Whole);
            }
            let result = self.exp(body);
            either = Some(either.map_or(result.clone(), |either| either.union(&result)));
            let consumed = self.consumption_log.drain(before..);
            gone.extend(consumed.filter_map(|id| self.consumed.remove(&id).map(|span| (id, span))));
        }
        for (id, span) in gone {
            if self.consumed.insert(id, span).is_none() {
                self.consumption_log.push(id);
            }
        }
        // If one branch consumes a variable and another returns it, only the result can reach its memory afterwards.
        let either = either.unwrap_or_else(Aliases::none);
        let gone: BTreeSet<ValueId> = self.consumption_log[before..].iter().copied().collect();
        let alive = either.keep(&|id| !gone.contains(&id));
        // Components of the result may still share it.
        let shared = |id: &ValueId| either.iter().filter(|other| other == id).count() > 1;
        if !gone.iter().any(shared) {
            return alive;
        }
        let token = Aliases::one(self.token(origin));
        alive.union(&either.keep(&|id| gone.contains(&id)).mapped(&token))
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
        let since = self.consumption_log.len();
        self.dims(dims);
        let new = self.exp(value);
        self.observe_later(&target, since, array.span);
        if let Some(id) = new.common_variable(&target) {
            let message = format!("New value may share memory with {}, which is updated", self.name(id));
            let reference = format!(
                "Source array for in-place update {} might alias update value `{}`",
                self.name(id),
                self.checker.quote(value.span)
            );
            let error = Diagnostic::error(Code::Consumed, value.span, message).note(reference);
            self.report(error.help("use `copy` to remove aliases from the value"));
        }
        self.consume(&target, span);
        Aliases::none()
    }
}

/// The type of a record's field.
fn field_type(ty: &Type, name: Symbol) -> &Type {
    let field = ty.field(name).and_then(|at| ty.parts().into_iter().nth(at));
    field.unwrap_or(ty)
}

/// If the expression is a variable or a component of one, the variable and the path to the component.
fn component(exp: &Exp) -> Option<(ValueId, Vec<usize>)> {
    match &exp.node {
        ExpNode::Var { id, .. } => Some((*id, Vec::new())),
        ExpNode::Project(inner, field) => {
            let (id, mut path) = component(inner)?;
            path.push(inner.ty.field(*field)?);
            Some((id, path))
        }
        _ => None,
    }
}
