//! Signatures of entry points.

use ravel_prim::PrimType;

/// What an entry point takes and gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// The name of the entry point.
    pub name: String,
    /// How many distinct sizes the parameters have. Dimensions name them by number.
    pub sizes: usize,
    /// The values a caller gives.
    pub params: Vec<ParamType>,
    /// The values a caller gets.
    pub results: Vec<ResultType>,
}

/// A parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParamType {
    /// The name in the source, if it had one.
    pub name: Option<String>,
    /// The type of the scalar or of the elements.
    pub elem: PrimType,
    /// The dimensions; none for a scalar.
    pub dims: Vec<Dim>,
    /// True when the program may overwrite the argument.
    pub consumed: bool,
}

/// A dimension of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dim {
    /// Equal to the size of this number; the first argument that has it determines it.
    Size(usize),
    /// Always this.
    Const(i64),
}

/// A result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResultType {
    /// The type of the scalar or of the elements.
    pub elem: PrimType,
    /// Number of dimensions; 0 for a scalar.
    pub rank: usize,
}
