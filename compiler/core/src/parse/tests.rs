use ravel_base::Symbol;

use super::parse;
use crate::{Exp, print, renumber};

/// Every form of the syntax once.
pub(crate) const EVERYTHING: &str = r#"fun main (n_0: i64, *xs_1: [n_0]i32, c_2: bool) -> (m_3: i64, ys_4: [m_3]i32) = {
  let v5: i32 = 1i32
  let v6: i32 = neg v5
  let v7: i32 = add v6 -2147483648i32
  let v8: bool = lt v6 v7
  let v9: f64 = convert f64 v7
  let a_10: [3]f64 = [v9, -f64.inf, f64#7ff8000000000001]
  let v11: f64 = a_10[0i64]
  let v12: [2]f64 = slice a_10[2i64 : 2i64 : -1i64]
  let a_13: [3]f64 = a_10 with [0i64 : 2i64 : 1i64] = v12
  let v14: [n_0]i64 = iota n_0 0i64 1i64
  let v15: [2][n_0]i64 = replicate 2i64 v14
  let v16: [n_0][2]i64 = rearrange v15 (1, 0)
  let v17: i64 = mul n_0 2i64
  let v18: [v17]i64 = #[trace(a label)] #[param(tile, 4)] reshape v16
  let v19: [v17]i64 = copy v18
  let v20: i64 = add v17 v17
  let v21: [v20]i64 = concat (v18, v19)
  let v22: [n_0]f32 = scratch
  let v23: i64 = if c_2 then n_0 else {
    let v24: i64 = assert v8 (0i64) "a \"quoted\"\n\u{7}" v6 @ 0:12..15
    in v24
  }
  let (i_25: i64, acc_26: [n_0]i32) = loop (i_27: i64 = 0i64, acc_28: [n_0]i32 = xs_1) for k_29: i64 < n_0 do {
    let acc_30: [n_0]i32 = acc_28 with [k_29] = 3i32
    in (k_29, acc_30)
  }
  let c_31: bool = loop (c_32: bool = c_2) while c_32 do false
  let () = call `odd name` (n_0)
  let (ys_33: [n_0]i32, s_34: i32, t_35: [n_0]i32, h_36: [n_0]i64) = screma n_0 {
    from acc_26, iota 0i64 1i64
    map \(x_37: i32, j_38: i64) -> (x_37, x_37, j_38)
    scan \(a_39: i32, b_40: i32) -> {
      let v41: i32 = max a_39 b_40
      in v41
    } (0i32)
    post \(p_42: i32, q_43: i32, r_44: i64) -> (p_42, q_43, r_44, q_43, r_44, r_44)
    to map
    to reduce commutative \(a_45: i32, b_46: i32) -> a_45 (0i32)
    to write acc_26 rank 1
    to combine (v14) \(a_47: i64, b_48: i64) -> a_47 (0i64)
  }
  let (zs_49: [n_0]i32, f_50: i64, g_51: i64) = stream n_0 {
    from ys_33, t_35
    chunk \(k_52: i64, at_53: i64, y_54: [k_52]i32, z_55: [k_52]i32) -> (z_55, at_53, at_53)
    to map
    to reduce \(a_56: i64, b_57: i64) -> a_56
    to reduce \(a_58: i64, b_59: i64) -> b_59 (0i64)
  }
  let v60: bool = trust c_31
  let v61: i64 = param "tile" 16
  let v62: i64 = param "odd name" -4
  let (ps_63: [2][n_0]i64, qs_64: [2]i64, rs_65: [2][n_0]i64) = segment grid (i_66 < 2i64, j_67 < n_0) {
    from iota 1i64 3i64
    map \(k_68: i64) -> {
      let v69: i64 = mul i_66 j_67
      in (v69, k_68, k_68)
    }
    scan \(a_70: i64, b_71: i64) -> a_70 (0i64)
    post \(p_72: i64, q_73: i64, r_74: i64) -> (p_72, q_73, i_66)
    to map
    to reduce \(a_75: i64, b_76: i64) -> b_76 (0i64)
    to map
  }
  let us_77: [2][n_0]i64 = segment grid (g_78 < 2i64) block {
    map \() -> {
      let w_79: [n_0]i64 = segment block (l_80 < n_0) {
        map \() -> l_80
        to map
      }
      in w_79
    }
    to map
  }
  let vs_81: [n_0]i32 = segment grid (i_82 < 2i64) {
    map \() -> {
      let k_83: i64 = sub n_0 i_82
      let y_84: [k_83]i32 = slice ys_33[i_82 : k_83 : 1i64]
      in y_84
    }
    to concat n_0 by 64i64
  }
  let ws_85: i32 = segment grid (i_86 < n_0) {
    map \() -> 1i32
    to reduce \(a_87: i32, b_88: i32) -> {
      let c_89: i32 = add a_87 b_88
      in c_89
    } (0i32)
  }
  let xt_90: [n_0][2]i64 = manifest (1, 0) v16 if c_2
  in (n_0, ys_33)
}
noinline fun `odd name` (`an n`_0: i64) -> () = { in () }
entry main = main (*xs = xs_1 of 3, c_2) -> (*ys_4)
"#;

#[test]
fn printed_text_reads_back() {
    let program = parse(EVERYTHING).unwrap();
    assert_eq!(print(&program), EVERYTHING);
}

#[test]
fn names_need_no_numbers_and_are_numbered_in_order() {
    let text = "fun f (b: i64, a: [b]i64) -> (r: i64) = { let x: i64 = 1 in x }";
    let program = parse(text).unwrap();
    let expected = "fun f (b_0: i64, a_1: [b_0]i64) -> (r_2: i64) = {\n  let x_3: i64 = 1i64\n  in x_3\n}\n";
    assert_eq!(print(&program), expected);
}

#[test]
fn programs_that_differ_in_numbers_only_are_equal_after_renumbering() {
    let mut program =
        parse("fun f (n_7: i64) -> (r_3: i64) = { in n_7 } entry f = f (n_7) -> (r_3)").unwrap();
    let mut padded = program.clone();
    let function = &mut padded.functions[0];
    function.vars = parse("fun f (dead: i64, n: i64, gap: i64, r: i64) -> () = { in () }").unwrap().functions
        [0]
    .vars
    .clone();
    function.params[0].var = crate::Var(1);
    function.results[0] = crate::Var(3);
    function.body.result = vec![crate::Atom::Var(crate::Var(1))];
    padded.entries[0].params[0].var = crate::Var(1);
    padded.entries[0].results[0].var = crate::Var(3);
    assert_ne!(padded, program);
    renumber(&mut padded);
    assert_eq!(padded, program);
    renumber(&mut program);
    assert_eq!(padded, program);
}

#[test]
fn parameters_may_have_any_name() {
    for name in
        ["tile", "main.0.points", "odd name", "", "3", "\"quoted\"", "a\\b`c`", "two\nlines\u{7}", "größe"]
    {
        let mut program =
            parse("fun f () -> (r: i64) = { let x: i64 = param \"p\" -4 in x }").expect("a program");
        program.functions[0].body.stms[0].exp = Exp::Param(Symbol::new(name), -4);
        let again = parse(&print(&program)).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(again, program, "{name}");
    }
}

#[test]
fn mistakes_are_reported_with_their_place() {
    let cases = [
        ("fun f () -> () = { in x_1 }", "1:23: this variable is not bound before its use"),
        ("fun f (a: i64, a: i64) -> () = { in () }", "1:16: this variable is bound twice"),
        ("fun f () -> () =\n  let", "2:3: this variable is not bound before its use"),
        ("fun f () -> () = { let x: i33 = 1 in x }", "1:27: expected a type, found `i33`"),
        (
            "fun f () -> () = { let x: i8 = 300i8 in x }",
            "1:32: expected a constant of some type, found `300i8`",
        ),
        ("fun f () -> () = { in () } fun f", "1:32: a second function `f`"),
        ("entry a = f () -> ()", "1:11: no function `f` is defined before this entry"),
        ("fun `f", "1:5: this ` has no closing `"),
        ("fun ?", "1:5: no token starts with '?'"),
        ("fun f () -> () = { let x: i64 = #[trace", "1:33: this attribute has no `]`"),
        (
            "fun f () -> () = { #[trace] let x: i64 = 1 in x }",
            "1:20: expected `let` or `in`, found the attribute `trace`",
        ),
        ("let", "1:1: expected `fun` or `entry`, found `let`"),
        (
            "fun f () -> () = { let x: i64 = param tile 16 in x }",
            "1:39: expected a name in quotes, found `tile`",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(parse(text).unwrap_err().to_string(), expected, "{text}");
    }
}

/// `depth` nested branches.
fn nested(depth: usize) -> String {
    let mut text = "fun f (c: bool) -> (r: i64) = {".to_owned();
    for level in 1..depth {
        text += &format!(" let x_{level}: i64 = if c then 0 else {{");
    }
    text += " in 1";
    for level in (1..depth).rev() {
        text += &format!(" }} in x_{level}");
    }
    text + " }"
}

#[test]
fn nesting_is_limited() {
    let test = || {
        let text = print(&parse(&nested(500)).unwrap());
        assert_eq!(print(&parse(&text).unwrap()), text);
        let error = parse(&nested(501)).unwrap_err();
        assert_eq!(error.message, "nested more than 500 deep");
    };
    // The usual stack size of a main thread.
    let thread = std::thread::Builder::new().stack_size(8 << 20).spawn(test);
    thread.unwrap().join().unwrap();
}

#[test]
fn no_damaged_text_makes_the_parser_panic() {
    for at in (0..EVERYTHING.len()).step_by(3) {
        let (before, after) = EVERYTHING.split_at(at);
        let _ = parse(before);
        let _ = parse(&format!("{before}{}", &after[1..]));
        let _ = parse(&format!("{before}\\{after}"));
        let _ = parse(&format!("{before}9{after}"));
    }
}
