//! Functions that are not inlined by lowering.

use insta::assert_snapshot;
use ravel_core::visit::Visit as _;
use ravel_types::tast::Exp;
use ravel_types::visit::{Visit, walk_exp};

use super::{core, lower, run};

#[test]
fn a_light_function_is_inlined_and_a_heavy_one_is_called() {
    let text = |times: usize| {
        let sum = vec!["f32.exp x * y"; times].join(" + ");
        format!(
            "def f (x: f32) (y: f32): f32 = {sum}
            entry main (x: f32): f32 = f x 1 + f 2 x"
        )
    };
    assert!(!core(&text(2)).contains("call"));
    assert!(core(&text(5)).contains("call f (x_0, 1.0f32)"), "{}", core(&text(5)));
}

/// `apply` becomes one core function for each lambda that it is passed; small functions are inlined.
#[test]
fn failures_name_the_calls_that_lead_to_them() {
    let text = |attribute: &str| {
        format!(
            "def apply (f: i64 -> i32) (i: i64): i32 = f (i + 1)
{attribute} def light [n] (xs: [n]i32) (i: i64): i32 = apply (\\j -> xs[j]) i
def table: [2]i32 = map (\\x -> 6 / x) [1, 2]
entry main [n] (xs: [n]i32) (i: i64): i32 =
  let ys = map (light xs) [-1, i]
  in ys[1] + apply (\\j -> table[j]) i"
        )
    };
    let said = |text: &str, input| {
        let said = run(text, input);
        let (message, places) = said.split_once("\n\nBacktrace:\n-> #0  ").unwrap_or((&said, ""));
        let places =
            places.lines().map(|line| line.trim_start_matches(|letter| letter != ':')).collect::<Vec<_>>();
        (message.to_owned(), places.join(" "))
    };
    let out = |index, size| format!("Index [{index}] out of bounds for array of shape [{size}].");
    for attribute in ["", "#[noinline]"] {
        let column = |at: usize| if attribute.is_empty() { at } else { at + attribute.len() };
        let light =
            format!(":2:{}-{} :1:43-51 :2:{}-{} :5:12-33", column(58), column(62), column(45), column(65));
        assert_eq!(said(&text(attribute), "[1] 7"), (out(8, 1), light));
        let table = ":6:27-34 :1:43-51 :6:14-37".to_owned();
        assert_eq!(said(&text(attribute), "[1, 2, 3, 4] 2"), (out(3, 2), table));
    }
    let constant = text("").replace("[1, 2]\n", "[1, 0]\n");
    assert_eq!(said(&constant, "[1] 0"), ("division by zero".to_owned(), ":3:32-36 :3:21-44".to_owned()));
}

/// Sizes are ordinary parameters and results, bound from left to right.
#[test]
fn sizes_are_parameters_and_results() {
    let text = r"#[noinline] def ends [n] (xs: [n]i32) (k: i64): ([n + 1]i32, []i32) =
          (concat xs [0] :> [n + 1]i32, xs[:k])
        entry main [n] (xs: [n]i32): i32 = let (ys, zs) = ends xs 1 in ys[n] + zs[0]";
    assert_snapshot!(core(text), @r#"
    noinline fun ends (v0: i64, xs_1: [v0]i32, k_2: i64) -> (v3: i64, v4: i64, v5: [v3]i32, v6: [v4]i32) = {
      let v7: [1]i32 = [0i32]
      let v8: i64 = add v0 1i64
      let v9: bool = le 0i64 v8
      let v10: i64 = assert v9 (v8) "Size " v0 " + 1 is too large." @ 1:81..94
      let v11: [v10]i32 = concat (xs_1, v7)
      let v12: bool = le k_2 v0
      let v13: bool = le 0i64 k_2
      let v14: bool = and v13 v12
      let v15: bool = eq k_2 0i64
      let v16: bool = or v15 v14
      let (v17: i64, v18: i64) = assert v16 (0i64, k_2) "Index [:" k_2 "] out of bounds for array of shape [" v0 "]." @ 1:110..116
      let v19: [v18]i32 = slice xs_1[v17 : v18 : 1i64]
      in (v10, v18, v11, v19)
    }
    fun main (v0: i64, xs_1: [v0]i32) -> (v2: i32) = {
      let (v3: i64, v4: i64, ys_5: [v3]i32, zs_6: [v4]i32) = call ends (v0, xs_1, 1i64) @ 1:176..185
      let v7: bool = le 0i64 v0
      let v8: bool = lt v0 v3
      let v9: bool = and v7 v8
      let v10: i64 = assert v9 (v0) "Index [" v0 "] out of bounds for array of shape [" v3 "]." @ 1:189..194
      let v11: i32 = ys_5[v10]
      let v12: bool = lt 0i64 v4
      let v13: i64 = assert v12 (0i64) "Index [0] out of bounds for array of shape [" v4 "]." @ 1:197..202
      let v14: i32 = zs_6[v13]
      let v15: i32 = add v11 v14
      in v15
    }
    entry main = main (xs = xs_1) -> (*v2)
    "#);
}

/// A size that is known at compile time is part of the form; calls that differ in other sizes share one function.
#[test]
fn calls_of_one_form_share_one_function() {
    let text = r"#[noinline] def f 'a [n] (g: a -> a) (xs: [n]a): [n]a = map g xs
        entry main [n] (xs: [n]i32) (ys: [n]f32) (k: i32): ([n]i32, [n]i32, [n]f32, [n]i32, [2]i32) =
          let add x = \y -> x + y
          in (f (add k) xs, f (add 2) xs, f (+ 1) ys, f (+ 1) xs, f (add 3) [1, 2])";
    let core = core(text);
    assert_eq!(core.matches("call f (").count(), 2, "{core}");
    let others = ["f_2", "f_3", "f_4"].map(|name| core.matches(&format!("call {name} (")).count());
    assert_eq!(others, [1, 1, 1], "{core}");
}

/// The statements of a prelude function have the place where the function is named, not where it is called.
#[test]
fn a_prelude_function_has_one_core_function_for_each_place() {
    for (calls, functions) in [
        ("(f i32.abs xs, f i32.abs xs)", 2),
        ("let abs = i32.abs in (f abs xs, f abs xs)", 1),
        ("let abs (x: i32) = i32.abs x in (f abs xs, f abs xs)", 1),
    ] {
        let text = format!(
            "#[noinline] def f [n] (g: i32 -> i32) (xs: [n]i32) = map g xs\n\
             entry main [n] (xs: [n]i32): ([n]i32, [n]i32) = {calls}"
        );
        assert_eq!(core(&text).matches("noinline fun f").count(), functions, "{}", core(&text));
    }
}

#[test]
fn a_recursive_function_is_generated_once() {
    let text = r"def sum [n] (xs: [n]i32): i32 = if n == 0 then 0 else xs[0] + sum xs[1:]
        entry main (xs: []i32): i32 = sum xs + sum (copy xs) + sum [1, 2] + sum [1, 2, 3]";
    assert_eq!(core(text).matches("fun ").count(), 2, "{}", core(text));
    assert_eq!(run(text, "[1, 2, 3]"), "21i32");
}

#[test]
fn constants_are_passed_to_the_functions_that_need_them() {
    let text = r"def table: [4]i64 = map (\i -> i * i) (iota 4)
        #[noinline] def at (i: i64): i64 = table[i]
        entry main (i: i64): i64 = at i + at (i + 1)";
    let core = core(text);
    assert_eq!(core.matches("screma").count(), 1, "{core}");
    assert_eq!(run(text, "1"), "5i64");
}

#[test]
fn functions_in_captured_values_are_part_of_the_form() {
    let text = r"def rec (p: (i64 -> i64, i64)) (k: i64) (n: i64): i64 =
          if n == 0 then p.1 + k else p.0 (rec p (k + 1) (n - 1))
        entry main (a: i64) (n: i64): i64 = rec (\x -> x * a, 1) 0 n + rec ((+ a), 0) 0 n";
    assert_eq!(run(text, "3 2"), "35i64");
}

#[test]
fn a_consumed_parameter_is_consumed_in_core() {
    let text = r"def fill [n] (xs: *[n]i64) (i: i64): *[n]i64 =
          if i == n then xs else fill (xs with [i] = i * i) (i + 1)
        entry main (n: i64): []i64 = fill (replicate n 0) 0";
    let program = lower(text).expect("a program that can be lowered");
    let consumed = |name: &str| {
        let function = program.functions.iter().find(|function| function.name.as_str() == name);
        function.map(|function| function.params.iter().map(|param| param.consumed).collect::<Vec<_>>())
    };
    assert_eq!(consumed("fill"), Some(vec![false, true, false]));
    assert_eq!(run(text, "4"), "[0i64, 1i64, 4i64, 9i64]");
}

#[test]
fn the_result_of_a_core_function_may_share_memory() {
    let text = r"#[noinline] def f [n] (xs: [n]i64): [n]i64 = xs
        entry main [n] (xs: [n]i64): [n]i64 = f xs";
    assert!(core(text).ends_with("-> (v2)\n"), "{}", core(text));
    assert!(core(&text.replace("= xs\n", "= copy xs\n")).ends_with("-> (*v2)\n"));
}

/// The numbers of expressions in a source and of statements in its core IR.
fn sizes(text: &str) -> (usize, usize) {
    struct Nodes(usize);
    impl<'a> Visit<'a> for Nodes {
        fn exp(&mut self, exp: &'a Exp) {
            self.0 += 1;
            walk_exp(self, exp);
        }
    }
    struct Stms(usize);
    impl ravel_core::visit::Visit for Stms {
        fn var(&mut self, _: &ravel_core::Var) {}
        fn binder(&mut self, _: &ravel_core::Var) {}
        fn stm(&mut self, stm: &ravel_core::Stm) {
            self.0 += 1;
            self.exp(&stm.exp);
        }
    }
    let mut nodes = Nodes(0);
    for definition in &super::check(text).definitions {
        nodes.function(&definition.function);
    }
    let mut stms = Stms(0);
    for function in &lower(text).expect("a program that can be lowered").functions {
        stms.function(function);
    }
    (nodes.0, stms.0)
}

/// A program whose code grows by a factor of 3^20 if each call is inlined.
#[test]
fn code_grows_no_faster_than_the_source() {
    for (name, text) in [
        ("first-order", include_str!("../../../../tests/run/calls/tower.dsl")),
        ("higher-order", include_str!("../../../../tests/run/calls/higher_tower.dsl")),
    ] {
        let (nodes, stms) = sizes(text);
        assert!(stms <= 10 * nodes, "{name}: {stms} statements of {nodes} expressions");
    }
}
