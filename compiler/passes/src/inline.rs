//! # inline: replace calls by the body of the called function
//!
//! ## Rule
//!
//! ```text
//!   fun f (ps) -> (rs) = { stms in atoms }
//!   let xs = call f (as) in E[xs]
//!   --------------------------------------
//!   stms[as/ps] in E[atoms[as/ps]]          with fresh binders
//! ```
//!
//! * *inline*: a call becomes the body of the called function.
//!
//! ## Requires
//!
//! * *small-or-once*: the function is small, or called once. A function is small if it has at most
//!   `MAX_STATEMENTS` statements (`MAX_SCALAR_STATEMENTS` if none of them handles an array). If the target has
//!   no calls, the limit is `MAX_STATEMENTS_WITHOUT_CALLS`.
//!
//! ## Ensures
//!
//! Only functions reachable from an entry point are left. In the copy, the call paths of checks and calls are
//! extended by the call path of the inlined call. The order of evaluation stays.
//!
//! ## Leaves alone
//!
//! Recursive functions. Functions marked `noinline`, unless the target has no calls. A function that is refused
//! becomes `noinline`.
//!
//! ## Costs
//!
//! The rule costs no fuel, because fusion works inside one function and depends on it. In a tower of functions,
//! each of which calls the one below k times, code grows by the factor k at each level until a function exceeds
//! the limit. That function is not inlined, so growth restarts there.
//!
//! ## Source
//!
//! Muchnick, "Advanced Compiler Design and Implementation" (Morgan Kaufmann, 1997), section 15.2.
//!
//! ## Before
//!
//! ```text
//! fun twice (a: i32) -> (b: i32) = {
//!   let c: i32 = add a a
//!   in c
//! }
//! fun main (x: i32) -> (out: i32) = {
//!   let y: i32 = call twice (x)
//!   in y
//! }
//! entry main = main (x) -> (out)
//! ```
//!
//! ## After
//!
//! ```text
//! fun main (x_0: i32) -> (out_1: i32) = {
//!   let c_2: i32 = add x_0 x_0
//!   in c_2
//! }
//! entry main = main (x_0) -> (out_1)
//! ```

use std::collections::{BTreeMap, BTreeSet};

use ravel_base::{CallPath, Symbol};
use ravel_core::range::Ranges;
use ravel_core::visit::{Visit, VisitMut};
use ravel_core::{
    Atom, Body, Call, Exp, Function, Origin, Program, Stm, Substitution, Var, VarTable, copy_body,
};
use rustc_hash::FxHashMap;

use crate::{Cx, Pass, Premise, Refusal};

/// The rule, which cannot be switched off: fusion and the GPU rely on it.
pub const RULE: &str = "inline";

/// The pass `inline`: its rules, its premises, and the function that runs it.
pub const PASS: Pass = Pass {
    name: "inline",
    about: "Replaces calls by the body of the callee.",
    rules: &[RULE],
    premises: &[SMALL],
    run,
};

const SMALL: Premise = Premise {
    name: "small-or-once",
    about: "the function is small, or called once",
    otherwise: "{} is large and called more than once",
};

/// The maximum size, in statements, of a function inlined into several calls. Below it, fusion is worth the copies.
const MAX_STATEMENTS: usize = 2_000;

/// [`MAX_STATEMENTS`] for a function without arrays: nothing fuses in it, and a call costs little beside its operations. But
/// a parallel operator that calls a function runs point by point. So a formula of a few elementary functions must fit.
const MAX_SCALAR_STATEMENTS: usize = 500;

/// [`MAX_STATEMENTS`] if the target has no calls.
const MAX_STATEMENTS_WITHOUT_CALLS: usize = 5_000;

fn run(program: &mut Program, cx: &mut Cx) {
    let names: Vec<Symbol> = program.functions.iter().map(|function| function.name).collect();
    let calls = Calls::of(&program.functions);
    let waiting = program.functions.drain(..).map(|function| (function.name, function)).collect();
    let mut inliner = Inliner { waiting, done: BTreeMap::new(), calls, cx };
    for &name in &names {
        inliner.finish(name);
    }
    let mut done = inliner.done;
    let reached = Calls::of(done.values()).reachable(program.entries.iter().map(|entry| entry.function));
    let kept = names.iter().filter(|name| reached.contains(name));
    program.functions = kept.filter_map(|name| done.remove(name)).collect();
}

/// The call graph.
pub(crate) struct Calls {
    /// For each function, the callees of its calls.
    callees: BTreeMap<Symbol, Vec<Symbol>>,
}

impl Calls {
    pub fn of<'a>(functions: impl IntoIterator<Item = &'a Function>) -> Calls {
        let calls = |function: &Function| (function.name, Contents::of(function).calls);
        Calls { callees: functions.into_iter().map(calls).collect() }
    }

    /// The ranges known at the start of a function: sizes of its array parameters are not negative. Nothing is known if
    /// the function may still be inlined: the array may be dead at the call, and then the check of its size is removed
    /// with it.
    pub fn ranges_of(&self, function: &Function) -> Ranges {
        let mut ranges = Ranges::default();
        if self.count(function.name) == 0 || self.is_recursive(function.name) {
            ranges.params(&function.vars, function.params.iter().map(|param| param.var));
        }
        ranges
    }

    /// The number of calls of a function.
    fn count(&self, callee: Symbol) -> usize {
        self.callees.values().flatten().filter(|&&name| name == callee).count()
    }

    /// These functions and all that they call, directly or indirectly.
    pub fn reachable(&self, from: impl IntoIterator<Item = Symbol>) -> BTreeSet<Symbol> {
        let mut reached = BTreeSet::new();
        let mut waiting: Vec<Symbol> = from.into_iter().collect();
        while let Some(name) = waiting.pop() {
            if reached.insert(name) {
                waiting.extend(self.callees.get(&name).into_iter().flatten());
            }
        }
        reached
    }

    /// The undirected call graph: each callee also calls its callers.
    pub fn undirected(mut self) -> Calls {
        let back = self
            .callees
            .iter()
            .flat_map(|(&caller, callees)| callees.iter().map(move |&callee| (callee, caller)));
        for (callee, caller) in back.collect::<Vec<_>>() {
            self.callees.entry(callee).or_default().push(caller);
        }
        self
    }

    /// Whether a function is recursive, directly or indirectly.
    fn is_recursive(&self, name: Symbol) -> bool {
        self.callees.get(&name).is_some_and(|callees| self.reachable(callees.iter().copied()).contains(&name))
    }
}

/// The contents of a function that decide about inlining.
#[derive(Default)]
struct Contents {
    /// The callees of its calls.
    calls: Vec<Symbol>,
    /// The number of its statements.
    stms: usize,
    /// Whether any of them binds an array.
    has_arrays: bool,
}

/// Collects the contents of a function.
struct Collector<'a> {
    vars: &'a VarTable,
    contents: Contents,
}

impl Contents {
    fn of(function: &Function) -> Contents {
        let mut collector = Collector { vars: &function.vars, contents: Contents::default() };
        collector.function(function);
        collector.contents
    }

    /// The maximum size of this function for inlining into several calls, if calls may stay.
    fn max_statements(&self) -> usize {
        if self.has_arrays { MAX_STATEMENTS } else { MAX_SCALAR_STATEMENTS }
    }
}

impl Visit for Collector<'_> {
    fn var(&mut self, _: &Var) {}

    fn binder(&mut self, binder: &Var) {
        self.contents.has_arrays |= !self.vars[*binder].ty.is_scalar();
    }

    fn stm(&mut self, stm: &Stm) {
        if let Exp::Call(call) = &stm.exp {
            self.contents.calls.push(call.function);
        }
        self.contents.stms += 1;
        stm.binders.iter().for_each(|binder| self.binder(binder));
        self.exp(&stm.exp);
    }
}

/// Inlines depth first: a callee is finished before its code is copied.
struct Inliner<'a> {
    /// Functions not visited yet.
    waiting: BTreeMap<Symbol, Function>,
    /// Functions without calls to inline. A function in neither map is being visited: a call of it is recursive and
    /// stays.
    done: BTreeMap<Symbol, Function>,
    /// The call graph of the program before inlining.
    calls: Calls,
    cx: &'a mut Cx,
}

impl Inliner<'_> {
    fn finish(&mut self, name: Symbol) {
        let Some(mut function) = self.waiting.remove(&name) else { return };
        for callee in Contents::of(&function).calls {
            self.finish(callee);
        }
        Splicer {
            done: &self.done,
            vars: &mut function.vars,
            substitution: Substitution::new(),
            cx: &mut *self.cx,
        }
        .body(&mut function.body);
        let calls = self.cx.target.calls;
        function.noinline = self.calls.is_recursive(name) || function.noinline && calls;
        let is_called_often = self.calls.count(name) > 1;
        let contents = Contents::of(&function);
        let most = if calls { contents.max_statements() } else { MAX_STATEMENTS_WITHOUT_CALLS };
        if !function.noinline && is_called_often && contents.stms > most {
            let refusal = Refusal::of(SMALL).blame(Some(name), function.origin.place());
            self.cx.refuse(PASS.name, refusal, &function.origin);
            function.noinline = true;
        }
        self.done.insert(name, function);
    }
}

/// Replaces the calls in a function by code, and their results by the results of that code.
struct Splicer<'a> {
    done: &'a BTreeMap<Symbol, Function>,
    vars: &'a mut VarTable,
    substitution: Substitution,
    cx: &'a mut Cx,
}

impl VisitMut for Splicer<'_> {
    fn var(&mut self, var: &mut Var) {
        if let Atom::Var(new) = self.substitution.atom(Atom::Var(*var)) {
            *var = new;
        }
    }

    fn atom(&mut self, atom: &mut Atom) {
        *atom = self.substitution.atom(*atom);
    }

    fn binder(&mut self, var: &mut Var) {
        self.substitution.binder(self.vars, *var);
    }

    fn body(&mut self, body: &mut Body) {
        for mut stm in std::mem::take(&mut body.stms) {
            self.stm(&mut stm);
            let callee = match &stm.exp {
                Exp::Call(call) => self.done.get(&call.function).map(|callee| (callee, call)),
                _ => None,
            };
            match callee {
                Some((callee, call)) if !callee.noinline => {
                    self.cx.record(PASS.name, &stm.origin);
                    let copy = self.copy(callee, call, &stm.origin);
                    for (&binder, &atom) in stm.binders.iter().zip(&copy.result) {
                        self.substitution.insert(binder, atom);
                        self.pass_name(binder, atom);
                    }
                    body.stms.extend(copy.stms);
                }
                _ => body.stms.push(stm),
            }
        }
        for atom in &mut body.result {
            self.atom(atom);
        }
    }
}

impl Splicer<'_> {
    /// The code of a call. Its origins stay those in the callee: an operator that contains the call does not do the
    /// work itself.
    fn copy(&mut self, callee: &Function, call: &Call, origin: &Origin) -> Body {
        let params = callee.params.iter().map(|param| param.var);
        let substitution = params.zip(call.args.iter().copied()).collect();
        let mut copy = copy_body(self.vars, Some(&callee.vars), substitution, &callee.body);
        for stm in &mut copy.stms {
            stm.origin = Origin { spans: stm.origin.spans.clone(), ..stm.origin.union(origin) };
        }
        if let Some(call) = call.path {
            CallPathExtender { call, known: FxHashMap::default() }.body(&mut copy);
        }
        copy
    }

    /// Gives a variable without a name the name of the one that it replaces.
    fn pass_name(&mut self, from: Var, to: Atom) {
        if let Atom::Var(to) = to
            && self.vars[to].hint.is_none()
        {
            self.vars[to].hint = self.vars[from].hint;
        }
    }
}

/// Adds a call to the call paths of the code of its function.
struct CallPathExtender {
    call: CallPath,
    /// The extended paths so far: most code of a function has one of a few paths.
    known: FxHashMap<CallPath, CallPath>,
}

impl CallPathExtender {
    fn path(&mut self, path: &mut Option<CallPath>) {
        *path = Some(path.map_or(self.call, |path| self.extend(path)));
    }

    fn extend(&mut self, path: CallPath) -> CallPath {
        *self.known.entry(path).or_insert_with(|| path.within(self.call))
    }
}

impl VisitMut for CallPathExtender {
    fn var(&mut self, _: &mut Var) {}

    fn binder(&mut self, _: &mut Var) {}

    fn stm(&mut self, stm: &mut Stm) {
        stm.origin.map_path(|path| self.extend(path));
        match &mut stm.exp {
            Exp::Assert { error, .. } => self.path(&mut error.path),
            Exp::Call(call) => self.path(&mut call.path),
            exp => {
                if let Exp::Screma(screma) = exp {
                    screma.scans.iter_mut().for_each(|scan| self.path(&mut scan.path));
                }
                self.exp(exp);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use ravel_kernel::Target;

    use super::{MAX_SCALAR_STATEMENTS, MAX_STATEMENTS, PASS};
    use crate::Step;
    use crate::testing::{optimise, optimise_for};

    const INLINE: &[Step] = &[Step::Run(&PASS)];

    #[test]
    fn a_call_becomes_the_code_with_its_sizes() {
        let before = "
            fun twice (n: i64, xs: [n]i32) -> (m: i64, ys: [m]i32) = {
              let m2: i64 = add n n
              let ys2: [m2]i32 = concat (xs, xs)
              in (m2, ys2)
            }
            fun main (k: i64, zs: [k]i32) -> (l: i64, r: [l]i32) = {
              let (a: i64, as: [a]i32) = call twice (k, zs)
              let (b: i64, bs: [b]i32) = call twice (a, as)
              in (b, bs)
            }
            entry main = main (zs) -> (r)";
        let after = "\
fun main (k_0: i64, zs_1: [k_0]i32) -> (l_2: i64, r_3: [l_2]i32) = {
  let m2_4: i64 = add k_0 k_0
  let ys2_5: [m2_4]i32 = concat (zs_1, zs_1)
  let m2_6: i64 = add m2_4 m2_4
  let ys2_7: [m2_6]i32 = concat (ys2_5, ys2_5)
  in (m2_6, ys2_7)
}
entry main = main (zs_1) -> (r_3)
";
        assert_eq!(optimise(INLINE, before), after);
    }

    #[test]
    fn noinline_calls_and_recursive_calls_stay() {
        let before = "\
noinline fun far (x_0: i64) -> (r_1: i64) = { in x_0 }
fun around (x_0: i64) -> (r_1: i64) = {
  let y_2: i64 = call around (x_0)
  in y_2
}
fun main (x_0: i64) -> (r_1: i64) = {
  let z_2: i64 = call far (x_0)
  in z_2
}
fun other (x_0: i64) -> (r_1: i64) = {
  let z_2: i64 = call around (x_0)
  in z_2
}
entry main = main (x_0) -> (r_1)
entry other = other (x_0) -> (r_1)
";
        let after = before.replace("fun around", "noinline fun around");
        assert_eq!(optimise(INLINE, before), after);
    }

    /// A function of `first` and `statements` others, and one that calls it `calls` times.
    fn with(first: &str, statements: usize, calls: usize) -> String {
        let sum: String = (0..statements).map(|at| format!("let y{at}: i64 = add x x\n")).collect();
        let calls: String = (0..calls).map(|at| format!("let z{at}: i64 = call far (x)\n")).collect();
        format!(
            "fun far (x: i64) -> (r: i64) = {{ {first} {sum} in y0 }}
            fun main (x: i64) -> (r: i64) = {{ {calls} in z0 }}
            entry main = main (x) -> (r)"
        )
    }

    /// A large function, and one that calls it `calls` times.
    fn large(calls: usize) -> String {
        with("let ys: [2]i64 = replicate 2 x", MAX_STATEMENTS, calls)
    }

    #[test]
    fn a_large_function_is_inlined_into_its_only_call() {
        assert_eq!(optimise(INLINE, &large(1)).matches("call").count(), 0);
    }

    #[test]
    fn calls_of_a_large_function_stay() {
        assert_eq!(optimise(INLINE, &large(2)).matches("call").count(), 2);
        let calls =
            |first: &str, statements| optimise(INLINE, &with(first, statements, 2)).matches("call").count();
        assert_eq!(calls("", MAX_SCALAR_STATEMENTS), 0);
        assert_eq!(calls("", MAX_SCALAR_STATEMENTS + 1), 2);
        assert_eq!(calls("let ys: [2]i64 = replicate 2 x", MAX_SCALAR_STATEMENTS + 1), 0);
        assert_eq!(calls("let ys: [2]i64 = replicate 2 x", MAX_STATEMENTS - 1), 0);
    }

    #[test]
    fn without_calls_on_the_target_only_recursive_calls_stay() {
        let before = "
            noinline fun far (x: i64) -> (r: i64) = { let y: i64 = add x x in y }
            noinline fun even (x: i64) -> (r: i64) = { let y: i64 = call odd (x) in y }
            noinline fun odd (x: i64) -> (r: i64) = { let y: i64 = call even (x) in y }
            fun main (x: i64) -> (r: i64) = {
              let y: i64 = call far (x)
              let z: i64 = call even (y)
              in z
            }
            entry main = main (x) -> (r)";
        let after = optimise_for(&Target::GPU, INLINE, before);
        let calls: Vec<&str> = after.lines().filter(|line| line.contains("call")).map(str::trim).collect();
        assert_eq!(
            calls,
            [
                "let y_2: i64 = call odd (x_0)",
                "let y_2: i64 = call even (x_0)",
                "let z_3: i64 = call even (y_2)"
            ]
        );
        assert_eq!(optimise_for(&Target::GPU, INLINE, &large(2)).matches("call").count(), 0);
    }

    #[test]
    fn failures_keep_their_call_path() {
        let before = "
            fun check (x: i64) -> (r: i64) = {
              let c: bool = lt x 9
              let s: i64 = screma x {
                from iota 0 1
                map \\(i: i64) -> { let a: i64 = assert c (i) \"no\" @ 0:1..2 from 0:3..4 in a }
                to reduce \\(p: i64, q: i64) -> { let t: i64 = add p q in t } (0)
              }
              in s
            }
            fun twice (x: i64) -> (r: i64) = {
              let a: i64 = call check (x) @ 0:5..6
              let b: i64 = call check (a) @ 0:7..8
              in b
            }
            fun main (x: i64) -> (r: i64) = {
              let a: i64 = call twice (x) @ 0:9..10
              let b: i64 = call check (a)
              in b
            }
            entry main = main (x) -> (r)";
        let after = optimise(INLINE, before);
        let paths: Vec<&str> = after.lines().filter_map(|line| Some(line.split_once(" @ ")?.1)).collect();
        assert_eq!(
            paths,
            [
                "0:1..2 from 0:3..4 from 0:5..6 from 0:9..10",
                "0:1..2 from 0:3..4 from 0:7..8 from 0:9..10",
                "0:1..2 from 0:3..4"
            ]
        );
    }

    #[test]
    fn unreachable_functions_are_removed() {
        let before = "
            fun unused () -> () = { in () }
            fun main () -> () = { in () }
            entry main = main () -> ()";
        assert_eq!(optimise(INLINE, before), "fun main () -> () = { in () }\nentry main = main () -> ()\n");
    }
}
