//! Functions that call themselves.
//!
//! The name of a function of the top level means the function in its own body, whatever it meant
//! before: `def length xs = … length (tail xs)` calls itself, and so does
//! `def (+) (x: t) (y: t): t = x + y`, for ever. It stands there for the type as far as that is
//! written, with other sizes at every call; types are the same at every call, and so is what is left
//! out. A size left open by `[]` is a parameter like any other. Elsewhere such a size is what the body makes
//! of it; so a function that turns out to call itself is checked once more. One that cannot call itself, since
//! the types do not fit, means what another definition of the program has called so before: that is what
//! programs meant that were written when no function could call itself.

use ravel_base::{Code, Diagnostic};
use ravel_syntax::ast::{self, QualName, ValueDec};

use crate::checker::{Checker, Mode};
use crate::env::Scheme;
use crate::function::Head;
use crate::report::Context;
use crate::tast::{Exp, ExpNode, Function, Size, Type, TypeParamId, ValueId};
use crate::unify::FLEXIBLE;

/// The function of the top level that is being checked.
pub(crate) struct Current {
    pub(crate) id: ValueId,
    calls_itself: bool,
    /// Does the type that its calls see differ from the one its body sees in open sizes?
    open: bool,
    /// Are the sizes left open parameters from the start?
    rigid: bool,
    /// All its type parameters, once they are known.
    type_params: Vec<TypeParamId>,
    /// All its size parameters, once they are known.
    size_params: Vec<ValueId>,
}

impl Current {
    pub(crate) fn new(id: ValueId) -> Current {
        let (type_params, size_params) = (Vec::new(), Vec::new());
        Current { id, calls_itself: false, open: false, rigid: false, type_params, size_params }
    }
}

impl Checker<'_> {
    /// May the function that is declared here call itself? What has the name of a module does not, so that
    /// the module can be used in it; nor does what the prelude makes of operators and names known already.
    pub(crate) fn may_call_itself(&self, dec: &ValueDec) -> bool {
        let name = QualName { quals: Vec::new(), name: dec.name.node, span: dec.name.span };
        let is_module = self.find_module_entry(&[name.name]).is_some();
        let is_new = || self.find(&name).is_none() && !self.is_operator(&name);
        !dec.params.is_empty() && !is_module && (self.mode == Mode::Program || is_new())
    }

    /// Binds the name of the function whose parameters are in scope, unless one of them has it. Calls
    /// inside are of its own type parameters.
    pub(crate) fn bind_own(&mut self, own: &ast::Name, head: &mut Head, ty: Type) {
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
        let scheme = Scheme { size_params, ..Scheme::mono(ty) };
        self.scopes.bind(own.node, id, scheme);
    }

    /// Makes the result of the calls inside, which is not written, that of the body, `first` being the
    /// first id of what the function binds: a size by such a name would be another one at every call.
    pub(crate) fn unify_own_result(&mut self, result: &Type, body: &Exp, first: u32) {
        if !self.current.as_ref().is_some_and(|current| current.calls_itself)
            || !self.unify(body.span, result, &body.ty, Context::Result)
        {
            return;
        }
        let mut inner = None;
        self.unifier.resolve(result).each_size(&mut |size| {
            size.any(&mut |id| {
                inner = inner.or(((first..FLEXIBLE).contains(&id.0)).then_some(id));
                false
            });
        });
        if let Some(id) = inner {
            let size = self.names.get(&id).map_or_else(String::new, |name| format!(" `{name}`"));
            let message =
                format!("The size{size} of the result is not known where the function calls itself");
            let help = "write the type of the result in front of the `=`";
            self.diagnostics.push(Diagnostic::error(Code::UnboundSize, body.span, message).help(help));
        }
    }

    /// The function being checked, if it calls itself.
    pub(crate) fn own_id(&self) -> Option<ValueId> {
        self.current.as_ref().filter(|current| current.calls_itself).map(|current| current.id)
    }

    /// Takes note of all parameters that the function being checked has got.
    pub(crate) fn note_own_params(&mut self, function: &Function) {
        if let Some(current) = &mut self.current {
            current.type_params.clone_from(&function.type_params);
            current.size_params.clone_from(&function.size_params);
        }
    }

    /// Hands on the function's parameters that its type turned out to have, where it calls itself.
    pub(crate) fn complete_own_instance(&self, id: ValueId, types: &mut Vec<Type>, sizes: &mut Vec<Size>) {
        if let Some(current) = self.current.as_ref().filter(|current| current.id == id) {
            types.extend(current.type_params.iter().skip(types.len()).map(|&param| Type::Param(param)));
            sizes.extend(current.size_params.iter().skip(sizes.len()).map(|&param| Size::Var(param)));
        }
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

    /// Advice where the name of the function that is being checked is taken for what it meant before.
    pub(crate) fn own_name_advice(&self, used: &Exp, name: &QualName) -> Option<String> {
        let ExpNode::Var { id, .. } = used.node else { return None };
        self.current.as_ref().filter(|current| current.id == id)?;
        let name = name.name;
        Some(format!(
            "in its own definition `{name}` means itself: what it meant before needs its module's name"
        ))
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

    /// Adds the sizes in the functions of a result that nothing determines so far: their arguments give them.
    pub(crate) fn collect_sizes_of_functions(&self, ty: &Type, open: &mut Vec<ValueId>) {
        match ty {
            Type::Function(_) => self.collect_open_sizes(ty, open),
            _ => ty.parts().into_iter().for_each(|part| self.collect_sizes_of_functions(part, open)),
        }
    }
}
