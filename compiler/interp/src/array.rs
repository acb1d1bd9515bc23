//! Values, and reads and writes of parts of arrays.
//!
//! An array is a shape and row-major elements, both copied on write. A [`View`] describes a part of
//! an array: the offset of its first element and, for each dimension, a size and a stride.

use std::rc::Rc;

use ravel_abi::{Data, Element, Failure, with_data, with_element};
use ravel_prim::{PrimType, PrimValue};

/// A value of a variable.
#[derive(Clone, Debug)]
pub enum Value {
    Scalar(PrimValue),
    Array(Array),
}

/// A row-major array.
#[derive(Clone, Debug)]
pub struct Array {
    pub shape: Rc<[usize]>,
    pub data: Rc<Data>,
}

/// One dimension of a slice, with the values of its operands.
#[derive(Clone, Copy, Debug)]
pub enum Dim {
    Fix(i64),
    Range { start: i64, count: i64, stride: i64 },
}

/// A part of an array.
#[derive(Clone, Debug)]
pub struct View {
    first: isize,
    /// The size and the stride of each dimension, outermost first.
    dims: Vec<(usize, isize)>,
}

/// The number of elements of an array of this shape.
pub fn count(shape: &[usize]) -> u128 {
    shape.iter().fold(1, |product: u128, &size| product.saturating_mul(size as u128))
}

impl Array {
    pub fn new(shape: Vec<usize>, data: Data) -> Array {
        Array { shape: shape.into(), data: Rc::new(data) }
    }

    /// The number of elements of one row. It saturates: if a row is that large, the array has no rows.
    pub fn row_len(&self) -> usize {
        usize::try_from(count(&self.shape[1..])).unwrap_or(usize::MAX)
    }

    /// The row (or scalar) at `index` along the outermost dimension.
    pub fn row(&self, index: usize) -> Result<Option<Value>, Failure> {
        if let [_] = *self.shape {
            return Ok(self.data.get(index).map(Value::Scalar));
        }
        let Some((&size, row)) = self.shape.split_first() else { return Ok(None) };
        if index >= size {
            return Ok(None);
        }
        let length = self.row_len();
        let view = View { first: (index * length) as isize, dims: vec![(length, 1)] };
        Ok(Some(Value::Array(Array::new(row.to_vec(), gather(&self.data, &view)?))))
    }

    /// The `rows` rows from row `first` on; `None` if they are out of bounds.
    pub fn rows(&self, first: usize, rows: usize) -> Result<Option<Array>, Failure> {
        let length = self.row_len();
        let inside =
            first.checked_add(rows).is_some_and(|end| self.shape.first().is_some_and(|&all| end <= all));
        if !inside {
            return Ok(None);
        }
        let view = View { first: (first * length) as isize, dims: vec![(rows * length, 1)] };
        let shape = std::iter::once(rows).chain(self.shape[1..].iter().copied()).collect();
        Ok(Some(Array::new(shape, gather(&self.data, &view)?)))
    }

    /// The offset and the length of the element or row at these leading indices; `None` if they are out of bounds.
    pub fn position(&self, indices: &[i64]) -> Option<(usize, usize)> {
        let row = count(self.shape.get(indices.len()..)?);
        let mut position: usize = 0;
        for (&index, &size) in indices.iter().zip(self.shape.iter()) {
            let index = usize::try_from(index).ok().filter(|&index| index < size)?;
            position = position.saturating_mul(size).saturating_add(index);
        }
        let row = usize::try_from(row).ok()?;
        Some((position.saturating_mul(row), row))
    }
}

impl View {
    /// The view of a whole array of this shape.
    pub fn whole(shape: &[usize]) -> View {
        let mut dims: Vec<(usize, isize)> = Vec::with_capacity(shape.len());
        let mut stride: isize = 1;
        for &size in shape.iter().rev() {
            dims.push((size, stride));
            stride = stride.saturating_mul(size as isize);
        }
        dims.reverse();
        View { first: 0, dims }
    }

    /// The view of a slice of an array of this shape; `None` if the slice is out of bounds.
    pub fn slice(shape: &[usize], slice: &[Dim]) -> Option<View> {
        if shape.len() != slice.len() {
            return None;
        }
        let whole = View::whole(shape);
        let mut view = View { first: 0, dims: Vec::new() };
        for (&(size, distance), &dim) in whole.dims.iter().zip(slice) {
            let inside = |index: i128| usize::try_from(index).is_ok_and(|index| index < size);
            match dim {
                Dim::Fix(index) if inside(i128::from(index)) => {
                    view.first = view.first.saturating_add((index as isize).saturating_mul(distance));
                }
                Dim::Fix(_) => return None,
                Dim::Range { start, count, stride } => {
                    let some = usize::try_from(count).ok()?;
                    let last = i128::from(start) + (i128::from(count) - 1) * i128::from(stride);
                    if some == 0 {
                        view.dims.push((0, 0));
                    } else if inside(i128::from(start)) && inside(last) {
                        view.first = view.first.saturating_add((start as isize).saturating_mul(distance));
                        // With a single position, the stride is not used and may be any number.
                        view.dims.push((
                            some,
                            if some == 1 { 0 } else { (stride as isize).saturating_mul(distance) },
                        ));
                    } else {
                        return None;
                    }
                }
            }
        }
        Some(view)
    }

    /// Dimension `i` of the result is dimension `perm[i]` of this view.
    pub fn rearrange(&self, perm: &[usize]) -> Option<View> {
        let dims: Option<Vec<_>> = perm.iter().map(|&dim| self.dims.get(dim).copied()).collect();
        let distinct = (0..self.dims.len()).all(|dim| perm.contains(&dim));
        dims.filter(|dims| distinct && dims.len() == self.dims.len()).map(|dims| View { dims, ..*self })
    }

    /// The position of the only element of a view without dimensions.
    pub fn single(&self) -> Option<usize> {
        usize::try_from(self.first).ok().filter(|_| self.dims.is_empty())
    }

    pub fn shape(&self) -> Vec<usize> {
        self.dims.iter().map(|&(size, _)| size).collect()
    }

    /// Calls `run` with the first position, the stride and the length of every innermost run, in row-major order.
    fn runs(&self, mut run: impl FnMut(isize, isize, usize)) {
        let (&(length, distance), outer) = self.dims.split_last().unwrap_or((&(1, 1), &[]));
        if self.dims.iter().any(|&(size, _)| size == 0) {
            return;
        }
        let mut index = vec![0; outer.len()];
        let mut at = self.first;
        loop {
            run(at, distance, length);
            let mut dim = outer.len();
            loop {
                if dim == 0 {
                    return;
                }
                dim -= 1;
                let (size, distance) = outer[dim];
                index[dim] += 1;
                at += distance;
                if index[dim] < size {
                    break;
                }
                at -= distance * size as isize;
                index[dim] = 0;
            }
        }
    }
}

/// The elements of a view, row-major.
pub fn gather(data: &Data, view: &View) -> Result<Data, Failure> {
    fn copy<T: Element>(from: &[T], to: &mut [T], view: &View) {
        let mut filled = 0;
        view.runs(|at, distance, length| {
            let to = &mut to[filled..filled + length];
            filled += length;
            match distance {
                1 => to.copy_from_slice(&from[at as usize..at as usize + length]),
                _ => (0..).zip(to).for_each(|(index, to)| *to = from[(at + index * distance) as usize]),
            }
        });
    }
    let mut gathered = Data::zeros(data.elem(), count(&view.shape()))?;
    with_element!(data.elem(), T => {
        if let (Some(from), Some(to)) = (T::of(data), T::of_mut(&mut gathered)) {
            copy(from, to, view);
        }
    });
    Ok(gathered)
}

/// Replaces the elements of a view by `values`, row-major; false if the types or numbers differ.
#[must_use]
pub fn scatter(data: &mut Data, view: &View, values: &Data) -> bool {
    fn copy<T: Element>(from: &[T], to: &mut [T], view: &View) {
        let mut taken = 0;
        view.runs(|at, distance, length| {
            let from = &from[taken..taken + length];
            taken += length;
            match distance {
                1 => to[at as usize..at as usize + length].copy_from_slice(from),
                _ => (0..).zip(from).for_each(|(index, from)| to[(at + index * distance) as usize] = *from),
            }
        });
    }
    if data.elem() != values.elem() || count(&view.shape()) != values.len() as u128 {
        return false;
    }
    with_element!(data.elem(), T => {
        if let (Some(to), Some(from)) = (T::of_mut(data), T::of(values)) {
            copy(from, to, view);
        }
    });
    true
}

/// Writes a scalar, or the elements of an array, to the `length` positions from `at` on; false if the value does not
/// have this length or the type of the data.
#[must_use]
pub fn put(data: &mut Data, at: usize, length: usize, value: &Value) -> bool {
    match value {
        Value::Scalar(scalar) => length == 1 && data.set(at, *scalar),
        Value::Array(array) => {
            let view = View { first: at as isize, dims: vec![(length, 1)] };
            at.checked_add(length).is_some_and(|end| end <= data.len()) && scatter(data, &view, &array.data)
        }
    }
}

/// `times` copies of the value, concatenated.
pub fn replicate(value: &Value, times: usize) -> Result<Data, Failure> {
    match value {
        Value::Scalar(scalar) => {
            let mut data = Data::zeros(scalar.ty(), times as u128)?;
            with_data!(&mut data, elements => {
                if let Some(element) = Element::scalar(*scalar) {
                    elements.fill(element);
                }
            });
            Ok(data)
        }
        Value::Array(array) => {
            let mut dims = vec![(times, 0)];
            dims.push((array.data.len(), 1));
            gather(&array.data, &View { first: 0, dims })
        }
    }
}

/// The element at `index` of `start, start+stride, …`, in the type of `start`.
pub fn iota(start: PrimValue, stride: PrimValue, index: usize) -> Option<PrimValue> {
    use ravel_prim::{BinOp, binary, convert};
    let index = convert(PrimValue::I64(i64::try_from(index).ok()?), start.ty());
    binary(BinOp::Add, start, binary(BinOp::Mul, index, stride)?)
}

/// Whether the value has this element type and rank.
pub fn has_type(value: &Value, elem: PrimType, rank: usize) -> bool {
    match value {
        Value::Scalar(scalar) => rank == 0 && scalar.ty() == elem,
        Value::Array(array) => rank > 0 && rank == array.shape.len() && array.data.elem() == elem,
    }
}
