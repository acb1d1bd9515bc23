//! The table of common mistakes. The first one that matches gives the hint, so specific ones come before general ones.

use super::Expects::{Anything, Declaration, Head, Name, Operand, Operator, RangeEnd, Token, Type};
use super::{Expects, Mistake};
use crate::foreign::{BINDING, CASES, LAMBDA, NO_ASSIGNMENT, UPDATE};

const fn row(
    before: &'static [&'static str],
    found: &'static [&'static str],
    expects: Expects,
    hint: &'static str,
    example: &'static str,
) -> Mistake {
    Mistake { before, found, expects, hint, example }
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
const RESULT: &str =
    "the parentheses of a parameter close before the type of the result: `def f (x: i64): i64 = …`";
const FIELD: &str = "the fields of a record are separated by commas";
const SPECIFICATIONS: &str =
    "the specifications of a module type stand in braces: `module type s = { val x: i32 }`";
const FUNCTION_AFTER_WITH: &str =
    "a function type after `with` stands in parentheses: `with t = (i32 -> i32)`";
const TUPLE: &str = "the components of a tuple stand in parentheses: `(x, y)`";
const DIGITS: &str = "a decimal point has digits on both sides: `2.0`";

pub(super) const MISTAKES: &[Mistake] = &[
    // Module types.
    row(
        &["with", "…", "->"],
        &["["],
        Anything,
        FUNCTION_AFTER_WITH,
        "module type s = t with u = i32 -> []i32",
    ),
    row(
        &["with", "…", "->", "(", "…"],
        &[","],
        Token("with"),
        FUNCTION_AFTER_WITH,
        "module type s = t with u = i32 -> (i32, i32)",
    ),
    // Declarations.
    row(&[], &["fn fun func function fct proc"], Declaration, FUNCTION, "fn f (x: i32) = x"),
    row(
        &["^fn fun func function fct proc", "NAME", "…"],
        &["ANY"],
        Anything,
        FUNCTION,
        "def a = 1\nfn f (x: i32) = x",
    ),
    row(&[], &["TYPE", "NAME"], Declaration, FUNCTION, "int f (int x) { return x; }"),
    row(&["sig"], &["val"], Anything, SPECIFICATIONS, "module type s = sig val x: i32 end"),
    row(&[], &["const var val auto static"], Declaration, BINDING, "const n = 3"),
    row(&[], &["val"], Operand, BINDING, "def f = val x = 3 in x"),
    row(&["^var const auto", "NAME", "…"], &["="], Anything, BINDING, "def f =\n  var y: i32 = 2\n  in y"),
    row(&["mut", "NAME"], &["="], Anything, BINDING, "def f = mut x = 2"),
    row(
        &[],
        &["data struct enum class interface record union trait"],
        Declaration,
        DATA,
        "struct p { x: i32 }",
    ),
    row(
        &["^data struct enum class record union", "NAME"],
        &["= {"],
        Operator,
        DATA,
        "def a = 1\ndata t = A | B",
    ),
    row(
        &["type", "NAME", "=", "NAME", "…"],
        &["|"],
        Declaration,
        "constructors begin with `#`: `type t = #a | #b i32`",
        "type t = A | B",
    ),
    row(&[], &["use from using require #include #import"], Declaration, IMPORT, "use foo"),
    row(&["import"], &["NAME"], Anything, IMPORT, "import foo"),
    row(&[], &["COMMENT"], Anything, COMMENT, "// a comment"),
    row(&[], &["#"], Anything, COMMENT, "# a comment"),
    row(&[], &["(", "~*"], Declaration, COMMENT, "(* a comment *)"),
    row(&[], &["{", "~-"], Declaration, COMMENT, "{- a comment -}"),
    row(
        &["^#[…]"],
        &["NAME"],
        Declaration,
        "a definition begins with `def`: `def f x = e`",
        "#[noinline]\nf x = x",
    ),
    row(
        &["#[…]"],
        &["ANY"],
        Declaration,
        "an attribute of an argument stands in parentheses: `f (#[a] x)`",
        "def g = f #[unsafe] x",
    ),
    row(&[], &["^NAME"], Declaration, "a definition begins with `def`: `def f x = e`", "main x = x"),
    row(&["def let entry", "NAME", "<", "…"], &["> ,"], Anything, TYPE_PARAMETER, "def f<T> (x: T) = x"),
    row(
        &[],
        &["->"],
        Head,
        "the type of a function's result stands after a colon: `def f (x: i32): i32 = …`",
        "def f (x: i32) -> i32 = x",
    ),
    row(
        &["def let entry", "NAME", "…", ":", "…", "{", "NAME"],
        &["ANY"],
        Token(":"),
        BODY,
        "def f (x: i32): i32 { x + 1 }",
    ),
    row(
        &["def let entry", "NAME", "…", ":", "…", "{"],
        &["ANY"],
        Anything,
        BODY,
        "def f (x: i32): i32 { let y = x in y }",
    ),
    row(
        &["def let entry", "NAME", "(…)", "{", "NAME"],
        &["ANY"],
        Token("}"),
        BODY,
        "def f (x: i32) { x + 1 }",
    ),
    row(
        &["let"],
        &["' '^ '~"],
        Anything,
        "only functions have a type parameter, which stands after the name: `let f 't (y: t) = …`",
        "def f (x: i32) = let 't y = x in y",
    ),
    row(&[], &["|"], Head, CHOICE, "def f (x: i32) | x > 0 = 1"),
    row(&["(", "NAME"], &["TYPE"], Token(")"), "a parameter is written `(x: i32)`", "def f (x i32) = x"),
    row(&["(", "TYPE"], &["NAME"], Token(")"), "a parameter is written `(x: i32)`", "def f (i32 x) = x"),
    row(
        &["def let entry", "NAME", "…", "(", "NAME", ":", "…"],
        &["="],
        Token(")"),
        "a parameter has no default value",
        "def f (x: i32 = 2) = x",
    ),
    row(
        &["def let entry \\", "…", "(", "NAME", ":", "…"],
        &[":"],
        Token(")"),
        RESULT,
        "def f (x: i64: i64 = x",
    ),
    row(
        &["def let entry", "NAME", "…", ":", "return", "…"],
        &["ANY"],
        Token("="),
        "a function is defined by `def f (x: i32) = e`, without `return`",
        "def f(x):\n  return x",
    ),
    row(&["(", "NAME", "…"], &["NAME"], Token(")"), PARAMETER, "def f (x y: i32) = x"),
    // Functions.
    row(
        &["\\", "…"],
        &[","],
        Token("->"),
        "a function of two arguments is written `\\x y -> …`",
        "def f = map2 (\\x, y -> x)",
    ),
    row(&["\\", "…"], &[". : => ="], Token("->"), LAMBDA, "def f = map (\\x. x)"),
    row(
        &["lambda fun fn func function", "…"],
        &["ANY"],
        Anything,
        LAMBDA,
        "def f = map (lambda x: x + 1) xs",
    ),
    // Cases.
    row(&[], &["case"], Operand, CASES_OF_A_VALUE, "def f = case x of 0 -> 1"),
    row(&["match", "…", "with"], &["ANY"], Anything, CASES_OF_A_VALUE, "def f = match x with | 0 -> 1"),
    row(&["match switch", "…", "{", "…"], &["ANY"], Anything, CASES_OF_A_VALUE, "def f = match x { 0 => 1 }"),
    row(&["case", "…"], &["=> : ="], Token("->"), CASES, "def f = match x case 0 => 1"),
    row(&[], &["->"], Operator, LAMBDA, "def f = map (x -> x + 1)"),
    // Choices.
    row(&[], &["?"], Operator, CHOICE, "def f = c ? 1 : 2"),
    row(&[], &["if"], Operator, CHOICE, "def f = 1 if c else 2"),
    row(&["if", "…", ":"], &["ANY"], Type, CHOICE, "def f = if c: 1 else: 2"),
    row(
        &["elif elsif elseif", "…"],
        &["then else :"],
        Anything,
        "written `else if`",
        "def f = if a then 1 elif b then 2 else 3",
    ),
    row(
        &["unless", "…"],
        &["then"],
        Anything,
        "written `if !c then a else b`",
        "def f = unless c then 1 else 2",
    ),
    row(
        &[],
        &["}"],
        Token("="),
        "braces hold the fields of a record, `{x = 1}`; a branch is `if c then a else b`",
        "def f = if c { 1 } else { 2 }",
    ),
    // Loops.
    row(
        &["[", "…"],
        &["for"],
        Anything,
        "elements are computed by `map (\\x -> …) xs`",
        "def f = [x + 1 for x in xs]",
    ),
    row(&[], &["while"], Anything, "a loop is written `loop x = e while c do …`", "def f = while c do x"),
    row(&[], &["for"], Anything, LOOP, "def f = for i < 3 do x"),
    row(&["foreach forall", "…"], &["in do"], Anything, LOOP, "def f = foreach x in xs do x"),
    row(
        &["loop", "(", "…"],
        &["="],
        Anything,
        "the parameters of a loop begin with `loop x = e` or `loop (x, y) = (a, b)`",
        "def f = loop (x = 0) for i < 3 do x",
    ),
    // Ranges.
    row(&[".."], &["="], Anything, RANGE, "def f = 0..=n"),
    row(&[], &["ANY"], RangeEnd, RANGE, "def f = [1..10]"),
    // Updates and bindings.
    row(&["^NAME", "[…]"], &["="], Operator, UPDATE, "def f =\n  xs[0] = 1"),
    row(&["[…]", ":"], &["~="], Anything, UPDATE, "def f = xs[0] := 1"),
    row(&["NAME", ":"], &["~="], Anything, BINDING, "def f = x := 1"),
    row(
        &["where", "…"],
        &["="],
        Operator,
        "a local value is bound before the result: `let y = e in …`",
        "def f x = y where y = x",
    ),
    row(&["^NAME"], &["="], Operator, BINDING, "def f =\n  y = 2\n  in y"),
    row(&[], &["="], Operator, "two values are compared with `==`", "def f = if x = 1 then 2 else 3"),
    row(
        &[],
        &["="],
        Token("<"),
        "a loop goes `for i < n`, or `for x in xs`",
        "def f = loop x = 0 for i = 0 do x",
    ),
    row(&["NAME ) ]", "~++"], &["ANY"], Operand, NO_ASSIGNMENT, "def f = let y = x++ in y"),
    // Records and arrays.
    row(&["{", "NAME", ": =", "…"], &[";"], Anything, FIELD, "type t = {x: i32; y: i32}"),
    row(&["[", "TYPE"], &[";"], Anything, ARRAY_TYPE, "def f (x: [i32; 4]) = x"),
    row(&["[", "…"], &[";"], Anything, "the elements of an array are separated by commas", "def f = [1; 2]"),
    row(
        &[],
        &[";"],
        Anything,
        "nothing separates declarations; a binding ends with `in`: `let x = e in …`",
        "def f = 1;",
    ),
    row(&["[", "TYPE", "]"], &["ANY"], Anything, ARRAY_TYPE, "def f (x: [i32]) = x"),
    row(&["{ ,", "NAME"], &[":"], Token("="), "the value of a field is written `{x = e}`", "def f = {x: 1}"),
    row(
        &["{ ,", "NAME"],
        &["="],
        Token(":"),
        "the type of a field is written `{x: t}`",
        "type t = {x = i32}",
    ),
    row(
        &["{", "…"],
        &["with"],
        Anything,
        "an update of a record has no braces: `r with x = e`",
        "def f = {r with x = 1}",
    ),
    row(
        &["NAME NUMBER ) ]", ":"],
        &["~:"],
        Anything,
        "arrays are joined by `++`: `[x] ++ xs`",
        "def f = 1 :: xs",
    ),
    // Types.
    row(&[], &["'"], Type, TYPE_PARAMETER, "def f (x: 'a) = x"),
    row(
        &[],
        &["& &&"],
        Type,
        "there are no references; `*t` marks a parameter that may be overwritten",
        "def f (x: &[]i32) = x",
    ),
    // Operators and literals.
    row(
        &[],
        &["'"],
        Operand,
        "a character literal holds one character; a text is written in double quotes",
        "def f = 'text'",
    ),
    row(&[], &["~", "~="], Operator, "two values are compared with `!=`", "def f = x ~= y"),
    row(&[], &["~"], Operand, "written `!x`", "def f = ~x"),
    row(&[], &["$"], Anything, "`f <| x` applies `f` to `x`", "def f = g $ x + 1"),
    row(
        &["assert", "(…)"],
        &["ANY"],
        Operand,
        "`assert c e` checks the condition `c` and returns `e`",
        "def f = assert (x > 0)",
    ),
    row(&["NUMBER", "~."], &["ANY"], Anything, DIGITS, "def f = 2. * x"),
    row(&[], &["FRACTION"], Operand, DIGITS, "def f = x * .5"),
    // Incomplete expressions.
    row(&[], &["in"], Operand, "a value is missing before `in`", "def f = let x = in x"),
    row(
        &["+ - * / % ** == != < <= > >= && || & | ^ << >> |> <|"],
        &["END ) ] }"],
        Operand,
        "an operator has an operand on both sides: `x + 1`",
        "def f = x +",
    ),
    // Commas outside brackets.
    row(
        &["with", "…"],
        &[","],
        Token("in"),
        "one update follows another: `xs with [0] = a with [1] = b`",
        "def f = let ys = xs with [0] = 1, [1] = 2 in ys",
    ),
    row(
        &["loop", "NAME", "=", "…"],
        &[","],
        Token("for"),
        "the parameters of a loop begin with `loop x = e` or `loop (x, y) = (a, b)`",
        "def f = loop x = 0, y = 1 for i < 3 do (x, y)",
    ),
    row(
        &["case", "…"],
        &[","],
        Token("->"),
        "the patterns of several values stand in parentheses: `case (a, b) -> …`",
        "def f = match (x, y) case 1, 2 -> 3 case _ -> 4",
    ),
    row(&[], &[","], Token("in"), TUPLE, "def f = let (a, b) = 1, 2 in a"),
    row(&[], &[","], Token("else"), TUPLE, "def f = if c then 1, 2 else (3, 4)"),
    row(&[], &[","], Declaration, TUPLE, "def f = 1, 2"),
    row(&[], &["in"], Declaration, "there is no `let` that this `in` could end", "def f = x in y"),
    row(&[], &["END"], Token("in"), END_OF_LET, "def f = let x = 1"),
    row(&[], &["ANY"], Token("then"), "an `if` goes on with `then` and `else`", "def f = if x\ndef g = 1"),
    row(&[], &["ANY"], Token("else"), "an `if` always has an `else`", "def f = if x then 1"),
    row(&[], &["ANY"], Token("do"), "the body of a `loop` stands after `do`", "def f = loop x = 1 for i < 3"),
    row(&[], &["KEYWORD"], Name, "a keyword cannot be a name", "def if = 3"),
];

pub(crate) const END_OF_LET: &str = "the bindings of a `let` end with `in` and the result";
