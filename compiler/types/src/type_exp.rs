//! Type expressions.
//!
//! An anonymous size `[]` in the type of a value, a parameter or the result of a function is inferred. In the result of
//! a function type it is existential, since there is no body from which to infer it.

use ravel_base::{Code, Diagnostic, Limitation, Section, Span, Symbol};
use ravel_prim::PrimType;
use ravel_syntax::ast::{Exp, ExpNode, Name, SizeExp, TypeExp, TypeExpNode};
use rustc_hash::FxHashMap;

use crate::checker::{Checker, array};
use crate::class::Class;
use crate::env::TypeEntry;
use crate::exp::TYPE_LIMIT;
use crate::names::TypeBinding;
use crate::report::Context;
use crate::tast::{Liftedness, Size, Type, ValueId};
use crate::type_dec::constructive_sizes;
use crate::unify::{ERROR, ERROR_SIZE, FLEXIBLE};
use crate::uniqueness::Uniqueness;

/// The meaning of a type expression.
#[derive(Debug)]
pub(crate) struct DeclaredType {
    /// The type; anonymous sizes are flexible.
    pub(crate) ty: Type,
    /// The parts marked with `*`.
    pub(crate) unique: Uniqueness,
}

/// The maximum number of constructors of a sum type.
pub(crate) const MAX_CONSTRUCTORS: usize = 255;
const FIELDS: &str = "Duplicate record fields in type: field";
const CONSTRUCTORS: &str = "Duplicate constructors in sum type: constructor";

impl Checker<'_> {
    /// Checks a type expression, and that its type is not too large: types double with each `type u = (t, t)`.
    pub(crate) fn type_exp(&mut self, written: &TypeExp) -> DeclaredType {
        let checked = self.type_exp_of_any_size(written);
        if self.unifier.is_larger(&checked.ty, TYPE_LIMIT) {
            return DeclaredType { ty: self.too_large(written.span), unique: Uniqueness::None };
        }
        checked
    }

    /// Refuses a type of too many parts, and returns the error type in its place. A declaration only records that the
    /// type is too large: it may be declared, but not used.
    pub(crate) fn too_large(&mut self, span: Span) -> Type {
        if self.of_declared_type {
            self.declares_too_large = true;
        } else {
            self.limit(Limitation::TypeSize, span);
        }
        ERROR
    }

    fn type_exp_of_any_size(&mut self, written: &TypeExp) -> DeclaredType {
        let plain = |ty| DeclaredType { ty, unique: Uniqueness::None };
        match &written.node {
            TypeExpNode::Name(name, arguments) => {
                let entry = match self.find_type(name) {
                    Some(TypeBinding::Declared(entry)) => entry.clone(),
                    Some(TypeBinding::Param(id)) => TypeEntry::plain(Type::Param(id)),
                    None => match PrimType::from_name(name.name.as_str()).filter(|_| name.quals.is_empty()) {
                        Some(prim) => TypeEntry::plain(Type::Prim(prim)),
                        None => {
                            self.unknown_type(name);
                            return plain(ERROR);
                        }
                    },
                };
                if name.quals.is_empty() {
                    self.named_types.insert(name.name);
                }
                plain(self.applied_type(&entry, name, arguments, written.span))
            }
            TypeExpNode::Array(size, row) => {
                let size = self.size_exp(size);
                let element = self.type_exp(row);
                if let Err(mismatch) = self.unifier.restrict(&element.ty, Class::ELEMENT) {
                    self.report(row.span, &element.ty, &element.ty, &mismatch, Context::Element);
                    return plain(ERROR);
                }
                let refused = match self.declared_liftedness(row) {
                    Liftedness::Unlifted => None,
                    Liftedness::SizeLifted => Some(self.irregular(&element.ty, row.span)),
                    Liftedness::Lifted => Some(self.lifted_element(row)),
                };
                if let Some(diagnostic) = refused {
                    self.diagnostics.push(diagnostic);
                    return plain(ERROR);
                }
                plain(array(element.ty, size))
            }
            TypeExpNode::Tuple(parts) => {
                let (types, marks) = self.type_exps(parts);
                let unique = Uniqueness::of_parts(types.iter().zip(marks).collect());
                DeclaredType { ty: Type::Tuple(types), unique }
            }
            TypeExpNode::Record(fields) => {
                self.distinct(fields.iter().map(|(name, _)| name), FIELDS, "");
                let (types, marks) = self.type_exps(fields.iter().map(|(_, ty)| ty));
                let names = fields.iter().map(|(name, _)| name.node);
                let ty = Type::record(names.zip(types).collect());
                let mut marks: Vec<_> =
                    fields.iter().map(|(name, _)| ty.field(name.node)).zip(marks).collect();
                marks.sort_by_key(|(at, _)| *at);
                let marks = marks.into_iter().map(|(_, mark)| mark);
                let unique = Uniqueness::of_parts(ty.parts().into_iter().zip(marks).collect());
                DeclaredType { ty, unique }
            }
            TypeExpNode::Sum(constructors) => {
                self.distinct(constructors.iter().map(|(name, _)| name), CONSTRUCTORS, "#");
                if let Some((name, _)) = constructors.get(MAX_CONSTRUCTORS) {
                    let message = "Sum types must have less than 256 constructors";
                    let diagnostic = Diagnostic::error(Code::BadTypeDeclaration, name.span, message);
                    self.diagnostics.push(diagnostic.help("group them in several sum types"));
                }
                let (types, marks) = self.type_exps(constructors.iter().flat_map(|(_, payload)| payload));
                let unique = match Uniqueness::of_parts(types.iter().zip(marks).collect()) {
                    Uniqueness::Parts(_) => Uniqueness::None,
                    unique => unique,
                };
                let mut types = types.into_iter();
                let mut constructors: Vec<(Symbol, Vec<Type>)> = constructors
                    .iter()
                    .map(|(name, payload)| (name.node, types.by_ref().take(payload.len()).collect()))
                    .collect();
                constructors.sort_by_key(|(name, _)| *name);
                DeclaredType { ty: Type::Sum(constructors), unique }
            }
            TypeExpNode::Function(..) => plain(self.function_type(written)),
            TypeExpNode::Unique(inner) => {
                let inner = self.type_exp(inner);
                self.warn_of_mark(&inner.ty, written.span);
                DeclaredType { unique: Uniqueness::Whole, ..inner }
            }
            // In the type of an existing value, a size named by `?[n]` is like an anonymous one.
            TypeExpNode::Exists(names, inner) => {
                let scope = self.scopes.mark();
                let ids = self.bind_existentials(names);
                let inner = self.type_exp(inner);
                self.scopes.leave(scope);
                self.check_existentials(names, &ids, &inner.ty);
                let sizes: Vec<Size> = ids.iter().map(|_| self.unifier.fresh_size(written.span)).collect();
                DeclaredType { ty: inner.ty.with_sizes(&ids, &sizes), ..inner }
            }
        }
    }

    /// Warns of a `*` before a type whose values hold no array.
    fn warn_of_mark(&mut self, ty: &Type, span: Span) {
        if has_array(ty) && !matches!(ty, Type::Function(_)) {
            return;
        }
        let message = "`*` before a type without arrays has no effect";
        let warning = Diagnostic::warning(Code::IdleMark, span, message)
            .note(format!("Declaring {} as unique has no effect.", self.show(ty)))
            .help("remove the `*`: only arrays share memory and can be consumed");
        self.diagnostics.push(warning);
    }

    /// An array element of a type that is declared with `type^`.
    fn lifted_element(&self, written: &TypeExp) -> Diagnostic {
        let message = "Elements of an array may not be functions";
        Diagnostic::error(Code::BadFunctionUse, written.span, message)
            .note(format!(
                "Cannot create array with elements of lifted type `{}` (might contain function)",
                self.quote(written.span)
            ))
            .help("declare it with `type` if it contains no functions")
    }

    /// The liftedness that a type expression declares: an abbreviation declared with `type~` or `type^` counts
    /// as lifted even if its definition is not.
    fn declared_liftedness(&self, written: &TypeExp) -> Liftedness {
        let most = |parts: &mut dyn Iterator<Item = &TypeExp>| {
            parts.map(|part| self.declared_liftedness(part)).max().unwrap_or(Liftedness::Unlifted)
        };
        match &written.node {
            TypeExpNode::Name(name, _) => match self.find_type(name) {
                Some(TypeBinding::Declared(entry)) => entry.liftedness,
                Some(TypeBinding::Param(_)) | None => Liftedness::Unlifted,
            },
            TypeExpNode::Tuple(parts) => most(&mut parts.iter()),
            TypeExpNode::Record(fields) => most(&mut fields.iter().map(|(_, part)| part)),
            TypeExpNode::Sum(constructors) => most(&mut constructors.iter().flat_map(|(_, payload)| payload)),
            TypeExpNode::Exists(..) => Liftedness::SizeLifted,
            _ => Liftedness::Unlifted,
        }
    }

    /// The parts of a type, with their marks.
    fn type_exps<'e>(
        &mut self,
        written: impl IntoIterator<Item = &'e TypeExp>,
    ) -> (Vec<Type>, Vec<Uniqueness>) {
        let parts = written.into_iter().map(|part| self.type_exp(part));
        parts.map(|part| (part.ty, part.unique)).unzip()
    }

    /// The type of a function's result. Anonymous sizes, and those named by `?[n]`, are existential, except in
    /// the parameters of a function in the result.
    pub(crate) fn result_type(&mut self, written: &TypeExp) -> WrittenResult {
        self.existential_type(written, Type::map_own_sizes)
    }

    /// The type of an abbreviation. Each use of it has its own anonymous sizes.
    pub(crate) fn abbreviated_type(&mut self, written: &TypeExp) -> WrittenResult {
        self.existential_type(written, Type::map_sizes)
    }

    fn existential_type(&mut self, written: &TypeExp, map: MapSizes) -> WrittenResult {
        let scope = self.scopes.mark();
        let (names, inner): (&[Name], _) = match &written.node {
            TypeExpNode::Exists(names, inner) => (names, &**inner),
            _ => (&[], written),
        };
        let around = self.bound_in_type.len();
        names.iter().for_each(|name| self.bind_in_type(name));
        let mut exists = self.bind_existentials(names);
        let DeclaredType { ty, unique } = self.type_exp(inner);
        self.bound_in_type.truncate(around);
        self.scopes.leave(scope);
        self.check_existentials(names, &exists, &ty);
        let mut opened: Vec<Size> = exists.iter().map(|_| self.unifier.fresh_size(written.span)).collect();
        let open = ty.with_sizes(&exists, &opened);
        // Equal sizes within an abbreviation stay equal.
        let mut renamed: FxHashMap<ValueId, ValueId> = FxHashMap::default();
        let ty = map(&ty, &mut |size| match size {
            Size::Var(id) if id.0 >= FLEXIBLE && *size != ERROR_SIZE => {
                Size::Var(*renamed.entry(*id).or_insert_with(|| {
                    let fresh = self.fresh_value();
                    exists.push(fresh);
                    opened.push(size.clone());
                    fresh
                }))
            }
            _ => size.clone(),
        });
        WrittenResult { ty, open, exists, opened, unique }
    }

    /// Adds a name bound by a type. An enclosing part of the type must not bind it too.
    pub(crate) fn bind_in_type(&mut self, name: &Name) {
        if let Some((_, first)) = self.bound_in_type.iter().find(|(known, _)| *known == name.node) {
            let first = *first;
            self.duplicate_name(name.node, name.span, first);
        }
        self.bound_in_type.push((name.node, name.span));
    }

    fn bind_existentials(&mut self, names: &[Name]) -> Vec<ValueId> {
        names.iter().map(|name| self.bind_size(name.node)).collect()
    }

    /// Reports existential sizes that no array in the type has, so that no value determines them.
    fn check_existentials(&mut self, names: &[Name], ids: &[ValueId], ty: &Type) {
        let witnesses = constructive_sizes(ty);
        for (name, _) in names.iter().zip(ids).filter(|(_, id)| !witnesses.contains(id)) {
            let message = format!("Size `{}` is not the size of any array in the type", name.node);
            let error = Diagnostic::error(Code::UnboundSize, name.span, message)
                .note(format!(
                    "Existential size `{}` not used as array size: it is not used constructively",
                    name.node
                ))
                .help("use it as the size of an array outside function types, or remove it")
                .section(Section::UnusedExistential);
            self.diagnostics.push(error);
        }
    }

    /// Checks a size expression. An anonymous size is flexible.
    pub(crate) fn size_exp(&mut self, size: &SizeExp) -> Size {
        match size {
            SizeExp::Anonymous(span) => self.unifier.fresh_size(*span),
            SizeExp::Exp(exp) => self.written_size(exp),
        }
    }

    fn written_size(&mut self, written: &Exp) -> Size {
        if let ExpNode::Name(name) = &written.node
            && name.quals.is_empty()
            && self.find(name).is_none()
        {
            self.unknown_size_name(name);
            return ERROR_SIZE;
        }
        if self.of_declared_type && binds_names(written) {
            let error = Diagnostic::error(Code::BadSize, written.span, "A size may not bind names")
                .note("Size expression with binding is forbidden")
                .help("define a function with this body, and call it here");
            self.diagnostics.push(error);
            return ERROR_SIZE;
        }
        let errors = self.diagnostics.len();
        let exp = self.exp(written);
        if self.diagnostics[errors..].iter().any(Diagnostic::is_fatal) {
            return ERROR_SIZE;
        }
        if self.unifier.restrict(&exp.ty, Class::INTEGER).is_err()
            || self.unifier.unify(&exp.ty, &Type::Prim(PrimType::I64)).is_err()
        {
            let mut diagnostic = Diagnostic::error(Code::BadSize, written.span, "A size must have type i64")
                .types(PrimType::I64.name(), self.show(&exp.ty))
                .note(format!("Cannot unify the type of the size `{}` with `i64`", self.quote(written.span)));
            diagnostic = diagnostic.help(match &written.node {
                ExpNode::Name(name) => format!("give `{}` the type `i64`", name.name),
                _ => "write a whole number, or convert the size to `i64`".to_owned(),
            });
            self.diagnostics.push(diagnostic);
            return ERROR_SIZE;
        }
        self.size_term(&exp).unwrap_or_else(|| {
            if !self.literals_fit(&exp) {
                return ERROR_SIZE;
            }
            let message = "A local function with type or size parameters cannot be part of a size";
            let help = "bind the size to a name first";
            self.diagnostics.push(Diagnostic::error(Code::BadSize, written.span, message).help(help));
            ERROR_SIZE
        })
    }
}

/// Whether an expression binds names.
fn binds_names(exp: &Exp) -> bool {
    match &exp.node {
        ExpNode::Let { .. }
        | ExpNode::LetUpdate { .. }
        | ExpNode::LetFunction { .. }
        | ExpNode::Loop { .. }
        | ExpNode::Match(..)
        | ExpNode::Lambda { .. } => true,
        ExpNode::Apply(a, b) | ExpNode::Binary(a, _, b) => binds_names(a) || binds_names(b),
        ExpNode::If(a, b, c) => [a, b, c].into_iter().any(|part| binds_names(part)),
        ExpNode::Negate(inner) | ExpNode::Not(inner) | ExpNode::Project(inner, _) => binds_names(inner),
        ExpNode::Tuple(parts) | ExpNode::Array(parts) => parts.iter().any(binds_names),
        _ => false,
    }
}

/// A map over sizes of a type.
type MapSizes = fn(&Type, &mut dyn FnMut(&Size) -> Size) -> Type;

/// The meaning of a result type.
pub(crate) struct WrittenResult {
    /// The type as callers see it.
    pub(crate) ty: Type,
    /// The type that the body must have, with flexible sizes for anonymous ones.
    pub(crate) open: Type,
    /// The existential sizes in `ty`.
    pub(crate) exists: Vec<ValueId>,
    /// The corresponding sizes in `open`.
    pub(crate) opened: Vec<Size>,
    /// The parts marked with `*`.
    pub(crate) unique: Uniqueness,
}

/// Whether a value of the type may share memory with another: false only for scalars.
pub(crate) fn has_array(ty: &Type) -> bool {
    match ty {
        Type::Prim(_) => false,
        Type::Tuple(_) | Type::Record(_) | Type::Sum(_) => ty.parts().into_iter().any(has_array),
        Type::Array(..) | Type::Param(_) | Type::Abstract(_) | Type::Function(_) => true,
    }
}
