//! The sample programs are valid, and each edit of them violates one rule.

mod places;

use ravel_abi::Machine;

use super::{MemProgram, VerifyError};
use crate::parse;
use crate::sample::{BLOCKS, CALLS, SAMPLE};
use crate::target::Target;

fn verify(text: &str, target: &Target) -> Result<MemProgram, VerifyError> {
    MemProgram::verify(parse(text).unwrap_or_else(|error| panic!("{error}")), target)
}

/// The error of the verifier for the sample with the only occurrence of `old` replaced.
fn fault(old: &str, new: &str) -> String {
    fault_in(SAMPLE, old, new)
}

/// The error of the verifier for a program with the only occurrence of `old` replaced.
fn fault_in(text: &str, old: &str, new: &str) -> String {
    assert_eq!(text.matches(old).count(), 1, "{old} stands once");
    let error = verify(&text.replace(old, new), &Target::GPU).expect_err(new);
    error.to_string().strip_prefix("entry \"main\": ").expect("the entry is named").to_owned()
}

#[test]
fn the_sample_is_valid() {
    verify(SAMPLE, &Target::GPU).expect("valid");
}

#[test]
fn the_host_may_read_parameters() {
    let text = SAMPLE.replace("mul(n_0, 4i64)", "param \"odd name\" -4i64");
    let program = verify(&text, &Target::GPU).expect("valid");
    assert_eq!(program.to_string(), text);
    assert_eq!(program.parameters(), program.parameters_of(&program.entries[0]));
    assert_eq!(program.parameters(), ["odd name".into()]);
}

#[test]
fn scopes_and_binders() {
    assert_eq!(fault("add(`left operand`_23, b_24)", "add(`left operand`_23, x_22)"), "x_22 is not in scope");
    assert_eq!(fault("yield i_29", "yield i_21"), "i_21 is not in scope");
    let mut program = parse(SAMPLE).expect("well-formed");
    let stm = program.entries[0].body.stms[0].clone();
    program.entries[0].body.stms.push(stm);
    assert_eq!(MemProgram::verify(program, &Target::GPU).expect_err("twice").what, "v4 is bound twice");
    let mut program = parse(SAMPLE).expect("well-formed");
    program.entries.extend(program.entries.clone());
    assert_eq!(
        MemProgram::verify(program, &Target::GPU).expect_err("twice").what,
        "another entry has this name"
    );
}

#[test]
fn types() {
    assert_eq!(fault("mul(n_0, 4i64)", "mul(n_0, 4i32)"), "mul does not take i64, i32");
    assert_eq!(fault("neg(x_13)", "not(x_13)"), "not does not take f32");
    assert_eq!(fault("sine_cosine(total_26)", "sine_cosine(n_0)"), "sine_cosine does not take i64");
    assert_eq!(fault("sine_cosine(total_26)", "sine_cosine(1f64)"), "sine_44 is f64, not f32");
    assert_eq!(fault("private_limit(n_0)", "private_limit(1i32)"), "private_limit does not take i32");
    assert_eq!(fault("neg(x_13)", "private_limit(i_9)"), "`private_limit` outside of host code");
    assert_eq!(fault("neg(x_13)", "param \"tile\" 4i64"), "a thread reads a tuning parameter");
    assert_eq!(fault("t_18: f32 = f32", "t_18: f32 = f64"), "t_18 is f64, not f32");
    assert_eq!(fault("select(less_15,", "select(i_9,"), "select does not take i64, f32, f32");
    assert_eq!(fault("assert c_2 message0", "assert n_0 message0"), "an asserted condition is i64, not bool");
    assert_eq!(fault("message0(half_5)", "message0(c_2)"), "an argument is bool, not i64");
    assert_eq!(
        fault("message0(half_5)", "message0()"),
        "an assertion and its message have different numbers of arguments"
    );
    assert_eq!(fault("message0(half_5)", "message9()"), "there is no message9");
    assert_eq!(fault("(last_43, n_0, ps_38)", "(n_0, n_0, ps_38)"), "a result does not have the stated type");
    assert_eq!(fault("(last_43, n_0, ps_38)", "(last_43, ps_38)"), "a size of a result is missing");
    assert_eq!(
        fault("(last_43, n_0, ps_38)", "(last_43, n_0, ps_38, n_0)"),
        "there are more results than stated"
    );
    assert_eq!(
        fault(
            "let t_18: f32 = f32(s_17)",
            "let t_18: f32 = f32(s_17) choose \"f.0\" \"full\" if true else \"outer\""
        ),
        "a choice of versions inside of a thread"
    );
    assert_eq!(
        fault("let t_18: f32 = f32(s_17)", "let t_18: f32 = f32(s_17) trace \"t\" (f32) (t_18)"),
        "a trace inside of a thread"
    );
    assert_eq!(fault("yield -1i32", "yield -1i64"), "a branch: s_17 gets a value of type i64");
    assert_eq!(
        fault("yield false, block_34", "yield block_34, false"),
        "a loop body: more_33 gets a value of type block i64"
    );
    assert_eq!(fault("yield false, block_34", "yield false"), "a loop body: 1 values for 2 variables");
    assert_eq!(fault("for k_35: u8 < 200u8", "for k_35: u8 < 1.0f32"), "a loop bound that is not an integer");
    assert_eq!(
        fault("let half_5: i64 = private_limit(n_0)", "let half_5: i64 = 2i64 let w: i64 = xs_1"),
        "a memory block where a scalar is needed"
    );
    assert_eq!(
        fault("yield qs_39", "view q: i64 [] = qs_39 + 0i64 * [] yield q"),
        "the array q_40 is not a value"
    );
}

#[test]
fn views_and_elements() {
    let xs = "view xs_7: f32 [n_0, 4i64] = xs_1 + 0i64 * [4i64, 1i64]";
    let fault_of = |new: &str| fault(xs, &format!("view xs_7: {new}"));
    assert_eq!(fault_of("i32 [n_0, 4i64] = xs_1 + 0i64 * [4i64, 1i64]"), "xs_1 is not a memory block of i32");
    assert_eq!(fault_of("f32 [n_0, 4i64] = n_0 + 0i64 * [4i64, 1i64]"), "n_0 is not a memory block of f32");
    assert_eq!(
        fault_of("f32 [n_0, 4i64] = xs_1 + 0i64 * [4i64]"),
        "xs_7 has different numbers of strides and sizes"
    );
    assert_eq!(fault_of("f32 [n_0, 4i64] = xs_1 + 0i32 * [4i64, 1i64]"), "an offset is i32, not i64");
    assert_eq!(
        fault_of("f32 [n_0, 4i64] = xs_1 + 0i64 * [1i64, n_0]"),
        "the host cannot copy xs_7: it is not contiguous"
    );
    assert_eq!(fault("xs_7[i_9, j_10]", "xs_7[i_9]"), "1 indices for xs_7");
    assert_eq!(fault("row_12[j_10] = z_16", "row_12[less_15] = z_16"), "an index is bool, not i64");
    assert_eq!(fault("row_12[j_10] = z_16", "row_12[j_10] = less_15"), "a stored value is bool, not f32");
    assert_eq!(fault("copy ys_8 = xs_7", "copy ys_8 = n_0"), "n_0 is not an array");
    assert_eq!(
        fault("copy ys_8 = xs_7", "store ys_8[0i64, 0i64] = 1.0f32"),
        "the host cannot store into ys_8"
    );
}

#[test]
fn products_of_sizes_are_strides() {
    let text = |stride: &str| {
        format!(
            "entry \"f\" [n, m] (a: block f32 [n, m, 2i64]) -> () {{
           let k: i64 = mul(2i64, m) let l: i64 = mul(n, k) let o: i64 = 3i64
           alloc b: block f32 = l
           view x: f32 [n, m, 2i64] = a + 0i64 * [{stride}, 2i64, 1i64]
           view y: f32 [n, m, 2i64] = b + o * [k, 2i64, 1i64]
           copy y = x
         }}"
        )
    };
    verify(&text("k"), &Target::GPU).expect("valid");
    verify(&text("l"), &Target::GPU).expect_err("a product of too many sizes");
}

#[test]
fn private_memory_is_limited() {
    assert_eq!(
        verify(SAMPLE, &Target::CPU).expect_err("no private memory").what,
        "row_11: more private memory than the target has"
    );
    assert_eq!(
        fault("private f32 = 4i64", "private f32 = n_0"),
        "row_11: private memory of a size that is not a constant"
    );
    assert_eq!(
        fault("private f32 = 4i64", "block f32 = 4i64"),
        "row_11: a thread cannot allocate device memory"
    );
    assert_eq!(
        fault("sum_19: block f32", "sum_19: private f32"),
        "sum_19: private memory outside of a thread"
    );
    let flow = "yield 1i32 } else { yield -1i32 } -> (s_17: i32) loop (r: private f32 = row_11) for k: i32 < 1i32 { yield r";
    let old = "yield 1i32
    } else {
      yield -1i32
    } -> (s_17: i32)";
    assert_eq!(
        fault(old, &format!("{flow} }} -> (r2: private f32)")),
        "r_18: at thread level a branch, loop or call cannot return memory"
    );
}

#[test]
fn segments() {
    assert_eq!(
        fault(
            "segment map \"map\" (i_9 < n_0, j_10 < 4i64)",
            "let j_10: i64 = 0i64 segment scan (i_9 < n_0)"
        ),
        "a reduction or scan has no dimensions or no operators"
    );
    assert_eq!(
        fault("yield i_29", "yield i_29, i_29"),
        "a segment yields more values than its operators combine"
    );
    assert_eq!(fault("    yield i_29\n", ""), "a segment yields fewer values than its operators combine");
    assert_eq!(fault("yield i_29", "yield true"), "an operand: a_30 gets a value of type bool");
    assert_eq!(
        fault("into (ps_28)", "into (sum_20)"),
        "sum_20 has not the type or the dimensions of the operator's results"
    );
    assert_eq!(
        fault("into (ps_28)", "into (ps_28, ps_28)"),
        "an operator has different numbers of outs and values"
    );
    assert_eq!(
        fault("neutral (-9223372036854775808i64)", "neutral (0i32)"),
        "a neutral element: a_30 gets a value of type i32"
    );
    assert_eq!(fault("yield c_32", "yield true"), "an operator: a_30 gets a value of type bool");
    assert_eq!(fault("store ys_8[i_9, j_10] = t_18", "yield t_18"), "a map segment yields values");
    assert_eq!(fault("(i_29 < n_0) chunk 1024i64", "(i_29 < n_0) chunk 1i32"), "a chunk is i32, not i64");
    assert_eq!(fault("(i_29 < n_0) chunk 1024i64", "(i_29 < n_0) chunk 0i64"), "a chunk without points");
}

#[test]
fn entries() {
    assert_eq!(
        fault("xs_1: block f32 [n_0, 4i64]", "xs_1: block f32"),
        "the parameter xs_1 does not fit its shape"
    );
    assert_eq!(
        fault("b_3: block i64 [3i64]", "b_3: block i64 [3i32]"),
        "a size of b_3 is not a size of the entry"
    );
    assert_eq!(fault("n_0, rs_40", "n_0, b_3"), "the result b_3 is a parameter that is not consumed");
    assert_eq!(fault("n_0, rs_40", "rs_40"), "a size of a result is missing");
    assert_eq!(fault("n_0, rs_40", "n_0, rs_40, n_0"), "there are more results than stated");
    assert_eq!(
        fault("([][]f32, f32, []i64)", "([][]f32, f64, []i64)"),
        "a result does not have the stated type"
    );
    assert_eq!(
        fault("total_26, n_0, rs_40", "total_26, n_0, ys_6"),
        "a result does not have the stated type"
    );
    let twice = "entry \"f\" [n] (*x: block f32 [n]) -> ([]f32, []f32) { yield n, x, n, x }";
    assert_eq!(verify(twice, &Target::GPU).expect_err("twice").what, "x_1 is a result twice");
}

#[test]
fn constants() {
    let made = "constants cs_41: block u8 = [1u8, 255u8]";
    let with = |new: &str| fault(made, &format!("constants cs_41: {new}"));
    assert_eq!(with("block u8 = [1u8, 5i8]"), "cs_41: constants of another type");
    assert_eq!(with("private u8 = [1u8, 255u8]"), "cs_41: constants outside of device memory");
    assert_eq!(with("u8 = [1u8, 255u8]"), "cs_41 is not a memory block");
    assert_eq!(
        fault("yield 1i32", "constants ds: block u8 = [1u8] yield 1i32"),
        "ds_17: constants inside of a thread"
    );
    let last = "load last_43: u8 = cs_42[1i64]";
    let fault_after_load = |new: &str| fault(last, &format!("load last_43: u8 = cs_42[1i64] {new}"));
    assert_eq!(fault_after_load("copy cs_42 = cs_42"), "cs_42 is constant");
    assert_eq!(
        fault_after_load("segment map (i < 1i64) chunk 1i64 { store cs_42[i] = 0u8 }"),
        "cs_42 is constant"
    );
    let sum = "view c: u8 [] = cs_41 + 0i64 * [] segment reduce (i < 2i64) chunk 1i64 { yield 0u8 } \
               combine (a: u8) (b: u8) neutral (0u8) into (c) { yield a }";
    assert_eq!(fault_after_load(sum), "c_44 is constant");
    assert_eq!(
        fault_after_load("if c_2 { yield cs_41 } else { yield cs_41 } -> (b: block u8)"),
        "the constants cs_41 are not a value"
    );
}

/// The error for the program with functions with the only occurrence of `old` replaced.
fn fault_of_calls(old: &str, new: &str) -> String {
    assert_eq!(CALLS.matches(old).count(), 1, "{old} stands once");
    verify(&CALLS.replace(old, new), &Target::CPU).expect_err(new).to_string()
}

#[test]
fn a_parameter_that_is_not_consumed_is_not_stored_to() {
    let text = |star: &str| {
        format!(
            r#"entry "main" [n] ({star}xs: block i64 [n], c: bool) -> () {{
              alloc ys: block i64 = n
              if c {{ yield xs }} else {{ yield ys }} -> (zs: block i64)
              view z: i64 [n] = zs + 0i64 * [1i64]
              segment map (i < n) chunk 1i64 {{ store z[i] = i }}
            }}"#
        )
    };
    verify(&text("*"), &Target::CPU).expect("valid");
    let error = verify(&text(""), &Target::CPU).expect_err("it is stored to");
    assert_eq!(error.to_string(), "entry \"main\": xs_1 is stored to but not consumed");
}

#[test]
fn calls() {
    verify(CALLS, &Target::CPU).expect("valid");
    let fill = "call \"fill\" (n_0, *xs_1, 0i64)";
    let fault_of = |new: &str| fault_of_calls(fill, new);
    assert_eq!(
        fault_of("call \"sum\" (n_0, xs_1, 0i64)"),
        "entry \"main\": there is no host function \"sum\""
    );
    assert_eq!(
        fault_of("call \"fill\" (n_0, *xs_1)"),
        "entry \"main\": a call of \"fill\" has 2 arguments, not 3"
    );
    assert_eq!(
        fault_of("call \"fill\" (n_0, *xs_1, 0i32)"),
        "entry \"main\": an argument of \"fill\" is i32, not i64"
    );
    assert_eq!(
        fault_of("call \"fill\" (n_0, *n_0, 0i64)"),
        "entry \"main\": an argument of \"fill\" is i64, not block i64"
    );
    assert_eq!(
        fault_of("call \"fill\" (n_0, xs_1, 0i64)"),
        "entry \"main\": \"fill\" consumes an argument that the call does not mark as consumed"
    );
    assert_eq!(
        fault_of_calls("call \"sum\" (i_6, ys_3, 0i64)", "call \"sum\" (i_6, *ys_3, 0i64)"),
        "entry \"main\": \"sum\" does not consume an argument that the call marks as consumed"
    );
    assert_eq!(
        fault_of_calls("call \"sum\" (i_6, ys_3, 0i64)", "call \"fill\" (i_6, *ys_3, 0i64)"),
        "entry \"main\": there is no thread function \"fill\""
    );
    assert_eq!(
        fault_of_calls("-> (m_2: i64, ys_3: block i64)", "-> (m_2: i64, ys_3: block i32)"),
        "entry \"main\": \"fill\": ys_3 gets a value of type block i64"
    );
    assert_eq!(
        fault_of_calls("call \"nothing\" ()", "call \"nothing\" () -> (a: i64)"),
        "entry \"main\": \"nothing\": 0 values for 1 variables"
    );
    assert_eq!(
        fault_of_calls("call \"sum\" (i_6, ys_3, 0i64)", "call \"sum\" (i_6, zs_4, 0i64)"),
        "entry \"main\": zs_4 is read, and the segment writes it, before the point has stored there"
    );
}

#[test]
fn functions() {
    assert_eq!(
        verify(CALLS, &Target::GPU).expect_err("no calls").to_string(),
        "host function \"fill\": the target calls no functions"
    );
    assert_eq!(
        fault_of_calls("host function \"nothing\"", "host function \"fill\""),
        "host function \"fill\": another function has this name"
    );
    assert_eq!(
        fault_of_calls("yield k_8, zs_9", "yield zs_9, k_8"),
        "host function \"fill\": the results do not have the stated types"
    );
    assert_eq!(
        fault_of_calls("yield s_10", "yield none_3"),
        "thread function \"sum\": the results do not have the stated types"
    );
    assert_eq!(
        fault_of_calls("load first_5: i64 = x_4[]", "load first_5: i64 = x_4[] store x_4[] = first_5"),
        "thread function \"sum\": xs_1 is stored to but not consumed"
    );
    assert_eq!(
        fault_of_calls("(n_0: i64, xs_1: block i64,", "(*n_0: i64, xs_1: block i64,"),
        "thread function \"sum\": the parameter n_0 is i64"
    );
    assert_eq!(
        fault_of_calls("(n_0: i64, xs_1: block i64,", "(n_0: i64, xs_1: private i64,"),
        "thread function \"sum\": the parameter xs_1 is private i64"
    );
    let kept = "host function \"f\" (x: block i64) -> (block i64) { yield x }";
    assert_eq!(
        verify(kept, &Target::CPU).expect_err("kept").what,
        "the result x_0 is a parameter that is not consumed"
    );
    let twice = "host function \"f\" (*x: block i64) -> (block i64, block i64) { yield x, x }";
    assert_eq!(verify(twice, &Target::CPU).expect_err("twice").what, "x_0 is a result twice");
}

#[test]
fn points_can_run_again() {
    let text = |size: &str, statements: &str| {
        format!(
            r#"message0 = "no"
            entry "main" [n] (*xs: block i64 [n]) -> ([]i64) {{
              view x1: i64 [n] = xs + 0i64 * [1i64]
              segment map (i < {size}) chunk 1i64 {{ {statements} assert true message0() }}
              yield n, xs
            }}"#
        )
    };
    let load_first = "load x: i64 = x1[i] store x1[i] = x";
    let what = "x1_2 is read from memory that the segment writes, before the point has stored there";
    assert_eq!(verify(&text("n", load_first), &Target::GPU).expect_err("twice").what, what);
    // A single point is the reporter from the start, so it never runs again.
    assert_eq!(verify(&text("1i64", load_first), &Target::GPU).err(), None);
    assert_eq!(verify(&text("n", "store x1[i] = i load x: i64 = x1[i]"), &Target::GPU).err(), None);
    let on_both_sides = |otherwise: &str| {
        let branch = format!("if true {{ store x1[i] = i }} else {{ {otherwise} }} load x: i64 = x1[i]");
        verify(&text("n", &branch), &Target::GPU).err().map(|error| error.what)
    };
    assert_eq!(on_both_sides("store x1[i] = 0i64"), None);
    assert_eq!(on_both_sides(""), Some(what.to_owned()));
    // The block is one that the segment stores to, under another name.
    let renamed = |code: &str| {
        let branch = "if true { yield xs } else { yield xs } -> (z: block i64)";
        let text = text("n", &format!("{branch} view z1: i64 [n] = z + 0i64 * [1i64] {code}"));
        verify(&text, &Target::CPU).err().map(|error| error.what)
    };
    assert_eq!(renamed("store z1[i] = i load y: i64 = z1[i]"), None);
    assert_eq!(renamed("load y: i64 = z1[i] store z1[i] = y"), Some(what.replace("x1_2", "z1_5")));
}

#[test]
fn points_of_maps_that_cannot_fail_run_once() {
    let text = |kind: &str, end: &str| {
        format!(
            r#"message0 = "no"
            entry "main" [n] (*xs: block i64 [n], c: bool) -> ([]i64) {{
              view x1: i64 [n] = xs + 0i64 * [1i64]
              alloc s: block i64 = 1i64
              view s1: i64 [] = s + 0i64 * []
              segment {kind} (i < n) chunk 1i64 {{ load x: i64 = x1[i] store x1[i] = x {end}
              yield n, xs
            }}"#
        )
    };
    let what = "x1_3 is read from memory that the segment writes, before the point has stored there";
    let what = Some(what.to_owned());
    let wrong = |kind, end| verify(&text(kind, end), &Target::GPU).err().map(|error| error.what);
    assert_eq!(wrong("map", "}"), None);
    assert_eq!(wrong("map", "assert c message0() }"), what);
    assert_eq!(wrong("map", "if c { } else { loop () for j: i64 < n { assert c message0() } } }"), what);
    let sum = "yield x } combine (a: i64) (b: i64) neutral (0i64) into (s1) { yield a }";
    assert_eq!(wrong("reduce", sum), what);
    let operator = "store s1[] = x load y: i64 = s1[] yield y }
        combine (a: i64) (b: i64) neutral (0i64) into (s1) { load z: i64 = s1[] yield z }";
    let text = text("reduce", operator).replace("load x: i64 = x1[i] store x1[i] = x", "let x: i64 = i");
    let wrong = verify(&text, &Target::GPU).expect_err("the operator reads what it gives").what;
    assert_eq!(wrong, "s1_5 is read from memory that the segment writes, before the point has stored there");
}

/// The error for the program with workgroups with the only occurrence of `old` replaced.
fn fault_of_workgroups(old: &str, new: &str) -> String {
    fault_in(BLOCKS, old, new)
}

/// The error if these statements are inserted after the first segment.
fn fault_in_workgroup(stms: &str) -> String {
    let load = "load total_21: f32 = sum_12[]";
    fault_of_workgroups(load, &format!("{load} {stms}"))
}

#[test]
fn workgroup_bodies_hold_uniform_statements() {
    verify(BLOCKS, &Target::GPU).expect("valid");
    verify(BLOCKS, &Target::CPU).expect("valid");
    assert_eq!(fault_in_workgroup("store sum_12[] = total_21"), "a store at workgroup level");
    assert_eq!(fault_in_workgroup("combine add row_9[0i64] = total_21"), "a combination at workgroup level");
    assert_eq!(fault_in_workgroup("copy row_9 = row_9"), "a copy at workgroup level");
    assert_eq!(fault_in_workgroup("constants c: block u8 = [1u8]"), "constants at workgroup level");
    assert_eq!(fault_in_workgroup("trace \"t\" (f32) (total_21)"), "a trace at workgroup level");
    assert_eq!(
        fault_in_workgroup("choose \"f.0\" \"full\" if true else \"outer\""),
        "a choice of versions at workgroup level"
    );
    assert_eq!(fault_in_workgroup("call \"f\" ()"), "a call at workgroup level");
    assert_eq!(fault_in_workgroup("let r: i64 = private_limit(8i64)"), "`private_limit` at workgroup level");
    assert_eq!(
        fault_in_workgroup("let p: i64 = param \"tile\" 4i64"),
        "a tuning parameter at workgroup level"
    );
    assert_eq!(fault_in_workgroup("let y: f32 = neg(x_16)"), "x_16 is not in scope");
    assert_eq!(fault_in_workgroup("load y: f32 = xs_5[i_7, k_15]"), "k_15 is not in scope");
    let end = "store ys_6[i_7, k_38] = y_39\n    }";
    assert_eq!(
        fault_of_workgroups(end, &format!("{end} yield i_7")),
        "the body of a workgroup yields values"
    );
    let chunk = "(i_7 < n_0) chunk 1i64";
    assert_eq!(fault_of_workgroups(chunk, "(i_7 < n_0) chunk 1i32"), "a chunk is i32, not i64");
}

#[test]
fn workgroup_memory_lives_in_its_workgroup() {
    let made = "alloc row_8: workgroup f32";
    assert_eq!(
        fault_of_workgroups(made, "alloc row_8: block f32"),
        "row_8: device memory inside of a workgroup"
    );
    assert_eq!(
        fault_of_workgroups(made, "alloc row_8: private f32"),
        "row_8: private memory outside of a thread"
    );
    assert_eq!(
        fault_of_workgroups("alloc ys_4: block", "alloc ys_4: workgroup"),
        "ys_4: workgroup memory outside of a workgroup"
    );
    assert_eq!(
        fault_of_workgroups("yield k_30", "alloc w: workgroup f32 = 1i64 yield k_30"),
        "w_31: workgroup memory outside of a workgroup"
    );
    assert_eq!(
        fault_in_workgroup("if true { yield row_8 } else { yield row_8 } -> (r: workgroup f32)"),
        "r_22: a branch, loop or call cannot return workgroup memory"
    );
    assert_eq!(
        fault_in_workgroup("if true { yield xs_1 } else { yield xs_1 } -> (r: block f32)"),
        "r_22: at workgroup level a branch, loop or call cannot return memory"
    );
    let flow = "loop (r: workgroup f32 = row_8) for k: i32 < 1i32 { yield r }";
    let inside = BLOCKS.replace("yield k_30", &format!("{flow} -> (s: workgroup f32) yield k_30"));
    let error = verify(&inside, &Target::CPU).expect_err("workgroup memory flows in a thread");
    assert_eq!(error.what, "r_31: a branch, loop or call cannot return workgroup memory");
    let function = "thread function \"f\" (x: workgroup f32) -> () {}";
    let error = verify(function, &Target::CPU).expect_err("workgroup memory crosses to a function");
    assert_eq!(error.what, "the parameter x_0 is workgroup f32");
    let after = "yield n_0, 64i64, ys_4";
    let view = format!("view r: f32 [64i64] = row_8 + 0i64 * [1i64] {after}");
    assert_eq!(fault_of_workgroups(after, &view), "row_8 is not in scope");
}

#[test]
fn workgroup_memory_is_limited() {
    let made = "alloc row_8: workgroup f32 = 64i64";
    let with = |count: &str| BLOCKS.replace(made, &format!("alloc row_8: workgroup f32 = {count}"));
    let fault = |count: &str, target| verify(&with(count), target).err().map(|error| error.what);
    let small = Target { workgroup_bytes: Some(64 * 4 + 4 + 8 * 8), ..Target::GPU };
    let more = Some("parts_13: more workgroup memory than the target has".to_owned());
    assert_eq!([fault("64i64", &small), fault("65i64", &small)], [None, more]);
    for count in ["-1i64", "9223372036854775807i64"] {
        let more = Some("row_8: more workgroup memory than the target has".to_owned());
        assert_eq!([fault(count, &small), fault(count, &Target::CPU)], [more, None]);
    }
    let varying = Some("row_8: workgroup memory of a size that is not a constant".to_owned());
    assert_eq!([fault("v3", &Target::GPU), fault("v3", &Target::CPU)], [varying, None]);
    let inner = "row_8: workgroup memory of a size that is not known before the segment";
    assert_eq!(fault("i_7", &Target::CPU), Some(inner.to_owned()));
}

#[test]
fn reductions_and_scans_of_workgroups_go_along_the_innermost_dimension() {
    assert_eq!(
        fault_of_workgroups("into (sum_12)", "into (row_9)"),
        "row_9 has not the type or the dimensions of the operator's results"
    );
    assert_eq!(
        fault_of_workgroups("into (rows_10)", "into (row_9)"),
        "row_9 has not the type or the dimensions of the operator's results"
    );
    assert_eq!(
        fault_of_workgroups("into (parts_14)", "into (rows_10)"),
        "rows_10 has not the type or the dimensions of the operator's results"
    );
    assert_eq!(
        fault_of_workgroups("segment map (k_28 < 64i64) {", "segment reduce (k_28 < 64i64) {"),
        "a reduction or scan has no dimensions or no operators"
    );
}

#[test]
fn code_after_a_scan_only_stores_what_it_makes_of_the_prefixes() {
    const SCAN: &str = r#"entry "main" [n_0] (xs_1: block f32 [n_0]) -> ([]f32) {
  view x_2: f32 [n_0] = xs_1 + 0i64 * [1i64]
  alloc v3: block f32 = n_0
  view out_4: f32 [n_0] = v3 + 0i64 * [1i64]
  segment scan (i_5 < n_0) chunk 64i64 {
    load y_6: f32 = x_2[i_5]
    yield y_6
  } combine (a_7: f32) (b_8: f32) neutral (0.0f32) into () {
    let c_9: f32 = add(a_7, b_8)
    yield c_9
  } finish (p_10: f32) {
    load z_11: f32 = x_2[i_5]
    let d_12: f32 = sub(p_10, z_11)
    store out_4[i_5] = d_12
  }
  yield n_0, v3
}
"#;
    let fault = |old: &str, new: &str| fault_in(SCAN, old, new);
    assert_eq!(verify(SCAN, &Target::GPU).expect("valid").to_string(), SCAN);
    assert_eq!(fault("sub(p_10, z_11)", "sub(p_10, y_6)"), "y_6 is not in scope");
    assert_eq!(fault("sub(p_10, z_11)", "sub(p_10, c_9)"), "c_9 is not in scope");
    assert_eq!(fault("finish (p_10: f32)", "finish (p_10: f64)"), "a prefix: p_10 gets a value of type f32");
    assert_eq!(
        fault("store out_4[i_5] = d_12", "let ok: bool = lt(d_12, z_11) assert ok message0()"),
        "the code after a scan can fail"
    );
    assert_eq!(fault("= d_12", "= d_12 yield z_11"), "the code after a scan yields values");
    assert_eq!(fault("into ()", "into (out_4)"), "a scan with code after it stores its prefixes too");
    assert_eq!(
        fault("(i_5 < n_0)", "(j < 2i64, i_5 < n_0)"),
        "a scan of several dimensions does not store its prefixes"
    );
    assert_eq!(
        fault("load z_11: f32 = x_2[i_5]", "load z_11: f32 = out_4[i_5]"),
        "out_4 is read from memory that the segment writes, before the point has stored there"
    );
}

#[test]
fn workgroups_can_run_again() {
    let read = "row_8 + 0i64 * [1i64]\n";
    let early = format!("{read} load y: f32 = ys_6[0i64, 0i64]\n");
    let what = "ys_6 is read from memory that the segment writes, before the point has stored there";
    assert_eq!(fault_of_workgroups(read, &early), what);
    assert_eq!(fault_of_workgroups("load x_16: f32 = xs_5[", "load x_16: f32 = ys_6["), what);
    let after = "store ys_6[i_7, k_38] = y_39\n    }";
    let late = format!(
        "{after} load y: f32 = ys_6[i_7, 0i64] segment map (j < 8i64) {{ load z: f32 = ys_6[i_7, j] }}"
    );
    verify(&BLOCKS.replace(after, &late), &Target::GPU).expect("its own elements");
}

#[test]
fn a_program_remembers_its_target() {
    let program = verify(SAMPLE, &Target::A100).expect("valid");
    assert_eq!(program.target(), &Target::A100);
    assert_eq!(program.for_machine(Machine::Gpu, "wgsl"), Ok(&Target::A100));
    let bug = program.for_machine(Machine::Cpu, "native").expect_err("another machine");
    assert_eq!(
        bug.message,
        "native makes code for a cpu, but the program was verified for the target \"a100\", a gpu"
    );
}
