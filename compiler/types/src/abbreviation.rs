//! Type abbreviations in messages. A record or sum type is shown as the abbreviation in scope that equals it,
//! however the type was inferred. An array or tuple is shown as its abbreviation only if the declaration that the
//! message is about uses that abbreviation.

use ravel_base::Symbol;

use crate::checker::Checker;
use crate::env::{TypeEntry, TypeParam};
use crate::names::TypeBinding;
use crate::tast::{AbstractType, FunctionType, Liftedness, Size, Type, TypeArg, TypeId};

/// The arguments found so far, for the parameters of an abbreviation.
type Arguments = Vec<Option<TypeArg>>;

impl Checker<'_> {
    /// The type with abbreviations in place of their definitions.
    pub(crate) fn abbreviated(&self, ty: &Type) -> Type {
        let declared = self.own_modules().flat_map(|module| &module.types);
        let names: Vec<(Symbol, &TypeEntry)> = declared
            .map(|(name, entry)| (*name, entry))
            .filter(|(name, entry)| self.shows(*name, entry) && self.is_visible(*name, entry))
            .collect();
        if names.is_empty() { ty.clone() } else { named(ty, &names) }
    }

    /// Whether messages may use the abbreviation.
    fn shows(&self, name: Symbol, entry: &TypeEntry) -> bool {
        match entry.ty {
            Type::Record(_) | Type::Sum(_) => true,
            Type::Array(..) | Type::Tuple(_) => self.named_types.contains(&name),
            _ => false,
        }
    }

    /// Whether the name refers to this entry here, and is not shadowed.
    fn is_visible(&self, name: Symbol, entry: &TypeEntry) -> bool {
        matches!(self.find_type_name(name), Some(TypeBinding::Declared(found)) if std::ptr::eq(found, entry))
    }
}

fn named(ty: &Type, names: &[(Symbol, &TypeEntry)]) -> Type {
    if let Some((name, args)) = names.iter().find_map(|(name, entry)| Some((*name, arguments(entry, ty)?))) {
        let args = args.into_iter().map(|arg| match arg {
            TypeArg::Type(ty) => TypeArg::Type(named(&ty, names)),
            TypeArg::Size(size) => TypeArg::Size(size),
        });
        // Only the name and the arguments are shown.
        let (id, liftedness) = (TypeId(u32::MAX), Liftedness::Unlifted);
        return Type::Abstract(Box::new(AbstractType { id, name, liftedness, args: args.collect() }));
    }
    match ty {
        Type::Record(_) | Type::Sum(_) | Type::Tuple(_) => ty.map_parts(&mut |part| named(part, names)),
        Type::Array(row, size) => Type::Array(Box::new(named(row, names)), size.clone()),
        Type::Function(function) => {
            let (from, to) = (named(&function.from, names), named(&function.to, names));
            Type::Function(Box::new(FunctionType { from, to, ..function.head() }))
        }
        Type::Prim(_) | Type::Param(_) | Type::Abstract(_) => ty.clone(),
    }
}

/// The arguments for which the abbreviation equals the type, if there are any.
fn arguments(entry: &TypeEntry, ty: &Type) -> Option<Vec<TypeArg>> {
    let mut found: Arguments = vec![None; entry.params.len()];
    if entry.exists.is_empty() && fits(entry, &entry.ty, ty, &mut found) {
        found.into_iter().collect()
    } else {
        None
    }
}

fn fits(entry: &TypeEntry, wanted: &Type, ty: &Type, found: &mut Arguments) -> bool {
    let param = |wanted: &Type| match wanted {
        Type::Param(id) => {
            entry.params.iter().position(|param| matches!(param, TypeParam::Type(_, own) if own == id))
        }
        _ => None,
    };
    if let Some(at) = param(wanted) {
        return bind(&mut found[at], TypeArg::Type(ty.clone()));
    }
    match (wanted, ty) {
        (Type::Array(wanted, size), Type::Array(row, actual)) => {
            fits_size(entry, size, actual, found) && fits(entry, wanted, row, found)
        }
        (Type::Tuple(_) | Type::Record(_) | Type::Sum(_), _) => {
            let (parts, actual) = (wanted.parts(), ty.parts());
            wanted.has_form_of(ty)
                && parts.into_iter().zip(actual).all(|(wanted, part)| fits(entry, wanted, part, found))
        }
        _ => wanted == ty,
    }
}

fn fits_size(entry: &TypeEntry, wanted: &Size, size: &Size, found: &mut Arguments) -> bool {
    let at = match wanted {
        Size::Var(id) => entry.params.iter().position(|param| *param == TypeParam::Size(*id)),
        _ => None,
    };
    match at {
        Some(at) => bind(&mut found[at], TypeArg::Size(size.clone())),
        None => wanted == size,
    }
}

/// Binds a parameter to an argument. False if it is already bound to another one.
fn bind(known: &mut Option<TypeArg>, arg: TypeArg) -> bool {
    *known.get_or_insert_with(|| arg.clone()) == arg
}
