//! Unknown names, with suggestions.
//!
//! A name is reported once in each declaration. After a refused declaration no unknown names are reported, since that
//! declaration may have defined them.

use ravel_base::{Code, Diagnostic, Limitation, Section, Span, Symbol, most_similar};
use ravel_prim::PrimType;
use ravel_syntax::ast::{Name, QualName};
use ravel_syntax::foreign;

use crate::checker::Checker;
use crate::env::{ModuleEntry, Space};
use crate::names::{ValueBinding, source_text};
use crate::report::enumerate;
use crate::show::signature;
use crate::tast::Type;

/// After this many diagnostics no similar name is sought. Each unknown name is compared with all known ones, so the time for
/// a large file of unknown names would be quadratic.
const MAX_SUGGESTIONS: usize = 200;

impl Checker<'_> {
    /// The known name that is most similar to an unknown one.
    fn similar(&self, name: Symbol, known: impl Iterator<Item = Symbol>) -> Option<Symbol> {
        if self.diagnostics.len() < MAX_SUGGESTIONS { most_similar(name, known) } else { None }
    }

    /// Reports an unknown name of a value.
    pub(crate) fn unknown_name(&mut self, name: &QualName) {
        if let Some(limitation) = unimplemented(name) {
            return self.limit(limitation, name.span);
        }
        if let Some(ModuleEntry::Functor(_)) = self.find_module_entry(&name.quals) {
            return self.parametric_module(name);
        }
        let message = format!("Unknown name `{}`", source_text(name));
        let mut diagnostic = Diagnostic::error(Code::UnknownName, name.span, message);
        if name.quals.is_empty()
            && let Some(help) = self.name_advice(name.name, name.span)
        {
            return self.report_once(diagnostic.help(help));
        }
        if let Some(help) = self.advice_for_module(name) {
            return self.report_once(diagnostic.caret("this is a module").help(help));
        }
        let outermost = name.quals.first().copied().unwrap_or(name.name);
        if (name.quals.is_empty() || self.find_module(&name.quals[..1]).is_none())
            && let Some((place, help)) = self.order_advice(Space::Terms, outermost, name.span)
        {
            return self.report_once(diagnostic.label(place, "defined here").help(help));
        }
        let candidates: Vec<Symbol> = if name.quals.is_empty() {
            let own = self.own_modules().flat_map(|module| module.values.keys().copied());
            self.scopes.names().chain(own).chain(self.env.root.values.keys().copied()).collect()
        } else if let Some(module) = self.find_module(&name.quals) {
            module.values.keys().copied().collect()
        } else {
            let quals = name.quals.iter().map(|qual| qual.as_str()).collect::<Vec<_>>().join(".");
            diagnostic = diagnostic.caret(format!("there is no module `{quals}`"));
            diagnostic.help = list_modules(name.name, &self.modules_with(name.name))
                .or_else(|| foreign::advice_for(name.name.as_str()).map(str::to_owned));
            Vec::new()
        };
        if let Some(similar) = self.similar(name.name, candidates.into_iter()) {
            let quals: String = name.quals.iter().map(|qual| format!("{qual}.")).collect();
            diagnostic = diagnostic.help(format!("did you mean `{quals}{similar}`?"));
        }
        if diagnostic.help.is_none() && name.quals.is_empty() {
            diagnostic = diagnostic.help("define it before, with `def` or `let`, or make it a parameter");
        }
        self.report_once(diagnostic);
    }

    /// Advice for the name of a module in place of a value.
    fn advice_for_module(&self, name: &QualName) -> Option<String> {
        let path: Vec<Symbol> = name.quals.iter().copied().chain([name.name]).collect();
        let Some(ModuleEntry::Structure(module)) = self.find_module_entry(&path) else { return None };
        let is_word = |value: &&Symbol| value.as_str().starts_with(|first: char| first.is_alphabetic());
        Some(match module.values.keys().find(is_word) {
            Some(value) => format!("name one of its values, such as `{}.{value}`", source_text(name)),
            None => "it has no values".to_owned(),
        })
    }

    /// Advice for an unknown name that has a meaning in another scope, in a module or in another language.
    fn name_advice(&self, name: Symbol, at: Span) -> Option<String> {
        let is_local = |name| self.scopes.value(Symbol::new(name)).is_some();
        if self.local_functions.contains(&name) || is_local("rec") {
            let help = "a local function cannot call itself: define it at the top level, or write a `loop`";
            return Some(help.to_owned());
        }
        if self.defined.has_value(name, at) {
            return None;
        }
        if let Some(prim) = PrimType::ALL.into_iter().find(|prim| prim.name() == name.as_str()) {
            let from = if prim == PrimType::I64 { PrimType::I32 } else { PrimType::I64 };
            return Some(format!("a conversion names both types: `{prim}.{from}` converts {from} to {prim}"));
        }
        if is_local("mut") {
            return foreign::advice_for("mut").map(str::to_owned);
        }
        foreign::advice_for(name.as_str()).map(str::to_owned).or_else(|| self.module_advice(name))
    }

    /// Advice for a name that is in a module.
    pub(crate) fn module_advice(&self, name: Symbol) -> Option<String> {
        let modules = self.modules_with(name);
        let module = modules.iter().find(|module| module.as_str() == "f64").or(modules.first())?;
        let example = if modules.len() == 1 { "" } else { ", for example" };
        Some(format!("{}: write `{module}.{name}`{example}", list_modules(name, &modules)?))
    }

    /// The modules in scope that have a value of this name.
    pub(crate) fn modules_with(&self, name: Symbol) -> Vec<Symbol> {
        let around = self.own_modules().chain([&self.env.root]);
        let modules = around.flat_map(|module| &module.modules);
        let with_name = modules.filter(|(_, entry)| match &***entry {
            ModuleEntry::Structure(module) => module.values.contains_key(&name),
            ModuleEntry::Functor(_) => false,
        });
        with_name.map(|(module, _)| *module).collect()
    }

    /// The types of the parameters of a named function; none for another value.
    pub(crate) fn params_of(&self, name: &QualName) -> Vec<Type> {
        let params = |ty: &Type| signature(&self.unifier.resolve(ty)).0;
        match self.find(name) {
            Some(ValueBinding::Local(local)) => params(&local.scheme.ty),
            Some(ValueBinding::Global(entry)) => params(&entry.scheme.ty),
            None => Vec::new(),
        }
    }

    /// Advice if the name before the field at `at` is a value that hides a module with a member `field`.
    pub(crate) fn hidden_module_before(&self, at: Span, field: Symbol) -> Option<String> {
        let before = self.text.get(..at.start as usize)?.trim_end_matches('.');
        let is_letter = |letter: char| letter.is_alphanumeric() || "_'".contains(letter);
        let name = before.rsplit(|letter| !is_letter(letter)).next()?;
        self.hidden_module(Symbol::new(name), field)
    }

    /// Advice if the value hides a module of the same name that has this member.
    pub(crate) fn hidden_module(&self, value: Symbol, member: Symbol) -> Option<String> {
        let hides = self.modules_with(member).contains(&value);
        hides.then(|| format!("`{value}` is a value here, and hides the module: give it another name"))
    }

    /// Reports a name in a parametric module that is not applied.
    fn parametric_module(&mut self, name: &QualName) {
        let module: Vec<&str> = name.quals.iter().map(|qual| qual.as_str()).collect();
        let module = module.join(".");
        let message = format!("Module `{module}` needs an argument before it can be used");
        let diagnostic = Diagnostic::error(Code::NotParametric, name.span, message)
            .note(format!("Module `{module}` is a parametric module"))
            .help("apply it to a module, and use the result: `module m = f { … }`")
            .section(Section::ModuleIsParametric);
        self.report_once(diagnostic);
    }

    /// Reports the use of a name that begins with an underscore.
    pub(crate) fn hidden_name(&mut self, name: &QualName) {
        let name_text = source_text(name);
        let message = format!("`{name_text}` may not be used: it begins with an underscore");
        let error = Diagnostic::error(Code::HiddenName, name.span, message)
            .note(format!("Use of `{name_text}`: variables prefixed with underscore may not be accessed"))
            .help(format!("name it `{}` where it is bound", name.name.as_str().trim_start_matches('_')));
        self.report_once(error);
    }

    /// Reports a field of a pattern that begins with an underscore.
    pub(crate) fn hidden_field(&mut self, name: &Name) {
        let field = name.node.as_str().trim_start_matches('_');
        let message = "Underscore-prefixed fields are not allowed";
        let diagnostic = Diagnostic::error(Code::HiddenName, name.span, message);
        self.diagnostics.push(diagnostic.help(format!("to ignore the field, write `{field} = _`")));
    }

    /// Reports an unknown name of a size.
    pub(crate) fn unknown_size_name(&mut self, name: &QualName) {
        let message = format!("Unknown name `{}`", source_text(name));
        let help = format!("to let it stand for any size, write `[{}]` before the parameters", name.name);
        self.report_once(Diagnostic::error(Code::UnknownName, name.span, message).help(help));
    }

    /// Reports an unknown name of a module.
    pub(crate) fn unknown_module(&mut self, name: &QualName) {
        let message = format!("Unknown name `{}`: there is no such module", source_text(name));
        let mut diagnostic = Diagnostic::error(Code::UnknownModule, name.span, message);
        let outermost = name.quals.first().copied().unwrap_or(name.name);
        if let Some((place, help)) = self.order_advice(Space::Terms, outermost, name.span) {
            return self.report_once(diagnostic.label(place, "defined here").help(help));
        }
        let candidates: Vec<Symbol> = match self.find_module(&name.quals) {
            Some(module) => module.modules.keys().copied().collect(),
            None => {
                let around = self.own_modules().chain([&self.env.root]);
                around.flat_map(|module| module.modules.keys().copied()).collect()
            }
        };
        match self.similar(name.name, candidates.into_iter()) {
            Some(similar) if similar == name.name => {
                diagnostic = diagnostic.caret("a value of this name hides the module");
            }
            Some(similar) => diagnostic = diagnostic.help(format!("did you mean `{similar}`?")),
            None => {
                if let Some(advice) = foreign::advice_for(name.name.as_str()) {
                    diagnostic = diagnostic.help(advice);
                }
            }
        }
        self.report_once(diagnostic);
    }

    /// Reports an unknown name of a module type.
    pub(crate) fn unknown_module_type(&mut self, name: &QualName) {
        let message = format!("Unknown module type `{}`", source_text(name));
        let mut diagnostic = Diagnostic::error(Code::UnknownModule, name.span, message);
        if name.quals.is_empty()
            && let Some((place, help)) = self.order_advice(Space::Signatures, name.name, name.span)
        {
            return self.report_once(diagnostic.label(place, "defined here").help(help));
        }
        let candidates: Vec<Symbol> = match self.find_module(&name.quals) {
            Some(module) => module.signatures.keys().copied().collect(),
            None => {
                let around = self.own_modules().chain([&self.env.root]);
                around.flat_map(|module| module.signatures.keys().copied()).collect()
            }
        };
        if let Some(similar) = self.similar(name.name, candidates.into_iter()) {
            diagnostic = diagnostic.help(format!("did you mean `{similar}`?"));
        }
        self.report_once(diagnostic);
    }

    /// Reports an unknown name of a type.
    pub(crate) fn unknown_type(&mut self, name: &QualName) {
        if let Some(ModuleEntry::Functor(_)) = self.find_module_entry(&name.quals) {
            return self.parametric_module(name);
        }
        let message = format!("Unknown type `{}`", source_text(name));
        let mut diagnostic = Diagnostic::error(Code::UnknownType, name.span, message);
        if name.quals.is_empty()
            && let Some((place, help)) = self.order_advice(Space::Types, name.name, name.span)
        {
            return self.report_once(diagnostic.label(place, "defined here").help(help));
        }
        let similar = || match &name.quals[..] {
            [] => {
                let prims = PrimType::ALL.iter().map(|prim| Symbol::new(prim.name()));
                let own = self.own_modules().flat_map(|module| module.types.keys().copied());
                self.similar(name.name, prims.chain(self.scopes.type_names()).chain(own))
            }
            quals => self.similar(name.name, self.find_module(quals)?.types.keys().copied()),
        };
        if self.find(name).is_some() {
            diagnostic = diagnostic.caret("this is a value, not a type");
        }
        let foreign = foreign::type_name(name.name.as_str()).map(Symbol::new);
        if let Some(meant) = foreign.or_else(similar) {
            diagnostic = diagnostic.help(format!("did you mean `{meant}`?"));
        } else if let Some(module) = name.quals.first().filter(|_| self.find_module(&name.quals).is_none()) {
            diagnostic = diagnostic.help(format!("there is no module `{module}` at this point"));
        } else if name.quals.is_empty() && name.name.as_str().len() == 1 {
            let help = format!("to let it stand for any type, write `'{}` before the parameters", name.name);
            diagnostic = diagnostic.help(help);
        }
        self.report_once(diagnostic);
    }

    /// Reports a name once in a declaration.
    pub(crate) fn report_once(&mut self, diagnostic: Diagnostic) {
        let known = self.diagnostics[self.begin..].iter().any(|known| known.message == diagnostic.message);
        if !known && !self.incomplete {
            self.diagnostics.push(diagnostic);
        }
    }
}

/// Lists the modules that have the name, if there are any.
fn list_modules(name: Symbol, modules: &[Symbol]) -> Option<String> {
    const MOST: usize = 3;
    let mut shown: Vec<String> = modules.iter().take(MOST).map(|module| format!("`{module}`")).collect();
    if modules.len() > MOST {
        shown.push("others".to_owned());
    }
    match shown.as_slice() {
        [] => None,
        [module] => Some(format!("`{name}` is in the module {module}")),
        modules => Some(format!("`{name}` is in the modules {}", enumerate(modules))),
    }
}

/// Names of the language that are not implemented.
fn unimplemented(name: &QualName) -> Option<Limitation> {
    match (&name.quals[..], name.name.as_str()) {
        (
            [],
            "jvp" | "jvp2" | "vjp" | "vjp2" | "jmp" | "jmp2" | "mjp" | "mjp2" | "with_vjp" | "with_vjp_tape",
        ) => Some(Limitation::Differentiation),
        _ => None,
    }
}
