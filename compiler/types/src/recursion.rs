//! Recursive functions.
//!
//! In the body of a top-level function its name means the function itself and shadows any earlier
//! definition. So `def length xs = … length (tail xs)` is recursive, and
//! `def (+) (x: t) (y: t): t = x + y` recurses for ever. In its body, the function has its written type, which is
//! polymorphic in sizes but monomorphic in types. Types that are not written are inferred.
//!
//! In a recursive function, a size `[]` of a parameter is a size parameter. In any other function, the body may
//! determine it. So a function that turns out to be recursive is checked a second time.
//!
//! If there are type errors when the name means the function itself, and the program defines the name earlier, then the
//! name means that earlier definition. Programs written before functions could be recursive rely on this.

use ravel_base::{Code, Diagnostic};
use ravel_syntax::ast::{self, QualName, ValueDec};

use crate::checker::{Checker, Mode};
use crate::env::Scheme;
use crate::function::Head;
use crate::report::Context;
use crate::tast::{Exp, ExpNode, Function, Size, Type, TypeParamId, ValueId};
use crate::unify::FLEXIBLE;

/// The top-level function being checked.
pub(crate) struct CurrentFunction {
    pub(crate) id: ValueId,
    calls_itself: bool,
    /// Whether its parameters have open sizes, which calls see as size parameters.
    open: bool,
    /// Whether the body too sees open sizes as size parameters. True in the second check.
    rigid: bool,
    /// All its type parameters, once they are known.
    type_params: Vec<TypeParamId>,
    /// All its size parameters, once they are known.
    size_params: Vec<ValueId>,
}

impl CurrentFunction {
    pub(crate) fn new(id: ValueId) -> CurrentFunction {
        let (type_params, size_params) = (Vec::new(), Vec::new());
        CurrentFunction { id, calls_itself: false, open: false, rigid: false, type_params, size_params }
    }
}

impl Checker<'_> {
    /// Whether the name means the function itself in its body. It does not if a module has the name, so that the body
    /// can use the module. In the prelude, it does not if the name is an operator or already defined.
    pub(crate) fn may_call_itself(&self, dec: &ValueDec) -> bool {
        let name = QualName { quals: Vec::new(), name: dec.name.node, span: dec.name.span };
        let is_module = self.find_module_entry(&[name.name]).is_some();
        let is_new = || self.find(&name).is_none() && !self.is_operator(&name);
        !dec.params.is_empty() && !is_module && (self.mode == Mode::Program || is_new())
    }

    /// Binds the function's name in its body, unless a parameter has the same name. Recursive calls use the
    /// function's own type parameters.
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

    /// Unifies the result type that recursive calls assume, since none is written, with the type of the body. Ids from
    /// `first` on are bound by the function; the result type may not mention them, since they differ at every call.
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
            let message = format!("Size{size} of the result is not known where the function calls itself");
            let help = "write the type of the result before the `=`";
            self.diagnostics.push(Diagnostic::error(Code::UnboundSize, body.span, message).help(help));
        }
    }

    /// The function being checked, if it is recursive.
    pub(crate) fn own_id(&self) -> Option<ValueId> {
        self.current.as_ref().filter(|current| current.calls_itself).map(|current| current.id)
    }

    /// Records the type and size parameters of the function being checked.
    pub(crate) fn note_own_params(&mut self, function: &Function) {
        if let Some(current) = &mut self.current {
            current.type_params.clone_from(&function.type_params);
            current.size_params.clone_from(&function.size_params);
        }
    }

    /// Adds the type and size parameters that generalisation has added to the function as arguments of a recursive
    /// call.
    pub(crate) fn complete_own_instance(&self, id: ValueId, types: &mut Vec<Type>, sizes: &mut Vec<Size>) {
        if let Some(current) = self.current.as_ref().filter(|current| current.id == id) {
            types.extend(current.type_params.iter().skip(types.len()).map(|&param| Type::Param(param)));
            sizes.extend(current.size_params.iter().skip(sizes.len()).map(|&param| Size::Var(param)));
        }
    }

    /// Whether the function must be checked a second time, with open sizes as size parameters.
    pub(crate) fn make_rigid(&mut self) -> bool {
        let Some(current) = &mut self.current else { return false };
        current.rigid = current.calls_itself && current.open;
        current.rigid
    }

    /// Records that the function being checked is recursive, if it has this id.
    pub(crate) fn note_own_use(&mut self, id: ValueId) {
        if let Some(current) = &mut self.current {
            current.calls_itself |= current.id == id;
        }
    }

    /// Advice if the recursive name was probably meant for an earlier definition.
    pub(crate) fn own_name_advice(&self, used: &Exp, name: &QualName) -> Option<String> {
        let ExpNode::Var { id, .. } = used.node else { return None };
        self.current.as_ref().filter(|current| current.id == id)?;
        let name = name.name;
        let mut outer = self.own_modules().chain([&self.env.root]);
        outer.any(|module| module.values.contains_key(&name)).then(|| {
            format!(
                "in its own definition `{name}` means itself: qualify the other `{name}` with its module, or rename one"
            )
        })
    }

    /// Adds the sizes of a type that are still open.
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

    /// Adds the open sizes in functional parts of a result, which their arguments determine.
    pub(crate) fn collect_sizes_of_functions(&self, ty: &Type, open: &mut Vec<ValueId>) {
        match ty {
            Type::Function(_) => self.collect_open_sizes(ty, open),
            _ => ty.parts().into_iter().for_each(|part| self.collect_sizes_of_functions(part, open)),
        }
    }
}
