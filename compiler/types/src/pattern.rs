//! Patterns: bound names and types.

use ravel_base::{Span, Symbol};
use ravel_syntax::ast;

use crate::checker::Checker;
use crate::report::Context;
use crate::tast::{Pattern, PatternNode, Size, Type, ValueId};
use crate::type_exp::DeclaredType;
use crate::unify::{ERROR, FLEXIBLE};
use crate::uniqueness::Uniqueness;

/// A group of patterns bound together: the parameters of a function, or one pattern.
#[derive(Debug, Default)]
pub(crate) struct Group {
    names: Vec<(Symbol, Span)>,
    /// Size binders (`let [n] …`) with the sizes found for them.
    pub(crate) binders: Vec<(ValueId, Option<Size>)>,
    /// Written types that cannot be compared yet, because a size mentions a binder whose size was not found yet, as in
    /// `let [a][b] (_: ([a+b]t, [a]t, [b]t)) = …`. Each comes with the type of its value and where to report a
    /// mismatch.
    incomplete: Vec<(Type, Type, (Span, Context))>,
    /// The parts marked with `*` in the pattern checked last.
    pub(crate) unique: Uniqueness,
    /// The names bound to parts marked with `*`.
    pub(crate) consumed: Vec<ValueId>,
    /// The names whose type is written.
    pub(crate) typed: Vec<ValueId>,
    /// Whether the type of the pattern being checked is written.
    ascribed: bool,
    /// The outermost written type of the next pattern, if it has been checked already.
    written: Option<DeclaredType>,
}

impl Group {
    /// A group with size binders, which must be in scope.
    pub(crate) fn with_binders(binders: impl Iterator<Item = ValueId>) -> Group {
        Group { binders: binders.map(|id| (id, None)).collect(), ..Group::default() }
    }

    /// The group in which exactly these names count as bound already. A pattern that binds one of them again is
    /// reported.
    pub(crate) fn with_names<'e>(self, names: impl Iterator<Item = &'e ast::Name>) -> Group {
        Group { names: names.map(|name| (name.node, name.span)).collect(), ..self }
    }

    /// The group whose first pattern has this type, if it is known: it is the outermost type that the pattern writes.
    pub(crate) fn with_written_type(self, written: Option<DeclaredType>) -> Group {
        Group { written, ..self }
    }

    /// The binders whose sizes are known, and these sizes.
    fn known_binders(&self) -> (Vec<ValueId>, Vec<Size>) {
        self.binders.iter().filter_map(|(id, size)| Some((*id, size.clone()?))).unzip()
    }

    /// The context for reporting a pattern of the wrong type.
    fn context(&self) -> Context {
        if self.ascribed { Context::AscribedPattern } else { Context::Pattern }
    }
}

const FIELDS: &str = "Duplicate fields in record pattern: field";

impl Checker<'_> {
    /// Checks a pattern that takes a value of type `ty`, and binds its names.
    pub(crate) fn pattern(&mut self, pattern: &ast::Pattern, ty: &Type, group: &mut Group) -> Pattern {
        let span = pattern.span;
        group.unique = Uniqueness::None;
        match &pattern.node {
            ast::PatternNode::Name(name) => {
                if let Some((_, first)) = group.names.iter().find(|(bound, _)| bound == name) {
                    let first = *first;
                    self.duplicate_name(*name, span, first);
                }
                group.names.push((*name, span));
                let id = self.bind(*name, ty.clone());
                Pattern { node: PatternNode::Name(id, *name), ty: ty.clone(), span }
            }
            ast::PatternNode::Wildcard => Pattern { node: PatternNode::Wildcard, ty: ty.clone(), span },
            ast::PatternNode::Tuple(parts) => {
                let number = |at: usize| Symbol::new(&at.to_string());
                let parts = parts.iter().enumerate().map(|(at, part)| (number(at), part));
                self.record_pattern(parts.collect(), span, ty, group)
            }
            ast::PatternNode::Record(fields) => {
                if let Some((name, _)) = fields.iter().find(|(name, _)| name.node.as_str().starts_with('_')) {
                    self.hidden_field(name);
                    return Pattern { node: PatternNode::Wildcard, ty: ERROR, span };
                }
                let distinct = self.distinct(fields.iter().map(|(name, _)| name), FIELDS, "");
                let ty = if distinct { ty } else { &ERROR };
                let fields = fields.iter().map(|(name, part)| (name.node, part));
                self.record_pattern(fields.collect(), span, ty, group)
            }
            ast::PatternNode::Constructor(name, payload) => {
                let known = self.unifier.head(ty);
                let types = match known.constructor(*name) {
                    Some((_, parts)) if parts.len() == payload.len() => {
                        known.parts()[parts].iter().map(|&part| part.clone()).collect()
                    }
                    _ => {
                        let types: Vec<Type> =
                            payload.iter().map(|part| self.fresh_type(part.span)).collect();
                        if let Err(mismatch) = self.unifier.construct(&known, *name, &types, span) {
                            self.report(span, &known, &known, &mismatch, group.context());
                        }
                        types
                    }
                };
                let payload = payload.iter().zip(&types).map(|(part, ty)| self.pattern(part, ty, group));
                let payload: Vec<Pattern> = payload.collect();
                group.unique = Uniqueness::None;
                Pattern { node: PatternNode::Constructor(*name, payload), ty: ty.clone(), span }
            }
            ast::PatternNode::Literal(literal) => {
                let known = self.literal_type(literal, span);
                self.unify(span, ty, &known, group.context());
                Pattern { node: PatternNode::Literal(self.literal_number(literal)), ty: known, span }
            }
            ast::PatternNode::Ascribed(inner, written) => {
                let at = (written.span, Context::PatternType(self.quote(span)));
                let written = group.written.take().unwrap_or_else(|| self.type_exp(written));
                let ty = self.ascribe(&written.ty, ty, at, group);
                let outer = std::mem::replace(&mut group.ascribed, true);
                let inner = self.pattern(inner, &ty, group);
                group.ascribed = outer;
                inner.each_name(&mut |id| group.typed.push(id));
                if written.unique.is_any() {
                    inner.each_marked_name(&written.unique, &mut |id| group.consumed.push(id));
                    group.unique = written.unique;
                }
                Pattern { span, ..inner }
            }
            ast::PatternNode::Attributed(attribute, inner) => {
                self.attribute_without_value(attribute);
                self.pattern(inner, ty, group)
            }
        }
    }

    /// A pattern that names all fields of a record, or all components of a tuple.
    fn record_pattern(
        &mut self,
        fields: Vec<(Symbol, &ast::Pattern)>,
        span: Span,
        ty: &Type,
        group: &mut Group,
    ) -> Pattern {
        let unit = Type::Tuple(Vec::new());
        let form = Type::record(fields.iter().map(|(name, _)| (*name, unit.clone())).collect());
        let mut known = self.unifier.head(ty);
        if !known.has_form_of(&form) {
            let open = form.map_parts(&mut |_| self.fresh_type(span));
            self.unify(span, &known, &open, group.context());
            known = open;
        }
        let mut parts = Vec::new();
        for (name, part) in fields {
            let at = known.field(name).expect("unified: the type has the fields of the pattern");
            let part = self.pattern(part, known.parts()[at], group);
            parts.push((at, part, std::mem::take(&mut group.unique)));
        }
        parts.sort_by_key(|(at, ..)| *at);
        let (parts, marks): (Vec<Pattern>, Vec<Uniqueness>) =
            parts.into_iter().map(|(_, part, mark)| (part, mark)).unzip();
        group.unique = Uniqueness::of_parts(parts.iter().map(|part| &part.ty).zip(marks).collect());
        let ty = known.with_parts(parts.iter().map(|part| part.ty.clone()).collect());
        Pattern { node: PatternNode::Tuple(parts), ty, span }
    }

    /// Checks the written sizes that mention binders, now that the whole pattern has been checked.
    pub(crate) fn complete_pattern(&mut self, group: &mut Group) {
        for (written, known, at) in std::mem::take(&mut group.incomplete) {
            self.ascribe(&written, &known, at, group);
        }
        // A type that is still incomplete mentions a binder that is not the whole size of any array: `a` of `[a+b]t`.
        // The value of such a binder is unknown, so it stays a name and differs from every other size.
        let (ids, sizes) = group.known_binders();
        for (written, known, (span, context)) in std::mem::take(&mut group.incomplete) {
            self.unify(span, &written.with_sizes(&ids, &sizes), &known, context);
        }
    }

    /// The written type of a pattern for a value of type `known`. A size binder is bound to the size at its position.
    fn ascribe(
        &mut self,
        written: &Type,
        known: &Type,
        (span, context): (Span, Context),
        group: &mut Group,
    ) -> Type {
        let mut is_incomplete = false;
        let (ids, sizes) = group.known_binders();
        let binders = &mut group.binders;
        if matches!(self.unifier.head(known), Type::Param(id) if id.0 >= FLEXIBLE) {
            // The type of the value is still open, and must not be bound to a type that mentions the binders.
            let ids: Vec<ValueId> = binders.iter().map(|(id, _)| *id).collect();
            let sizes: Vec<Size> = ids.iter().map(|_| self.unifier.fresh_size(span)).collect();
            self.unify(span, &written.with_sizes(&ids, &sizes), known, context);
        }
        // A function type does not determine the size of a binder. So there, binders are replaced by their known sizes
        // first.
        let stated = in_functions(written, &|function| function.with_sizes(&ids, &sizes));
        let joined = self.unifier.join(&stated, known, &mut |unifier, written, known| {
            let open = |var| binders.iter().any(|(id, found)| *id == var && found.is_none());
            let is_open = written.any(&mut |var| open(var));
            match binders.iter_mut().find(|(id, _)| *written == Size::Var(*id)) {
                Some((_, Some(found))) => unifier.unify_size(&found.clone(), known)?,
                Some((_, found)) => *found = Some(known.clone()),
                None if is_open => is_incomplete = true,
                None => {
                    let taken = |id| binders.iter().find(|(binder, _)| *binder == id)?.1.clone();
                    unifier.unify_size(&written.map(&mut |id| taken(id)), known)?;
                }
            }
            Ok(written.clone())
        });
        if is_incomplete {
            group.incomplete.push((written.clone(), known.clone(), (span, context)));
        }
        match joined {
            // Not the joined type: where the size in `known` was still open, it lacks the written name.
            Ok(_) => written.clone(),
            Err(mismatch) => {
                self.report(span, written, known, &mismatch, context);
                ERROR
            }
        }
    }
}

/// The type, with `replace` applied to each function type in it.
fn in_functions(ty: &Type, replace: &dyn Fn(&Type) -> Type) -> Type {
    match ty {
        Type::Function(_) => replace(ty),
        _ => ty.map_parts(&mut |part| in_functions(part, replace)),
    }
}

impl Pattern {
    /// Visits the names that the pattern binds to parts marked with `*`.
    fn each_marked_name(&self, unique: &Uniqueness, visit: &mut dyn FnMut(ValueId)) {
        match (&self.node, unique) {
            (_, Uniqueness::Whole) => self.each_name(visit),
            (PatternNode::Tuple(parts), Uniqueness::Parts(marks)) => {
                parts.iter().zip(marks).for_each(|(part, mark)| part.each_marked_name(mark, visit));
            }
            _ => {}
        }
    }
}
