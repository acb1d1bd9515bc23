//! Consumption: no value is used after it is consumed, and only consumable values are consumed.
//!
//! The walk follows evaluation order. For every value it computes the [`Aliases`]: the variables that
//! may share memory with it. Consuming a value consumes all its aliases. A variable may not be used
//! after one of its aliases is consumed. Scalars have no aliases.
//!
//! Unique (`*`) parameters and variables bound by `let` or `loop` are consumable. Other parameters and
//! top-level values are not. Neither are variables bound outside a *barrier*, which is a lambda or a loop
//! body: it may run many times and would consume them each time. A loop consumes the initial value of
//! every merge parameter that its body consumes.

mod alias;
mod loops;
mod parametric;
mod promise;
mod walk;

use std::collections::BTreeSet;

use ravel_base::{Code, Diagnostic, Section, Span, Symbol};
use rustc_hash::FxHashMap;

use crate::checker::Checker;
use crate::tast::{Exp, Function, FunctionBody, Pattern, PatternNode, Type, ValueId};
use crate::type_exp::has_array;
use crate::uniqueness::Uniqueness;
use alias::Aliases;

/// The state of a variable.
struct Variable {
    aliases: Aliases,
    /// The order of binding: later variables have larger numbers.
    serial: usize,
    /// The reason why the variable may not be consumed, if there is one.
    unconsumable: Option<Unconsumable>,
    /// For a local function that is called with all its arguments: which parts of the result share no memory with any other
    /// value.
    results: Option<Uniqueness>,
}

/// Why a variable may not be consumed anywhere.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unconsumable {
    /// It is a parameter without a `*`.
    Parameter,
    /// It is a part of a top-level constant. The type of the part is abstract or a type parameter, so it may be an
    /// array.
    Constant,
}

/// A construct whose body may not consume variables bound outside.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Barrier {
    Function,
    Loop,
}

struct Consumption<'a, 'b> {
    checker: &'a mut Checker<'b>,
    variables: FxHashMap<ValueId, Variable>,
    /// The place where each variable was consumed.
    consumed: FxHashMap<ValueId, Span>,
    /// The consumed variables, in order of consumption.
    consumption_log: Vec<ValueId>,
    barriers: Vec<(usize, Barrier)>,
    /// The stand-ins that [`Self::constant_token`] made, by the constant and the path to the part.
    constants: FxHashMap<(ValueId, Vec<usize>), ValueId>,
    /// For each lambda, which parts of its result share no memory with any other value.
    lambdas: FxHashMap<Span, Uniqueness>,
    /// The functions applied, as written, by the tokens of [`Self::result_token`].
    results: FxHashMap<ValueId, Symbol>,
    /// Whether this is the definition of a size.
    of_size: bool,
    /// The uses so far of variables that may contain arrays.
    uses: Vec<ValueId>,
}

impl Checker<'_> {
    /// Checks that the definition of a size consumes nothing.
    pub(crate) fn check_size_consumption(&mut self, function: &Function) {
        Consumption::new(self, true).body(function);
    }

    /// Checks consumption in a finished definition. Returns which parts of the result share no memory
    /// with any other value.
    pub(crate) fn check_consumption(&mut self, function: &Function) -> Uniqueness {
        let mut consumption = Consumption::new(self, false);
        let result = consumption.body(function);
        consumption.check_free_aliases(function, &result);
        consumption.freshness(function, &result)
    }
}

impl<'a, 'b> Consumption<'a, 'b> {
    fn new(checker: &'a mut Checker<'b>, of_size: bool) -> Self {
        Consumption {
            checker,
            variables: FxHashMap::default(),
            consumed: FxHashMap::default(),
            consumption_log: Vec::new(),
            barriers: Vec::new(),
            constants: FxHashMap::default(),
            lambdas: FxHashMap::default(),
            results: FxHashMap::default(),
            of_size,
            uses: Vec::new(),
        }
    }

    /// Walks through a function's body and returns the aliases of its result.
    fn body(&mut self, function: &Function) -> Aliases {
        for param in &function.params {
            self.bind(&param.pattern, &Aliases::none(), &param.consumed);
        }
        match &function.body {
            FunctionBody::Exp(body) => {
                let result = self.exp(body);
                self.check_promises(body, &function.result);
                result
            }
            FunctionBody::Intrinsic(_) => Aliases::none(),
        }
    }

    /// Binds a pattern to a value with these aliases. Returns, in the structure of the pattern, the variables that
    /// represent the memory of the pattern's variables themselves ([`Self::own`]).
    fn bind(&mut self, pattern: &Pattern, aliases: &Aliases, consumable: &Uniqueness) -> Aliases {
        match &pattern.node {
            PatternNode::Wildcard | PatternNode::Literal(_) => Aliases::none(),
            PatternNode::Name(id, _) => {
                let own = self.own(*id, &pattern.ty, consumable);
                if has_array(&pattern.ty) {
                    self.bind_name(*id, aliases.union(&own), unless_marked(consumable));
                }
                own
            }
            PatternNode::Tuple(parts) => {
                let own = parts.iter().enumerate();
                Aliases::Tuple(
                    own.map(|(index, part)| self.bind(part, &aliases.part(index), &consumable.part(index)))
                        .collect(),
                )
            }
            PatternNode::Constructor(name, payload) => {
                let Type::Sum(constructors) = &pattern.ty else { return Aliases::none() };
                let own = constructors.iter().enumerate().map(|(number, (constructor, _))| {
                    if constructor != name {
                        return Aliases::none();
                    }
                    let payload_aliases = aliases.part(number);
                    let own = payload.iter().enumerate();
                    Aliases::Tuple(
                        own.map(|(index, part)| self.bind(part, &payload_aliases.part(index), consumable))
                            .collect(),
                    )
                });
                Aliases::Sum(own.collect())
            }
        }
    }

    /// The variables that represent the memory of a variable itself, not the memory of its aliases. There is one for each
    /// part of a tuple, record or sum.
    fn own(&mut self, id: ValueId, ty: &Type, consumable: &Uniqueness) -> Aliases {
        match ty {
            Type::Tuple(_) | Type::Record(_) => self.own_parts(id, ty.parts(), consumable),
            Type::Sum(constructors) => {
                let payloads = constructors.iter();
                let own =
                    payloads.map(|(_, payload)| self.own_parts(id, payload.iter().collect(), consumable));
                Aliases::Sum(own.collect())
            }
            _ if has_array(ty) => Aliases::one(id),
            _ => Aliases::none(),
        }
    }

    fn own_parts(&mut self, id: ValueId, parts: Vec<&Type>, consumable: &Uniqueness) -> Aliases {
        let own = parts.into_iter().enumerate().map(|(index, part)| {
            let consumable = consumable.part(index);
            let component = self.checker.fresh_value();
            self.name_after(component, id);
            let own = self.own(component, part, &consumable);
            self.bind_name(component, own.clone(), unless_marked(&consumable));
            own
        });
        Aliases::Tuple(own.collect())
    }

    fn bind_name(&mut self, id: ValueId, aliases: Aliases, unconsumable: Option<Unconsumable>) {
        let serial = self.variables.len();
        self.variables.insert(id, Variable { aliases, serial, unconsumable, results: None });
    }

    /// Uses the component of a variable at this path. `ty` is the type of the component. Returns its aliases.
    fn observe(&mut self, id: ValueId, path: &[usize], ty: &Type, span: Span) -> Aliases {
        if !has_array(ty) {
            return Aliases::none();
        }
        match self.observe_variable(id, path, span) {
            Some(aliases) => aliases,
            None => self.constant(id, path, ty),
        }
    }

    /// The aliases of a part of a top-level constant. An array aliases the constant. A part whose type is abstract or a
    /// type parameter need not be an array: a function may return it, but not consume it.
    fn constant(&mut self, id: ValueId, path: &[usize], ty: &Type) -> Aliases {
        match ty {
            Type::Prim(_) | Type::Function(_) => Aliases::none(),
            Type::Array(..) => Aliases::one(id),
            Type::Tuple(_) | Type::Record(_) => Aliases::Tuple(self.constants(id, path, &ty.parts())),
            Type::Sum(constructors) => {
                let payloads = constructors.iter().enumerate().map(|(number, (_, payload))| {
                    let path = [path, &[number]].concat();
                    Aliases::Tuple(self.constants(id, &path, &payload.iter().collect::<Vec<_>>()))
                });
                Aliases::Sum(payloads.collect())
            }
            Type::Param(_) | Type::Abstract(_) => self.constant_token(id, path),
        }
    }

    /// A fresh variable that stands for a part of a constant whose type is abstract or a type parameter. All uses of
    /// the part in this function have the same one.
    fn constant_token(&mut self, id: ValueId, path: &[usize]) -> Aliases {
        let part = (id, path.to_vec());
        let token = self.constants.get(&part).copied().unwrap_or_else(|| {
            let token = self.checker.fresh_value();
            self.constants.insert(part, token);
            self.name_after(token, id);
            self.bind_name(token, Aliases::one(token), Some(Unconsumable::Constant));
            token
        });
        Aliases::one(token)
    }

    fn constants(&mut self, id: ValueId, path: &[usize], parts: &[&Type]) -> Vec<Aliases> {
        let parts = parts.iter().enumerate();
        parts.map(|(at, part)| self.constant(id, &[path, &[at]].concat(), part)).collect()
    }

    /// Gives a component the name of the whole, for messages.
    fn name_after(&mut self, component: ValueId, whole: ValueId) {
        if let Some(&name) = self.checker.names.get(&whole) {
            self.checker.names.insert(component, name);
        }
    }

    /// Uses the component of a variable at this path. Returns its aliases if the variable is local.
    fn observe_variable(&mut self, id: ValueId, path: &[usize], span: Span) -> Option<Aliases> {
        self.uses.push(id);
        let whole = self.variables.get(&id)?.aliases.clone();
        let aliases = path.iter().fold(whole, |aliases, &index| aliases.part(index));
        let name = self.name(id);
        if let Some(alias) = aliases.iter().find(|alias| self.consumed.contains_key(alias)) {
            let place = self.place_of_consumption(alias);
            let message = match self.name(alias) {
                other if other == name => format!("Using variable {name}, but this was consumed{place}"),
                other => {
                    format!("Using variable {name}, but this was consumed{place}, which aliases {other}")
                }
            };
            self.report_use(alias, span, message);
        }
        Some(aliases)
    }

    /// Uses a value that was evaluated earlier, when the consumption log had `since` entries. Reports an alias of the
    /// value that was consumed since then.
    fn observe_later(&mut self, aliases: &Aliases, since: usize, span: Span) {
        if let Some(alias) = aliases.iter().find(|alias| self.consumption_log[since..].contains(alias)) {
            let name = self.name(alias);
            let place = self.place_of_consumption(alias);
            let message = format!("Using a value that aliases {name}, but this was consumed{place}");
            self.report_use(alias, span, message);
        }
    }

    /// Where the variable was consumed, such as " at 3:5".
    fn place_of_consumption(&self, id: ValueId) -> String {
        let Some(&span) = self.consumed.get(&id) else { return String::new() };
        let (at, text) = (self.checker.position(span), self.checker.quote(span));
        let is_named = self.checker.names.get(&id).is_some_and(|name| text.as_str().contains(name.as_str()));
        format!(" at {at}{}", if is_named { "" } else { " (Possibly through aliases.)" })
    }

    fn report_use(&mut self, consumed: ValueId, span: Span, message: String) {
        let mut diagnostic = Diagnostic::error(Code::Consumed, span, message)
            .caret("used here")
            .help("use it before it is consumed, or consume a `copy`")
            .section(Section::UseAfterConsume);
        if let Some(&at) = self.consumed.get(&consumed) {
            diagnostic = diagnostic.label(at, "consumed here");
        }
        self.report(diagnostic);
    }

    /// Consumes a value with these aliases.
    fn consume(&mut self, aliases: &Aliases, span: Span) {
        for id in aliases.iter() {
            if let Some((reason, help)) = self.obstacle(id) {
                let message =
                    format!("Consuming variable {}, which is not consumable\n{reason}", self.name(id));
                self.report(
                    Diagnostic::error(Code::NotConsumable, span, message)
                        .caret("this would consume it")
                        .help(help)
                        .section(Section::NotConsumable),
                );
                return;
            }
        }
        for id in aliases.iter() {
            if self.consumed.insert(id, span).is_none() {
                self.consumption_log.push(id);
            }
        }
    }

    /// The reason why a variable may not be consumed here, if there is one, and advice.
    fn obstacle(&self, id: ValueId) -> Option<(&'static str, &'static str)> {
        const COPY: &str = "consume a `copy` of it";
        const AT_THE_TOP: Option<(&str, &str)> = Some(("It is defined at the top level", COPY));
        let Some(variable) = self.variables.get(&id) else { return AT_THE_TOP };
        if variable.unconsumable == Some(Unconsumable::Constant) {
            return AT_THE_TOP;
        }
        let barrier = self.barriers.iter().find(|(serial, _)| variable.serial < *serial);
        match barrier {
            Some((_, Barrier::Function)) => Some(("The function may be called many times", COPY)),
            Some((_, Barrier::Loop)) => Some((
                "The loop body may run many times",
                "consume a `copy` of it, or make it a parameter of the loop",
            )),
            None if self.of_size => Some(("A size consumes nothing", COPY)),
            None => variable.unconsumable.map(|_| {
                (
                    "It is a parameter whose type is not marked with `*`",
                    "consume a `copy` of it, or mark the type of the parameter: `(xs: *[]i32)`",
                )
            }),
        }
    }

    /// Whether only this function can reach the variable's memory.
    fn is_own(&self, id: ValueId) -> bool {
        self.obstacle(id).is_none()
    }

    /// Reports a result that aliases a free variable: callers assume that a result aliases only arguments.
    fn check_free_aliases(&mut self, function: &Function, result: &Aliases) {
        let FunctionBody::Exp(Exp { span, .. }) = function.body else { return };
        if function.params.is_empty() {
            return;
        }
        if let Some(id) = result.iter().find(|id| !self.variables.contains_key(id)) {
            let message = format!("Function result aliases the free variable {}", self.name(id));
            let help = "return a `copy` of it";
            let error = Diagnostic::error(Code::AliasedResult, span, message).help(help);
            self.report(error.section(Section::AliasFreeVariable));
        }
    }

    /// Which parts of a function's result share no memory with any other value. If the result type is written, it
    /// declares this, and the declaration is checked. Otherwise this is inferred.
    fn freshness(&mut self, function: &Function, result: &Aliases) -> Uniqueness {
        match (&function.declared, &function.body) {
            (Some(declared), FunctionBody::Exp(_)) => {
                let result = result.clone().in_form_of(&function.result);
                self.check_unique_result(&result, &declared.unique, declared.span);
                declared.unique.clone()
            }
            (Some(declared), FunctionBody::Intrinsic(_)) => declared.unique.clone(),
            (None, _) => {
                let result = result.clone().in_form_of(&function.result);
                self.fresh_parts(&function.result, &result, &result.repeated())
            }
        }
    }

    /// Which parts of a result are fresh: only this function can reach their aliases ([`Self::is_own`]), and no two
    /// parts have an alias in common. A part that is a function does not count as fresh, since its own type says
    /// whether its results are unique.
    fn fresh_parts(&self, ty: &Type, result: &Aliases, repeated: &BTreeSet<ValueId>) -> Uniqueness {
        let is_fresh = |id| self.is_own(id) && !repeated.contains(&id);
        match ty {
            Type::Tuple(_) | Type::Record(_) => {
                let parts = ty.parts().into_iter().enumerate();
                let parts =
                    parts.map(|(at, part)| (part, self.fresh_parts(part, &result.part(at), repeated)));
                Uniqueness::of_parts(parts.collect())
            }
            Type::Function(_) => Uniqueness::None,
            _ if has_array(ty) && result.iter().all(is_fresh) => Uniqueness::Whole,
            _ => Uniqueness::None,
        }
    }

    fn check_unique_result(&mut self, result: &Aliases, unique: &Uniqueness, span: Span) {
        let marked = result.marked(unique);
        let culprit = marked.iter().find(|&id| !self.is_own(id));
        if let Some(id) = culprit {
            let message = format!(
                "Fresh-declared return value is aliased to {}, which is not consumable",
                self.name(id)
            );
            let help = "return a `copy`, or remove the `*`";
            let error = Diagnostic::error(Code::NotConsumable, span, message).help(help);
            self.report(error.section(Section::ReturnAliased));
        } else if result.overlap(unique) {
            let message = "A fresh-declared component of the return value is aliased to some other component";
            let help = "make one of them a `copy`, or remove the `*`";
            let error = Diagnostic::error(Code::NotConsumable, span, message).help(help);
            self.report(error.section(Section::FreshReturnAliased));
        }
    }

    fn name(&self, id: ValueId) -> String {
        match (self.checker.names.get(&id), self.results.get(&id)) {
            (Some(name), _) => format!("`{name}`"),
            (None, Some(function)) => format!("the result of applying `{function}`"),
            (None, None) => "another part of the same value".to_owned(),
        }
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        // Report each place once.
        if !self.checker.diagnostics.iter().any(|known| known.span == diagnostic.span) {
            self.checker.diagnostics.push(diagnostic);
        }
    }
}

/// The reason why a parameter may not be consumed; `None` if all its parts are marked `*`.
fn unless_marked(marks: &Uniqueness) -> Option<Unconsumable> {
    (!marks.is_whole()).then_some(Unconsumable::Parameter)
}
