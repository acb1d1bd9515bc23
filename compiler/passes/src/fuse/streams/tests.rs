use super::PASS;
use crate::pipeline::PIPELINE;
use crate::testing::{optimise, statements, trace, within};

fn fused(stms: &str, result: &str, types: &str) -> (String, Vec<String>) {
    let (after, events) = trace(&PASS, &within(stms, result, types));
    (statements(&after), events)
}

/// The negated elements, by a function that fails on an empty chunk.
const STREAM: &str = "let ss: [n]i32 = stream n {
    from ys
    chunk \\(k: i64, at: i64, e: [k]i32) -> {
      let some: bool = lt 0 k
      let f: [k]i32 = assert some (e) \"empty\"
      let g: [k]i32 = screma k { from f map \\(h: i32) -> { let j: i32 = neg h in j } to map }
      in g
    }
    to map
}";

const MAP: &str = "let as: [n]i32 = screma n {
    from ys, iota 3 2 map \\(a: i32, b: i64) -> { let o: i32 = convert i32 b let p: i32 = mul a o in p } to map
}";

const SUM: &str = "let s: i32 = screma n {
    from ss map \\(q: i32) -> q to reduce \\(t: i32, v: i32) -> { let w: i32 = add t v in w } (0i32)
}";

#[test]
fn map_stream() {
    let before = format!("{MAP} {}", STREAM.replace("from ys", "from as"));
    let after = "\
let ss_9: [n_0]i32 = stream n_0 {
  from ys_7
  chunk \\(k_10: i64, at_11: i64, ys_12: [k_10]i32) -> {
    let v13: i64 = convert i64 at_11
    let v14: i64 = mul v13 2i64
    let v15: i64 = add 3i64 v14
    let as_16: [k_10]i32 = screma k_10 {
      from ys_12, iota v15 2i64
      map \\(a_17: i32, b_18: i64) -> {
        let o_19: i32 = convert i32 b_18
        let p_20: i32 = mul a_17 o_19
        in p_20
      }
      to map
    }
    let some_21: bool = lt 0i64 k_10
    let f_22: [k_10]i32 = assert some_21 (as_16) \"empty\"
    let g_23: [k_10]i32 = screma k_10 {
      from f_22
      map \\(h_24: i32) -> {
        let j_25: i32 = neg h_24
        in j_25
      }
      to map
    }
    in g_23
  }
  to map
}
in ss_9";
    assert_eq!(fused(&before, "ss", "r: [n]i32"), (after.to_owned(), vec!["map-stream".to_owned()]));
}

#[test]
fn stream_reduce() {
    let (after, events) = fused(&format!("{STREAM} {SUM}"), "s", "r: i32");
    let end = "
    let s_18: i32 = screma k_10 {
      from g_15
      map \\(q_19: i32) -> q_19
      to reduce \\(t_20: i32, v_21: i32) -> {
        let w_22: i32 = add t_20 v_21
        in w_22
      } (0i32)
    }
    in s_18
  }
  to reduce \\(t_23: i32, v_24: i32) -> {
    let w_25: i32 = add t_23 v_24
    in w_25
  } (0i32)
}
in s_9";
    assert!(
        after.starts_with("let s_9: i32 = stream n_0 {\n  from ys_7\n") && after.ends_with(end),
        "{after}"
    );
    assert_eq!(events, ["stream-reduce"]);
}

#[test]
fn stream_map_with_another_source_and_other_uses() {
    let consumer = "let bs: [n]i32 = screma n {
        from ss, xs, ys map \\(a: i32, b: i32, d: i32) -> { let l: i32 = add a b let p: i32 = add l d in p } to map
    }";
    let (after, events) = fused(&format!("{STREAM} {consumer}"), "(ss, bs)", "r: [n]i32, r3: [n]i32");
    let start = "\
let (bs_10: [n_0]i32, ss_11: [n_0]i32) = stream n_0 {
  from ys_7, xs_6
  chunk \\(k_12: i64, at_13: i64, e_14: [k_12]i32, xs_15: [k_12]i32) -> {";
    assert!(after.starts_with(start), "{after}");
    assert!(after.contains("from g_18, xs_15, e_14\n"), "{after}");
    assert!(after.contains("in (bs_21, g_18)") && after.ends_with("in (ss_11, bs_10)"), "{after}");
    assert_eq!(events, ["stream-map"]);
}

#[test]
fn stream_stream() {
    let second = "let r2: [n]i32 = stream n {
        from ss, ys
        chunk \\(k2: i64, at2: i64, e2: [k2]i32, f2: [k2]i32) -> {
          let l: i32 = e2[at2]
          let o: [k2]i32 = replicate k2 l
          in o
        }
        to map
    }";
    let (after, events) = fused(&format!("{STREAM} {second}"), "r2", "r: [n]i32");
    let end = "
    let l_18: i32 = g_15[at_11]
    let o_19: [k_10]i32 = replicate k_10 l_18
    in o_19
  }
  to map
}
in r2_9";
    assert!(after.starts_with("let r2_9: [n_0]i32 = stream n_0 {\n  from ys_7\n"), "{after}");
    assert!(after.ends_with(end), "{after}");
    assert_eq!(events, ["stream-stream"]);
}

#[test]
fn a_map_before_and_a_reduction_after_a_stream_fuse_without_arrays() {
    let stream = STREAM.replace("from ys", "from as").replace("from f map", "from e map");
    let before = format!("{MAP} {stream} {SUM}");
    let text = optimise(PIPELINE, &within(&before, "s", "r: i32"));
    assert_eq!((text.matches("= screma").count(), text.matches("= stream").count()), (1, 1), "{text}");
    assert_eq!((text.matches("to map").count(), text.matches("to reduce").count()), (0, 2), "{text}");
}

/// The events for these statements.
fn events(before: &str, result: &str, types: &str) -> Vec<String> {
    fused(before, result, types).1
}

#[test]
fn the_base_of_all_refusals_fuses() {
    assert_eq!(events(&format!("{STREAM} {SUM}"), "s", "r: i32"), ["stream-reduce"]);
}

#[test]
fn premise_map_result() {
    let first = "let ss: [n]i32 = stream n {
        from ys chunk \\(k: i64, at: i64, e: [k]i32) -> ys to reduce \\(a: [n]i32, b: [n]i32) -> b
    }";
    assert_eq!(events(&format!("{first} {SUM}"), "s", "r: i32"), ["stream-reduce refused: map-result"]);
}

#[test]
fn premise_only_as_source() {
    let consumer = SUM.replace("-> q to", "-> { let o: i32 = ss[0] in o } to");
    assert_eq!(events(&format!("{STREAM} {consumer}"), "s", "r: i32"), ["stream-reduce refused: pointwise"]);
    let stream = STREAM.replace("from ys", "from as").replace("neg h", "as[at]");
    assert_eq!(events(&format!("{MAP} {stream}"), "ss", "r: [n]i32"), ["map-stream refused: pointwise"]);
}

#[test]
fn premise_in_chunks() {
    for sinks in [
        "scan \\(t: i32, v: i32) -> t (0i32) to map",
        "to write xs rank 1",
        "to combine (xs) \\(t: i32, v: i32) -> t (0i32)",
    ] {
        let values = if sinks.starts_with("scan") { "q" } else { "(n, q)" };
        let consumer = format!("let s: [n]i32 = screma n {{ from ss map \\(q: i32) -> {values} {sinks} }}");
        assert_eq!(
            events(&format!("{STREAM} {consumer}"), "s", "r: [n]i32"),
            ["stream-map refused: in-chunks"],
            "{sinks}"
        );
    }
    let scan = MAP.replace("to map", "scan \\(t: i32, v: i32) -> t (0i32) to map");
    let stream = STREAM.replace("from ys", "from as");
    assert_eq!(events(&format!("{scan} {stream}"), "ss", "r: [n]i32"), ["map-stream refused: in-chunks"]);
}

#[test]
fn premise_no_empty_chunk() {
    let second = "let s: i64 = stream n {
        from ss chunk \\(k2: i64, at2: i64, e2: [k2]i32) -> k2 to reduce \\(a: i64, b: i64) -> a
    }";
    let refused = ["stream-stream refused: no-empty-chunk"];
    assert_eq!(events(&format!("{STREAM} {second}"), "s", "r: i64"), refused);
    let known = second.replace("-> a", "-> a (0)");
    assert_eq!(events(&format!("{STREAM} {known}"), "s", "r: i64"), ["stream-stream"]);
    let reducing = STREAM
        .replace("let ss", "let (o: i64, ss")
        .replace("= stream", ") = stream")
        .replace("in g", "in (k, g)")
        .replace("to map\n}", "to reduce \\(a2: i64, b2: i64) -> b2 to map }");
    let mapping =
        "let r2: [n]i32 = stream n { from ss chunk \\(k3: i64, at3: i64, e3: [k3]i32) -> e3 to map }";
    assert_eq!(events(&format!("{reducing} {mapping}"), "(o, r2)", "r: i64, z: [n]i32"), refused);
    assert_eq!(events(&format!("{reducing} {second}"), "(o, s)", "r: i64, z: i64"), ["stream-stream"]);
}

#[test]
fn premise_independent() {
    let producer = "let (d: i32, as: [n]i32) = screma n {
        from ys map \\(a: i32) -> (a, a) to reduce \\(b: i32, l: i32) -> b (0i32) to map
    }";
    let stream = STREAM.replace("from ys", "from as").replace("neg h", "add h d");
    let refused = ["map-stream refused: independent"];
    assert_eq!(events(&format!("{producer} {stream}"), "ss", "r: [n]i32"), refused);
    let later = format!("{producer} let z: i32 = neg d {}", stream.replace("add h d", "add h z"));
    assert_eq!(events(&later, "ss", "r: [n]i32"), refused);
    let twin = format!("{producer} let z: i32 = neg d {}", STREAM.replace("from ys", "from as"));
    assert_eq!(events(&twin, "(z, ss)", "r: i32, o: [n]i32"), ["map-stream"]);
}

/// The consumer needs an array that was produced by consuming a source of the producer.
#[test]
fn premise_no_consumption_between() {
    let producer = MAP.replace("from ys", "from xs");
    let between = "let zs: [n]i32 = xs with [0] = y";
    let stream = STREAM.replace("from ys", "from as").replace("e: [k]i32)", "e: [k]i32, z9: [k]i32)");
    let stream = stream.replace("from as", "from as, zs").replace("neg h", "z9[at]");
    let before = format!("{producer} {between} {stream}");
    assert_eq!(
        events(&before, "(ss, zs)", "r: [n]i32, r3: [n]i32"),
        ["map-stream refused: no-consumption-between"]
    );
    let twin = format!("{producer} {between} {}", STREAM.replace("from ys", "from as"));
    assert_eq!(events(&twin, "(ss, zs)", "r: [n]i32, r3: [n]i32"), ["map-stream"]);
}
