//! `if` and `match`. If a size differs between the branches, it is existential in the result. An open size of one
//! branch counts as different: it is not unified with the size of another branch.
//!
//! An array in the payload of another constructor than the value's is absent, so its size may be any size. In
//! `if c then #none else #some xs`, it is the size of `xs`. If that size is hidden in its branch, because it is
//! existential there or bound by the pattern of a case, the absent array has size 0. The size is not hidden if the branch
//! is just `#some (filter p xs)`; as in the reference, the absent size is then needed before it is known.
//!
//! There are two exceptions. In both the branch decides what the open size is.
//!
//! - Inside `loop w = a … do … if c then w else a …`, the size of `w` is open, but it begins as the size of `a`. So it is
//!   invariant.
//! - In `map (\xs -> if c then map f xs else a) xss`, the size of `xs` is open until `xss` is checked. It is the size of
//!   `a`, because all results of a mapped function have one size.
//!
//! The decision can be wrong: in `(if c then w else a) ++ b` the result of an iteration has another size. Then there is an
//! error. The definition is checked again, and no branch decides about a loop that contained an error, or about lambdas.

use ravel_base::Span;
use ravel_prim::PrimType;
use ravel_syntax::ast::{self, ExpNode as Ast};

use crate::checker::Checker;
use crate::class::Class;
use crate::exp::{LoopSize, Tail};
use crate::pattern::Group;
use crate::report::Context;
use crate::tast::{Exp, ExpNode, Pattern, Size, Type, ValueId};
use crate::unify::{ERROR_SIZE, FLEXIBLE, Mismatch, Unifier};

/// The decisions of a definition's branches about open sizes.
#[derive(Debug, Default)]
pub(crate) struct BranchDecisions {
    /// Whether there is one.
    pub(crate) any: bool,
    /// The places of errors in an earlier check of the definition.
    pub(crate) errors: Vec<Span>,
}

/// A lambda that is being checked as an argument, all of whose results must have one size.
pub(crate) struct LambdaArgument {
    /// The first id bound by the lambda.
    pub(crate) first: u32,
    /// The first flexible size in the lambda.
    pub(crate) first_size: u32,
    /// The places of the branches whose value is the result of the lambda.
    pub(crate) results: Vec<Span>,
}

/// Adds the places of the branches whose value is the value of the expression.
pub(crate) fn result_branches(exp: &ast::Exp, places: &mut Vec<Span>) {
    match &exp.node {
        Ast::Let { body, .. } | Ast::LetUpdate { body, .. } | Ast::LetFunction { body, .. } => {
            result_branches(body, places);
        }
        Ast::If(_, then, otherwise) => {
            places.push(exp.span);
            result_branches(then, places);
            result_branches(otherwise, places);
        }
        Ast::Match(_, cases) => {
            places.push(exp.span);
            cases.iter().for_each(|(_, body)| result_branches(body, places));
        }
        _ => {}
    }
}

impl Checker<'_> {
    /// `if c then a else b`.
    pub(crate) fn branch(
        &mut self,
        condition: &ast::Exp,
        [then, otherwise]: [Tail<'_>; 2],
        span: Span,
    ) -> Exp {
        let condition = self.expect(condition, &Type::Prim(PrimType::Bool), Context::Condition);
        let first = self.free.value;
        let then = self.tail(then);
        self.restrict(&then, Class::FIRST_ORDER, Context::Branch);
        let otherwise = self.tail(otherwise);
        let hidden =
            [&then, &otherwise].into_iter().flat_map(|branch| branch.exists.iter().copied()).collect();
        let branches = Branches { first, hidden, context: Context::Branch };
        let Some((ty, exists)) = self.join_branches(branches, [&then, &otherwise], span) else {
            return self.broken(span);
        };
        let node = ExpNode::If(Box::new(condition), Box::new(then), Box::new(otherwise));
        Exp { node, ty, exists, span }
    }

    /// `match e case p -> a …`.
    pub(crate) fn match_exp(
        &mut self,
        subject: &ast::Exp,
        written: &[(ast::Pattern, ast::Exp)],
        expected: Option<Type>,
        span: Span,
    ) -> Exp {
        let subject = self.exp(subject);
        let first = self.free.value;
        let mut cases: Vec<(Pattern, Exp)> = Vec::new();
        for (pattern, body) in written {
            let scope = self.scopes.mark();
            let pattern = self.pattern(pattern, &subject.ty, &mut Group::default());
            let body = self.tail(Tail { exp: body, expected: expected.clone() });
            self.scopes.leave(scope);
            if cases.is_empty() {
                self.restrict(&body, Class::FIRST_ORDER, Context::Case);
            }
            cases.push((pattern, body));
        }
        let mut hidden: Vec<ValueId> = Vec::new();
        for (pattern, body) in &cases {
            pattern.each_name(&mut |id| hidden.push(id));
            hidden.extend(&body.exists);
        }
        let branches = Branches { first, hidden, context: Context::Case };
        let bodies = cases.iter().map(|(_, body)| body);
        let Some((ty, exists)) = self.join_branches(branches, bodies, span) else {
            return self.broken(span);
        };
        Exp { node: ExpNode::Match(Box::new(subject), cases), ty, exists, span }
    }

    /// The common type of the branches, and its existential sizes.
    fn join_branches<'e>(
        &mut self,
        Branches { first, mut hidden, context }: Branches,
        branches: impl IntoIterator<Item = &'e Exp>,
        span: Span,
    ) -> Option<(Type, Vec<ValueId>)> {
        let last = self.free.value;
        let mut branches = branches.into_iter();
        let mut ty = branches.next()?.ty.clone();
        let mut differing: Vec<(Size, Size, ValueId)> = Vec::new();
        for branch in branches {
            let next = &mut self.free.value;
            let decisions = &mut self.branch_decisions;
            let open = OpenSizes {
                loops: &self.loop_sizes,
                lambda: self
                    .lambda_arguments
                    .last()
                    .filter(|lambda| lambda.results.contains(&span) && decisions.errors.is_empty()),
                errors: &decisions.errors,
            };
            let joined = self.unifier.join(&ty, &branch.ty, &mut |unifier, a, b| {
                let (a, b) = (unifier.size(a), unifier.size(b));
                if a == b || [&a, &b].contains(&&ERROR_SIZE) {
                    return unifier.unify_size(&a, &b).map(|()| a);
                }
                let absent = [(&a, &b), (&b, &a)].into_iter().find(|(absent, _)| unifier.is_absent(absent));
                if let Some((absent, other)) = absent {
                    let is_hidden = other.any(&mut |id| hidden.contains(&id));
                    let size = if is_hidden { &Size::Const(0) } else { other };
                    unifier.unify_size(absent, size)?;
                    if !is_hidden {
                        return Ok(other.clone());
                    }
                }
                if (open.have_one_start(unifier, [&a, &b]) || open.are_of_lambda(unifier, [&a, &b]))
                    && unifier.unify_size(&a, &b).is_ok()
                {
                    decisions.any = true;
                    return Ok(a);
                }
                if let Some((.., id)) = differing.iter().find(|(c, d, _)| *c == a && *d == b) {
                    return Ok(Size::Var(*id));
                }
                let id = ValueId(*next);
                *next += 1;
                hidden.push(id);
                differing.push((a, b, id));
                Ok(Size::Var(id))
            });
            ty = match joined {
                Ok(joined) => joined,
                Err(mismatch) => {
                    self.report(branch.span, &ty, &branch.ty, &mismatch, context);
                    if matches!(mismatch, Mismatch::Sizes(..))
                        && self.unifier.has_open_sum(&ty)
                        && let Some(diagnostic) = self.diagnostics.last_mut()
                    {
                        let help =
                            "write the type of the result: only of a known sum type may the sizes differ";
                        diagnostic.help = Some(help.to_owned());
                    }
                    return None;
                }
            };
        }
        let mut exists = Vec::new();
        let ty = self.leave_scope(&ty, &mut exists, &|id| (first..last).contains(&id.0));
        exists.extend(differing.into_iter().map(|(.., id)| id).filter(|&id| ty.mentions(id)));
        for &id in &exists {
            self.origins.insert(id, span);
        }
        Some((ty, exists))
    }
}

/// What the branches of an `if` or `match` have in common.
struct Branches {
    /// Ids from this one on belong to the branches.
    first: u32,
    /// The existential sizes of the branches, and the names that their patterns bind.
    hidden: Vec<ValueId>,
    context: Context,
}

/// The sizes about which a branch may decide.
struct OpenSizes<'a> {
    loops: &'a [LoopSize],
    lambda: Option<&'a LambdaArgument>,
    /// No branch decides about a loop that contains one of these.
    errors: &'a [Span],
}

impl OpenSizes<'_> {
    /// Whether two sizes are equal when the loops around begin.
    fn have_one_start(&self, unifier: &Unifier, sizes: [&Size; 2]) -> bool {
        let [a, b] = sizes.map(|size| self.start(unifier, self.loops, size));
        a == b
    }

    /// The size with the open sizes of these loops replaced by the sizes that they begin with.
    fn start(&self, unifier: &Unifier, loops: &[LoopSize], size: &Size) -> Size {
        unifier.size(size).map(&mut |id| {
            let at = loops.iter().position(|open| unifier.size(&open.var) == Size::Var(id))?;
            let LoopSize { init, of, .. } = &loops[at];
            if self.errors.iter().any(|error| of.holds(*error)) {
                return None;
            }
            // An initial size mentions only sizes of the loops around.
            Some(self.start(unifier, &loops[..at], init))
        })
    }

    /// Whether one of two sizes is an open size of the lambda, and the other one is known outside it or open too.
    fn are_of_lambda(&self, unifier: &Unifier, [a, b]: [&Size; 2]) -> bool {
        let Some(lambda) = self.lambda else { return false };
        let is_open = |size: &Size| match size {
            Size::Var(id) => {
                id.0 >= lambda.first_size
                    && unifier.free_size(*id).is_some()
                    && self.loops.iter().all(|open| unifier.size(&open.var) != *size)
            }
            _ => false,
        };
        let is_outside = |size: &Size| !size.any(&mut |id| (lambda.first..FLEXIBLE).contains(&id.0));
        match (a, b) {
            // The newer one is bound.
            (Size::Var(x), Size::Var(y)) if x.0 >= FLEXIBLE && y.0 >= FLEXIBLE => {
                is_open(if x < y { b } else { a })
            }
            _ => is_open(a) && is_outside(b) || is_open(b) && is_outside(a),
        }
    }
}
