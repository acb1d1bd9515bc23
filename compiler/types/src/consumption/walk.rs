//! The walk through expressions, in the order of evaluation.

use ravel_base::{Code, Diagnostic, Section, Span, Symbol};

use super::alias::Aliases;
use super::{Barrier, Consumption};
use crate::application::application_order;
use crate::tast::{Exp, ExpNode, Function, Pattern, PatternNode, SliceDim, Type, ValueId};
use crate::type_exp::has_array;
use crate::uniqueness::Uniqueness;

impl Consumption<'_, '_> {
    /// Walks through an expression and returns the aliases of its value.
    pub(super) fn exp(&mut self, exp: &Exp) -> Aliases {
        let aliases = self.node(exp);
        if has_array(&exp.ty) { aliases } else { Aliases::none() }
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
            // Each use of a constant with size parameters computes it again. A constant with type parameters
            // may be shared by uses of the same type.
            ExpNode::Var { id, types, sizes }
                if types.len() + sizes.len() > 0 && !self.variables.contains_key(id) =>
            {
                match exp.ty {
                    Type::Function(_) => Aliases::none(),
                    _ if types.is_empty() => Aliases::none(),
                    _ => self.constant_token(*id, &[]),
                }
            }
            ExpNode::Var { id, .. } => self.observe(*id, &[], &exp.ty, exp.span),
            ExpNode::Tuple(parts) => Aliases::Tuple(self.together(parts)),
            ExpNode::Record(fields) => {
                let mut parts: Vec<(Option<usize>, Aliases)> = fields
                    .iter()
                    .map(|(name, _)| exp.ty.field(*name))
                    .zip(self.together(fields.iter().map(|(_, value)| value)))
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
                self.observe_later(&kept, since, record.span);
                old.with_field(&record.ty, path, &new)
            }
            ExpNode::Constructor(name, payload) => {
                let made = Aliases::Tuple(self.together(payload));
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
            ExpNode::Apply(function, arguments) => self.apply(function, arguments),
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
                let (aliases, results) = self.stored(value, "Let-bound expression of higher-order type");
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
                self.branches([then, otherwise].map(|branch| (None, &**branch)), &Aliases::none())
            }
            ExpNode::Match(subject, cases) => {
                let (subject, _) = self.stored(subject, "Matched expression of higher-order type");
                self.branches(cases.iter().map(|(pattern, body)| (Some(pattern), body)), &subject)
            }
            ExpNode::Loop(inner) => self.loop_exp(inner),
        }
    }

    /// Records the uniqueness of the results of a local function.
    fn note_results(&mut self, id: ValueId, results: Option<Uniqueness>) {
        if let Some(variable) = self.variables.get_mut(&id) {
            variable.results = results;
        }
    }

    /// Walks through an expression and returns the aliases of its value. For a lambda, a local function or a
    /// partial application it also returns the inferred uniqueness of the results.
    fn callee(&mut self, exp: &Exp) -> (Aliases, Option<Uniqueness>) {
        match &exp.node {
            ExpNode::Lambda(function) => self.lambda(function, exp.span),
            ExpNode::Var { id, .. } => {
                let results = self.variables.get(id).and_then(|variable| variable.results.clone());
                (self.exp(exp), results)
            }
            ExpNode::Apply(..) if matches!(exp.ty, Type::Function(_)) => {
                let aliases = self.exp(exp);
                (aliases, Some(self.results_of(exp)))
            }
            _ => (self.exp(exp), None),
        }
    }

    /// As [`Consumption::callee`], for a value that is bound or passed. A function in it may be called many times, so
    /// its expression must not consume variables that are bound outside.
    fn stored(&mut self, value: &Exp, what: &str) -> (Aliases, Option<Uniqueness>) {
        let (first, since) = (self.variables.len(), self.consumption_log.len());
        let found = self.callee(value);
        let is_older = |id: &&ValueId| self.variables.get(id).is_none_or(|variable| variable.serial < first);
        if value.ty.has_function()
            && let Some(&consumed) = self.consumption_log[since..].iter().find(is_older)
        {
            let (name, ty) = (self.name(consumed), self.checker.show(&value.ty));
            let message = format!("{what} {ty} contains consumption of {name}");
            let help = "consume a `copy`, or bind the result of the consumption to a name before";
            let error = Diagnostic::error(Code::NotConsumable, value.span, message).help(help);
            self.report(error.section(Section::ContainsConsumption));
        }
        found
    }

    /// Walks through expressions whose values are used after all of them have been evaluated.
    fn together<'e>(&mut self, exps: impl IntoIterator<Item = &'e Exp>) -> Vec<Aliases> {
        let evaluated = exps.into_iter().map(|exp| self.argument(exp)).collect();
        self.use_values(evaluated)
    }

    /// Walks through an expression that becomes an argument or a part of another value. Also returns the length of the
    /// consumption log after its evaluation.
    fn argument(&mut self, exp: &Exp) -> (Aliases, usize, Span) {
        let (aliases, _) = self.stored(exp, "Argument of functional type");
        (aliases, self.consumption_log.len(), exp.span)
    }

    /// Uses values that were evaluated earlier, and returns their aliases.
    fn use_values(&mut self, evaluated: Vec<(Aliases, usize, Span)>) -> Vec<Aliases> {
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
        // If one branch consumes a variable and another returns it, only the result can reach its memory afterwards,
        // unless two components of the result share it.
        let either = either.unwrap_or_else(Aliases::none);
        let gone = &self.consumption_log[before..];
        either.keep(&|id| !gone.contains(&id) || either.iter().filter(|&other| other == id).count() > 1)
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
        if let Some(id) = new.shared(&target) {
            let message = format!(
                "Source array for in-place update {} might alias update value `{}`",
                self.name(id),
                self.checker.quote(value.span)
            );
            let help = "use `copy` to remove aliases from the value";
            self.report(Diagnostic::error(Code::Consumed, value.span, message).help(help));
        }
        self.consume(&target, span);
        Aliases::none()
    }

    /// Walks through an application. It consumes an argument as soon as the argument has been evaluated.
    fn apply(&mut self, function: &Exp, arguments: &[Exp]) -> Aliases {
        let steps = function.ty.steps(arguments.len());
        let mut kept: Vec<(Aliases, usize, Span)> = Vec::new();
        for at in application_order(function, arguments) {
            let (argument, Some(step)) = (&arguments[at], steps.get(at)) else { continue };
            let (aliases, ..) = self.argument(argument);
            self.check_promises(argument, &step.from);
            let consumed = aliases.marked(&step.consumes);
            let is_shared = kept.iter().any(|(other, ..)| consumed.shared(other).is_some());
            let wrong = match () {
                () if is_shared => Some((
                    "Argument is consumed, but aliases a value which is also aliased by other argument",
                    "pass a `copy`",
                    None,
                )),
                () if aliases.overlap(&step.consumes) => Some((
                    "Argument passed for consuming parameter is self-aliased: two components of it share memory",
                    "make one of them a `copy`",
                    Some(Section::SelfAliasingArg),
                )),
                () => None,
            };
            match wrong {
                Some((message, help, section)) => {
                    let error = Diagnostic::error(Code::Consumed, argument.span, message).help(help);
                    self.report(Diagnostic { section, ..error });
                }
                None => self.consume(&consumed, argument.span),
            }
            kept.push((aliases.unmarked(&step.consumes), self.consumption_log.len(), argument.span));
        }
        // The function is called here, once, so it may consume.
        let (captured, results) = self.callee(function);
        kept.push((captured, self.consumption_log.len(), function.span));
        // The result may alias all arguments, and everything that functional arguments capture.
        let mut result = Aliases::Whole(self.use_values(kept).iter().flat_map(Aliases::iter).collect());
        let Some(last) = steps.last() else { return result };
        let unique = match &last.to {
            Type::Function(_) => last.unique.clone(),
            _ if self.is_fresh_by_type(function, arguments) => Uniqueness::Whole,
            _ => results.unwrap_or_else(|| last.unique.clone()),
        };
        if unique.is_whole() {
            return Aliases::none();
        }
        if self.may_overlap(function, arguments) {
            let token = self.result_token(function);
            result = Aliases::Whole(result.iter().chain([token]).collect());
        }
        result.for_unmarked(&unique)
    }

    /// A fresh variable that stands for memory made by an application, which components of its result may share.
    fn result_token(&mut self, function: &Exp) -> ValueId {
        let token = self.checker.fresh_value();
        self.bind_name(token, Aliases::one(token), None);
        self.results.insert(token, self.checker.quote(function.span));
        token
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

    /// Walks through a lambda. Returns the aliases that it captures, and the uniqueness of its results.
    fn lambda(&mut self, function: &Function, span: Span) -> (Aliases, Option<Uniqueness>) {
        let (captured, results) = self.closure(function);
        self.lambdas.extend(results.clone().map(|results| (span, results)));
        (captured, results)
    }

    /// Walks through a local function. Returns the aliases that it captures, and the uniqueness of its results. The
    /// latter is `None` if the result is a function, whose own type states it.
    fn closure(&mut self, function: &Function) -> (Aliases, Option<Uniqueness>) {
        let (first, used) = (self.variables.len(), self.uses.len());
        self.barriers.push((first, Barrier::Function));
        let result = self.body(function);
        self.check_free_aliases(function, &result);
        let fresh = self.freshness(function, &result);
        self.barriers.pop();
        let mut captured = Aliases::none();
        for id in &self.uses[used..] {
            if let Some(variable) = self.variables.get(id).filter(|variable| variable.serial < first) {
                captured = Aliases::Whole(captured.iter().chain(variable.aliases.iter()).collect());
            }
        }
        (captured, (!matches!(function.result, Type::Function(_))).then_some(fresh))
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
