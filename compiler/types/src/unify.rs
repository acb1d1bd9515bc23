//! Unification of types and sizes.
//!
//! While a definition is checked, an unknown type or size is *flexible*: a [`Type::Param`] or
//! [`Size::Var`] whose id is at least [`FLEXIBLE`]. The unifier keeps the bindings. So inference
//! builds the typed tree directly, and `finish` only substitutes.
//!
//! A flexible type has constraints: a [`Class`], the fields projected from it, and the constructors that
//! made it or matched it. A function type binds names: the name of its argument and the names of its
//! existential sizes. While two function types are unified, a flexible type or size from outside must not be
//! bound to a type or size that mentions these names.

mod constraints;

use std::borrow::Cow;

use ravel_base::{Span, Symbol};

use crate::class::Class;
use crate::tast::{FunctionType, Liftedness, Size, Type, TypeArg, TypeParamId, ValueId};
use crate::walk::Expansions;
pub(crate) use constraints::Constraints;

/// The first id of a flexible parameter.
pub(crate) const FLEXIBLE: u32 = 1 << 31;

/// The type of an expression with a reported error. It unifies with every type, to avoid follow-up errors.
pub(crate) const ERROR: Type = Type::Param(TypeParamId(u32::MAX));

/// The size after a reported error. It unifies with every size.
pub(crate) const ERROR_SIZE: Size = Size::Var(ValueId(u32::MAX));

/// Why unification failed: the innermost pair at fault.
#[derive(Clone, Debug)]
pub(crate) enum Mismatch {
    /// The types differ.
    Types(Type, Type),
    /// The sizes differ.
    Sizes(Size, Size),
    /// The type would contain itself.
    Infinite,
    /// The type is not of the class.
    Class(Class, Type),
    /// The two classes have no common type.
    Classes,
    /// The type has no such field.
    NoField(Symbol, Type, Span),
    /// The type has no such constructor.
    NoConstructor(Symbol, Type, Span),
    /// The constructor has another number of payloads.
    Payload {
        /// The constructor.
        constructor: Symbol,
        /// Its number of payloads.
        expected: usize,
        /// The number of payloads written.
        found: usize,
        /// The place.
        span: Span,
    },
    /// An existential size of a function's result is needed before the function is called.
    Escape,
    /// The second function consumes an argument that the first function does not consume.
    Consumes(Box<[FunctionType; 2]>),
    /// A type parameter of a local function would occur in a type outside that function.
    Scope(TypeParamId),
}

type Result<T> = std::result::Result<T, Mismatch>;

#[derive(Debug)]
enum TypeSlot {
    Free(Constraints),
    Bound(Type),
}

#[derive(Debug)]
enum SizeSlot {
    Free { level: u32, span: Span, role: SizeRole },
    Bound(Size),
}

/// What an unbound size stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SizeRole {
    /// A size that must be determined.
    Unknown,
    /// An existential size in the result of an expected function type, which each call determines.
    Existential,
    /// A size of the absent payload of a constructor that is not the value's.
    Absent,
}

/// The flexible types and sizes of one definition.
#[derive(Debug, Default)]
pub(crate) struct Unifier {
    types: Vec<TypeSlot>,
    sizes: Vec<SizeSlot>,
    /// The nesting depth of local functions. A size that is unbound at the end of a local function, and
    /// does not occur outside, becomes a parameter of that function.
    pub(crate) level: u32,
    /// The type parameters in scope that are more general than `'a`.
    pub(crate) lifted: Vec<(TypeParamId, Liftedness)>,
    /// The type parameters of local functions, with their levels.
    local_params: Vec<(TypeParamId, u32)>,
    /// The names bound by the function types being unified.
    bound: Vec<ValueId>,
}

impl Expansions for Unifier {
    fn type_budget(&self, ty: &Type, left: usize) -> Option<Option<usize>> {
        let Type::Param(id) = ty else { return None };
        match self.types.get(id.0.checked_sub(FLEXIBLE)? as usize)? {
            TypeSlot::Bound(bound) => Some(bound.budget_after(left, self)),
            TypeSlot::Free(_) => None,
        }
    }

    fn size_budget(&self, id: ValueId, left: usize) -> Option<Option<usize>> {
        match self.sizes.get(id.0.checked_sub(FLEXIBLE)? as usize)? {
            SizeSlot::Bound(bound) => Some(bound.budget_after(left, self)),
            SizeSlot::Free { .. } => None,
        }
    }
}

impl Unifier {
    /// A flexible type of a class.
    pub(crate) fn fresh(&mut self, class: Class, span: Span) -> Type {
        let id = FLEXIBLE + self.types.len() as u32;
        let constraints =
            Constraints { class, fields: Vec::new(), constructors: Vec::new(), span, level: self.level };
        self.types.push(TypeSlot::Free(constraints));
        Type::Param(TypeParamId(id))
    }

    /// A flexible size.
    pub(crate) fn fresh_size(&mut self, span: Span) -> Size {
        let id = self.next_size();
        self.sizes.push(SizeSlot::Free { level: self.level, span, role: SizeRole::Unknown });
        Size::Var(ValueId(id))
    }

    /// The id that the next flexible size gets.
    pub(crate) fn next_size(&self) -> u32 {
        FLEXIBLE + self.sizes.len() as u32
    }

    /// Adds a type parameter of the innermost local function. No type from outside may be bound to a type that
    /// mentions it.
    pub(crate) fn add_local_type_param(&mut self, id: TypeParamId) {
        if self.level > 0 {
            self.local_params.push((id, self.level));
        }
    }

    /// At the end of a local function, moves the unbound flexible types in the function's type to the enclosing
    /// function.
    pub(crate) fn leave_level(&mut self, ty: &Type) {
        let level = self.level;
        ty.each_param(&mut |id| self.lower_level(id, level));
    }

    fn lower_level(&mut self, id: TypeParamId, limit: u32) {
        let slot = id.0.checked_sub(FLEXIBLE).and_then(|index| self.types.get_mut(index as usize));
        if let Some(TypeSlot::Free(constraints)) = slot {
            constraints.level = constraints.level.min(limit);
        }
    }

    /// All unbound flexible types.
    pub(crate) fn free_types(&self) -> impl Iterator<Item = (TypeParamId, &Constraints)> {
        self.types.iter().enumerate().filter_map(|(index, slot)| match slot {
            TypeSlot::Free(constraints) => Some((TypeParamId(FLEXIBLE + index as u32), constraints)),
            TypeSlot::Bound(_) => None,
        })
    }

    /// The origin of an unbound flexible size; `None` for any other size.
    pub(crate) fn free_size(&self, id: ValueId) -> Option<Span> {
        match self.sizes.get(id.0.checked_sub(FLEXIBLE)? as usize)? {
            SizeSlot::Free { span, .. } => Some(*span),
            SizeSlot::Bound(_) => None,
        }
    }

    /// Whether the size is unbound and may be any size, because only an absent payload mentions it, or each call of a
    /// function determines it.
    pub(crate) fn may_be_any(&self, id: ValueId) -> bool {
        self.role(id).is_some_and(|role| role != SizeRole::Unknown)
    }

    /// Whether the size is unbound and a size of an absent payload.
    pub(crate) fn is_absent(&self, size: &Size) -> bool {
        matches!(size, Size::Var(id) if self.role(*id) == Some(SizeRole::Absent))
    }

    fn role(&self, id: ValueId) -> Option<SizeRole> {
        match self.sizes.get(id.0.checked_sub(FLEXIBLE)? as usize)? {
            SizeSlot::Free { role, .. } => Some(*role),
            SizeSlot::Bound(_) => None,
        }
    }

    /// Marks an unbound size as one that stands for an existential size of a result. If only a payload that no value has
    /// mentions the size, it may be any size.
    pub(crate) fn make_existential(&mut self, size: &Size) {
        self.set_role(size, SizeRole::Existential);
    }

    /// Marks an unbound size as a size of an absent payload.
    pub(crate) fn make_absent(&mut self, size: &Size) {
        self.set_role(size, SizeRole::Absent);
    }

    fn set_role(&mut self, size: &Size, new: SizeRole) {
        let Size::Var(id) = size else { return };
        let slot = id.0.checked_sub(FLEXIBLE).and_then(|index| self.sizes.get_mut(index as usize));
        if let Some(SizeSlot::Free { role, .. }) = slot {
            *role = new;
        }
    }

    /// Whether the unbound size belongs to the local function that has just ended.
    pub(crate) fn is_local_size(&self, id: ValueId) -> bool {
        let slot = id.0.checked_sub(FLEXIBLE).and_then(|index| self.sizes.get(index as usize));
        matches!(slot, Some(SizeSlot::Free { level, .. }) if *level > self.level)
    }

    /// The constraints on an unbound flexible type; `None` for any other type.
    pub(crate) fn constraints(&self, id: TypeParamId) -> Option<&Constraints> {
        match self.types.get(id.0.checked_sub(FLEXIBLE)? as usize)? {
            TypeSlot::Free(constraints) => Some(constraints),
            TypeSlot::Bound(_) => None,
        }
    }

    /// Whether a part of the type outside function types is a sum of which not all constructors are known.
    pub(crate) fn has_open_sum(&self, ty: &Type) -> bool {
        match self.head(ty) {
            Type::Param(id) => {
                self.constraints(id).is_some_and(|constraints| !constraints.constructors.is_empty())
            }
            Type::Array(row, _) => self.has_open_sum(&row),
            ty => ty.parts().into_iter().any(|part| self.has_open_sum(part)),
        }
    }

    /// The type, or its binding if it is a bound flexible type. Flexible types inside it are not replaced.
    pub(crate) fn head(&self, ty: &Type) -> Type {
        let mut ty = ty;
        while let Type::Param(id) = ty
            && let Some(index) = id.0.checked_sub(FLEXIBLE)
            && let Some(TypeSlot::Bound(bound)) = self.types.get(index as usize)
        {
            ty = bound;
        }
        ty.clone()
    }

    /// The size with all bindings substituted.
    pub(crate) fn size(&self, size: &Size) -> Size {
        size.map(&mut |id| {
            let index = id.0.checked_sub(FLEXIBLE)?;
            match self.sizes.get(index as usize)? {
                SizeSlot::Bound(bound) => Some(self.size(bound)),
                SizeSlot::Free { .. } => None,
            }
        })
    }

    /// Shortens the chains of flexible types and sizes that are bound to one another: each is bound to the end of its
    /// chain. Unifying each branch of a nest with the next one makes a chain as long as the nest is deep, and
    /// substitution walks along the chain of each branch.
    pub(crate) fn shorten_chains(&mut self) {
        // The newer one of two is bound to the older one, whose chain is short already.
        let slot_of = |id: u32| id.checked_sub(FLEXIBLE).map(|index| index as usize);
        for index in 0..self.types.len() {
            if let TypeSlot::Bound(Type::Param(older)) = &self.types[index]
                && let Some(TypeSlot::Bound(end @ (Type::Param(_) | Type::Prim(_)))) =
                    slot_of(older.0).and_then(|older| self.types.get(older))
            {
                self.types[index] = TypeSlot::Bound(end.clone());
            }
        }
        for index in 0..self.sizes.len() {
            if let SizeSlot::Bound(Size::Var(older)) = &self.sizes[index]
                && let Some(SizeSlot::Bound(end @ (Size::Var(_) | Size::Const(_)))) =
                    slot_of(older.0).and_then(|older| self.sizes.get(older))
            {
                self.sizes[index] = SizeSlot::Bound(end.clone());
            }
        }
    }

    /// Whether the resolved type has more than `limit` nodes.
    pub(crate) fn is_larger(&self, ty: &Type, limit: usize) -> bool {
        ty.budget_after(limit, self).is_none()
    }

    /// The type with all bindings substituted.
    pub(crate) fn resolve(&self, ty: &Type) -> Type {
        ty.map(
            &mut |id| {
                let index = id.0.checked_sub(FLEXIBLE)?;
                match self.types.get(index as usize)? {
                    TypeSlot::Bound(bound) => Some(self.resolve(bound)),
                    TypeSlot::Free(_) => None,
                }
            },
            &mut |size| self.size(size),
        )
    }

    /// Unifies two types.
    pub(crate) fn unify(&mut self, a: &Type, b: &Type) -> Result<()> {
        // `join` copies both types. For each arrow of a chain that would copy the rest of the chain.
        if let (Type::Function(a), Type::Function(b)) = (a, b) {
            return self.unify_functions(a, b);
        }
        self.join(a, b, &mut |unifier, a, b| unifier.unify_size(a, b).map(|()| a.clone())).map(|_| ())
    }

    /// Unifies two types except for the sizes of arrays, which `on_size` joins.
    pub(crate) fn join(
        &mut self,
        a: &Type,
        b: &Type,
        on_size: &mut dyn FnMut(&mut Unifier, &Size, &Size) -> Result<Size>,
    ) -> Result<Type> {
        let (a, b) = (self.head(a), self.head(b));
        match (a, b) {
            (ERROR, other) | (other, ERROR) => {
                self.bind_to_error(&other);
                Ok(ERROR)
            }
            (Type::Param(a), Type::Param(b)) if a == b => Ok(Type::Param(a)),
            (Type::Param(id), sum @ Type::Sum(_)) if id.0 >= FLEXIBLE => {
                let built = self.bind_to_applied_constructors(id, &sum)?;
                self.join(&built, &sum, on_size)
            }
            (sum @ Type::Sum(_), Type::Param(id)) if id.0 >= FLEXIBLE => {
                let built = self.bind_to_applied_constructors(id, &sum)?;
                self.join(&sum, &built, on_size)
            }
            (Type::Param(id), other) if id.0 >= FLEXIBLE => self.bind(id, other),
            (other, Type::Param(id)) if id.0 >= FLEXIBLE => self.bind(id, other),
            (Type::Prim(a), Type::Prim(b)) if a == b => Ok(Type::Prim(a)),
            (Type::Array(row_a, size_a), Type::Array(row_b, size_b)) => {
                let size = on_size(self, &size_a, &size_b);
                let row = self.join(&row_a, &row_b, on_size)?;
                Ok(Type::Array(Box::new(row), size?))
            }
            (a, b) if a.has_form_of(&b) => {
                let pairs = a.parts().into_iter().zip(b.parts());
                let parts = pairs.map(|(a, b)| self.join(a, b, on_size)).collect::<Result<_>>()?;
                Ok(a.with_parts(parts))
            }
            (Type::Function(a), Type::Function(b)) => {
                self.unify_functions(&a, &b)?;
                Ok(Type::Function(a))
            }
            (Type::Abstract(a), Type::Abstract(b)) if a.id == b.id => {
                let args = a.args.iter().zip(&b.args).map(|pair| match pair {
                    (TypeArg::Size(a), TypeArg::Size(b)) => on_size(self, a, b).map(TypeArg::Size),
                    (TypeArg::Type(a), TypeArg::Type(b)) => self.join(a, b, on_size).map(TypeArg::Type),
                    (a, _) => Ok(a.clone()),
                });
                Ok(a.with_args(args.collect::<Result<_>>()?))
            }
            (a, b) => Err(Mismatch::Types(a, b)),
        }
    }

    /// Binds a flexible type to the sum, but with the payloads that its constructors were applied to: the arrays in
    /// them may have other sizes than those in `sum`.
    fn bind_to_applied_constructors(&mut self, id: TypeParamId, sum: &Type) -> Result<Type> {
        let mut built = sum.clone();
        if let (Some(constraints), Type::Sum(constructors)) =
            (self.open_constraints(&Type::Param(id)), &mut built)
        {
            for (name, payload) in constructors {
                let applied = constraints.constructors.iter().find(|(applied, ..)| applied == name);
                if let Some((_, applied, _)) =
                    applied.filter(|(_, applied, _)| applied.len() == payload.len())
                {
                    payload.clone_from(applied);
                }
            }
        }
        self.bind(id, built)
    }

    /// Binds all unbound flexible types and sizes in a type to the error type and the error size.
    fn bind_to_error(&mut self, ty: &Type) {
        let ty = self.resolve(ty);
        ty.each_param(&mut |id| {
            let slot = id.0.checked_sub(FLEXIBLE).and_then(|index| self.types.get_mut(index as usize));
            slot.into_iter().for_each(|slot| *slot = TypeSlot::Bound(ERROR));
        });
        ty.each_size(&mut |size| self.bind_size_to_error(size));
    }

    fn bind_size_to_error(&mut self, size: &Size) {
        size.any(&mut |id| {
            let slot = id.0.checked_sub(FLEXIBLE).and_then(|index| self.sizes.get_mut(index as usize));
            slot.into_iter().for_each(|slot| *slot = SizeSlot::Bound(ERROR_SIZE));
            false
        });
    }

    /// Unifies two function types; `a` is the expected one. Where the result of `a` has an existential size, the
    /// result of `b` may have any size, even one that depends on the argument.
    fn unify_functions(&mut self, a: &FunctionType, b: &FunctionType) -> Result<()> {
        match (&a.from, &b.from) {
            (Type::Function(_), Type::Function(_)) => self.unify(&b.from, &a.from)?,
            _ => self.unify(&a.from, &b.from)?,
        }
        if !b.consumes.is_within(&a.consumes, &a.from) {
            return Err(Mismatch::Consumes(Box::new([a.clone(), b.clone()])));
        }
        let to_b = match (a.name, b.name) {
            (Some(name_a), Some(name_b)) => Cow::Owned(b.to.with_size(name_b, &Size::Var(name_a))),
            _ => Cow::Borrowed(&b.to),
        };
        let depth = self.enter_scope(a.name.or(b.name).into_iter().chain(b.exists.iter().copied()));
        let any: Vec<Size> = a.exists.iter().map(|_| self.fresh_inner_size()).collect();
        let to_a = match any.is_empty() {
            true => Cow::Borrowed(&a.to),
            false => Cow::Owned(a.to.with_sizes(&a.exists, &any)),
        };
        let result = self.unify(&to_a, &to_b);
        self.leave_scope(depth);
        result.map_err(|mismatch| match &mismatch {
            Mismatch::Sizes(x, y) if b.exists.iter().any(|&id| [x, y].contains(&&Size::Var(id))) => {
                Mismatch::Escape
            }
            _ => mismatch,
        })
    }

    /// Adds names that are bound by the function types being unified. Returns the number of bound names before, for
    /// [`Self::leave_scope`].
    pub(crate) fn enter_scope(&mut self, names: impl Iterator<Item = ValueId>) -> usize {
        let depth = self.bound.len();
        self.bound.extend(names);
        depth
    }

    /// Removes the bound names after the first `depth`.
    pub(crate) fn leave_scope(&mut self, depth: usize) {
        self.bound.truncate(depth);
    }

    /// A flexible size that may be bound to a size that mentions names bound by the function types being unified.
    pub(crate) fn fresh_inner_size(&mut self) -> Size {
        let size = Size::Var(ValueId(self.next_size()));
        let span = Span::new(ravel_base::FileId(0), 0, 0);
        self.sizes.push(SizeSlot::Free { level: u32::MAX, span, role: SizeRole::Existential });
        size
    }

    /// Unifies two sizes.
    pub(crate) fn unify_size(&mut self, a: &Size, b: &Size) -> Result<()> {
        let (a, b) = (self.size(a), self.size(b));
        match (&a, &b) {
            _ if a == b => Ok(()),
            (wrong, other) | (other, wrong) if *wrong == ERROR_SIZE => {
                self.bind_size_to_error(other);
                Ok(())
            }
            (Size::Var(x), Size::Var(y)) if x.0 >= FLEXIBLE && y.0 >= FLEXIBLE => {
                let (older, newer) = if x < y { (*x, *y) } else { (*y, *x) };
                self.bind_size(newer, &Size::Var(older))
            }
            (Size::Var(id), other) | (other, Size::Var(id)) if id.0 >= FLEXIBLE => self.bind_size(*id, other),
            (Size::Binary(op_a, a1, a2), Size::Binary(op_b, b1, b2)) if op_a == op_b => {
                let both = self.unify_size(a1, b1).and_then(|()| self.unify_size(a2, b2));
                both.map_err(|mismatch| whole(mismatch, &a, &b))
            }
            (Size::Call(f, args_a), Size::Call(g, args_b)) if f == g => args_a
                .iter()
                .zip(args_b)
                .try_for_each(|(a, b)| self.unify_size(a, b))
                .map_err(|mismatch| whole(mismatch, &a, &b)),
            _ => Err(Mismatch::Sizes(a, b)),
        }
    }

    fn bind_size(&mut self, id: ValueId, size: &Size) -> Result<()> {
        let index = (id.0 - FLEXIBLE) as usize;
        let level = match &self.sizes[index] {
            SizeSlot::Free { level, .. } => *level,
            SizeSlot::Bound(_) => 0,
        };
        if size.any(&mut |var| var == id) {
            return Err(Mismatch::Sizes(Size::Var(id), size.clone()));
        }
        if level != u32::MAX {
            self.check_bound(size)?;
        }
        self.lower_levels(size, level);
        self.sizes[index] = SizeSlot::Bound(size.clone());
        Ok(())
    }

    fn lower_levels(&mut self, size: &Size, limit: u32) {
        size.any(&mut |var| {
            let slot = var.0.checked_sub(FLEXIBLE).and_then(|index| self.sizes.get_mut(index as usize));
            if let Some(SizeSlot::Free { level, .. }) = slot {
                *level = (*level).min(limit);
            }
            false
        });
    }

    fn check_bound(&self, size: &Size) -> Result<()> {
        if size.any(&mut |var| self.bound.contains(&var)) { Err(Mismatch::Escape) } else { Ok(()) }
    }

    /// Binds a flexible type to a type that satisfies its constraints.
    fn bind(&mut self, id: TypeParamId, ty: Type) -> Result<Type> {
        // Of two flexible types, bind the newer one to the older one.
        if let Type::Param(other) = ty
            && other.0 >= FLEXIBLE
            && id < other
        {
            return self.bind(other, Type::Param(id));
        }
        let ty = self.resolve(&ty);
        let mut occurs = false;
        ty.each_param(&mut |param| occurs |= param == id);
        if occurs {
            return Err(Mismatch::Infinite);
        }
        let index = (id.0 - FLEXIBLE) as usize;
        let TypeSlot::Free(constraints) = &self.types[index] else { return Ok(ty) };
        let constraints = constraints.clone();
        self.check_parts(id, &constraints, &ty)?;
        self.restrict(&ty, constraints.class)?;
        let mut sizes = Vec::new();
        ty.each_size(&mut |size| sizes.push(size.clone()));
        for size in &sizes {
            self.check_bound(size)?;
            self.lower_levels(size, constraints.level);
        }
        let mut outside = None;
        ty.each_param(&mut |param| {
            self.lower_level(param, constraints.level);
            let inner =
                self.local_params.iter().find(|(local, level)| *local == param && *level > constraints.level);
            outside = outside.or(inner.map(|(local, _)| *local));
        });
        if let Some(param) = outside {
            return Err(Mismatch::Scope(param));
        }
        self.types[index] = TypeSlot::Bound(ty.clone());
        for (field, part, span) in constraints.fields {
            self.project(&ty, field, &part, span)?;
        }
        for (constructor, payload, span) in constraints.constructors {
            self.construct(&ty, constructor, &payload, span)?;
        }
        Ok(ty)
    }
}

/// Reports a mismatch of parts of two sizes as a mismatch of the whole sizes.
fn whole(mismatch: Mismatch, a: &Size, b: &Size) -> Mismatch {
    match mismatch {
        Mismatch::Sizes(..) => Mismatch::Sizes(a.clone(), b.clone()),
        other => other,
    }
}
