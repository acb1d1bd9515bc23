use std::collections::HashMap;

use ravel_base::{Code, FileId};

use super::{accept, has_types, prelude, reject};
use crate::{File, Import, Mode, check, program_text};

#[test]
fn modules_are_gone_from_the_typed_tree() {
    has_types(
        "module m = { type t = i32 def f (x: t): t = x module n = { def g (x: t): t = f x } }",
        &["def m.f (x: i32): i32", "def m.n.g (x: i32): i32"],
    );
    // In the typed tree, an abstract type is replaced by its definition.
    has_types(
        "module m: { type t val x: t } = { type t = (i32, bool) def x: t = (1, true) }\ndef y = m.x",
        &["def m.x: (i32, bool)", "def y: (i32, bool)"],
    );
    // A parametric module defines nothing itself; each application defines copies of all its definitions.
    let f = "module f (P: { type t val x: t }) = { def y: (P.t, P.t) = (P.x, P.x) }\n";
    has_types(f, &[]);
    has_types(
        &format!(
            "{f}module a = f {{ type t = i32 def x: t = 1 }}\nmodule b = f {{ type t = bool def x: t = true }}"
        ),
        &["def a.x: i32", "def a.y: (i32, i32)", "def b.x: bool", "def b.y: (bool, bool)"],
    );
}

#[test]
fn a_value_with_exactly_its_specified_type_is_no_new_definition() {
    has_types(
        "module m: { val f 'a [n]: [n]a -> i64 } = { def f 'b [m] (_: [m]b): i64 = m }",
        &["def m.f [n] 'a (_: [n]a): i64"],
    );
    has_types(
        "module m: { val f: i32 -> i32 } = { def f 'a (x: a): a = x }",
        &["def m.f 'a (x: a): a", "def m.f: i32 -> i32"],
    );
}

#[test]
fn types_hidden_by_two_ascriptions_differ() {
    let m = "module m = { type t = i32 def x: t = 1 def f (_: t): t = 1 }\n\
        module type s = { type t val x: t val f: t -> t }\n";
    accept(&format!("{m}module a: s = m\ndef y = a.f a.x"));
    let two = format!("{m}module a: s = m\nmodule b: s = m\ndef y = a.f b.x");
    reject(&two, Code::TypeMismatch, "b.x", "Expected: a.t\nActual:   b.t");
}

#[test]
fn names_live_in_three_spaces() {
    accept(
        "module type a = { val a: i32 }\nmodule a: a = { type a = i32 def a: a = 1 }\ntype a = i64\ndef x: a = 1",
    );
    reject(
        "module a = {}\ndef a = 1i32",
        Code::DuplicateName,
        "a",
        "Duplicate definition of name a. Previously defined at 1:8",
    );
    reject("type a = i32\ntype a = i32", Code::DuplicateName, "a", "Duplicate definition of type a");
    reject(
        "module type a = {}\nmodule type a = {}",
        Code::DuplicateName,
        "a",
        "Duplicate definition of module type a",
    );
}

#[test]
fn imports_are_modules_that_the_program_does_not_export() {
    let texts = ["def one = 1i32\nlocal def two = 2i32\nentry f = one", "import \"a\"\nentry g = one"];
    let parsed = texts.map(|text| ravel_syntax::parse(FileId(7), text));
    let imports = [HashMap::new(), HashMap::from([("a".to_owned(), Import::File(0))])];
    let file = |at: usize| File { program: &parsed[at].program, text: texts[at], imports: &imports[at] };
    let checked = check(&[file(0), file(1)], prelude(), Mode::Program);
    assert_eq!(checked.diagnostics, []);
    // Entry points of an imported file are not entry points of the program.
    let types = "def one: i32\ndef two: i32\ndef f: i32\nentry g: i32\n";
    assert_eq!(program_text(&checked.program), types);
    let own: Vec<_> = ["one", "two", "f", "g"].map(ravel_base::Symbol::new).to_vec();
    let seen: Vec<_> = own.iter().filter(|name| checked.exports.values.contains_key(name)).collect();
    assert_eq!(seen, [&own[3]]);
}

#[test]
fn imports_checked_earlier_behave_like_imports_checked_with_the_program() {
    let library = "def both [n] (xs: *[n]i32): ([n]i32, [n]i32) = (xs, xs)\n\
        module m: { type t val x: t } = { type t = i64 def x = 7i64 }\n\
        entry main = 1i32";
    let none = HashMap::new();
    let parsed = ravel_syntax::parse(FileId(7), library);
    let before = File { program: &parsed.program, text: library, imports: &none };
    let checked = check(&[before], prelude(), Mode::Program);
    assert_eq!(checked.diagnostics, []);
    let mut env = prelude().clone();
    env.extend(&checked);
    let beside = |text: &str| {
        let parsed = ravel_syntax::parse(FileId(8), text);
        let imports = HashMap::from([("a".to_owned(), Import::File(0))]);
        let program = File { program: &parsed.program, text, imports: &imports };
        check(&[before, program], prelude(), Mode::Program)
    };
    let after = |text: &str| {
        let parsed = ravel_syntax::parse(FileId(8), text);
        let imports = HashMap::from([("a".to_owned(), Import::Checked(&checked.exports))]);
        check(&[File { program: &parsed.program, text, imports: &imports }], &env, Mode::Program)
    };
    // The typed tree has the definition of the abstract type, which is i64.
    let x = "import \"a\"\ndef x = m.x";
    assert_eq!(program_text(&after(x).program), "def x: i64\n");
    assert!(after(x).program.definitions.iter().all(|definition| definition.id.0 >= checked.free.value));
    // Components of a result may share memory, unless a function of the prelude returns them.
    let f = "import \"a\"\ndef f (n: i64) = let (xs, ys) = both (replicate n 0) let xs[0] = 1i32 in (xs, ys)";
    let diagnostics = after(f).diagnostics;
    assert_eq!(diagnostics.len(), 1);
    assert_eq!(diagnostics, beside(f).diagnostics);
    // The definition of an abstract type stays hidden.
    let wrong = after("import \"a\"\ndef y: i64 = m.x").diagnostics;
    assert_eq!(wrong, beside("import \"a\"\ndef y: i64 = m.x").diagnostics);
    assert!(wrong[0].message.contains("m.t") || wrong[0].caret.contains("m.t"), "{wrong:#?}");
}

/// If a type is refined to one with existential sizes, each use of it has its own sizes.
#[test]
fn refined_types_may_have_existential_sizes() {
    const SPEC: &str = "module type s = { type t val f : t -> t -> i64 val g : t -> t }\n";
    let module = |f: &str| {
        format!("{SPEC}module m: s with t = []i32 = {{ type~ t = []i32 {f} def g (a: t): t = a ++ a }}\n")
    };
    let general = module("def f (a: t) (b: t) = length a + length b");
    accept(&format!("{general}def main = m.f [1, 2] (m.g [3])"));
    reject(
        &format!("{general}def main = zip [1i32, 2] (m.g [3])"),
        Code::SizeMismatch,
        "(m.g [3])",
        "do not match",
    );
    // A function of the module must accept all arguments that the module type allows.
    reject(
        &module("def f [n] (a: [n]i32) (b: [n]i32) = length (zip a b)"),
        Code::ModuleMismatch,
        "{",
        "Module type specifies `val f [n] [m] : [n]i32 -> [m]i32 -> i64`",
    );
    reject(
        "module type s = { type t } module m: s with t = (i32 -> i32) = { type^ t = i32 -> i32 }",
        Code::BadTypeDeclaration,
        "i32 -> i32",
        "may not contain functions",
    );
}
