//! Functions that call themselves.
//!
//! A function of the top level may do so if its type is written in full and its name means nothing
//! else: `def (+) (x: t) (y: t): t = x + y` in a module adds as before and does not run for ever.
//! Then its name stands for that type in its own body, with other sizes and types at every call. A
//! size left open by `[]` is then a parameter like any other. Elsewhere such a size is what the body
//! makes of it; so a function that turns out to call itself is checked once more.

use ravel_base::{Code, Diagnostic, Symbol};
use ravel_syntax::ast::{self, PatternNode, QualName, ValueDec};

use crate::checker::Checker;
use crate::env::Scheme;
use crate::function::{Head, function_type};
use crate::tast::{Size, Type, ValueId};
use crate::type_exp::WrittenResult;

/// The function of the top level that is being checked.
pub(crate) struct Current {
    pub(crate) name: Symbol,
    id: ValueId,
    calls_itself: bool,
    /// Does the type that its calls see differ from the one its body sees in open sizes?
    open: bool,
    /// Are the sizes left open parameters from the start?
    rigid: bool,
}

impl Current {
    pub(crate) fn new(dec: &ValueDec, id: ValueId) -> Current {
        Current { name: dec.name.node, id, calls_itself: false, open: false, rigid: false }
    }
}

/// Are the types of all parameters and of the result written?
fn is_annotated(dec: &ValueDec) -> bool {
    fn typed(pattern: &ast::Pattern) -> bool {
        match &pattern.node {
            PatternNode::Ascribed(..) => true,
            PatternNode::Attributed(_, inner) => typed(inner),
            PatternNode::Tuple(parts) => parts.iter().all(typed),
            PatternNode::Record(fields) => fields.iter().all(|(_, pattern)| typed(pattern)),
            _ => false,
        }
    }
    dec.result.is_some() && !dec.params.is_empty() && dec.params.iter().all(typed)
}

impl Checker<'_> {
    /// May the function that is declared here call itself?
    pub(crate) fn may_call_itself(&self, dec: &ValueDec) -> bool {
        let name = QualName { quals: Vec::new(), name: dec.name.node, span: dec.name.span };
        let is_module = self.find_module_entry(&[name.name]).is_some();
        is_annotated(dec) && self.find(&name).is_none() && !is_module && !self.is_operator(&name)
    }

    /// Binds the name of the function whose parameters are in scope, unless one of them has it.
    pub(crate) fn bind_own(&mut self, own: &ast::Name, head: &mut Head, result: &WrittenResult) {
        let Some((id, rigid)) = self.current.as_ref().map(|current| (current.id, current.rigid)) else {
            return;
        };
        if self.scopes.value(own.node).is_some() {
            return;
        }
        let mut open = Vec::new();
        for param in &head.params {
            self.collect_open_sizes(&param.pattern.ty, &mut open);
        }
        if let Some(current) = &mut self.current {
            current.open = !open.is_empty() && !rigid;
        }
        let ty = function_type(&head.params, &result.exists, &result.ty, &result.unique);
        let mut ty = self.unifier.resolve(&ty);
        let mut size_params = head.size_params.clone();
        for id in open {
            let param = self.fresh_value();
            self.origins.extend(self.unifier.free_size(id).map(|span| (param, span)));
            size_params.push(param);
            ty = ty.with_size(id, &Size::Var(param));
            if rigid {
                let bound = self.unifier.unify_size(&Size::Var(id), &Size::Var(param));
                debug_assert!(bound.is_ok(), "a free size takes any other");
            }
        }
        if rigid {
            head.size_params.clone_from(&size_params);
        }
        let (type_params, lifted) = (head.type_params.clone(), self.unifier.lifted.clone());
        self.scopes.bind(own.node, id, Scheme { type_params, lifted, size_params, ty });
    }

    /// Must the function that was checked be checked again, with all its sizes as parameters?
    pub(crate) fn make_rigid(&mut self) -> bool {
        let Some(current) = &mut self.current else { return false };
        current.rigid = current.calls_itself && current.open;
        current.rigid
    }

    /// Takes note that the function being checked calls itself, if it has this id.
    pub(crate) fn note_own_use(&mut self, id: ValueId) {
        if let Some(current) = &mut self.current {
            current.calls_itself |= current.id == id;
        }
    }

    /// Adds the sizes in a type that nothing determines so far.
    pub(crate) fn collect_open_sizes(&self, ty: &Type, open: &mut Vec<ValueId>) {
        self.unifier.resolve(ty).each_size(&mut |size| {
            size.any(&mut |id| {
                if self.unifier.free_size(id).is_some() && !open.contains(&id) {
                    open.push(id);
                }
                false
            });
        });
    }

    /// Reports that the function being checked calls itself without having its type written.
    pub(crate) fn unknown_own_name(&mut self, name: &QualName) {
        let message = format!("Unknown variable `{}`: its type is not yet known here", name.name);
        let help = format!(
            "for `{}` to call itself, write the types of all its parameters and of its result",
            name.name
        );
        self.unknown(Diagnostic::error(Code::UnknownName, name.span, message).help(help));
    }
}
