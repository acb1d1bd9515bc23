//! Limits by which sizes decide when the program runs: a tuning parameter has the limit, and its default belongs to the target.
//! The dot in its name shows that the compiler added it.

use ravel_base::Symbol;
use ravel_core::{Atom, Builder, Exp, Type};
use ravel_prim::{BinOp, CmpOp, PrimType};

/// The limit `what` of a function or of a nest in it.
pub(crate) fn limit(builder: &mut Builder, owner: &str, what: &str, default: i64) -> Atom {
    builder.bind(Type::scalar(PrimType::I64), Exp::Param(Symbol::new(&format!("{owner}.{what}")), default))
}

/// Whether the product of these sizes is less than `limit`.
pub(crate) fn is_less(builder: &mut Builder, sizes: &[Atom], limit: Atom) -> Atom {
    // Each size counts as at most the limit, so that no product of two is too large for an i64.
    let mut product: Option<Atom> = None;
    for &size in sizes {
        let size = builder.binary(BinOp::Min, size, limit);
        product = Some(match product {
            None => size,
            Some(product) => {
                let product = builder.binary(BinOp::Mul, product, size);
                builder.binary(BinOp::Min, product, limit)
            }
        });
    }
    builder.compare(CmpOp::Lt, product.unwrap_or(Atom::i64(1)), limit)
}

/// The product of sizes, if all are constants; at most the greatest i64.
pub(crate) fn constant_product(sizes: &[Atom]) -> Option<i64> {
    let mut constants = sizes.iter().map(|size| match size {
        Atom::Const(size) => size.as_i64(),
        Atom::Var(_) => None,
    });
    constants.try_fold(1, |product: i64, size| Some(product.saturating_mul(size?)))
}
