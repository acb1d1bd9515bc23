//! The invariants of the typed tree, on which lowering relies.

use ravel_prim::{CmpOp, PrimValue};

use super::accept;
use crate::tast::{Exp, ExpNode, FunctionBody, Size};

/// The body of the last definition.
fn body(text: &str) -> Exp {
    let mut checked = accept(text);
    match checked.program.definitions.pop().map(|definition| definition.function.body) {
        Some(FunctionBody::Exp(body)) => body,
        other => panic!("{other:?}"),
    }
}

#[test]
fn literals_have_their_values() {
    assert_eq!(body("def a: u32 = 4294967295").node, ExpNode::Const(PrimValue::U32(u32::MAX)));
    assert_eq!(body("def a: f32 = 0.1").node, ExpNode::Const(PrimValue::F32(0.1)));
    assert_eq!(body("def a: f64 = 3").node, ExpNode::Const(PrimValue::F64(3.0)));
    assert_eq!(body("def a = -2147483648i32").node, ExpNode::Const(PrimValue::I32(i32::MIN)));
    assert_eq!(body("def a = true").node, ExpNode::Const(PrimValue::Bool(true)));
}

#[test]
fn equality_of_scalars_is_a_comparison() {
    let equal = body("def f (x: i32) (y: i32) = x == y").node;
    assert!(matches!(equal, ExpNode::Compare(CmpOp::Eq, ..)), "{equal:?}");
    let equal = body("def f (x: (i32, i32)) (y: (i32, i32)) = x != y").node;
    assert!(matches!(equal, ExpNode::Equal(false, ..)), "{equal:?}");
}

#[test]
fn greater_is_less_the_other_way_round() {
    let ExpNode::Compare(CmpOp::Lt, left, _) = body("def f = 1i32 > 2").node else { panic!("no comparison") };
    assert_eq!(left.node, ExpNode::Const(PrimValue::I32(2)));
}

#[test]
fn unknown_sizes_are_listed_where_they_arise() {
    let filter = body("def f (xs: []i32) = filter (> 0) xs");
    let crate::tast::Type::Array(_, Size::Var(size)) = filter.ty else { panic!("no array") };
    assert_eq!(filter.exists, [size]);
    let known = body("def f (n: i64) = iota (n + 1)");
    assert_eq!(known.exists, []);
}

#[test]
fn uses_of_polymorphic_definitions_are_spelt_out() {
    let ExpNode::Apply(function, arguments) = body("def f [n] (xs: [n]i32) = length xs").node else {
        panic!("no application")
    };
    let ExpNode::Var { types, sizes, .. } = function.node else { panic!("no variable") };
    assert_eq!((types.len(), sizes.len(), arguments.len()), (1, 1, 1));
}

#[test]
fn changing_loop_sizes_have_first_values() {
    let ExpNode::Loop(inner) =
        body("def f [n] (xs: [n]i32) = loop ys = xs for i < 3 do filter (> i) ys").node
    else {
        panic!("no loop")
    };
    assert_eq!(inner.sizes.len(), 1);
    let crate::tast::Type::Array(_, init) = &inner.init.ty else { panic!("no array") };
    assert_eq!(&inner.sizes[0].1, init);
}

#[test]
fn assertions_quote_their_conditions() {
    let quoted = |condition: &str| {
        let ExpNode::Assert(_, _, text) = body(&format!("def f (x: i32) = assert ({condition}) x")).node
        else {
            panic!("no assertion")
        };
        text.to_string()
    };
    assert_eq!(quoted("x <\n    2 && (x == 1)"), "(x < 2 && (x == 1))");
    assert_eq!(quoted(&["x < 2"; 20].join(" || ")).chars().count(), 81);
}
