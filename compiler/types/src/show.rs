//! Types in messages: with the program's names, without inference variables.

use ravel_base::Symbol;
use rustc_hash::FxHashMap;

use crate::checker::Checker;
use crate::composite::component;
use crate::env::{Scheme, TypeEntry, TypeParam, liftedness_of};
use crate::print::{TypeNames, fresh_names};
use crate::tast::{Liftedness, Size, Type, TypeParamId, ValueId};
use crate::unify::FLEXIBLE;

/// The text for a size without a name in messages.
pub(crate) const UNKNOWN: &str = "an unknown one";

impl Checker<'_> {
    /// The type in backquotes; for an open type, a description of what is known.
    pub(crate) fn show(&self, ty: &Type) -> String {
        let [shown] = self.show_together([ty]);
        shown
    }

    /// The types of one message, each as [`Checker::show`] shows it. A letter stands for the same type in all of them.
    pub(crate) fn show_together<const N: usize>(&self, types: [&Type; N]) -> [String; N] {
        self.show_with_sizes(types, &self.names)
    }

    /// As [`Checker::show_together`], with these names of sizes.
    pub(crate) fn show_with_sizes<const N: usize>(
        &self,
        types: [&Type; N],
        sizes: &FxHashMap<ValueId, Symbol>,
    ) -> [String; N] {
        let types = types.map(|ty| self.unifier.resolve(ty));
        let letters = self.names_with_letters(&types);
        types.map(|ty| self.show_resolved(&ty, TypeNames { values: sizes, types: &letters }))
    }

    fn show_resolved(&self, ty: &Type, names: TypeNames<'_>) -> String {
        match ty {
            Type::Param(id) => {
                if let Some(constraints) = self.unifier.constraints(*id) {
                    return match (constraints.fields.first(), constraints.constructors.first()) {
                        (Some((field, ..)), _) => record_with(*field),
                        (None, Some((name, ..))) => {
                            format!("a value of a sum type with the constructor `#{name}`")
                        }
                        (None, None) => constraints.class.describe().to_owned(),
                    };
                }
            }
            Type::Array(row, size) if self.is_open(row) && names.size(size).is_empty() => {
                return "an array".to_owned();
            }
            Type::Tuple(parts) if !parts.is_empty() && parts.iter().all(|part| self.is_open(part)) => {
                return format!("a tuple of {} components", parts.len());
            }
            Type::Function(_) => {
                let (from, to) = signature(ty);
                if from.iter().chain([&to]).all(|part| self.is_open(part)) {
                    return describe_function(from.len());
                }
            }
            _ => {}
        }
        let shown = self.abbreviated(&self.with_defaults(ty));
        format!("`{}`", names.ty(&shown))
    }

    /// The default type of an open number.
    fn default_type(&self, id: TypeParamId) -> Option<Type> {
        self.unifier.constraints(id)?.class.default_type().map(Type::Prim)
    }

    /// The type with defaults for the open numbers in it.
    fn with_defaults(&self, ty: &Type) -> Type {
        ty.map(&mut |id| self.default_type(id), &mut |size| size.clone())
    }

    /// The names of the type parameters in some types, with letters for those that are open.
    fn names_with_letters(&self, types: &[Type]) -> FxHashMap<TypeParamId, Symbol> {
        let (mut names, mut open) = (FxHashMap::default(), Vec::new());
        let mut name = |id| match self.type_names.get(&id) {
            Some(name) => drop(names.insert(id, *name)),
            None if id.0 >= FLEXIBLE && !open.contains(&id) && self.default_type(id).is_none() => {
                open.push(id)
            }
            None => {}
        };
        types.iter().for_each(|ty| ty.each_param(&mut name));
        let letters = fresh_names("abcdeg", names.values().copied().collect());
        names.extend(open.into_iter().zip(letters));
        names
    }

    /// Whether nothing useful is known of the type.
    fn is_open(&self, ty: &Type) -> bool {
        let Type::Param(id) = ty else { return false };
        self.unifier.constraints(*id).is_some_and(|constraints| constraints.class.default_type().is_none())
    }

    /// The names of the sizes, so that two different sizes never read alike: those that have no name are `?1`, `?2`,
    /// and a second variable named `n` is `n'`.
    pub(crate) fn distinct_size_names(&self, sizes: [&Size; 2]) -> FxHashMap<ValueId, Symbol> {
        let mut names = self.names.clone();
        let mut variables: Vec<ValueId> = Vec::new();
        for size in sizes {
            self.unifier.size(size).each_id(&mut |id| variables.push(id));
        }
        let mut used: Vec<(ValueId, Symbol)> = Vec::new();
        let mut unnamed = 0;
        for id in variables {
            if used.iter().any(|(other, _)| *other == id) {
                continue;
            }
            let name = match names.get(&id) {
                Some(name) => {
                    let primes = used.iter().filter(|(other, _)| self.names.get(other) == Some(name)).count();
                    Symbol::new(&format!("{name}{}", "'".repeat(primes)))
                }
                None => {
                    unnamed += 1;
                    Symbol::new(&format!("?{unnamed}"))
                }
            };
            names.insert(id, name);
            used.push((id, name));
        }
        names
    }

    /// The size in backquotes, or [`UNKNOWN`].
    pub(crate) fn show_size(&self, size: &Size) -> String {
        self.show_size_with(size, &self.names)
    }

    /// As [`Checker::show_size`], with these names of sizes.
    pub(crate) fn show_size_with(&self, size: &Size, sizes: &FxHashMap<ValueId, Symbol>) -> String {
        match (TypeNames { values: sizes, types: &self.type_names }).size(&self.unifier.size(size)) {
            text if text.is_empty() => UNKNOWN.to_owned(),
            text => format!("`{text}`"),
        }
    }

    pub(crate) fn type_names(&self) -> TypeNames<'_> {
        TypeNames { values: &self.names, types: &self.type_names }
    }

    /// A defined value's type in backquotes. Letters name its own parameters.
    pub(crate) fn show_scheme(&self, scheme: &Scheme) -> String {
        format!("`{}`", self.scheme_text(scheme).1)
    }

    /// `val f [n] 'a : [n]a -> a`, in backquotes.
    pub(crate) fn show_value_definition(&self, name: Symbol, scheme: &Scheme) -> String {
        let (params, ty) = self.scheme_text(scheme);
        format!("`val {name}{params} : {ty}`")
    }

    /// The parameters of a defined value, each after a blank, and its type.
    fn scheme_text(&self, scheme: &Scheme) -> (String, String) {
        let mut bound: Vec<ValueId> = scheme.size_params.clone();
        collect_bound(&scheme.ty, &mut bound);
        let mut values: FxHashMap<ValueId, Symbol> = FxHashMap::default();
        scheme.ty.each_size(&mut |size| {
            size.each_id(&mut |id| values.extend(self.names.get(&id).map(|name| (id, *name))));
        });
        bound.retain(|id| !values.contains_key(id));
        let taken: Vec<Symbol> = values.values().copied().collect();
        values.extend(bound.into_iter().zip(fresh_names("nmkl", taken)));
        let mut types = self.names_with_letters(std::slice::from_ref(&scheme.ty));
        types.retain(|id, _| !scheme.type_params.contains(id));
        let letters = fresh_names("abcdeg", types.values().copied().collect());
        types.extend(scheme.type_params.iter().copied().zip(letters));
        let sizes = scheme.size_params.iter().map(|id| TypeParam::Size(*id));
        let params =
            scheme.type_params.iter().map(|&id| TypeParam::Type(liftedness_of(id, &scheme.lifted), id));
        let params = params_text(sizes.chain(params), &values, &types);
        let shown = self.abbreviated(&self.with_defaults(&scheme.ty));
        (params, TypeNames { values: &values, types: &types }.ty(&shown))
    }

    /// `type t [n] 'a = [n]a`, in backquotes. An abstract type is shown without a definition.
    pub(crate) fn show_type_definition(&self, name: Symbol, entry: &TypeEntry) -> String {
        let params = params_text(entry.params.iter().copied(), &self.names, &self.type_names);
        let sign = sign(entry.liftedness);
        match entry.abstract_id() {
            Some(_) => format!("`type{sign} {name}{params}`"),
            None => format!("`type{sign} {name}{params} = {}`", self.type_names().ty(&entry.ty)),
        }
    }
}

/// Parameters in the language's notation, each after a blank.
fn params_text(
    params: impl Iterator<Item = TypeParam>,
    values: &FxHashMap<ValueId, Symbol>,
    types: &FxHashMap<TypeParamId, Symbol>,
) -> String {
    let name = |name: Option<&Symbol>| name.map_or("_", |name| name.as_str());
    let text = params.map(|param| match param {
        TypeParam::Size(id) => format!(" [{}]", name(values.get(&id))),
        TypeParam::Type(liftedness, id) => format!(" '{}{}", sign(liftedness), name(types.get(&id))),
    });
    text.collect()
}

/// The mark of a type parameter of this liftedness.
fn sign(liftedness: Liftedness) -> &'static str {
    match liftedness {
        Liftedness::Unlifted => "",
        Liftedness::SizeLifted => "~",
        Liftedness::Lifted => "^",
    }
}

/// "a record with the field `x`".
fn record_with(field: Symbol) -> String {
    match component(field) {
        Some(_) => format!("a tuple with a component `{field}`"),
        None => format!("a record with the field `{field}`"),
    }
}

/// "a function of two arguments".
pub(crate) fn describe_function(arguments: usize) -> String {
    match arguments {
        1 => "a function of one argument".to_owned(),
        2 => "a function of two arguments".to_owned(),
        3 => "a function of three arguments".to_owned(),
        n => format!("a function of {n} arguments"),
    }
}

/// The parameter types of a function, and its final result type.
pub(crate) fn signature(ty: &Type) -> (Vec<Type>, Type) {
    let mut from = Vec::new();
    let mut to = ty;
    while let Type::Function(function) = to {
        from.push(function.from.clone());
        to = &function.to;
    }
    (from, to.clone())
}

/// The names that function types bind for their arguments.
fn collect_bound(ty: &Type, bound: &mut Vec<ValueId>) {
    match ty {
        Type::Prim(_) | Type::Param(_) => {}
        Type::Array(row, _) => collect_bound(row, bound),
        Type::Tuple(_) | Type::Record(_) | Type::Sum(_) => {
            ty.parts().into_iter().for_each(|part| collect_bound(part, bound));
        }
        Type::Abstract(named) => named.types().for_each(|ty| collect_bound(ty, bound)),
        Type::Function(function) => {
            bound.extend(function.name);
            collect_bound(&function.from, bound);
            collect_bound(&function.to, bound);
        }
    }
}
