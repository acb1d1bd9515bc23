//! Printed text is parsed to the same tree: for a list of sources with every form, and for random trees.

mod trees;

use proptest::prelude::*;
use ravel_base::FileId;

use crate::ast::{Dec, Program};

/// A tree without its places: spans are shown as `file:start..end`.
fn without_spans(tree: &impl std::fmt::Debug) -> String {
    let is_span = |word: &str| word.split_once(':').is_some_and(|(_, rest)| rest.contains(".."));
    let text = format!("{tree:?}");
    let words = text.split_inclusive([' ', '(', ')', ',', '}']);
    words.filter(|word| !is_span(word)).collect()
}

fn parse(text: &str) -> Program {
    let parsed = crate::parse(FileId(0), text);
    assert!(parsed.diagnostics.is_empty(), "{text}\n{:#?}", parsed.diagnostics);
    parsed.program
}

#[track_caller]
fn assert_parsed_back(source: &str) {
    let first = parse(source);
    let text = super::program(&first);
    let second = parse(&text);
    assert_eq!(without_spans(&first), without_spans(&second), "{source}\nis printed as\n{text}");
    assert_eq!(super::program(&second), text);
}

#[test]
fn every_form_is_parsed_back() {
    for source in SOURCES {
        assert_parsed_back(source);
    }
}

#[test]
fn the_layout_is_readable() {
    let source = "-- | Sums.\n#[noinline] def f [n] 'a (xs: *[n]i32): i64 = let a = 1 let b = (2) in if (a) then a+b*2 \
                  else match g a case 1 -> 2 case (x: i32) -> let y = ((x)) in y\nlocal open (m { def g = (+) })";
    assert_eq!(
        super::program(&parse(source)),
        "-- | Sums.
#[noinline]
def f [n] 'a (xs: *[n]i32): i64 =
  let a = 1
  let b = 2
  in if a then a + b * 2 else
    match g a
    case 1 -> 2
    case (x: i32) ->
      let y = x
      in y

local open m {
  def g = (+)
}
"
    );
}

const SOURCES: &[&str] = &[
    "",
    "entry main (_: i32) {a, b = (c, _)} () 'x' true #c (#d 1 #e): (i32, f64) = ???",
    "def c = [1, 0x_1, 0b1_01u8, 0xFFi8, 1e3, 1.5f32, 3f64, 0x1.8p-3f32, 'x', '\\n', '\\'', \"a\\\"\\\\\\65\\x41\\&1ü\", true]",
    "def f = let [n] (ys: [n]i32) = x let ys[0, 1:n:2, ::-1, a:, :b] = 3 let h [m] '~a '^b (x: i64): i64 = x in -x",
    "def f = let (+) = g in 1 + 2 `m.h` a m.+ b",
    "def f = loop (a, b) for i < n do loop x = 0 for (y, _) in ys do loop z = 1 while z < 10 do z + 1",
    "def f = a with [1] = b with [2, 3:] = c |> d",
    "def f = r with x.y = 1 `g` r with x = 2",
    "def f = a.b.c (a).b x.0.1 x.0[1].y m.(n + 1).z (f x).1 (1).2 [1][0] {x, y = 1, 0 = 2}",
    "def f = (+) (-) (+ 1) (2 -) (a * b +) (`g` 3) (x `g`) (.x.y) (.0.1) (.[1, :]) (<| 1) (a <|) (m.+ 2)",
    "def f = - -x + !(!y) ** -2 - (-(-(1)))",
    "def f = a |> b |> c <| d <| e || f && g == h & i << j + k * l ** m",
    "def f = ((((((a ** b) * c) + d) << e) & f) == g) && h",
    "def f = a ** (b * (c + (d << (e & (f == (g && h))))))",
    "def f = (a |> b) <| ((c <| d) <| e) |> (f <| g)",
    "def f = 0...10 ++ [1..<n, a..b..>c, 1..2...(if x then y else z)]",
    "def f = x + if a then b else c : i32",
    "def f = (x : i32) + (y :> [n]i32) : ?[k].[k]i32 -> (x: i64) -> *[x]*(*i32)",
    "def f = map (\\x y: i32 -> x) \\(z: a -> b) (-1) -> #[unroll] z + #[a(b, c(), 3)] w : t",
    "def f = assert (x > 0) y + assert a.b c[1]",
    "def f = a[if c then 1 else 2 : n, (match x case _ -> 1), (x : i32)]",
    "def f = match (match a case _ -> b) case #a x (#b) -> match c case 1 -> 2 case -1.5 -> 3",
    "def f = match a case (x: a -> b) -> (match c case 1 -> 2) case #[x] y -> if a then b else (match c case _ -> d) case z -> 1",
    "def f = #a x (#b y) #c (#d) |> (#e) x",
    "def f: t [n] i32 [] (u a) m.v {} {x: i32, 0: a -> b} () = 1",
    "def f {x, y: [n]i32, z = z: t, u = v: t, 0 = (w: t)} = let {a: t, b} = c in a",
    "def f: #a i32 ([]i32) | #b | #c [n]t a = 1",
    "def f (g: (a -> b) -> c -> d) (x: *(a -> b)) ((y: i32): i32) = #a: #b | #c",
    "def x <+> (y: i32) = x def (a, b) `g` _ = 1 def (-) x y = 1 let (||>) 'a (x: a): a = x",
    "type t = i32 type~ u [n] 'a = [n]a type^ v '^a = a -> a",
    "module m = { def x = 1 -- | doc\n local def y = 2 module n = {} }",
    "-- | d\nmodule m (a: t) (b: u with v 'x = [1]x with w = i32): (c: d) -> e -> { val f 'a : a val (+): i32 \
     val *^ [n]: [n]t type t 'a type~ s type r = i32 module o: p include q #[x] val g: i32 } = (n o) (\\(x: t): u -> y z : w)",
    "module type t = (a -> b) -> c module type u = { } open import \"x\\\"y\" import \"z\" module m = import \"a\" : b",
    "-- | L\n--\n--   indented\nlocal def f = 1",
    "-- | D\n#[a] #[b(1)] type t = i32 #[a] local open m local #[a] import \"x\" #[a] module m = { #[b] type t = i32 } \
     #[a] module type t = { -- | D\n #[a] #[b] type t #[a] type u = i32 #[a] module n: p #[a] include q }",
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_trees_are_parsed_back(body in trees::exp()) {
        let text = format!("def f =\n  {}\n", super::expression(&body).replace('\n', "\n  "));
        let program = parse(&text);
        let [Dec::Value(dec)] = &program.decs[..] else { panic!("{text}") };
        prop_assert_eq!(without_spans(&dec.body), without_spans(&body), "{}", text);
    }
}
