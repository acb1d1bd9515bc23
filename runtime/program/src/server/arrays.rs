//! Commands on arrays. An array of tuples, records or sums is stored as one array for each leaf (each scalar or
//! array of primitives in an element). A command treats these arrays alike: their outer sizes are those of the
//! whole array, and their inner sizes are those of its elements.

use ravel_abi::{Array, Data, Value};

use super::{Answer, Server, Variable};

impl Server {
    pub(super) fn rank(&mut self, words: &[&str]) -> Answer {
        let ty = self.ty(words[0])?;
        Ok(vec![self.array(ty)?.0.to_string()])
    }

    pub(super) fn elemtype(&mut self, words: &[&str]) -> Answer {
        let ty = self.ty(words[0])?;
        Ok(vec![self.type_name(self.array(ty)?.1).to_owned()])
    }

    pub(super) fn shape(&mut self, words: &[&str]) -> Answer {
        let shape = self.shape_of(self.variable(words[0])?)?;
        Ok(shape.iter().map(usize::to_string).collect())
    }

    /// The sizes of an array.
    fn shape_of(&self, array: &Variable) -> Result<Vec<usize>, String> {
        let (rank, _) = self.array(array.ty)?;
        let sizes = array.leaves.first().and_then(|leaf| leaf.shape().get(..rank));
        sizes
            .map(<[usize]>::to_vec)
            .ok_or_else(|| "an array whose elements have no parts has no shape".to_owned())
    }

    pub(super) fn new_array(&mut self, words: &[&str]) -> Answer {
        let (name, rest) = (words[0], &words[2..]);
        let ty = self.ty(words[1])?;
        self.unused(&[name])?;
        let (rank, elem) = self.array(ty)?;
        let (sizes, given) = rest
            .split_at_checked(rank)
            .ok_or_else(|| format!("{} has {rank} sizes, but got {}", words[1], rest.len()))?;
        let sizes = parse_numbers(sizes)?;
        let count = sizes.iter().try_fold(1usize, |count, &size| count.checked_mul(size));
        if count != Some(given.len()) {
            let sizes: String = sizes.iter().map(|size| format!("[{size}]")).collect();
            return Err(format!("an array {sizes} does not have {} elements", given.len()));
        }
        let elements = given.iter().map(|name| self.of_type(name, elem)).collect::<Result<Vec<_>, _>>()?;
        let mut leaves = Vec::new();
        for (at, leaf) in self.interface.leaves(elem).into_iter().enumerate() {
            let inner =
                elements.first().map_or(vec![0; leaf.rank], |element| element.leaves[at].shape().to_vec());
            let mut bytes = Vec::new();
            for element in &elements {
                let part = &element.leaves[at];
                if part.shape() != inner {
                    return Err("the elements have different sizes".to_owned());
                }
                part.write_bytes(&mut bytes);
            }
            let shape = sizes.iter().copied().chain(inner).collect();
            leaves.push(Value::Array(Array { shape, data: Data::from_bytes(leaf.elem, &bytes) }));
        }
        self.bind(name, ty, leaves);
        Ok(Vec::new())
    }

    pub(super) fn index(&mut self, words: &[&str]) -> Answer {
        let (name, array) = (words[0], self.variable(words[1])?);
        self.unused(&[name])?;
        let (rank, elem) = self.array(array.ty)?;
        let at = offset(&self.shape_of(array)?, &words[2..])?;
        let mut leaves = Vec::new();
        for leaf in &array.leaves {
            let inner = &leaf.shape()[rank..];
            let width = inner.iter().product();
            leaves.push(subarray(leaf, inner, at * width, width)?);
        }
        self.bind(name, elem, leaves);
        Ok(Vec::new())
    }

    pub(super) fn set(&mut self, words: &[&str]) -> Answer {
        let array = self.variable(words[0])?;
        let (rank, elem) = self.array(array.ty)?;
        let at = offset(&self.shape_of(array)?, &words[2..])?;
        let element = self.of_type(words[1], elem)?.leaves.clone();
        let fits = |(leaf, new): (&Value, &Value)| leaf.shape()[rank..] == *new.shape();
        if !array.leaves.iter().zip(&element).all(fits) {
            return Err("the sizes of the element differ from the sizes of the array's elements".to_owned());
        }
        let Some(array) = self.variables.get_mut(words[0]) else { return Ok(Vec::new()) };
        for (leaf, new) in array.leaves.iter_mut().zip(&element) {
            let Value::Array(leaf) = leaf else { continue };
            let width = leaf.shape[rank..].iter().product::<usize>();
            for place in 0..width {
                let scalar = match new {
                    Value::Scalar(scalar) => Some(*scalar),
                    Value::Array(new) => new.data.get(place),
                };
                let _fits = scalar.is_some_and(|scalar| leaf.data.set(at * width + place, scalar));
            }
        }
        Ok(Vec::new())
    }

    pub(super) fn zip(&mut self, words: &[&str]) -> Answer {
        let (name, given) = (words[0], &words[2..]);
        let ty = self.ty(words[1])?;
        self.unused(&[name])?;
        let (rank, elem) = self.array(ty)?;
        let fields = self.record(elem)?;
        if fields.len() != given.len() {
            return Err(format!("{} has {} fields, but got {}", words[1], fields.len(), given.len()));
        }
        let mut leaves: Vec<Value> = Vec::new();
        for (field, variable) in fields.iter().zip(given) {
            let wanted = self.interface.array_of(rank, field.ty);
            leaves.extend_from_slice(&self.of_type(variable, wanted)?.leaves);
        }
        let outer = |leaf: &Value| leaf.shape()[..rank].to_vec();
        if leaves.windows(2).any(|pair| outer(&pair[0]) != outer(&pair[1])) {
            return Err("the arrays have different sizes".to_owned());
        }
        self.bind(name, ty, leaves);
        Ok(Vec::new())
    }

    pub(super) fn unzip(&mut self, words: &[&str]) -> Answer {
        let (from, names) = (words[0], &words[1..]);
        self.unused(names)?;
        let array = self.variable(from)?;
        let (rank, elem) = self.array(array.ty)?;
        let fields = self.record(elem)?;
        if fields.len() != names.len() {
            return Err(format!(
                "the elements of {from} have {} fields, but got {} names",
                fields.len(),
                names.len()
            ));
        }
        let mut rest = array.leaves.clone().into_iter();
        for (name, field) in names.iter().zip(fields) {
            let leaves = rest.by_ref().take(self.interface.leaves(field.ty).len()).collect();
            let ty = self.interface.array_of(rank, field.ty);
            self.bind(name, ty, leaves);
        }
        Ok(Vec::new())
    }
}

fn parse_numbers(words: &[&str]) -> Result<Vec<usize>, String> {
    words.iter().map(|word| word.parse().map_err(|_| format!("`{word}` is not a size or index"))).collect()
}

/// The row-major position of the element with these indices.
fn offset(shape: &[usize], words: &[&str]) -> Result<usize, String> {
    let indices = parse_numbers(words)?;
    if indices.len() != shape.len() {
        let (rank, got) = (shape.len(), indices.len());
        return Err(format!("an array of rank {rank} takes as many indices, but got {got}"));
    }
    let within = indices.iter().zip(shape).all(|(index, size)| index < size);
    if !within {
        let show = |numbers: &[usize]| numbers.iter().map(|number| format!("[{number}]")).collect::<String>();
        return Err(format!("Index {} out of bounds for array of shape {}", show(&indices), show(shape)));
    }
    Ok(indices.iter().zip(shape).fold(0, |at, (index, size)| at * size + index))
}

/// The `count` elements of an array that begin at `start`, as a value of this shape.
fn subarray(leaf: &Value, shape: &[usize], start: usize, count: usize) -> Result<Value, String> {
    let missing = || "the array has too few elements".to_owned();
    let Value::Array(array) = leaf else { return Err(missing()) };
    if shape.is_empty() {
        return array.data.get(start).map(Value::Scalar).ok_or_else(missing);
    }
    let data = array.data.slice(start, count).ok_or_else(missing)?;
    Ok(Value::Array(Array { shape: shape.to_vec(), data }))
}
