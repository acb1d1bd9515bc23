//! Consumption: an array has no use after the statement that consumes it.
//!
//! The check visits the statements in order and keeps two sets of places (see [`crate::alias`]): the
//! *own* ones, which the current body may consume, and the *dead* ones, which were consumed. A
//! body owns the arrays that it creates. A function also owns its consumed parameters, and a loop body
//! the loop's parameters. A lambda owns neither its parameters nor its free variables.

use std::collections::BTreeMap;

use super::{Conflict, Verified, require};
use crate::alias::{Aliases, Places, Summaries, consumed_by};
use crate::exp_without_bodies;
use crate::free::{free_in_body, free_in_lambda};
use crate::print::Namer;
use crate::syntax::*;
use ravel_base::Names;
use rustc_hash::FxHashMap;

/// Checks consumption in a function.
pub(super) fn function(
    summaries: &Summaries,
    aliases: &Aliases,
    function: &Function,
    names: Names,
) -> Verified {
    let own = function.params.iter().filter(|param| param.consumed).map(|param| param.var).collect();
    let namer = Namer { vars: &function.vars, names };
    let mut checker = Checker {
        summaries,
        namer,
        aliases,
        own,
        dead: ConsumedPlaces::default(),
        consumed_places: Vec::new(),
        consumers: FxHashMap::default(),
        bodies: 0,
    };
    checker.body(&function.body)
}

struct Checker<'a> {
    summaries: &'a Summaries,
    namer: Namer<'a>,
    aliases: &'a Aliases,
    own: Places,
    dead: ConsumedPlaces,
    /// The dead places in the order of consumption: those that a branch adds are at the end.
    consumed_places: Vec<Var>,
    /// The consumer of each dead place, if a copy before the consumer would keep the place alive.
    consumers: FxHashMap<Var, Conflict>,
    /// The number of bodies of the current statement that have been checked.
    bodies: usize,
}

/// The consumed places. The keys are the places and candidates that a consumed place may coincide with.
#[derive(Default)]
struct ConsumedPlaces(BTreeMap<Var, Places>);

impl ConsumedPlaces {
    fn memory(aliases: &Aliases, place: Var) -> impl Iterator<Item = Var> {
        let candidates = aliases.candidates(place);
        candidates.iter().copied().chain(candidates.is_empty().then_some(place))
    }

    /// Adds a place; true if it was alive.
    fn insert(&mut self, aliases: &Aliases, place: Var) -> bool {
        ConsumedPlaces::memory(aliases, place)
            .fold(false, |_, memory| self.0.entry(memory).or_default().insert(place))
    }

    fn remove(&mut self, aliases: &Aliases, place: Var) {
        for memory in ConsumedPlaces::memory(aliases, place) {
            self.0.entry(memory).or_default().remove(&place);
        }
    }

    /// A dead place that may be the same memory as this one.
    fn find(&self, aliases: &Aliases, place: Var) -> Option<Var> {
        let mut dead = ConsumedPlaces::memory(aliases, place)
            .filter_map(|memory| self.0.get(&memory))
            .flatten()
            .copied();
        dead.find(|&dead| aliases.may_coincide(place, dead))
    }
}

impl Checker<'_> {
    fn show(&self, var: Var) -> String {
        self.namer.atom(Atom::Var(var))
    }

    fn body(&mut self, body: &Body) -> Verified {
        let number = std::mem::take(&mut self.bodies);
        for stm in &body.stms {
            self.stm(stm).map_err(|fault| fault.blame(self.namer.vars, stm))?;
            self.bodies = 0;
        }
        self.bodies = number + 1;
        let mut results = body.result.iter().filter_map(|atom| atom.var());
        results.try_for_each(|var| self.alive(var)).map_err(|fault| fault.in_results(number))
    }

    fn consume(&mut self, places: impl IntoIterator<Item = Var>) {
        for place in places {
            if self.dead.insert(self.aliases, place) {
                self.consumed_places.push(place);
            }
        }
    }

    fn alive(&self, var: Var) -> Verified {
        let dead = self.aliases.places(var).iter().find_map(|&place| self.dead.find(self.aliases, place));
        require(dead.is_none(), || format!("`{}` is used after it was consumed", self.show(var)))
            .map_err(|fault| fault.with_conflict(dead.and_then(|place| self.consumers.get(&place)).copied()))
    }

    fn stm(&mut self, stm: &Stm) -> Verified {
        let operands = self.operands(&stm.exp);
        operands.iter().try_for_each(|&var| self.alive(var))?;
        match &stm.exp {
            Exp::If { then, otherwise, .. } => {
                let before = self.consumed_places.len();
                self.body(then)?;
                let dead_in_then = self.consumed_places.split_off(before);
                for &place in &dead_in_then {
                    self.dead.remove(self.aliases, place);
                }
                self.body(otherwise)?;
                self.consume(dead_in_then);
            }
            Exp::Loop(looped) => self.loop_exp(looped, &stm.binders)?,
            Exp::Screma(screma) => screma.lambdas().try_for_each(|lambda| self.lambda(lambda))?,
            Exp::Segment(segment) if segment.is_single_point() => {
                self.body(&segment.screma.map.body)?;
                segment.screma.lambdas().skip(1).try_for_each(|lambda| self.lambda(lambda))?;
            }
            Exp::Segment(segment) => {
                segment.screma.lambdas().try_for_each(|lambda| self.lambda(lambda))?;
            }
            Exp::Stream(stream) => stream.lambdas().try_for_each(|lambda| self.lambda(lambda))?,
            exp_without_bodies!() => {}
        }
        let consumed = consumed_by(&stm.exp, self.aliases, self.summaries);
        // The variables used inside need no check that they are alive: the visit of the bodies made it.
        let inside = if consumed.is_empty() { Vec::new() } else { self.free_inside(&stm.exp) };
        for var in consumed {
            let places = self.aliases.places(var);
            let conflict = stm.binders.first().map(|&by| Conflict::Consumed { by, array: var });
            require(places.is_subset(&self.own), || {
                format!("`{}` is consumed here, but does not belong to this body", self.show(var))
            })
            .map_err(|fault| fault.with_conflict(conflict))?;
            let used = operands.iter().chain(&inside);
            let sharing = used.filter(|&&used| self.aliases.vars_may_alias(used, var)).count();
            require(sharing == 1, || format!("`{}` is consumed and used by one statement", self.show(var)))
                .map_err(|fault| fault.with_conflict(conflict))?;
            self.consumers.extend(places.iter().filter_map(|&place| Some((place, conflict?))));
            self.consume(places.iter().copied());
        }
        // A choice belongs to the body if all its candidates do.
        let belongs = |binder: &Var| {
            self.aliases.places(*binder).contains(binder)
                && self.aliases.candidates(*binder).is_subset(&self.own)
        };
        let owned: Vec<Var> = stm.binders.iter().copied().filter(belongs).collect();
        self.own.extend(owned);
        Ok(())
    }

    /// The arrays that an expression itself uses, not counting nested bodies; one entry per use.
    fn operands(&self, exp: &Exp) -> Vec<Var> {
        let mut operands: Vec<Var> = match exp {
            Exp::Atom(atom) => atom.var().into_iter().collect(),
            Exp::ArrayLit(atoms)
            | Exp::Call(Call { args: atoms, .. })
            | Exp::Assert { values: atoms, .. } => atoms.iter().filter_map(|atom| atom.var()).collect(),
            Exp::Index(array, _)
            | Exp::Slice(array, _)
            | Exp::Copy(array)
            | Exp::Rearrange(array, _)
            | Exp::Reshape(array)
            | Exp::Manifest(_, array, _) => vec![*array],
            Exp::Update { array, value, .. } => [Some(*array), value.var()].into_iter().flatten().collect(),
            Exp::Replicate { value, .. } => value.var().into_iter().collect(),
            Exp::Concat(arrays) => arrays.clone(),
            Exp::Loop(looped) => looped.params.iter().filter_map(|(_, init)| init.var()).collect(),
            Exp::Screma(_) | Exp::Segment(_) => {
                let Some(screma) = exp.screma() else { return Vec::new() };
                let sources = screma.sources.iter().filter_map(Source::array);
                let neutral = screma.sinks.iter().filter_map(|sink| match sink {
                    Sink::Reduce { neutral, .. } | Sink::Combine { neutral, .. } => Some(neutral),
                    Sink::Map | Sink::Concat { .. } | Sink::Write { .. } => None,
                });
                let neutral = neutral.chain(screma.scans.iter().map(|scan| &scan.neutral));
                let neutral = neutral.flatten().filter_map(|atom| atom.var());
                let targets = consumed_by(exp, self.aliases, self.summaries);
                sources.chain(neutral).chain(targets).collect()
            }
            Exp::Stream(stream) => {
                let neutral = stream.sinks.iter().filter_map(|sink| match sink {
                    StreamSink::Reduce { neutral, .. } => neutral.as_ref(),
                    StreamSink::Map => None,
                });
                let neutral = neutral.flatten().filter_map(|atom| atom.var());
                stream.sources.iter().copied().chain(neutral).collect()
            }
            _ => Vec::new(),
        };
        operands.retain(|&var| !self.aliases.places(var).is_empty());
        operands
    }

    /// The arrays that are free in the bodies inside an expression, each once.
    fn free_inside(&self, exp: &Exp) -> Vec<Var> {
        let free_in = |lambda: &Lambda| free_in_lambda(self.namer.vars, lambda);
        let mut free = match exp {
            Exp::Loop(looped) => free_in_body(self.namer.vars, &looped.body),
            Exp::Screma(screma) => screma.lambdas().flat_map(free_in).collect(),
            Exp::Segment(segment) => segment.screma.lambdas().flat_map(free_in).collect(),
            Exp::Stream(stream) => stream.lambdas().flat_map(free_in).collect(),
            _ => Places::new(),
        };
        if let Exp::Loop(looped) = exp {
            looped.params.iter().for_each(|(param, _)| _ = free.remove(param));
        }
        free.into_iter().filter(|&var| !self.aliases.places(var).is_empty()).collect()
    }

    fn lambda(&mut self, lambda: &Lambda) -> Verified {
        let own = std::mem::take(&mut self.own);
        self.body(&lambda.body)?;
        self.own = own;
        Ok(())
    }

    fn loop_exp(&mut self, looped: &Loop, binders: &[Var]) -> Verified {
        let params: Places = looped.params.iter().map(|&(param, _)| param).collect();
        let outside = std::mem::replace(&mut self.own, params.clone());
        self.body(&looped.body)?;
        // The next value of a consumed parameter must be created in the body and have no other use.
        for (index, (&(param, _), result)) in looped.params.iter().zip(&looped.body.result).enumerate() {
            if !self.aliases.is_consumed(param) {
                continue;
            }
            let places = self.aliases.of_atom(*result);
            let conflict = binders.first().map(|&of| Conflict::Next { of, param: index });
            require(places.is_subset(&self.own), || {
                format!("the loop consumes `{}`, whose next value comes from outside", self.show(param))
            })
            .map_err(|fault| fault.with_conflict(conflict).in_results(0))?;
            for (other, value) in looped.body.result.iter().enumerate() {
                require(
                    other == index || !self.aliases.may_alias(self.aliases.of_atom(*value), places),
                    || format!("the loop consumes `{}`, whose next value has two names", self.show(param)),
                )
                .map_err(|fault| fault.with_conflict(conflict).in_results(0))?;
            }
        }
        for &param in &params {
            self.dead.remove(self.aliases, param);
        }
        let inside = std::mem::replace(&mut self.own, outside);
        self.own.extend(inside);
        Ok(())
    }
}
