//! `let`.

use ravel_base::{Code, Diagnostic, Section, Span};
use ravel_prim::PrimType;
use ravel_syntax::ast;

use crate::checker::{Checker, exp};
use crate::exp::Tail;
use crate::pattern::Group;
use crate::tast::{Exp, ExpNode, PatternNode, Size, Type, ValueId};
use crate::type_dec::constructive_sizes;

impl Checker<'_> {
    /// `let [n] p = e in b`. In the type of the whole expression, a size that mentions a name bound here becomes
    /// existential. Only if `p` is a single name of type i64, `e` is substituted for the name instead.
    pub(crate) fn let_value(
        &mut self,
        sizes: &[ast::Name],
        pattern: &ast::Pattern,
        value: &ast::Exp,
        body: Tail<'_>,
        span: Span,
    ) -> Exp {
        let first_size = self.unifier.next_size();
        // Size binders are not in scope yet where the value is checked.
        let written = match &pattern.node {
            ast::PatternNode::Ascribed(_, ty) if sizes.is_empty() => Some(self.type_exp(ty)),
            _ => None,
        };
        self.expected = written.as_ref().map(|written| written.ty.clone());
        let mut value = self.exp(value);
        let scope = self.scopes.mark();
        let first = self.free.value;
        let binders: Vec<ValueId> = sizes.iter().map(|name| self.bind_size(name.node)).collect();
        self.distinct_names(sizes.iter());
        let binders = Group::with_binders(binders.into_iter());
        let mut group = binders.with_names(sizes.iter()).with_written_type(written);
        let pattern = self.pattern(pattern, &value.ty, &mut group);
        self.complete_pattern(&mut group);
        let constructive = constructive_sizes(&self.unifier.resolve(&pattern.ty));
        let last = self.free.value;
        let mut found = Vec::new();
        for (name, (id, size)) in sizes.iter().zip(group.binders) {
            match size {
                Some(size) => found.push((id, size)),
                None => {
                    let error = |message: String| Diagnostic::error(Code::UnboundSize, name.span, message);
                    let name = name.node;
                    self.diagnostics.push(if constructive.contains(&id) {
                        error(format!("Size `{name}` cannot be inferred"))
                            .note(format!("Ambiguous size `{name}`"))
                            .help("add a type annotation to the value")
                            .section(Section::AmbiguousSize)
                    } else if pattern.ty.mentions(id) {
                        error(format!("Size [{name}] is not the size of any array in the pattern"))
                            .note(format!(
                                "Cannot bind [{name}] as it is never used as the size of a concrete (non-function) value"
                            ))
                            .help("remove it, or bind an array of this size together with the function")
                    } else {
                        error(format!("Size [{name}] unused in pattern"))
                            .help("use it as a size in the pattern's type, or remove it")
                            .section(Section::UnusedSize)
                    });
                }
            }
        }
        let of_functions = self.note_function_names(&pattern, &value, first_size);
        let body = self.tail(body);
        for id in of_functions {
            let settled = self.unifier.unify_size(&Size::Var(id), &Size::Const(0));
            debug_assert!(settled.is_ok(), "a free size takes any other");
        }
        self.scopes.leave(scope);
        let mut exists = Vec::new();
        let mut ty = self.unifier.resolve(&body.ty);
        if let PatternNode::Name(id, _) = pattern.node
            && ty.mentions(id)
            && self.unifier.head(&pattern.ty) == Type::Prim(PrimType::I64)
            && let Some(size) = self.size_of_exp(&value)
        {
            self.compute_as(&mut value, &size);
            ty = ty.with_size(id, &size);
        }
        let ty = self.leave_scope(&ty, &mut exists, &|id| (first..last).contains(&id.0));
        for &id in &exists {
            self.origins.insert(id, span);
        }
        let node = ExpNode::Let { sizes: found, pattern, value: Box::new(value), body: Box::new(body) };
        Exp { exists, ..exp(node, ty, span) }
    }
}
