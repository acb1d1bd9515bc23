//! The table of slips. The first slip that matches gives the hint, so specific ones come before general ones.

use super::Expects::{Anything, Declaration, Head, Name, Operand, Operator, RangeEnd, Token, Type};
use super::{Expects, Slip};
use crate::foreign::{BINDING, CASES, LAMBDA, NO_ASSIGNMENT, UPDATE};

const fn slip(
    before: &'static [&'static str],
    found: &'static [&'static str],
    expects: Expects,
    hint: &'static str,
    example: &'static str,
) -> Slip {
    Slip { before, found, expects, hint, example }
}

const FUNCTION: &str = "a function is defined by `def f (x: i32) (y: i32): i32 = …`";
const BODY: &str = "the body of a function stands after `=`, without braces: `def f (x: i32): i32 = x + 1`";
const DATA: &str = "a type is defined by `type t = {x: i32}`, or by constructors: `type t = #a | #b i32`";
const IMPORT: &str = "a file is imported by `import \"path/to/file\"`, without its extension";
const COMMENT: &str = "a comment begins with `--`";
const CHOICE: &str = "a choice is written `if c then a else b`";
const CASES_OF_A_VALUE: &str = "the cases of a value are written `match x case p -> a case q -> b`";
const LOOP: &str = "a loop is written `loop x = e for i < n do …`, or `loop x = e for y in ys do …`";
const ARRAY_TYPE: &str = "an array type is written `[]i32`, or `[n]i32` with its size";
const RANGE: &str =
    "use '...' for ranges, not '..': a range ends with `...`, `..<` or `..>` and its last element";
const TYPE_PARAMETER: &str = "a type parameter is declared before the parameters: `def f 'a (x: a)`";
const PARAMETER: &str = "each parameter has its own parentheses: `(x: i32) (y: i32)`";
const FIELD: &str = "the fields of a record are separated by commas";
const SPECIFICATIONS: &str =
    "the specifications of a module type stand in braces: `module type s = { val x: i32 }`";
const DIGITS: &str = "a decimal point has digits on both sides: `2.0`";

pub(super) const SLIPS: &[Slip] = &[
    // Declarations.
    slip(&[], &["fn fun func function fct proc"], Declaration, FUNCTION, "fn f (x: i32) = x"),
    slip(
        &["^fn fun func function fct proc", "NAME", "…"],
        &["ANY"],
        Anything,
        FUNCTION,
        "def a = 1\nfn f (x: i32) = x",
    ),
    slip(&[], &["TYPE", "NAME"], Declaration, FUNCTION, "int f (int x) { return x; }"),
    slip(&["sig"], &["val"], Anything, SPECIFICATIONS, "module type s = sig val x: i32 end"),
    slip(&[], &["const var val auto static"], Declaration, BINDING, "const n = 3"),
    slip(&[], &["val"], Operand, BINDING, "def f = val x = 3 in x"),
    slip(&["^var const auto", "NAME", "…"], &["="], Anything, BINDING, "def f =\n  var y: i32 = 2\n  in y"),
    slip(&["mut", "NAME"], &["="], Anything, BINDING, "def f = mut x = 2"),
    slip(
        &[],
        &["data struct enum class interface record union trait"],
        Declaration,
        DATA,
        "struct p { x: i32 }",
    ),
    slip(
        &["^data struct enum class record union", "NAME"],
        &["= {"],
        Operator,
        DATA,
        "def a = 1\ndata t = A | B",
    ),
    slip(
        &["type", "NAME", "=", "NAME", "…"],
        &["|"],
        Declaration,
        "constructors begin with `#`: `type t = #a | #b i32`",
        "type t = A | B",
    ),
    slip(&[], &["use from using require #include #import"], Declaration, IMPORT, "use foo"),
    slip(&["import"], &["NAME"], Anything, IMPORT, "import foo"),
    slip(&[], &["COMMENT"], Anything, COMMENT, "// a comment"),
    slip(&[], &["#"], Anything, COMMENT, "# a comment"),
    slip(&[], &["(", "~*"], Declaration, COMMENT, "(* a comment *)"),
    slip(&[], &["{", "~-"], Declaration, COMMENT, "{- a comment -}"),
    slip(
        &["^#[…]"],
        &["NAME"],
        Declaration,
        "a definition begins with `def`: `def f x = e`",
        "#[noinline]\nf x = x",
    ),
    slip(
        &["#[…]"],
        &["ANY"],
        Declaration,
        "an attribute of an argument stands in parentheses: `f (#[a] x)`",
        "def g = f #[unsafe] x",
    ),
    slip(&[], &["^NAME"], Declaration, "a definition begins with `def`: `def f x = e`", "main x = x"),
    slip(&["def let entry", "NAME", "<", "…"], &["> ,"], Anything, TYPE_PARAMETER, "def f<T> (x: T) = x"),
    slip(
        &[],
        &["->"],
        Head,
        "the type of a function's result stands after a colon: `def f (x: i32): i32 = …`",
        "def f (x: i32) -> i32 = x",
    ),
    slip(
        &["def let entry", "NAME", "…", ":", "…", "{", "NAME"],
        &["ANY"],
        Token(":"),
        BODY,
        "def f (x: i32): i32 { x + 1 }",
    ),
    slip(
        &["def let entry", "NAME", "…", ":", "…", "{"],
        &["ANY"],
        Anything,
        BODY,
        "def f (x: i32): i32 { let y = x in y }",
    ),
    slip(
        &["def let entry", "NAME", "(…)", "{", "NAME"],
        &["ANY"],
        Token("}"),
        BODY,
        "def f (x: i32) { x + 1 }",
    ),
    slip(
        &["let"],
        &["' '^ '~"],
        Anything,
        "only functions have a type parameter, which stands after the name: `let f 't (y: t) = …`",
        "def f (x: i32) = let 't y = x in y",
    ),
    slip(&[], &["|"], Head, CHOICE, "def f (x: i32) | x > 0 = 1"),
    slip(&["(", "NAME"], &["TYPE"], Token(")"), "a parameter is written `(x: i32)`", "def f (x i32) = x"),
    slip(&["(", "TYPE"], &["NAME"], Token(")"), "a parameter is written `(x: i32)`", "def f (i32 x) = x"),
    slip(
        &["def let entry", "NAME", "…", "(", "NAME", ":", "…"],
        &["="],
        Token(")"),
        "a parameter has no default value",
        "def f (x: i32 = 2) = x",
    ),
    slip(
        &["def let entry", "NAME", "…", ":", "return", "…"],
        &["ANY"],
        Token("="),
        "a function is defined by `def f (x: i32) = e`, without `return`",
        "def f(x):\n  return x",
    ),
    slip(&["(", "NAME", "…"], &["NAME"], Token(")"), PARAMETER, "def f (x y: i32) = x"),
    // Functions.
    slip(
        &["\\", "…"],
        &[","],
        Token("->"),
        "a function of two arguments is written `\\x y -> …`",
        "def f = map2 (\\x, y -> x)",
    ),
    slip(&["\\", "…"], &[". : => ="], Token("->"), LAMBDA, "def f = map (\\x. x)"),
    slip(
        &["lambda fun fn func function", "…"],
        &["ANY"],
        Anything,
        LAMBDA,
        "def f = map (lambda x: x + 1) xs",
    ),
    // Cases.
    slip(&[], &["case"], Operand, CASES_OF_A_VALUE, "def f = case x of 0 -> 1"),
    slip(&["match", "…", "with"], &["ANY"], Anything, CASES_OF_A_VALUE, "def f = match x with | 0 -> 1"),
    slip(
        &["match switch", "…", "{", "…"],
        &["ANY"],
        Anything,
        CASES_OF_A_VALUE,
        "def f = match x { 0 => 1 }",
    ),
    slip(&["case", "…"], &["=> : ="], Token("->"), CASES, "def f = match x case 0 => 1"),
    slip(&[], &["->"], Operator, LAMBDA, "def f = map (x -> x + 1)"),
    // Choices.
    slip(&[], &["?"], Operator, CHOICE, "def f = c ? 1 : 2"),
    slip(&[], &["if"], Operator, CHOICE, "def f = 1 if c else 2"),
    slip(&["if", "…", ":"], &["ANY"], Type, CHOICE, "def f = if c: 1 else: 2"),
    slip(
        &["elif elsif elseif", "…"],
        &["then else :"],
        Anything,
        "written `else if`",
        "def f = if a then 1 elif b then 2 else 3",
    ),
    slip(
        &["unless", "…"],
        &["then"],
        Anything,
        "written `if !c then a else b`",
        "def f = unless c then 1 else 2",
    ),
    slip(
        &[],
        &["}"],
        Token("="),
        "braces hold the fields of a record, `{x = 1}`; a branch is `if c then a else b`",
        "def f = if c { 1 } else { 2 }",
    ),
    // Loops.
    slip(
        &["[", "…"],
        &["for"],
        Anything,
        "elements are computed by `map (\\x -> …) xs`",
        "def f = [x + 1 for x in xs]",
    ),
    slip(&[], &["while"], Anything, "a loop is written `loop x = e while c do …`", "def f = while c do x"),
    slip(&[], &["for"], Anything, LOOP, "def f = for i < 3 do x"),
    slip(&["foreach forall", "…"], &["in do"], Anything, LOOP, "def f = foreach x in xs do x"),
    slip(
        &["loop", "(", "…"],
        &["="],
        Anything,
        "the parameters of a loop begin with `loop x = e` or `loop (x, y) = (a, b)`",
        "def f = loop (x = 0) for i < 3 do x",
    ),
    // Ranges.
    slip(&[".."], &["="], Anything, RANGE, "def f = 0..=n"),
    slip(&[], &["ANY"], RangeEnd, RANGE, "def f = [1..10]"),
    // Updates and bindings.
    slip(&["^NAME", "[…]"], &["="], Operator, UPDATE, "def f =\n  xs[0] = 1"),
    slip(&["[…]", ":"], &["~="], Anything, UPDATE, "def f = xs[0] := 1"),
    slip(&["NAME", ":"], &["~="], Anything, BINDING, "def f = x := 1"),
    slip(
        &["where", "…"],
        &["="],
        Operator,
        "a local value is bound before the result: `let y = e in …`",
        "def f x = y where y = x",
    ),
    slip(&["^NAME"], &["="], Operator, BINDING, "def f =\n  y = 2\n  in y"),
    slip(&[], &["="], Operator, "two values are compared with `==`", "def f = if x = 1 then 2 else 3"),
    slip(
        &[],
        &["="],
        Token("<"),
        "a loop goes `for i < n`, or `for x in xs`",
        "def f = loop x = 0 for i = 0 do x",
    ),
    slip(&["NAME ) ]", "~++"], &["ANY"], Operand, NO_ASSIGNMENT, "def f = let y = x++ in y"),
    // Records and arrays.
    slip(&["{", "NAME", ": =", "…"], &[";"], Anything, FIELD, "type t = {x: i32; y: i32}"),
    slip(&["[", "TYPE"], &[";"], Anything, ARRAY_TYPE, "def f (x: [i32; 4]) = x"),
    slip(&["[", "…"], &[";"], Anything, "the elements of an array are separated by commas", "def f = [1; 2]"),
    slip(
        &[],
        &[";"],
        Anything,
        "nothing separates declarations; a binding ends with `in`: `let x = e in …`",
        "def f = 1;",
    ),
    slip(&["[", "TYPE", "]"], &["ANY"], Anything, ARRAY_TYPE, "def f (x: [i32]) = x"),
    slip(&["{ ,", "NAME"], &[":"], Token("="), "the value of a field is written `{x = e}`", "def f = {x: 1}"),
    slip(
        &["{ ,", "NAME"],
        &["="],
        Token(":"),
        "the type of a field is written `{x: t}`",
        "type t = {x = i32}",
    ),
    slip(
        &["{", "…"],
        &["with"],
        Anything,
        "an update of a record has no braces: `r with x = e`",
        "def f = {r with x = 1}",
    ),
    slip(
        &["NAME NUMBER ) ]", ":"],
        &["~:"],
        Anything,
        "arrays are joined by `++`: `[x] ++ xs`",
        "def f = 1 :: xs",
    ),
    // Types.
    slip(&[], &["'"], Type, TYPE_PARAMETER, "def f (x: 'a) = x"),
    slip(
        &[],
        &["& &&"],
        Type,
        "there are no references; `*t` marks a parameter that may be overwritten",
        "def f (x: &[]i32) = x",
    ),
    // Operators and literals.
    slip(
        &[],
        &["'"],
        Operand,
        "a character literal holds one character; a text is written in double quotes",
        "def f = 'text'",
    ),
    slip(&[], &["~", "~="], Operator, "two values are compared with `!=`", "def f = x ~= y"),
    slip(&[], &["~"], Operand, "written `!x`", "def f = ~x"),
    slip(&[], &["$"], Anything, "`f <| x` applies `f` to `x`", "def f = g $ x + 1"),
    slip(
        &["assert", "(…)"],
        &["ANY"],
        Operand,
        "`assert c e` checks the condition `c` and returns `e`",
        "def f = assert (x > 0)",
    ),
    slip(&["NUMBER", "~."], &["ANY"], Anything, DIGITS, "def f = 2. * x"),
    slip(&[], &["FRACTION"], Operand, DIGITS, "def f = x * .5"),
    // Incomplete expressions.
    slip(&[], &["in"], Operand, "a value is missing before `in`", "def f = let x = in x"),
    slip(
        &["+ - * / % ** == != < <= > >= && || & | ^ << >> |> <|"],
        &["END ) ] }"],
        Operand,
        "an operator has an operand on both sides: `x + 1`",
        "def f = x +",
    ),
    slip(&[], &["in"], Declaration, "there is no `let` that this `in` could end", "def f = x in y"),
    slip(&[], &["END"], Token("in"), END_OF_LET, "def f = let x = 1"),
    slip(&[], &["ANY"], Token("then"), "an `if` goes on with `then` and `else`", "def f = if x\ndef g = 1"),
    slip(&[], &["ANY"], Token("else"), "an `if` always has an `else`", "def f = if x then 1"),
    slip(
        &[],
        &["ANY"],
        Token("do"),
        "the body of a `loop` stands after `do`",
        "def f = loop x = 1 for i < 3",
    ),
    slip(&[], &["KEYWORD"], Name, "a keyword cannot be a name", "def if = 3"),
];

pub(crate) const END_OF_LET: &str = "the bindings of a `let` end with `in` and the result";
