//! Where two types differ.

use ravel_base::Symbol;

use crate::tast::Type;

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

/// The fields or constructors that only one of two types has.
pub(super) fn unshared(a: &Type, b: &Type) -> Option<String> {
    let differing = |a: &[Symbol], b: &[Symbol], sigil: &str| {
        let only = |these: &[Symbol], others: &[Symbol]| {
            let missing = these.iter().filter(|name| !others.contains(name));
            missing.map(|name| format!("{sigil}{name}")).collect::<Vec<_>>()
        };
        [only(a, b), only(b, a)].concat()
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
