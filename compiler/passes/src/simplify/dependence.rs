//! Failure dependence: the values that are computed from the result of a check.
//!
//! A failure is a dependence. A rule that drops an operand, as `x * 0 --> 0` does, may drop the last use of a check on which
//! the operand depends. Then the program would return a result where it must fail. So such a rule leaves the statement as it
//! is if the operand depends on a check. Most operands depend on none, because their checks are proved.

use ravel_core::visit::Visit;
use ravel_core::{
    Atom, Body, Exp, Lambda, Loop, Screma, Sink, Source, Stm, Stream, StreamSink, Var, exp_without_bodies,
};
use rustc_hash::FxHashSet;

/// The variables that depend on a check.
#[derive(Default)]
pub struct Dependences(FxHashSet<Var>);

impl Dependences {
    /// Whether the atom depends on a check.
    pub fn contains(&self, atom: Atom) -> bool {
        atom.var().is_some_and(|var| self.0.contains(&var))
    }

    /// The number of variables that depend on a check.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Enters the bodies of an expression: their parameters depend on the checks of their arguments. The parameters of the
    /// other lambdas of a construct follow in [`Dependences::enter_operators`].
    pub fn enter(&mut self, exp: &Exp) {
        match exp {
            Exp::Loop(looped) => {
                let inits = looped.params.iter().map(|&(param, init)| (param, self.contains(init)));
                self.extend(inits.collect());
                while self.enter_next_iteration(looped) {}
            }
            Exp::Screma(_) | Exp::Segment(_) => {
                let Some(screma) = exp.screma() else { return };
                let params = screma.map.params.iter().zip(&screma.sources);
                let params = params.map(|(&param, source)| {
                    let depends = match source {
                        Source::Array(array) => self.0.contains(array),
                        Source::Iota { start, stride } => self.contains(*start) || self.contains(*stride),
                    };
                    (param, depends)
                });
                self.extend(params.collect());
            }
            Exp::Stream(stream) => {
                let slices = stream.slices().iter().zip(&stream.sources);
                self.extend(slices.map(|(&slice, source)| (slice, self.0.contains(source))).collect());
            }
            Exp::If { .. } | exp_without_bodies!() => {}
        }
    }

    /// Adds the merge parameters that depend on checks of the iteration before. True if there are new ones.
    fn enter_next_iteration(&mut self, looped: &Loop) -> bool {
        let before = self.count();
        let carried = self.results_depend(&looped.body);
        let params = looped.params.iter().map(|&(param, _)| param);
        self.extend(params.zip(carried).collect());
        self.count() > before
    }

    /// Which results of a body that has not been visited depend on checks.
    fn results_depend(&self, body: &Body) -> Vec<bool> {
        let mut inside = Checks { of: self, inside: FxHashSet::default(), depend: false };
        for stm in &body.stms {
            inside.depend = false;
            inside.stm(stm);
            if inside.depend {
                inside.inside.extend(&stm.binders);
            }
        }
        let depends = |result: &Atom| result.var().is_some_and(|var| inside.contains(&var));
        body.result.iter().map(depends).collect()
    }

    /// Enters the other lambdas of a construct, after its map lambda: the operators, and the lambda after the scans.
    pub fn enter_operators(&mut self, screma: &Screma) {
        let values: Vec<bool> = screma.map.body.result.iter().map(|&value| self.contains(value)).collect();
        let mut values = values.into_iter();
        let mut after_scans = Vec::new();
        for scan in &screma.scans {
            let depends = values.by_ref().take(scan.neutral.len()).filter(|&depends| depends).count() > 0
                || scan.neutral.iter().any(|&neutral| self.contains(neutral))
                || self.lambda_depends(&scan.op);
            self.extend(scan.op.params.iter().map(|&param| (param, depends)).collect());
            after_scans.extend(scan.neutral.iter().map(|_| depends));
        }
        after_scans.extend(values);
        // The lambda after the scans is not visited yet, so all its results have the dependences of any.
        let of_post = screma.post.as_ref().map(|post| {
            self.extend(post.params.iter().copied().zip(after_scans.iter().copied()).collect());
            after_scans.contains(&true) || self.lambda_depends(post)
        });
        for (sink, _, range) in screma.sink_ranges() {
            if let Sink::Reduce { op, neutral, .. } | Sink::Combine { op, neutral, .. } = sink {
                let value = of_post.unwrap_or_else(|| after_scans[range].contains(&true));
                let depends = value || neutral.iter().any(|&neutral| self.contains(neutral));
                self.extend(op.params.iter().map(|&param| (param, depends)).collect());
            }
        }
    }

    /// Enters the operators of a stream, after its chunk lambda.
    pub fn enter_stream_operators(&mut self, stream: &Stream) {
        let mut values = stream.chunk.body.result.as_slice();
        for sink in &stream.sinks {
            let (own, others) = values.split_at(sink.arity());
            values = others;
            if let StreamSink::Reduce { op, neutral } = sink {
                let depends = own.iter().chain(neutral.iter().flatten()).any(|&value| self.contains(value));
                self.extend(op.params.iter().map(|&param| (param, depends)).collect());
            }
        }
    }

    fn extend(&mut self, vars: Vec<(Var, bool)>) {
        self.0.extend(vars.into_iter().filter(|(_, depends)| *depends).map(|(var, _)| var));
    }

    /// Whether a lambda that has not been visited makes a check, or uses a variable that depends on one.
    fn lambda_depends(&self, lambda: &Lambda) -> bool {
        let mut checks = Checks { of: self, inside: FxHashSet::default(), depend: false };
        checks.body(&lambda.body);
        checks.depend
    }

    /// A statement that stays. `before` is the count before its bodies were entered.
    pub fn define(&mut self, stm: &Stm, before: usize) {
        let mut operands = Operands { of: self, depend: false };
        operands.exp(&stm.exp);
        if is_check(&stm.exp) || operands.depend || self.count() > before {
            self.0.extend(&stm.binders);
        }
    }
}

/// Searches the operands of an expression, and the results of its bodies, for dependence on a check.
struct Operands<'d> {
    of: &'d Dependences,
    depend: bool,
}

impl Visit for Operands<'_> {
    fn var(&mut self, var: &Var) {
        self.depend |= self.of.0.contains(var);
    }

    fn binder(&mut self, _: &Var) {}

    fn body(&mut self, body: &Body) {
        body.result.iter().for_each(|atom| self.atom(atom));
    }
}

/// Searches code that has not been visited for checks, and for uses of variables that depend on checks.
struct Checks<'d> {
    of: &'d Dependences,
    /// The variables in this code that depend on checks.
    inside: FxHashSet<Var>,
    depend: bool,
}

impl Checks<'_> {
    fn contains(&self, var: &Var) -> bool {
        self.of.0.contains(var) || self.inside.contains(var)
    }
}

impl Visit for Checks<'_> {
    fn var(&mut self, var: &Var) {
        self.depend |= self.contains(var);
    }

    fn binder(&mut self, _: &Var) {}

    fn stm(&mut self, stm: &Stm) {
        self.depend |= is_check(&stm.exp);
        self.exp(&stm.exp);
    }
}

fn is_check(exp: &Exp) -> bool {
    matches!(exp, Exp::Assert { cond, .. } if *cond != Atom::bool(true))
}

#[cfg(test)]
mod tests {
    use crate::simplify::PASS;
    use crate::testing::{statements, trace, within};

    fn simplified(stms: &str, result: &str, ty: &str) -> String {
        statements(&trace(&PASS, &within(stms, result, &format!("r: {ty}"))).0)
    }

    const READ: &str = "let i: i64 = assert c (m) \"place\" let e: i32 = ys[i] ";

    #[test]
    fn operands_that_depend_on_a_check_are_not_dropped() {
        for exp in ["mul e 0i32", "sub e e", "and e 0i32", "xor e e"] {
            let text = simplified(&format!("{READ} let z: i32 = {exp}"), "z", "i32");
            assert!(text.contains("assert c_2"), "{exp}\n{text}");
        }
        for exp in ["eq e e", "le e e", "lt e e", "le 0i64 i", "and d false", "or d true"] {
            let exp = format!("let d: bool = lt x e let z: bool = {exp}");
            let text = simplified(&format!("{READ} {exp}"), "z", "bool");
            assert!(text.contains("assert c_2"), "{exp}\n{text}");
        }
        for stms in [
            "let d: i32 = add x e let z: i32 = sub d e",
            "let k: i64 = mul i 0i64 let z: i32 = loop (o: i32 = x) for j: i64 < k do { let s: i32 = add o x in s }",
            "let (l: i64, k: i64) = assert c (0i64, m) \"place\" let ds: [k]i32 = slice ys[l : k : 1i64] let g: i64 = mul k 0i64 let z: i32 = convert i32 g",
            "let d: bool = lt 0i32 e let z: i32 = if d then 1i32 else 1i32",
            "let d: i32 = mod e 4i32 let z: i32 = min -1i32 d",
            "let k: i64 = convert i64 e let as: [n]i32 = replicate n x let z: i32 = as[k]",
            "let as: [n]i32 = screma n { from ys map \\(w: i32) -> { let g: i32 = mul w e in g } to map } let f: i32 = as[0] let z: i32 = mul f 0i32",
        ] {
            let text = simplified(&format!("{READ} {stms}"), "z", "i32");
            assert!(text.contains("assert c_2"), "{stms}\n{text}");
        }
    }

    #[test]
    fn an_iteration_does_not_drop_checks_of_the_one_before() {
        let read = "let i: i64 = assert c (m) \"place\" let e: i32 = ys[i]";
        let looped = |next: &str| {
            format!(
                "let (o: i32, z: i32) = loop (a: i32 = x, s: i32 = x) for j: i64 < n do {{ {read} let g: i32 = mul a 0i32 let t: i32 = add s g in ({next}, t) }}"
            )
        };
        let text = simplified(&looped("e"), "z", "i32");
        assert!(text.contains("assert c_2") && text.contains("mul"), "{text}");
        assert!(!simplified(&looped("y"), "z", "i32").contains("mul"));
    }

    #[test]
    fn operators_do_not_drop_checks_of_the_elements() {
        let map = "map \\(w: i32) -> { let i: i64 = assert c (m) \"place\" let e: i32 = ys[i] in e }";
        let add = "\\(a: i32, b: i32) -> { let s: i32 = add a b in s }";
        let drop = "\\(f: i32, g: i32) -> { let h: i32 = mul g 0i32 in h }";
        let drop_scanned = "post \\(t: i32) -> { let h: i32 = mul t 0i32 in h }";
        for (ty, parts) in [
            ("[n]i32", format!("{map} scan {add} (0i32) {drop_scanned} to map")),
            ("[n]i32", format!("{map} scan {drop} (0i32) to map")),
            ("i32", format!("{map} to reduce {drop} (0i32)")),
            ("i32", format!("{map} scan {add} (0i32) post \\(t: i32) -> (t) to reduce {drop} (0i32)")),
        ] {
            let text = simplified(&format!("let z: {ty} = screma n {{ from ys {parts} }}"), "z", ty);
            assert!(text.contains("assert c_2") && text.contains("mul"), "{parts}\n{text}");
        }
        let stream = format!(
            "stream n {{ from ys chunk \\(k: i64, at: i64, qs: [k]i32) -> {{ let i: i64 = assert c (m) \"place\" let e: i32 = ys[i] in e }} to reduce {drop} (0i32) }}"
        );
        let text = simplified(&format!("let z: i32 = {stream}"), "z", "i32");
        assert!(text.contains("assert c_2") && text.contains("mul"), "{text}");
        let unchecked = format!(
            "let z: [n]i32 = screma n {{ from ys map \\(w: i32) -> (w) scan {add} (0i32) {drop_scanned} to map }}"
        );
        assert!(!simplified(&unchecked, "z", "[n]i32").contains("mul"));
    }

    #[test]
    fn other_operands_are_left_out() {
        for stms in [
            "let e: i32 = ys[m] let z: i32 = mul e 0i32",
            "let i: i64 = assert true (m) \"place\" let e: i32 = ys[i] let z: i32 = sub e e",
            // The check itself is proved.
            "let z: i32 = if c then { let i: i64 = assert c (m) \"place\" let e: i32 = ys[i] let f: i32 = mul e 0i32 in f } else 0i32",
        ] {
            assert_eq!(simplified(stms, "z", "i32"), "in 0i32", "{stms}");
        }
    }
}
