use super::Ranges;
use crate::visit::Visit;
use crate::{Atom, Body, Exp, Function, Lambda, Stm, Var, VarTable, parse, verify};

/// Walks a function like a pass, and records the result of each comparison.
struct Walker<'a> {
    vars: &'a VarTable,
    ranges: Ranges,
    comparisons: Vec<String>,
}

impl Visit for Walker<'_> {
    fn var(&mut self, _: &Var) {}
    fn binder(&mut self, _: &Var) {}

    fn body(&mut self, body: &Body) {
        for stm in &body.stms {
            self.stm(stm);
        }
    }

    fn lambda(&mut self, lambda: &Lambda) {
        self.body(&lambda.body);
    }

    fn stm(&mut self, stm: &Stm) {
        let name = |var: Var| self.vars[var].hint.map_or(String::new(), |hint| hint.to_string());
        match &stm.exp {
            Exp::If { cond, then, otherwise } => {
                for (side, truth) in [(then, true), (otherwise, false)] {
                    let mark = self.ranges.enter();
                    self.ranges.assume(self.vars, *cond, truth);
                    self.body(side);
                    self.ranges.leave(mark);
                }
            }
            Exp::Loop(looped) => {
                let mark = self.ranges.enter();
                self.ranges.loop_exp(self.vars, looped);
                self.body(&looped.body);
                self.ranges.leave(mark);
            }
            Exp::Segment(segment) => {
                let mark = self.ranges.enter();
                self.ranges.point_of(self.vars, segment);
                self.lambda(&segment.screma.map);
                self.ranges.leave(mark);
            }
            Exp::Screma(screma) => {
                let mark = self.ranges.enter();
                self.ranges.point(self.vars, screma);
                self.lambda(&screma.map);
                self.ranges.leave(mark);
            }
            Exp::Stream(stream) => {
                let mark = self.ranges.enter();
                self.ranges.chunk(self.vars, stream);
                self.lambda(&stream.chunk);
                self.ranges.leave(mark);
            }
            _ => {}
        }
        self.ranges.define(self.vars, stm);
        if let Exp::Compare(..) = stm.exp {
            let cond = Atom::Var(stm.binders[0]);
            let known = match (self.ranges.truth(self.vars, cond), self.ranges.proof(self.vars, cond)) {
                (Some(truth), _) => truth.to_string(),
                (None, Some(checks)) => {
                    format!("by {}", checks.into_iter().map(name).collect::<Vec<_>>().join(" "))
                }
                (None, None) => "open".to_owned(),
            };
            self.comparisons.push(format!("{} {known}", name(stm.binders[0])));
        }
    }
}

fn with_walker<T>(stms: &str, look: impl FnOnce(&Walker, &Function) -> T) -> T {
    let text =
        format!("fun f (n: i64, m: i64, xs: [n]i32, k: i64, c: bool) -> (r: bool) = {{ {stms} in c }}");
    let program = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    verify(&program).unwrap_or_else(|error| panic!("{error}"));
    let function = &program.functions[0];
    let mut walker = Walker { vars: &function.vars, ranges: Ranges::default(), comparisons: Vec::new() };
    walker.ranges.params(&function.vars, function.params.iter().map(|param| param.var));
    walker.body(&function.body);
    look(&walker, function)
}

/// For each comparison, in order: `true`, `false`, `by` the checks that prove it, or `open`.
fn comparisons(stms: &str) -> Vec<String> {
    with_walker(stms, |walker, _| walker.comparisons.clone())
}

/// As [`comparisons`], inside a map over the points `i` below n.
fn at_points(stms: &str) -> Vec<String> {
    comparisons(&format!(
        "let o: [n]bool = screma n {{ from iota 0 1 map \\(i: i64) -> {{ {stms} in c }} to map }}"
    ))
}

#[test]
fn sizes_of_parameters_are_sizes_and_other_numbers_may_be_negative() {
    assert_eq!(comparisons("let a: bool = le 0 n let b: bool = lt n 0"), ["a true", "b false"]);
    assert_eq!(comparisons("let a: bool = le 0 m let b: bool = lt 0 n"), ["a open", "b open"]);
}

#[test]
fn sizes_of_new_arrays_may_be_negative() {
    let stms = "let s: [k]i32 = scratch let a: bool = le 0 k";
    assert_eq!(comparisons(stms), ["a open"]);
}

#[test]
fn points_are_below_the_width() {
    assert_eq!(
        at_points("let a: bool = le 0 i let b: bool = lt i n let d: bool = lt 0 n let e: bool = lt i m"),
        ["a true", "b true", "d true", "e open"]
    );
    assert_eq!(comparisons("let a: bool = lt 0 n"), ["a open"]);
}

/// As [`comparisons`], inside the function of a chunk of k elements that begins at `at`.
fn in_chunks(stms: &str, sinks: &str) -> Vec<String> {
    comparisons(&format!(
        "let o: i32 = stream n {{
           from xs
           chunk \\(k2: i64, at: i64, e: [k2]i32) -> {{ {stms} let f2: i32 = xs[at] in f2 }}
           to reduce \\(p: i32, q: i32) -> p {sinks}
         }}
         let out: bool = lt 0 n"
    ))
}

#[test]
fn a_chunk_has_an_element_and_is_within_the_width() {
    let stms = "
        let a: bool = le 1 k2 let b: bool = le k2 n let d: bool = le 0 at let g: bool = lt at n
        let h: bool = lt at k2 let i: bool = lt 0 at";
    let known = ["a true", "b true", "d true", "g true", "h open", "i open", "out open"];
    assert_eq!(in_chunks(stms, "(0i32)"), known);
}

#[test]
fn a_chunk_may_be_empty_if_an_empty_array_has_one() {
    let stms = "
        let a: bool = le 1 k2 let b: bool = le 0 k2 let d: bool = le k2 n
        let g: bool = lt at n let h: bool = le at n let i: bool = le 0 at";
    let known = ["a open", "b true", "d true", "g open", "h true", "i true", "out open"];
    assert_eq!(in_chunks(stms, ""), known);
}

#[test]
fn only_an_iota_from_0_by_1_bounds_its_elements() {
    for source in ["iota 1 1", "iota 0 2", "iota m 1"] {
        let stms = format!(
            "let o: [n]bool = screma n {{
               from {source} map \\(i: i64) -> {{ let a: bool = lt i n in c }} to map
             }}"
        );
        assert_eq!(comparisons(&stms), ["a open"], "{source}");
    }
}

#[test]
fn counters_are_below_the_bound_in_the_loop() {
    let stms = "let r2: bool = loop (p: bool = c) for i: i64 < m do {
      let a: bool = lt i m let b: bool = le 0 i let d: bool = le 1 m in p
    } let e: bool = le 1 m";
    assert_eq!(comparisons(stms), ["a true", "b true", "d true", "e open"]);
}

#[test]
fn neighbours_after_a_condition_are_in_bounds() {
    let stms = "
        let first: bool = eq i 0
        let l: bool = if first then c else {
          let j: i64 = sub i 1 let a: bool = le 0 j let b: bool = lt j n in c
        }
        let end: i64 = sub n 1
        let last: bool = eq i end
        let r2: bool = if last then c else {
          let j2: i64 = add i 1 let d: bool = le 0 j2 let e: bool = lt j2 n in c
        }
        let j3: i64 = add i 1
        let g: bool = lt j3 n";
    assert_eq!(
        at_points(stms),
        ["first open", "a true", "b true", "last open", "d true", "e true", "g open"]
    );
}

#[test]
fn clamped_and_mirrored_positions_are_in_bounds() {
    let stms = "
        let down: i64 = sub i 1
        let j: i64 = max 0 down
        let a: bool = le 0 j
        let b: bool = lt j n
        let end: i64 = sub n 1
        let up: i64 = add i 1
        let k2: i64 = min end up
        let d: bool = le 0 k2
        let e: bool = lt k2 n
        let rest: i64 = sub n i
        let l: i64 = sub rest 1
        let f2: bool = le 0 l
        let g: bool = lt l n";
    assert_eq!(at_points(stms), ["a true", "b true", "d true", "e true", "f2 true", "g true"]);
}

#[test]
fn remainders_are_below_a_divisor_that_was_checked() {
    let stms = "
        let ok: bool = ne n 0
        let d: i64 = assert ok (n) \"zero\"
        let j: i64 = mod k d
        let a: bool = le 0 j
        let b: bool = lt j n
        let l: i64 = mod k n
        let e: bool = le 0 l";
    assert_eq!(comparisons(stms), ["ok open", "a by d", "b by d", "e open"]);
}

#[test]
fn remainders_towards_zero_of_natural_numbers_are_below_the_divisor() {
    let stms = "
        let up: i64 = add i 1
        let j: i64 = rem up n
        let a: bool = le 0 j
        let b: bool = lt j n
        let d: bool = le j up
        let l: i64 = rem k n
        let e: bool = le 0 l
        let f2: bool = lt l n
        let t: i64 = mod k n
        let g: bool = le t k";
    assert_eq!(at_points(stms), ["a true", "b true", "d true", "e open", "f2 open", "g open"]);
}

#[test]
fn the_range_of_a_branch_joins_those_of_its_sides() {
    let stms = "
        let none: bool = eq n 0
        let j: i64 = if none then 0 else { let l: i64 = mod k n in l }
        let a: bool = le 0 j
        let b: bool = le j n
        let d: bool = lt j n
        let low: bool = lt k 0
        let up: i64 = if low then 0 else {
          let high: bool = le n k
          let last: i64 = sub n 1
          let h: i64 = if high then last else k
          in h
        }
        let e: bool = lt up n
        let (x: i64, y: i64) = if low then (0, n) else (n, k)
        let f2: bool = le x n
        let g: bool = le y n";
    assert_eq!(
        comparisons(stms),
        ["none open", "a true", "b true", "d open", "low open", "high open", "e open", "f2 true", "g open"]
    );
    let points = at_points(stms);
    assert!(points.contains(&"d true".into()) && points.contains(&"e true".into()), "{points:?}");
}

/// If n is 0, `j` is 1, and `l` has no value.
#[test]
fn facts_about_names_of_a_side_end_with_it() {
    let stms = "
        let some: bool = lt 0 n
        let j: i64 = if some then { let l: i64 = sub n 1 in l } else 1
        let a: bool = le j n
        let both: bool = if some then { let e: i64 = sub n 1 let b: bool = lt k e in b } else false
        let g: i64 = if both then { let h: i64 = add k 0 in h } else n
        let d: bool = lt g n";
    assert_eq!(comparisons(stms), ["some open", "a open", "b open", "d open"]);
}

#[test]
fn a_condition_computed_in_a_side_holds_under_that_side() {
    let stms = "
        let low: bool = lt 0 i
        let inner: bool = if low then { let e: i64 = sub n 1 let b: bool = lt i e in b } else false
        let r2: bool = if inner then {
          let j: i64 = sub i 1 let a: bool = le 0 j
          let l: i64 = add i 1 let d: bool = lt l n
          in c
        } else {
          let l2: i64 = add i 1 let f2: bool = lt l2 n
          in c
        }
        let outer: bool = if low then true else { let g: bool = lt m k in g }
        let r3: bool = if outer then { let h: bool = lt 0 i in c } else { let o2: bool = lt 0 i let q: bool = le k m in c }
        let mixed: bool = if low then c else { let s: bool = lt m k in s }
        let r4: bool = if mixed then { let t: bool = lt 0 i in c } else { let u: bool = lt 0 i in c }";
    assert_eq!(
        at_points(stms),
        [
            "low open", "b open", "a true", "d true", "f2 open", "g open", "h open", "o2 false", "q true",
            "s open", "t open", "u open"
        ]
    );
}

/// Binds `s` to the product of n and w, after the check that compiled code makes for a product of two sizes.
const PRODUCT: &str = "
    let w: i64 = max m 0
    let p: i64 = mul n w
    let d: i64 = max w 1
    let most: i64 = quot 9223372036854775807 d
    let fits: bool = le n most
    let s: i64 = assert fits (p) \"too large\" ";

/// Binds `s` to a product of numbers so small that it cannot overflow.
const SMALL: &str = "
    let l: i64 = min n 1000
    let v: i64 = max m 0
    let w: i64 = min v 1000
    let s: i64 = mul l w ";

/// As [`comparisons`], after `product`, inside maps over the points i below `rows` and j below `columns`.
fn at_pairs(product: &str, rows: &str, columns: &str, stms: &str) -> Vec<String> {
    let inner = format!(
        "let u: [{columns}]bool = screma {columns} {{ from iota 0 1 map \\(j: i64) -> {{ {stms} in c }} to map }}"
    );
    comparisons(&format!(
        "{product} let more: i64 = add w 1
         let o: [{rows}]bool = screma {rows} {{ from iota 0 1 map \\(i: i64) -> {{ {inner} in c }} to map }}"
    ))
}

#[test]
fn row_major_positions_are_in_bounds() {
    for position in ["mul i w let y: i64 = add x j", "mul w i let y: i64 = add j x"] {
        let within = |size| format!("let x: i64 = {position} let a: bool = le 0 y let b: bool = lt y {size}");
        assert_eq!(at_pairs(SMALL, "l", "w", &within("s")), ["a true", "b true"]);
        // Other numbers of rows or columns.
        assert_eq!(at_pairs(SMALL, "k", "w", &within("s"))[1], "b open");
        assert_eq!(at_pairs(SMALL, "l", "more", &within("s"))[1], "b open");
        assert_eq!(at_pairs(SMALL, "w", "l", &within("s"))[1], "b open");
        // The check of the product holds only for values that depend on it.
        assert_eq!(at_pairs(PRODUCT, "n", "w", &within("s")), ["fits open", "a open", "b open"]);
    }
    // The row after the last one.
    let after_last = "
        let last: bool = le i l
        let r2: bool = if last then {
          let x: i64 = mul i w let y: i64 = add x j let a: bool = le x s let b: bool = lt y s in c
        } else c";
    assert_eq!(at_pairs(SMALL, "k", "w", after_last), ["last open", "a true", "b open"]);
    let unchecked = "let x: i64 = mul i w let y: i64 = add x j let a: bool = le 0 y let b: bool = lt y q";
    let stms = format!(
        "let w: i64 = max m 0
         let q: i64 = mul n w
         let o: [n]bool = screma n {{ from iota 0 1 map \\(i: i64) -> {{
           let u: [w]bool = screma w {{ from iota 0 1 map \\(j: i64) -> {{ {unchecked} in c }} to map }}
           in c
         }} to map }}"
    );
    assert_eq!(comparisons(&stms), ["a open", "b open"]);
}

#[test]
fn rows_and_columns_of_a_position_are_in_bounds() {
    let stms = |width: &str, op: &str| {
        let (div, rem) = op.split_once(' ').expect("two operators");
        let found = comparisons(&format!(
            "{PRODUCT}
             let o: [{width}]bool = screma {width} {{ from iota 0 1 map \\(t: i64) -> {{
               let z: bool = lt 0 w
               let i: i64 = {div} t w
               let a: bool = lt i n
               let j: i64 = {rem} t w
               let b: bool = lt j w
               let e: bool = lt j n
               let f2: bool = lt i w
               in c
             }} to map }}
             let last: bool = le k s
             let up: bool = le 0 k
             let full: bool = lt 0 w
             let two: bool = and last up
             let all: bool = and two full
             let r2: bool = if all then {{
               let i2: i64 = {div} k w
               let g: bool = le i2 n
               let h: bool = lt i2 n
               in c
             }} else c"
        ));
        found[1..].to_vec()
    };
    for op in ["div mod", "quot rem"] {
        let after = ["last open", "up open", "full open", "g by s", "h open"];
        let inside = ["z by s", "a by s", "b by s", "e open", "f2 open"];
        assert_eq!(stms("s", op), [inside, after].concat());
        let inside = ["z open", "a open", "b open", "e open", "f2 open"];
        assert_eq!(stms("k", op), [inside, after].concat());
    }
}

#[test]
fn blocks_lie_inside_the_dividend() {
    let stms = "
        let b: i64 = max m 1
        let q: i64 = div n b
        let o: [q]bool = screma q { from iota 0 1 map \\(i: i64) -> {
          let next: i64 = add i 1
          let start: i64 = mul i b
          let end: i64 = mul next b
          let a: bool = le 0 start
          let d: bool = le start end
          let e: bool = le end n
          let f2: bool = lt start n
          let g: bool = lt end n
          in c
        } to map }
        let back: i64 = mul q b
        let v: bool = le back n
        let u: bool = le n back
        let half: i64 = shr n 1
        let twice: i64 = mul 2 half
        let h: bool = le twice n
        let l: bool = le half twice
        let odd: bool = le n twice
        let thrice: i64 = mul 3 half
        let t: bool = le thrice n";
    let inside = ["a true", "d true", "e true", "f2 true", "g open"];
    assert_eq!(
        comparisons(stms),
        [&inside[..], &["v true", "u open", "h true", "l true", "odd open", "t open"]].concat()
    );
}

/// One block too many, and blocks larger than the divisor.
#[test]
fn other_blocks_may_lie_outside_the_dividend() {
    let stms = "
        let few: i64 = min n 100
        let b: i64 = max m 1
        let q: i64 = div few b
        let more: i64 = add q 1
        let x: i64 = mul more b
        let a: bool = le x 101
        let large: i64 = max m 2
        let less: i64 = sub large 1
        let r2: i64 = div few less
        let y: i64 = mul r2 large
        let d: bool = le y few
        let w: i64 = and m 7
        let z: i64 = mul few w
        let e: bool = le few z";
    assert_eq!(comparisons(stms), ["a open", "d open", "e open"]);
}

/// For b = -3, 0 * b + b is greater than 5 * b.
#[test]
fn rows_of_negative_width_give_no_bounds() {
    let stms = "
        let w: i64 = and m 7
        let b: i64 = sub 0 w
        let x: i64 = and k 7
        let q: i64 = and n 7
        let below: bool = lt x q
        let r2: bool = if below then {
          let s: i64 = mul q b
          let p: i64 = mul x b
          let y: i64 = add p b
          let a: bool = le y s
          in c
        } else c";
    assert_eq!(comparisons(stms), ["below open", "a open"]);
}

/// In the branch n is small; after it, the product may be of any size.
#[test]
fn facts_about_products_end_with_their_branch() {
    let stms = "
        let w: i64 = and m 1023
        let small: bool = le n 100
        let e: i64 = if small then { let p: i64 = mul n w let a: bool = le p 102300 in p } else 0
        let x: i64 = mul n w
        let b: bool = le x 102300";
    assert_eq!(comparisons(stms), ["small open", "a true", "b open"]);
}

/// If a product is not 0, no factor is 0; a factor may still be negative.
#[test]
fn factors_of_a_nonzero_product_are_nonzero() {
    let stms = format!(
        "{PRODUCT}
         let some: bool = lt 0 s
         let r2: bool = if some then {{ let a: bool = lt 0 n let b: bool = lt 0 m in c }} else c
         let none: bool = le 0 s
         let r3: bool = if none then {{ let g: bool = lt 0 n in c }} else c"
    );
    assert_eq!(comparisons(&stms), ["fits open", "some open", "a by s", "b open", "none by s", "g open"]);
}

#[test]
fn checked_sums_of_sizes_have_not_wrapped() {
    let stms = "
        let w: i64 = max m 0
        let t: i64 = add n w
        let ok: bool = le 0 t
        let s: i64 = assert ok (t) \"too large\"
        let a: bool = le n s
        let b: bool = le n t
        let u: i64 = add n m
        let fine: bool = le 0 u
        let v: i64 = assert fine (u) \"negative\"
        let d: bool = le n v
        let n6: u64 = convert u64 n
        let k6: u64 = convert u64 k
        let t6: u64 = add n6 k6
        let fit: bool = le 0u64 t6
        let s6: u64 = assert fit (t6) \"never\"
        let e: bool = le n6 s6";
    assert_eq!(
        comparisons(stms),
        ["ok open", "a by s", "b open", "fine open", "d open", "fit true", "e open"]
    );
}

#[test]
fn a_check_bounds_only_its_results() {
    let stms = "
        let low: bool = le 0 k
        let high: bool = lt k n
        let ok: bool = and low high
        let j: i64 = assert ok (k) \"out\"
        let a: bool = lt j n
        let b: bool = le 0 j
        let d: bool = lt k n";
    assert_eq!(comparisons(stms), ["low open", "high open", "a by j", "b by j", "d open"]);
}

#[test]
fn a_condition_that_passes_a_check_keeps_its_facts() {
    let stms = "
        let small: bool = lt n 10
        let open: bool = lt k n
        let handed: bool = assert small (open) \"large\"
        let k2: i64 = assert handed (k) \"out\"
        let a: bool = lt k2 n";
    assert_eq!(comparisons(stms), ["small open", "open open", "a by k2"]);
}

#[test]
fn arithmetic_that_may_wrap_is_not_bounded() {
    let stms = "
        let j: i64 = add k 1
        let a: bool = lt k j
        let l: i64 = mul n n
        let b: bool = le 0 l
        let g: i32 = convert i32 n
        let d: bool = le 0i32 g";
    assert_eq!(comparisons(stms), ["a open", "b open", "d open"]);
}

#[test]
fn small_numbers_fit_32_bits() {
    let stms = "
        let a: i64 = and k 1023
        let b: i64 = mul a 4096
        let d: i64 = mul b 4096
        let i: i32 = xs[a]
        let e: i64 = convert i64 i
        let g: i64 = add e 1";
    with_walker(stms, |walker, function| {
        let fits = function
            .body
            .stms
            .iter()
            .filter(|stm| walker.ranges.fits_32_bits(walker.vars, Atom::Var(stm.binders[0])));
        let names: Vec<String> =
            fits.map(|stm| walker.vars[stm.binders[0]].hint.expect("a name").to_string()).collect();
        assert_eq!(names, ["a", "b", "i", "e"]);
    });
}

#[test]
fn proofs_list_the_checks_that_they_depend_on() {
    let stms = "
        let ok: bool = lt k n
        let j: i64 = assert ok (k) \"out\"
        let fits: bool = le m 9
        let l: i64 = assert fits (m) \"large\"
        let a: bool = le j k
        let b: bool = le k j
        let low: i64 = min j l
        let d: bool = lt low n
        let e: bool = lt low 10
        let u: i64 = assert ok (m) \"other\"
        let h: bool = lt u n";
    assert_eq!(
        comparisons(stms),
        ["ok open", "fits open", "a true", "b true", "d by j l", "e by j l", "h open"]
    );
}

/// If the branch takes the other side, the check has not run.
#[test]
fn checks_in_one_side_of_a_branch_prove_nothing_after_it() {
    let stms = "
        let ok: bool = lt k n
        let up: bool = lt 0 m
        let some: bool = lt 0 n
        let e: i64 = if up then { let j: i64 = assert ok (k) \"out\" let a: bool = lt j n in j } else -1
        let b: bool = lt e n
        let l: i64 = assert ok (k) \"out\"
        let g: i64 = if up then l else -1
        let d: bool = lt g n";
    assert_eq!(comparisons(stms), ["ok open", "up open", "some open", "a by j", "b open", "d by l"]);
}

#[test]
fn sizes_of_rows_and_of_loop_parameters_may_be_negative() {
    let stms = "
        let s: [n][k]i32 = scratch
        let t: [k]i32 = scratch
        let o: [n]bool = screma n { from s map \\(row: [k]i32) -> { let a: bool = le 0 k in c } to map }
        let q: [k]i32 = loop (ts: [k]i32 = t) for i: i64 < m do { let b: bool = le 0 k in ts }
        let p: i32 = stream n {
          from s
          chunk \\(k2: i64, at: i64, es: [k2][k]i32) -> { let d: bool = le 0 k let f2: i32 = xs[at] in f2 }
          to reduce \\(y: i32, z: i32) -> y (0i32)
        }";
    assert_eq!(comparisons(stms), ["a open", "b open", "d open"]);
}

#[test]
fn counters_of_a_segment_are_below_their_sizes() {
    let stms = "let a: bool = lt i n let b: bool = le 0 j let d: bool = lt j m let e: bool = lt 0 m let g: bool = lt i m";
    let text =
        format!("let o: [n][m]bool = segment grid (i < n, j < m) {{ map \\() -> {{ {stms} in c }} to map }}");
    assert_eq!(comparisons(&text), ["a true", "b true", "d true", "e true", "g open"]);
}
