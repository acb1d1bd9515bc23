//! Alias analysis: the arrays that may share memory, and the loop parameters that loops consume.
//!
//! Every array variable has an alias set of *places*. A place is a piece of memory, named after the variable that
//! introduced it. An expression that creates an array gives its binder a new place. A view has the places of the viewed
//! array. The result of a branch has the places of both bodies' results. Two arrays may share memory exactly if their
//! alias sets overlap. A consumed array is dead, so the result of an update or a write gets a new place, although it is
//! in the old memory. If only one body of a branch consumes an array, the places of the result need a further rule
//! (`branch`).
//!
//! A loop *consumes* a parameter if its body consumes it, or makes it the next value of a consumed parameter. The
//! loop then consumes the initial value.
//!
//! If the loop does not consume its parameters, they may swap their memory in every iteration. Then each result may be
//! in the memory of any of them, but no two results alias (`loops`). Such a result gets a *choice*: a place that
//! coincides with one of several other places, but it is unknown with which. If results are disjoint because the loop
//! consumes its parameters, then choices keep them disjoint when the loop no longer consumes them. So a pass may remove
//! a consumption without making a valid program invalid.
//!
//! An array that is created inside a branch or loop, and leaves it only together with another array, joins the alias class
//! of the other one. No other variable can refer to it, so nothing is lost, and chains of branches or loops keep constant-size
//! alias sets.
//!
//! A call uses the summary of the called function. Summaries are computed by iteration to a fixpoint.

use std::collections::{BTreeMap, BTreeSet};

use ravel_base::Symbol;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::syntax::*;
use crate::visit::Visit;

mod branch;
mod loops;

/// An alias set: pieces of memory, named after the variables that introduced them.
pub type Places = BTreeSet<Var>;

/// The consumption and aliasing of the called functions of a program.
#[derive(Clone, Debug, Default)]
pub struct Summaries {
    functions: FxHashMap<Symbol, Summary>,
}

/// The consumption and aliasing of one function.
#[derive(Clone, Debug, PartialEq)]
struct Summary {
    /// For every parameter: whether it is consumed.
    consumes: Vec<bool>,
    /// For every result: the parameters that it may alias.
    from_params: Vec<BTreeSet<usize>>,
    /// For every result: the earlier results that it may alias.
    from_results: Vec<BTreeSet<usize>>,
}

impl Summaries {
    /// The summaries of all functions of a program that are called.
    pub fn of(program: &Program) -> Summaries {
        let mut summaries = Summaries::default();
        let called = called_functions(program);
        let functions = || program.functions.iter().filter(|function| called.contains(&function.name));
        for function in functions() {
            let results = vec![BTreeSet::new(); function.results.len()];
            let summary = Summary {
                consumes: function.params.iter().map(|param| param.consumed).collect(),
                from_params: results.clone(),
                from_results: results,
            };
            summaries.functions.insert(function.name, summary);
        }
        loop {
            let mut changed = false;
            for function in functions() {
                let summary = summaries.summarise(function);
                changed |= summaries.functions.insert(function.name, summary.clone()) != Some(summary);
            }
            if !changed {
                return summaries;
            }
        }
    }

    /// Whether this function consumes the parameter at `index`.
    pub fn consumes(&self, function: Symbol, index: usize) -> bool {
        self.functions.get(&function).is_some_and(|summary| summary.consumes.get(index) == Some(&true))
    }

    fn summarise(&self, function: &Function) -> Summary {
        let aliases = Aliases::of(function, self);
        let results: Vec<&Places> = function.body.result.iter().map(|&atom| aliases.of_atom(atom)).collect();
        let aliased = |places: &Places, others: &[&Places]| -> BTreeSet<usize> {
            (0..others.len()).filter(|&index| aliases.may_alias(others[index], places)).collect()
        };
        let params: Vec<&Places> = function.params.iter().map(|param| aliases.places(param.var)).collect();
        Summary {
            consumes: function.params.iter().map(|param| param.consumed).collect(),
            from_params: results.iter().map(|result| aliased(result, &params)).collect(),
            from_results: (0..results.len())
                .map(|index| aliased(results[index], &results[..index]))
                .collect(),
        }
    }
}

/// The functions that the program itself calls.
fn called_functions(program: &Program) -> FxHashSet<Symbol> {
    struct Callees(FxHashSet<Symbol>);
    impl Visit for Callees {
        fn var(&mut self, _: &Var) {}
        fn binder(&mut self, _: &Var) {}
        fn stm(&mut self, stm: &Stm) {
            if let Exp::Call(call) = &stm.exp {
                self.0.insert(call.function);
            }
            self.exp(&stm.exp);
        }
    }
    let mut called = Callees(FxHashSet::default());
    program.functions.iter().for_each(|function| called.body(&function.body));
    called.0
}

/// The alias sets of the arrays of one function.
#[derive(Clone, Debug, Default)]
pub struct Aliases {
    places: BTreeMap<Var, Places>,
    choices: BTreeMap<Var, Choice>,
    /// The number of times that choices were introduced.
    choice_time: usize,
    /// The consumed places. If a consumed place is a choice, also its candidates.
    consumed: BTreeSet<Var>,
}

/// A place that coincides with one of several other places.
#[derive(Clone, Debug)]
struct Choice {
    /// The other places, which may be choices too.
    options: Places,
    /// Its *candidates*: the places that it may coincide with and that are not choices. In a chain of loops the options,
    /// with their own options, grow in number; the candidates do not.
    memory: Places,
    /// When it was introduced. Choices introduced at the same time never coincide.
    time: usize,
}

const NO_PLACES: &Places = &Places::new();

impl Aliases {
    /// Analyses a function.
    pub fn of(function: &Function, summaries: &Summaries) -> Aliases {
        let aliases = Aliases::default();
        let mut analysis = Analysis {
            vars: &function.vars,
            summaries,
            aliases,
            arrays: Vec::new(),
            consumed_places: Vec::new(),
            escaped: BTreeSet::new(),
        };
        for param in &function.params {
            analysis.introduce(param.var);
        }
        analysis.body(&function.body);
        analysis.aliases
    }

    /// The alias set of a variable; empty for a scalar.
    pub fn places(&self, var: Var) -> &Places {
        self.places.get(&var).unwrap_or(NO_PLACES)
    }

    /// The alias set of an atom.
    pub fn of_atom(&self, atom: Atom) -> &Places {
        atom.var().map_or(NO_PLACES, |var| self.places(var))
    }

    /// If this place is a choice, its candidates: the places that it may coincide with and that are not choices.
    pub fn candidates(&self, place: Var) -> &Places {
        self.choices.get(&place).map_or(NO_PLACES, |choice| &choice.memory)
    }

    /// These places and their candidates. Two arrays that may alias have some of them in common.
    pub fn memory<'a>(&'a self, places: &'a Places) -> impl Iterator<Item = Var> + 'a {
        places.iter().chain(places.iter().flat_map(|&place| self.candidates(place))).copied()
    }

    /// Whether arrays with these alias sets may share memory.
    pub fn may_alias(&self, a: &Places, b: &Places) -> bool {
        !a.is_disjoint(b) || a.iter().any(|&a| b.iter().any(|&b| self.may_coincide(a, b)))
    }

    /// Whether the two places may be the same piece of memory.
    pub fn may_coincide(&self, a: Var, b: Var) -> bool {
        let (mut pending, mut visited) = (vec![(a, b)], FxHashSet::default());
        while let Some((a, b)) = pending.pop() {
            if a == b {
                return true;
            }
            let (later, other) = match (self.choices.get(&a), self.choices.get(&b)) {
                (None, None) => continue,
                (Some(one), None) if one.memory.contains(&b) => return true,
                (None, Some(one)) if one.memory.contains(&a) => return true,
                (Some(one), Some(another)) if one.time > another.time => (one, b),
                (Some(one), Some(another)) if one.time < another.time => (another, a),
                // They were introduced at the same time, so they never coincide.
                (Some(_), Some(_)) => continue,
                // The place is not among the candidates.
                (Some(_), None) | (None, Some(_)) => continue,
            };
            pending.extend(
                later.options.iter().map(|&option| (option, other)).filter(|&pair| visited.insert(pair)),
            );
        }
        false
    }

    /// Whether the two variables may share memory.
    pub fn vars_may_alias(&self, a: Var, b: Var) -> bool {
        self.may_alias(self.places(a), self.places(b))
    }

    /// Whether the function consumes this place, or a choice that may coincide with it. Not to be asked of a choice.
    pub fn is_consumed(&self, place: Var) -> bool {
        self.consumed.contains(&place)
    }
}

/// The arrays that statements consume, also in their nested bodies.
pub fn consumed_in(stms: &[Stm], aliases: &Aliases, summaries: &Summaries) -> Vec<Var> {
    struct Consumed<'a> {
        aliases: &'a Aliases,
        summaries: &'a Summaries,
        arrays: Vec<Var>,
    }
    impl Visit for Consumed<'_> {
        fn var(&mut self, _: &Var) {}
        fn binder(&mut self, _: &Var) {}
        fn stm(&mut self, stm: &Stm) {
            self.arrays.extend(consumed_by(&stm.exp, self.aliases, self.summaries));
            self.exp(&stm.exp);
        }
    }
    let mut consumed = Consumed { aliases, summaries, arrays: Vec::new() };
    stms.iter().for_each(|stm| consumed.stm(stm));
    consumed.arrays
}

/// The arrays that an expression itself consumes, not counting its nested bodies.
pub fn consumed_by(exp: &Exp, aliases: &Aliases, summaries: &Summaries) -> Vec<Var> {
    match exp {
        Exp::Update { array, .. } => vec![*array],
        Exp::Call(Call { function, args, .. }) => args
            .iter()
            .enumerate()
            .filter(|&(index, _)| summaries.consumes(*function, index))
            .filter_map(|(_, arg)| arg.var())
            .collect(),
        Exp::Loop(looped) => looped
            .params
            .iter()
            .filter(|(param, _)| aliases.is_consumed(*param))
            .filter_map(|(_, init)| init.var())
            .collect(),
        Exp::Screma(_) | Exp::Segment(_) => exp
            .screma()
            .into_iter()
            .flat_map(|screma| &screma.sinks)
            .flat_map(|sink| match sink {
                Sink::Map | Sink::Concat { .. } | Sink::Reduce { .. } => Vec::new(),
                Sink::Write { target, .. } => vec![*target],
                Sink::Combine { targets, .. } => targets.clone(),
            })
            .collect(),
        _ => Vec::new(),
    }
}

struct Analysis<'a> {
    vars: &'a VarTable,
    summaries: &'a Summaries,
    aliases: Aliases,
    /// The arrays bound so far, in order. Right after the analysis of a body, its own arrays are at the end.
    arrays: Vec<Var>,
    /// The places consumed so far, in order. Right after the analysis of a branch, the places that it consumes are at
    /// the end.
    consumed_places: Vec<Var>,
    /// The places that were created inside a branch or loop and escaped. Others may join their alias classes.
    escaped: BTreeSet<Var>,
}

impl Analysis<'_> {
    fn consume(&mut self, places: &Places) {
        let memory: Vec<Var> = self.aliases.memory(places).collect();
        self.aliases.consumed.extend(memory);
        self.consumed_places.extend(places);
    }

    fn is_array(&self, var: Var) -> bool {
        self.vars.get(var).is_some_and(|info| !info.ty.is_scalar())
    }

    /// Gives an array a place of its own.
    fn introduce(&mut self, var: Var) {
        self.set(var, Places::from([var]));
    }

    fn set(&mut self, var: Var, places: Places) {
        if self.is_array(var) {
            self.arrays.push(var);
            self.aliases.places.insert(var, places);
        }
    }

    fn of_atom(&self, atom: Atom) -> Places {
        self.aliases.of_atom(atom).clone()
    }

    fn body(&mut self, body: &Body) {
        for stm in &body.stms {
            self.exp(&stm.exp, &stm.binders);
            let consumed = consumed_by(&stm.exp, &self.aliases, self.summaries);
            for var in consumed {
                let places = self.aliases.places(var).clone();
                self.consume(&places);
            }
        }
    }

    fn exp(&mut self, exp: &Exp, binders: &[Var]) {
        match exp {
            Exp::Atom(atom) => self.view(*atom, binders),
            Exp::Slice(array, _)
            | Exp::Rearrange(array, _)
            | Exp::Reshape(array)
            | Exp::Manifest(_, array, _) => {
                self.view(Atom::Var(*array), binders);
            }
            Exp::Assert { values, .. } => {
                for (&binder, &value) in binders.iter().zip(values) {
                    self.view(value, &[binder]);
                }
            }
            Exp::If { then, otherwise, .. } => self.branch_results(then, otherwise, binders),
            Exp::Loop(looped) => self.loop_results(looped, binders),
            Exp::Call(Call { function, args, .. }) => self.call(*function, args, binders),
            Exp::Segment(segment) => {
                segment.screma.lambdas().for_each(|lambda| self.lambda(lambda));
                self.fresh(binders);
            }
            Exp::Screma(screma) => {
                for (&param, source) in screma.map.params.iter().zip(&screma.sources) {
                    if let Source::Array(array) = source {
                        self.view(Atom::Var(*array), &[param]);
                    }
                }
                self.body(&screma.map.body);
                screma.lambdas().skip(1).for_each(|lambda| self.lambda(lambda));
                self.fresh(binders);
            }
            Exp::Stream(stream) => {
                for (&param, &array) in stream.slices().iter().zip(&stream.sources) {
                    self.view(Atom::Var(array), &[param]);
                }
                self.body(&stream.chunk.body);
                stream.lambdas().skip(1).for_each(|lambda| self.lambda(lambda));
                self.fresh(binders);
            }
            _ => self.fresh(binders),
        }
    }

    /// Lets places created inside a branch or loop join the alias class of a place that escaped before. If all results
    /// that have a new place also have one escaped place in common, the new place is removed from them. Otherwise the
    /// new place becomes an escaped place itself. A place that escaped from a body inside this one is new too, and may join
    /// the class of another one: else the sets would grow with each branch of a nest.
    fn join_classes(&mut self, inside: &FxHashSet<Var>, results: &mut [Places]) {
        let is_new = |place: &Var| inside.contains(place) && self.aliases.candidates(*place).is_empty();
        let new: Places = results.iter().flatten().copied().filter(is_new).collect();
        let mut escaping = Vec::new();
        for place in &new {
            let mut holders: Vec<&mut Places> =
                results.iter_mut().filter(|places| places.contains(place)).collect();
            let in_all = |class: &&Var| holders.iter().all(|places| places.contains(class));
            // Of the new places, those before this one that results still have stay.
            let stays = |class: &&Var| *class < place || !new.contains(class);
            let classes = holders[0].iter().filter(|class| stays(class) && self.escaped.contains(class));
            match classes.copied().find(|class| in_all(&class)) {
                Some(_) => holders.iter_mut().for_each(|places| _ = places.remove(place)),
                None => escaping.push(*place),
            }
        }
        self.escaped.extend(escaping);
    }

    /// Analyses a lambda whose parameters alias nothing.
    fn lambda(&mut self, lambda: &Lambda) {
        self.fresh(&lambda.params);
        self.body(&lambda.body);
    }

    fn view(&mut self, atom: Atom, binders: &[Var]) {
        for &binder in binders {
            self.set(binder, self.of_atom(atom));
        }
    }

    fn fresh(&mut self, binders: &[Var]) {
        for &binder in binders {
            self.introduce(binder);
        }
    }

    fn call(&mut self, function: Symbol, args: &[Atom], binders: &[Var]) {
        self.fresh(binders);
        let Some(summary) = self.summaries.functions.get(&function) else { return };
        for (index, &binder) in binders.iter().enumerate() {
            let mut places = Places::from([binder]);
            for &param in summary.from_params.get(index).into_iter().flatten() {
                if summary.consumes.get(param) == Some(&false) {
                    places.extend(args.get(param).map(|&arg| self.of_atom(arg)).into_iter().flatten());
                }
            }
            for &result in summary.from_results.get(index).into_iter().flatten() {
                places.extend(binders.get(result));
            }
            self.set(binder, places);
        }
    }
}

#[cfg(test)]
mod tests;
