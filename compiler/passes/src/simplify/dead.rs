//! # dead-code, dead-result, dead-source, dead-scan: remove code without uses
//!
//! ## Rule
//!
//! ```text
//!   let xs = e in E                       -->   E                       no x in E
//!   let (x, y) = if c then … else … in E  -->   let x = if … in E       no y in E; loops likewise
//!   screma { … to map to s }              -->   screma { … to s }       the first result is dead
//!   screma { from xs, ys map \(x, y) -> … }  -->   screma { from xs … }   no y in the lambda
//!   screma { map f scan ⊕ post \(s, x) -> g x … }  -->   screma { map (g ∘ f) … }   no s in g
//! ```
//!
//! * *dead-code*: a statement whose results are not used is removed.
//! * *dead-result*: an unused result of a branch, a loop or a construct is removed, with the code that computes
//!   it.
//! * *dead-source*: a source whose elements are not used is removed.
//! * *dead-scan*: a scan whose results are not used is removed. If none is left, the code after the scans (the post
//!   lambda) joins the map.
//!
//! ## Requires
//!
//! Nothing: a failure is a dependence, not an effect. So an assertion whose results are dead goes, and so does
//! a loop that might not terminate.
//!
//! ## Ensures
//!
//! A type uses the sizes that it names, so these are not dead.
//!
//! ## Leaves alone
//!
//! A parameter of a loop from which an iteration computes a live one.
//!
//! ## Costs
//!
//! Linear, except for loops: one walk over the body for each round of the search for needed parameters, at each
//! level of nesting.
//!
//! ## Source
//!
//! Muchnick, "Advanced Compiler Design and Implementation" (1997), section 18.10.
//!
//! ## Before
//!
//! ```text
//! fun main (n: i64, c: bool, x: i32, y: i32, xs: [n]i32) -> (out1: [n]i32, out2: i32) = {
//!   let a: i32 = add x y
//!   let b: [n]i32 = screma n {
//!     from xs, iota 0 1
//!     map \(e: i32, i: i64) -> (e, e)
//!     scan \(p: i32, q: i32) -> { let o: i32 = add p q in o } (0i32)
//!     post \(s: i32, t: i32) -> { let w: i32 = mul t x in w }
//!     to map
//!   }
//!   let (d: i32, f: i32) = if c then { let g: i32 = mul x y let h: i32 = sub x y in (g, h) } else (x, y)
//!   in (b, d)
//! }
//! entry main = main (c, x, y, xs) -> (out1, out2)
//! ```
//!
//! ## After
//!
//! ```text
//! fun main (n_0: i64, c_1: bool, x_2: i32, y_3: i32, xs_4: [n_0]i32) -> (out1_5: [n_0]i32, out2_6: i32) = {
//!   let b_7: [n_0]i32 = screma n_0 {
//!     from xs_4
//!     map \(e_8: i32) -> {
//!       let w_9: i32 = mul e_8 x_2
//!       in w_9
//!     }
//!     to map
//!   }
//!   let d_10: i32 = if c_1 then {
//!     let g_11: i32 = mul x_2 y_3
//!     in g_11
//!   } else x_2
//!   in (b_7, d_10)
//! }
//! entry main = main (c_1, x_2, y_3, xs_4) -> (out1_5, out2_6)
//! ```

use std::collections::BTreeSet;

use ravel_base::id::Id;
use ravel_core::visit::Visit;
use ravel_core::{
    Atom, Body, Exp, Function, Lambda, Loop, LoopForm, Origin, Screma, Sink, Stm, Stream, StreamSink, Var,
    VarTable, exp_without_bodies, free_in_stm,
};
use ravel_kernel::Target;

use crate::Cx;
use crate::hoist::is_speculatable;

/// Removes a statement.
pub const CODE: &str = "dead-code";
/// Removes a result of a statement.
pub const RESULT: &str = "dead-result";
/// Removes a source of a parallel construct.
pub const SOURCE: &str = "dead-source";
/// Removes a scan.
pub const SCAN: &str = "dead-scan";

/// Removes the dead code of a function.
pub fn remove(function: &mut Function, cx: &mut Cx) {
    let live = vec![false; function.vars.len()];
    let guarded = Guarded::Nothing;
    Remover { vars: &function.vars, live, guarded, guard: false, cx }.body(&mut function.body);
}

/// Removes the code of a body on which its results do not depend: what remains is a slice. No rule of a pass fires. A check
/// guards all statements after it, as the pass `redundant-checks` leaves them. So it stays if one of these stays that may be
/// undefined without it.
pub fn slice(vars: &VarTable, body: &mut Body) {
    slice_with(vars, body, Guarded::Undefined);
}

/// [`slice()`] of a body whose statements use values as they were before a check: a check stays if any statement after it does.
pub fn slice_with_checks(vars: &VarTable, body: &mut Body) {
    slice_with(vars, body, Guarded::All);
}

fn slice_with(vars: &VarTable, body: &mut Body, guarded: Guarded) {
    let live = vec![false; vars.len()];
    let mut cx = Cx::new(&Target::CPU, u64::MAX);
    Remover { vars, live, guarded, guard: false, cx: &mut cx }.body(body);
}

/// The statements that a check before them guards, whether or not they use its values.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Guarded {
    Nothing,
    /// Those that may be undefined without a check.
    Undefined,
    All,
}

/// Walks over a function from the last statement to the first.
struct Remover<'a> {
    vars: &'a VarTable,
    live: Vec<bool>,
    guarded: Guarded,
    /// Whether a statement that a check guards stays in this body.
    guard: bool,
    cx: &'a mut Cx,
}

/// Marks live variables.
impl Visit for Remover<'_> {
    fn var(&mut self, var: &Var) {
        self.live[var.index()] = true;
    }

    fn binder(&mut self, var: &Var) {
        for size in &self.vars[*var].ty.shape {
            if let Atom::Var(size) = size {
                self.live[size.index()] = true;
            }
        }
    }
}

impl Remover<'_> {
    fn is_live(&self, var: Var) -> bool {
        self.live[var.index()]
    }

    fn body(&mut self, body: &mut Body) {
        for atom in &body.result {
            self.atom(atom);
        }
        let around = std::mem::replace(&mut self.guard, false);
        let mut kept = Vec::new();
        while let Some(mut stm) = body.stms.pop() {
            let is_check = matches!(stm.exp, Exp::Assert { .. });
            let guards = is_check && self.guard;
            let needed = guards || stm.binders.iter().any(|&binder| self.is_live(binder));
            if needed || !self.cx.fire(CODE, &stm.origin) {
                self.stm(&mut stm);
                self.guard |= !is_check
                    && match self.guarded {
                        Guarded::Nothing => false,
                        Guarded::Undefined => !is_speculatable(self.vars, &stm.exp),
                        Guarded::All => true,
                    };
                kept.push(stm);
            }
        }
        self.guard = around;
        kept.reverse();
        body.stms = kept;
    }

    /// Removes dead parts of a statement that stays, and marks the variables it uses.
    fn stm(&mut self, stm: &mut Stm) {
        // Last binders first: their types name earlier ones.
        for binder in stm.binders.iter().rev() {
            if self.is_live(*binder) {
                self.binder(binder);
            }
        }
        let Stm { binders, exp, origin } = stm;
        match exp {
            Exp::If { then, otherwise, .. } => {
                let dead = self.dead(binders, origin);
                drop_at(&dead, binders);
                drop_at(&dead, &mut then.result);
                drop_at(&dead, &mut otherwise.result);
                self.body(then);
                self.body(otherwise);
            }
            Exp::Loop(looped) => {
                self.loop_params(looped, binders, origin);
                self.body(&mut looped.body);
            }
            Exp::Screma(screma) => self.screma_parts(screma, binders, origin),
            Exp::Segment(segment) => self.screma_parts(&mut segment.screma, binders, origin),
            Exp::Stream(stream) => self.stream_parts(stream, binders, origin),
            exp_without_bodies!() => {}
        }
        for binder in &stm.binders {
            self.binder(binder);
        }
        // The bodies have been visited. Marking all their variables again adds nothing, and takes long in a long chain
        // of branches.
        match &stm.exp {
            Exp::If { cond, .. } => self.atom(cond),
            other => self.exp(other),
        }
    }

    /// The dead binders that may be dropped. Last binders first: a binder that stays for lack of fuel still uses the
    /// sizes in its type.
    fn dead(&mut self, binders: &[Var], origin: &Origin) -> Vec<bool> {
        let mut dead: Vec<bool> = Vec::new();
        for binder in binders.iter().rev() {
            let drops = !self.is_live(*binder) && self.cx.fire(RESULT, origin);
            if !drops {
                self.binder(binder);
            }
            dead.push(drops);
        }
        dead.reverse();
        dead
    }

    /// Drops the loop parameters on which no live result depends, together with the statements of the body that use
    /// them.
    fn loop_params(&mut self, looped: &mut Loop, binders: &mut Vec<Var>, origin: &Origin) {
        let mut needed: Vec<bool> = binders.iter().map(|&binder| self.is_live(binder)).collect();
        let used = loop {
            let results = looped.body.result.iter().zip(&needed).filter(|(_, needed)| **needed);
            let results = results.map(|(&atom, _)| atom);
            let mut used = dependencies(self.vars, &looped.body, results, self.guarded != Guarded::Nothing);
            if let LoopForm::While(cond) = looped.form {
                used.insert(cond);
            }
            for (&(param, _), needed) in looped.params.iter().zip(&needed) {
                if *needed {
                    used.extend(self.vars[param].ty.shape.iter().filter_map(|size| size.var()));
                }
            }
            let before = needed.clone();
            for ((param, _), needed) in looped.params.iter().zip(&mut needed) {
                *needed |= used.contains(param);
            }
            if needed == before {
                break used;
            }
        };
        let dead: Vec<bool> = needed.iter().map(|&needed| !needed).collect();
        if dead.contains(&true) && self.cx.fire(RESULT, origin) {
            drop_at(&dead, binders);
            drop_at(&dead, &mut looped.params);
            drop_at(&dead, &mut looped.body.result);
            let guards =
                |stm: &Stm| self.guarded != Guarded::Nothing && matches!(stm.exp, Exp::Assert { .. });
            let is_used = |stm: &Stm| stm.binders.iter().any(|binder| used.contains(binder));
            looped.body.stms.retain(|stm| guards(stm) || is_used(stm));
        }
    }

    fn screma_parts(&mut self, screma: &mut Screma, binders: &mut Vec<Var>, origin: &Origin) {
        self.sinks(screma, binders, origin);
        for sink in &mut screma.sinks {
            if let Sink::Reduce { op, .. } | Sink::Combine { op, .. } = sink {
                self.body(&mut op.body);
            }
        }
        if let Some(post) = &mut screma.post {
            self.body(&mut post.body);
            self.scans(screma, origin);
        }
        for scan in &mut screma.scans {
            self.body(&mut scan.op.body);
        }
        self.body(&mut screma.map.body);
        let dead = self.dead_params(&screma.map, 0, SOURCE, origin);
        drop_at(&dead, &mut screma.map.params);
        drop_at(&dead, &mut screma.sources);
    }

    /// Drops the sinks whose results are dead, and the values they receive.
    fn sinks(&mut self, screma: &mut Screma, binders: &mut Vec<Var>, origin: &Origin) {
        let scanned = screma.scanned_count();
        let mut dead_sinks = Vec::new();
        let mut dead_binders = Vec::new();
        let mut dead_values = Vec::new();
        for sink in &screma.sinks {
            let at = dead_binders.len();
            let results = &binders[at..at + sink.results()];
            let unused = !results.iter().any(|&binder| self.is_live(binder));
            // Without a post lambda, the result of a scan cannot be dropped.
            let droppable = screma.post.is_some() || dead_values.len() >= scanned;
            let dead = unused && droppable && self.cx.fire(RESULT, origin);
            dead_sinks.push(dead);
            dead_binders.extend(vec![dead; sink.results()]);
            dead_values.extend(vec![dead; sink.arity()]);
        }
        drop_at(&dead_sinks, &mut screma.sinks);
        drop_at(&dead_binders, binders);
        let last = screma.post.as_mut().unwrap_or(&mut screma.map);
        drop_at(&dead_values, &mut last.body.result);
    }

    /// Drops the scans whose results the post lambda (visited before) does not use, and the values that pass through
    /// unused. After the last scan is removed, the post lambda is merged into the map lambda.
    fn scans(&mut self, screma: &mut Screma, origin: &Origin) {
        let Some(mut post) = screma.post.take() else { return };
        let (mut dead_scans, mut dead) = (Vec::new(), Vec::new());
        for scan in &screma.scans {
            let given = &post.params[dead.len()..dead.len() + scan.neutral.len()];
            let unused = !given.iter().any(|&param| self.is_live(param)) && self.cx.fire(SCAN, origin);
            dead_scans.push(unused);
            dead.extend(vec![unused; scan.neutral.len()]);
        }
        let passing = self.dead_params(&post, dead.len(), RESULT, origin);
        dead.extend(&passing[dead.len()..]);
        drop_at(&dead_scans, &mut screma.scans);
        drop_at(&dead, &mut post.params);
        drop_at(&dead, &mut screma.map.body.result);
        if screma.scans.is_empty() {
            let Body { stms, result } = &mut screma.map.body;
            let named = post.params.iter().zip(result.iter());
            stms.extend(named.map(|(&param, &atom)| Stm {
                binders: vec![param],
                exp: Exp::Atom(atom),
                origin: origin.clone(),
            }));
            stms.extend(post.body.stms);
            *result = post.body.result;
        } else {
            screma.post = Some(post);
        }
    }

    fn stream_parts(&mut self, stream: &mut Stream, binders: &mut Vec<Var>, origin: &Origin) {
        let (mut dead_sinks, mut dead_values) = (Vec::new(), Vec::new());
        for sink in &mut stream.sinks {
            let own = &binders[dead_values.len()..dead_values.len() + sink.arity()];
            let unused = !own.iter().any(|&binder| self.is_live(binder));
            let dead = unused && self.cx.fire(RESULT, origin);
            dead_sinks.push(dead);
            dead_values.extend(vec![dead; sink.arity()]);
            if let (StreamSink::Reduce { op, .. }, false) = (sink, dead) {
                self.body(&mut op.body);
            }
        }
        drop_at(&dead_sinks, &mut stream.sinks);
        drop_at(&dead_values, binders);
        drop_at(&dead_values, &mut stream.chunk.body.result);
        self.body(&mut stream.chunk.body);
        // The size and start of the chunk stay.
        let dead = self.dead_params(&stream.chunk, 2, SOURCE, origin);
        drop_at(&dead, &mut stream.chunk.params);
        drop_at(&dead[2..], &mut stream.sources);
    }

    /// The dead parameters of a lambda (visited before).
    fn dead_params(
        &mut self,
        lambda: &Lambda,
        first: usize,
        rule: &'static str,
        origin: &Origin,
    ) -> Vec<bool> {
        let params = lambda.params.iter().enumerate();
        params
            .map(|(index, &param)| index >= first && !self.is_live(param) && self.cx.fire(rule, origin))
            .collect()
    }
}

/// Drops the items at the marked positions.
pub fn drop_at<T>(marked: &[bool], items: &mut Vec<T>) {
    let mut marks = marked.iter();
    items.retain(|_| marks.next() != Some(&true));
}

/// The variables on which these results of a body depend, inside and outside the body; with `checks`, also those on which
/// its checks depend.
fn dependencies(
    vars: &VarTable,
    body: &Body,
    results: impl Iterator<Item = Atom>,
    checks: bool,
) -> BTreeSet<Var> {
    let mut needed: BTreeSet<Var> = results.filter_map(Atom::var).collect();
    for stm in body.stms.iter().rev() {
        let is_check = checks && matches!(stm.exp, Exp::Assert { .. });
        if is_check || stm.binders.iter().any(|binder| needed.contains(binder)) {
            needed.extend(free_in_stm(vars, stm));
        }
    }
    needed
}

#[cfg(test)]
mod tests {
    use crate::simplify::PASS;
    use crate::testing::{statements, trace, within};

    fn simplified(stms: &str, result: &str, types: &str) -> (String, Vec<String>) {
        let (after, events) = trace(&PASS, &within(stms, result, types));
        (statements(&after), events)
    }

    #[test]
    fn a_result_that_stays_for_want_of_fuel_keeps_its_size() {
        let stms = "let (k: i64, zs: [k]i32, e: i32) = if c then (n, ys, x) else (n, xs, y)";
        for fuel in 0..3 {
            let mut program = ravel_core::parse(&within(stms, "e", "r: i32")).expect("a program");
            let mut cx = crate::Cx::new(&ravel_kernel::Target::CPU, fuel);
            super::remove(&mut program.functions[0], &mut cx);
            assert_eq!(ravel_core::verify(&program), Ok(()), "{}", ravel_core::print(&program));
            assert_eq!(cx.firing_count() as u64, fuel);
        }
    }

    #[test]
    fn dead_statements_are_removed_even_if_they_could_fail() {
        let before = "
            let a: i32 = assert c (x) \"no\"
            let b: i32 = div a y
            let d: i64 = add n m";
        let (after, events) = simplified(before, "d", "r: i64");
        assert_eq!(after, "let d_9: i64 = add n_0 m_1\nin d_9");
        assert_eq!(events, ["dead-code", "dead-code"]);
    }

    /// The slice of the result `r` of these statements, as text.
    fn sliced(stms: &str) -> String {
        let mut program = ravel_core::parse(&within(stms, "r", "s: i32")).expect("a program");
        let function = &mut program.functions[0];
        super::slice(&function.vars, &mut function.body);
        assert_eq!(ravel_core::verify(&program), Ok(()));
        statements(&ravel_core::print(&program))
    }

    #[test]
    fn a_slice_keeps_the_checks_before_what_may_be_undefined() {
        let check = "let k: bool = assert c (c) \"no\" ";
        for (stms, has_check) in [
            (format!("{check} let r: i32 = ys[n]"), true),
            (format!("{check} let r: i32 = div x y"), true),
            (format!("{check} let r: i32 = add x y"), false),
            (format!("let r: i32 = ys[n] {check}"), false),
            (format!("{check} let d: i32 = ys[n] let r: i32 = add x y"), false),
            (format!("{check} let r: i32 = if c then x else {{ let e: i32 = ys[m] in e }}"), true),
            (format!("let r: i32 = if c then x else {{ {check} let e: i32 = ys[m] in e }}"), true),
            (format!("let d: i32 = if c then x else {{ {check} in y }} let r: i32 = ys[n]"), false),
            (
                "let (r: i32, q: bool, z: i32) = loop (a: i32 = x, b: bool = c, g: i32 = y) for i: i64 < n do {
                       let k: bool = assert b (b) \"no\"
                       let e: i32 = ys[i]
                       let f: bool = not b
                       let h: i32 = add g x
                       in (e, f, h)
                     }".to_owned(),
                true,
            ),
        ] {
            let after = sliced(&stms);
            assert_eq!(after.contains("assert"), has_check, "{stms}\n{after}");
        }
    }

    #[test]
    fn a_size_is_used_by_a_type() {
        let before = "let k: i64 = add n m let a: [k]i32 = scratch let b: [k]i32 = copy a";
        let (after, events) = simplified(before, "(k, b)", "r: i64, s: [r]i32");
        assert!(after.starts_with("let k_10: i64 = add n_0 m_1\nlet a_11: [k_10]i32 = scratch"), "{after}");
        assert_eq!(events, [""; 0]);
    }

    #[test]
    fn unused_results_of_branches_are_removed() {
        let before = "
            let (k: i64, ks: [k]i32, l: i32) = if c then (n, ys, x) else {
              let e: i32 = add x y
              let f: [m]i32 = scratch
              in (m, f, e)
            }";
        let (after, events) = simplified(before, "(k, ks)", "r: i64, s: [r]i32");
        assert_eq!(
            after,
            "let (k_10: i64, ks_11: [k_10]i32) = if c_2 then (n_0, ys_7) else {\n  let f_12: [m_1]i32 = scratch\n  in (m_1, f_12)\n}\nin (k_10, ks_11)"
        );
        assert_eq!(events, ["dead-result", "dead-code"]);
    }

    #[test]
    fn loop_parameters_used_only_by_themselves_are_removed() {
        let before = "
            let (a: i32, b: i32, d: i32) = loop (e: i32 = x, f: i32 = y, g: i32 = x) for i: i64 < n do {
              let e2: i32 = mul e f
              let f2: i32 = add f 1i32
              let g2: i32 = add g 1i32
              in (e2, f2, g2)
            }";
        let (after, events) = simplified(before, "a", "r: i32");
        let expected = "\
let (a_9: i32, b_10: i32) = loop (e_11: i32 = x_3, f_12: i32 = y_4) for i_13: i64 < n_0 do {
  let e2_14: i32 = mul e_11 f_12
  let f2_15: i32 = add f_12 1i32
  in (e2_14, f2_15)
}
in a_9";
        assert_eq!(after, expected);
        assert_eq!(events, ["dead-result"]);
    }

    #[test]
    fn dead_parameters_are_removed_with_their_uses() {
        let before = within(
            "let (a: i32, b: i32) = loop (e: i32 = x, f: i32 = y) for i: i64 < n do {
               let g: i32 = add e e
               let h: i32 = mul f g
               in (g, h)
             }",
            "a",
            "r: i32",
        );
        for fuel in 0..4 {
            let mut program = ravel_core::parse(&before).unwrap();
            (PASS.run)(&mut program, &mut crate::Cx::new(&ravel_kernel::Target::CPU, fuel));
            assert_eq!(ravel_core::verify(&program), Ok(()), "{fuel}");
        }
    }

    #[test]
    fn unused_sinks_and_sources_are_removed() {
        let before = "
            let is: [n]i64 = iota n 0 1
            let (a: [n]i32, s: i32, b: [n]i64) = screma n {
              from ys, is
              map \\(e: i32, i: i64) -> { let j: i64 = mul i i in (e, e, j) }
              to map
              to reduce commutative \\(p: i32, q: i32) -> { let o: i32 = max p q in o } (0i32)
              to map
            }";
        let (after, events) = simplified(before, "s", "r: i32");
        let expected = "\
let s_9: i32 = screma n_0 {
  from ys_7
  map \\(e_10: i32) -> e_10
  to reduce commutative \\(p_11: i32, q_12: i32) -> {
    let o_13: i32 = max p_11 q_12
    in o_13
  } (0i32)
}
in s_9";
        assert_eq!(after, expected);
        assert_eq!(events, ["dead-result", "dead-result", "dead-code", "dead-source", "dead-code"]);
    }

    #[test]
    fn dead_sinks_and_sources_of_streams_are_removed() {
        let before = "
            let (a: [n]i32, s: i32, b: [n]i32) = stream n {
              from xs, ys
              chunk \\(k: i64, at: i64, e: [k]i32, f: [k]i32) -> {
                let g: [k]i32 = copy f
                let h: i32 = add x y
                in (g, h, e)
              }
              to map
              to reduce \\(p: i32, q: i32) -> q
              to map
            }";
        let (after, events) = simplified(before, "b", "r: [n]i32");
        let expected = "\
let b_9: [n_0]i32 = stream n_0 {
  from xs_6
  chunk \\(k_10: i64, at_11: i64, e_12: [k_10]i32) -> e_12
  to map
}
in b_9";
        assert_eq!(after, expected);
        assert_eq!(events, ["dead-result", "dead-result", "dead-code", "dead-code", "dead-source"]);
    }

    #[test]
    fn results_of_scans_can_be_dropped_only_by_a_post_lambda() {
        let scan = "scan \\(p: i32, q: i32) -> { let o: i32 = add p q in o } (0i32)";
        let without = format!(
            "let (a: [n]i32, b: [n]i32) = screma n {{ from ys map \\(e: i32) -> (e, e) {scan} to map to map }}"
        );
        let (_, events) = simplified(&without, "b", "r: [n]i32");
        assert_eq!(events, [""; 0]);
        let with = format!(
            "let (a: [n]i32, b: [n]i32) = screma n {{
               from ys map \\(e: i32) -> (e, e) {scan} post \\(t: i32, u2: i32) -> (t, u2) to map to map
             }}"
        );
        let (after, events) = simplified(&with, "a", "r: [n]i32");
        assert!(after.contains("post \\(t_14: i32) -> t_14\n"), "{after}");
        assert_eq!(events, ["dead-result", "dead-result"]);
    }
    const TWO_SCANS: &str = "let (a: [n]i32, b: [n]i32) = screma n {
          from ys, xs
          map \\(e: i32, f: i32) -> (e, f, f)
          scan \\(p: i32, q: i32) -> { let o: i32 = add p q in o } (0i32)
          scan \\(l: i32, k: i32) -> { let j: i32 = mul l k in j } (1i32)
          post \\(s: i32, t: i32, v: i32) -> { let w: i32 = add SCANNED v in (w, v) }
          to map
          to map
        }";

    #[test]
    fn dead_scans_are_removed_and_without_scans_the_post_lambda_joins_the_map() {
        let (after, events) =
            simplified(&TWO_SCANS.replace("SCANNED", "t"), "(a, b)", "r: [n]i32, z: [n]i32");
        assert_eq!((after.matches("scan ").count(), after.matches(" mul ").count()), (1, 1), "{after}");
        assert_eq!(events, ["dead-scan", "dead-source"]);
        let (after, events) =
            simplified(&TWO_SCANS.replace("SCANNED", "x"), "(a, b)", "r: [n]i32, z: [n]i32");
        assert!(!after.contains("scan ") && !after.contains("post "), "{after}");
        assert!(
            after.contains(
                "  map \\(f_12: i32) -> {\n    let w_13: i32 = add x_3 f_12\n    in (w_13, f_12)\n"
            ),
            "{after}"
        );
        assert_eq!(events, ["dead-scan", "dead-scan", "dead-source", "copy-propagation"]);
    }

    #[test]
    fn scans_that_are_used_stay() {
        let both = TWO_SCANS.replace("SCANNED v", "s t");
        let (after, events) = simplified(&both, "(a, b)", "r: [n]i32, z: [n]i32");
        assert_eq!((after.matches("scan ").count(), events), (2, Vec::new()), "{after}");
    }
}
