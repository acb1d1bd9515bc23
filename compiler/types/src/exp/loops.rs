//! Loops: loop-invariant and loop-variant sizes.
//!
//! The merge parameters get the type of their initial values, with a flexible size for every dimension. If the check of
//! the body binds such a size, the initial value must have it too.
//!
//! The sizes that are still open are first assumed to be invariant, that is, equal to their initial sizes. If the size
//! of the body's result contradicts this, the size is variant, and becomes one of [`Loop::sizes`]. Then the others are
//! compared again, until a fixpoint. But if the size of the result is itself undecided, it is unified with the initial size.
//! An undecided initial size is unified with the size of the result only if that is known outside the loop.

use ravel_base::{Code, Diagnostic, Span, Symbol};
use ravel_prim::PrimType;
use ravel_syntax::ast;

use crate::checker::{Checker, array};
use crate::class::Class;
use crate::desugar;
use crate::pattern::Group;
use crate::report::Context;
use crate::tast::{Exp, ExpNode, Loop, LoopForm, Pattern, PatternNode, Size, Type, TypeArg, ValueId};
use crate::unify::{FLEXIBLE, Mismatch};

/// The syntax of a loop.
pub(crate) struct LoopSyntax<'a> {
    pub(crate) sizes: &'a [ast::Name],
    pub(crate) pattern: &'a ast::Pattern,
    pub(crate) init: Option<&'a ast::Exp>,
    pub(crate) form: &'a ast::LoopForm,
    pub(crate) body: &'a ast::Exp,
}

/// A size of a merge parameter of a loop that is being checked.
pub(crate) struct LoopSize {
    /// The size within an iteration.
    pub(crate) var: Size,
    /// The size in the initial value.
    pub(crate) init: Size,
    /// The loop.
    pub(crate) of: Span,
}

/// A dimension of a merge parameter.
struct Dimension {
    /// The size within an iteration.
    var: Size,
    /// The size in the initial value.
    init: Size,
    /// The size in the result of an iteration.
    next: Size,
}

impl Checker<'_> {
    /// `loop p = e for … do b`.
    pub(crate) fn loop_exp(&mut self, written: LoopSyntax<'_>, span: Span) -> Exp {
        let mut init = match (written.init, desugar::pattern_value(written.pattern)) {
            (Some(init), _) => self.exp(init),
            (None, Some(init)) => self.exp(&init),
            (None, None) => {
                let message = "The loop has no first value";
                let error = Diagnostic::error(Code::UnexpectedToken, written.pattern.span, message)
                    .note(format!(
                        "Cannot have {} here: the loop's pattern cannot be read as its first value",
                        desugar::no_value(written.pattern)
                    ))
                    .help("write the first value: `loop p = …`");
                self.diagnostics.push(error);
                self.broken(written.pattern.span)
            }
        };
        self.restrict(&init, Class::FIRST_ORDER, Context::LoopInit);
        let scope = self.scopes.mark();
        let first = self.free.value;
        let (ty, mut dimensions) = self.open_sizes(&init.ty, span);
        let around = self.loop_sizes.len();
        self.loop_sizes.extend(dimensions.iter().map(|dimension| LoopSize {
            var: dimension.var.clone(),
            init: dimension.init.clone(),
            of: span,
        }));
        // A bound is evaluated before the loop, a condition in every iteration.
        let (form, pattern, [consumed, unmarked], binders) = self.loop_form(&written, &ty);
        let mut body = self.exp(written.body);
        self.scopes.leave(scope);

        let next = self.unifier.join(&ty, &body.ty, &mut |unifier, var, next| {
            match dimensions.iter_mut().find(|dimension| dimension.var == *var) {
                Some(dimension) => dimension.next = next.clone(),
                // The type was open when the loop began: its sizes are invariant.
                None => unifier.unify_size(var, next)?,
            }
            Ok(var.clone())
        });
        if let Err(mismatch) = next {
            self.loop_sizes.truncate(around);
            self.report(body.span, &ty, &body.ty, &mismatch, Context::LoopBody);
            return self.broken(span);
        }
        let own = self.own_sizes(&pattern, &dimensions);
        let own =
            [&mut init, &mut body].map(|value| self.sizes_of_names(&own, &pattern, value, &mut Vec::new()));
        let settled = self.settle_sizes(dimensions, &binders, &own, first);
        self.loop_sizes.truncate(around);
        let sizes = match settled {
            Ok(sizes) => sizes,
            Err((mismatch, at_start)) => {
                let (at, context) =
                    if at_start { (&init, Context::LoopInit) } else { (&body, Context::LoopBody) };
                let (at, actual) = (at.span, at.ty.clone());
                self.report(at, &ty, &actual, &mismatch, context);
                return self.broken(span);
            }
        };
        let last = self.free.value;
        let mut exists = Vec::new();
        let ty = self.leave_scope(&ty, &mut exists, &|id| (first..last).contains(&id.0));
        for &id in &exists {
            self.origins.insert(id, span);
            self.loop_results.insert(id);
        }
        let node = ExpNode::Loop(Box::new(Loop { sizes, pattern, consumed, unmarked, init, form, body }));
        Exp { node, ty, exists, span }
    }

    /// Checks the header. Returns the form, the pattern of the merge parameters, the parameters marked with `*` and
    /// those whose type is written without `*`, and the size binders.
    fn loop_form(
        &mut self,
        written: &LoopSyntax<'_>,
        ty: &Type,
    ) -> (LoopForm, Pattern, [Vec<ValueId>; 2], Vec<ValueId>) {
        let mut group = Group::default();
        let bound = match written.form {
            ast::LoopForm::For(_, bound) => {
                let bound = self.exp(bound);
                self.restrict(&bound, Class::SIGNED, Context::Bound);
                Some(bound)
            }
            ast::LoopForm::ForIn(_, sequence) => Some(self.exp(sequence)),
            ast::LoopForm::While(_) => None,
        };
        self.distinct_names(written.sizes.iter());
        let binders: Vec<ValueId> = written.sizes.iter().map(|name| self.bind_size(name.node)).collect();
        let pattern = self.pattern(written.pattern, ty, &mut group);
        let consumed = std::mem::take(&mut group.consumed);
        let mut unmarked = std::mem::take(&mut group.typed);
        unmarked.retain(|id| !consumed.contains(id));
        let form = match (written.form, bound) {
            (ast::LoopForm::For(name, _), Some(bound)) => {
                LoopForm::For(self.bind(name.node, bound.ty.clone()), name.node, bound)
            }
            (ast::LoopForm::ForIn(pattern, _), Some(sequence)) => {
                let row = self.fresh_type(sequence.span);
                let size = self.unifier.fresh_size(sequence.span);
                self.unify(sequence.span, &array(row.clone(), size), &sequence.ty, Context::Sequence);
                LoopForm::ForIn(self.pattern(pattern, &row, &mut group), sequence)
            }
            (ast::LoopForm::While(condition), _) => {
                LoopForm::While(self.expect(condition, &Type::Prim(PrimType::Bool), Context::Condition))
            }
            (_, None) => LoopForm::While(self.broken(written.pattern.span)),
        };
        (form, pattern, [consumed, unmarked], binders)
    }

    /// The type with a flexible size for every dimension.
    fn open_sizes(&mut self, ty: &Type, span: Span) -> (Type, Vec<Dimension>) {
        let ty = self.unifier.resolve(ty);
        let mut dimensions = Vec::new();
        let open = self.open(&ty, span, &mut dimensions);
        (open, dimensions)
    }

    fn open(&mut self, ty: &Type, span: Span, dimensions: &mut Vec<Dimension>) -> Type {
        match ty {
            Type::Array(row, size) => {
                let var = self.unifier.fresh_size(span);
                dimensions.push(Dimension { var: var.clone(), init: size.clone(), next: var.clone() });
                array(self.open(row, span, dimensions), var)
            }
            Type::Abstract(named) => {
                let args = named.args.iter().map(|arg| match arg {
                    TypeArg::Size(size) => {
                        let var = self.unifier.fresh_size(span);
                        dimensions.push(Dimension {
                            var: var.clone(),
                            init: size.clone(),
                            next: var.clone(),
                        });
                        TypeArg::Size(var)
                    }
                    TypeArg::Type(ty) => TypeArg::Type(self.open(ty, span, dimensions)),
                });
                named.with_args(args.collect())
            }
            _ => ty.map_parts(&mut |part| self.open(part, span, dimensions)),
        }
    }

    /// The names that the pattern both binds and uses as sizes: `m` in `(m, xs: [m]t)`.
    fn own_sizes(&self, pattern: &Pattern, dimensions: &[Dimension]) -> Vec<ValueId> {
        let sizes: Vec<Size> = dimensions.iter().map(|dimension| self.unifier.size(&dimension.var)).collect();
        let mut own = Vec::new();
        pattern.each_name(&mut |id| own.extend(sizes.contains(&Size::Var(id)).then_some(id)));
        own
    }

    /// The sizes that equal the values of these names of a pattern. They can be found only if the value is a tuple
    /// expression, perhaps in the body of a `let`, or in all branches of an `if` or `match`. `lets` has the names that are
    /// bound around the value, each with its own value.
    fn sizes_of_names<'e>(
        &mut self,
        names: &[ValueId],
        pattern: &Pattern,
        value: &'e mut Exp,
        lets: &mut Vec<(ValueId, &'e mut Exp)>,
    ) -> Vec<(ValueId, Size)> {
        if names.is_empty() {
            return Vec::new();
        }
        if let PatternNode::Name(id, _) = &pattern.node {
            if !names.contains(id) {
                return Vec::new();
            }
            let sizes = self.sizes_of_value(value);
            let all = sizes.into_iter().flat_map(|size| self.without_lets(size, lets));
            return all.map(|size| (*id, size)).collect();
        }
        let Exp { node, ty, .. } = value;
        match (&pattern.node, node) {
            (_, ExpNode::Let { pattern: bound, value, body, .. }) => {
                let depth = lets.len();
                if let PatternNode::Name(local, _) = bound.node {
                    lets.push((local, value));
                }
                let inside = body.ty.clone();
                let inner = self.sizes_of_names(names, pattern, body, lets);
                lets.truncate(depth);
                self.sizes_outside(inner, &inside, ty)
            }
            (_, ExpNode::LetFunction { body, .. }) => {
                let inside = body.ty.clone();
                let inner = self.sizes_of_names(names, pattern, body, lets);
                self.sizes_outside(inner, &inside, ty)
            }
            (_, ExpNode::If(_, then, otherwise)) => {
                self.sizes_in_branches(names, pattern, [&mut **then, otherwise], ty, lets)
            }
            (_, ExpNode::Match(_, cases)) => {
                let bodies = cases.iter_mut().map(|(_, body)| body);
                self.sizes_in_branches(names, pattern, bodies, ty, lets)
            }
            (PatternNode::Tuple(patterns), ExpNode::Tuple(values)) => {
                let pairs = patterns.iter().zip(values);
                pairs.flat_map(|(pattern, value)| self.sizes_of_names(names, pattern, value, lets)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The sizes that equal this value: the expression as a size and, for the length of an array, the size in the array's
    /// type.
    fn sizes_of_value(&mut self, value: &mut Exp) -> Vec<Size> {
        let length = self.size_of_length(value);
        let size = self.size_of_exp(value);
        if let Some(size) = &size {
            self.compute_as(value, size);
        }
        length.into_iter().chain(size).collect()
    }

    /// The size in the type of `xs`, if the value is `length xs`.
    fn size_of_length(&self, value: &Exp) -> Option<Size> {
        let ExpNode::Apply(function, arguments) = &value.node else { return None };
        let (ExpNode::Var { id, .. }, [array]) = (&function.node, &arguments[..]) else { return None };
        let length = self.env.root.values.get(&Symbol::new("length"))?;
        match self.unifier.head(&array.ty) {
            Type::Array(_, size) if *id == length.id => Some(size),
            _ => None,
        }
    }

    /// The size, and the sizes that it becomes if values replace the names of these lets, from the inside out.
    fn without_lets(&mut self, size: Size, lets: &mut [(ValueId, &mut Exp)]) -> Vec<Size> {
        let mut sizes = vec![size];
        for (local, value) in lets.iter_mut().rev() {
            let is_local = |id: ValueId| id == *local;
            let with_local: Vec<Size> =
                sizes.iter().filter(|size| size.any(&mut |id| is_local(id))).cloned().collect();
            if with_local.is_empty() {
                continue;
            }
            for known in self.sizes_of_value(value) {
                let replaced = |size: &Size| size.map(&mut |id| is_local(id).then(|| known.clone()));
                sizes.extend(with_local.iter().map(replaced));
            }
        }
        sizes
    }

    /// The sizes that equal the values of the names in every branch.
    fn sizes_in_branches<'e>(
        &mut self,
        names: &[ValueId],
        pattern: &Pattern,
        branches: impl IntoIterator<Item = &'e mut Exp>,
        whole: &Type,
        lets: &mut Vec<(ValueId, &'e mut Exp)>,
    ) -> Vec<(ValueId, Size)> {
        let mut common: Option<Vec<(ValueId, Size)>> = None;
        for branch in branches {
            let inside = branch.ty.clone();
            let inner = self.sizes_of_names(names, pattern, branch, lets);
            let outside = self.sizes_outside(inner, &inside, whole);
            match &mut common {
                Some(common) => common.retain(|known| outside.contains(known)),
                None => common = Some(outside),
            }
        }
        common.unwrap_or_default()
    }

    /// The sizes of names as an expression shows them whose value is that of an inner expression. In its type, another
    /// size may stand for a size in the type of the inner expression: names bound inside are out of scope, and the sizes of
    /// other branches may differ.
    fn sizes_outside(&self, inner: Vec<(ValueId, Size)>, ty: &Type, whole: &Type) -> Vec<(ValueId, Size)> {
        let [inside, outside] = [ty, whole].map(|ty| {
            let mut sizes = Vec::new();
            self.unifier.resolve(ty).each_size(&mut |size| sizes.push(size.clone()));
            sizes
        });
        debug_assert_eq!(inside.len(), outside.len(), "the types differ only in their sizes");
        let renamed = |(name, size): &(ValueId, Size)| {
            let (name, size) = (*name, self.unifier.size(size));
            let pairs = inside.iter().zip(&outside);
            let renamed = pairs.filter(move |(known, _)| **known == size);
            renamed.map(move |(_, outside)| (name, outside.clone())).collect::<Vec<_>>()
        };
        let renamed: Vec<(ValueId, Size)> = inner.iter().flat_map(renamed).collect();
        let mut known = inner;
        known.extend(renamed);
        known
    }

    /// Binds all open sizes, and returns the variant ones. `own` has the numbers that the names in [`Self::own_sizes`]
    /// are bound to: by the initial value, and by the result of an iteration. An error is about the initial value
    /// (true) or the result of an iteration (false).
    fn settle_sizes(
        &mut self,
        dimensions: Vec<Dimension>,
        binders: &[ValueId],
        own: &[Vec<(ValueId, Size)>; 2],
        first: u32,
    ) -> Result<Vec<(ValueId, Size)>, (Mismatch, bool)> {
        let mut sizes: Vec<(ValueId, Size)> = Vec::new();
        let mut groups: Vec<EqualDimensions> = Vec::new();
        for dimension in dimensions {
            let var = self.unifier.size(&dimension.var);
            match groups.iter_mut().find(|group| group.var == var) {
                Some(group) => {
                    self.unifier
                        .unify_size(&group.init, &dimension.init)
                        .map_err(|mismatch| (mismatch, true))?;
                    group.next.push(dimension.next);
                }
                None => groups.push(EqualDimensions {
                    var,
                    init: dimension.init,
                    next: vec![dimension.next],
                    is_variant: false,
                }),
            }
        }
        let (open, decided): (Vec<_>, Vec<_>) =
            groups.into_iter().partition(|group| matches!(group.var, Size::Var(id) if id.0 >= FLEXIBLE));
        for group in decided {
            match group.var {
                Size::Var(id) if binders.contains(&id) => {
                    self.unify_all(&group.next)?;
                    sizes.push((id, group.init));
                }
                var => {
                    let [at_start, later] = own.each_ref().map(|sizes| {
                        let own = sizes.iter().filter(|(id, _)| Size::Var(*id) == var);
                        own.map(|(_, size)| size).collect::<Vec<_>>()
                    });
                    self.unify_with_one(&at_start, &var, &group.init).map_err(|mismatch| (mismatch, true))?;
                    for next in &group.next {
                        self.unify_with_one(&later, &var, next).map_err(|mismatch| (mismatch, false))?;
                    }
                }
            }
        }
        for group in self.find_variant(open, first) {
            if !group.is_variant {
                self.unifier.unify_size(&group.var, &group.init).map_err(|mismatch| (mismatch, true))?;
                continue;
            }
            // The size changes, so it must not be unified with one of those that it may get next.
            let id = self.fresh_value();
            self.unifier.unify_size(&group.var, &Size::Var(id)).map_err(|mismatch| (mismatch, false))?;
            self.unify_all(&group.next)?;
            sizes.push((id, group.init));
        }
        Ok(sizes)
    }

    /// Unifies a size with that of these equal sizes which it is, or with the last one. Without any, with `var`.
    fn unify_with_one(&mut self, equal: &[&Size], var: &Size, size: &Size) -> Result<(), Mismatch> {
        let resolved = self.unifier.size(size);
        let same = equal.iter().find(|known| self.unifier.size(known) == resolved);
        self.unifier.unify_size(same.or(equal.last()).map_or(var, |known| *known), size)
    }

    fn unify_all(&mut self, sizes: &[Size]) -> Result<(), (Mismatch, bool)> {
        sizes.windows(2).try_for_each(|pair| {
            self.unifier.unify_size(&pair[0], &pair[1]).map_err(|mismatch| (mismatch, false))
        })
    }

    /// Marks the variant sizes, and repeats until all others can be invariant. Ids from `first` on belong to the loop.
    fn find_variant(&mut self, mut groups: Vec<EqualDimensions>, first: u32) -> Vec<EqualDimensions> {
        let open: Vec<Size> = self.loop_sizes.iter().map(|size| self.unifier.size(&size.var)).collect();
        loop {
            let staying: Vec<(Size, Size)> = groups
                .iter()
                .filter(|group| !group.is_variant)
                .map(|group| (group.var.clone(), self.unifier.size(&group.init)))
                .collect();
            let mut found = false;
            for group in groups.iter_mut().filter(|group| !group.is_variant) {
                let init = self.unifier.size(&group.init);
                let presumed = |next: &Size| {
                    self.unifier.size(next).map(&mut |id| {
                        let var = Size::Var(id);
                        staying.iter().find(|(open, _)| *open == var).map(|(_, init)| init.clone())
                    })
                };
                let other = group.next.iter().map(presumed).find(|next| *next != init);
                let Some(other) = other else { continue };
                let undecided = |size: &Size| match size {
                    Size::Var(id) => self.unifier.free_size(*id).is_some() && !open.contains(size),
                    _ => false,
                };
                let outside =
                    !other.any(&mut |id| (first..FLEXIBLE).contains(&id.0) || open.contains(&Size::Var(id)));
                let may_be_one = undecided(&other) || undecided(&init) && outside;
                let decided = may_be_one && self.unifier.unify_size(&init, &other).is_ok();
                group.is_variant = !decided;
                found = true;
            }
            if !found {
                return groups;
            }
        }
    }
}

/// Dimensions that have the same size within each iteration.
struct EqualDimensions {
    var: Size,
    init: Size,
    next: Vec<Size>,
    is_variant: bool,
}
