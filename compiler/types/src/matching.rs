//! Module type matching.
//!
//! First the abstract types of the module type are bound to types of the module, and replaced by them. Then everything
//! else is compared. A value may be more general than its specification. The result is a substitution that replaces the
//! values and types of the module type by those of the module.

use ravel_base::{Code, Diagnostic, Limitation, Span, Symbol};
use ravel_syntax::ast::ModuleTypeExp;
use rustc_hash::FxHashSet;

use crate::checker::Checker;
use crate::env::{Functor, FunctorBody, Item, Module, ModuleEntry, Scheme, Signature, TypeEntry, ValueEntry};
use crate::substitute::Substitution;
use crate::tast::{Definition, Exp, ExpNode, Function, FunctionBody, Size, Type, TypeArg, TypeId, ValueId};
use crate::unify::{ERROR, FLEXIBLE, Mismatch, Unifier};

mod report;

/// Why a value does not match its specification.
enum MatchError {
    Types(Mismatch),
    /// It consumes an argument that the specification does not mark with `*`.
    Consumes,
    /// Its result may share memory with other values, but the specification marks it with `*`.
    Shared,
    /// Its type, which is not written, has known sizes, but the specified type is abstract and hides them.
    Known,
}

impl Checker<'_> {
    /// `m : t`: the module restricted to its module type.
    pub(crate) fn ascribe_module(
        &mut self,
        module: &ModuleEntry,
        written: &ModuleTypeExp,
        span: Span,
    ) -> Option<ModuleEntry> {
        let signature = self.module_type(written)?;
        let mut given = Substitution::default();
        self.match_module(module, &signature, "", span, &mut given)?;
        self.seal(&signature, given, span)
    }

    /// Seals a matched module: each abstract type becomes a fresh type.
    fn seal(&mut self, signature: &Signature, mut given: Substitution, span: Span) -> Option<ModuleEntry> {
        for (id, name, _) in signature.abstract_types("") {
            if let Some(meaning) = given.types.remove(&id) {
                let name = self.qualified(name);
                let opaque = self.define_abstract(name, meaning);
                given.types.insert(id, opaque);
            }
        }
        let sealed = given.module(&signature.module, &mut self.free);
        self.check_size_of_types(&given, span)?;
        Some(sealed)
    }

    /// Matches a module with a module type. Afterwards `given` replaces the ids of the module type by those of the
    /// module. `path` precedes names in messages: it is empty, or ends with a dot.
    pub(crate) fn match_module(
        &mut self,
        module: &ModuleEntry,
        signature: &Signature,
        path: &str,
        span: Span,
        given: &mut Substitution,
    ) -> Option<()> {
        let errors = self.diagnostics.len();
        match (module, &signature.module) {
            (ModuleEntry::Structure(module), ModuleEntry::Structure(wanted)) => {
                self.report_missing(module, wanted, path, span);
                let types = signature.types.iter().copied().collect();
                self.match_types(module, wanted, &types, path, span, given);
                match_names(module, wanted, given);
                if self.diagnostics.len() == errors {
                    signature.sizes.iter().for_each(|made| self.instantiate_size_definition(made, given));
                }
                if self.diagnostics.len() == errors || signature.sizes.is_empty() {
                    self.match_contents(module, wanted, path, span, given);
                }
            }
            (ModuleEntry::Functor(functor), ModuleEntry::Functor(wanted)) => {
                self.match_functor(functor, wanted, path, span, given);
            }
            (ModuleEntry::Structure(_), ModuleEntry::Functor(_)) => {
                let message = "Module takes no parameter, but its type has one";
                let diagnostic = Diagnostic::error(Code::NotParametric, span, message)
                    .note("Cannot match non-parametric module with parametric module type");
                self.diagnostics.push(diagnostic.help("give the module a parameter: `module m (p: t) = …`"));
            }
            (ModuleEntry::Functor(_), ModuleEntry::Structure(_)) => {
                let message = "Module takes a parameter, but its type has none";
                let diagnostic = Diagnostic::error(Code::NotParametric, span, message)
                    .note("Cannot match parametric module with non-parametric module type");
                self.diagnostics.push(diagnostic.help("apply it to a module first"));
            }
        }
        (self.diagnostics.len() == errors).then_some(())
    }

    /// Binds the abstract types. A missing or wrong one is bound to [`ERROR`], which matches every type.
    fn match_types(
        &mut self,
        module: &Module,
        wanted: &Module,
        types: &FxHashSet<TypeId>,
        path: &str,
        span: Span,
        given: &mut Substitution,
    ) {
        for (&name, spec) in &wanted.types {
            let Some(id) = spec.abstract_id().filter(|id| types.contains(id)) else { continue };
            if given.types.contains_key(&id) {
                continue;
            }
            let meaning = match module.types.get(&name) {
                Some(actual) if actual.too_large => {
                    self.limit(Limitation::TypeSize, span);
                    None
                }
                Some(actual) => {
                    self.fits_abstract(qualified(path, name), actual, spec, span).then(|| actual.clone())
                }
                None => None,
            };
            let meaning = meaning.unwrap_or_else(|| TypeEntry { ty: ERROR, ..spec.clone() });
            given.types.insert(id, TypeEntry { liftedness: spec.liftedness, ..meaning });
        }
        for (&name, wanted) in &wanted.modules {
            if let ModuleEntry::Structure(wanted) = &**wanted
                && let Some(ModuleEntry::Structure(module)) = module.module(name)
            {
                self.match_types(module, wanted, types, &format!("{path}{name}."), span, given);
            }
        }
    }

    /// Compares everything that the module defines with its specification, except abstract types.
    fn match_contents(
        &mut self,
        module: &Module,
        wanted: &Module,
        path: &str,
        span: Span,
        given: &mut Substitution,
    ) {
        let errors = self.diagnostics.len();
        for (&name, spec) in &wanted.types {
            if let Some(actual) = module.types.get(&name) {
                self.match_type(qualified(path, name), actual, spec, span, given);
            }
        }
        if self.diagnostics.len() > errors {
            return;
        }
        for (&name, spec) in &wanted.values {
            if let Some(actual) = module.values.get(&name) {
                let scheme = given.scheme(&spec.scheme, &mut self.free);
                if self.check_size_of_types(given, span).is_none() {
                    return;
                }
                let hides_sizes = scheme.exists.len() > spec.scheme.exists.len();
                if hides_sizes && actual.scheme.exists.is_empty() && !actual.scheme.is_written {
                    self.report_value(qualified(path, name), actual, &spec.scheme, &MatchError::Known, span);
                    continue;
                }
                let id = self.match_value(name, path, actual, &scheme, span);
                given.values.extend(id.map(|id| (spec.id, id)));
            }
        }
        for (&name, wanted) in &wanted.modules {
            let path = format!("{path}{name}.");
            match (module.module(name), &**wanted) {
                (Some(ModuleEntry::Structure(module)), ModuleEntry::Structure(wanted)) => {
                    self.match_contents(module, wanted, &path, span, given);
                }
                (Some(module), wanted) => {
                    let signature = Signature::of_module(wanted.clone());
                    self.match_module(module, &signature, &path, span, given);
                }
                (None, _) => {}
            }
        }
    }

    /// Compares a type with its specification.
    fn match_type(
        &mut self,
        name: Symbol,
        actual: &TypeEntry,
        spec: &TypeEntry,
        span: Span,
        given: &Substitution,
    ) {
        let spec = given.type_entry(spec, &mut self.free);
        if spec.too_large || actual.too_large {
            return self.limit(Limitation::TypeSize, span);
        }
        let is_same = actual.abstract_id().is_some() && actual.abstract_id() == spec.abstract_id();
        if is_same || spec.ty == ERROR {
            return;
        }
        self.unifier = Unifier::default();
        let args: Vec<TypeArg> = spec.params.iter().map(|param| param.as_argument()).collect();
        let sizes: Vec<Size> = actual.exists.iter().map(|_| self.unifier.fresh_size(span)).collect();
        let found = actual.apply(&args, &sizes);
        let wanted = spec.exists.iter().fold(spec.ty.clone(), |ty, &id| {
            let size = self.unifier.fresh_size(span);
            ty.with_size(id, &size)
        });
        if !self.takes_params_of(actual, &spec) || self.unifier.unify(&wanted, &found).is_err() {
            self.report_type(name, actual, &spec, span);
        }
    }

    /// Compares a value with its specification. Returns the id of a definition that has exactly the specified type.
    fn match_value(
        &mut self,
        name: Symbol,
        path: &str,
        actual: &ValueEntry,
        spec: &Scheme,
        span: Span,
    ) -> Option<ValueId> {
        self.unifier = Unifier::default();
        self.unifier.lifted = spec.lifted.clone();
        let mut instance = self.instance(actual.id, &actual.scheme, span);
        let ty = instance.ty.clone();
        let sizes: Vec<Size> = spec.exists.iter().map(|_| self.unifier.fresh_size(span)).collect();
        if let Err(error) = self.subsume(&spec.ty.with_sizes(&spec.exists, &sizes), &ty) {
            self.report_value(qualified(path, name), actual, spec, &error, span);
            return None;
        }
        let ExpNode::Var { types, sizes, .. } = &mut instance.node else { return Some(actual.id) };
        for ty in types.iter_mut() {
            let closed = self
                .unifier
                .resolve(ty)
                .map(&mut |id| (id.0 >= FLEXIBLE).then(|| Type::Tuple(Vec::new())), &mut |size| {
                    size.map(&mut |id| (id.0 >= FLEXIBLE).then_some(Size::Const(0)))
                });
            *ty = closed;
        }
        for size in sizes.iter_mut() {
            *size = self.unifier.size(size).map(&mut |id| (id.0 >= FLEXIBLE).then_some(Size::Const(0)));
        }
        let as_it_is = types.iter().cloned().eq(spec.type_params.iter().map(|&id| Type::Param(id)))
            && sizes.iter().cloned().eq(spec.size_params.iter().map(|&id| Size::Var(id)));
        if as_it_is {
            return Some(actual.id);
        }
        let id = self.define_instance(name, spec, Exp { ty: spec.ty.clone(), ..instance });
        self.copy_constant_parts(actual.id, id);
        Some(id)
    }

    /// Defines a less general instance of a value.
    fn define_instance(&mut self, name: Symbol, spec: &Scheme, value: Exp) -> ValueId {
        let id = self.named_value(name);
        let span = value.span;
        let function = Function {
            type_params: spec.type_params.clone(),
            size_params: spec.size_params.clone(),
            params: Vec::new(),
            exists: Vec::new(),
            result: spec.ty.clone(),
            declared: None,
            body: FunctionBody::Exp(value),
        };
        let name = self.qualified(name);
        let definition =
            Definition { id, name, entry: false, noinline: false, promise: false, function, span };
        self.items.push(Item::Definition(definition));
        id
    }

    /// Checks that every value of type `actual` also has type `spec`.
    fn subsume(&mut self, spec: &Type, actual: &Type) -> Result<(), MatchError> {
        let (spec, actual) = (self.unifier.head(spec), self.unifier.head(actual));
        let (Type::Function(wanted), Type::Function(found)) = (&spec, &actual) else {
            return self.unifier.unify(&spec, &actual).map_err(MatchError::Types);
        };
        if !found.consumes.is_within(&wanted.consumes, &wanted.from) {
            return Err(MatchError::Consumes);
        }
        // Parameters are contravariant.
        self.unifier.unify(&found.from, &wanted.from).map_err(MatchError::Types)?;
        let mut to = found.to.clone();
        if let (Some(found), Some(wanted)) = (found.name, wanted.name) {
            to = to.with_size(found, &Size::Var(wanted));
        }
        if !matches!(to, Type::Function(_)) && !wanted.unique.is_within(&found.unique, &to) {
            return Err(MatchError::Shared);
        }
        let any: Vec<Size> = wanted.exists.iter().map(|_| self.unifier.fresh_inner_size()).collect();
        let open = wanted.to.with_sizes(&wanted.exists, &any);
        // The type and size arguments of the module's value cannot depend on the arguments of a call.
        let bound = wanted.name.or(found.name).into_iter().chain(found.exists.iter().copied());
        let depth = self.unifier.enter_scope(bound);
        let subsumed = self.subsume(&open, &to);
        self.unifier.leave_scope(depth);
        subsumed
    }

    /// Matches a parametric module: applied to a module of the specified parameter type, it must return a module of the
    /// specified result type.
    fn match_functor(
        &mut self,
        functor: &Functor,
        wanted: &Functor,
        path: &str,
        span: Span,
        given: &mut Substitution,
    ) {
        let FunctorBody::Param(id) = wanted.body else { return };
        let wanted = given.functor(wanted, &mut self.free);
        let param = self.instance_of(&wanted.param, None);
        let sealed = self.functor(param.clone(), |checker, module| {
            let result = checker.apply_functor(functor, module, path, span)?;
            let mut inner = Substitution::default();
            checker.match_module(module, &wanted.param, path, span, &mut inner)?;
            let promised = inner.signature(&wanted.result, &mut checker.free);
            let mut found = Substitution::default();
            checker.match_module(&result, &promised, path, span, &mut found)?;
            checker.seal(&promised, found, span)
        });
        given.functors.extend(sealed.map(|sealed| (id, sealed)));
    }
}

/// A name with the path to it in front.
fn qualified(path: &str, name: Symbol) -> Symbol {
    Symbol::new(&format!("{path}{name}"))
}

/// Binds all values before any is compared, since the type of one may mention another.
fn match_names(module: &Module, wanted: &Module, given: &mut Substitution) {
    for (name, spec) in &wanted.values {
        if let Some(actual) = module.values.get(name) {
            given.values.insert(spec.id, actual.id);
        }
    }
    for (&name, wanted) in &wanted.modules {
        if let (Some(ModuleEntry::Structure(module)), ModuleEntry::Structure(wanted)) =
            (module.module(name), &**wanted)
        {
            match_names(module, wanted, given);
        }
    }
}

/// Moves the abstract types that the module declares from `others` to `found`.
fn collect_abstract<'a>(
    module: &'a ModuleEntry,
    path: &str,
    others: &mut FxHashSet<TypeId>,
    found: &mut Vec<(TypeId, Symbol, &'a TypeEntry)>,
) {
    let ModuleEntry::Structure(module) = module else { return };
    for (name, entry) in &module.types {
        if let Some(id) = entry.abstract_id().filter(|id| others.remove(id)) {
            found.push((id, Symbol::new(&format!("{path}{name}")), entry));
        }
    }
    for (name, inner) in &module.modules {
        collect_abstract(inner, &format!("{path}{name}."), others, found);
    }
}

impl Signature {
    /// The abstract types with their declarations and their names, qualified by `path`.
    pub(crate) fn abstract_types(&self, path: &str) -> Vec<(TypeId, Symbol, &TypeEntry)> {
        let mut found = Vec::new();
        let mut others = self.types.iter().copied().collect();
        collect_abstract(&self.module, path, &mut others, &mut found);
        found
    }
}
