use half::f16;
use ravel_base::{FileId, Span, Symbol};
use ravel_prim::{BinOp, CmpOp, PrimType, PrimValue};

use super::*;
use crate::Builder;

fn named(builder: &mut Builder, hint: &str, ty: Type) -> Var {
    builder.fresh(Some(Symbol::new(hint)), ty)
}

/// A program made with the builder: it doubles the first element, after a check.
fn sample() -> Program {
    let mut b = Builder::new();
    let i32_ty = Type::scalar(PrimType::I32);
    let n = named(&mut b, "n", Type::scalar(PrimType::I64));
    let xs = named(&mut b, "xs", i32_ty.array_of(Atom::Var(n)));
    let ys = named(&mut b, "ys", i32_ty.array_of(Atom::Var(n)));
    b.set_origin(Origin::at(Span::new(FileId(0), 3, 9)));
    let cond = b.compare(CmpOp::Lt, Atom::i64(0), Atom::Var(n));
    let error = ErrorMessage {
        parts: vec![ErrorPart::Text("say \"no\"\n".into()), ErrorPart::Value(Atom::Var(n))],
        path: Some(CallPath::at(Span::new(FileId(0), 1, 2))),
    };
    let zero = b.assert(cond, Atom::i64(0), error);
    let x = b.index(xs, vec![zero]);
    let map = b.lambda(std::slice::from_ref(&i32_ty), |b, args| vec![b.binary(BinOp::Mul, args[0], x)]);
    let out = b.screma(Atom::Var(n), vec![Source::Array(xs)], map, vec![Sink::Map]);
    let params = vec![Param { var: n, consumed: false }, Param { var: xs, consumed: true }];
    let function = b.function(Symbol::new("f g"), params, vec![ys], out, true);
    let value = |name: Option<&str>, var, unique| EntryValue {
        name: name.map(Symbol::new),
        var,
        unique,
        constructors: None,
    };
    let entry = Entry {
        name: Symbol::new("main"),
        function: function.name,
        params: vec![value(None, n, false), value(Some("xs"), xs, true)],
        results: vec![value(None, ys, true)],
        origin: Origin::default(),
    };
    Program { functions: vec![function], entries: vec![entry] }
}

#[test]
fn a_program_prints_with_types_at_the_binders() {
    let expected = r#"noinline fun `f g` (n_0: i64, *xs_1: [n_0]i32) -> (ys_2: [n_0]i32) = {
  let v3: bool = lt 0i64 n_0
  let v4: i64 = assert v3 (0i64) "say \"no\"\n" n_0 @ 0:1..2
  let v5: i32 = xs_1[v4]
  let v8: [n_0]i32 = screma n_0 {
    from xs_1
    map \(v6: i32) -> {
      let v7: i32 = mul v6 v5
      in v7
    }
    to map
  }
  in v8
}
entry main = `f g` (n_0, *xs = xs_1) -> (*ys_2)
"#;
    assert_eq!(print(&sample()), expected);
}

#[test]
fn origins_print_as_comments() {
    assert!(print_with_origins(&sample()).contains("let v5: i32 = xs_1[v4] -- 0:3..9\n"));
}

#[test]
fn constants_print_with_their_type() {
    let cases = [
        (PrimValue::I8(-1), "-1i8"),
        (PrimValue::F32(1.0), "1.0f32"),
        (PrimValue::F32(-0.0), "-0.0f32"),
        (PrimValue::F64(1e-7), "1e-7f64"),
        (PrimValue::F16(f16::from_f32(0.5)), "0.5f16"),
        (PrimValue::F64(f64::NEG_INFINITY), "-f64.inf"),
        (PrimValue::F32(f32::NAN), "f32.nan"),
        (PrimValue::F32(f32::from_bits(0xffc0_0001)), "f32#ffc00001"),
        (PrimValue::Bool(true), "true"),
    ];
    for (value, text) in cases {
        assert_eq!(constant(value), text);
    }
}
