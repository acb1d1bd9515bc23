//! Type abbreviations: declaration and expansion.
//!
//! An abbreviation is expanded where it is used, so types are equal if their expansions are. An
//! anonymous size in a size-lifted abbreviation is a different size at every use.

use ravel_base::{Code, Diagnostic, Section, Span};
use ravel_syntax::ast::{self, QualName};
use rustc_hash::FxHashMap;

use crate::checker::Checker;
use crate::class::Class;
use crate::env::{Entry, TypeEntry, TypeParam};
use crate::exp::TYPE_LIMIT;
use crate::function::{size_names, type_names};
use crate::names::source_text;
use crate::report::Context;
use crate::tast::{Liftedness, Size, Type, TypeArg, TypeParamId, ValueId};
use crate::unify::ERROR;
use crate::walk::Expansions;

/// The headline for a declaration with `type` of a type whose values differ in size.
const UNKNOWN_SIZE: &str = "A type of unknown size must be declared with `type~`";

impl Checker<'_> {
    /// Checks `type t … = …`.
    pub(crate) fn type_declaration(&mut self, dec: &ast::TypeDec) {
        let entry = self.abbreviation(dec.liftedness.into(), &dec.params, &dec.ty, dec.name.span);
        self.declare(dec.name.node, dec.name.span, Entry::Type(entry));
    }

    /// Checks the definition of an abbreviation.
    pub(crate) fn abbreviation(
        &mut self,
        liftedness: Liftedness,
        params: &[ast::TypeParam],
        ty: &ast::TypeExp,
        name: Span,
    ) -> TypeEntry {
        self.begin_declaration();
        let errors = self.diagnostics.len();
        let scope = self.scopes.mark();
        let bound = self.bind_declared_params(params);
        self.of_declared_type = true;
        let result = self.abbreviated_type(ty);
        self.of_declared_type = false;
        self.scopes.leave(scope);
        let entry = TypeEntry {
            liftedness,
            params: bound,
            exists: result.exists,
            ty: self.unifier.resolve(&result.ty),
            too_large: std::mem::take(&mut self.declares_too_large),
        };
        if self.diagnostics.len() == errors {
            if !entry.too_large {
                self.check_abbreviation(&entry, params, ty.span, name);
            }
            self.finish_size_definitions();
        }
        entry
    }

    /// Binds the parameters of a type, or of a value's specification.
    pub(crate) fn bind_declared_params(&mut self, params: &[ast::TypeParam]) -> Vec<TypeParam> {
        self.distinct(size_names(params), "Type parameter", "");
        self.distinct(type_names(params), "Type parameter", "");
        self.bind_type_params(params)
    }

    /// Binds size and type parameters. The two kinds have separate name spaces.
    pub(crate) fn bind_type_params(&mut self, params: &[ast::TypeParam]) -> Vec<TypeParam> {
        let bind = |param: &ast::TypeParam| match param {
            ast::TypeParam::Size(name) => TypeParam::Size(self.bind_size(name.node)),
            ast::TypeParam::Type(liftedness, name) => {
                let id = self.named_type_param(name.node);
                let liftedness: Liftedness = (*liftedness).into();
                if liftedness > Liftedness::Unlifted {
                    self.unifier.lifted.push((id, liftedness));
                }
                self.scopes.bind_type(name.node, id);
                TypeParam::Type(liftedness, id)
            }
        };
        params.iter().map(bind).collect()
    }

    fn check_abbreviation(&mut self, entry: &TypeEntry, params: &[ast::TypeParam], span: Span, name: Span) {
        let needed = liftedness(&entry.ty, &entry.params);
        let shapes = constructive_sizes(&entry.ty);
        let unused = params.iter().zip(&entry.params).find_map(|(written, param)| match (written, param) {
            (ast::TypeParam::Size(name), TypeParam::Size(id)) if !entry.ty.mentions(*id) => Some(name),
            _ => None,
        });
        let error = |span, message: &str| Diagnostic::error(Code::BadTypeDeclaration, span, message);
        let diagnostic = if needed == Liftedness::Lifted && entry.liftedness < Liftedness::Lifted {
            error(span, "A type that contains functions must be declared with `type^`")
                .note("Non-lifted type abbreviations may not contain functions")
                .help("declare it with `type^`")
        } else if entry.liftedness < needed {
            error(span, UNKNOWN_SIZE)
                .note("Non-size-lifted type abbreviations may not contain size-lifted types")
                .help("declare it with `type~`")
        } else if entry.liftedness == Liftedness::Unlifted && !entry.exists.is_empty() {
            error(span, UNKNOWN_SIZE)
                .note("Non-size-lifted type abbreviations may not contain size-lifted types")
                .caret("Non-lifted type abbreviations may not use existential sizes in their definition")
                .help("declare it with `type~`, or make the size a parameter: `[n]`")
        } else if entry.exists.iter().any(|id| !shapes.contains(id)) {
            error(span, "The anonymous size belongs to no array in values of this type")
                .note("Type abbreviation contains an anonymous size not used constructively as an array size")
                .help("the size of a function's parameter or result is not the size of a value")
                .section(Section::AnonymousNonconstructive)
        } else if let Some(size) = unused {
            error(
                size.span,
                &format!("Size parameter `[{}]` is not the size of any array in the type", size.node),
            )
            .label(name, "in the definition of this type")
            .note(format!("Size parameter `[{}]` unused: it is not used constructively", size.node))
            .help("leave it out")
        } else {
            return;
        };
        self.diagnostics.push(diagnostic);
    }

    /// A declared type applied to arguments.
    pub(crate) fn applied_type(
        &mut self,
        entry: &TypeEntry,
        name: &QualName,
        args: &[ast::TypeArg],
        span: Span,
    ) -> Type {
        if entry.params.len() != args.len() {
            let (name_text, needed) = (source_text(name), entry.params.len());
            let given = args.len();
            let (message, reference) = match (needed, given) {
                (_, 0) => (format!("Type constructor `{name_text}` used without any arguments"), None),
                (0, _) => (
                    format!("Type `{name_text}` takes no arguments"),
                    Some("it is not a type constructor".to_owned()),
                ),
                _ => (format!("Type `{name_text}` has the wrong number of arguments"), None),
            };
            let mut diagnostic = Diagnostic::error(Code::BadTypeArgument, span, message);
            if given > 0 {
                let provided = format!(
                    "Type constructor `{name_text}` requires {needed} arguments, but provided {given}"
                );
                diagnostic = [provided].into_iter().chain(reference).fold(diagnostic, Diagnostic::note);
            }
            if args.len() < entry.params.len() {
                diagnostic = diagnostic.help(format!("write `{}`", self.application_of(entry, name)));
            } else if entry.params.is_empty() && matches!(args, [ast::TypeArg::Size(_), ..]) {
                diagnostic = diagnostic.help(format!("an array type is written `[]{name_text}`"));
            }
            self.diagnostics.push(diagnostic);
            return ERROR;
        }
        if entry.too_large {
            return self.too_large(span);
        }
        let mut given = Vec::new();
        for (param, arg) in entry.params.iter().zip(args) {
            given.push(match self.type_argument(entry, *param, arg, name) {
                Some(arg) => arg,
                None => return ERROR,
            });
        }
        if entry.budget_after(TYPE_LIMIT, &given, &self.unifier).is_none() {
            return self.too_large(span);
        }
        let sizes: Vec<Size> = entry.exists.iter().map(|_| self.unifier.fresh_size(span)).collect();
        entry.apply(&given, &sizes)
    }

    /// An example of a use of the type: `t [n] a`.
    fn application_of(&self, entry: &TypeEntry, name: &QualName) -> String {
        let mut text = source_text(name);
        for param in &entry.params {
            text += &match param {
                TypeParam::Size(id) => format!(" [{}]", self.names.get(id).map_or("n", |name| name.as_str())),
                TypeParam::Type(_, id) => {
                    format!(" {}", self.type_names.get(id).map_or("a", |name| name.as_str()))
                }
            };
        }
        text
    }

    fn type_argument(
        &mut self,
        entry: &TypeEntry,
        param: TypeParam,
        arg: &ast::TypeArg,
        name: &QualName,
    ) -> Option<TypeArg> {
        match (param, arg) {
            (TypeParam::Size(_), ast::TypeArg::Size(size)) => Some(TypeArg::Size(self.size_exp(size))),
            (TypeParam::Type(liftedness, id), ast::TypeArg::Type(written)) => {
                let ty = self.type_exp(written).ty;
                if liftedness < Liftedness::Lifted
                    && !entry.may_hold_functions(id)
                    && let Err(mismatch) = self.unifier.restrict(&ty, Class::FIRST_ORDER)
                {
                    self.report(written.span, &ty, &ty, &mismatch, Context::TypeArgument);
                    return None;
                }
                Some(TypeArg::Type(ty))
            }
            (TypeParam::Size(_), ast::TypeArg::Type(given)) => {
                self.report_argument(given.span, name, ["type", "size"], "write a size in brackets: `[n]`");
                None
            }
            (TypeParam::Type(..), ast::TypeArg::Size(size)) => {
                let span = match size {
                    ast::SizeExp::Anonymous(span) => *span,
                    ast::SizeExp::Exp(exp) => exp.span,
                };
                self.report_argument(span, name, ["size", "type"], "write a type without brackets: `i32`");
                None
            }
        }
    }

    /// Reports an argument that is of the one kind where the other is needed.
    fn report_argument(&mut self, argument: Span, name: &QualName, [given, needed]: [&str; 2], help: &str) {
        let (text, name) = (self.quote(argument), source_text(name));
        let error = Diagnostic::error(
            Code::BadTypeArgument,
            argument,
            format!("`{name}` needs a {needed} here, not a {given}"),
        );
        let reference = format!(
            "Type argument `{text}` not valid for a type parameter of `{name}`, which requires a {needed}, not a {given}"
        );
        self.diagnostics.push(error.note(reference).help(help));
    }
}

/// The numbers of nodes of the arguments for the parameters of a type.
#[derive(Default)]
struct ArgumentNodes {
    types: FxHashMap<TypeParamId, usize>,
    sizes: FxHashMap<ValueId, usize>,
}

impl Expansions for ArgumentNodes {
    fn type_budget(&self, ty: &Type, left: usize) -> Option<Option<usize>> {
        let Type::Param(id) = ty else { return None };
        self.types.get(id).map(|&nodes| left.checked_sub(nodes))
    }

    fn size_budget(&self, id: ValueId, left: usize) -> Option<Option<usize>> {
        self.sizes.get(&id).map(|&nodes| left.checked_sub(nodes))
    }
}

impl TypeEntry {
    /// Whether a lifted abbreviation, such as `type^ t 'a = {f: a}`, takes a functional argument for this parameter
    /// although it is declared as `'a`: no element of an array and no argument of an abstract type mentions it.
    fn may_hold_functions(&self, param: TypeParamId) -> bool {
        fn is_free(ty: &Type, param: TypeParamId) -> bool {
            match ty {
                Type::Array(..) | Type::Abstract(_) => {
                    let mut is_mentioned = false;
                    ty.each_param(&mut |id| is_mentioned |= id == param);
                    !is_mentioned
                }
                Type::Function(function) => is_free(&function.from, param) && is_free(&function.to, param),
                _ => ty.parts().into_iter().all(|part| is_free(part, param)),
            }
        }
        self.liftedness == Liftedness::Lifted && is_free(&self.ty, param)
    }

    /// A type without parameters.
    pub(crate) fn plain(ty: Type) -> TypeEntry {
        let (params, exists) = (Vec::new(), Vec::new());
        TypeEntry { liftedness: Liftedness::Unlifted, params, exists, ty, too_large: false }
    }

    /// The least liftedness with which the type could be declared.
    pub(crate) fn needed_liftedness(&self) -> Liftedness {
        let of_sizes = if self.exists.is_empty() { Liftedness::Unlifted } else { Liftedness::SizeLifted };
        liftedness(&self.ty, &self.params).max(of_sizes)
    }

    /// Subtracts the number of nodes of the type with these arguments from the budget `left`; `None` if it exceeds the
    /// budget. `known` says what the parts of the arguments stand for.
    pub(crate) fn budget_after(
        &self,
        left: usize,
        args: &[TypeArg],
        known: &dyn Expansions,
    ) -> Option<usize> {
        let mut nodes = ArgumentNodes::default();
        for (param, arg) in self.params.iter().zip(args) {
            let count = TYPE_LIMIT - arg.budget_after(TYPE_LIMIT, known)?;
            match param {
                TypeParam::Size(id) => drop(nodes.sizes.insert(*id, count)),
                TypeParam::Type(_, id) => drop(nodes.types.insert(*id, count)),
            }
        }
        if self.too_large { None } else { self.ty.budget_after(left, &nodes) }
    }

    /// The expansion of the type with these arguments. The sizes in `exists` replace its existential sizes.
    pub(crate) fn apply(&self, args: &[TypeArg], exists: &[Size]) -> Type {
        let mut types: FxHashMap<TypeParamId, &Type> = FxHashMap::default();
        let mut sizes: FxHashMap<ValueId, &Size> = self.exists.iter().copied().zip(exists).collect();
        for (param, arg) in self.params.iter().zip(args) {
            match (param, arg) {
                (TypeParam::Size(id), TypeArg::Size(size)) => drop(sizes.insert(*id, size)),
                (TypeParam::Type(_, id), TypeArg::Type(ty)) => drop(types.insert(*id, ty)),
                _ => {}
            }
        }
        self.ty.map(&mut |id| types.get(&id).map(|&ty| ty.clone()), &mut |size| {
            size.map(&mut |id| sizes.get(&id).map(|&size| size.clone()))
        })
    }
}

impl From<ast::Liftedness> for Liftedness {
    fn from(written: ast::Liftedness) -> Liftedness {
        match written {
            ast::Liftedness::Unlifted => Liftedness::Unlifted,
            ast::Liftedness::SizeLifted => Liftedness::SizeLifted,
            ast::Liftedness::Lifted => Liftedness::Lifted,
        }
    }
}

/// The liftedness of a type with these parameters.
pub(crate) fn liftedness(ty: &Type, params: &[TypeParam]) -> Liftedness {
    match ty {
        Type::Prim(_) => Liftedness::Unlifted,
        Type::Array(row, _) => liftedness(row, params),
        Type::Tuple(_) | Type::Record(_) | Type::Sum(_) => {
            let parts = ty.parts().into_iter().map(|part| liftedness(part, params));
            parts.max().unwrap_or(Liftedness::Unlifted)
        }
        Type::Function(_) => Liftedness::Lifted,
        Type::Param(id) => {
            let declared = params.iter().find_map(|param| match param {
                TypeParam::Type(liftedness, known) if known == id => Some(*liftedness),
                _ => None,
            });
            declared.unwrap_or(Liftedness::Unlifted)
        }
        Type::Abstract(named) => named.liftedness,
    }
}

/// The constructive sizes of a type: the variables that are the size of an array in every value of the type.
pub(crate) fn constructive_sizes(ty: &Type) -> Vec<ValueId> {
    match ty {
        Type::Prim(_) | Type::Param(_) | Type::Function(_) => Vec::new(),
        Type::Array(row, size) => {
            let mut sizes = constructive_sizes(row);
            if let Size::Var(id) = size {
                sizes.push(*id);
            }
            sizes
        }
        Type::Tuple(_) | Type::Record(_) | Type::Sum(_) => {
            ty.parts().into_iter().flat_map(constructive_sizes).collect()
        }
        Type::Abstract(named) => {
            let sizes = named.args.iter().flat_map(|arg| match arg {
                TypeArg::Size(Size::Var(id)) => vec![*id],
                TypeArg::Size(_) => Vec::new(),
                TypeArg::Type(ty) => constructive_sizes(ty),
            });
            sizes.collect()
        }
    }
}

/// As [`constructive_sizes`], without the sizes in type arguments of abstract types. The definition of such a type may
/// ignore its type parameter, and then its values do not determine these sizes.
pub(crate) fn visible_sizes(ty: &Type) -> Vec<ValueId> {
    match ty {
        Type::Tuple(_) | Type::Record(_) | Type::Sum(_) => {
            ty.parts().into_iter().flat_map(visible_sizes).collect()
        }
        Type::Array(row, Size::Var(id)) => visible_sizes(row).into_iter().chain([*id]).collect(),
        Type::Array(row, _) => visible_sizes(row),
        Type::Abstract(named) => {
            let sizes = named.args.iter().filter_map(|arg| match arg {
                TypeArg::Size(Size::Var(id)) => Some(*id),
                TypeArg::Size(_) | TypeArg::Type(_) => None,
            });
            sizes.collect()
        }
        Type::Prim(_) | Type::Param(_) | Type::Function(_) => Vec::new(),
    }
}
