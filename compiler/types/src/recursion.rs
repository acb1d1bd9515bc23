//! Recursive functions.
//!
//! In the body of a top-level function its name means an earlier definition, if there is one in scope: in the program, in the
//! prelude or built in. Otherwise it means the function itself. So `def f n = … f (n - 1)` is recursive, but
//! `module m = { def f x = f (f x) }` is not if the program defines `f` before, and no function named `map` is. Types play no
//! part in this. In its body, a recursive function has its written type, which is polymorphic in sizes but monomorphic in types.
//! Types that are not written are inferred.
//!
//! In a recursive function, a size `[]` of a parameter is a size parameter. In any other function, the body may
//! determine it. So a function that turns out to be recursive is checked a second time.

use ravel_base::{Code, Diagnostic, Span, Symbol};
use ravel_syntax::ast::{self, QualName, ValueDec};

use crate::checker::{Checker, Mode};
use crate::env::{Entry, Scheme, ValueEntry};
use crate::function::Head;
use crate::names::ValueBinding;
use crate::report::Context;
use crate::tast::{Exp, Function, Size, Type, TypeParamId, ValueId};
use crate::unify::FLEXIBLE;

/// The top-level function being checked.
pub(crate) struct CurrentFunction {
    pub(crate) id: ValueId,
    /// The earlier definition that its name means in its body.
    outer: Option<ValueId>,
    /// Where the body first names that definition.
    outer_use: Option<Span>,
    /// The definition of an earlier text at a prompt that it replaces.
    replaced: Option<ValueEntry>,
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

impl Checker<'_> {
    /// Whether the name means the function itself in its body. It does not if the name has an earlier meaning: a value, a
    /// module or a built-in operator.
    pub(crate) fn may_call_itself(&self, dec: &ValueDec) -> bool {
        let name = QualName { quals: Vec::new(), name: dec.name.node, span: dec.name.span };
        let is_module = self.find_module_entry(&[name.name]).is_some();
        !dec.params.is_empty() && !is_module && self.find(&name).is_none() && !self.is_operator(&name)
    }

    /// Makes the function of this id and name the one being checked, until [`Self::end_function`]. At a prompt, it replaces a
    /// definition of an earlier text, which is not in scope meanwhile.
    pub(crate) fn begin_function(&mut self, id: ValueId, name: &ast::Name) {
        let is_top = self.frames.len() == 1;
        let earlier =
            self.earlier_text().filter(|_| is_top).and_then(|earlier| earlier.values.get(&name.node));
        let earlier = earlier.map(|entry| entry.id);
        let replaced = self.frames.last_mut().and_then(|frame| frame.take_export(name.node, earlier?));
        let meant = self.find(&QualName { quals: Vec::new(), name: name.node, span: name.span });
        let outer = match meant {
            Some(ValueBinding::Global(outer)) => Some(outer.id),
            Some(ValueBinding::Local(_)) | None => None,
        };
        self.current = Some(CurrentFunction {
            id,
            outer,
            outer_use: None,
            replaced,
            calls_itself: false,
            open: false,
            rigid: false,
            type_params: Vec::new(),
            size_params: Vec::new(),
        });
    }

    /// Ends the check of the function of this name, which is not declared yet.
    pub(crate) fn end_function(&mut self, name: Symbol) {
        let replaced = self.current.take().and_then(|current| current.replaced);
        if let (Some(replaced), Some(frame)) = (replaced, self.frames.last_mut()) {
            frame.insert(name, Entry::Value(replaced), false);
        }
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

    /// Records that a name without module means this definition.
    pub(crate) fn note_outer_use(&mut self, id: ValueId, span: Span) {
        if let Some(current) = self.current.as_mut().filter(|current| current.outer == Some(id)) {
            current.outer_use.get_or_insert(span);
        }
    }

    /// Warns if the function's name means an earlier definition in its body: its author may have meant recursion. In an
    /// imported file, this matters only if there are `errors`. Operators of the prelude are used as the built-in ones are, to
    /// define themselves for other types.
    pub(crate) fn warn_of_outer_name(&mut self, name: Symbol, errors: bool) {
        let used = self.current.as_ref().and_then(|current| current.outer_use);
        let matters = self.mode == Mode::Program && (errors || !self.is_imported);
        let Some(span) = used.filter(|_| matters) else { return };
        let is_of_prelude = self.has_prelude_meaning(name);
        if is_of_prelude && is_symbolic(name) {
            return;
        }
        let (meant, remedy) = if is_of_prelude {
            ("the prelude's".to_owned(), "give it another name")
        } else {
            (format!("the `{name}` defined before"), "give one of the two another name")
        };
        let message = format!("`{name}` here means {meant}, not the function itself");
        let warning = Diagnostic::warning(Code::Deprecated, span, message)
            .help(format!("if it is to call itself, {remedy}"));
        self.diagnostics.push(match self.declared_at(name) {
            Some(declared) => warning.label(declared, "it means this definition"),
            None => warning,
        });
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

/// Whether the name is that of an operator, such as `++`.
fn is_symbolic(name: Symbol) -> bool {
    !name.as_str().starts_with(|first: char| first.is_alphabetic() || first == '_')
}
