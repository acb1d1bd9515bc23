//! Strips against the thread bodies that they come from: the text of a few, and the results of random ones.

mod random;
mod thread;

use std::collections::BTreeMap;

use ravel_kernel::{Atom, Body, Combiner, Entry, Stm, Target, Thread, Var, parse};
use ravel_prim::BinOp;

use crate::{REWRITES, Refusal, Strands, Strip, vectorise, vectorise_alike, vectorise_scan, verify};

/// The index space, the body and the operators of the segment in a program's entry point.
fn segment(entry: &Entry) -> (&[(Var, Atom)], &Body<Thread>, &[Combiner]) {
    let segment = entry.body.stms.iter().find_map(|step| match &step.stm {
        Stm::Segment(segment) => Some(segment),
        _ => None,
    });
    let segment = segment.expect("one segment");
    let (kind, body) = segment.threads().expect("of threads");
    (&segment.space, body, kind.combiners())
}

/// The program whose segment over `i` has this body.
fn program(body: &str) -> String {
    format!(
        "message0 = \"no\"
         entry \"main\" [n_0] (xs_1: block f64 [n_0], out_2: block f64 [n_0]) -> () {{
           view xs_3: f64 [n_0] = xs_1 + 0i64 * [1i64]
           view out_4: f64 [n_0] = out_2 + 0i64 * [1i64]
           segment map (i_5 < n_0) chunk 1i64 {{ {body} }}
         }}"
    )
}

fn strip(body: &str) -> Result<Strip, Refusal> {
    strip_for(&Target::CPU, body)
}

fn strip_for(target: &Target, body: &str) -> Result<Strip, Refusal> {
    let program = parse(&program(body)).expect("well-formed");
    let entry = &program.entries[0];
    let (space, body, operators) = segment(entry);
    let strip = vectorise(space, body, operators, &entry.vars, target)?;
    assert_eq!(verify(&strip), Ok(()), "{strip}");
    Ok(strip)
}

fn text(body: &str) -> String {
    strip(body).expect("a strip").to_string()
}

/// The text of a strip without a rewrite.
fn text_without(rewrite: &str, body: &str) -> String {
    let rewrite = REWRITES.iter().find(|known| known.name == rewrite).expect("a rewrite");
    let mut target = Target::CPU;
    (rewrite.switch_off)(&mut target);
    strip_for(&target, body).expect("a strip").to_string()
}

#[test]
fn neighbouring_elements_are_contiguous() {
    let body = "let j_6: i64 = add(i_5, 1i64)
        load x_7: f64 = xs_3[j_6]
        let y_8: f64 = mul(x_7, 2.0f64)
        store out_4[i_5] = y_8";
    insta::assert_snapshot!(text(body));
}

/// The strip of a scan by this operator on integers, of which this code takes the prefixes.
fn scan(op: &str, finish: &str) -> Result<Strip, Refusal> {
    let text = format!(
        "entry \"main\" [n_0] (xs_1: block i64 [n_0], out_2: block i64 [n_0]) -> () {{
           view xs_3: i64 [n_0] = xs_1 + 0i64 * [1i64]
           view out_4: i64 [n_0] = out_2 + 0i64 * [1i64]
           segment scan (i_5 < n_0) chunk 1i64 {{ load x_6: i64 = xs_3[i_5] yield x_6 }}
           combine (a_7: i64) (b_8: i64) neutral (0i64) into () {{ let c_9: i64 = {op} yield c_9 }}
           finish (p_10: i64) {{ {finish} }}
         }}"
    );
    let program = parse(&text).expect("well-formed");
    let entry = &program.entries[0];
    let Stm::Segment(segment) = &entry.body.stms[2].stm else { panic!("a segment") };
    let (kind, body) = segment.threads().expect("of threads");
    let strip =
        vectorise_scan(&segment.space, body, (kind.combiners(), kind.finish()), &entry.vars, &Target::CPU)?;
    assert_eq!(verify(&strip), Ok(()), "{strip}");
    Ok(strip)
}

#[test]
fn lanes_take_the_prefixes_of_a_scan() {
    let keeps = "let last_11: i64 = sub(p_10, 1i64)
        let c_12: bool = lt(last_11, 9i64)
        if c_12 { store out_4[last_11] = i_5 } else { }";
    insta::assert_snapshot!(scan("add(a_7, b_8)", keeps).expect("a strip").to_string());
    let stores = "store out_4[i_5] = p_10";
    for op in ["mul(a_7, b_8)", "sub(a_7, b_8)", "add(a_7, a_7)"] {
        assert_eq!(scan(op, stores), Err(Refusal::Order), "{op}");
    }
    assert!(scan("min(b_8, a_7)", stores).is_ok());
}

#[test]
fn sides_that_do_more_than_compute_scalars_run_if_a_lane_takes_them() {
    let body = "let c_6: bool = lt(i_5, 7i64)
        if c_6 { load x_7: f64 = xs_3[i_5] yield x_7 } else { let y_8: f64 = f64(i_5) yield y_8 } -> (z_9: f64)
        store out_4[i_5] = z_9";
    insta::assert_snapshot!(text(body));
}

#[test]
fn strips_between_the_borders_of_a_stencil_have_no_masks() {
    let body = "let last_6: i64 = sub(n_0, 1i64)
        let first_7: bool = eq(i_5, 0i64)
        let end_8: bool = eq(i_5, last_6)
        let border_9: bool = select(first_7, true, end_8)
        if border_9 { load x_10: f64 = xs_3[i_5] yield x_10 } else {
          let j_11: i64 = add(i_5, 1i64)
          load y_12: f64 = xs_3[j_11]
          yield y_12
        } -> (z_13: f64)
        let k_14: i64 = sub(i_5, 1i64)
        let near_15: i64 = max(k_14, 0i64)
        load u_16: f64 = xs_3[near_15]
        let v_17: f64 = add(u_16, z_13)
        store out_4[i_5] = v_17";
    insta::assert_snapshot!(text(body));
}

#[test]
fn conditions_that_are_no_cuts_have_no_interior() {
    let has_interior = |cond: &str| {
        let body =
            format!("{cond} if c_6 {{ load x_7: f64 = xs_3[i_5] store out_4[i_5] = x_7 }} else {{ }} -> ()");
        text(&body).matches("store m1").count() == 2
    };
    assert!(has_interior("let c_6: bool = lt(i_5, 7i64)"));
    let border = "let c_6: bool = lt(i_5, 7i64)
        if c_6 { load x_7: f64 = xs_3[i_5] store out_4[i_5] = x_7 } else { } -> ()";
    assert_eq!(text_without("interior", border).matches("store m1").count(), 1);
    assert!(has_interior("let j_8: i64 = sub(i_5, 3i64) let c_6: bool = ne(n_0, j_8)"));
    assert!(!has_interior("let j_8: i64 = mul(i_5, 3i64) let c_6: bool = eq(j_8, n_0)"), "too long a step");
    assert!(!has_interior("let j_8: i64 = add(i_5, n_0) let c_6: bool = lt(j_8, 7i64)"), "no constant");
    let far = "let j_8: i64 = add(i_5, 9000000000i64) let c_6: bool = lt(j_8, n_0)";
    assert!(!has_interior(far), "the sum might wrap around");
    let element = "load x_9: f64 = xs_3[0i64] let v_10: i64 = i64(x_9) let c_6: bool = lt(i_5, v_10)";
    assert!(!has_interior(element), "not known before the row");
}

#[test]
fn loops_of_different_lengths_run_until_the_last_lane_is_done() {
    let body = "loop (s_6: f64 = 0.0f64) for j_7: i64 < i_5 {
          load x_8: f64 = xs_3[j_7]
          let t_9: f64 = add(s_6, x_8)
          yield t_9
        } -> (r_10: f64)
        store out_4[i_5] = r_10";
    insta::assert_snapshot!(text(body));
}

#[test]
fn checks_end_the_strip() {
    let body = "let c_6: bool = lt(i_5, 7i64)
        assert c_6 message0()
        loop (go_7: bool = c_6) while go_7 {
          assert c_6 message0()
          yield false
        } -> (no_8: bool)";
    insta::assert_snapshot!(text(body));
}

#[test]
fn what_has_no_vector_form_is_refused_with_the_reason() {
    let alloc = |count: &str| strip(&format!("alloc a_6: block f64 = {count}")).err();
    assert_eq!(alloc("n_0"), None);
    assert_eq!(alloc("i_5"), Some(Refusal::Allocation));
    let selected = "let some_6: bool = lt(i_5, 7i64)
        let size_7: i64 = select(some_6, n_0, 0i64)
        alloc a_8: block f64 = size_7";
    assert_eq!(strip(selected).err(), None);
    assert_eq!(strip(&selected.replace("n_0", "i_5")).err(), Some(Refusal::Allocation));
    let flows = |block: &str| {
        strip(&format!("if true {{ yield {block} }} else {{ yield {block} }} -> (b_7: block f64)")).err()
    };
    assert_eq!(flows("xs_1"), Some(Refusal::FlowingBlock));
    let repeated = "alloc a_6: block f64 = 4i64
        loop (b_7: block f64 = a_6) for k_8: i64 < n_0 { alloc c_9: block f64 = 4i64 yield c_9 } -> (d_10: block f64)";
    assert_eq!(strip(repeated).err(), Some(Refusal::FlowingBlock));
    let copies = "alloc a_6: block f64 = 4i64
        view to_7: f64 [i_5] = a_6 + 0i64 * [1i64]
        view from_8: f64 [i_5] = xs_1 + 0i64 * [1i64]
        copy to_7 = from_8";
    assert_eq!(strip(copies).err(), Some(Refusal::VaryingCopy));
}

/// The strip of points that are alike.
fn alike(body: &str, strands: &BTreeMap<Var, Strands>) -> Result<Strip, Refusal> {
    let program = parse(&program(body)).expect("well-formed");
    let entry = &program.entries[0];
    let (space, body, operators) = segment(entry);
    let strip = vectorise_alike(space, body, operators, strands, &entry.vars, &Target::CPU)?;
    assert_eq!(verify(&strip), Ok(()), "{strip}");
    Ok(strip)
}

/// Points that compute the size of an array, over which they loop in a loop.
const ALIKE: &str = "load x_6: f64 = xs_3[i_5]
    let w_7: i64 = i64(x_6)
    alloc a_8: block f64 = w_7
    view all_9: f64 [w_7] = a_8 + 0i64 * [1i64]
    loop (s_10: f64 = x_6) for j_11: i64 < w_7 {
      loop (t_12: f64 = s_10) reduce k_13: i64 < w_7 {
        load y_14: f64 = all_9[k_13]
        let u_15: f64 = add(t_12, y_14)
        yield u_15
      } -> (v_16: f64)
      store all_9[j_11] = v_16
      yield v_16
    } -> (z_17: f64)
    store out_4[i_5] = z_17";

#[test]
fn points_that_are_alike_may_compute_the_sizes_of_arrays() {
    assert_eq!(strip(ALIKE).err(), Some(Refusal::Allocation));
    insta::assert_snapshot!(alike(ALIKE, &BTreeMap::new()).expect("a strip"));
}

#[test]
fn strips_combine_long_sums_in_strands_as_their_points_do() {
    let program = parse(&program(ALIKE)).expect("well-formed");
    let named = |name: &str| {
        let mut vars = program.entries[0].vars.iter();
        vars.find(|(_, info)| info.hint.is_some_and(|hint| hint.as_str() == name)).expect("a variable").0
    };
    let sum = Strands { count: 2, fewest: 32, operators: vec![BinOp::Add] };
    insta::assert_snapshot!(alike(ALIKE, &BTreeMap::from([(named("k"), sum)])).expect("a strip"));
}

#[test]
fn points_are_alike_only_if_lengths_depend_on_scalars_that_are_bound_outside_loops_and_branches() {
    let refused = |from: &str, to: &str| {
        assert!(ALIKE.contains(from), "{from}");
        alike(&ALIKE.replace(from, to), &BTreeMap::new()).err()
    };
    let inside = "let more_18: i64 = i64(s_10) loop (t_12: f64 = s_10) reduce k_13: i64 < more_18";
    assert_eq!(refused("loop (t_12: f64 = s_10) reduce k_13: i64 < w_7", inside), Some(Refusal::Allocation));
    let branch = "let c_18: bool = lt(x_6, 1.0f64) if c_18 { yield 1i64 } else { yield 2i64 } -> (w_7: i64)";
    assert_eq!(refused("let w_7: i64 = i64(x_6)", branch), Some(Refusal::Allocation));
    let allocated = "loop (s_10: f64 = x_6) for j_11: i64 < w_7 { alloc b_18: block f64 = w_7";
    assert_eq!(refused("loop (s_10: f64 = x_6) for j_11: i64 < w_7 {", allocated), Some(Refusal::Allocation));
    assert_eq!(
        refused("let w_7: i64 = i64(x_6)", "let w_7: i64 = add(n_0, 1i64)"),
        Some(Refusal::Allocation)
    );
}

#[test]
fn arrays_of_sizes_known_before_lie_in_preallocated_memory() {
    let body = "let half_6: i64 = quot(n_0, 2i64)
        alloc a_7: block f64 = half_6
        alloc b_8: block f64 = n_0
        loop (c_9: block f64 = a_7, d_10: block f64 = b_8) for k_11: i64 < n_0 {
          view to_12: f64 [half_6] = d_10 + 0i64 * [1i64]
          load x_13: f64 = xs_3[i_5]
          store to_12[k_11] = x_13
          yield d_10, c_9
        } -> (e_14: block f64, f_15: block f64)
        view from_16: f64 [half_6] = e_14 + 0i64 * [1i64]
        load y_17: f64 = from_16[0i64]
        store out_4[i_5] = y_17";
    insta::assert_snapshot!(text(body));
}

#[test]
fn the_size_of_a_chunk_is_taken_for_that_of_all_but_the_last() {
    let body = "let first_6: i64 = mul(i_5, 100i64)
        let rest_7: i64 = sub(n_0, first_6)
        let size_8: i64 = min(rest_7, 100i64)
        loop () for k_9: i64 < size_8 {
          let at_10: i64 = add(first_6, k_9)
          let is_first_11: bool = eq(at_10, first_6)
          if is_first_11 { store out_4[at_10] = 1.0f64 } else { store out_4[at_10] = 2.0f64 }
        }";
    insta::assert_snapshot!(text(body));
}

#[test]
fn elementary_functions_are_arithmetic() {
    let body = "load x_6: f64 = xs_3[i_5]
        let y_7: f64 = exp(x_6)
        store out_4[i_5] = y_7";
    insta::assert_snapshot!(text(body));
}

#[test]
fn strips_restart_for_large_angles_unless_that_reads_what_they_store() {
    let sine = "let y_7: f64 = sin(x_6)";
    let load = "load x_6: f64 = xs_3[i_5]";
    let store = |value: &str| format!("store out_4[i_5] = {value}");
    let late = format!("{load} {} {sine} {}", store("x_6"), store("y_7"));
    assert_eq!(strip(&format!("{load} {sine} {}", store("y_7"))).err(), None);
    assert_eq!(strip(&late).err(), Some(Refusal::Restart));
    let checked = format!("let c_8: bool = lt(i_5, 7i64) assert c_8 message0() {late}");
    assert_eq!(strip(&checked).err(), None);
    assert_eq!(strip(&late.replace("xs_3[i_5]", "xs_3[0i64]")).err(), None);
    let next = format!(
        "loop (x_6: f64 = 1.0f64) for k_8: i64 < n_0 {{
           {sine} load z_9: f64 = xs_3[i_5] let a_10: f64 = add(y_7, z_9) {} yield a_10
         }} -> (r_11: f64)",
        store("a_10")
    );
    assert_eq!(strip(&next).err(), Some(Refusal::Restart));
}

#[test]
fn the_search_for_restarts_is_linear_in_the_depth_of_loops() {
    let nest = (0..40).fold(String::from("let y_7: f64 = sin(1.0f64)"), |body, depth| {
        let [a, k, r] = [0, 1, 2].map(|number| 100 + 3 * depth + number);
        format!("loop (a_{a}: f64 = 1.0f64) for k_{k}: i64 < n_0 {{ {body} yield a_{a} }} -> (r_{r}: f64)")
    });
    assert_eq!(strip(&nest).err(), None);
}

/// The program of a loop whose point `i` walks along row `i` of a matrix of three columns.
fn walk(statements: &str) -> String {
    format!(
        "view rows_6: f64 [n_0, 3i64] = xs_1 + 0i64 * [3i64, 1i64]
        loop (s_7: f64 = 0.0f64) for k_8: i64 < n_0 {{
          load x_9: f64 = rows_6[i_5, k_8]
          {statements}
          let t_10: f64 = add(s_7, x_9)
          yield t_10
        }} -> (r_11: f64)
        store out_4[i_5] = r_11"
    )
}

#[test]
fn a_loop_along_rows_loads_four_elements_at_once() {
    insta::assert_snapshot!(text(&walk("")));
}

#[test]
fn a_loop_that_stores_checks_or_loads_under_a_mask_loads_element_by_element() {
    let loads_rows = |body: &str| text(body).contains("load row");
    assert!(loads_rows(&walk("let c_12: bool = lt(i_5, 7i64)")));
    assert!(!text_without("row-loops", &walk("")).contains("load row"));
    assert!(!loads_rows(&walk("store out_4[k_8] = x_9")));
    assert!(!loads_rows(&walk("let c_12: bool = lt(k_8, 7i64) assert c_12 message0()")));
    let masked = format!(
        "let d_13: i64 = and(i_5, 1i64) let c_12: bool = eq(d_13, 0i64) if c_12 {{ {} }} else {{ }} -> ()",
        walk("")
    );
    assert!(!loads_rows(&masked));
    assert!(!loads_rows(&walk("").replace("[3i64, 1i64]", "[1i64, 1i64]")), "lanes that are neighbours");
    assert!(!loads_rows(&walk("").replace("[3i64, 1i64]", "[3i64, 2i64]")), "elements that are not");
    assert!(!loads_rows(&walk("").replace("< n_0", "< 3i64")), "too short a loop");
}
