//! Random thread bodies: a strip of any number of lanes computes what its points compute one by one, and fails if one
//! of them does.

use std::collections::BTreeMap;

use ravel_kernel::parse;
use ravel_prim::PrimValue;

use super::segment;
use super::thread::{Failed, Point};
use crate::evaluate::{Outside, Stop, evaluate};
use crate::{outer, verify};

/// The number of elements of the arrays outside.
const SIZE: i64 = 64;

#[test]
fn strips_compute_what_their_points_compute() {
    let (mut completed, mut failed) = (0, 0);
    for seed in 0..300 {
        let text = Generator::new(seed).program();
        let program = parse(&text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
        let entry = &program.entries[0];
        let (space, body) = segment(entry);
        let strip = outer(space, body, &entry.vars).expect("a vector form");
        assert_eq!(verify(&strip), Ok(()), "{text}\n{strip}");
        let [xs, out] = [entry.params[0].var, entry.params[1].var];
        let mut before = Outside::default();
        before.scalars.insert(entry.sizes[0], PrimValue::I64(SIZE));
        before.scalars.insert(space[0].0, PrimValue::I64(3));
        let elements = (0..SIZE).map(|at| PrimValue::F64((at * 37 % 23) as f64 - 11.5));
        before.blocks.insert(xs, elements.collect());
        before.blocks.insert(out, vec![PrimValue::F64(0.0); 8 * SIZE as usize]);
        for (lanes, first) in [(1, 5), (4, 0), (8, 40)] {
            let mut outside = before.clone();
            let counter = space[1].0;
            let scalar = (0..lanes).try_for_each(|lane| {
                let scalars = BTreeMap::from([(counter, PrimValue::I64(first + lane))]);
                let vars = &entry.vars;
                let mut point = Point { vars, outside: &mut outside, scalars, private: BTreeMap::new() };
                point.body(body).map(|_| ())
            });
            let mut vector = before.clone();
            match (scalar, evaluate(&strip, lanes as usize, first, &mut vector)) {
                (Ok(()), Ok(_)) => {
                    assert_eq!(outside, vector, "seed {seed}, {lanes} lanes:\n{text}\n{strip}");
                    completed += 1;
                }
                (Err(Failed), Err(Stop::Failed)) => failed += 1,
                (one, other) => panic!("seed {seed}, {lanes} lanes: {one:?}, {other:?}\n{text}\n{strip}"),
            }
        }
    }
    assert!(completed > 600 && failed > 60, "{completed} completed, {failed} failed");
}

/// The types of the scalars.
#[derive(Clone, Copy, PartialEq)]
enum Ty {
    Float,
    Int,
    Bool,
}

impl Ty {
    const ALL: [Ty; 3] = [Ty::Float, Ty::Int, Ty::Bool];

    fn name(self) -> &'static str {
        ["f64", "i64", "bool"][self as usize]
    }
}

struct Generator {
    state: u64,
    next: usize,
    text: String,
    /// The scalars in scope.
    scope: Vec<(Ty, String)>,
    budget: usize,
}

impl Generator {
    fn new(seed: u64) -> Generator {
        let scope = [(Ty::Int, "r_5"), (Ty::Int, "i_6"), (Ty::Int, "n_0")];
        let scope = scope.map(|(ty, name)| (ty, name.to_owned())).to_vec();
        Generator { state: seed.wrapping_mul(2) + 1, next: 10, text: String::new(), scope, budget: 40 }
    }

    fn program(mut self) -> String {
        self.text += "alloc own_7: block f64 = 4i64\n view own_8: f64 [4i64] = own_7 + 0i64 * [1i64]\n";
        for at in 0..4 {
            self.text += &format!("store own_8[{at}i64] = {at}.0f64\n");
        }
        self.statements(12);
        for slot in 0..3 {
            let value = self.operand(Ty::Float);
            self.text += &format!("store out_4[i_6, {slot}i64] = {value}\n");
        }
        format!(
            "message0 = \"no\"
             entry \"main\" [n_0] (xs_1: block f64 [n_0], out_2: block f64 [n_0, 8i64]) -> () {{
               view xs_3: f64 [n_0] = xs_1 + 0i64 * [1i64]
               view out_4: f64 [n_0, 8i64] = out_2 + 0i64 * [8i64, 1i64]
               segment map (r_5 < 4i64, i_6 < n_0) chunk 1i64 {{ {} }}
             }}",
            self.text
        )
    }

    /// A number below `bound` (a linear congruential generator's upper bits).
    fn below(&mut self, bound: usize) -> usize {
        self.state =
            self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.state >> 33) as usize % bound
    }

    fn choose<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len())]
    }

    fn operand(&mut self, ty: Ty) -> String {
        let known: Vec<String> =
            self.scope.iter().filter(|(known, _)| *known == ty).map(|(_, name)| name.clone()).collect();
        if known.is_empty() || self.below(5) == 0 {
            let constants: &[&str] = match ty {
                Ty::Float => &["0.0f64", "1.5f64", "-2.25f64"],
                Ty::Int => &["0i64", "1i64", "3i64", "-2i64"],
                Ty::Bool => &["true", "false"],
            };
            return self.choose(constants).to_owned();
        }
        // Later scalars depend on more.
        let place = self.below(known.len()).max(self.below(known.len()));
        known[place].clone()
    }

    fn fresh(&mut self) -> String {
        self.next += 1;
        format!("v{}", self.next)
    }

    fn bind(&mut self, ty: Ty, exp: &str) -> String {
        let name = self.fresh();
        self.text += &format!("let {name}: {} = {exp}\n", ty.name());
        self.scope.push((ty, name.clone()));
        name
    }

    /// An index below a bound.
    fn index(&mut self, bound: i64) -> String {
        match self.below(3) {
            0 if bound == SIZE => "i_6".to_owned(),
            _ => {
                let number = self.operand(Ty::Int);
                self.bind(Ty::Int, &format!("mod({number}, {bound}i64)"))
            }
        }
    }

    fn statements(&mut self, most: usize) {
        for _ in 0..1 + self.below(most) {
            if self.budget == 0 {
                return;
            }
            self.budget -= 1;
            self.statement();
        }
    }

    fn statement(&mut self) {
        match self.below(14) {
            0 | 1 => {
                let (op, a, b) = (
                    self.choose(&["add", "sub", "mul", "max"]),
                    self.operand(Ty::Float),
                    self.operand(Ty::Float),
                );
                self.bind(Ty::Float, &format!("{op}({a}, {b})"));
            }
            2 | 3 => {
                let (op, a, b) = (
                    self.choose(&["add", "sub", "mul", "min"]),
                    self.operand(Ty::Int),
                    self.operand(Ty::Int),
                );
                self.bind(Ty::Int, &format!("{op}({a}, {b})"));
            }
            4 => {
                let ty = Ty::ALL[self.below(2)];
                let (op, a, b) = (self.choose(&["lt", "le", "eq"]), self.operand(ty), self.operand(ty));
                self.bind(Ty::Bool, &format!("{op}({a}, {b})"));
            }
            5 => {
                let ty = Ty::ALL[self.below(3)];
                let (cond, a, b) = (self.operand(Ty::Bool), self.operand(ty), self.operand(ty));
                self.bind(ty, &format!("select({cond}, {a}, {b})"));
            }
            6 => {
                let number = self.operand(Ty::Int);
                self.bind(Ty::Float, &format!("f64({number})"));
            }
            7 | 8 => {
                let (array, bound) = if self.below(2) == 0 { ("xs_3", SIZE) } else { ("own_8", 4) };
                let (index, name) = (self.index(bound), self.fresh());
                self.text += &format!("load {name}: f64 = {array}[{index}]\n");
                self.scope.push((Ty::Float, name));
            }
            9 => {
                let value = self.operand(Ty::Float);
                if self.below(2) == 0 {
                    let index = self.index(4);
                    self.text += &format!("store own_8[{index}] = {value}\n");
                } else {
                    let index = self.index(8);
                    self.text += &format!("store out_4[i_6, {index}] = {value}\n");
                }
            }
            10 => {
                let (a, b) = (self.operand(Ty::Int), self.operand(Ty::Bool));
                let rest = self.bind(Ty::Int, &format!("mod({a}, 5i64)"));
                let unlikely = self.bind(Ty::Bool, &format!("eq({rest}, 3i64)"));
                let both = self.bind(Ty::Bool, &format!("and({unlikely}, {b})"));
                let holds = self.bind(Ty::Bool, &format!("not({both})"));
                self.text += &format!("assert {holds} message0()\n");
            }
            11 | 12 => self.branch(),
            _ => self.iterate(),
        }
    }

    /// Statements in a scope of their own, and their results, one of each type.
    fn nested(&mut self, first: &str) -> String {
        let outside = self.scope.clone();
        self.statements(4);
        let results = Ty::ALL.map(|ty| self.operand(ty)).join(", ");
        self.scope = outside;
        format!("yield {first}{results}\n")
    }

    fn binders(&mut self) -> String {
        let binders = Ty::ALL.map(|ty| {
            let name = self.fresh();
            self.scope.push((ty, name.clone()));
            format!("{name}: {}", ty.name())
        });
        binders.join(", ")
    }

    fn branch(&mut self) {
        let cond = self.operand(Ty::Bool);
        self.text += &format!("if {cond} {{\n");
        let results = self.nested("");
        self.text += &format!("{results}}} else {{\n");
        let results = self.nested("");
        let binders = self.binders();
        self.text += &format!("{results}}} -> ({binders})\n");
    }

    fn iterate(&mut self) {
        let outside = self.scope.clone();
        let counted = self.below(2) == 0;
        let head = if counted {
            let number = self.operand(Ty::Int);
            let bound = self.bind(Ty::Int, &format!("mod({number}, 4i64)"));
            let index = self.fresh();
            self.text += "loop (";
            let form = format!(") for {index}: i64 < {bound} {{\n");
            (form, vec![(Ty::Int, index)], String::new())
        } else {
            let (flag, count, start) = (self.fresh(), self.fresh(), self.operand(Ty::Bool));
            self.text += &format!("loop ({flag}: bool = {start}, {count}: i64 = 0i64, ");
            (format!(") while {flag} {{\n"), vec![(Ty::Int, count.clone())], count)
        };
        let (form, inner, count) = head;
        let first = Ty::ALL.map(|ty| self.operand(ty));
        let mut params = Vec::new();
        for (ty, first) in Ty::ALL.into_iter().zip(first) {
            let name = self.fresh();
            params.push(format!("{name}: {} = {first}", ty.name()));
            self.scope.push((ty, name));
        }
        self.scope.extend(inner);
        self.text += &(params.join(", ") + &form);
        let leading = if counted {
            String::new()
        } else {
            let raised = self.bind(Ty::Int, &format!("add({count}, 1i64)"));
            let below = self.bind(Ty::Bool, &format!("lt({raised}, 5i64)"));
            let other = self.operand(Ty::Bool);
            let goes_on = self.bind(Ty::Bool, &format!("and({below}, {other})"));
            format!("{goes_on}, {raised}, ")
        };
        let results = self.nested(&leading);
        self.scope = outside;
        let leading =
            if counted { String::new() } else { format!("{}: bool, {}: i64, ", self.fresh(), self.fresh()) };
        let binders = self.binders();
        self.text += &format!("{results}}} -> ({leading}{binders})\n");
    }
}
