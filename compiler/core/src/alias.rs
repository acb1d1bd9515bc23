//! Aliases: which arrays may share memory, and which loops consume their parameters.
//!
//! Every array variable has a set of *places*, pieces of memory named after the variable that
//! introduced them. An expression that makes a new array gives its binder a place of its own; a
//! view has the places of what it views; a branch those of both sides. Two arrays may share
//! memory exactly when their places intersect. An array that was consumed is dead, so what an
//! update or a write gives has a new place although it is the old memory; and what one side of a
//! branch hands on while the other side consumes it gets the name of the first result it becomes.
//!
//! A loop *consumes* a parameter if its body consumes it (or lets it become one that the body
//! consumes in the next round). Its first value is then consumed by the loop. Parameters that it does not consume
//! may take turns with the same memory, and what comes of them is still told apart (`looped`): such a result
//! has a place of its own that is *among* others. Two places that differ are then *kin* if they may
//! be one piece of memory: if what the later one is among may be the other. So a program stays lawful whatever
//! consumption is taken out of it: what a loop gave that consumed, it gives as well apart if it does not.
//!
//! A chain of branches or loops each of which makes an array or hands on the last one would have more and more places.
//! What is made inside, and comes out only where something may come out that another one made, goes by the name of
//! that: whoever may be the one may be the other, and nobody else knows of it.
//!
//! Calls are seen through by summaries of the called functions, found by iterating to a fixpoint.

use std::collections::{BTreeMap, BTreeSet};

use ravel_base::Symbol;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::syntax::*;
use crate::visit::Visit;

mod branched;
mod looped;

/// Pieces of memory, named after the variables that introduced them.
pub type Places = BTreeSet<Var>;

/// What callers must know of the functions of a program that are called.
#[derive(Clone, Debug, Default)]
pub struct Summaries {
    functions: FxHashMap<Symbol, Summary>,
}

/// What callers must know of a function.
#[derive(Clone, Debug, PartialEq)]
struct Summary {
    /// Which parameters it consumes.
    consumes: Vec<bool>,
    /// Of every result: the parameters it may share memory with.
    from_params: Vec<BTreeSet<usize>>,
    /// Of every result: the earlier results it may share memory with.
    from_results: Vec<BTreeSet<usize>>,
}

impl Summaries {
    /// The summaries of the functions of a program, of those that nobody calls aside.
    pub fn of(program: &Program) -> Summaries {
        let mut summaries = Summaries::default();
        let called = called(program);
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

    /// Does this function consume its parameter number `index`?
    pub fn consumes(&self, function: Symbol, index: usize) -> bool {
        self.functions.get(&function).is_some_and(|summary| summary.consumes.get(index) == Some(&true))
    }

    fn summarise(&self, function: &Function) -> Summary {
        let aliases = Aliases::of(function, self);
        let results: Vec<&Places> = function.body.result.iter().map(|&atom| aliases.of_atom(atom)).collect();
        let shared = |places: &Places, others: &[&Places]| -> BTreeSet<usize> {
            let shares = |index: &usize| aliases.meet(others[*index], places);
            (0..others.len()).filter(shares).collect()
        };
        let params: Vec<&Places> = function.params.iter().map(|param| aliases.places(param.var)).collect();
        Summary {
            consumes: function.params.iter().map(|param| param.consumed).collect(),
            from_params: results.iter().map(|result| shared(result, &params)).collect(),
            from_results: (0..results.len()).map(|index| shared(results[index], &results[..index])).collect(),
        }
    }
}

/// The functions that a program calls.
fn called(program: &Program) -> FxHashSet<Symbol> {
    struct Called(FxHashSet<Symbol>);
    impl Visit for Called {
        fn var(&mut self, _: &Var) {}
        fn binder(&mut self, _: &Var) {}
        fn stm(&mut self, stm: &Stm) {
            if let Exp::Call(call) = &stm.exp {
                self.0.insert(call.function);
            }
            self.exp(&stm.exp);
        }
    }
    let mut called = Called(FxHashSet::default());
    program.functions.iter().for_each(|function| called.body(&function.body));
    called.0
}

/// The places of the arrays of one function.
#[derive(Clone, Debug, Default)]
pub struct Aliases {
    places: BTreeMap<Var, Places>,
    /// Of a place that is one of several others.
    apart: BTreeMap<Var, Apart>,
    /// How often places were told apart.
    parted: usize,
    consumed: BTreeSet<Var>,
}

/// A place that is one of several others.
#[derive(Clone, Debug)]
struct Apart {
    /// The others.
    others: Places,
    /// The memory that these may be, which is among nothing else. A chain of loops would make more and more of the others
    /// and theirs; this stays what there was before the first.
    memory: Places,
    /// When it was told apart: at one time with those that it is not.
    time: usize,
}

const NOWHERE: &Places = &Places::new();

impl Aliases {
    /// Analyses a function.
    pub fn of(function: &Function, summaries: &Summaries) -> Aliases {
        let aliases = Aliases::default();
        let mut analysis = Analysis {
            vars: &function.vars,
            summaries,
            aliases,
            seen: Vec::new(),
            deaths: Vec::new(),
            came_out: BTreeSet::new(),
        };
        for param in &function.params {
            analysis.introduce(param.var);
        }
        analysis.body(&function.body);
        analysis.aliases
    }

    /// The places of a variable; none for a scalar.
    pub fn places(&self, var: Var) -> &Places {
        self.places.get(&var).unwrap_or(NOWHERE)
    }

    /// The places of an atom.
    pub fn of_atom(&self, atom: Atom) -> &Places {
        atom.var().map_or(NOWHERE, |var| self.places(var))
    }

    /// The memory that this place is one of, if it is one of several.
    pub fn among(&self, place: Var) -> &Places {
        self.apart.get(&place).map_or(NOWHERE, |apart| &apart.memory)
    }

    /// All the memory that an array in these places may lie in: two that may share memory have some in common.
    pub fn memory<'a>(&'a self, places: &'a Places) -> impl Iterator<Item = Var> + 'a {
        places.iter().chain(places.iter().flat_map(|&place| self.among(place))).copied()
    }

    /// May arrays in these places share memory?
    pub fn meet(&self, a: &Places, b: &Places) -> bool {
        !a.is_disjoint(b) || a.iter().any(|&a| b.iter().any(|&b| self.may_be(a, b)))
    }

    /// May the two places be one piece of memory?
    pub fn may_be(&self, a: Var, b: Var) -> bool {
        let (mut pending, mut seen) = (vec![(a, b)], FxHashSet::default());
        while let Some((a, b)) = pending.pop() {
            if a == b {
                return true;
            }
            let (later, other) = match (self.apart.get(&a), self.apart.get(&b)) {
                (None, None) => continue,
                (Some(one), None) if one.memory.contains(&b) => return true,
                (None, Some(one)) if one.memory.contains(&a) => return true,
                (Some(one), Some(another)) if one.time > another.time => (one, b),
                (Some(one), Some(another)) if one.time < another.time => (another, a),
                _ => continue,
            };
            pending.extend(later.others.iter().map(|&one| (one, other)).filter(|&pair| seen.insert(pair)));
        }
        false
    }

    /// May the two share memory?
    pub fn may_share(&self, a: Var, b: Var) -> bool {
        self.meet(self.places(a), self.places(b))
    }

    /// Is this place, or one that is among others with it, consumed anywhere in the function? Not to be asked of what is
    /// among others itself.
    pub fn is_consumed(&self, place: Var) -> bool {
        self.consumed.contains(&place)
    }
}

/// The arrays that an expression itself consumes, its nested bodies aside.
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
                Sink::Map | Sink::Reduce { .. } => Vec::new(),
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
    /// The arrays seen so far, in order: what a body binds is at the end.
    seen: Vec<Var>,
    /// The places consumed so far, in order: what a branch adds is at the end.
    deaths: Vec<Var>,
    /// The places of which some were made inside of branches or loops and came out, and others may go by their names.
    came_out: BTreeSet<Var>,
}

impl Analysis<'_> {
    fn consume(&mut self, places: &Places) {
        let memory: Vec<Var> = self.aliases.memory(places).collect();
        self.aliases.consumed.extend(memory);
        self.deaths.extend(places);
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
            self.seen.push(var);
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
            Exp::Slice(array, _) | Exp::Rearrange(array, _) | Exp::Reshape(array) => {
                self.view(Atom::Var(*array), binders);
            }
            Exp::Assert { values, .. } => {
                for (&binder, &value) in binders.iter().zip(values) {
                    self.view(value, &[binder]);
                }
            }
            Exp::If { then, otherwise, .. } => self.branched(then, otherwise, binders),
            Exp::Loop(looped) => self.looped(looped, binders),
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

    /// Lets what was made inside go by the name of what came out before, if that is in all of these results in which it is
    /// itself.
    fn gather(&mut self, inside: &FxHashSet<Var>, results: &mut [Places]) {
        let is_new = |place: &Var| inside.contains(place) && self.aliases.among(*place).is_empty();
        let new: Places = results.iter().flatten().copied().filter(is_new).collect();
        for place in &new {
            let mut with: Vec<&mut Places> =
                results.iter_mut().filter(|places| places.contains(place)).collect();
            let all = |known: &&Var| with.iter().all(|places| places.contains(known));
            let known = with[0].iter().filter(|known| !new.contains(known) && self.came_out.contains(known));
            match known.copied().find(|known| all(&known)) {
                Some(_) => with.iter_mut().for_each(|places| _ = places.remove(place)),
                None => _ = self.came_out.insert(*place),
            }
        }
    }

    /// A lambda whose parameters share memory with nothing.
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
