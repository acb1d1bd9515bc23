//! Sizes of inactive payloads, filled in before a call.
//!
//! A value of a sum type has leaves for the payloads of all constructors, and an entry point checks the sizes of all of
//! them. A client creates the inactive payloads without sizes. They get the sizes that the active leaves determine.

use ravel_abi::{Array, Data, Dim, Failure, Form, Signature, TypeNumber, Value};
use ravel_prim::PrimValue;

use super::Server;

impl Server {
    /// Gives the inactive leaves of the arguments their sizes.
    pub(super) fn fill(
        &self,
        signature: &Signature,
        types: &[TypeNumber],
        args: &mut [Value],
    ) -> Result<(), Failure> {
        let mut counts = Vec::new();
        for &ty in types {
            self.mark(ty, args.get(counts.len()..).unwrap_or_default(), true, &mut counts);
        }
        if counts.iter().all(|&counts| counts) {
            return Ok(());
        }
        let mut sizes = vec![0; signature.sizes];
        for ((param, arg), _) in
            signature.params.iter().zip(&*args).zip(&counts).filter(|(_, counts)| **counts)
        {
            for (dim, &size) in param.dims.iter().zip(arg.shape()) {
                if let Dim::Size(number) = *dim {
                    sizes[number] = size;
                }
            }
        }
        for ((param, arg), _) in
            signature.params.iter().zip(args).zip(&counts).filter(|(_, counts)| !**counts)
        {
            if let Value::Array(array) = arg {
                let size = |dim: &Dim| match *dim {
                    Dim::Size(number) => Ok(sizes[number]),
                    Dim::Const(size) => usize::try_from(size)
                        .map_err(|_| Failure::Bug(format!("a parameter has the negative size {size}"))),
                };
                let shape = param.dims.iter().map(size).collect::<Result<Vec<usize>, Failure>>()?;
                let count = shape.iter().fold(1u128, |count, &size| count.saturating_mul(size as u128));
                *array = Array { data: Data::zeros(param.elem, count)?, shape };
            }
        }
        Ok(())
    }

    /// For each leaf of a value: whether it is active.
    fn mark(&self, ty: TypeNumber, leaves: &[Value], counting: bool, counts: &mut Vec<bool>) {
        let start = counts.len();
        let part = |ty, counting, counts: &mut Vec<bool>| {
            let at = counts.len() - start;
            self.mark(ty, leaves.get(at..).unwrap_or_default(), counting, counts);
        };
        match self.form(ty) {
            Ok(Form::Record(fields)) => fields.iter().for_each(|field| part(field.ty, counting, counts)),
            Ok(Form::Sum(variants)) => {
                counts.push(counting);
                let own = match leaves.first() {
                    Some(&Value::Scalar(PrimValue::I32(number))) => usize::try_from(number).ok(),
                    _ => None,
                };
                for (number, variant) in variants.iter().enumerate() {
                    let counting = counting && own == Some(number);
                    variant.payload.iter().for_each(|&ty| part(ty, counting, counts));
                }
            }
            _ => counts.extend(std::iter::repeat_n(counting, self.interface.leaves(ty).len())),
        }
    }
}
