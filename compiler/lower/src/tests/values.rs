//! The results of small programs, one test for each construct of the language.

use super::run;

/// The value of `body`, an expression of type `ty`, for n = 3 and xs = [5, 6, 7, 8]. The suffix `i64` is omitted.
fn of(ty: &str, body: &str) -> String {
    let text = format!("entry main [m] (n: i64) (xs: [m]i64): {ty} =\n  {body}");
    run(&text, "3 [5, 6, 7, 8]").replace("i64", "")
}

fn scalar(body: &str) -> String {
    of("i64", body)
}

fn array(body: &str) -> String {
    of("[]i64", body)
}

#[test]
fn operators() {
    assert_eq!(scalar("n + 2 * 5 - 1"), "12");
    assert_eq!(scalar("(-7) / n"), "-3");
    assert_eq!(scalar("(-7) % n"), "2");
    assert_eq!(scalar("(-7) // n"), "-2");
    assert_eq!(scalar("(-7) %% n"), "-1");
    assert_eq!(scalar("2 ** n"), "8");
    assert_eq!(of("bool", "n < 4 && n != 3 || !(n >= 5)"), "true");
    assert_eq!(of("bool", "n > 5 && xs[9] == 0"), "false");
    assert_eq!(of("bool", "n < 5 || xs[9] == 0"), "true");
}

/// In unsafe code, compiled programs assume that checks hold; the interpreter still makes them.
#[test]
fn the_interpreter_checks_unsafe_code() {
    let part = "entry main [n] (k: i64) (xs: [n]i32): []i32 = #[unsafe] ";
    let says = |body: &str, input: &str| run(&format!("{part}{body}"), input);
    assert_eq!(says("xs[:k]", "2 [1, 2, 3]"), "[1i32, 2i32]");
    assert!(says("xs[:k]", "4 [1, 2, 3]").contains("Index [:4] out of bounds for array of shape [3]."));
    assert!(says("xs :> [k]i32", "4 [1, 2, 3]").contains("Value of shape [3] cannot match"));
    assert_eq!(says("assert (k > 5) xs", "4 [1, 2, 3]"), "[1i32, 2i32, 3i32]");
    let lowered = |body: &str| super::core(&format!("{part}{body}"));
    assert!(lowered("xs[:k]").contains("trust"), "{}", lowered("xs[:k]"));
}

#[test]
fn conversions() {
    assert_eq!(run("entry main (x: f64): i32 = i32.f64 x", "-2.7"), "-2i32");
    assert_eq!(run("entry main (x: i32): u32 = u32.i32 x", "-1i32"), "4294967295u32");
    assert_eq!(run("entry main (x: bool): f32 = f32.bool x", "true"), "1.0f32");
}

#[test]
fn tuples_and_lets() {
    assert_eq!(of("(i64, i64)", "let (a, b) = (n, xs[0]) in (b, a)"), "5 3");
    assert_eq!(scalar("let t = (1, (2, n)) in t.1.1"), "3");
    assert_eq!(scalar("let twice f x = f (f x) in twice (\\y -> y * 2) n"), "12");
}

#[test]
fn functions_as_values() {
    assert_eq!(scalar("let f = if n > 2 then 10 else 20 in (f +) n"), "13");
    assert_eq!(scalar("(+ n) 4"), "7");
    assert_eq!(scalar("(id >-> (* 2) >-> (+ 1)) n"), "7");
    assert_eq!(scalar("let add a b c = a + b + c let part = add 1 n in part 10"), "14");
    assert_eq!(array("xs |> map (+ 1) |> filter (> 6)"), "[7, 8, 9]");
    assert_eq!(scalar("curry (uncurry (-)) 10 n"), "7");
    assert_eq!(scalar("flip (-) 10 n"), "-7");
}

#[test]
fn branches() {
    assert_eq!(scalar("if n > 2 then n else xs[9]"), "3");
    assert_eq!(array("if n > 2 then xs else map (+ 1) xs"), "[5, 6, 7, 8]");
    assert_eq!(array("if n > 2 then iota n else iota 7"), "[0, 1, 2]");
    assert_eq!(array("if n > 5 then filter (> 6) xs else xs[1:]"), "[6, 7, 8]");
    assert_eq!(of("(i64, []i64)", "if n > 5 then (1, []) else (2, [n])"), "2 [3]");
}

#[test]
fn loops() {
    assert_eq!(scalar("loop a = 1 for i < n do a * (i + 2)"), "24");
    assert_eq!(scalar("loop a = 0 for x in xs do a * 10 + x"), "5678");
    assert_eq!(scalar("loop a = n while a < 20 do a * 2"), "24");
    assert_eq!(of("(i64, i64)", "loop (a, b) = (0, 1) for _i < 10 do (b, a + b)"), "55 89");
    assert_eq!(array("loop ys = copy xs for i < m do ys with [i] = ys[i] * i"), "[0, 6, 14, 24]");
    assert_eq!(array("loop ys = [1] for i < n do ys ++ [i]"), "[1, 0, 1, 2]");
    assert_eq!(array("loop ys = xs while length ys > 1 do filter (> ys[0]) ys"), "[8]");
    assert_eq!(scalar("loop a = 0 for (x, y) in zip xs xs do a + x * y"), "174");
    assert_eq!(scalar("foldr (\\x acc -> acc * 10 + x) 0 xs"), "8765");
    assert_eq!(array("(loop (ys, k) = (xs, 0) while k < 2 do (ys[1:], k + 1)).0"), "[7, 8]");
}

#[test]
fn array_literals() {
    assert_eq!(array("[n, n + 1]"), "[3, 4]");
    assert_eq!(of("[][]i64", "[xs, map (+ 1) xs]"), "[[5, 6, 7, 8], [6, 7, 8, 9]]");
    assert_eq!(array("map (\\(a, b) -> a * b) [(1, 2), (n, 4)]"), "[2, 12]");
    assert_eq!(array("[]"), "empty([0])");
}

#[test]
fn elements() {
    assert_eq!(scalar("xs[1]"), "6");
    assert_eq!(scalar("xs[2i32]"), "7");
    assert_eq!(array("[xs, xs][1]"), "[5, 6, 7, 8]");
    assert_eq!(scalar("[xs, xs][1, 2]"), "7");
    assert_eq!(array("[xs, xs][:, 2]"), "[7, 7]");
    assert_eq!(of("(i64, i64)", "(zip xs xs)[2]"), "7 7");
}

#[test]
fn indices_out_of_bounds() {
    let out = |body: &str, index: &str, shape: &str| {
        let message = format!("Index [{index}] out of bounds for array of shape {shape}.");
        let answer = scalar(body);
        assert!(answer.contains(&message), "{body}: {answer}");
    };
    out("xs[4]", "4", "[4]");
    out("xs[-1]", "-1", "[4]");
    out("xs[n + 2]", "5", "[4]");
    out("[xs, xs][1, 7]", "1, 7", "[2][4]");
    out("[xs, xs][2, 0]", "2, 0", "[2][4]");
    out("length xs[1:9]", "1:9", "[4]");
    out("length xs[3:1]", "3:1", "[4]");
    out("length xs[-1:2]", "-1:2", "[4]");
    out("length xs[9:]", "9:", "[4]");
    out("length xs[::0]", "::0", "[4]");
    out("length xs[0:9:2]", "0:9:2", "[4]");
    out("length xs[5::-1]", "5::-1", "[4]");
    out("length xs[::n - 3]", "::0", "[4]");
    out("(copy xs with [4] = 1)[0]", "4", "[4]");
    out("head (filter (> 100) xs)", "0", "[0]");
}

#[test]
fn slices() {
    assert_eq!(array("xs[1:3]"), "[6, 7]");
    assert_eq!(array("xs[:2]"), "[5, 6]");
    assert_eq!(array("xs[2:]"), "[7, 8]");
    assert_eq!(array("xs[:]"), "[5, 6, 7, 8]");
    assert_eq!(array("xs[::2]"), "[5, 7]");
    assert_eq!(array("xs[1::2]"), "[6, 8]");
    assert_eq!(array("xs[::3]"), "[5, 8]");
    assert_eq!(array("xs[::-1]"), "[8, 7, 6, 5]");
    assert_eq!(array("xs[::-2]"), "[8, 6]");
    assert_eq!(array("xs[2:0:-1]"), "[7, 6]");
    assert_eq!(array("xs[::n - 1]"), "[5, 7]");
    assert_eq!(array("xs[::1 - n]"), "[8, 6]");
    assert_eq!(array("xs[2:2]"), "empty([0])");
    assert_eq!(array("xs[4:]"), "empty([0])");
    assert_eq!(of("[][]i64", "[xs, xs][1:, 1:3]"), "[[6, 7]]");
}

#[test]
fn updates() {
    assert_eq!(array("copy xs with [1] = n"), "[5, 3, 7, 8]");
    assert_eq!(array("copy xs with [1:3] = [n, 4]"), "[5, 3, 4, 8]");
    assert_eq!(array("let ys = copy xs let ys[0] = n let ys[3] = 9 in ys"), "[3, 6, 7, 9]");
    assert_eq!(array("map (.1) (copy (zip xs xs) with [1] = (0, n))"), "[5, 3, 7, 8]");
    assert_eq!(of("[][]i64", "replicate 2 (replicate 2 0) with [1] = [n, 4]"), "[[0, 0], [3, 4]]");
    assert_eq!(of("[][]i64", "replicate 2 (replicate 2 0) with [0, 1] = n"), "[[0, 3], [0, 0]]");
}

#[test]
fn updates_of_computed_arrays() {
    assert_eq!(array("let ys = copy xs in if n > 2 then ys with [0] = 1 else ys"), "[1, 6, 7, 8]");
    assert_eq!(array("let ys = reverse (copy xs) in ys with [0] = 1"), "[1, 7, 6, 5]");
    assert_eq!(array("let ys = flatten (replicate 2 [1, 2]) in ys with [0] = 7"), "[7, 2, 1, 2]");
    assert_eq!(
        array("let f (a: *[m]i64) (i: i64): *[m]i64 = a with [i] = 9 in f (f (copy xs) 1) 2"),
        "[5, 9, 9, 8]"
    );
    assert_eq!(array("loop a = copy xs for x in xs do scatter a [x - 5] [0]"), "[0, 0, 0, 0]");
    assert_eq!(
        of(
            "[][]i64",
            "loop a = replicate 2 (replicate 2 0) for i < 2 do a with [i] = map (+ i) (copy a[1 - i])"
        ),
        "[[0, 0], [1, 1]]"
    );
    assert_eq!(
        of(
            "([]i64, []i64)",
            "loop (a, b) = (copy xs, replicate 2 0) for i < 2 do let t = a[i] in (a with [i] = i, b with [i] = t)"
        ),
        "[0, 1, 7, 8] [5, 6]"
    );
}

#[test]
fn modules_of_the_primitive_types() {
    assert_eq!(
        of("(i64, f64, bool)", "(i64.f64 (f64.floor 2.7), f64.i64 n / 2, bool.i64 n)"),
        "2 1.5f64 true"
    );
    assert_eq!(of("(i64, i64)", "(i64.abs (-3), i64.sgn (-3))"), "3 -1");
    assert_eq!(of("(i32, i32)", "(i32.highest, i32.lowest)"), "2147483647i32 -2147483648i32");
    assert_eq!(of("(f32, f32)", "(f32.lowest, f32.nan)"), "-f32.inf f32.nan");
    assert_eq!(of("(i32, i32)", "(u32.get_bit 3 8, i64.num_bits)"), "1i32 64i32");
    assert_eq!(of("(u32, i64)", "(u32.set_bit 2 0 1, i64.set_bit 0 n 0)"), "4u32 2");
    assert_eq!(of("(i64, i64)", "(i64.product xs, i64.minimum xs)"), "1680 5");
    assert_eq!(of("bool", "f64.isnan (f64.inf - f64.inf)"), "true");
}

#[test]
fn ranges() {
    assert_eq!(array("0..<n"), "[0, 1, 2]");
    assert_eq!(array("1...n"), "[1, 2, 3]");
    assert_eq!(array("n..>0"), "[3, 2, 1]");
    assert_eq!(array("0..2..<5"), "[0, 2, 4]");
    assert_eq!(array("0..2...4"), "[0, 2, 4]");
    assert_eq!(array("5..3..>0"), "[5, 3, 1]");
    assert_eq!(array("5..3...1"), "[5, 3, 1]");
    assert_eq!(array("n..<3"), "empty([0])");
    assert!(array("5..<n").contains("Range 5..<3 is invalid."), "{}", array("5..<n"));
    assert!(array("0..0..<n").contains("Range 0..0..<3 is invalid."));
    assert!(array("0..-1..<n").contains("Range 0..-1..<3 is invalid."));
    assert!(array("iota (n - 5)").contains("Range 0..1..<-2 is invalid."));
    assert!(array("iota (-2)").contains("Range 0..1..<-2 is invalid."));
    assert!(array("replicate (n - 5) 0").contains("Range 0..1..<-2 is invalid."));
}

#[test]
fn sizes_are_natural_numbers_or_the_program_fails() {
    let negative = "Range 0..1..<-2 is invalid.";
    assert!(scalar("length (iota (n - 5))").contains(negative));
    assert!(scalar("length (replicate (-2) n)").contains(negative));
    assert!(scalar("let k = n - 5 in length (iota k) + k").contains(negative));
    assert!(scalar("(map length (map (\\_ -> iota (n - 5)) xs))[0]").contains(negative));
    assert!(scalar("length (if n > 2 then iota (n - 5) else iota (n - 5))").contains(negative));
    assert!(scalar("length (loop ys = iota (n - 5) for i < 2 do ys)").contains(negative));
    assert!(scalar("length (5..<n)").contains("Range 5..<3 is invalid."));
    assert!(scalar("length (i64.lowest..<n)").contains("is invalid."));
    assert!(scalar("length (0...(i64.highest - 3 + n))").contains("is invalid."));
    assert!(scalar("length xs[2:1]").contains("Index [2:1] out of bounds for array of shape [4]."));
    assert!(scalar("length xs[n:1]").contains("Index [3:1] out of bounds for array of shape [4]."));
}

#[test]
fn sums_and_products_of_sizes_fit_or_the_program_fails() {
    let with_side =
        |side: &str, body: &str| scalar(&format!("let k = {side} let none: [0]i64 = [] in length ({body})"));
    let square = |side: &str| with_side(side, "flatten (replicate k (replicate k none))");
    assert_eq!(square("n"), "9");
    assert_eq!(square("n - 3"), "0");
    assert!(square("n << 60").contains("Size 3458764513820540928 * 3458764513820540928 is too large."));
    assert!(square("1 << 62").contains("Size 4611686018427387904 * 4611686018427387904 is too large."));
    let sum = with_side("1 << (59 + n)", "replicate k none ++ replicate k none");
    assert!(sum.contains("Size 4611686018427387904 + 4611686018427387904 is too large."));
    let wrapped = with_side("1 << (29 + n)", "unflatten (none :> [k * k]i64) :> [k][k]i64");
    assert!(wrapped.contains("Size 4294967296 * 4294967296 is too large."), "{wrapped}");
}

#[test]
fn checks() {
    assert!(scalar("n / (n - 3)").contains("division by zero"));
    assert!(scalar("n %% (n - 3)").contains("division by zero"));
    assert!(scalar("assert (n > 5) n").contains("Assertion is false: (n > 5)"));
    assert_eq!(scalar("assert (n > 2) n"), "3");
    assert_eq!(array("xs :> [4]i64"), "[5, 6, 7, 8]");
    assert!(array("xs :> [n]i64").contains("Value of shape [4] cannot match shape of type \"[3]\"."));
}

#[test]
fn equality_of_values() {
    assert_eq!(of("bool", "xs == xs"), "true");
    assert_eq!(of("bool", "xs == map (+ 1) xs"), "false");
    assert_eq!(of("bool", "(n, xs) != (3, xs)"), "false");
    assert_eq!(of("bool", "(xs, 1) == (xs, n)"), "false");
}

#[test]
fn local_functions() {
    assert_eq!(scalar("let f [k] (ys: [k]i64) = k in f xs * 10 + f (tail xs)"), "43");
    assert_eq!(scalar("let g (ys: []i64) = i64.sum ys in g xs + g (iota 3)"), "29");
    assert_eq!(scalar("let add x = \\y -> x + y in (add n) 4"), "7");
    assert_eq!(array("let add x = (+ x) in map (add n) xs"), "[8, 9, 10, 11]");
    assert_eq!(scalar("let [k] (_: [k]i64) = filter (> 5) xs in k"), "3");
}

#[test]
fn nested_operators() {
    assert_eq!(array("map i64.sum [xs, xs]"), "[26, 26]");
    assert_eq!(array("map (\\i -> length (if i > 1 then iota i else iota 2)) (iota 4)"), "[2, 2, 2, 3]");
    assert_eq!(array("map (\\i -> reduce (+) 0 (filter (< i) xs)) xs"), "[0, 5, 11, 18]");
    assert_eq!(
        array("map (\\x -> (loop a = replicate 2 x for i < 2 do a with [i] = i)[1]) xs"),
        "[1, 1, 1, 1]"
    );
    assert_eq!(
        of("[][]i64", "map (\\x -> if x > 6 then replicate n x else iota n) xs[1:]"),
        "[[0, 1, 2], [7, 7, 7], [8, 8, 8]]"
    );
    assert_eq!(
        of("[][]i64", "map (\\x -> loop r = replicate n x for i < n do map (+ i) r) xs[:2]"),
        "[[8, 8, 8], [9, 9, 9]]"
    );
    assert_eq!(of("[][]i64", "map (\\x -> scatter (replicate 2 0) [x - 5] [x]) xs[:2]"), "[[5, 0], [0, 6]]");
    assert_eq!(array("map (\\x -> if x == 5 then 0 else 100 / (x - 5)) xs"), "[0, 100, 50, 33]");
    assert_eq!(scalar("(tabulate_3d 2 3 4 (\\i j k -> i * 100 + j * 10 + k))[1, 2, 3]"), "123");
}

#[test]
fn maps() {
    assert_eq!(array("map (* n) xs"), "[15, 18, 21, 24]");
    assert_eq!(array("map2 (+) xs (iota m)"), "[5, 7, 9, 11]");
    assert_eq!(array("map3 (\\a b c -> a + b * c) xs xs (iota m)"), "[5, 12, 21, 32]");
    assert_eq!(of("[][]i64", "map (\\x -> map (+ x) (iota n)) xs[:2]"), "[[5, 6, 7], [6, 7, 8]]");
    assert_eq!(of("([]i64, []i64)", "unzip (map (\\x -> (x, -x)) xs[:2])"), "[5, 6] [-5, -6]");
    assert_eq!(of("[][]i64", "tabulate_2d 2 2 (\\i j -> i * n + j)"), "[[0, 1], [3, 4]]");
}

#[test]
fn reductions_and_scans() {
    assert_eq!(scalar("reduce (+) 0 xs"), "26");
    assert_eq!(scalar("i64.maximum xs"), "8");
    assert_eq!(of("(i64, i64)", "reduce (\\(a, b) (c, d) -> (a + c, b * d)) (0, 1) (zip xs xs)"), "26 1680");
    assert_eq!(array("scan (+) 0 xs"), "[5, 11, 18, 26]");
    assert_eq!(array("exscan (+) 0 xs"), "[0, 5, 11, 18]");
    assert_eq!(array("reduce (map2 (+)) (replicate 2 0) [[1, 2], [n, 4]]"), "[4, 6]");
    assert_eq!(of("bool", "all (> 4) xs && !(any (> 9) xs)"), "true");
}

#[test]
fn filters() {
    assert_eq!(array("filter (\\x -> x % 2 == 0) xs"), "[6, 8]");
    assert_eq!(array("filter (> 9) xs"), "empty([0])");
    assert_eq!(array("filter (> 9) (iota 0)"), "empty([0])");
    assert_eq!(of("([]i64, []i64)", "partition (> 6) xs"), "[7, 8] [5, 6]");
    assert_eq!(of("[][]i64", "filter (\\r -> r[0] > 5) [xs, map (+ 1) xs]"), "[[6, 7, 8, 9]]");
    assert_eq!(of("([]i64, []i64)", "unzip (filter (\\(a, _) -> a > 6) (zip xs (iota m)))"), "[7, 8] [2, 3]");
}

#[test]
fn scatters() {
    assert_eq!(array("scatter (copy xs) [0, 9, 2] [n, 1, 2]"), "[3, 6, 2, 8]");
    assert_eq!(of("[][]i64", "scatter (replicate 2 [0, 0]) [1] [[n, 4]]"), "[[0, 0], [3, 4]]");
    assert_eq!(of("[][]i64", "scatter_2d (replicate 2 [0, 0]) [(1, 0)] [n]"), "[[0, 0], [3, 0]]");
    assert_eq!(
        of(
            "([]i64, []i64)",
            "unzip (hist (\\(a, b) (c, d) -> (a + c, b * d)) (0, 1) 2 [0, 1, 0] [(1, 2), (n, n), (4, 5)])"
        ),
        "[5, 3] [10, 3]"
    );
    assert_eq!(array("hist (+) 0 n [0, 2, 0, 7] (xs :> [4]i64)"), "[12, 0, 6]");
}

#[test]
fn shapes() {
    assert_eq!(of("[][]i64", "transpose [xs, xs]"), "[[5, 5], [6, 6], [7, 7], [8, 8]]");
    assert_eq!(array("flatten [xs[:2], xs[2:] :> [2]i64]"), "[5, 6, 7, 8]");
    assert_eq!(of("[][]i64", "unflatten (xs :> [2 * 2]i64)"), "[[5, 6], [7, 8]]");
    assert_eq!(array("concat xs [n]"), "[5, 6, 7, 8, 3]");
    assert_eq!(array("rotate 1 xs"), "[6, 7, 8, 5]");
    assert_eq!(array("rotate (-1) xs"), "[8, 5, 6, 7]");
    assert_eq!(array("reverse (tail (init xs))"), "[7, 6]");
    assert_eq!(array("take 2 (drop 1 xs)"), "[6, 7]");
    assert_eq!(of("([]i64, []i64)", "split (xs :> [1 + 3]i64)"), "[5] [6, 7, 8]");
    assert_eq!(scalar("length (replicate n xs)"), "3");
}

#[test]
fn constants_are_evaluated_before_the_entry_point() {
    let text = "def table: [3]i64 = map (* 2) (iota 3)
        def first: i64 = table[0]
        entry main (n: i64): i64 = reduce (+) first (map (\\i -> table[i % 3]) (iota n))";
    assert_eq!(run(text, "4"), "6i64");
}

#[test]
fn entry_points() {
    assert_eq!(
        run("entry main [n] (xs: [n]i32) (ys: [n]i32): [n]i32 = map2 (+) xs ys", "[1i32] [2i32]"),
        "[3i32]"
    );
    assert_eq!(run("entry main (n: i64) (xs: [n]i32): i64 = length xs", "2 [1i32, 2i32]"), "2i64");
    assert!(run("entry main (n: i64) (xs: [n]i32): i64 = length xs", "1 [1i32, 2i32]").contains("shape"));
    assert_eq!(run("entry main [n] (xs: *[n]i32): [n]i32 = xs with [0] = 7", "[1i32, 2i32]"), "[7i32, 2i32]");
    assert_eq!(run("entry main (t: (i32, bool)): (bool, i32) = (t.1, t.0)", "1i32 true"), "true 1i32");
    assert_eq!(
        run("entry main [n] (xs: [n]i64): ([n]i64, []i64) = (xs, filter (> 1) xs)", "[1, 2]"),
        "[1i64, 2i64] [2i64]"
    );
}

#[test]
fn pi() {
    let text = include_str!("../../../../tests/stages/fusion/pi.dsl");
    assert_eq!(run(text, "1000i32"), "3.144f64");
}

#[test]
fn padded_breadth_first_search() {
    let graphs = include_str!("../../../../programs/bfs/adjacency.dsl");
    let text = &include_str!("../../../../programs/bfs/padded.dsl").replace("import \"adjacency\"", graphs);
    let graph = "[0i32, 2i32, 3i32, 3i32, 4i32] [2i32, 1i32, 0i32, 1i32, 0i32] [1i32, 2i32, 3i32, 1i32]";
    assert_eq!(run(text, graph).replace("i32", ""), "[0, 1, 1, 2, -1]");
    assert_eq!(run(text, "[0i32] [0i32] empty([0]i32)"), "[0i32]");
}
