//! Levels across calls: only host code may call a function that has segments.

use std::collections::{BTreeMap, BTreeSet};

use ravel_base::Symbol;
use rustc_hash::FxHashMap;

use super::check::Checker;
use super::{Blamed, Fault, Verified, fault, require};
use crate::syntax::{Level, Stm};

/// The segments and calls of one function, by level.
#[derive(Debug, Default)]
pub(super) struct FunctionLevels {
    /// Whether the function contains segments.
    pub(super) has_segments: bool,
    /// The functions that its host code calls.
    by_host: BTreeSet<Symbol>,
    /// The functions that its threads call, each with the first call.
    by_threads: BTreeMap<Symbol, Blamed>,
}

impl Checker<'_> {
    /// Checks that an array of equal, evenly spaced or unspecified elements may be made here. The threads of a workgroup fill
    /// an array in a segment, also one of unspecified elements: their memory may need initial values.
    pub(super) fn fills(&self) -> Verified {
        require(self.level != Level::Workgroup, || {
            "an array is filled without a segment in the body of a workgroup".to_owned()
        })
    }

    /// Records a call.
    pub(super) fn record_call(&mut self, stm: &Stm, function: Symbol) -> Verified {
        require(self.level != Level::Workgroup, || "the body of a workgroup calls a function".to_owned())?;
        if self.level == Level::Thread {
            self.levels.by_threads.entry(function).or_insert_with(|| Blamed::new(self.vars, stm));
        } else {
            self.levels.by_host.insert(function);
        }
        Ok(())
    }
}

/// The segments and calls of all functions of a program.
#[derive(Debug, Default)]
pub(super) struct Levels {
    functions: FxHashMap<Symbol, FunctionLevels>,
    /// The functions in the order of the program.
    order: Vec<Symbol>,
}

impl Levels {
    pub(super) fn insert(&mut self, function: Symbol, levels: FunctionLevels) {
        self.functions.insert(function, levels);
        self.order.push(function);
    }

    /// Checks that no thread reaches a segment through calls.
    pub(super) fn check(&self) -> Result<(), (Symbol, Fault)> {
        if !self.functions.values().any(|levels| levels.has_segments) {
            return Ok(());
        }
        for &function in &self.order {
            let mut seen = BTreeSet::new();
            for (&called, call) in &self.functions[&function].by_threads {
                let mut pending = vec![called];
                while let Some(callee) = pending.pop() {
                    let Some(levels) = self.functions.get(&callee).filter(|_| seen.insert(callee)) else {
                        continue;
                    };
                    if levels.has_segments {
                        let wrong = fault::<()>(format!("a thread reaches the segments of `{callee}`"));
                        return wrong
                            .map_err(|fault| (function, Fault { statement: Some(call.clone()), ..fault }));
                    }
                    pending.extend(levels.by_host.iter().chain(levels.by_threads.keys()));
                }
            }
        }
        Ok(())
    }
}
