//! Evaluation of expressions that have exactly one value.

use std::rc::Rc;

use ravel_abi::Data;
use ravel_core::{Atom, DimSlice, Exp, Stm, Var};
use ravel_prim::{PrimValue, binary, compare, convert, unary};

use crate::array::{Array, Dim, Value, View, count, gather, iota, put, replicate, scatter};
use crate::frame::Frame;
use crate::machine::{Halt, Outcome, internal};

impl<'p> Frame<'_, 'p> {
    pub fn single(&mut self, stm: &'p Stm, binder: Var) -> Outcome<Value> {
        let undefined = |name: &str, operands: &[PrimValue]| {
            let operands: Vec<String> = operands.iter().map(PrimValue::to_string).collect();
            internal(format!("`{name}` is undefined on {}", operands.join(" and ")))
        };
        Ok(match &stm.exp {
            Exp::Atom(atom) => self.operand(stm, *atom)?,
            Exp::Unary(op, a) => {
                let a = self.scalar(*a)?;
                Value::Scalar(unary(*op, a).ok_or_else(|| undefined(op.name(), &[a]))?)
            }
            Exp::Binary(op, a, b) => {
                let (a, b) = (self.scalar(*a)?, self.scalar(*b)?);
                Value::Scalar(binary(*op, a, b).ok_or_else(|| undefined(op.name(), &[a, b]))?)
            }
            Exp::Compare(op, a, b) => {
                let (a, b) = (self.scalar(*a)?, self.scalar(*b)?);
                let holds = compare(*op, a, b).ok_or_else(|| undefined(op.name(), &[a, b]))?;
                Value::Scalar(PrimValue::Bool(holds))
            }
            Exp::Trust(cond) => Value::Scalar(self.scalar(*cond)?),
            Exp::Convert(to, a) => Value::Scalar(convert(self.scalar(*a)?, *to)),
            Exp::Param(name, default) => {
                let set = self.machine.tuning.and_then(|tuning| tuning.get(name.as_str()));
                Value::Scalar(PrimValue::I64(set.unwrap_or(*default)))
            }
            Exp::Index(array, indices) => {
                let array = self.array(*array)?;
                let indices =
                    indices.iter().map(|&index| self.integer(index)).collect::<Outcome<Vec<_>>>()?;
                let at = array.position(&indices).filter(|_| indices.len() == array.shape.len());
                let element = at.and_then(|(at, _)| array.data.get(at));
                let outside = || {
                    internal(format!("index {indices:?} is outside of an array of shape {:?}", array.shape))
                };
                Value::Scalar(element.ok_or_else(outside)?)
            }
            Exp::ArrayLit(elements) => self.array_literal(elements)?,
            Exp::Slice(array, dims) => {
                let (array, dims) = (self.array(*array)?, self.dims(dims)?);
                Value::Array(part(array, view(array, &dims)?)?)
            }
            Exp::Update { array, slice, value } => {
                let dims = self.dims(slice)?;
                let value = self.value(*value)?;
                let Value::Array(mut array) = self.operand(stm, Atom::Var(*array))? else {
                    return Err(internal("an update of a scalar"));
                };
                let view = view(&array, &dims)?;
                let data = Rc::make_mut(&mut array.data);
                let fits = match &value {
                    Value::Scalar(scalar) => view.single().is_some_and(|at| data.set(at, *scalar)),
                    Value::Array(value) => *value.shape == view.shape() && scatter(data, &view, &value.data),
                };
                match fits {
                    true => Value::Array(array),
                    false => return Err(internal("an update with a value of another shape")),
                }
            }
            Exp::Iota { count, start, stride } => {
                let (count, start, stride) =
                    (self.size(*count)?, self.scalar(*start)?, self.scalar(*stride)?);
                self.machine.count_steps(count)?;
                let mut data = Data::zeros(start.ty(), count as u128).map_err(Halt::failed_with)?;
                for index in 0..count {
                    let element = iota(start, stride, index);
                    if !element.is_some_and(|element| data.set(index, element)) {
                        return Err(undefined("iota", &[start, stride]));
                    }
                }
                Value::Array(Array::new(vec![count], data))
            }
            Exp::Replicate { count, value } => {
                let (times, value) = (self.size(*count)?, self.value(*value)?);
                let mut shape = vec![times];
                if let Value::Array(array) = &value {
                    shape.extend(array.shape.iter());
                }
                let data = replicate(&value, times).map_err(Halt::failed_with)?;
                self.machine.count_steps(data.len())?;
                Value::Array(Array::new(shape, data))
            }
            Exp::Scratch => {
                let shape = self.shape(binder)?;
                let data = Data::zeros(self.elem(binder), count(&shape)).map_err(Halt::failed_with)?;
                self.machine.count_steps(data.len())?;
                Value::Array(Array::new(shape, data))
            }
            Exp::Copy(array) | Exp::Manifest(_, array, _) => self.operand(stm, Atom::Var(*array))?,
            Exp::Rearrange(array, perm) => {
                let array = self.array(*array)?;
                let view = View::whole(&array.shape).rearrange(perm);
                Value::Array(part(
                    array,
                    view.ok_or_else(|| internal("a rearrangement by something that is not a permutation"))?,
                )?)
            }
            Exp::Reshape(array) => {
                let shape = self.shape(binder)?;
                match self.operand(stm, Atom::Var(*array))? {
                    Value::Array(array) if count(&shape) == array.data.len() as u128 => {
                        Value::Array(Array { shape: shape.into(), ..array })
                    }
                    _ => return Err(internal("a reshape to another number of elements")),
                }
            }
            Exp::Concat(arrays) => {
                let arrays = arrays.iter().map(|&array| self.array(array)).collect::<Outcome<Vec<_>>>()?;
                concat(&arrays)?
            }
            Exp::If { .. }
            | Exp::Loop(_)
            | Exp::Assert { .. }
            | Exp::Call(..)
            | Exp::Screma(_)
            | Exp::Segment(_)
            | Exp::Stream(_) => {
                return Err(internal(
                    "a statement that may have several values is evaluated as one of a single value",
                ));
            }
        })
    }

    fn array_literal(&self, elements: &[Atom]) -> Outcome<Value> {
        let values = elements.iter().map(|&element| self.value(element)).collect::<Outcome<Vec<_>>>()?;
        let rows = values.iter().map(|value| match value {
            Value::Scalar(scalar) => Ok(Array::new(vec![1], single_element(*scalar)?)),
            Value::Array(array) => {
                let shape = std::iter::once(1).chain(array.shape.iter().copied()).collect();
                Ok(Array { shape, data: array.data.clone() })
            }
        });
        let rows: Vec<Array> = rows.collect::<Outcome<_>>()?;
        concat(&rows.iter().collect::<Vec<_>>())
    }
    fn dims(&self, dims: &[DimSlice]) -> Outcome<Vec<Dim>> {
        let dim = |dim: &DimSlice| {
            Ok(match *dim {
                DimSlice::Fix(index) => Dim::Fix(self.integer(index)?),
                DimSlice::Range { start, count, stride } => Dim::Range {
                    start: self.integer(start)?,
                    count: self.integer(count)?,
                    stride: self.integer(stride)?,
                },
            })
        };
        dims.iter().map(dim).collect()
    }
}

fn view(array: &Array, dims: &[Dim]) -> Outcome<View> {
    let outside = || internal(format!("slice {dims:?} is outside of an array of shape {:?}", array.shape));
    View::slice(&array.shape, dims).ok_or_else(outside)
}

fn part(array: &Array, view: View) -> Outcome<Array> {
    Ok(Array::new(view.shape(), gather(&array.data, &view).map_err(Halt::failed_with)?))
}

fn single_element(scalar: PrimValue) -> Outcome<Data> {
    replicate(&Value::Scalar(scalar), 1).map_err(Halt::failed_with)
}

fn concat(arrays: &[&Array]) -> Outcome<Value> {
    let first = arrays.first().ok_or_else(|| internal("a concatenation of no arrays"))?;
    let mut shape = first.shape.to_vec();
    let agree = arrays
        .iter()
        .all(|array| array.data.elem() == first.data.elem() && array.shape.get(1..) == first.shape.get(1..));
    if !agree || shape.is_empty() {
        return Err(internal("a concatenation of arrays of different shapes"));
    }
    let elements = arrays.iter().fold(0u128, |sum, array| sum + array.data.len() as u128);
    shape[0] = arrays.iter().map(|array| array.shape[0]).fold(0, usize::saturating_add);
    let mut data = Data::zeros(first.data.elem(), elements).map_err(Halt::failed_with)?;
    let mut at = 0;
    for array in arrays {
        let length = array.data.len();
        if !put(&mut data, at, length, &Value::Array((*array).clone())) {
            return Err(internal("a concatenation out of bounds"));
        }
        at += length;
    }
    Ok(Value::Array(Array::new(shape, data)))
}
