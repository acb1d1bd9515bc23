//! Snapshots of the kernel text for each form of core IR.

use ravel_kernel::Target;

use super::{kernel, program};

fn text(core: &str, target: &Target) -> String {
    kernel(&program(core), target).expect("nothing is refused").to_string()
}

#[test]
fn a_map_stores_its_results() {
    let core = r#"fun main (n: i64, xs: [n]i32) -> (r: [n]i32) = {
  let ys: [n]i32 = screma n { from xs map \(x: i32) -> { let y: i32 = add x 1i32 in y } to map }
  in ys
}
entry main = main (xs = xs) -> (*r)"#;
    insta::assert_snapshot!(text(core, &Target::GPU), @r#"
    entry "main" [n_0] ("xs" xs_1: block i32 [n_0]) -> ([]i32) {
      view xs_2: i32 [n_0] = xs_1 + 0i64 * [1i64]
      alloc ys_3: block i32 = n_0
      view ys_4: i32 [n_0] = ys_3 + 0i64 * [1i64]
      segment map "map" (v5 < n_0) chunk 1i64 {
        load x_6: i32 = xs_2[v5]
        let y_7: i32 = add(x_6, 1i32)
        store ys_4[v5] = y_7
      }
      yield n_0, ys_3
    }
    "#);
}

#[test]
fn one_segment_maps_writes_and_reduces() {
    let core = r#"fun main (n: i64, *g: [5]i32, xs: [n]i64) -> (r: [5]i32, s: i64) = {
  let (h: [5]i32, s_: i64) = screma n { from xs map \(x: i64) -> (x, 7i32, x)
    to write g rank 1
    to reduce commutative \(a: i64, b: i64) -> { let c: i64 = add a b in c } (0i64) }
  in (h, s_)
}
entry main = main (*g = g, xs = xs) -> (*r, s)"#;
    insta::assert_snapshot!(text(core, &Target::CPU), @r#"
    entry "main" [n_0] (*"g" g_1: block i32 [5i64], "xs" xs_2: block i64 [n_0]) -> ([]i32, i64) {
      view g_3: i32 [5i64] = g_1 + 0i64 * [1i64]
      view xs_4: i64 [n_0] = xs_2 + 0i64 * [1i64]
      alloc v5: block i64 = 1i64
      view v6: i64 [] = v5 + 0i64 * []
      let v7: i64 = min(n_0, 1i64)
      let v8: i64 = sub(n_0, v7)
      let v9: i64 = quot(v8, 1024i64)
      let v10: i64 = add(v9, v7)
      let v11: i64 = max(v10, 3276i64)
      segment reduce "reduce" (v12 < n_0) chunk v11 {
        load x_13: i64 = xs_4[v12]
        let v14: bool = le(0i64, x_13)
        let v15: bool = lt(x_13, 5i64)
        let v16: bool = and(v14, v15)
        if v16 {
          store g_3[x_13] = 7i32
        } else {
        }
        yield x_13
      } combine (a_17: i64) (b_18: i64) neutral (0i64) into (v6) commutative {
        let c_19: i64 = add(a_17, b_18)
        yield c_19
      }
      load s__20: i64 = v6[]
      yield 5i64, g_1, s__20
    }
    "#);
}

#[test]
fn code_after_a_scan_reads_it_from_memory() {
    let core = r#"fun main (n: i64, xs: [n]i64, ys: [n]f32) -> (r: [n]f32) = {
  let d: [n]f32 = scratch
  let ys_: [n]f32 = screma n { from xs, ys map \(x: i64, y: f32) -> (x, y)
    scan \(a: i64, b: i64) -> { let c: i64 = add a b in c } (0i64)
    to write d rank 1 }
  in ys_
}
entry main = main (xs = xs, ys = ys) -> (*r)"#;
    insta::assert_snapshot!(text(core, &Target::GPU), @r#"
    entry "main" [n_0] ("xs" xs_1: block i64 [n_0], "ys" ys_2: block f32 [n_0]) -> ([]f32) {
      view xs_3: i64 [n_0] = xs_1 + 0i64 * [1i64]
      view ys_4: f32 [n_0] = ys_2 + 0i64 * [1i64]
      alloc d_5: block f32 = n_0
      view d_6: f32 [n_0] = d_5 + 0i64 * [1i64]
      alloc v7: block i64 = n_0
      view v8: i64 [n_0] = v7 + 0i64 * [1i64]
      let v9: i64 = min(n_0, 1i64)
      let v10: i64 = sub(n_0, v9)
      let v11: i64 = quot(v10, 65536i64)
      let v12: i64 = add(v11, v9)
      let v13: i64 = max(v12, 1i64)
      segment scan "scan" (v14 < n_0) chunk v13 {
        load x_15: i64 = xs_3[v14]
        yield x_15
      } combine (a_16: i64) (b_17: i64) neutral (0i64) into (v8) commutative {
        let c_18: i64 = add(a_16, b_17)
        yield c_18
      }
      segment map "scatter" (v19 < n_0) chunk 1i64 {
        load v20: i64 = v8[v19]
        load y_21: f32 = ys_4[v19]
        let v22: bool = le(0i64, v20)
        let v23: bool = lt(v20, n_0)
        let v24: bool = and(v22, v23)
        if v24 {
          store d_6[v20] = y_21
        } else {
        }
      }
      yield n_0, d_5
    }
    "#);
}

#[test]
fn arrays_of_threads_are_interleaved_in_one_block() {
    let core = r#"fun main (n: i64, k: i64, xs: [n]f32) -> (r: [n]f32) = {
  let r_: [n]f32 = screma n { from xs map \(x: f32) -> {
    let t: [k]f32 = replicate k x
    let y: f32 = t[0]
    in y } to map }
  in r_
}
entry main = main (k, xs = xs) -> (*r)"#;
    insta::assert_snapshot!(text(core, &Target::GPU), @r#"
    message0 = "the arrays of a single thread take ", i64, " bytes, more than --max-memory allows"

    entry "main" [n_0] (k_1: i64, "xs" xs_2: block f32 [n_0]) -> ([]f32) {
      view xs_3: f32 [n_0] = xs_2 + 0i64 * [1i64]
      alloc r__4: block f32 = n_0
      view r__5: f32 [n_0] = r__4 + 0i64 * [1i64]
      let v6: i64 = max(k_1, 0i64)
      let v7: bool = lt(0i64, n_0)
      if v7 {
        let v8: i64 = mul(v6, 4i64)
        let v9: bool = lt(2305843009213693951i64, v6)
        let v10: i64 = select(v9, 9223372036854775807i64, v8)
        let v11: i64 = private_limit(v10)
        let v12: bool = lt(0i64, v11)
        assert v12 message0(v10)
        let v13: i64 = max(v10, 1i64)
        let v14: i64 = quot(v11, v13)
        let v15: i64 = max(v14, 1i64)
        let v16: i64 = min(v15, n_0)
        let v17: i64 = sub(n_0, 1i64)
        let v18: i64 = quot(v17, v16)
        let v19: i64 = add(v18, 1i64)
        loop () for v20: i64 < v19 {
          let v21: i64 = mul(v16, v6)
          let v22: i64 = max(v16, 1i64)
          let v23: i64 = quot(9223372036854775807i64, v22)
          let v24: bool = lt(v23, v6)
          let v25: i64 = select(v24, 9223372036854775807i64, v21)
          alloc t_26: block f32 = v25
          let v27: i64 = mul(v20, v16)
          let v28: i64 = sub(n_0, v27)
          let v29: i64 = min(v28, v16)
          segment map "map" (v30 < v29) chunk 1i64 {
            let v31: i64 = add(v27, v30)
            load x_32: f32 = xs_3[v31]
            view t_33: f32 [k_1] = t_26 + v30 * [v16]
            loop () for v34: i64 < k_1 {
              store t_33[v34] = x_32
            }
            load y_35: f32 = t_33[0i64]
            store r__5[v31] = y_35
          }
        }
      } else {
      }
      yield n_0, r__4
    }
    "#);
}

#[test]
fn rows_are_computed_in_the_result() {
    let core = r#"fun main (n: i64, k: i64, xs: [n]f32) -> (r: [n][k]f32) = {
  let r_: [n][k]f32 = screma n { from xs map \(x: f32) -> {
    let t: [k]f32 = replicate k x
    let u: [k]f32 = loop (a: [k]f32 = t) for i: i64 < k do {
      let b: [k]f32 = a with [i] = 2.0f32
      in b }
    in u } to map }
  in r_
}
entry main = main (k, xs = xs) -> (*r)"#;
    insta::assert_snapshot!(text(core, &Target::CPU), @r#"
    entry "main" [n_0] (k_1: i64, "xs" xs_2: block f32 [n_0]) -> ([][]f32) {
      view xs_3: f32 [n_0] = xs_2 + 0i64 * [1i64]
      let v4: i64 = mul(n_0, k_1)
      let v5: i64 = max(n_0, 1i64)
      let v6: i64 = quot(9223372036854775807i64, v5)
      let v7: bool = lt(v6, k_1)
      let v8: i64 = select(v7, 9223372036854775807i64, v4)
      alloc r__9: block f32 = v8
      let v10: i64 = max(k_1, 1i64)
      let v11: i64 = min(v10, 16384i64)
      let v12: i64 = max(v11, 4i64)
      let v13: i64 = quot(16384i64, v12)
      let v14: i64 = max(v13, 1i64)
      let v15: i64 = min(n_0, 1i64)
      let v16: i64 = sub(n_0, v15)
      let v17: i64 = quot(v16, 1024i64)
      let v18: i64 = add(v17, v15)
      let v19: i64 = max(v18, v14)
      segment map "map" (v20 < n_0) chunk v19 {
        let v21: i64 = mul(v20, k_1)
        view v22: f32 [k_1] = r__9 + v21 * [1i64]
        load x_23: f32 = xs_3[v20]
        loop () for v24: i64 < k_1 {
          store v22[v24] = x_23
        }
        loop () for i_25: i64 < k_1 {
          store v22[i_25] = 2.0f32
        }
      }
      yield n_0, k_1, r__9
    }
    "#);
}

#[test]
fn the_host_passes_handles_through_loops_and_branches() {
    let core = r#"fun main (n: i64, k: i64, xs: [n]f32) -> (r: [n]f32) = {
  let z: [n]f32 = iota n 0.0f32 1.0f32
  let r_: [n]f32 = loop (a: [n]f32 = z) for i: i64 < k do {
    let b: [n]f32 = screma n { from a, xs map \(x: f32, y: f32) -> { let w: f32 = mul x y in w } to map }
    in b }
  in r_
}
entry main = main (k, xs = xs) -> (*r)"#;
    insta::assert_snapshot!(text(core, &Target::GPU), @r#"
    entry "main" [n_0] (k_1: i64, "xs" xs_2: block f32 [n_0]) -> ([]f32) {
      view xs_3: f32 [n_0] = xs_2 + 0i64 * [1i64]
      alloc z_4: block f32 = n_0
      view z_5: f32 [n_0] = z_4 + 0i64 * [1i64]
      segment map "map" (v6 < n_0) chunk 1i64 {
        let v7: f32 = f32(v6)
        store z_5[v6] = v7
      }
      loop (a_8: block f32 = z_4) for i_9: i64 < k_1 {
        view a_10: f32 [n_0] = a_8 + 0i64 * [1i64]
        alloc b_11: block f32 = n_0
        view b_12: f32 [n_0] = b_11 + 0i64 * [1i64]
        segment map "map" (v13 < n_0) chunk 1i64 {
          load x_14: f32 = a_10[v13]
          load y_15: f32 = xs_3[v13]
          let w_16: f32 = mul(x_14, y_15)
          store b_12[v13] = w_16
        }
        yield b_11
      } -> (r__17: block f32)
      yield n_0, r__17
    }
    "#);
}

#[test]
fn a_loop_over_elements_runs_in_one_thread() {
    let core = r#"fun main (n: i64, xs: [n]i32) -> (s: i32) = {
  let s_: i32 = loop (a: i32 = 0i32) for i: i64 < n do {
    let x: i32 = xs[i]
    let b: i32 = add a x
    in b }
  in s_
}
entry main = main (xs = xs) -> (s)"#;
    insta::assert_snapshot!(text(core, &Target::GPU), @r#"
    entry "main" [n_0] ("xs" xs_1: block i32 [n_0]) -> (i32) {
      view xs_2: i32 [n_0] = xs_1 + 0i64 * [1i64]
      alloc s__3: block i32 = 1i64
      view s__4: i32 [1i64] = s__3 + 0i64 * [1i64]
      segment map "one_thread" (v5 < 1i64) chunk 1i64 {
        loop (s__6: i32 = 0i32) for i_7: i64 < n_0 {
          load x_8: i32 = xs_2[i_7]
          let b_9: i32 = add(s__6, x_8)
          yield b_9
        } -> (s__10: i32)
        store s__4[0i64] = s__10
      }
      load s__11: i32 = s__4[0i64]
      yield s__11
    }
    "#);
}

#[test]
fn branches_update_in_place() {
    let core = r#"fun main (n: i64, xs: [n][4]i32) -> (r: [n][4]i32) = {
  let r_: [n][4]i32 = screma n { from xs map \(x: [4]i32) -> {
    let c: [4]i32 = copy x
    let t: [4]i32 = loop (b: [4]i32 = c) for j: i64 < 3 do {
      let e: i32 = b[j]
      let p: bool = lt 0i32 e
      let d: [4]i32 = if p then { let b1: [4]i32 = b with [j] = 0i32 in b1 } else b
      in d }
    in t } to map }
  in r_
}
entry main = main (xs = xs) -> (*r)"#;
    insta::assert_snapshot!(text(core, &Target::GPU), @r#"
    entry "main" [n_0] ("xs" xs_1: block i32 [n_0, 4i64]) -> ([][]i32) {
      let v2: i64 = mul(n_0, 4i64)
      let v3: bool = lt(2305843009213693951i64, n_0)
      let v4: i64 = select(v3, 9223372036854775807i64, v2)
      alloc r__5: block i32 = v4
      segment map "map" (v6 < n_0) chunk 1i64 {
        let v7: i64 = mul(v6, 4i64)
        view v8: i32 [4i64] = r__5 + v7 * [1i64]
        view x_9: i32 [4i64] = xs_1 + v7 * [1i64]
        copy v8 = x_9
        loop () for j_10: i64 < 3i64 {
          load e_11: i32 = v8[j_10]
          let p_12: bool = lt(0i32, e_11)
          if p_12 {
            store v8[j_10] = 0i32
          } else {
          }
        }
      }
      yield n_0, 4i64, r__5
    }
    "#);
}

#[test]
fn arrays_are_passed_to_functions_and_returned() {
    let core = r#"fun f (n: i64, *xs: [n]i32, ys: [n]i32) -> (r: [n]i32, s: [n]i32) = {
  let y: i32 = ys[0]
  let zs: [n]i32 = xs with [0] = y
  in (zs, ys)
}
fun main (n: i64, *xs: [n]i32, ys: [n][n]i32) -> (r: [n]i32, s: [n]i32) = {
  let row: [n]i32 = slice ys[1, 0 : n : 1]
  let (r_: [n]i32, s_: [n]i32) = call f (n, xs, row)
  in (r_, s_)
}
entry main = main (*xs = xs, ys = ys) -> (*r, s)"#;
    insta::assert_snapshot!(text(core, &Target::CPU), @r#"
    host function "f" (n_0: i64, *xs_1: block i32, ys_2: block i32, v3: i64) -> (block i32, block i32) {
      view xs_4: i32 [n_0] = xs_1 + 0i64 * [1i64]
      view ys_5: i32 [n_0] = ys_2 + v3 * [1i64]
      load y_6: i32 = ys_5[0i64]
      store xs_4[0i64] = y_6
      alloc v7: block i32 = n_0
      view v8: i32 [n_0] = v7 + 0i64 * [1i64]
      copy v8 = ys_5
      yield xs_1, v7
    }

    entry "main" [n_0] (*"xs" xs_1: block i32 [n_0], "ys" ys_2: block i32 [n_0, n_0]) -> ([]i32, []i32) {
      call "f" (n_0, *xs_1, ys_2, n_0) -> (r__3: block i32, s__4: block i32)
      yield n_0, r__3, n_0, s__4
    }
    "#);
}

#[test]
fn an_array_updated_on_one_side_of_a_branch_is_not_passed_as_a_handle() {
    let core = r#"fun main (c: bool, *xs: [5]i32) -> (r: [5]i32, s: i64) = {
  let (ys: [5]i32, y: i64) = if c then {
    let zs: [5]i32 = xs with [0] = 7i32
    in (zs, 1i64)
  } else (xs, 2i64)
  in (ys, y)
}
entry main = main (c = c, *xs = xs) -> (*r, s)"#;
    insta::assert_snapshot!(text(core, &Target::CPU), @r#"
    entry "main" [] ("c" c_0: bool, *"xs" xs_1: block i32 [5i64]) -> ([]i32, i64) {
      view xs_2: i32 [5i64] = xs_1 + 0i64 * [1i64]
      if c_0 {
        store xs_2[0i64] = 7i32
        yield 1i64
      } else {
        yield 2i64
      } -> (y_3: i64)
      yield 5i64, xs_1, y_3
    }
    "#);
}
