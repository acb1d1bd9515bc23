//! Declarations, and value definitions: checking, generalisation, and the rules for entry points.

use ravel_base::{Code, Diagnostic, Kind, Section, Span, Symbol};
use ravel_syntax::ast::{self, AttributeNode, Dec, Keyword, ValueDec};

use crate::checker::{Checker, Mode, exp};
use crate::class::Class;
use crate::env::{Entry, Item, Scheme, ValueEntry};
use crate::exp::BranchDecisions;
use crate::function::{CheckedFunction, FunctionSyntax};
use crate::recurrence::is_recurrence;
use crate::tast::{
    DeclaredUniqueness, Definition, Exp, ExpNode, Function, FunctionBody, Liftedness, Param, Pattern,
    PatternNode, Size, Type, ValueId,
};
use crate::type_dec::visible_sizes;
use crate::unify::{ERROR, ERROR_SIZE, FLEXIBLE, Unifier};

/// The attributes of a definition.
#[derive(Default)]
struct Attributes {
    noinline: bool,
    intrinsic: Option<Symbol>,
    /// The attributes that apply to the whole body.
    of_body: Vec<Symbol>,
}

impl Checker<'_> {
    /// Checks declarations in order.
    pub(crate) fn declarations(&mut self, decs: &[Dec]) {
        for dec in decs {
            self.begin = self.diagnostics.len();
            self.declaration(dec);
        }
    }

    fn declaration(&mut self, dec: &Dec) {
        match dec {
            Dec::Value(dec) => self.definition(dec),
            Dec::Module(dec) => self.module_declaration(dec),
            Dec::Local(dec, _) => {
                let outer = std::mem::replace(&mut self.local, true);
                self.declaration(dec);
                self.local = outer;
            }
            Dec::Attributed(attribute, dec, _) => {
                self.attribute_without_value(attribute);
                self.declaration(dec);
            }
            Dec::Type(dec) => self.type_declaration(dec),
            Dec::ModuleType(dec) => self.module_type_declaration(dec),
            Dec::Open(module, _) => self.open_module(module),
            Dec::Import(file, _) => self.open_file(file),
            Dec::Error(_) => {}
        }
    }

    /// Discards the state of the previous declaration.
    pub(crate) fn begin_declaration(&mut self) {
        self.first_local = self.free.value;
        self.unifier = Unifier::default();
        self.literals.clear();
        self.named_types.clear();
        self.function_names.clear();
        self.argument_sizes.clear();
        self.forget_size_definitions();
    }

    /// Whether this is the `main` of a program, which is an entry point even without `entry`.
    fn is_main(&self, dec: &ValueDec) -> bool {
        let at_top = self.frames.len() == 1 && !self.is_imported && self.mode == Mode::Program;
        at_top && dec.name.node.as_str() == "main"
    }

    /// Warns about the first definition that begins with `let`, once per program.
    fn warn_of_old_keyword(&mut self, dec: &ValueDec) {
        let is_old = dec.keyword == Keyword::Let && !self.is_imported && self.mode == Mode::Program;
        let kind = Kind::Warning(Code::Deprecated);
        if is_old && self.diagnostics.iter().all(|known| known.kind != kind) {
            let message = "A definition that begins with `let` is deprecated";
            let warning = Diagnostic::warning(Code::Deprecated, dec.name.span, message);
            self.diagnostics.push(warning.help("write `def`"));
        }
    }

    fn definition(&mut self, dec: &ValueDec) {
        self.warn_of_old_keyword(dec);
        let errors = self.diagnostics.len();
        self.begin_declaration();
        let is_entry = dec.keyword == Keyword::Entry || self.is_main(dec);
        let id = self.named_value(dec.name.node);
        if !dec.params.is_empty() {
            self.begin_function(id, &dec.name);
        }
        let attributes = self.attributes(dec);
        let mut checked = match attributes.intrinsic {
            Some(name) => self.intrinsic(dec, name),
            None => self.defined_function(dec, errors),
        };
        if let FunctionBody::Exp(body) = &mut checked.function.body {
            for attribute in attributes.of_body {
                let inner = std::mem::replace(body, self.broken(dec.span));
                *body = self.attributed(attribute, inner);
            }
        }
        if self.no_errors_since(errors) {
            self.check_size_params(&dec.type_params, &checked.function);
        }
        self.complete(&mut checked, dec, errors);
        if self.no_errors_since(errors) {
            self.check_own_calls(dec, &checked.function);
            self.check_sizes_of_value(dec, &checked.function);
        }
        self.warn_of_outer_name(dec.name.node, !self.no_errors_since(errors));
        self.end_function(dec.name.node);
        if is_entry && self.no_errors_since(errors) {
            self.eta_expand(&mut checked.function, dec.name.span);
            self.check_entry(dec, &checked);
        }
        if !is_entry {
            self.check_constant(&checked.function);
        }
        if self.no_errors_since(errors) {
            checked.unique = self.check_consumption(id, &mut checked.function);
        }
        let fine = self.no_errors_since(errors);
        self.register(id, dec, &mut checked, fine);
        if fine {
            self.items.push(Item::Definition(Definition {
                id,
                name: self.qualified(dec.name.node),
                entry: is_entry && !self.is_imported,
                noinline: attributes.noinline,
                promise: false,
                function: checked.function,
                span: dec.span,
            }));
            for attribute in dec.attributes.iter().filter(|attribute| is_recurrence(attribute)) {
                self.recurrence(dec, attribute);
            }
        }
    }

    /// Checks the function of a definition.
    fn defined_function(&mut self, dec: &ValueDec, errors: usize) -> CheckedFunction {
        let written = FunctionSyntax {
            type_params: &dec.type_params,
            params: &dec.params,
            result: dec.result.as_ref(),
            body: &dec.body,
            own: self.may_call_itself(dec).then_some(&dec.name),
        };
        let checked = self.function_with_branches(written, errors);
        if !self.make_rigid() {
            return checked;
        }
        self.restart_check(errors);
        self.function_with_branches(written, errors)
    }

    /// Checks a function. If its branches decide about open sizes, and there are errors, it is checked again with fewer
    /// decisions ([`BranchDecisions::errors`]). If that does not help, the errors of the first check are reported.
    fn function_with_branches(&mut self, written: FunctionSyntax<'_>, errors: usize) -> CheckedFunction {
        self.branch_decisions = BranchDecisions::default();
        let checked = self.function(written);
        if !self.branch_decisions.any || self.no_errors_since(errors) {
            return checked;
        }
        let first = self.diagnostics.split_off(errors);
        self.restart_check(errors);
        let fatal = first.iter().filter(|error| error.is_fatal());
        self.branch_decisions.errors = fatal.filter_map(|error| error.span).collect();
        let checked = self.function(written);
        if !self.no_errors_since(errors) {
            self.diagnostics.truncate(errors);
            self.diagnostics.extend(first);
        }
        checked
    }

    /// Discards the results of checking the present definition. There were `errors` diagnostics before it.
    fn restart_check(&mut self, errors: usize) {
        self.diagnostics.truncate(errors);
        self.unifier = Unifier::default();
        self.literals.clear();
        self.argument_sizes.clear();
        self.forget_size_definitions();
    }

    /// Reports a constant with both size parameters and existential sizes.
    fn check_sizes_of_value(&mut self, dec: &ValueDec, function: &Function) {
        if dec.params.is_empty() && !function.size_params.is_empty() && !function.exists.is_empty() {
            let message = "A constant with size parameters must have known sizes";
            let diagnostic = Diagnostic::error(Code::UnboundSize, dec.name.span, message)
                .note("A size-polymorphic value binding may not have a type with an existential size")
                .help("make its sizes parameters of type `i64`");
            self.diagnostics.push(diagnostic);
        }
    }

    /// Reports a constant with a unique type: top-level values cannot be consumed.
    fn check_constant(&mut self, function: &Function) {
        if let Some(declared) = &function.declared
            && function.params.is_empty()
            && declared.unique.is_any()
        {
            let message = "A top-level constant cannot be marked with `*`";
            let error = Diagnostic::error(Code::NotConsumable, declared.span, message)
                .note("A top-level constant cannot have a unique type, nor be declared fresh")
                .help("remove the `*`: all uses share the same memory");
            self.diagnostics.push(error);
        }
    }

    /// Whether the diagnostics after the first `diagnostics` are only warnings.
    pub(crate) fn no_errors_since(&self, diagnostics: usize) -> bool {
        self.diagnostics[diagnostics..].iter().all(|error| !error.is_fatal())
    }

    /// Completes the check of a function: open types get defaults, or are generalised together with open
    /// sizes. There were `errors` diagnostics before it.
    pub(crate) fn complete(&mut self, checked: &mut CheckedFunction, dec: &ValueDec, errors: usize) {
        self.default_types(self.no_errors_since(errors));
        self.unifier.shorten_chains();
        self.generalise(checked, self.no_errors_since(errors));
        self.settle_sizes_of_arguments();
        if self.no_errors_since(errors) {
            self.finish_function(&mut checked.function);
            self.finish_size_definitions();
        }
        if self.no_errors_since(errors) {
            self.check_causality(&checked.function, dec.name.node, dec.span);
        }
    }

    fn attributes(&mut self, dec: &ValueDec) -> Attributes {
        let mut attributes = Attributes::default();
        for attribute in &dec.attributes {
            match &attribute.node {
                AttributeNode::Word(word) if ["inline", "cpu_function"].contains(&word.as_str()) => {}
                AttributeNode::Word(word) if word.as_str() == "noinline" => attributes.noinline = true,
                AttributeNode::Call(word, arguments)
                    if self.mode == Mode::Prelude && word.as_str() == "intrinsic" =>
                {
                    attributes.intrinsic = arguments.iter().find_map(|argument| match argument.node {
                        AttributeNode::Word(name) => Some(name),
                        _ => None,
                    });
                }
                _ if dec.params.is_empty() => attributes.of_body.extend(self.attribute(attribute)),
                _ => attributes.of_body.extend(self.attribute_without_value(attribute)),
            }
        }
        attributes
    }

    /// `#[intrinsic(name)] def f … : t = ???`.
    fn intrinsic(&mut self, dec: &ValueDec, name: Symbol) -> CheckedFunction {
        let head = self.function_head(&dec.type_params, &dec.params);
        let (result, declared) = match &dec.result {
            Some(written) => {
                let result = self.result_type(written);
                let declared = DeclaredUniqueness { unique: result.unique, span: written.span };
                ((result.ty, result.exists), Some(declared))
            }
            None => {
                let message = "an intrinsic needs a written result type, or it is ambiguous";
                self.diagnostics.push(Diagnostic::error(Code::AmbiguousType, dec.name.span, message));
                ((ERROR, Vec::new()), None)
            }
        };
        self.close(head, result, declared, FunctionBody::Intrinsic(name))
    }

    /// Generalises: the open types and sizes in a definition's type become its parameters. If it has errors, its types
    /// stay open and become the error type: as parameters they would cause errors where the definition is used.
    fn generalise(&mut self, checked: &mut CheckedFunction, fine: bool) {
        let (mut types, mut sizes) = (Vec::new(), Vec::new());
        let params = checked.function.params.iter().map(|param| &param.pattern.ty);
        for ty in params.clone() {
            self.collect_open_sizes(ty, &mut sizes);
        }
        self.collect_sizes_of_functions(&self.unifier.resolve(&checked.function.result), &mut sizes);
        for ty in params.chain([&checked.function.result]).filter(|_| fine) {
            self.unifier.resolve(ty).each_param(&mut |id| {
                if self.unifier.constraints(id).is_some() && !types.contains(&id) {
                    types.push(id);
                }
            });
        }
        // Sizes that the written result type leaves open and the body does not determine become parameters too.
        for size in &checked.opened {
            let Size::Var(open) = self.unifier.size(size) else { continue };
            if self.unifier.free_size(open).is_some() && !sizes.contains(&open) {
                sizes.push(open);
            }
        }
        for id in types {
            let letter = char::from(b'a' + (checked.function.type_params.len() % 26) as u8);
            let class = self.unifier.constraints(id).map_or(Class::ELEMENT, |constraints| constraints.class);
            let param = self.named_type_param(Symbol::new(&letter.to_string()));
            if class.liftedness() > Liftedness::Unlifted {
                self.unifier.lifted.push((param, class.liftedness()));
            }
            if self.unifier.unify(&Type::Param(id), &Type::Param(param)).is_ok() {
                checked.function.type_params.push(param);
            }
        }
        for id in sizes {
            let span = self.unifier.free_size(id);
            let param = self.fresh_value();
            if self.unifier.unify_size(&Size::Var(id), &Size::Var(param)).is_ok() {
                checked.function.size_params.push(param);
                self.origins.extend(span.map(|span| (param, span)));
            }
        }
        self.note_own_params(&checked.function);
    }

    /// Declares a definition. After errors, its open types become the error type, which matches any type.
    fn register(&mut self, id: ValueId, dec: &ValueDec, checked: &mut CheckedFunction, fine: bool) {
        let name = &dec.name;
        if !fine && dec.result.is_none() {
            checked.function.result = ERROR;
        }
        let mut ty = checked.ty();
        if !fine {
            ty = self.unifier.resolve(&ty).map(&mut |id| (id.0 >= FLEXIBLE).then_some(ERROR), &mut |size| {
                if size.any(&mut |id| id.0 >= FLEXIBLE) { ERROR_SIZE } else { size.clone() }
            });
        }
        let function = &checked.function;
        let scheme = Scheme {
            type_params: function.type_params.clone(),
            lifted: self.unifier.lifted.clone(),
            size_params: function.size_params.clone(),
            exists: if function.params.is_empty() { function.exists.clone() } else { Vec::new() },
            ty,
            is_written: function.declared.is_some(),
        };
        self.declare(name.node, name.span, Entry::Value(ValueEntry { id, scheme }));
    }

    /// Eta-expands a function whose result is a function, until the result is not a function.
    fn eta_expand(&mut self, function: &mut Function, span: Span) {
        while let FunctionBody::Exp(body) = &mut function.body
            && let Type::Function(taker) = &function.result
        {
            let taker = taker.clone();
            let name = Symbol::new(&format!("x{}", function.params.len()));
            let id = taker.name.unwrap_or_else(|| self.named_value(name));
            let variable = ExpNode::Var { id, types: Vec::new(), sizes: Vec::new() };
            let argument = exp(variable, taker.from.clone(), span);
            let whole = std::mem::replace(body, self.broken(span));
            let apply = ExpNode::Apply(Box::new(whole), vec![argument]);
            *body = Exp { node: apply, ty: taker.to.clone(), exists: taker.exists.clone(), span: body.span };
            let pattern = Pattern { node: PatternNode::Name(id, name), ty: taker.from, span };
            function.params.push(Param { pattern, consumed: taker.consumes });
            function.exists.extend(taker.exists);
            function.result = taker.to;
        }
    }

    /// Checks that an entry point is top-level, monomorphic and first-order, so that it can be called from outside.
    fn check_entry(&mut self, dec: &ValueDec, checked: &CheckedFunction) {
        let function = &checked.function;
        if self.frames.len() > 1 {
            let message = "Entry points may not be declared inside modules".to_owned();
            let help = "write `def` here, and an entry point at the top level that calls it";
            return self.bad_entry(dec.name.span, message, None, help, Section::NestedEntry);
        }
        if !function.type_params.is_empty() && self.incomplete {
            // A refused declaration might have determined the types.
            return;
        }
        if !function.type_params.is_empty() {
            let span = dec.type_params.iter().find_map(|param| match param {
                ast::TypeParam::Type(_, name) => Some(name.span),
                ast::TypeParam::Size(_) => None,
            });
            self.bad_entry(
                span.unwrap_or(dec.name.span),
                format!("Entry point `{}` may not have type parameters", dec.name.node),
                Some("Entry point functions may not be polymorphic"),
                "give its parameters types such as `i32` or `[]f64`",
                Section::PolymorphicEntry,
            );
            return;
        }
        self.check_entry_sizes(dec, function);
        let types = function.params.iter().map(|param| (&param.pattern.ty, param.pattern.span));
        let result = (&function.result, dec.result.as_ref().map_or(dec.name.span, |result| result.span));
        let culprit = types.chain([result]).find(|(ty, _)| ty.may_have_function()).map(|(_, span)| span);
        if let Some(span) = culprit {
            let message = format!("Entry point `{}` may not take or return functions", dec.name.node);
            let reference = "Entry point functions may not be higher-order";
            let help = "make it an ordinary definition, and call it from an entry point";
            self.bad_entry(span, message, Some(reference), help, Section::HigherOrderEntry);
        }
    }

    /// Checks that an array argument determines each size parameter: callers pass only arrays.
    fn check_entry_sizes(&mut self, dec: &ValueDec, function: &Function) {
        let determined: Vec<ValueId> =
            function.params.iter().flat_map(|param| visible_sizes(&param.pattern.ty)).collect();
        let Some(size) = function.size_params.iter().copied().find(|size| !determined.contains(size)) else {
            return;
        };
        let name = self.names.get(&size).map_or_else(String::new, |name| format!(" [{name}]"));
        let taken = function.params.iter().any(|param| param.pattern.ty.mentions(size));
        let entry = dec.name.node;
        let message = format!("No argument of entry point `{entry}` determines the size{name}");
        let (reference, section) = match taken {
            true => (
                format!("Entry point size parameter{name} only used non-constructively"),
                Section::NonconstructiveEntry,
            ),
            false => (
                "Entry point functions must not be size-polymorphic in their return type".to_owned(),
                Section::SizePolymorphicEntry,
            ),
        };
        self.bad_entry(
            dec.name.span,
            message,
            Some(&reference),
            "make the size a parameter of type `i64`",
            section,
        );
    }

    /// Reports a definition that cannot be an entry point. `reference` is how Futhark's compiler calls the error, if it
    /// has other words.
    fn bad_entry(
        &mut self,
        span: Span,
        message: String,
        reference: Option<&str>,
        help: &str,
        section: Section,
    ) {
        let error = Diagnostic::error(Code::BadEntry, span, message).help(help).section(section);
        self.diagnostics.push(reference.into_iter().fold(error, Diagnostic::note));
    }
}
