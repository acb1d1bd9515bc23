//! Types in messages by the names that the program gives them: a record or a sum type shows as the
//! abbreviation in scope that stands for it, however it came to be; an array or a tuple only where
//! the declaration at fault names the abbreviation, since others write the type itself.

use ravel_base::Symbol;

use crate::checker::Checker;
use crate::env::{TypeEntry, TypeParam};
use crate::names::FoundType;
use crate::tast::{AbstractType, FunctionType, Liftedness, Size, Type, TypeArg, TypeId};

/// The arguments found so far, for the parameters of an abbreviation.
type Found = Vec<Option<TypeArg>>;

impl Checker<'_> {
    /// The type to be shown: names in place of what they stand for.
    pub(crate) fn abbreviated(&self, ty: &Type) -> Type {
        let declared = self.own_modules().flat_map(|module| &module.types);
        let names: Vec<(Symbol, &TypeEntry)> = declared
            .map(|(name, entry)| (*name, entry))
            .filter(|(name, entry)| self.shows(*name, entry) && self.is_meant(*name, entry))
            .collect();
        if names.is_empty() { ty.clone() } else { named(ty, &names) }
    }

    /// Does the abbreviation show in messages if a type is one?
    fn shows(&self, name: Symbol, entry: &TypeEntry) -> bool {
        match entry.ty {
            Type::Record(_) | Type::Sum(_) => true,
            Type::Array(..) | Type::Tuple(_) => self.named_types.contains(&name),
            _ => false,
        }
    }

    /// Does the name mean this here, and not something nearer?
    fn is_meant(&self, name: Symbol, entry: &TypeEntry) -> bool {
        matches!(self.find_type_name(name), Some(FoundType::Declared(found)) if std::ptr::eq(found, entry))
    }
}

fn named(ty: &Type, names: &[(Symbol, &TypeEntry)]) -> Type {
    if let Some((name, args)) = names.iter().find_map(|(name, entry)| Some((*name, arguments(entry, ty)?))) {
        let args = args.into_iter().map(|arg| match arg {
            TypeArg::Type(ty) => TypeArg::Type(named(&ty, names)),
            TypeArg::Size(size) => TypeArg::Size(size),
        });
        // Only its name will be looked at.
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

/// The arguments with which an abbreviation stands for the type, if it does.
fn arguments(entry: &TypeEntry, ty: &Type) -> Option<Vec<TypeArg>> {
    let mut found: Found = vec![None; entry.params.len()];
    if entry.exists.is_empty() && fits(entry, &entry.ty, ty, &mut found) {
        found.into_iter().collect()
    } else {
        None
    }
}

fn fits(entry: &TypeEntry, wanted: &Type, ty: &Type, found: &mut Found) -> bool {
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

fn fits_size(entry: &TypeEntry, wanted: &Size, size: &Size, found: &mut Found) -> bool {
    let at = match wanted {
        Size::Var(id) => entry.params.iter().position(|param| *param == TypeParam::Size(*id)),
        _ => None,
    };
    match at {
        Some(at) => bind(&mut found[at], TypeArg::Size(size.clone())),
        None => wanted == size,
    }
}

/// Is the argument of a parameter this one everywhere?
fn bind(known: &mut Option<TypeArg>, arg: TypeArg) -> bool {
    *known.get_or_insert_with(|| arg.clone()) == arg
}
