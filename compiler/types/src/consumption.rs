//! Consumption: no value is used after it is consumed, and only consumable values are consumed.
//!
//! The walk follows evaluation order. For every value it computes the [`Aliases`]: the variables that
//! may share memory with it. Consuming a value consumes all its aliases. A variable may not be used
//! after one of its aliases is consumed. Scalars have no aliases, nor have values of an abstract type that is known to stand
//! for scalars.
//!
//! Unique (`*`) parameters and variables bound by `let` or `loop` are consumable. Other parameters and
//! top-level values are not. Neither are variables bound outside a *barrier*, which is a lambda or a loop
//! body: it may run many times and would consume them each time. A loop consumes the initial value of
//! every merge parameter that its body consumes.

mod alias;
mod call;
mod component;
mod constants;
mod loops;
mod parametric;
mod promise;
mod report;
mod results;
mod sharing;
mod token;
mod walk;

use std::collections::BTreeSet;

use ravel_base::{Code, Diagnostic, Section, Span};
use rustc_hash::FxHashMap;

use crate::checker::Checker;
use crate::tast::{Exp, Function, FunctionBody, Pattern, PatternNode, Type, ValueId};
use crate::type_exp::has_array;
use crate::uniqueness::Uniqueness;
use alias::Aliases;
pub(crate) use alias::Paths;
pub(crate) use parametric::type_params_of;
use results::Results;
pub(crate) use sharing::{Representation, makes_abstract};
use token::Origin;

/// The state of a variable.
struct Variable {
    aliases: Aliases,
    /// The order of binding: later variables have larger numbers.
    serial: usize,
    /// The reason why the variable may not be consumed, if there is one.
    unconsumable: Option<Unconsumable>,
    /// For a local function: the results of calling it with all its arguments.
    results: Option<Results>,
}

/// Why a variable may not be consumed anywhere. If there are several reasons, the last one counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Unconsumable {
    /// It is a parameter without a `*`.
    Parameter,
    /// It is a value of an abstract type that may share memory with itself.
    Internal,
    /// It is the result of a top-level function that may return a part of a top-level constant.
    OfConstant,
    /// It is a part of a top-level constant.
    Constant,
}

impl Unconsumable {
    /// Whether memory outside the definition being checked makes it so.
    fn is_global(self) -> bool {
        self != Unconsumable::Parameter
    }
}

/// A construct whose body may not consume variables bound outside.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Barrier {
    Function,
    /// An operator section, which is a function.
    Section,
    Loop,
    /// The condition of a `while`.
    Condition,
}

struct Consumption<'a, 'b> {
    checker: &'a mut Checker<'b>,
    variables: FxHashMap<ValueId, Variable>,
    /// The place where each variable was consumed.
    consumed: FxHashMap<ValueId, Span>,
    /// The consumed variables, in order of consumption.
    consumption_log: Vec<ValueId>,
    barriers: Vec<(usize, Barrier)>,
    /// The stand-ins that [`Self::constant`] made, by the constant and the path to the part.
    constants: FxHashMap<(ValueId, Vec<usize>), ValueId>,
    /// The results of each lambda.
    lambdas: FxHashMap<Span, Results>,
    /// The expressions that made the memory for which tokens stand.
    origins: FxHashMap<ValueId, Origin>,
    /// The tokens of top-level functions whose results may be parts of constants.
    functions: FxHashMap<ValueId, ValueId>,
    /// The variables, and the tokens of parts of variables, that are functions.
    callables: BTreeSet<ValueId>,
    /// The token of all functions that make values of abstract types.
    maker: Option<ValueId>,
    /// The number of partial applications so far that consumed an argument.
    partial: usize,
    /// Whether this is the definition of a size.
    of_size: bool,
    /// The uses so far of variables that may contain arrays.
    uses: Vec<ValueId>,
    /// The tokens of components and results that may be copied, each with the place of the component or application.
    components: FxHashMap<ValueId, Span>,
    /// The components and results that must be copied.
    copies: BTreeSet<Span>,
}

impl Checker<'_> {
    /// Checks that the definition of a size consumes nothing.
    pub(crate) fn check_size_consumption(&mut self, function: &Function) {
        Consumption::new(self, true).body(function);
    }

    /// Checks consumption in a finished definition, and copies components of abstract types where this is needed. Returns
    /// which parts of the result share no memory with any other value.
    pub(crate) fn check_consumption(&mut self, id: ValueId, function: &mut Function) -> Uniqueness {
        let mut consumption = Consumption::new(self, false);
        let result = consumption.body(function);
        consumption.check_free_aliases(id, function, &result);
        consumption.check_constant_function(function);
        let fresh = consumption.freshness(function, &result);
        consumption.insert_copies(function);
        let constants = consumption.constant_parts(&function.result, &result);
        if !constants.is_empty() {
            self.of_constants.insert(id, constants);
        }
        fresh
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
            origins: FxHashMap::default(),
            functions: FxHashMap::default(),
            callables: BTreeSet::new(),
            maker: None,
            partial: 0,
            of_size,
            uses: Vec::new(),
            components: FxHashMap::default(),
            copies: BTreeSet::new(),
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
                let own = self.own_memory(*id, &pattern.ty, consumable);
                if self.has_memory(&pattern.ty) {
                    let all = self.split(aliases, &pattern.ty).union(&own);
                    self.note_component_aliases(&own, &all);
                    self.bind_name(*id, all, obstacle_to_consumption(consumable));
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
    fn own_memory(&mut self, id: ValueId, ty: &Type, consumable: &Uniqueness) -> Aliases {
        match ty {
            Type::Tuple(_) | Type::Record(_) => self.memory_of_parts(id, ty.parts(), consumable),
            Type::Sum(constructors) => {
                let payloads = constructors.iter();
                let own = payloads
                    .map(|(_, payload)| self.memory_of_parts(id, payload.iter().collect(), consumable));
                Aliases::Sum(own.collect())
            }
            _ if self.has_memory(ty) => {
                if let Type::Function(_) = ty {
                    self.callables.insert(id);
                }
                Aliases::one(id)
            }
            _ => Aliases::none(),
        }
    }

    fn memory_of_parts(&mut self, id: ValueId, parts: Vec<&Type>, consumable: &Uniqueness) -> Aliases {
        let own = parts.into_iter().enumerate().map(|(index, part)| {
            let consumable = consumable.part(index);
            let component = self.checker.fresh_value();
            self.name_after(component, id);
            let own = self.own_memory(component, part, &consumable);
            self.bind_name(component, own.clone(), obstacle_to_consumption(&consumable));
            own
        });
        Aliases::Tuple(own.collect())
    }

    /// Records, for the memory of each part of a variable, the other aliases of the part.
    fn note_component_aliases(&mut self, own: &Aliases, all: &Aliases) {
        match own {
            Aliases::Whole(own) => own.iter().for_each(|&id| self.note_aliases(id, all)),
            Aliases::Tuple(parts) | Aliases::Sum(parts) => {
                parts
                    .iter()
                    .enumerate()
                    .for_each(|(at, part)| self.note_component_aliases(part, &all.part(at)));
            }
        }
    }

    fn bind_name(&mut self, id: ValueId, aliases: Aliases, unconsumable: Option<Unconsumable>) {
        let serial = self.variables.len();
        self.variables.insert(id, Variable { aliases, serial, unconsumable, results: None });
    }

    /// Uses the component of a variable at this path. `ty` is the type of the component. Returns its aliases.
    fn observe(&mut self, id: ValueId, path: &[usize], ty: &Type, span: Span) -> Aliases {
        if !self.has_memory(ty) {
            return Aliases::none();
        }
        match self.observe_variable(id, path, span) {
            Some(aliases) => aliases,
            None => self.constant(id, path, ty),
        }
    }

    /// Uses the component of a variable at this path. Returns its aliases if the variable is local.
    fn observe_variable(&mut self, id: ValueId, path: &[usize], span: Span) -> Option<Aliases> {
        self.uses.push(id);
        let whole = self.variables.get(&id)?.aliases.clone();
        let aliases = path.iter().fold(whole, |aliases, &index| aliases.part(index));
        self.check_use(id, &aliases, span);
        Some(aliases)
    }

    /// Consumes a value with these aliases.
    fn consume(&mut self, aliases: &Aliases, span: Span) {
        if aliases.iter().any(|id| !self.is_copyable(id) && self.report_obstacle(id, span)) {
            return;
        }
        self.copy_components(aliases.iter());
        for id in aliases.iter() {
            if self.consumed.insert(id, span).is_none() {
                self.consumption_log.push(id);
            }
        }
    }

    /// Whether only this function can reach the variable's memory.
    fn is_own(&self, id: ValueId) -> bool {
        self.obstacle(id).is_none()
    }

    /// Reports a result that aliases a constant: callers assume that a result aliases only arguments. A result that is a
    /// function aliases what its own results alias. A lambda that is only passed or called may return a constant.
    fn check_free_aliases(&mut self, id: ValueId, function: &Function, result: &Aliases) {
        let FunctionBody::Exp(Exp { span, .. }) = function.body else { return };
        if function.params.is_empty() && !matches!(function.result, Type::Function(_)) {
            return;
        }
        if let Some(alias) = result.iter().find(|alias| !self.variables.contains_key(alias)) {
            let variable = self.name(alias);
            let message = format!("Function result shares memory with {variable}");
            let error = Diagnostic::error(Code::AliasedResult, span, message)
                .note(format!("Function result aliases the free variable {variable}"))
                .note(format!(
                    "A caller could consume the result of {}, which is not consumable",
                    self.name(id)
                ))
                .help("return a `copy` of it")
                .section(Section::AliasFreeVariable);
            self.report(error);
        }
    }

    /// Which parts of a function's result share no memory with any other value. If the result type is written, it
    /// declares this, and the declaration is checked. Otherwise this is inferred.
    fn freshness(&mut self, function: &Function, result: &Aliases) -> Uniqueness {
        match (&function.declared, &function.body) {
            (Some(declared), FunctionBody::Exp(_)) => {
                let result = self.split(result, &function.result);
                self.check_unique_result(&result, &declared.unique, declared.span);
                declared.unique.clone()
            }
            (Some(declared), FunctionBody::Intrinsic(_)) => declared.unique.clone(),
            (None, _) => {
                let result = self.split(result, &function.result);
                self.fresh_parts(&function.result, &result, &result.duplicates())
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
        let marked = result.unique_parts(unique);
        let culprit = marked.iter().find(|&id| !self.is_own(id) && !self.is_copyable(id));
        let help = "return a `copy`, or remove the `*`";
        let error = |message: &str| Diagnostic::error(Code::NotConsumable, span, message);
        let is_internal = |id| self.reason(id) == Some(Unconsumable::Internal);
        let error = match culprit {
            Some(id) if is_internal(id) => error("Parts of the result marked with `*` may share memory")
                .note(
                    "A fresh-declared component of the return value may have internal aliases, and so cannot be declared \
                     fresh",
                )
                .help(help),
            Some(id) => {
                let name = self.name(id);
                let error = error(&format!("Result marked with `*` shares memory with {name}"))
                    .note(format!("Fresh-declared return value is aliased to {name}, which is not consumable"));
                let internal = marked.iter().any(is_internal).then_some("It may have internal aliases, too");
                internal.into_iter().fold(error, Diagnostic::note).help(help).section(Section::ReturnAliased)
            }
            None if result.overlap(unique) => error("Two parts of the result marked with `*` share memory")
                .note("A fresh-declared component of the return value is aliased to some other component")
                .help("make one of them a `copy`, or remove the `*`")
                .section(Section::FreshReturnAliased),
            None => return self.copy_components(marked.iter()),
        };
        self.report(error);
    }

    /// The reason why a variable may be consumed nowhere, if there is one.
    fn reason(&self, id: ValueId) -> Option<Unconsumable> {
        self.variables.get(&id).and_then(|variable| variable.unconsumable)
    }
}

/// The reason why a parameter may not be consumed; `None` if all its parts are marked `*`.
fn obstacle_to_consumption(marks: &Uniqueness) -> Option<Unconsumable> {
    (!marks.is_whole()).then_some(Unconsumable::Parameter)
}
