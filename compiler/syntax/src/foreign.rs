//! Names and operators of other languages, with the equivalent in this language.
//!
//! All of them are also lexically valid names or operators of this language. So most of them reach the type checker as
//! unknown names, and the type checker looks them up here. If a syntax error is at such a name, the parser looks it up too.

/// Values, functions, operators and keywords, each with advice.
pub const VALUES: &[(&[&str], &str)] = &[
    (&["True", "TRUE"], "did you mean `true`?"),
    (&["False", "FALSE"], "did you mean `false`?"),
    (&["null", "NULL", "nil", "None", "Some", "Nothing", "Just"], MISSING),
    (&["undefined", "todo"], "`???` stands for an expression that is not written yet"),
    (&["mod", "rem"], "a remainder is written `x % y`"),
    (&["div", "quot"], "a quotient is written `x / y`"),
    (&["pow"], "a power is written `x ** y`"),
    (&["xor"], "written `x ^ y`, or `x != y` for truth values"),
    (&["^^"], "a power is written `x ** y`; truth values differ if `x != y`"),
    (&["and", "andalso"], "written `x && y`"),
    (&["or", "orelse"], "written `x || y`"),
    (&["==="], "two values are compared with `==`"),
    (&["<>", "/=", "!==", "=/="], "two values are compared with `!=`"),
    (&["+=", "-=", "*=", "%=", "&=", "|=", "^="], NO_ASSIGNMENT),
    (&["=>"], LAMBDA),
    (&["<-"], UPDATE),
    (&["lambda", "fn", "fun", "func", "function"], LAMBDA),
    (&["var", "const", "mut", "auto"], BINDING),
    (&["return"], "a function returns the value of its body: leave out `return`"),
    (
        &["begin", "end"],
        "nothing marks where an expression begins or ends: leave it out, or write parentheses",
    ),
    (&["struct", "namespace"], "the declarations of a module stand in braces: `module m = { def x = 1 }`"),
    (&["elif", "elsif", "elseif"], "written `else if`"),
    (&["switch", "when"], CASES),
    (&["unless"], "written `if !c then a else b`"),
    (&["throw", "raise", "error", "panic", "abort"], "`assert c e` fails if the condition `c` is false"),
    (
        &["print", "println", "printf", "puts", "echo"],
        "nothing is printed: `trace x` shows `x` and returns it",
    ),
    (&["as", "to"], "a conversion names both types: `f64.i32 x` converts i32 to f64"),
    (&["fst"], "the first component of a pair is `p.0`"),
    (&["snd"], "the second component of a pair is `p.1`"),
    (&["len", "size"], "did you mean `length`?"),
    (&["range", "arange", "linspace"], "`iota n` is 0 to n - 1, and `a..<b` is a to b - 1"),
    (&["zeros", "ones", "fill", "full", "new"], "`replicate n x` is an array of `n` times `x`"),
    (&["append", "push", "cons", "snoc"], "arrays are joined by `++`: `xs ++ [x]`"),
    (&["enumerate"], "`zip (indices xs) xs` pairs each element with its index"),
    (&["fold", "accumulate", "inject"], "written `reduce f ne xs`, or `foldl f ne xs` from left to right"),
    (&["contains", "elem", "includes"], "written `any (== x) xs`"),
    (&["T"], "`transpose xss` exchanges rows and columns"),
    (&["shape", "dims"], "the type of an array names its sizes: `def f [n] [m] (xss: [n][m]i32) = …`"),
    (&["mean", "average", "avg"], "written `f64.sum xs / f64.i64 (length xs)`"),
    (&["sort", "sorted"], "`import \"sorts\"` defines `merge_sort (<=) xs`"),
];

const MISSING: &str = "a value that may be missing has a sum type, such as `#some i32 | #none`";

pub(crate) const LAMBDA: &str = "a function is written `\\x -> …`";
pub(crate) const UPDATE: &str = "an update is written `xs with [i] = e`";
pub(crate) const BINDING: &str = "a value is bound by `let x = e in …`, at the top level by `def x = e`";
pub(crate) const NO_ASSIGNMENT: &str = "no value ever changes: `let y = x + 1 in …` names the new one";
pub(crate) const CASES: &str = "written `match x case p -> a case q -> b`";

/// Types, each with the equivalent type.
const TYPES: &[(&[&str], &str)] = &[
    (&["int", "Int", "integer", "Integer"], "i32"),
    (&["long", "Long", "size_t", "usize", "isize"], "i64"),
    (&["uint", "unsigned"], "u32"),
    (&["char", "byte"], "u8"),
    (&["float", "Float", "single"], "f32"),
    (&["double", "Double", "real"], "f64"),
    (&["boolean", "Bool", "Boolean"], "bool"),
    (&["string", "String", "str"], "[]u8"),
];

/// Advice for the name of a value or an operator of another language.
pub fn advice_for(name: &str) -> Option<&'static str> {
    look_up(VALUES, name)
}

/// Names for functions of arrays in other languages.
const OF_ARRAYS: &[&str] = &[
    "len",
    "size",
    "range",
    "arange",
    "linspace",
    "zeros",
    "ones",
    "fill",
    "full",
    "append",
    "push",
    "cons",
    "snoc",
    "enumerate",
    "fold",
    "accumulate",
    "inject",
    "contains",
    "elem",
    "includes",
    "T",
    "shape",
    "dims",
    "mean",
    "average",
    "avg",
    "sort",
    "sorted",
];

/// Whether this is the name of a function of arrays in another language.
pub fn is_of_arrays(name: &str) -> bool {
    OF_ARRAYS.contains(&name)
}

/// The type that has this name in another language.
pub fn type_name(name: &str) -> Option<&'static str> {
    look_up(TYPES, name)
}

fn look_up(table: &[(&[&str], &'static str)], name: &str) -> Option<&'static str> {
    let (_, meant) = table.iter().find(|(names, _)| names.contains(&name))?;
    Some(meant)
}
