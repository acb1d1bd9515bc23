//! Programs with every form of statement, for tests.

/// Sums and scans arrays. Valid for a GPU, and for a CPU with private memory.
pub(crate) const SAMPLE: &str = r#"message0 at 0:3..7 from 0:9..12 = "Index [", i64, "] out of \"bounds\""
message1 =

entry "main" [n_0] (*"xs" xs_1: block f32 [n_0, 4i64], "c" c_2: bool, b_3: block i64 [3i64]) -> ([][]f32, f32, []i64) {
  let v4: i64 = mul(n_0, 4i64)
  let half_5: i64 = private_limit(n_0)
  assert c_2 message0(half_5)
  alloc ys_6: block f32 = v4
  view xs_7: f32 [n_0, 4i64] = xs_1 + 0i64 * [4i64, 1i64]
  view ys_8: f32 [n_0, 4i64] = ys_6 + 0i64 * [4i64, 1i64]
  copy ys_8 = xs_7
  segment map "map" (i_9 < n_0, j_10 < 4i64) chunk 1i64 at 0:10..20 {
    alloc row_11: private f32 = 4i64
    view row_12: f32 [4i64] = row_11 + 0i64 * [1i64]
    load x_13: f32 = xs_7[i_9, j_10]
    let y_14: f32 = neg(x_13)
    let less_15: bool = lt(y_14, -f32.inf)
    let z_16: f32 = select(less_15, y_14, -0.0f32)
    store row_12[j_10] = z_16
    if less_15 {
      assert c_2 message1()
      yield 1i32
    } else {
      yield -1i32
    } -> (s_17: i32)
    let t_18: f32 = f32(s_17)
    store ys_8[i_9, j_10] = t_18
  }
  alloc sum_19: block f32 = 1i64
  view sum_20: f32 [] = sum_19 + 0i64 * []
  segment reduce (i_21 < n_0) chunk 1024i64 {
    load x_22: f32 = ys_8[i_21, 0i64]
    yield x_22
  } combine (`left operand`_23: f32) (b_24: f32) neutral (f32.nan) into (sum_20) commutative {
    let c_25: f32 = add(`left operand`_23, b_24)
    yield c_25
  }
  load total_26: f32 = sum_20[]
  alloc ps_27: block i64 = n_0
  view ps_28: i64 [n_0] = ps_27 + 0i64 * [1i64]
  segment scan "scan" (i_29 < n_0) chunk 1024i64 {
    yield i_29
  } combine (a_30: i64) (b_31: i64) neutral (-9223372036854775808i64) into (ps_28) {
    let c_32: i64 = max(a_30, b_31)
    yield c_32
  }
  loop (more_33: bool = true, block_34: block i64 = ps_27) while more_33 {
    loop () for k_35: u8 < 200u8 {
      let unused_36: i64 = 0i64
    }
    yield false, block_34
  } -> (no_37: bool, ps_38: block i64)
  if no_37 {
    yield ps_38
  } else {
    alloc qs_39: block i64 = n_0
    yield qs_39
  } -> (rs_40: block i64)
  constants cs_41: block u8 = [1u8, 255u8]
  view cs_42: u8 [2i64] = cs_41 + 0i64 * [1i64]
  load last_43: u8 = cs_42[1i64]
  trace "last of \"rs\"" at 0:30..40 (u8, []i64) (last_43, n_0, ps_38)
  bins "main.bins0" at 0:30..40 (i64, []i64) (n_0, n_0, ps_38)
  choose "main.0" "full" if no_37 else "outer"
  let sine_44: f32, cosine_45: f32 = sine_cosine(total_26)
  yield n_0, 4i64, ys_6, total_26, n_0, rs_40
}
"#;

/// Recursive functions of both levels. Valid for targets with calls.
pub(crate) const CALLS: &str = r#"host function "fill" (n_0: i64, *xs_1: block i64, i_2: i64) -> (i64, block i64) {
  let done_3: bool = eq(i_2, n_0)
  if done_3 {
    yield n_0, xs_1
  } else {
    view row_4: i64 [n_0] = xs_1 + 0i64 * [1i64]
    store row_4[i_2] = i_2
    let next_5: i64 = add(i_2, 1i64)
    call "fill" (n_0, *xs_1, next_5) -> (m_6: i64, ys_7: block i64)
    yield m_6, ys_7
  } -> (k_8: i64, zs_9: block i64)
  yield k_8, zs_9
}

host function "nothing" () -> () {
}

thread function "sum" (n_0: i64, xs_1: block i64, start_2: i64) -> (i64) {
  let none_3: bool = le(n_0, 0i64)
  if none_3 {
    yield 0i64
  } else {
    view x_4: i64 [] = xs_1 + start_2 * []
    load first_5: i64 = x_4[]
    let less_6: i64 = sub(n_0, 1i64)
    let next_7: i64 = add(start_2, 1i64)
    call "sum" (less_6, xs_1, next_7) -> (rest_8: i64)
    let all_9: i64 = add(first_5, rest_8)
    yield all_9
  } -> (s_10: i64)
  yield s_10
}

entry "main" [] (n_0: i64) -> ([]i64) {
  call "nothing" ()
  alloc xs_1: block i64 = n_0
  call "fill" (n_0, *xs_1, 0i64) -> (m_2: i64, ys_3: block i64)
  alloc zs_4: block i64 = m_2
  view z_5: i64 [m_2] = zs_4 + 0i64 * [1i64]
  segment map (i_6 < m_2) chunk 1i64 {
    call "sum" (i_6, ys_3, 0i64) -> (s_7: i64)
    store z_5[i_6] = s_7
  }
  yield m_2, zs_4
}
"#;

/// A segment of workgroups: each sums a row and scans it in workgroup memory. Valid for a GPU and for a CPU.
pub(crate) const BLOCKS: &str = r#"message0 at 0:3..7 = limitation "no"

entry "main" [n_0] (xs_1: block f32 [n_0, 64i64], rounds_2: i64) -> ([][]f32) {
  let v3: i64 = mul(n_0, 64i64)
  alloc ys_4: block f32 = v3
  view xs_5: f32 [n_0, 64i64] = xs_1 + 0i64 * [64i64, 1i64]
  view ys_6: f32 [n_0, 64i64] = ys_4 + 0i64 * [64i64, 1i64]
  segment blocks "map" (i_7 < n_0) chunk 1i64 at 0:10..20 {
    alloc row_8: workgroup f32 = 64i64
    view row_9: f32 [64i64] = row_8 + 0i64 * [1i64]
    view rows_10: f32 [8i64, 8i64] = row_8 + 0i64 * [8i64, 1i64]
    alloc sum_11: workgroup f32 = 1i64
    view sum_12: f32 [] = sum_11 + 0i64 * []
    alloc parts_13: workgroup i64 = 8i64
    view parts_14: i64 [8i64] = parts_13 + 0i64 * [1i64]
    segment reduce "sum" (k_15 < 64i64) at 0:12..14 {
      load x_16: f32 = xs_5[i_7, k_15]
      let good_17: bool = le(0.0f32, x_16)
      assert good_17 message0()
      yield x_16
    } combine (a_18: f32) (b_19: f32) neutral (0.0f32) into (sum_12) {
      let c_20: f32 = add(a_18, b_19)
      yield c_20
    }
    load total_21: f32 = sum_12[]
    let positive_22: bool = lt(0.0f32, total_21)
    if positive_22 {
      segment scan (o_23 < 8i64, k_24 < 8i64) {
        yield total_21
      } combine (a_25: f32) (b_26: f32) neutral (0.0f32) into (rows_10) commutative {
        let c_27: f32 = add(a_25, b_26)
        yield c_27
      }
    } else {
      segment map (k_28 < 64i64) {
        store row_9[k_28] = 0.0f32
      }
    }
    segment reduce (o_29 < 8i64, k_30 < 8i64) {
      yield k_30
    } combine (a_31: i64) (b_32: i64) neutral (0i64) into (parts_14) {
      let c_33: i64 = max(a_31, b_32)
      yield c_33
    }
    loop (all_34: i64 = 0i64) for j_35: i64 < rounds_2 {
      assert positive_22 message0()
      load part_36: i64 = parts_14[j_35]
      yield part_36
    } -> (last_37: i64)
    segment map (k_38 < 64i64) {
      load y_39: f32 = row_9[k_38]
      store ys_6[i_7, k_38] = y_39
    }
  }
  yield n_0, 64i64, ys_4
}
"#;
