//! Demand analysis: the variables on which the results of a function depend.
//!
//! A check is *needed* if a result depends on what it returns. If it fails, the program fails, so nothing else has to
//! depend on it.
//!
//! What only one side of a branch needs is not needed before the branch, because the check may move to that side. A
//! check does not move into a loop or into a function that an operator applies.

use std::cell::RefCell;
use std::rc::Rc;

use ravel_base::Symbol;
use ravel_core::{
    Atom, Body, Exp, Function, Lambda, Loop, LoopForm, Param, Screma, Sink, Source, Var, VarTable,
    free_in_exp,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::dependence::Checks;

/// The variables that some results of a function need.
pub(crate) struct Demand {
    /// All of them.
    some: FxHashSet<Var>,
    /// Those that are needed whenever their statement runs.
    always: FxHashSet<Var>,
    /// The results of branches and loops that always run, and the parameters of loops.
    running: FxHashSet<Var>,
}

impl Demand {
    /// The variables that the results with these numbers need.
    pub fn of(results: &[usize], function: &Function, callees: &Callees) -> Demand {
        let mut search = Search::new(&function.vars, callees);
        let outside = search.results(results, function);
        let Search { mut some, mut always, running, .. } = search;
        for (var, need) in outside.0 {
            some.insert(var);
            always.extend((need == Need::Always).then_some(var));
        }
        Demand { some, always, running }
    }

    /// Whether the results need this variable.
    pub fn contains(&self, var: Var) -> bool {
        self.some.contains(&var)
    }

    /// Whether the results need what this check or parameter returns, whichever way branches go, or all for which it
    /// stands.
    pub fn checks(&self, check: Var, nested: &FxHashMap<Var, Vec<Checks>>) -> bool {
        let mut visited = FxHashSet::default();
        let mut waiting = vec![check];
        while let Some(check) = waiting.pop() {
            if self.always.contains(&check) || !visited.insert(check) {
                continue;
            }
            let Some(inside) = nested.get(&check).filter(|_| self.running.contains(&check)) else {
                return false;
            };
            waiting.extend(inside.iter().flat_map(|checks| checks.iter()));
        }
        true
    }
}

/// The numbers of the parameters that a result needs.
type Params = Rc<[(usize, Need)]>;

/// The functions that may be called.
pub(crate) struct Callees<'f> {
    functions: &'f [Function],
    /// What results need, by function and number, as far as it is computed.
    needs: RefCell<FxHashMap<(Symbol, usize), Params>>,
}

impl<'f> Callees<'f> {
    /// The functions, which are complete.
    pub fn new(functions: &'f [Function]) -> Callees<'f> {
        Callees { functions, needs: RefCell::default() }
    }

    /// The numbers of the parameters that a result of this function needs; all if the function is not complete.
    fn needs(&self, name: Symbol, params: usize, result: usize) -> Params {
        if let Some(known) = self.needs.borrow().get(&(name, result)) {
            return known.clone();
        }
        let all: Params = (0..params).map(|param| (param, Need::Always)).collect();
        self.needs.borrow_mut().insert((name, result), all.clone());
        let Some(function) = self.functions.iter().find(|function| function.name == name) else { return all };
        let live = Search::new(&function.vars, self).results(&[result], function);
        let need = |(at, param): (usize, &Param)| live.0.get(&param.var).map(|&need| (at, need));
        let needs: Params = function.params.iter().enumerate().filter_map(need).collect();
        self.needs.borrow_mut().insert((name, result), needs.clone());
        needs
    }
}

/// How far a variable is needed where it is bound.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Need {
    /// Only on one side of a later branch.
    Partly,
    /// Whenever its statement runs.
    Always,
}

/// The live variables at some place. Every use adds its need, and the greatest counts.
#[derive(Default)]
struct Live(FxHashMap<Var, Need>);

impl Live {
    fn add(&mut self, vars: impl IntoIterator<Item = Var>, need: Need) {
        for var in vars {
            let known = self.0.entry(var).or_insert(need);
            *known = need.max(*known);
        }
    }

    fn atoms<'a>(&mut self, atoms: impl IntoIterator<Item = &'a Atom>, need: Need) {
        self.add(atoms.into_iter().filter_map(|atom| atom.var()), need);
    }
}

/// A search for the variables that the results of a function need.
struct Search<'s> {
    vars: &'s VarTable,
    callees: &'s Callees<'s>,
    /// The variables so far that are needed.
    some: FxHashSet<Var>,
    /// Those that are always needed. Those of a nested body are needed whenever the body runs.
    always: FxHashSet<Var>,
    /// The results of branches and loops that always run, and the parameters of loops.
    running: FxHashSet<Var>,
}

impl<'s> Search<'s> {
    fn new(vars: &'s VarTable, callees: &'s Callees<'s>) -> Self {
        let [some, always, running] = [(); 3].map(|()| FxHashSet::default());
        Search { vars, callees, some, always, running }
    }

    /// The parameters that the results of a function with these numbers need.
    fn results(&mut self, results: &[usize], function: &Function) -> Live {
        let all = 0..function.results.len();
        let needs: Vec<_> = all.map(|at| results.contains(&at).then_some(Need::Always)).collect();
        self.body(&function.body, &needs)
    }

    /// The variables from outside that the results of a body need, if the results are needed so far.
    fn body(&mut self, body: &Body, needs: &[Option<Need>]) -> Live {
        let mut live = Live::default();
        for (result, need) in body.result.iter().zip(needs) {
            need.iter().for_each(|&need| live.atoms([result], need));
        }
        for stm in body.stms.iter().rev() {
            let mut needs = vec![None; stm.binders.len()];
            // Last binders first: their types name earlier ones.
            for (binder, own) in stm.binders.iter().zip(&mut needs).rev() {
                *own = live.0.remove(binder);
                own.iter().for_each(|&need| live.add(self.sizes(*binder), need));
                self.some.extend(own.map(|_| *binder));
                self.always.extend((*own == Some(Need::Always)).then_some(*binder));
            }
            if let Some(need) = needs.iter().copied().flatten().max() {
                // The first variable stands for a check.
                let check = stm.binders.first().filter(|_| matches!(stm.exp, Exp::Assert { .. }));
                self.always.extend(check.filter(|_| need == Need::Always));
                if need == Need::Always && matches!(stm.exp, Exp::If { .. } | Exp::Loop(_)) {
                    self.running.extend(&stm.binders);
                }
                self.exp(&stm.exp, &needs, need, &mut live);
            }
        }
        live
    }

    /// Adds the operands that the results of the expression need. The greatest of their needs is `most`.
    fn exp(&mut self, exp: &Exp, needs: &[Option<Need>], most: Need, live: &mut Live) {
        match exp {
            Exp::If { cond, then, otherwise } => {
                live.atoms([cond], most);
                let (then, otherwise) = (self.body(then, needs), self.body(otherwise, needs));
                for (&var, &need) in &then.0 {
                    let other = otherwise.0.get(&var).map_or(Need::Partly, |&other| other);
                    live.add([var], need.min(other));
                }
                live.add(otherwise.0.into_keys(), Need::Partly);
            }
            Exp::Loop(looped) => self.loop_exp(looped, needs, most, live),
            Exp::Screma(screma) => self.screma(screma, needs, most, live),
            Exp::Stream(stream) => {
                live.atoms([&stream.width], most);
                live.add(stream.sources.iter().copied(), most);
                stream.lambdas().for_each(|lambda| self.lambda(lambda, most, live));
            }
            Exp::Call(call) => {
                for (result, need) in needs.iter().enumerate() {
                    let Some(need) = *need else { continue };
                    let params = self.callees.needs(call.function, call.args.len(), result);
                    params.iter().for_each(|&(param, own)| live.atoms([&call.args[param]], need.min(own)));
                }
            }
            Exp::Assert { cond, values, .. } => {
                live.atoms([cond], most);
                for (value, need) in values.iter().zip(needs) {
                    need.iter().for_each(|&need| live.atoms([value], need));
                }
            }
            _ => live.add(free_in_exp(self.vars, exp), most),
        }
    }

    fn loop_exp(&mut self, looped: &Loop, needs: &[Option<Need>], most: Need, live: &mut Live) {
        let mut needs = needs.to_vec();
        let inside = loop {
            let always: Vec<_> = needs.iter().map(|need| need.map(|_| Need::Always)).collect();
            let mut inside = self.body(&looped.body, &always);
            if let LoopForm::While(cond) = looped.form {
                inside.add([cond], Need::Always);
            }
            for ((param, _), need) in looped.params.iter().zip(&needs) {
                need.iter().for_each(|&need| inside.add(self.sizes(*param), need));
            }
            let before = needs.clone();
            for ((param, _), need) in looped.params.iter().zip(&mut needs) {
                if inside.0.contains_key(param) {
                    *need = Some(most);
                }
            }
            if needs == before {
                break inside;
            }
        };
        let mut inside = inside.0;
        for ((param, init), need) in looped.params.iter().zip(needs) {
            inside.remove(param);
            self.running.insert(*param);
            self.always.extend(need.map(|_| *param));
            need.iter().for_each(|&need| live.atoms([init], need));
        }
        if let LoopForm::For { index, bound } = looped.form {
            inside.remove(&index);
            live.atoms([&bound], most);
        }
        live.add(inside.into_keys(), most);
    }

    fn screma(&mut self, screma: &Screma, needs: &[Option<Need>], most: Need, live: &mut Live) {
        live.atoms([&screma.width], most);
        let last = screma.post.as_ref().unwrap_or(&screma.map);
        let mut stream = vec![None; last.body.result.len()];
        for (sink, results, values) in screma.sink_ranges() {
            if needs[results].iter().all(Option::is_none) {
                continue;
            }
            stream[values].fill(Some(Need::Always));
            match sink {
                Sink::Map => {}
                Sink::Concat { count, size } => live.atoms([count, size], most),
                Sink::Reduce { op, neutral, .. } => {
                    self.lambda(op, most, live);
                    live.atoms(neutral, most);
                }
                Sink::Write { target, .. } => live.add([*target], most),
                Sink::Combine { targets, op, neutral } => {
                    live.add(targets.iter().copied(), most);
                    self.lambda(op, most, live);
                    live.atoms(neutral, most);
                }
            }
        }
        if let Some(post) = &screma.post {
            self.lambda(post, most, live);
            stream = vec![Some(Need::Always); screma.map.body.result.len()];
        }
        let mut first = 0;
        for scan in &screma.scans {
            let scanned = first..first + scan.neutral.len();
            first = scanned.end;
            if stream[scanned.clone()].iter().any(Option::is_some) {
                stream[scanned].fill(Some(Need::Always));
                self.lambda(&scan.op, most, live);
                live.atoms(&scan.neutral, most);
            }
        }
        let mut inside = self.body(&screma.map.body, &stream);
        for (param, source) in screma.map.params.iter().zip(&screma.sources) {
            if let Some(need) = inside.0.remove(param) {
                inside.add(self.sizes(*param), need);
                match source {
                    Source::Array(array) => live.add([*array], most),
                    Source::Iota { start, stride } => live.atoms([start, stride], most),
                }
            }
        }
        live.add(inside.0.into_keys(), most);
    }

    /// Adds the variables from outside that all results of a lambda need. A check does not move into it.
    fn lambda(&mut self, lambda: &Lambda, most: Need, live: &mut Live) {
        let inside = self.body(&lambda.body, &vec![Some(Need::Always); lambda.body.result.len()]);
        live.add(inside.0.into_keys().filter(|var| !lambda.params.contains(var)), most);
    }

    /// The sizes in the type of a variable.
    fn sizes(&self, var: Var) -> impl Iterator<Item = Var> {
        self.vars[var].ty.shape.iter().filter_map(|size| size.var())
    }
}
