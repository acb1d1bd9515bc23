//! Where two types differ.

use ravel_base::Symbol;

use crate::tast::{Size, Type};
use crate::unify::FLEXIBLE;

/// The only part in which two types differ.
pub(super) struct DifferingPart<'t> {
    /// The kind of the outermost part: a component, a field or a constructor.
    pub(super) kind: &'static str,
    /// The names of the parts, from the outside in.
    pub(super) path: Vec<String>,
    pub(super) types: [&'t Type; 2],
}

impl DifferingPart<'_> {
    /// The part in which two types of the same form differ, if it is the only one.
    pub(super) fn of<'t>(a: &'t Type, b: &'t Type) -> Option<DifferingPart<'t>> {
        if let (Type::Array(a, _), Type::Array(b, _)) = (a, b) {
            return DifferingPart::of(a, b);
        }
        let parts = a.has_form_of(b).then(|| a.parts().into_iter().zip(b.parts()))?;
        let mut differing = parts.enumerate().filter(|(_, (a, b))| a != b);
        let ((at, types), None) = (differing.next()?, differing.next()) else { return None };
        let (kind, name) = match a {
            Type::Record(fields) => ("record field", fields[at].0.to_string()),
            Type::Sum(constructors) => {
                let mut names =
                    constructors.iter().flat_map(|(name, payload)| payload.iter().map(move |_| name));
                ("constructor", names.nth(at)?.to_string())
            }
            _ => ("component", at.to_string()),
        };
        let inner = DifferingPart::of(types.0, types.1);
        let DifferingPart { path, types, .. } =
            inner.unwrap_or(DifferingPart { kind, path: Vec::new(), types: [types.0, types.1] });
        Some(DifferingPart { kind, path: [vec![name], path].concat(), types })
    }
}

/// The first two sizes that differ in arrays of the same rank, or in the results of functions.
pub(super) fn differing_sizes(a: &Type, b: &Type) -> Option<[Size; 2]> {
    if let (Type::Function(a), Type::Function(b)) = (a, b) {
        let to = match (a.name, b.name) {
            (Some(name), Some(other)) => b.to.with_size(other, &Size::Var(name)),
            _ => b.to.clone(),
        };
        return differing_sizes(&a.to, &to);
    }
    let is_known = |size: &Size| !size.any(&mut |id| id.0 >= FLEXIBLE);
    let (a, b) = (dims(a), dims(b));
    let same_rank = a.len() == b.len();
    let mut pairs = a.into_iter().zip(b).filter(|(a, b)| same_rank && a != b);
    pairs.find(|(a, b)| is_known(a) && is_known(b)).map(|(a, b)| [a.clone(), b.clone()])
}

/// The sizes of an array, from the outermost dimension on.
fn dims(ty: &Type) -> Vec<&Size> {
    std::iter::successors(Some(ty), |ty| match ty {
        Type::Array(row, _) => Some(row),
        _ => None,
    })
    .filter_map(|ty| match ty {
        Type::Array(_, size) => Some(size),
        _ => None,
    })
    .collect()
}

/// The fields or constructors that only one of two types has.
pub(super) fn one_sided_names(a: &Type, b: &Type) -> Option<String> {
    let differing = |a: &[Symbol], b: &[Symbol], sigil: &str| {
        let only = |these: &[Symbol], others: &[Symbol]| {
            let missing = these.iter().filter(|name| !others.contains(name));
            missing.map(|name| format!("{sigil}{name}")).collect::<Vec<_>>()
        };
        let mut names = [only(a, b), only(b, a)].concat();
        names.sort();
        names
    };
    let (what, names) = match (a, b) {
        (Type::Record(a), Type::Record(b)) => {
            let [a, b] = [a, b].map(|fields| fields.iter().map(|(name, _)| *name).collect::<Vec<_>>());
            ("unshared fields", differing(&a, &b, ""))
        }
        (Type::Sum(a), Type::Sum(b)) => {
            let [a, b] = [a, b].map(|sum| sum.iter().map(|(name, _)| *name).collect::<Vec<_>>());
            ("Unshared constructors", differing(&a, &b, "#"))
        }
        (Type::Tuple(a), Type::Tuple(b)) if a.len() != b.len() => {
            return Some(format!("Tuples have {} and {} elements respectively", a.len(), b.len()));
        }
        _ => return None,
    };
    (!names.is_empty()).then(|| format!("{what}: {}.", names.join(", ")))
}
