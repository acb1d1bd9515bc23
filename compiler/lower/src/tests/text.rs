//! The core IR of each construct.

use insta::assert_snapshot;

use super::core;

/// A call becomes the body of the function, and a type parameter its instance.
#[test]
fn functions_and_types_vanish() {
    let text = r"def twice 'a (f: a -> a) (x: a): a = f (f x)
        entry main (x: f32): f32 = twice (\y -> y * 2) x";
    assert_snapshot!(core(text), @r"
    fun main (x_0: f32) -> (v1: f32) = {
      let y_2: f32 = mul x_0 2.0f32
      let v3: f32 = mul y_2 2.0f32
      in v3
    }
    entry main = main (x = x_0) -> (*v1)
    ");
}

/// `zip` and `unzip` generate no statement.
#[test]
fn arrays_of_tuples_are_tuples_of_arrays() {
    let text = r"entry main [n] (xs: [n]i64) (ys: [n]i64): ([n]i64, [n]i64) = unzip (zip ys xs)";
    assert_snapshot!(core(text), @r"
    fun main (v0: i64, xs_1: [v0]i64, ys_2: [v0]i64) -> (v3: [v0]i64, v4: [v0]i64) = { in (ys_2, xs_1) }
    entry main = main (xs = xs_1, ys = ys_2) -> (v3, v4)
    ");
}

/// A record becomes its fields in the order of their names.
#[test]
fn records_are_tuples() {
    let text = r"def swap (r: {x: i32, y: f32}) = {y = r.x, x = r.y}
        entry main (x: i32) (y: f32): {x: f32, y: i32} = (swap {y, x}) with x = 2 * y";
    assert_snapshot!(core(text), @r"
    fun main (x_0: i32, y_1: f32) -> (v2: f32, v3: i32) = {
      let v4: f32 = mul 2.0f32 y_1
      in (v4, x_0)
    }
    entry main = main (x = x_0, y = y_1) -> (*v2, *v3)
    ");
}

/// The number of the constructor comes first; the payloads of the others are zero.
#[test]
fn values_of_sum_types_have_all_payloads() {
    let text = r"entry main (x: i32) (y: f32): [1](#a f32 | #b | #c (i32, f32)) = [#c (x, y)]";
    assert_snapshot!(core(text), @r"
    fun main (x_0: i32, y_1: f32) -> (v2: [1]i32, v3: [1]f32, v4: [1]i32, v5: [1]f32) = {
      let v6: [1]i32 = [2i32]
      let v7: [1]f32 = [0.0f32]
      let v8: [1]i32 = [x_0]
      let v9: [1]f32 = [y_1]
      in (v6, v7, v8, v9)
    }
    entry main = main (x = x_0, y = y_1) -> (*v2, *v3, *v4, *v5)
    ");
}

#[test]
fn a_match_is_a_chain_of_branches() {
    let text = r"entry main (s: #a i32 | #b): i32 = match s case #a 1 -> 5 case #a x -> x case #b -> 0";
    assert_snapshot!(core(text), @r"
    fun main (s_0: i32, s_1: i32) -> (v2: i32) = {
      let v3: bool = eq s_0 0i32
      let v4: bool = eq s_1 1i32
      let v5: bool = and v3 v4
      let v6: i32 = if v5 then 5i32 else {
        let v7: bool = eq s_0 0i32
        let v8: i32 = if v7 then s_1 else 0i32
        in v8
      }
      in v6
    }
    entry main = main (s_0 of 2, s_1) -> (*v2)
    ");
}

/// A match on a known constructor needs no branch, so its payload may be a function.
#[test]
fn a_match_on_a_known_constructor_vanishes() {
    let text = r"def apply 'a (f: #once (a -> a) | #twice (a -> a)) (x: a) =
          match f case #once g -> g x case #twice g -> g (g x)
        entry main (x: i32): i32 = apply (#twice (\y -> y + 1)) x";
    assert_snapshot!(core(text), @r"
    fun main (x_0: i32) -> (v1: i32) = {
      let y_2: i32 = add x_0 1i32
      let v3: i32 = add y_2 1i32
      in v3
    }
    entry main = main (x = x_0) -> (*v1)
    ");
}

#[test]
fn a_map_is_a_screma() {
    let text = r"entry main [n] (xs: [n]i64) (ys: [n]i64): [n]i64 = map2 (-) xs ys";
    assert_snapshot!(core(text), @r"
    fun main (v0: i64, xs_1: [v0]i64, ys_2: [v0]i64) -> (v3: [v0]i64) = {
      let v4: [v0]i64 = screma v0 {
        from xs_1, ys_2
        map \(left_5: i64, right_6: i64) -> {
          let v7: i64 = sub left_5 right_6
          in v7
        }
        to map
      }
      in v4
    }
    entry main = main (xs = xs_1, ys = ys_2) -> (*v3)
    ");
}

#[test]
fn a_scan_has_a_mapped_sink() {
    let text = r"entry main [n] (xs: [n]i64): [n]i64 = scan (+) 0 xs";
    assert_snapshot!(core(text), @r"
    fun main (v0: i64, xs_1: [v0]i64) -> (v2: [v0]i64) = {
      let v3: [v0]i64 = screma v0 {
        from xs_1
        map \(v4: i64) -> v4
        scan \(left_5: i64, right_6: i64) -> {
          let v7: i64 = add left_5 right_6
          in v7
        } (0i64)
        to map
      }
      in v3
    }
    entry main = main (xs = xs_1) -> (*v2)
    ");
}

/// One sink for each component; both use the same positions.
#[test]
fn a_scatter_has_written_sinks() {
    let text = r"entry main [n] [m] (xs: *[n]i32, ys: *[n]f32) (is: [m]i64) (v: [m]i32): ([n]i32, [n]f32) = unzip (scatter (zip xs ys) is (map (\x -> (x, 1)) v))";
    assert_snapshot!(core(text), @r"
    fun main (v0: i64, v1: i64, *xs_2: [v0]i32, *ys_3: [v0]f32, is_4: [v1]i64, v_5: [v1]i32) -> (v6: [v0]i32, v7: [v0]f32) = {
      let (v8: [v1]i32, v9: [v1]f32) = screma v1 {
        from v_5
        map \(x_10: i32) -> (x_10, 1.0f32)
        to map
        to map
      }
      let (v11: [v0]i32, v12: [v0]f32) = screma v1 {
        from is_4, v8, v9
        map \(v13: i64, v14: i32, v15: f32) -> (v13, v14, v13, v15)
        to write xs_2 rank 1
        to write ys_3 rank 1
      }
      in (v11, v12)
    }
    entry main = main (*xs_2, *ys_3, is = is_4, v = v_5) -> (*v6, *v7)
    ");
}

/// The size keeps its name.
#[test]
fn the_size_of_an_iota_is_the_result_of_its_check() {
    let text = r"entry main (n: i64): [n]i64 = map (+ n) (iota n)";
    assert_snapshot!(core(text), @r#"
    fun main (n_0: i64) -> (v1: i64, v2: [v1]i64) = {
      let v3: bool = le 0i64 n_0
      let v4: i64 = assert v3 (n_0) "Range 0..1..<" n_0 " is invalid." @ 1:40..48
      let v5: [v4]i64 = iota v4 0i64 1i64
      let v6: [v4]i64 = screma v4 {
        from v5
        map \(left_7: i64) -> {
          let v8: i64 = add left_7 n_0
          in v8
        }
        to map
      }
      in (v4, v6)
    }
    entry main = main (n = n_0) -> (*v2)
    "#);
}

#[test]
fn an_index_depends_on_its_check() {
    let text = r"entry main [n] [m] (xs: [n][m]i32) (i: i32): i32 = xs[i, 0]";
    assert_snapshot!(core(text), @r#"
    fun main (v0: i64, v1: i64, xs_2: [v0][v1]i32, i_3: i32) -> (v4: i32) = {
      let v5: i64 = convert i64 i_3
      let v6: bool = le 0i64 v5
      let v7: bool = lt v5 v0
      let v8: bool = lt 0i64 v1
      let v9: bool = and v6 v7
      let v10: bool = and v9 v8
      let (v11: i64, v12: i64) = assert v10 (v5, 0i64) "Index [" v5 ", 0] out of bounds for array of shape [" v0 "][" v1 "]." @ 1:51..59
      let v13: i32 = xs_2[v11, v12]
      in v13
    }
    entry main = main (xs = xs_2, i = i_3) -> (*v4)
    "#);
}

#[test]
fn a_slice_depends_on_its_check() {
    let text = r"entry main [n] (xs: [n]i32) (k: i64): [k]i32 = xs[:k]";
    assert_snapshot!(core(text), @r#"
    fun main (v0: i64, xs_1: [v0]i32, k_2: i64) -> (v3: i64, v4: [v3]i32) = {
      let v5: bool = le k_2 v0
      let v6: bool = le 0i64 k_2
      let v7: bool = and v6 v5
      let v8: bool = eq k_2 0i64
      let v9: bool = or v8 v7
      let (v10: i64, v11: i64) = assert v9 (0i64, k_2) "Index [:" k_2 "] out of bounds for array of shape [" v0 "]." @ 1:47..53
      let v12: [v11]i32 = slice xs_1[v10 : v11 : 1i64]
      in (v11, v12)
    }
    entry main = main (xs = xs_1, k = k_2) -> (v4)
    "#);
}

#[test]
fn a_divisor_depends_on_its_check() {
    let text = r"entry main (a: i32) (b: i32): i32 = a / b + a / 2";
    assert_snapshot!(core(text), @r#"
    fun main (a_0: i32, b_1: i32) -> (v2: i32) = {
      let v3: bool = ne b_1 0i32
      let v4: i32 = assert v3 (b_1) "division by zero" @ 1:36..41
      let v5: i32 = div a_0 v4
      let v6: i32 = div a_0 2i32
      let v7: i32 = add v5 v6
      in v7
    }
    entry main = main (a = a_0, b = b_1) -> (*v2)
    "#);
}

/// The i64 of the program and the size of the type are the same variable.
#[test]
fn a_size_is_computed_once() {
    let text = r"entry main (n: i64): [n + 1]i64 = map2 (+) (iota (n + 1)) (iota (n + 1))";
    assert_snapshot!(core(text), @r#"
    fun main (n_0: i64) -> (v1: i64, v2: [v1]i64) = {
      let v3: i64 = add n_0 1i64
      let v4: bool = le 0i64 v3
      let v5: i64 = assert v4 (v3) "Range 0..1..<" v3 " is invalid." @ 1:58..72
      let v6: [v5]i64 = iota v5 0i64 1i64
      let v7: [v5]i64 = iota v5 0i64 1i64
      let v8: [v5]i64 = screma v5 {
        from v7, v6
        map \(left_9: i64, right_10: i64) -> {
          let v11: i64 = add left_9 right_10
          in v11
        }
        to map
      }
      in (v5, v8)
    }
    entry main = main (n = n_0) -> (*v2)
    "#);
}

/// The size is an additional result.
#[test]
fn sides_of_a_branch_may_differ_in_size() {
    let text = r"entry main (c: bool): []i64 = if c then iota 2 else iota 3";
    assert_snapshot!(core(text), @r"
    fun main (c_0: bool) -> (v1: i64, v2: [v1]i64) = {
      let (v3: i64, v4: [v3]i64) = if c_0 then {
        let v5: [2]i64 = iota 2i64 0i64 1i64
        in (2i64, v5)
      } else {
        let v6: [3]i64 = iota 3i64 0i64 1i64
        in (3i64, v6)
      }
      in (v3, v4)
    }
    entry main = main (c = c_0) -> (*v2)
    ");
}

/// The sizes are merge parameters, and so is the condition.
#[test]
fn sizes_of_a_loop_may_change() {
    let text = r"entry main (n: i64): []i64 = loop xs = [n] while length xs < n do concat xs xs";
    assert_snapshot!(core(text), @r#"
    fun main (n_0: i64) -> (v1: i64, v2: [v1]i64) = {
      let xs_3: [1]i64 = [n_0]
      let v4: bool = lt 1i64 n_0
      let (v5: i64, v6: [v5]i64, v7: bool) = loop (v8: i64 = 1i64, xs_9: [v8]i64 = xs_3, v10: bool = v4) while v10 do {
        let v11: i64 = add v8 v8
        let v12: bool = le 0i64 v11
        let v13: i64 = assert v12 (v11) "Size " v8 " + " v8 " is too large." @ 1:66..78
        let xs_14: [v13]i64 = concat (xs_9, xs_9)
        let v15: i64 = v13
        let v16: bool = lt v15 n_0
        in (v13, xs_14, v16)
      }
      in (v5, v6)
    }
    entry main = main (n = n_0) -> (*v2)
    "#);
}

/// This holds even for a constant that is first used in a nested body.
#[test]
fn constants_are_evaluated_first() {
    let text = r"def table: [2]i32 = [3, 4]
        entry main (n: i64) (i: i64): i64 = if n > 0 then i64.i32 table[i] else 0";
    assert_snapshot!(core(text), @r#"
    fun main (n_0: i64, i_1: i64) -> (v2: i64) = {
      let table_3: [2]i32 = [3i32, 4i32]
      let v4: bool = lt 0i64 n_0
      let v5: i64 = if v4 then {
        let v6: bool = le 0i64 i_1
        let v7: bool = lt i_1 2i64
        let v8: bool = and v6 v7
        let v9: i64 = assert v8 (i_1) "Index [" i_1 "] out of bounds for array of shape [2]." @ 1:93..101
        let v10: i32 = table_3[v9]
        let v11: i64 = convert i64 v10
        in v11
      } else 0i64
      in v5
    }
    entry main = main (n = n_0, i = i_1) -> (*v2)
    "#);
}

/// A size that is another parameter is checked against it.
#[test]
fn sizes_of_entry_points_are_checked() {
    let text = r"entry main (n: i64) (xs: [n]i32): i64 = length xs";
    assert_snapshot!(core(text), @r#"
    fun main (v0: i64, n_1: i64, xs_2: [v0]i32) -> (v3: i64) = {
      let v4: bool = eq v0 n_1
      let (v5: i64, xs_6: [v5]i32) = assert v4 (n_1, xs_2) "Entry point arguments have invalid sizes: value of shape [" v0 "] cannot match shape of type \"[" n_1 "]i32\"." @ 1:21..31
      let v7: i64 = assert v4 (v5) "Entry point arguments have invalid sizes: value of shape [" v0 "] cannot match shape of type \"[" n_1 "]i32\"." @ 1:21..31
      in v7
    }
    entry main = main (n = n_1, xs = xs_2) -> (*v3)
    "#);
}

#[test]
fn a_lambda_that_returns_rows_states_their_shape() {
    let text = r"entry main (n: i64) (m: i64): [n][m]i64 = map (\i -> map (* i) (iota m)) (iota n)";
    assert_snapshot!(core(text), @r#"
    fun main (n_0: i64, m_1: i64) -> (v2: i64, v3: i64, v4: [v2][v3]i64) = {
      let v5: bool = le 0i64 n_0
      let v6: i64 = assert v5 (n_0) "Range 0..1..<" n_0 " is invalid." @ 1:73..81
      let v7: [v6]i64 = iota v6 0i64 1i64
      let v8: bool = le 0i64 m_1
      let v9: i64 = assert v8 (m_1) "Range 0..1..<" m_1 " is invalid." @ 1:42..81
      let v10: [v6][v9]i64 = screma v6 {
        from v7
        map \(i_11: i64) -> {
          let v12: [v9]i64 = iota v9 0i64 1i64
          let v13: [v9]i64 = screma v9 {
            from v12
            map \(left_14: i64) -> {
              let v15: i64 = mul left_14 i_11
              in v15
            }
            to map
          }
          in v13
        }
        to map
      }
      in (v6, v9, v10)
    }
    entry main = main (n = n_0, m = m_1) -> (*v4)
    "#);
}
