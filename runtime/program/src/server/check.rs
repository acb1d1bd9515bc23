//! Checks the values of a file, which may not have the type that a client names.
//!
//! The reader checks the element type and rank of each leaf. This file checks the relations between leaves: the parts
//! of an array of composites have its sizes, and every constructor number belongs to a constructor of the sum type.

use ravel_abi::signature::unknown_constructor;
use ravel_abi::{Form, Interface, TypeNumber, Value};

/// Checks leaves that already have the right element types and ranks. An error is the end of a sentence that begins with
/// the name of the value.
pub(super) fn check(interface: &Interface, ty: TypeNumber, leaves: &[Value]) -> Result<(), String> {
    check_inside(interface, ty, 0, leaves)
}

/// Checks the leaves of a component that is inside arrays with `outer` dimensions.
fn check_inside(interface: &Interface, ty: TypeNumber, outer: usize, leaves: &[Value]) -> Result<(), String> {
    let check_each = |parts: Vec<TypeNumber>, leaves: &[Value]| {
        let mut rest = leaves;
        for part in parts {
            let (own, others) = rest.split_at(interface.leaves(part).len().min(rest.len()));
            check_inside(interface, part, outer, own)?;
            rest = others;
        }
        Ok(())
    };
    match interface.get(ty).map(|ty| &ty.form) {
        None | Some(Form::Scalar(_)) => Ok(()),
        Some(&Form::Array { rank, elem }) => {
            let outer = outer + rank;
            let sizes = |leaf: &Value| leaf.shape().iter().take(outer).copied().collect::<Vec<_>>();
            if leaves.windows(2).any(|pair| sizes(&pair[0]) != sizes(&pair[1])) {
                return Err("is made of arrays of different sizes".to_owned());
            }
            check_inside(interface, elem, outer, leaves)
        }
        Some(Form::Record(fields)) => check_each(fields.iter().map(|field| field.ty).collect(), leaves),
        Some(Form::Sum(variants)) => {
            let Some((numbers, payloads)) = leaves.split_first() else { return Ok(()) };
            let constructors = u32::try_from(variants.len()).unwrap_or(u32::MAX);
            if let Some(unknown) = unknown_constructor(numbers, constructors) {
                return Err(format!("holds {unknown}"));
            }
            check_each(variants.iter().flat_map(|variant| variant.payload.clone()).collect(), payloads)
        }
    }
}
