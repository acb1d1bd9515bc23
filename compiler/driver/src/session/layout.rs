//! How a value of the language is put together from the values that an entry point gives.

use ravel_types::tast::Type;

/// The structure of a type. The leaves, in order, are the values that an entry point gives; within
/// arrays each leaf has their dimensions in front.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Layout {
    /// One leaf.
    Scalar,
    /// An array.
    Array(Box<Layout>),
    /// A tuple.
    Tuple(Vec<Layout>),
    /// A record: its fields in the order of their leaves.
    Record(Vec<(String, Layout)>),
    /// A sum type: a leaf with the number of the constructor, then the payloads of all of them.
    Sum(Vec<(String, Vec<Layout>)>),
}

impl Layout {
    /// The layout of a type; none if a value of it cannot leave the program.
    pub(super) fn of(ty: &Type) -> Option<Layout> {
        let all = |types: &[Type]| types.iter().map(Layout::of).collect::<Option<Vec<_>>>();
        Some(match ty {
            Type::Prim(_) => Layout::Scalar,
            Type::Array(row, _) => Layout::Array(Box::new(Layout::of(row)?)),
            Type::Tuple(parts) => Layout::Tuple(all(parts)?),
            Type::Record(fields) => {
                let fields = fields.iter().map(|(name, ty)| Some((name.to_string(), Layout::of(ty)?)));
                Layout::Record(fields.collect::<Option<_>>()?)
            }
            Type::Sum(constructors) => {
                let parts =
                    constructors.iter().map(|(name, payload)| Some((name.to_string(), all(payload)?)));
                Layout::Sum(parts.collect::<Option<_>>()?)
            }
            Type::Function(_) | Type::Param(_) | Type::Abstract(_) => return None,
        })
    }

    /// How many leaves there are.
    pub fn leaves(&self) -> usize {
        match self {
            Layout::Scalar => 1,
            Layout::Array(row) => row.leaves(),
            Layout::Tuple(parts) => parts.iter().map(Layout::leaves).sum(),
            Layout::Record(fields) => fields.iter().map(|(_, field)| field.leaves()).sum(),
            Layout::Sum(constructors) => {
                1 + constructors.iter().flat_map(|(_, payload)| payload).map(Layout::leaves).sum::<usize>()
            }
        }
    }
}
