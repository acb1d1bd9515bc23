//! Names in scope, and what to say of one that is not.
//!
//! Local names stand on a stack: leaving a scope takes off what was bound in it. Behind them come
//! the modules being defined, innermost first, and behind those what was defined before the file.

use std::collections::HashMap;
use std::rc::Rc;

use ravel_base::{Code, Diagnostic, Limitation, Span, Symbol};
use ravel_prim::PrimType;
use ravel_syntax::ast::QualName;

use crate::checker::Checker;
use crate::env::{Module, Scheme, ValueEntry};
use crate::tast::{Type, TypeParamId, ValueId};

/// What a local name stands for.
#[derive(Clone, Debug)]
pub(crate) struct Local {
    pub(crate) id: ValueId,
    pub(crate) scheme: Rc<Scheme>,
}

/// The local names.
#[derive(Debug, Default)]
pub(crate) struct Scopes {
    values: HashMap<Symbol, Vec<Local>>,
    types: HashMap<Symbol, Vec<TypeParamId>>,
    trail: Vec<Bound>,
}

#[derive(Debug)]
enum Bound {
    Value(Symbol),
    Type(Symbol),
}

/// A point to which the local names can be set back.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScopeMark(usize);

impl Scopes {
    /// The present point.
    pub(crate) fn mark(&self) -> ScopeMark {
        ScopeMark(self.trail.len())
    }

    /// Forgets what was bound since.
    pub(crate) fn leave(&mut self, mark: ScopeMark) {
        while self.trail.len() > mark.0 {
            match self.trail.pop() {
                Some(Bound::Value(name)) => drop(self.values.get_mut(&name).and_then(Vec::pop)),
                Some(Bound::Type(name)) => drop(self.types.get_mut(&name).and_then(Vec::pop)),
                None => {}
            }
        }
    }

    /// Binds a name.
    pub(crate) fn bind(&mut self, name: Symbol, id: ValueId, scheme: Scheme) {
        self.values.entry(name).or_default().push(Local { id, scheme: Rc::new(scheme) });
        self.trail.push(Bound::Value(name));
    }

    /// Binds the name of a type parameter.
    pub(crate) fn bind_type(&mut self, name: Symbol, id: TypeParamId) {
        self.types.entry(name).or_default().push(id);
        self.trail.push(Bound::Type(name));
    }

    fn value(&self, name: Symbol) -> Option<&Local> {
        self.values.get(&name)?.last()
    }

    /// The type parameter of this name.
    pub(crate) fn type_param(&self, name: Symbol) -> Option<TypeParamId> {
        self.types.get(&name)?.last().copied()
    }

    fn names(&self) -> impl Iterator<Item = Symbol> {
        self.values.iter().filter(|(_, bindings)| !bindings.is_empty()).map(|(&name, _)| name)
    }

    fn type_names(&self) -> impl Iterator<Item = Symbol> {
        self.types.iter().filter(|(_, bindings)| !bindings.is_empty()).map(|(&name, _)| name)
    }
}

/// A name resolved.
pub(crate) enum Found<'a> {
    Local(Local),
    Global(&'a ValueEntry),
}

impl Checker<'_> {
    /// Binds a local name of this type.
    pub(crate) fn bind(&mut self, name: Symbol, ty: Type) -> ValueId {
        let id = self.named_value(name);
        self.scopes.bind(name, id, Scheme::mono(ty));
        id
    }

    /// Binds a size parameter or binder.
    pub(crate) fn bind_size(&mut self, name: Symbol) -> ValueId {
        self.bind(name, Type::Prim(PrimType::I64))
    }

    /// What the file itself means by a name, if anything.
    pub(crate) fn find_own(&self, name: Symbol) -> Option<Found<'_>> {
        if let Some(local) = self.scopes.value(name) {
            return Some(Found::Local(local.clone()));
        }
        self.modules.iter().rev().find_map(|module| module.values.get(&name)).map(Found::Global)
    }

    /// What a name means.
    pub(crate) fn find(&self, name: &QualName) -> Option<Found<'_>> {
        if name.quals.is_empty() {
            let before = || self.env.root.values.get(&name.name).map(Found::Global);
            return self.find_own(name.name).or_else(before);
        }
        self.find_module(&name.quals)?.values.get(&name.name).map(Found::Global)
    }

    /// Does the name in front of a dot mean a value? A local one goes before a module, and a module
    /// before other values.
    pub(crate) fn is_value(&self, name: Symbol) -> bool {
        let is_module = || self.find_module(&[name]).is_some();
        let is_global = || self.find_own(name).is_some() || self.env.root.values.contains_key(&name);
        self.scopes.value(name).is_some() || (!is_module() && is_global())
    }

    fn find_module(&self, quals: &[Symbol]) -> Option<&Module> {
        let (first, rest) = quals.split_first()?;
        let own = self.modules.iter().rev().find_map(|module| module.modules.get(first));
        let outermost = own.or_else(|| self.env.root.modules.get(first))?;
        rest.iter().try_fold(outermost, |module, name| module.modules.get(name))
    }

    /// Reports a name that means nothing, unless a refused declaration may have given it a meaning.
    pub(crate) fn unknown_name(&mut self, name: &QualName) {
        if name.quals.is_empty() && self.current == Some(name.name) {
            return self.limit(Limitation::Recursion, name.span);
        }
        if let Some(limitation) = not_yet(name) {
            return self.limit(limitation, name.span);
        }
        if self.incomplete {
            return;
        }
        let text = written(name);
        let mut diagnostic =
            Diagnostic::error(Code::UnknownName, name.span, format!("Unknown variable `{text}`"));
        let candidates: Vec<Symbol> = if name.quals.is_empty() {
            let own = self.modules.iter().flat_map(|module| module.values.keys().copied());
            self.scopes.names().chain(own).chain(self.env.root.values.keys().copied()).collect()
        } else if let Some(module) = self.find_module(&name.quals) {
            module.values.keys().copied().collect()
        } else {
            let quals = name.quals.iter().map(|qual| qual.as_str()).collect::<Vec<_>>().join(".");
            diagnostic = diagnostic.caret(format!("there is no module `{quals}`"));
            Vec::new()
        };
        if let Some(similar) = most_similar(name.name, candidates.into_iter()) {
            let quals: String = name.quals.iter().map(|qual| format!("{qual}.")).collect();
            diagnostic = diagnostic.help(format!("did you mean `{quals}{similar}`?"));
        }
        self.diagnostics.push(diagnostic);
    }

    /// Reports the name of a type that there is not, unless a refused declaration may have made it.
    pub(crate) fn unknown_type(&mut self, name: &QualName) {
        if self.incomplete {
            return;
        }
        let message = format!("Unknown type `{}`", written(name));
        let mut diagnostic = Diagnostic::error(Code::UnknownType, name.span, message);
        let prims = PrimType::ALL.iter().map(|prim| Symbol::new(prim.name()));
        if let Some(similar) = most_similar(name.name, prims.chain(self.scopes.type_names())) {
            diagnostic = diagnostic.help(format!("did you mean `{similar}`?"));
        }
        self.diagnostics.push(diagnostic);
    }

    /// Reports a name bound twice at once.
    pub(crate) fn duplicate_name(&mut self, name: Symbol, span: Span, first: Span) {
        let message = format!("Duplicate definition of `{name}`");
        let diagnostic = Diagnostic::error(Code::DuplicateName, span, message)
            .caret("bound a second time")
            .label(first, "bound here first")
            .help("give one of them another name");
        self.diagnostics.push(diagnostic);
    }
}

/// Names of the language that mean nothing yet.
fn not_yet(name: &QualName) -> Option<Limitation> {
    match (&name.quals[..], name.name.as_str()) {
        ([], "jvp" | "vjp" | "jmp" | "mjp") => Some(Limitation::Differentiation),
        ([], "stream_map" | "stream_red") => Some(Limitation::Streams),
        (
            [],
            "trace" | "break" | "opaque" | "flatmap" | "partition2" | "reduce_by_index_2d"
            | "reduce_by_index_3d",
        ) => Some(Limitation::PreludeFunctions),
        ([module], function) => match (module.as_str(), function) {
            ("i8" | "i16" | "u8" | "u16" | "u64" | "f16", _) => Some(Limitation::SmallTypes),
            ("i32" | "i64" | "u32", "mul_hi" | "mad_hi")
            | ("f32" | "f64", "fma" | "gamma" | "lgamma" | "erf" | "erfc" | "nextafter" | "ldexp") => {
                Some(Limitation::PreludeFunctions)
            }
            _ => None,
        },
        _ => None,
    }
}

/// The name as written.
pub(crate) fn written(name: &QualName) -> String {
    name.quals.iter().map(|qual| format!("{qual}.")).collect::<String>() + name.name.as_str()
}

/// The candidate that was probably meant: at most a third of the letters differ.
fn most_similar(name: Symbol, candidates: impl Iterator<Item = Symbol>) -> Option<Symbol> {
    let text = name.as_str();
    let limit = text.chars().count().div_ceil(3);
    let near = candidates.map(|candidate| (edit_distance(text, candidate.as_str()), candidate));
    near.filter(|(distance, _)| *distance <= limit).min().map(|(_, candidate)| candidate)
}

/// How many letters must be added, removed, changed or exchanged with their neighbour.
fn edit_distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![(0..=b.len()).collect::<Vec<_>>()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let change = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = change.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_suggested() {
        let names = ["map", "map2", "reduce", "scan"].map(Symbol::new);
        let similar = |name: &str| most_similar(Symbol::new(name), names.into_iter()).map(Symbol::as_str);
        assert_eq!(similar("redcue"), Some("reduce"));
        assert_eq!(similar("mpa2"), Some("map2"));
        assert_eq!(similar("frobnicate"), None);
        assert_eq!(edit_distance("scatter", "scater"), 1);
    }
}
