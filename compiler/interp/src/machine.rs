//! A run of a program: its functions, its limits, and how it ends early.

use std::cell::Cell;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

use ravel_abi::{Failure, MAX_CALLS, Tuning};
use ravel_base::{CallPath, Symbol};
use ravel_core::{ErrorMessage, Function, Program, Stm, Var};

use crate::array::Value;
use crate::entry::to_abi;
use crate::frame::Frame;
use crate::lifetimes::Lifetimes;
use crate::{Chunks, Options, Trace};

/// The reason why a run ended early.
#[derive(Debug)]
pub struct Halt {
    pub failure: Failure,
    /// The place of the failure, then the active calls, innermost first.
    pub paths: Vec<CallPath>,
}

/// A result, or the reason why the run ended early.
pub type Outcome<T> = Result<T, Box<Halt>>;

impl Halt {
    pub fn failed_with(failure: Failure) -> Box<Halt> {
        Box::new(Halt { failure, paths: Vec::new() })
    }

    /// The halt of a run inside a statement. If there was too little memory, the innermost statement is the place.
    pub fn inside(mut self: Box<Halt>, stm: &Stm) -> Box<Halt> {
        if matches!(self.failure, Failure::Memory { .. }) && self.paths.is_empty() {
            self.paths.extend(stm.origin.path());
        }
        self
    }
}

/// A bug of the compiler: the interpreter comes here only in a program that the verifier rejects.
pub fn internal(what: impl std::fmt::Display) -> Box<Halt> {
    Halt::failed_with(Failure::Bug(what.to_string()))
}

/// A program, ready to run.
pub struct Machine<'p> {
    functions: HashMap<Symbol, (&'p Function, Lifetimes)>,
    stop: Option<&'p AtomicBool>,
    /// The number of steps left. A step is a call, an iteration of a loop, a point or chunk of a construct, or an element of a new
    /// array of equal or evenly spaced elements.
    steps: Cell<u64>,
    /// The number of calls that may still nest.
    calls: Cell<i64>,
    pub tuning: Option<&'p Tuning>,
    trace: Option<&'p (dyn Fn(&Trace<'_>) + Sync)>,
    /// The sizes of the chunks of streams.
    pub chunks: Chunks,
}

impl<'p> Machine<'p> {
    pub fn new(program: &'p Program, options: Options<'p>) -> Machine<'p> {
        let functions = program.functions.iter();
        let functions = functions.map(|function| (function.name, (function, Lifetimes::new(function))));
        let Options { stop, max_steps, chunks, tuning, trace } = options;
        let steps = Cell::new(max_steps.unwrap_or(u64::MAX));
        let calls = Cell::new(i64::from(MAX_CALLS));
        Machine { functions: functions.collect(), stop, steps, calls, tuning, trace, chunks }
    }

    /// Calls a function with these arguments, which it then owns.
    pub fn call(&self, name: Symbol, args: Vec<Value>) -> Outcome<Vec<Value>> {
        let unknown = || internal(format!("there is no function `{name}`"));
        let (function, lifetimes) = self.functions.get(&name).ok_or_else(unknown)?;
        let mut frame = Frame::new(self, function, lifetimes);
        let params: Vec<Var> = function.params.iter().map(|param| param.var).collect();
        frame.bind_all(&params, args)?;
        let mut results = Vec::with_capacity(function.results.len());
        frame.body(&function.body, &mut results)?;
        frame.bind_all(&function.results, results.clone())?;
        Ok(results)
    }

    /// Calls a function from inside another function, at `path`.
    pub fn nested_call(&self, name: Symbol, args: Vec<Value>, path: Option<CallPath>) -> Outcome<Vec<Value>> {
        let calls = self.calls.get();
        self.calls.set(calls - path.map_or(1, CallPath::calls));
        let results = match self.calls.get() < 0 {
            true => Err(Halt::failed_with(Failure::out_of_stack())),
            false => self.call(name, args),
        };
        self.calls.set(calls);
        results.map_err(|mut halt| {
            halt.paths.extend(path);
            halt
        })
    }

    /// If the statement is a trace and the options have a function for traces, passes the values to it.
    pub fn trace(&self, stm: &Stm, error: &ErrorMessage, values: &[Value]) {
        if let (Some(trace), Some(label)) = (self.trace, stm.trace_label()) {
            let values = values.iter().cloned().map(to_abi).collect();
            trace(&Trace { label, span: error.path.map(CallPath::span), values });
        }
    }

    /// Counts a step. Ends the run if no step is left, or if the stop flag of the options is set.
    pub fn step(&self) -> Outcome<()> {
        self.count_steps(1)
    }

    /// Counts so many steps.
    pub fn count_steps(&self, count: usize) -> Outcome<()> {
        let is_stopped = self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
        match self.steps.get().checked_sub(count as u64) {
            Some(left) if !is_stopped => {
                self.steps.set(left);
                Ok(())
            }
            _ => Err(Halt::failed_with(Failure::stopped())),
        }
    }
}
