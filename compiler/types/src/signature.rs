//! Module types.
//!
//! Each use of a module type has fresh ids for its values and abstract types.

use std::sync::Arc;

use ravel_base::{Code, Diagnostic, Limitation, Symbol};
use ravel_prim::PrimType;
use ravel_syntax::ast::{self, ModuleTypeExp, QualName, Spec};

use crate::checker::Checker;
use crate::env::{
    Entry, Functor, FunctorBody, Item, Module, ModuleEntry, Scheme, Signature, TypeEntry, TypeParam,
    ValueEntry,
};
use crate::names::{Frame, source_text};
use crate::substitute::Substitution;
use crate::tast::{AbstractType, Liftedness, Size, Type, TypeArg, TypeId};
use crate::unify::{ERROR_SIZE, FLEXIBLE};

impl Checker<'_> {
    /// Checks `module type t = …`.
    pub(crate) fn module_type_declaration(&mut self, dec: &ast::ModuleTypeDec) {
        match self.module_type(&dec.body) {
            Some(signature) => self.declare(dec.name.node, dec.name.span, Entry::Signature(signature.into())),
            None => self.incomplete = true,
        }
    }

    /// The module type that an expression denotes; `None` after an error.
    pub(crate) fn module_type(&mut self, written: &ModuleTypeExp) -> Option<Signature> {
        match written {
            ModuleTypeExp::Name(name) => match self.find_signature(name).cloned() {
                Some(signature) => {
                    self.count_copies(signature.module.size(), name.span)?;
                    Some(self.instance_of(&signature, None))
                }
                None => {
                    self.unknown_module_type(name);
                    None
                }
            },
            ModuleTypeExp::Signature(specs, _) => self.specs(specs),
            ModuleTypeExp::With(base, name, params, ty, _) => {
                let base = self.module_type(base)?;
                self.refine(base, name, params, ty)
            }
            ModuleTypeExp::Arrow(None, from, to, _) if self.is_function_type(from, to) => {
                let message = "A function type after `with` stands in parentheses";
                let diagnostic = Diagnostic::error(Code::UnknownModule, to.span(), message);
                let diagnostic = diagnostic.caret("this is a type, not a module type");
                self.diagnostics.push(diagnostic.help("write `with t = (i32 -> i32)`"));
                None
            }
            ModuleTypeExp::Arrow(name, from, to, _) => {
                let param = self.module_type(from)?;
                let param = self.instance_of(&param, name.as_ref().map(|name| name.node));
                let mut frame = Frame::default();
                if let Some(name) = name {
                    frame.insert(name.node, Entry::Module(param.module.clone().into()), false);
                }
                self.frames.push(frame);
                let result = self.with_own_size_definitions(|checker| {
                    checker.record_size_definitions(&param);
                    checker.module_type(to)
                });
                self.frames.pop();
                let body = FunctorBody::Param(self.fresh_value());
                let functor = Functor { param, result: result?, body };
                Some(Signature::of_module(ModuleEntry::Functor(Arc::new(functor))))
            }
        }
    }

    /// Whether `s with t = a -> b` was meant as `s with t = (a -> b)`: there is no module type `b`, but a type.
    fn is_function_type(&self, from: &ModuleTypeExp, to: &ModuleTypeExp) -> bool {
        let first = match to {
            ModuleTypeExp::Arrow(None, first, ..) => first,
            to => to,
        };
        let (ModuleTypeExp::With(..), ModuleTypeExp::Name(name)) = (from, first) else { return false };
        let is_prim = name.quals.is_empty() && PrimType::from_name(name.name.as_str()).is_some();
        self.find_signature(name).is_none() && (is_prim || self.find_type(name).is_some())
    }

    fn specs(&mut self, specs: &[Spec]) -> Option<Signature> {
        let local = std::mem::replace(&mut self.local, false);
        let outside = std::mem::take(&mut self.items);
        self.frames.push(Frame::default());
        let mut types = Vec::new();
        let mut fine = true;
        self.with_own_size_definitions(|checker| {
            for spec in specs {
                fine &= checker.spec(spec, &mut types).is_some();
            }
        });
        let frame = self.frames.pop().expect("the frame pushed above");
        self.local = local;
        let made = std::mem::replace(&mut self.items, outside).into_iter();
        let sizes = made.filter_map(|item| match item {
            Item::Size(made) => Some(made),
            Item::Definition(_) | Item::Type(_) | Item::Application(_) => None,
        });
        let module = ModuleEntry::Structure(frame.exports);
        fine.then_some(Signature { types, sizes: sizes.collect(), module })
    }

    fn spec(&mut self, spec: &Spec, types: &mut Vec<TypeId>) -> Option<()> {
        match spec {
            Spec::Value { attributes, name, type_params, ty, .. } => {
                for attribute in attributes {
                    self.attribute_without_value(attribute);
                }
                let scheme = self.value_spec(name, type_params, ty)?;
                let id = self.named_value(name.node);
                self.declare(name.node, name.span, Entry::Value(ValueEntry { id, scheme }));
            }
            Spec::Type(dec) => self.type_declaration(dec),
            Spec::AbstractType { liftedness, name, params, .. } => {
                let scope = self.scopes.mark();
                let params = self.bind_declared_params(params);
                self.scopes.leave(scope);
                let id = self.fresh_type_id();
                types.push(id);
                let entry = TypeEntry::opaque(id, name.node, (*liftedness).into(), params);
                self.declare(name.node, name.span, Entry::Type(entry));
            }
            Spec::Module(name, ty) => {
                let signature = self.module_type(ty)?;
                let signature = self.instance_of(&signature, Some(name.node));
                self.have_sizes(&signature);
                types.extend(signature.types);
                self.declare(name.node, name.span, Entry::Module(signature.module.into()));
            }
            Spec::Attributed(attribute, spec) => {
                self.attribute_without_value(attribute);
                self.spec(spec, types)?;
            }
            Spec::Include(ty) => {
                let signature = self.module_type(ty)?;
                self.have_sizes(&signature);
                types.extend(signature.types);
                let module = self.structure(signature.module, ty.span())?;
                // Included names shadow earlier names, and later names shadow them.
                for (name, entry) in module.into_entries() {
                    self.frames.last_mut()?.insert(name, entry, false);
                }
            }
        }
        Some(())
    }

    /// Adds the sizes of a module type that is used inside this one.
    fn have_sizes(&mut self, inner: &Signature) {
        self.record_size_definitions(inner);
        self.items.extend(inner.sizes.iter().cloned().map(Item::Size));
    }

    /// The type of `val x 'a [n]: t`.
    fn value_spec(
        &mut self,
        name: &ast::Name,
        type_params: &[ast::TypeParam],
        written: &ast::TypeExp,
    ) -> Option<Scheme> {
        self.begin_declaration();
        let errors = self.diagnostics.len();
        let scope = self.scopes.mark();
        let params = self.bind_declared_params(type_params);
        self.of_declared_type = true;
        let ty = self.type_exp(written).ty;
        self.of_declared_type = false;
        if std::mem::take(&mut self.declares_too_large) {
            self.limit(Limitation::TypeSize, written.span);
        }
        self.scopes.leave(scope);
        let ty = self.unifier.resolve(&ty);
        let mut open = false;
        ty.each_size(&mut |size| {
            open |= *size != ERROR_SIZE && size.any(&mut |id| id.0 >= FLEXIBLE);
        });
        if open {
            let message = "Sizes of parameters need names in a module type";
            let diagnostic = Diagnostic::error(Code::BadModuleType, written.span, message)
                .note("All function parameters must have non-anonymous sizes")
                .help(format!("add size parameters: `val {} [n]: …`", name.node));
            self.diagnostics.push(diagnostic);
        }
        if self.diagnostics.len() > errors {
            return None;
        }
        self.finish_size_definitions();
        let mut scheme = Scheme::mono(ty);
        scheme.lifted = self.unifier.lifted.clone();
        for param in params {
            match param {
                TypeParam::Size(id) => scheme.size_params.push(id),
                TypeParam::Type(_, id) => scheme.type_params.push(id),
            }
        }
        Some(scheme)
    }

    /// `t with q = …`: defines an abstract type of a module type.
    fn refine(
        &mut self,
        mut base: Signature,
        name: &QualName,
        params: &[ast::TypeParam],
        ty: &ast::TypeExp,
    ) -> Option<Signature> {
        let entry = match &base.module {
            ModuleEntry::Structure(module) => type_in(module, name),
            ModuleEntry::Functor(_) => None,
        };
        let Some(entry) = entry.cloned() else {
            self.not_abstract(name, "it has no such type");
            return None;
        };
        let Some(id) = entry.abstract_id().filter(|id| base.types.contains(id)) else {
            self.not_abstract(name, "it is known already");
            return None;
        };
        // A refined type may have existential sizes although the abstract one had none.
        let liftedness = entry.liftedness.max(Liftedness::SizeLifted);
        let mut meaning = self.abbreviation(liftedness, params, ty, name.span);
        meaning.liftedness = meaning.needed_liftedness();
        if !self.takes_params_of(&meaning, &entry) {
            let message = format!("`{}` has other parameters in the module type", source_text(name));
            let error = Diagnostic::error(Code::BadModuleType, name.span, message)
                .note("Cannot refine a type having other parameters than in the module type")
                .help("write the parameters that the module type specifies");
            self.diagnostics.push(error);
            return None;
        }
        base.types.retain(|known| *known != id);
        let mut known = Substitution::default();
        known.types.insert(id, meaning);
        let refined = known.signature(&base, &mut self.free);
        self.check_size_of_types(&known, ty.span)?;
        Some(refined)
    }

    fn not_abstract(&mut self, name: &QualName, why: &str) {
        let message = format!("`{}` is not an abstract type in the module type", source_text(name));
        let diagnostic = Diagnostic::error(Code::BadModuleType, name.span, message);
        let help = "`with` gives a meaning to a type that is specified as `type t`";
        self.diagnostics.push(diagnostic.caret(why).help(help));
    }

    /// Whether the type accepts the specified arguments.
    pub(crate) fn takes_params_of(&self, actual: &TypeEntry, spec: &TypeEntry) -> bool {
        let takes = |(actual, spec): (&TypeParam, &TypeParam)| match (actual, spec) {
            (TypeParam::Size(_), TypeParam::Size(_)) => true,
            (TypeParam::Type(taken, _), TypeParam::Type(given, _)) => taken >= given,
            _ => false,
        };
        actual.params.len() == spec.params.len() && actual.params.iter().zip(&spec.params).all(takes)
    }

    /// The module type with fresh ids for its values and abstract types. In messages the types are qualified by
    /// the module's name.
    pub(crate) fn instance_of(&mut self, signature: &Signature, module: Option<Symbol>) -> Signature {
        let mut fresh = Substitution::default();
        let path = module.map_or_else(String::new, |module| format!("{module}."));
        let mut types = Vec::new();
        for (id, name, entry) in signature.abstract_types(&path) {
            let new = self.fresh_type_id();
            types.push(new);
            fresh.types.insert(id, TypeEntry::opaque(new, name, entry.liftedness, entry.params.clone()));
        }
        self.fresh_values(&signature.module, &mut fresh);
        let sizes = self.fresh_size_definitions(&signature.sizes, &mut fresh);
        Signature { types, sizes, module: fresh.module(&signature.module, &mut self.free) }
    }

    fn fresh_values(&mut self, module: &ModuleEntry, fresh: &mut Substitution) {
        match module {
            ModuleEntry::Structure(module) => {
                for (&name, entry) in &module.values {
                    let id = self.named_value(name);
                    fresh.values.insert(entry.id, id);
                }
                module.modules.values().for_each(|inner| self.fresh_values(inner, fresh));
            }
            ModuleEntry::Functor(functor) => {
                if let FunctorBody::Param(id) = functor.body {
                    let new = self.fresh_value();
                    fresh.values.insert(id, new);
                }
            }
        }
    }

    /// A new id for an abstract type.
    pub(crate) fn fresh_type_id(&mut self) -> TypeId {
        self.free.ty += 1;
        TypeId(self.free.ty - 1)
    }
}

impl Signature {
    /// The module type without abstract types that has this form.
    pub(crate) fn of_module(module: ModuleEntry) -> Signature {
        Signature { types: Vec::new(), sizes: Vec::new(), module }
    }
}

impl TypeEntry {
    /// An abstract type.
    pub(crate) fn opaque(
        id: TypeId,
        name: Symbol,
        liftedness: Liftedness,
        params: Vec<TypeParam>,
    ) -> TypeEntry {
        let args = params.iter().copied().map(TypeParam::as_argument).collect();
        let ty = Type::Abstract(Box::new(AbstractType { id, name, liftedness, args }));
        TypeEntry { liftedness, params, exists: Vec::new(), ty, too_large: false }
    }

    /// The id of the abstract type, if the entry is one.
    pub(crate) fn abstract_id(&self) -> Option<TypeId> {
        match &self.ty {
            Type::Abstract(named) => {
                let own = self.params.iter().copied().map(TypeParam::as_argument);
                own.eq(named.args.iter().cloned()).then_some(named.id)
            }
            _ => None,
        }
    }
}

impl TypeParam {
    /// The parameter as an argument of the same kind.
    pub(crate) fn as_argument(self) -> TypeArg {
        match self {
            TypeParam::Size(id) => TypeArg::Size(Size::Var(id)),
            TypeParam::Type(_, id) => TypeArg::Type(Type::Param(id)),
        }
    }
}

/// The type of this name in a module type.
fn type_in<'a>(module: &'a Module, name: &QualName) -> Option<&'a TypeEntry> {
    let inner = name.quals.iter().try_fold(module, |module, qual| match module.module(*qual)? {
        ModuleEntry::Structure(inner) => Some(inner),
        ModuleEntry::Functor(_) => None,
    })?;
    inner.types.get(&name.name)
}
