//! Signatures of entry points.

use std::fmt;

use ravel_prim::{PrimType, PrimValue};
use serde::{Deserialize, Serialize};

use crate::{Array, Data, Expected, Failure, Value};

/// The parameters and results of an entry point.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Signature {
    /// The name of the entry point.
    pub name: String,
    /// The number of distinct sizes of the parameters. Dimensions refer to them by number.
    pub sizes: usize,
    /// The parameters.
    pub params: Vec<ParamType>,
    /// The results.
    pub results: Vec<ResultType>,
    /// The names of the tuning parameters on which the call may depend, in alphabetical order.
    pub tuning_params: Vec<String>,
}

/// A parameter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ParamType {
    /// The name in the source, if it had one.
    pub name: Option<String>,
    /// The type of the scalar or of the elements.
    pub elem: PrimType,
    /// The dimensions; none for a scalar.
    pub dims: Vec<Dim>,
    /// True when the program may overwrite the argument.
    pub consumed: bool,
    /// The number of constructors, if the parameter is the constructor number of a sum type.
    pub constructors: Option<u32>,
}

/// A dimension of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Dim {
    /// The size with this number; the first argument that has it determines it.
    Size(usize),
    /// A constant.
    Const(i64),
}

/// A result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResultType {
    /// The type of the scalar or of the elements.
    pub elem: PrimType,
    /// Number of dimensions; 0 for a scalar.
    pub rank: usize,
}

impl Signature {
    /// The values that a reader of text or binary values must expect as arguments.
    pub fn expected(&self) -> Vec<Expected<'_>> {
        let expected = |param| {
            let ParamType { name, elem, dims, .. }: &ParamType = param;
            Expected { name: name.as_deref(), elem: *elem, rank: dims.len() }
        };
        self.params.iter().map(expected).collect()
    }

    /// The argument at an index, in the words of a message.
    pub fn argument(&self, index: usize) -> String {
        let name = self.params.get(index).and_then(|param| param.name.as_ref());
        let name = name.map_or(String::new(), |name| format!(" (`{name}`)"));
        format!("argument {}{name}", index + 1)
    }

    /// The place of an argument in a backtrace.
    pub fn argument_place(&self, index: usize) -> String {
        format!("{} of `{}`", self.argument(index), self.name)
    }

    /// The place of the results in a backtrace.
    pub fn results_place(&self) -> String {
        format!("the results of `{}`", self.name)
    }

    /// The sizes that these arguments determine. Checks their number, types, sizes and constructor numbers.
    pub fn bind_sizes(&self, args: &[Value]) -> Result<Vec<i64>, Failure> {
        if args.len() != self.params.len() {
            return Err(Failure::Arguments(format!(
                "`{}` takes {}, got {}",
                self.name,
                count(self.params.len(), "argument"),
                args.len()
            )));
        }
        let mut sizes: Vec<Option<i64>> = vec![None; self.sizes];
        for (number, (param, arg)) in self.params.iter().zip(args).enumerate() {
            param.bind(arg, &mut sizes).map_err(|misfit| {
                let (argument, found) = (self.argument(number), arg.type_text());
                Failure::Arguments(match misfit {
                    Mismatch::Type => format!("{argument} has the wrong type\n  Expected: {param}\n  Actual:   {found}"),
                    Mismatch::Size(known) => format!(
                        "{argument} has the wrong size\n  Expected: {param}{known}\n  Actual:   {found}\n  \
                         = note: entry point arguments have invalid sizes"
                    ),
                    Mismatch::Elements(number) => format!(
                        "entry point arguments have invalid sizes: {argument} has type {found}, but contains {}",
                        count(number, "element")
                    ),
                    Mismatch::Constructor(unknown) => format!("{argument} holds {unknown}"),
                })
            })?;
        }
        let unbound = || Failure::Bug(format!("a size of `{}` is in no parameter", self.name));
        sizes.into_iter().map(|size| size.ok_or_else(unbound)).collect()
    }
}

/// The mismatch between an argument and its parameter.
enum Mismatch {
    /// It has another element type or number of dimensions.
    Type,
    /// It has another size; the text to add to the expected type.
    Size(String),
    /// It is an array whose number of elements is this one, not the product of its sizes.
    Elements(usize),
    /// It contains a number that is not a constructor's; the text names the number.
    Constructor(String),
}

impl ParamType {
    /// Records the sizes that `arg` determines, if it matches.
    fn bind(&self, arg: &Value, sizes: &mut [Option<i64>]) -> Result<(), Mismatch> {
        if arg.elem() != self.elem || arg.shape().len() != self.dims.len() {
            return Err(Mismatch::Type);
        }
        // Compiled code trusts the sizes of arrays. Only this check covers an array that the caller built from parts.
        if let Value::Array(array) = arg
            && !array.is_whole()
        {
            return Err(Mismatch::Elements(array.data.len()));
        }
        for (&dim, &size) in self.dims.iter().zip(arg.shape()) {
            let size = i64::try_from(size).unwrap_or(i64::MAX);
            match dim {
                Dim::Const(constant) if size != constant => return Err(Mismatch::Size(String::new())),
                Dim::Const(_) => {}
                Dim::Size(index) => {
                    let bound = sizes.get_mut(index).map_or(size, |bound| *bound.get_or_insert(size));
                    if bound != size {
                        return Err(Mismatch::Size(format!(" with {} = {bound}", size_name(index))));
                    }
                }
            }
        }
        match self.constructors.and_then(|constructors| unknown_constructor(arg, constructors)) {
            Some(unknown) => Err(Mismatch::Constructor(unknown)),
            None => Ok(()),
        }
    }

    /// A generated argument with each constructor number reduced to the range of the type.
    #[must_use]
    pub fn with_known_constructors(&self, mut arg: Value) -> Value {
        let Some(constructors) = self.constructors.filter(|&count| count > 0) else { return arg };
        let numbers = match &mut arg {
            Value::Scalar(PrimValue::I32(number)) => std::slice::from_mut(number),
            Value::Array(Array { data: Data::I32(numbers), .. }) => numbers,
            _ => return arg,
        };
        // There are fewer than 256 constructors.
        numbers.iter_mut().for_each(|number| *number = (number.unsigned_abs() % constructors) as i32);
        arg
    }
}

/// Describes the first element of `numbers` that is not a constructor number of a sum type with `constructors`.
pub fn unknown_constructor(numbers: &Value, constructors: u32) -> Option<String> {
    let numbers = match numbers {
        Value::Scalar(PrimValue::I32(number)) => std::slice::from_ref(number),
        Value::Array(Array { data: Data::I32(numbers), .. }) => numbers,
        _ => return None,
    };
    let is_known = |number: i32| u32::try_from(number).is_ok_and(|number| number < constructors);
    let unknown = numbers.iter().find(|&&number| !is_known(number))?;
    let constructors = count(constructors as usize, "constructor");
    Some(format!("constructor number {unknown} of a sum type with {constructors}"))
}

impl fmt::Display for ParamType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for dim in &self.dims {
            match dim {
                Dim::Size(index) => write!(f, "[{}]", size_name(*index))?,
                Dim::Const(size) => write!(f, "[{size}]")?,
            }
        }
        write!(f, "{}", self.elem)
    }
}

/// Names for sizes, since their source names are not kept: n, m, k, l, then n4, n5, …
fn size_name(index: usize) -> String {
    match ["n", "m", "k", "l"].get(index) {
        Some(&name) => name.to_owned(),
        None => format!("n{index}"),
    }
}

fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn array(shape: &[usize], data: Data) -> Value {
        Value::Array(Array { shape: shape.to_vec(), data })
    }

    fn signature() -> Signature {
        let param = |name: &str, elem, dims| ParamType {
            name: Some(name.into()),
            elem,
            dims,
            consumed: false,
            constructors: None,
        };
        Signature {
            name: "main".into(),
            sizes: 2,
            params: vec![
                param("xs", PrimType::I32, vec![Dim::Size(0)]),
                param("yss", PrimType::F64, vec![Dim::Size(1), Dim::Size(0), Dim::Const(2)]),
            ],
            results: vec![],
            tuning_params: vec![],
        }
    }

    fn says(args: &[Value]) -> String {
        signature().bind_sizes(args).unwrap_err().to_string()
    }

    #[test]
    fn sizes_come_from_the_arguments() {
        let xs = array(&[3], Data::I32(vec![0; 3].into()));
        let yss = array(&[4, 3, 2], Data::F64(vec![0.0; 24].into()));
        assert_eq!(signature().bind_sizes(&[xs, yss]), Ok(vec![3, 4]));
    }

    #[test]
    fn misfits_are_named() {
        let xs = || array(&[3], Data::I32(vec![0; 3].into()));
        assert_eq!(says(&[xs()]), "`main` takes 2 arguments, got 1");
        let long = array(&[3], Data::I64(vec![0; 3].into()));
        assert_eq!(
            says(&[long, xs()]),
            "argument 1 (`xs`) has the wrong type\n  Expected: [n]i32\n  Actual:   [3]i64"
        );
        let scalar = Value::Scalar(PrimValue::I32(3));
        assert_eq!(
            says(&[scalar, xs()]),
            "argument 1 (`xs`) has the wrong type\n  Expected: [n]i32\n  Actual:   i32"
        );
        let short = array(&[1, 2, 2], Data::F64(vec![0.0; 4].into()));
        assert_eq!(
            says(&[xs(), short]),
            "argument 2 (`yss`) has the wrong size\n  Expected: [m][n][2]f64 with n = 3\n  Actual:   [1][2][2]f64\n  = note: entry point arguments have invalid sizes"
        );
        let wide = array(&[1, 3, 1], Data::F64(vec![0.0; 3].into()));
        assert_eq!(
            says(&[xs(), wide]),
            "argument 2 (`yss`) has the wrong size\n  Expected: [m][n][2]f64\n  Actual:   [1][3][1]f64\n  = note: entry point arguments have invalid sizes"
        );
    }

    #[test]
    fn arrays_with_a_wrong_number_of_elements_are_refused() {
        let yss = || array(&[4, 3, 2], Data::F64(vec![0.0; 24].into()));
        for (shape, count) in [(3, 2), (3, 4), (3, 0), (usize::MAX, 1)] {
            let text = format!(
                "entry point arguments have invalid sizes: argument 1 (`xs`) has type [{shape}]i32, but contains {}",
                super::count(count, "element")
            );
            assert_eq!(says(&[array(&[shape], Data::I32(vec![0; count].into())), yss()]), text);
        }
        let none = array(&[0], Data::I32(vec![].into()));
        assert_eq!(
            signature().bind_sizes(&[none, array(&[4, 0, 2], Data::F64(vec![].into()))]),
            Ok(vec![0, 4])
        );
    }

    #[test]
    fn constructor_numbers_are_those_of_the_type() {
        let param = |dims| ParamType {
            name: None,
            elem: PrimType::I32,
            dims,
            consumed: false,
            constructors: Some(3),
        };
        let params = vec![param(vec![]), param(vec![Dim::Size(0)])];
        let sums = Signature { sizes: 1, params, ..signature() };
        let args = |one: i32, many: [i32; 2]| {
            [Value::Scalar(PrimValue::I32(one)), array(&[2], Data::I32(many.to_vec().into()))]
        };
        let says = |args: &[Value]| sums.bind_sizes(args).map_err(|failure| failure.to_string());
        assert_eq!(says(&args(2, [0, 1])), Ok(vec![2]));
        let wrong = "argument 1 holds constructor number 7 of a sum type with 3 constructors";
        assert_eq!(says(&args(7, [0, 1])), Err(wrong.to_owned()));
        let wrong = "argument 2 holds constructor number -1 of a sum type with 3 constructors";
        assert_eq!(says(&args(0, [2, -1])), Err(wrong.to_owned()));
        let made_up = sums.params.iter().zip(args(7, [-1, i32::MIN]));
        let known: Vec<Value> = made_up.map(|(param, arg)| param.with_known_constructors(arg)).collect();
        assert_eq!(known, args(1, [1, 2]));
    }

    #[test]
    fn a_size_in_no_parameter_is_no_size() {
        let alone = Signature { sizes: 1, params: vec![], ..signature() };
        assert!(matches!(alone.bind_sizes(&[]), Err(Failure::Bug(_))));
    }
}
