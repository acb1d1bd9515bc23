//! Random thread bodies as kernel text, for tests of the translation and of emitters: branches, loops of all kinds, masks,
//! private arrays that loops exchange, gathers, elementary functions, checks that fail now and then. They end, and access
//! no element that does not exist.

mod vocabulary;

use vocabulary::{FUNCTIONS, Ty};

/// The number of points of the inner dimension, and of elements of the array that they read.
pub const POINTS: i64 = 64;

/// The number of points of the outer dimension.
pub const ROWS: i64 = 3;

/// The number of elements that a point writes.
pub const WRITTEN: i64 = 8;

/// The program with this number: an entry point `f` that maps an array `xs` of [`POINTS`] f64 to [`ROWS`] times [`POINTS`]
/// times [`WRITTEN`] f64.
pub fn program(seed: u64) -> String {
    Generator::new(seed).program()
}

/// A program like that with this number, whose points also have results, which two operators combine: `f` also returns what
/// the points of each row combine to.
pub fn reduction(seed: u64) -> String {
    Generator::new(seed).reduction()
}

/// A program like that with this number, of one row, whose points are scanned by operators on integers. `f` also returns the
/// prefixes, or what code makes of them: integers, and the numbers that a filter keeps.
pub fn scan(seed: u64) -> String {
    Generator::new(seed).scan()
}

/// A program like the first with this number, without arrays of its own, and with conditions and clamps at borders of the
/// index space.
pub fn borders(seed: u64) -> String {
    let mut generator = Generator::new(seed);
    generator.borders = true;
    generator.program()
}

/// A program like the first with this number, whose points compute the sizes of their arrays and the lengths of loops in loops.
/// In most programs these are the same in eight neighbouring points, the first of which has a number that is divisible by
/// eight.
pub fn alike(seed: u64) -> String {
    let mut generator = Generator::new(seed);
    generator.alike = true;
    generator.program()
}

struct Generator {
    state: u64,
    next: usize,
    text: String,
    /// The scalars in scope.
    scope: Vec<(Ty, String)>,
    budget: usize,
    /// Whether the program divides integers, which takes many instructions. Half of the programs do.
    divides: bool,
    /// Whether the program has borders in place of arrays.
    borders: bool,
    /// Whether points compute the sizes of their arrays.
    alike: bool,
    /// Whether statements may check conditions: code after a scan may not.
    may_fail: bool,
}

/// The entry point with this segment over so many rows, with other arrays, and the types and values of other results.
fn entry(rows: i64, arrays: &str, segment: &str, types: &str, yields: &str) -> String {
    format!(
        "message0 = \"no\"
         entry \"f\" [n_0] (xs_1: block f64 [n_0]) -> ([][][]f64{types}) {{
           view xs_3: f64 [n_0] = xs_1 + 0i64 * [1i64]
           let row_90: i64 = mul(n_0, {WRITTEN}i64)
           let all_92: i64 = mul(row_90, {rows}i64)
           let limit_91: i64 = min(n_0, 5i64)
           alloc out_2: block f64 = all_92
           view out_4: f64 [{rows}i64, n_0, {WRITTEN}i64] = out_2 + 0i64 * [row_90, {WRITTEN}i64, 1i64]
           {arrays}{segment}
           yield {rows}i64, n_0, {WRITTEN}i64, out_2{yields}
         }}"
    )
}

impl Generator {
    fn new(seed: u64) -> Generator {
        let scope = [(Ty::Int, "r_5"), (Ty::Int, "i_6"), (Ty::Int, "n_0")];
        let scope = scope.map(|(ty, name)| (ty, name.to_owned())).to_vec();
        Generator {
            state: seed.wrapping_mul(2) + 1,
            next: 10,
            text: String::new(),
            scope,
            budget: 40,
            divides: seed.is_multiple_of(2),
            borders: false,
            alike: false,
            may_fail: true,
        }
    }

    fn program(mut self) -> String {
        self.body();
        let body = std::mem::take(&mut self.text);
        entry(ROWS, "", &format!("segment map (r_5 < {ROWS}i64, i_6 < n_0) chunk 21i64 {{ {body} }}"), "", "")
    }

    fn reduction(mut self) -> String {
        self.body();
        let (mut arrays, mut operators, mut results, mut types, mut yields) =
            (String::new(), String::new(), Vec::new(), String::new(), String::new());
        for _ in 0..2 {
            let ty = Ty::ALL[self.below(7)];
            let (name, op, neutral) = (ty.name(), self.choose(ty.binary()), self.choose(ty.constants()));
            let [memory, array, left, right, next] = [(); 5].map(|()| self.fresh());
            results.push(self.operand(ty));
            arrays += &format!("alloc {memory}: block {name} = {ROWS}i64\n");
            arrays += &format!("view {array}: {name} [{ROWS}i64] = {memory} + 0i64 * [1i64]\n");
            operators += &format!(
                " combine ({left}: {name}) ({right}: {name}) neutral ({neutral}) into ({array}) commutative {{
                   let {next}: {name} = {op}({left}, {right})
                   yield {next}
                 }}"
            );
            types += &format!(", []{name}");
            yields += &format!(", {ROWS}i64, {memory}");
        }
        let (body, results) = (std::mem::take(&mut self.text), results.join(", "));
        let segment = format!(
            "segment reduce (r_5 < {ROWS}i64, i_6 < n_0) chunk 50i64 {{ {body} yield {results} }}{operators}"
        );
        entry(ROWS, &arrays, &segment, &types, &yields)
    }

    fn scan(mut self) -> String {
        self.body();
        let kept = self.kept();
        let types = [Ty::Int, [Ty::Int, Ty::Small][self.below(2)], [Ty::Int, Ty::Small][self.below(2)]];
        let yields = [kept, self.operand(types[1]), self.operand(types[2])].join(", ");
        let body = std::mem::take(&mut self.text);
        let finishes = self.below(2) == 0;
        let (mut arrays, mut operators, mut results, mut prefixes) =
            ("let r_5: i64 = 0i64\n".to_owned(), String::new(), Vec::new(), Vec::new());
        for (number, ty) in types.into_iter().enumerate() {
            let (op, neutral) = match number {
                0 => ("add", "0i64"),
                _ => (self.choose(&["add", "min", "max", "and", "or", "xor"]), self.choose(ty.constants())),
            };
            let array = self.array(&mut arrays, ty, &mut results);
            let [left, right, next, prefix] = [(); 4].map(|()| self.fresh());
            let (name, out) = (ty.name(), if finishes { "" } else { &array });
            operators += &format!(
                " combine ({left}: {name}) ({right}: {name}) neutral ({neutral}) into ({out}) {{
                   let {next}: {name} = {op}({left}, {right})
                   yield {next}
                 }}"
            );
            prefixes.push((ty, prefix, array));
        }
        let finish = if finishes { self.finish(&mut arrays, &prefixes, &mut results) } else { String::new() };
        let segment =
            format!("segment scan (i_6 < n_0) chunk 21i64 {{ {body} yield {yields} }}{operators}{finish}");
        let types: String = results.iter().map(|(ty, _)| format!(", []{}", ty.name())).collect();
        let values: String = results.iter().map(|(_, memory)| format!(", n_0, {memory}")).collect();
        entry(1, &arrays, &segment, &types, &values)
    }

    /// An array of `n_0` elements of this type, which is a result.
    fn array(&mut self, arrays: &mut String, ty: Ty, results: &mut Vec<(Ty, String)>) -> String {
        let [memory, array] = [(); 2].map(|()| self.fresh());
        *arrays += &format!("alloc {memory}: block {} = n_0\n", ty.name());
        *arrays += &format!("view {array}: {} [n_0] = {memory} + 0i64 * [1i64]\n", ty.name());
        results.push((ty, memory));
        array
    }

    /// Whether a filter keeps the number of a point, as 0 or 1.
    fn kept(&mut self) -> String {
        let [number, keeps, kept] = [(); 3].map(|()| self.fresh());
        self.line(&format!("load {number}: f64 = xs_3[i_6]"));
        self.line(&format!("let {keeps}: bool = lt({number}, 3.0f64)"));
        self.line(&format!("let {kept}: i64 = i64({keeps})"));
        kept
    }

    /// The code that takes prefixes and stores them in the arrays next to them. The first prefix counts the numbers that a filter keeps.
    fn finish(
        &mut self,
        arrays: &mut String,
        prefixes: &[(Ty, String, String)],
        results: &mut Vec<(Ty, String)>,
    ) -> String {
        let kept_numbers = self.array(arrays, Ty::Float, results);
        let at = self.fresh();
        *arrays +=
            &format!("segment map ({at} < n_0) chunk 50i64 {{ store {kept_numbers}[{at}] = 0.0f64 }}\n");
        // Arrays of the point are not known here.
        (self.borders, self.may_fail, self.budget) = (true, false, 8);
        let scope = [(Ty::Int, "r_5"), (Ty::Int, "i_6"), (Ty::Int, "n_0")];
        self.scope = scope.map(|(ty, name)| (ty, name.to_owned())).to_vec();
        self.scope.extend(prefixes.iter().map(|(ty, prefix, _)| (*ty, prefix.clone())));
        self.statements(6);
        for (ty, prefix, array) in prefixes {
            let value = if self.below(2) == 0 { prefix.clone() } else { self.operand(*ty) };
            self.line(&format!("store {array}[i_6] = {value}"));
        }
        let kept = self.kept();
        let count = &prefixes[0].1;
        let place = self.choose(&["sub(COUNT, 1i64)", "sub(n_0, COUNT)"]).replace("COUNT", count);
        let place = self.bind(Ty::Int, &place);
        let keeps = self.bind(Ty::Bool, &format!("eq({kept}, 1i64)"));
        let value = self.operand(Ty::Float);
        self.line(&format!("if {keeps} {{ store {kept_numbers}[{place}] = {value} }} else {{ }}"));
        let binders = prefixes.iter().map(|(ty, prefix, _)| format!("{prefix}: {}", ty.name()));
        let binders = binders.collect::<Vec<_>>().join(", ");
        format!(" finish ({binders}) {{ {} }}", std::mem::take(&mut self.text))
    }

    /// The code of a point.
    fn body(&mut self) {
        if !self.borders {
            self.arrays();
        }
        if self.alike {
            self.sums();
        }
        self.statements(12);
        for (slot, value) in self.results().into_iter().enumerate() {
            self.line(&format!("store out_4[r_5, i_6, {slot}i64] = {value}"));
        }
    }

    /// The arrays of a point.
    fn arrays(&mut self) {
        let (size, other) = if self.alike {
            let distance = if self.below(8) == 0 { "0i64" } else { "3i64" };
            self.line(&format!("let group_93: i64 = lshr(i_6, {distance})"));
            self.line("let few_94: i64 = and(group_93, 7i64)");
            self.line("let many_95: i64 = mul(few_94, 9i64)");
            self.scope.extend([(Ty::Int, "few_94".to_owned()), (Ty::Int, "many_95".to_owned())]);
            let sizes = [(); 2].map(|()| {
                let size = self.choose(&["few_94", "many_95", "i_6"]).to_owned();
                self.bind(Ty::Int, &format!("add({size}, 4i64)"))
            });
            sizes.into()
        } else {
            (self.choose(&["4i64", "n_0", "limit_91"]).to_owned(), "limit_91".to_owned())
        };
        for (block, view, first, size) in [("own_7", "own_8", 0, &*size), ("other_9", "other_10", 7, &*other)]
        {
            self.line(&format!("alloc {block}: block f64 = {size}"));
            self.line(&format!("view {view}: f64 [4i64] = {block} + 0i64 * [1i64]"));
            for at in 0..4 {
                self.line(&format!("store {view}[{at}i64] = {}.0f64", first + at));
            }
        }
    }

    /// The results: floats, and the bits of all integers and bools together, so that no wrong one goes unnoticed.
    fn results(&mut self) -> [String; WRITTEN as usize] {
        let mut mixed = "0i64".to_owned();
        for (ty, name) in self.scope.clone() {
            if let Ty::Int | Ty::Small | Ty::Bool | Ty::Byte | Ty::Short = ty {
                let wide = self.bind(Ty::Int, &format!("i64({name})"));
                let spread = self.bind(Ty::Int, &format!("mul({mixed}, 5i64)"));
                mixed = self.bind(Ty::Int, &format!("xor({spread}, {wide})"));
            }
        }
        let low = self.bind(Ty::Int, &format!("and({mixed}, 4294967295i64)"));
        let high = self.bind(Ty::Int, &format!("lshr({mixed}, 32i64)"));
        let halves = [low, high].map(|half| self.bind(Ty::Float, &format!("f64({half})")));
        let single = self.operand(Ty::Single);
        let single = self.bind(Ty::Float, &format!("f64({single})"));
        let [low, high] = halves;
        let [a, b, c, d, e] = [(); 5].map(|()| self.operand(Ty::Float));
        [a, b, c, d, e, low, high, single]
    }

    fn line(&mut self, line: &str) {
        self.text += line;
        self.text += "\n";
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
            return self.choose(ty.constants()).to_owned();
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
        self.line(&format!("let {name}: {} = {exp}", ty.name()));
        self.scope.push((ty, name.clone()));
        name
    }

    /// An integer below a bound, which is a power of 2 if the program does not divide.
    fn reduced(&mut self, number: &str, bound: i64) -> String {
        let exp = match self.divides {
            true => format!("mod({number}, {bound}i64)"),
            false => format!("and({number}, {}i64)", bound - 1),
        };
        self.bind(Ty::Int, &exp)
    }

    /// An index below a bound.
    fn index(&mut self, bound: i64) -> String {
        match self.below(3) {
            0 if bound == POINTS => "i_6".to_owned(),
            _ => {
                let number = self.operand(Ty::Int);
                self.reduced(&number, bound)
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
        if self.borders && self.below(2) == 0 {
            return self.border();
        }
        match self.below(17) {
            0..4 => {
                let ty = Ty::ALL[self.below(7)];
                let (op, a, b) = (self.choose(ty.binary()), self.operand(ty), self.operand(ty));
                self.bind(ty, &format!("{op}({a}, {b})"));
            }
            4 => {
                let ty = Ty::ALL[self.below(7)];
                let (op, a, b) = (self.choose(&["lt", "le", "eq", "ne"]), self.operand(ty), self.operand(ty));
                self.bind(Ty::Bool, &format!("{op}({a}, {b})"));
            }
            5 => {
                let ty = Ty::ALL[self.below(7)];
                let (cond, a, b) = (self.operand(Ty::Bool), self.operand(ty), self.operand(ty));
                self.bind(ty, &format!("select({cond}, {a}, {b})"));
            }
            6 => {
                let (from, to) = (Ty::ALL[self.below(7)], Ty::ALL[self.below(7)]);
                // There is no such conversion in lanes.
                let is_refused = matches!(from, Ty::Float | Ty::Single) && matches!(to, Ty::Byte | Ty::Short);
                let to = if is_refused { Ty::Int } else { to };
                let operand = self.operand(from);
                self.bind(to, &format!("{}({operand})", to.name()));
                let ty = Ty::ALL[self.below(7)];
                let (op, a) = (self.choose(ty.unary()), self.operand(ty));
                let result = match op {
                    "isnan" | "isinf" => Ty::Bool,
                    "popc" | "clz" | "ctz" => Ty::Small,
                    _ => ty,
                };
                self.bind(result, &format!("{op}({a})"));
            }
            7 | 8 => {
                let (array, bound) =
                    if self.borders || self.below(2) == 0 { ("xs_3", POINTS) } else { ("own_8", 4) };
                let (index, name) = (self.index(bound), self.fresh());
                self.line(&format!("load {name}: f64 = {array}[{index}]"));
                self.scope.push((Ty::Float, name));
            }
            9 => {
                let value = self.operand(Ty::Float);
                if !self.borders && self.below(2) == 0 {
                    let index = self.index(4);
                    self.line(&format!("store own_8[{index}] = {value}"));
                } else {
                    let index = self.index(WRITTEN);
                    self.line(&format!("store out_4[r_5, i_6, {index}] = {value}"));
                }
            }
            10 if self.may_fail => {
                let (a, b) = (self.operand(Ty::Int), self.operand(Ty::Bool));
                let rest = self.reduced(&a, if self.divides { 5 } else { 4 });
                let unlikely = self.bind(Ty::Bool, &format!("eq({rest}, 3i64)"));
                let both = self.bind(Ty::Bool, &format!("and({unlikely}, {b})"));
                let holds = self.bind(Ty::Bool, &format!("not({both})"));
                self.line(&format!("assert {holds} message0()"));
            }
            11 | 12 => self.branch(),
            15 if !self.borders => self.exchange(),
            13 | 14 => {
                let ty = [Ty::Float, Ty::Single][self.below(2)];
                let (a, b) = (self.operand(ty), self.operand(ty));
                let exp = match self.below(20) {
                    0 => format!("pow({a}, {b})"),
                    1 => format!("atan2({a}, {b})"),
                    2 => format!("hypot({a}, {b})"),
                    _ => format!("{}({a})", self.choose(&FUNCTIONS)),
                };
                self.bind(ty, &exp);
            }
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
        self.line(&format!("if {cond} {{"));
        let results = self.nested("");
        self.line(&format!("{results}}} else {{"));
        let results = self.nested("");
        let binders = self.binders();
        self.line(&format!("{results}}} -> ({binders})"));
    }

    /// A condition on a neighbour of the point, or an element at a neighbour that is clamped or tested.
    fn border(&mut self) {
        let shift = self.below(5) as i64 - 2;
        let neighbour = self.bind(Ty::Int, &format!("add(i_6, {shift}i64)"));
        match self.below(3) {
            0 => {
                let low = self.bind(Ty::Int, &format!("max({neighbour}, 0i64)"));
                let inside = self.bind(Ty::Int, &format!("min({low}, {}i64)", POINTS - 1));
                let name = self.fresh();
                self.line(&format!("load {name}: f64 = xs_3[{inside}]"));
                self.scope.push((Ty::Float, name));
            }
            1 => {
                let op = self.choose(&["lt", "le", "eq", "ne"]);
                let border =
                    self.choose(&["0i64", "1i64", "6i64", "43i64", "63i64", "r_5", "limit_91", "n_0"]);
                let operands = if self.below(2) == 0 { [&neighbour, border] } else { [border, &neighbour] };
                let is_border = self.bind(Ty::Bool, &format!("{op}({}, {})", operands[0], operands[1]));
                let other = self.operand(Ty::Bool);
                self.bind(Ty::Bool, &format!("select({is_border}, true, {other})"));
            }
            _ => {
                let low = self.bind(Ty::Bool, &format!("le(0i64, {neighbour})"));
                let high = self.bind(Ty::Bool, &format!("lt({neighbour}, n_0)"));
                let inside = self.bind(Ty::Bool, &format!("select({low}, {high}, false)"));
                let [loaded, element] = [(); 2].map(|()| self.fresh());
                let otherwise = self.operand(Ty::Float);
                self.line(&format!(
                    "if {inside} {{ load {loaded}: f64 = xs_3[{neighbour}] yield {loaded} }}
                     else {{ yield {otherwise} }} -> ({element}: f64)"
                ));
                self.scope.push((Ty::Float, element));
            }
        }
    }

    /// A loop around sums, each of which has a length that the point computes.
    fn sums(&mut self) {
        let (first, different) = (self.operand(Ty::Float), self.bind(Ty::Int, "and(i_6, 3i64)"));
        let rounds = self.choose(&["2i64", &different, "few_94"]).to_owned();
        let [last, length, result] = [(); 3].map(|()| self.fresh());
        let bound = self.choose(&["few_94", "many_95"]).to_owned();
        let form = self.choose(&["for", "reduce"]).to_owned();
        let op = self.choose(&["add", "mul"]).to_owned();
        let place = self.index(4);
        self.line(&format!(
            "loop ({last}: f64 = {first}) for {length}: i64 < {rounds} {{
               loop (sum: f64 = {last}) {form} at: i64 < {bound} {{
                 let low: i64 = and(at, 3i64)
                 load element: f64 = own_8[low]
                 let scale: f64 = f64(at)
                 let number: f64 = mul(element, scale)
                 let next: f64 = {op}(sum, number)
                 yield next
               }} -> (total: f64)
               let less: f64 = mul(total, 0.001f64)
               store own_8[{place}] = less
               yield total
             }} -> ({result}: f64)"
        ));
        self.scope.push((Ty::Float, result));
    }

    /// A loop that swaps two arrays, of which it reads one and writes the other.
    fn exchange(&mut self) {
        let number = self.operand(Ty::Int);
        let bound = self.reduced(&number, 4);
        let [from, to, read, written, index, last, rest, element, result] = [(); 9].map(|()| self.fresh());
        self.line(&format!(
            "loop ({from}: block f64 = own_7, {to}: block f64 = other_9) for {index}: i64 < {bound} {{
               view {read}: f64 [4i64] = {from} + 0i64 * [1i64]
               view {written}: f64 [4i64] = {to} + 0i64 * [1i64]
               load {element}: f64 = {read}[{index}]"
        ));
        let outside = self.scope.clone();
        self.scope.extend([(Ty::Int, index), (Ty::Float, element)]);
        let value = self.operand(Ty::Float);
        let place = self.index(4);
        self.line(&format!("store {written}[{place}] = {value}"));
        self.scope = outside;
        self.line(&format!("yield {to}, {from} }} -> ({last}: block f64, {rest}: block f64)"));
        let (place, view) = (self.index(4), self.fresh());
        self.line(&format!("view {view}: f64 [4i64] = {last} + 0i64 * [1i64]"));
        self.line(&format!("load {result}: f64 = {view}[{place}]"));
        self.scope.push((Ty::Float, result));
    }

    fn iterate(&mut self) {
        let outside = self.scope.clone();
        let counted = self.below(2) == 0;
        let head = if counted {
            let number = self.operand(Ty::Int);
            let bound = self.reduced(&number, 4);
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
        self.line(&format!("{results}}} -> ({leading}{binders})"));
    }
}
