mod places;

use super::verify;
use crate::parse;

fn message(text: &str) -> String {
    let program = parse(text).unwrap_or_else(|error| panic!("{error} in\n{text}"));
    match verify(&program) {
        Ok(()) => "lawful".to_owned(),
        Err(error) => error.message,
    }
}

/// A function with parameters of several types and these statements; its result is `n`.
fn within(stms: &str) -> String {
    format!(
        "fun main (n: i64, m: i64, c: bool, x: i32, *xs: [n]i32, ys: [n]i32, zs: [n][m]i32, *is: [n]i64) -> (r: i64) = {{
            {stms}
            in n
        }}"
    )
}

#[test]
fn lawful_programs_pass() {
    let lawful = [
        "let a: i32 = add x 1i32",
        "let p: i32 = popc x",
        "let a: [2]i32 = [x, 1i32] let b: [2][2]i32 = [a, a]",
        "let row: [m]i32 = slice zs[0, 0 : m : 1] let col: [n]i32 = slice zs[0 : n : 1, 0]",
        "let t: [m][n]i32 = rearrange zs (1, 0)",
        "let t: [n][m]i32 = manifest (1, 0) zs",
        "let t: [n][m]i32 = manifest (1, 0) zs if c",
        "let (k: i64, ks: [k]i32) = if c then (n, xs) else { let e: [0]i32 = scratch in (0, e) }",
        "let (k: i64, ks: [k]i32) = loop (l: i64 = n, ls: [l]i32 = ys) for i: i64 < m do {
            let l2: i64 = mul l 2
            let ls2: [l2]i32 = concat (ls, ls)
            in (l2, ls2)
        }",
        "let d: bool = loop (d2: bool = c) while d2 do false",
        "let known: [m]i32 = assert c (ys) \"sizes \" n \" and \" m",
        "let xs2: [n]i32 = xs with [0] = x let xs3: [n]i32 = xs2 with [0 : n : 1] = ys",
        "let out: [n]i32 = loop (acc: [n]i32 = xs) for i: i64 < n do {
            let next: [n]i32 = acc with [i] = x
            in next
        }",
        "let xs2: [n]i32 = if c then { let a: [n]i32 = xs with [0] = x in a } else { let b: [n]i32 = xs with [1] = x in b }",
        "let xs2: [n]i32 = if c then { let a: [n]i32 = xs with [0] = x in a } else {
            let b: [n]i32 = if c then { let d: [n]i32 = xs with [1] = x in d } else xs
            in b
        }
        let xs3: [n]i32 = xs2 with [0] = x",
        "let copied: [n]i32 = copy ys
        let (one: [n]i32, two: [n]i32) = loop (a: [n]i32 = xs, b: [n]i32 = copied) for i: i64 < n do {
            let next: [n]i32 = a with [i] = x
            in (b, next)
        }
        let one2: [n]i32 = one with [0] = x
        let two2: [n]i32 = two with [0 : n : 1] = one2",
        "let (s: [n]i32, t: i32, w: [n]i32, h: [n]i64) = screma n {
            from ys, iota 0i64 1i64
            map \\(y: i32, i: i64) -> (y, y, i)
            scan \\(a: i32, b: i32) -> { let v: i32 = max a b in v } (0i32)
            post \\(p: i32, q: i32, j: i64) -> (p, q, j, q, j, j)
            to map
            to reduce \\(a2: i32, b2: i32) -> a2 (0i32)
            to write xs rank 1
            to combine (is) \\(a3: i64, b3: i64) -> a3 (0i64)
        }",
        "let sums: [n]i32 = screma n {
            from zs
            map \\(row: [m]i32) -> {
                let mine: [m]i32 = copy row
                let mine2: [m]i32 = mine with [0] = x
                let s: i32 = screma m { from mine2 map \\(e: i32) -> e to reduce \\(a: i32, b: i32) -> a (0i32) }
                in s
            }
            to map
        }",
        "let (a: [n]i32, b: [n]i64, s: i32, t: [m]i32) = stream n {
            from ys, zs
            chunk \\(k: i64, at: i64, y: [k]i32, z: [k][m]i32) -> {
                let mine: [k]i32 = copy y
                let mine2: [k]i32 = mine with [0] = x
                let ks: [k]i64 = iota k at 1
                let row: [m]i32 = slice z[0, 0 : m : 1]
                in (mine2, ks, x, row)
            }
            to map
            to map
            to reduce \\(a2: i32, a3: [m]i32, b2: i32, b3: [m]i32) -> (b2, a3)
        }",
    ];
    for stms in lawful {
        assert_eq!(message(&within(stms)), "lawful", "{stms}");
    }
}

#[test]
fn scope_and_types() {
    let unlawful = [
        ("let a: i64 = add n x", "`x_3` has type i32, where i64 is expected"),
        ("let a: i64 = sqrt n", "`sqrt` does not take i64"),
        ("let a: bool = lt c n", "`n_0` has type i64, where bool is expected"),
        ("let a: i64 = add xs n", "`xs_4` is not a scalar"),
        ("let a: i32 = add n n", "what is bound to `a_9` has type i64, where i32 is expected"),
        ("let (a: i64, b: i64) = add n n", "1 values where 2 are expected"),
        ("let a: [x]i32 = scratch", "`x_3` is not a size for `a_9`"),
        ("let a: [-1]i32 = scratch", "`-1i64` is not a size for `a_9`"),
        ("let a: i32 = scratch", "`a_9` is not an array"),
        ("let a: [0]i32 = []", "an empty array literal"),
        ("let a: [2]i32 = [x, n]", "`n_0` has type i64, where i32 is expected"),
        ("let a: i32 = zs[0]", "1 indices into 2 dimensions"),
        ("let a: i32 = ys[x]", "`x_3` has type i32, where i64 is expected"),
        ("let a: i32 = x[0]", "`x_3` is not an array"),
        ("let a: [n]i32 = slice zs[0 : n : 1]", "a slice of 1 entries from 2 dimensions"),
        (
            "let a: [m]i32 = slice ys[0 : n : 1]",
            "what is bound to `a_9` has type [n_0]i32, where [m_1]i32 is expected",
        ),
        ("let a: [n]i32 = xs with [0] = n", "`n_0` has type i64, where i32 is expected"),
        ("let a: [n]i64 = iota n 0 1i32", "`1i32` has type i32, where i64 is expected"),
        ("let a: [n]bool = iota n false true", "iota does not count in bool"),
        (
            "let a: [n]i64 = replicate n x",
            "what is bound to `a_9` has type [n_0]i32, where [n_0]i64 is expected",
        ),
        ("let a: [n][m]i32 = rearrange zs (1, 1)", "([1, 1]) is not a permutation of 2 dimensions"),
        ("let a: [n][m]i32 = manifest (0) zs", "([0]) is not a permutation of 2 dimensions"),
        ("let a: [n]i32 = manifest (0) x", "`x_3` is not an array"),
        ("let a: [n][m]i32 = manifest (1, 0) zs if n", "`n_0` has type i64, where bool is expected"),
        (
            "let a: [m][n]i32 = manifest (1, 0) zs",
            "what is bound to `a_9` has type [n_0][m_1]i32, where [m_1][n_0]i32 is expected",
        ),
        (
            "let a: [n]i32 = manifest (0) xs let b: [n]i32 = a with [0] = x let d: i32 = xs[0]",
            "`xs_4` is used after it was consumed",
        ),
        ("let a: [m]i64 = reshape ys", "an element has type i32, where i64 is expected"),
        ("let a: [n]i32 = concat (ys, is)", "a row of `is_7` has type i64, where i32 is expected"),
        ("let a: [n]i32 = if x then ys else ys", "`x_3` has type i32, where bool is expected"),
        (
            "let a: [m]i32 = if c then { let k: [m]i32 = scratch in k } else ys",
            "else side: `ys_5`, given for `a_9`, has type [n_0]i32, where [m_1]i32 is expected",
        ),
        (
            "let (k: i64, ks: [k]i32) = if c then (m, ys) else (n, ys)",
            "then side: `ys_5`, given for `ks_10`, has type [n_0]i32, where [m_1]i32 is expected",
        ),
        (
            "let a: [m]i32 = loop (b: [m]i32 = ys) for i: i64 < n do b",
            "`ys_5`, given for `b_10`, has type [n_0]i32, where [m_1]i32 is expected",
        ),
        ("let a: i64 = loop (b: i64 = n) for i: i32 < n do b", "`i_11` has type i32, where i64 is expected"),
        ("let a: i64 = loop (b: i64 = n) for i: bool < c do b", "a loop cannot count in bool"),
        ("let a: i64 = loop (b: i64 = n) while c do b", "`c_2` is not a parameter of the loop"),
        (
            "let a: i64 = loop (b: i64 = n) for i: i64 < n do x",
            "`x_3`, given for `b_10`, has type i32, where i64 is expected",
        ),
        ("let a: [n][n]i32 = assert c (ys) \"no\"", "an assertion cannot make [n_0][n_0]i32 of [n_0]i32"),
        ("let a: [n]i32 = assert c (ys) \"no\" ys", "`ys_5` is not a scalar"),
        ("let a: i64 = call nowhere (n)", "there is no function `nowhere`"),
        ("let a: i64 = call main (n)", "1 arguments for the 8 parameters of `main`"),
        (
            "let b: i64 = call main (m, m, c, x, xs, ys, zs, is)",
            "`xs_4` has type [n_0]i32, where [m_1]i32 is expected",
        ),
        ("let b: i32 = call main (n, m, c, x, xs, ys, zs, is)", "`b_9` has type i32, where i64 is expected"),
    ];
    for (stms, expected) in unlawful {
        assert_eq!(message(&within(stms)), expected, "{stms}");
    }
}

#[test]
fn variables_are_used_where_they_are_in_scope_and_bound_once() {
    assert_eq!(
        message(&within("let a: i32 = if c then { let b: i32 = x in b } else b")),
        "`b_10` is not in scope"
    );
    assert_eq!(message(&within("let a: i32 = a")), "`a_9` is not in scope");
    let mut program = parse(&within("let a: i32 = x let b: i32 = x")).unwrap();
    let stms = &mut program.functions[0].body.stms;
    stms[1].binders = stms[0].binders.clone();
    assert_eq!(verify(&program).unwrap_err().message, "`a_9` is bound twice");
    let stms = &mut program.functions[0].body.stms;
    stms[1].binders = vec![crate::Var(99)];
    assert_eq!(verify(&program).unwrap_err().message, "`v99` is not in the table of variables");
}

/// A screma over `ys` with these parts after its sources.
fn screma(binders: &str, parts: &str) -> String {
    within(&format!("let ({binders}) = screma n {{ from ys {parts} }}"))
}

#[test]
fn parts_of_a_screma_agree() {
    let id = "map \\(y: i32) -> y";
    let max = "\\(a: i32, b: i32) -> a";
    let unlawful = [
        (
            "o: [n]i32",
            "map \\(y: i64) -> y to map".to_owned(),
            "map: `y_10` has type i64, where i32 is expected",
        ),
        ("o: [n]i32", "map \\(y: i32, z: i32) -> y to map".to_owned(), "map: 2 parameters for 1 values"),
        ("o: [n]i32", format!("{id} to map to map"), "the sinks take 2 values of the 1 there are"),
        ("", id.to_owned(), "the sinks take 0 values of the 1 there are"),
        ("o: i32", format!("{id} to map"), "what is bound to `o_9` has type [n_0]i32, where i32 is expected"),
        (
            "o: [n]i32",
            format!("{id} scan {max} (0i64) to map"),
            "scan: `a_11` has type i32, where i64 is expected",
        ),
        ("o: [n]i32", format!("{id} scan {max} (0i32, 0i32) to map"), "scan: 2 parameters for 4 values"),
        ("o: [n]i32", format!("{id} scan \\() -> () () to map"), "scan: an operator on no values"),
        (
            "o: [n]i32",
            format!("{id} scan \\(a: i32, b: i32) -> (a, b) (0i32) to map"),
            "scan: the operator returns 2 values, its neutral element has 1",
        ),
        (
            "o: [n]i32",
            format!("map \\(y: i32) -> n scan {max} (0i32) to map"),
            "an operand of a scan has type i64, where i32 is expected",
        ),
        ("", format!("map \\(y: i32) -> () scan {max} (0i32)"), "the scans take 1 values, map returns 0"),
        ("o: [n]i32", format!("{id} post \\(p: i32) -> p to map"), "there is a post lambda but no scan"),
        (
            "o: [n]i32",
            format!("{id} scan {max} (0i32) post \\(p: i64) -> p to map"),
            "post: `p_13` has type i64, where i32 is expected",
        ),
        (
            "o: i32",
            format!("{id} to reduce \\(a: i32, b: i32) -> n (0i32)"),
            "reduce: a result of the operator has type i64, where i32 is expected",
        ),
        (
            "o: i32",
            format!("map \\(y: i32) -> n to reduce {max} (0i32)"),
            "an operand of a reduce has type i64, where i32 is expected",
        ),
        ("o: [n]i32", "map \\(y: i32) -> y to write xs rank 0".to_owned(), "rank 0 into 1 dimensions"),
        (
            "o: [n]i32",
            "map \\(y: i32) -> (y, y) to write xs rank 1".to_owned(),
            "an index has type i32, where i64 is expected",
        ),
        (
            "o: [n]i32",
            "map \\(y: i32) -> (n, n) to write xs rank 1".to_owned(),
            "a value written has type i64, where i32 is expected",
        ),
        (
            "o: [n]i32",
            format!("map \\(y: i32) -> (n, n) to combine (xs) {max} (0i32)"),
            "a value combined has type i64, where i32 is expected",
        ),
        (
            "o: [n]i64",
            format!("map \\(y: i32) -> (n, y) to combine (is) {max} (0i32)"),
            "a row of `is_7` has type i64, where i32 is expected",
        ),
        (
            "o: [n]i64",
            format!("map \\(y: i32) -> (n, y) to combine (xs, xs) {max} (0i32)"),
            "the sinks take 3 values of the 2 there are",
        ),
        (
            "o: [n]i32",
            "map \\(y: i32) -> { let k: i64 = convert i64 y let e: [k]i32 = scratch in e } to map".to_owned(),
            "map: the result type [k_11]i32 names a variable of the lambda",
        ),
    ];
    for (binders, parts, expected) in unlawful {
        assert_eq!(message(&screma(binders, &parts)), expected, "{parts}");
    }
    assert_eq!(
        message(&within("let o: [m]i32 = screma m { from ys map \\(y: i32) -> y to map }")),
        "the source `ys_5` has type [n_0]i32, not width m_1"
    );
    assert_eq!(
        message(&within(
            "let a: [m]i64 = iota m 0 1 let (o: [n]i64, p: [m]i64) = screma n { map \\() -> (n, n, n) to combine (is, a) \\(q: i64, t: i64, u: i64, v: i64) -> (q, t) (0, 0) }"
        )),
        "the targets of a combine differ in size"
    );
}

#[test]
fn the_parts_of_a_stream_agree() {
    let one = "\\(k: i64, at: i64, y: [k]i32)";
    let unlawful = [
        (
            "o: [n]i32",
            format!("chunk {one} -> x to map"),
            "a mapped value has type i32, not the size of the chunk",
        ),
        (
            "o: [n]i32",
            format!("chunk {one} -> ys to map"),
            "a mapped value has type [n_0]i32, not the size of the chunk",
        ),
        (
            "o: [m]i32",
            format!("chunk {one} -> y to map"),
            "what is bound to `o_9` has type [n_0]i32, where [m_1]i32 is expected",
        ),
        (
            "o: [n]i32",
            "chunk \\(k: i64, at: i64) -> (k) to map".to_owned(),
            "chunk: 2 parameters for 3 values",
        ),
        ("o: [n]i32", "chunk \\() -> (n) to map".to_owned(), "a chunk without a parameter for its size"),
        (
            "o: [n]i32",
            "chunk \\(k: i64, at: i64, y: [n]i32) -> y to map".to_owned(),
            "chunk: `y_12` has type [n_0]i32, where [k_10]i32 is expected",
        ),
        ("o: [n]i32", format!("chunk {one} -> (y, y) to map"), "the sinks take 1 values of the 2 there are"),
        (
            "o: [n][n]i32",
            format!("chunk {one} -> {{ let s: [k][k]i32 = scratch in s }} to map"),
            "chunk: the result type [k_10][k_10]i32 names a variable of the lambda",
        ),
        (
            "o: [n]i32",
            format!("chunk {one} -> y to reduce \\(a: [n]i32, b: [n]i32) -> a"),
            "chunk: the result type [k_10]i32 names a variable of the lambda",
        ),
        (
            "o: i32",
            format!("chunk {one} -> x to reduce \\(a: i64, b: i64) -> a"),
            "reduce: `a_13` has type i64, where i32 is expected",
        ),
        (
            "o: i32",
            format!("chunk {one} -> x to reduce \\(a: i32, b: i32) -> n"),
            "a result of the operator has type i64, where i32 is expected",
        ),
        (
            "o: i32",
            format!("chunk {one} -> x to reduce \\(a: i32, b: i32) -> (a, b)"),
            "the operator combines 1 values, but returns 2",
        ),
        (
            "o: i32",
            format!("chunk {one} -> x to reduce \\(a: i32, b: i32) -> a (n)"),
            "a neutral element has type i64, where i32 is expected",
        ),
        (
            "o: i32",
            format!("chunk {one} -> x to reduce \\(a: i32, b: i32) -> a (x, x)"),
            "the neutral element does not have 1 values",
        ),
        (
            "o: [n]i32",
            format!("chunk {one} -> {{ let z: [k]i32 = y with [0] = x in z }} to map"),
            "`y_12` is consumed here, but does not belong to this body",
        ),
    ];
    for (binder, parts, expected) in unlawful {
        assert_eq!(
            message(&within(&format!("let ({binder}) = stream n {{ from ys {parts} }}"))),
            expected,
            "{parts}"
        );
    }
    assert_eq!(
        message(&within(
            "let o: [m]i32 = stream m { from ys chunk \\(k: i64, at: i64, y: [k]i32) -> y to map }"
        )),
        "the source `ys_5` has type [n_0]i32, not width m_1"
    );
    assert_eq!(
        message(&within(
            "let o: [n]i32 = stream n { from xs chunk \\(k: i64, at: i64, y: [k]i32) -> y to map }
             let xs2: [n]i32 = xs with [0] = x
             let o2: i32 = o[0]"
        )),
        "lawful"
    );
}

#[test]
fn only_segments_concatenate_and_only_arrays() {
    let parts = |value: &str, sink: &str| {
        let stms = "let k: i64 = sub m i let y: [k]i32 = slice ys[i : k : 1]";
        let segment = format!("segment grid (i < n) {{ map \\() -> {{ {stms} in {value} }} {sink} }}");
        message(&within(&format!("let o: [m]i32 = {segment}")))
    };
    assert_eq!(parts("y", "to concat m by 4"), "lawful");
    assert_eq!(parts("k", "to concat m by 4"), "map: a concatenated value is a scalar");
    assert_eq!(parts("y", "to concat m by 4i32"), "`4i32` has type i32, where i64 is expected");
    let own = "map: the result type [k_11]i32 names a variable of the lambda";
    assert_eq!(parts("y", "to map"), own);
    let after_a_scan = "scan \\(a: i64, b: i64) -> b (0) post \\(e: i64, d: [n]i32) -> {
        let q: i64 = sub m i let w: [q]i32 = slice d[i : q : 1] in w } to concat m by 4";
    assert_eq!([parts("(k, ys)", after_a_scan), parts("(k, y)", after_a_scan)], ["lawful", own]);
    let construct = "let o: [m]i32 = screma n { from ys map \\(y: i32) -> ys to concat m by 4 }";
    assert_eq!(message(&within(construct)), "a construct that is not a segment concatenates");
}

#[test]
fn consumed_arrays_are_not_used_again() {
    let update = "let xs2: [n]i32 = xs with [0] = x";
    let outside = |name: &str| format!("`{name}` is consumed here, but does not belong to this body");
    let after = |name: &str| format!("`{name}` is used after it was consumed");
    let together = |name: &str| format!("`{name}` is consumed and used by one statement");
    let unlawful = [
        (format!("{update} let a: i32 = xs[0]"), after("xs_4")),
        (format!("let v: [n]i32 = slice xs[0 : n : 1] {update} let a: i32 = v[0]"), after("v_9")),
        (format!("let v: [n]i32 = if c then xs else ys {update} let a: [n]i32 = copy v"), after("v_9")),
        (
            "let b: [n]i32 = if c then { let a: [n]i32 = xs with [0] = x in a } else ys let d: i32 = xs[0]"
                .to_owned(),
            after("xs_4"),
        ),
        (
            "let b: [n]i32 = if c then { let a: [n]i32 = xs with [0] = x in a } else xs let d: i32 = xs[0]"
                .to_owned(),
            after("xs_4"),
        ),
        (
            "let (b: [n]i32, d: [n]i32) = if c then {
                let e: [n]i32 = copy xs
                let a: [n]i32 = xs with [0] = x
                in (a, e)
            } else (xs, xs)
            let f: [n]i32 = b with [0] = x
            let g: i32 = d[0]"
                .to_owned(),
            after("d_10"),
        ),
        (
            "let b: [n]i32 = if c then { let a: [n]i32 = xs with [0] = x in a } else {
                let d: [n]i32 = if c then xs else xs
                let e: [n]i32 = d with [0] = x
                let f: i32 = xs[0]
                in e
            }"
                .to_owned(),
            after("xs_4"),
        ),
        (
            "let b: [n]i32 = if c then { let a: [n]i32 = xs with [0] = x in a } else ys
            let d: [n]i32 = b with [0] = x"
                .to_owned(),
            outside("b_9"),
        ),
        ("let a: [n]i32 = ys with [0] = x".to_owned(), outside("ys_5")),
        ("let v: [n]i32 = assert c (ys) \"no\" let a: [n]i32 = v with [0] = x".to_owned(), outside("v_9")),
        ("let a: [n]i32 = xs with [0 : n : 1] = xs".to_owned(), together("xs_4")),
        (
            "let a: [n]i32 = screma n { from xs map \\(y: i32) -> (n, y) to write xs rank 1 }".to_owned(),
            together("xs_4"),
        ),
        (
            "let a: [n]i32 = screma n { from ys map \\(y: i32) -> { let b: i32 = xs[0] in (n, b) } to write xs rank 1 }"
                .to_owned(),
            together("xs_4"),
        ),
        (
            "let a: [n]i64 = screma n { from ys map \\(y: i32) -> { let b: [n]i32 = xs with [0] = y in n } to map }"
                .to_owned(),
            outside("xs_4"),
        ),
        (
            "let a: [n]i32 = screma n { from zs map \\(z: [m]i32) -> { let b: [m]i32 = z with [0] = x in x } to map }"
                .to_owned(),
            outside("z_10"),
        ),
        (
            "let a: i64 = loop (k: i64 = n) for i: i64 < n do { let b: [n]i32 = xs with [0] = x in k }".to_owned(),
            outside("xs_4"),
        ),
        (
            "let o: [n]i32 = loop (a: [n]i32 = ys) for i: i64 < n do { let b: [n]i32 = a with [0] = x in b }"
                .to_owned(),
            outside("ys_5"),
        ),
        (
            "let o: [n]i32 = loop (a: [n]i32 = xs) for i: i64 < n do { let e: i32 = xs[0] let b: [n]i32 = a with [0] = e in b }"
                .to_owned(),
            together("xs_4"),
        ),
        (
            "let o: [n]i32 = loop (a: [n]i32 = xs) for i: i64 < n do { let b: [n]i32 = a with [0] = x in ys }"
                .to_owned(),
            "the loop consumes `a_10`, whose next value comes from outside".to_owned(),
        ),
        (
            "let f: [n]i32 = copy ys let (o: [n]i32, p: [n]i32) = loop (a: [n]i32 = xs, d: [n]i32 = f) for i: i64 < n do { let b: [n]i32 = a with [0] = x in (b, b) }"
                .to_owned(),
            "the loop consumes `a_12`, whose next value has two names".to_owned(),
        ),
        ("let a: i64 = call main (n, m, c, x, ys, ys, zs, is)".to_owned(), outside("ys_5")),
        ("let a: i64 = call main (n, m, c, x, xs, xs, zs, is)".to_owned(), together("xs_4")),
    ];
    for (stms, expected) in unlawful {
        assert_eq!(message(&within(&stms)), expected, "{stms}");
    }
}

#[test]
fn entries_agree_with_their_functions() {
    let function = "fun f (n: i64, *xs: [n]i32, k: i64) -> (ys: [n]i32) = { in xs }
        fun g (n: i64, xs: [n]i32) -> (ys: [n]i32) = { in xs }
        fun h (n: i64, xs: [n]i32) -> (c: bool, k: i64) = { in (true, n) } ";
    let cases = [
        ("entry e = f (*xs, k) -> (*ys)", "lawful"),
        ("entry e = f (n, *xs, k) -> (ys)", "lawful"),
        ("entry e = f (*xs) -> (*ys)", "`k_2` is neither listed nor a size"),
        ("entry e = f (*xs, k, k) -> (*ys)", "`k_2` is listed twice"),
        ("entry e = f (*xs, ys) -> (*ys)", "`ys_3` is not a parameter or result of the function"),
        ("entry e = f (xs, k) -> (*ys)", "entry and function disagree on whether `xs_1` is consumed"),
        ("entry e = g (xs) -> (ys)", "lawful"),
        ("entry e = h (xs) -> (c, k)", "lawful"),
        ("entry e = h (xs) -> (k)", "lawful"),
        ("entry e = h (xs) -> (c)", "`k_3` is neither listed nor a size"),
        ("entry e = g (xs) -> (ys) entry e = g (xs) -> (ys)", "another entry has this name"),
        ("entry e = g (xs) -> (*ys)", "the unique result `ys_2` may be a parameter"),
    ];
    for (entry, expected) in cases {
        assert_eq!(message(&format!("{function}{entry}")), expected, "{entry}");
    }
}

#[test]
fn functions_have_distinct_names() {
    let mut program = parse("fun f () -> () = { in () } entry f = f () -> ()").unwrap();
    program.functions.push(program.functions[0].clone());
    assert_eq!(verify(&program).unwrap_err().to_string(), "in function f: another function has this name");
    program.functions.clear();
    assert_eq!(verify(&program).unwrap_err().to_string(), "in entry f: there is no function `f`");
}

#[test]
fn an_error_names_the_innermost_statement() {
    let error =
        verify(&parse(&within("let a: i64 = if c then { let b: i64 = sqrt n in b } else n")).unwrap());
    let expected = "in function main: `sqrt` does not take i64\nlet b_10: i64 = sqrt n_0";
    assert_eq!(error.unwrap_err().to_string(), expected);
}

/// A segment over rows and columns of `zs`; `head` has the level of the segment and the level of its points.
fn segment(binders: &str, head: &str, parts: &str) -> String {
    message(&within(&format!("let ({binders}) = segment {head} {{ {parts} }}")))
}

const PLUS: &str = "\\(a: i32, b: i32) -> { let s: i32 = add a b in s } (0i32)";

#[test]
fn results_of_a_segment_have_the_outer_dimensions() {
    let reads = "map \\() -> { let z: i32 = zs[i, j] in (z, z) }";
    let grid = "grid (i < n, j < m)";
    let both = format!("{reads} to map to reduce {PLUS}");
    assert_eq!(segment("o: [n][m]i32, q: [n]i32", grid, &both), "lawful");
    let scanned = format!("{reads} scan {PLUS} post \\(p: i32, h: i32) -> (p, j) to map to map");
    assert_eq!(segment("o: [n][m]i32, q: [n][m]i64", grid, &scanned), "lawful");
    let line = format!("map \\() -> {{ let y: i32 = ys[i] in y }} to reduce {PLUS}");
    assert_eq!(segment("q: i32", "grid (i < n)", &line), "lawful");
    assert_eq!(
        segment("o: [n][m]i32, q: i32", grid, &both),
        "what is bound to `q_10` has type [n_0]i32, where i32 is expected"
    );
}

#[test]
fn counters_are_known_in_the_code_of_points_alone() {
    let grid = "grid (i < n, j < m)";
    let outside = [
        (
            "map \\() -> { let e: [j]i32 = scratch in e } to map",
            "map: the result type [j_11]i32 names a variable of the lambda",
        ),
        (
            "map \\() -> x to reduce \\(a: i32, b: i32) -> { let s: i32 = convert i32 j in s } (0i32)",
            "reduce: `j_11` is not in scope",
        ),
        ("map \\() -> j to reduce \\(a: i64, b: i64) -> a (i)", "reduce: `i_10` is not in scope"),
        ("from iota i 1 map \\(k: i64) -> k to map", "`i_10` is not in scope"),
    ];
    for (parts, expected) in outside {
        assert_eq!(segment("o: [n][m]i32", grid, parts), expected, "{parts}");
    }
    assert_eq!(
        segment("o: [n]i32", "grid (i < n)", "from ys map \\(y: i32) -> y to map"),
        "a source of a segment is an array, not an iota"
    );
    assert_eq!(
        segment("o: [n]i32", "grid (i < x)", "map \\() -> x to map"),
        "`x_3` has type i32, where i64 is expected"
    );
}

#[test]
fn segments_are_refused_at_wrong_levels() {
    let inner = |head: &str| {
        format!("map \\() -> {{ let w: [m]i64 = segment {head} {{ map \\() -> k to map }} in w }} to map")
    };
    let outer = |head: &str, inner_head: &str| segment("o: [n][m]i64", head, &inner(inner_head));
    assert_eq!(outer("grid (i < n) block", "block (k < m)"), "lawful");
    let of_thread = "map: a block segment is in code of a thread";
    assert_eq!(outer("grid (i < n)", "block (k < m)"), of_thread);
    assert_eq!(outer("grid (i < n)", "grid (k < m)"), "map: a grid segment is in code of a thread");
    assert_eq!(
        outer("grid (i < n) block", "grid (k < m)"),
        "map: a grid segment is in the body of a workgroup"
    );
    assert_eq!(outer("block (i < n)", "block (k < m)"), "a block segment is in host code");
    assert_eq!(outer("grid (i < n) grid", "block (k < m)"), "the points of a grid segment run at level grid");
    assert_eq!(
        segment("o: [n][m]i64", "grid (i < n) block", &inner("block (k < m) block")),
        "map: the points of a block segment run at level block"
    );
}

#[test]
fn the_body_of_a_workgroup_is_uniform() {
    let block = |stms: &str| {
        segment("o: [n]i64", "grid (i < n) block", &format!("map \\() -> {{ {stms} in i }} to map"))
    };
    let alike = "let t: i64 = segment block (k < m) { map \\() -> k to reduce \\(a: i64, b: i64) -> { let s: i64 = max a b in s } (0) }
        let d: bool = lt t i
        let e: i64 = if d then t else i
        let f: i64 = loop (g: i64 = e) for l: i64 < t do g";
    assert_eq!(block(alike), "lawful");
    let alone = "map: a construct that is not a segment is in the body of a workgroup";
    assert_eq!(block("let w: [m]i64 = screma m { from iota 0 1 map \\(k: i64) -> k to map }"), alone);
    let stream = "let w: [n]i32 = stream n { from ys chunk \\(k: i64, at: i64, y: [k]i32) -> y to map }";
    assert_eq!(block(stream), "map: a stream is in the body of a workgroup");
    let filled = "map: an array is filled without a segment in the body of a workgroup";
    assert_eq!(block("let w: [m]i64 = iota m 0 1"), filled);
    assert_eq!(block("let w: [m]i64 = replicate m 1"), filled);
    assert_eq!(block("let w: [m]i64 = scratch"), filled);
    assert_eq!(block("let w: [m]i64 = if c then { let v: [m]i64 = scratch in v } else is"), filled);
    assert_eq!(
        block("let w: i64 = call main (n, m, c, x, ys, ys, zs, is)"),
        "map: the body of a workgroup calls a function"
    );
}

#[test]
fn no_thread_reaches_a_segment() {
    let functions = "fun f (n: i64) -> (r: [n]i64) = {
            let o: [n]i64 = segment grid (i < n) { map \\() -> i to map }
            in o
        }
        fun g (n: i64) -> (r: i64) = { let o: [n]i64 = call f (n) in n } ";
    let called =
        |stms: &str| message(&format!("{functions} fun main (n: i64) -> (r: i64) = {{ {stms} in n }}"));
    assert_eq!(called("let o: i64 = call g (n)"), "lawful");
    let thread = "let w: [n]i64 = screma n { from iota 0 1 map \\(k: i64) -> { let o: i64 = call g (k) in o } to map }";
    assert_eq!(called(thread), "a thread reaches the segments of `f`");
}

#[test]
fn a_segment_consumes_its_targets_alone() {
    let own = |parts: &str| message(&within(&format!("let o: [n]i32 = segment grid (i < n) {{ {parts} }}")));
    assert_eq!(own("map \\() -> (i, x) to write xs rank 1"), "lawful");
    assert_eq!(
        own("map \\() -> { let a: i32 = xs[i] in (i, a) } to write xs rank 1"),
        "`xs_4` is consumed and used by one statement"
    );
    assert_eq!(
        own("map \\() -> { let a: [n]i32 = xs with [i] = x in x } to map"),
        "`xs_4` is consumed here, but does not belong to this body"
    );
}

#[test]
fn the_code_of_a_single_point_consumes_once() {
    let update = "segment grid (i < 1) { map \\() -> { let a: [n]i32 = xs with [i] = x in a } to map }";
    let own = |stms: &str| message(&within(stms));
    assert_eq!(own(&format!("let o: [1][n]i32 = {update}")), "lawful");
    assert_eq!(
        own(&format!("let o: [1][n]i32 = {update} let p: i32 = xs[0i64]")),
        "`xs_4` is used after it was consumed"
    );
    assert_eq!(
        own(
            "let o: [2][n]i32 = segment grid (i < 2) { map \\() -> { let a: [n]i32 = xs with [i] = x in a } to map }"
        ),
        "`xs_4` is consumed here, but does not belong to this body"
    );
}
