//! `#[recurrence(g)]`: a recurrence that a definition promises to satisfy.
//!
//! On `def f c i = …` the attribute states that `f c (i + 1)` equals `g c (f c i) i` for every
//! `i >= 0`. The checker adds the definition `\c i -> (f c (i + 1), g c (f c i) i)`. So the names and types
//! of the promise are checked at its place in the source, and parametric modules copy it like any other
//! definition. Tests can call the definition; programs cannot.

use ravel_base::{Code, Diagnostic, Span, Symbol};
use ravel_syntax::ast::{self, Attribute, AttributeNode, ExpNode, Literal, ValueDec};

use crate::checker::Checker;
use crate::desugar::{apply, binary, name, pattern};
use crate::env::Item;
use crate::function::FunctionSyntax;
use crate::report::Context;
use crate::tast::{Definition, Type};

/// Whether the attribute is `recurrence`, well-formed or not.
pub(crate) fn is_recurrence(attribute: &Attribute) -> bool {
    match &attribute.node {
        AttributeNode::Word(word) | AttributeNode::Call(word, _) => word.as_str() == "recurrence",
        AttributeNode::Number(_) | AttributeNode::Variable(_) => false,
    }
}

impl Checker<'_> {
    /// Checks the promise of the attribute. The definition has been checked before.
    pub(crate) fn recurrence(&mut self, dec: &ValueDec, attribute: &Attribute) {
        let arguments = match &attribute.node {
            AttributeNode::Call(_, arguments) => arguments.as_slice(),
            AttributeNode::Word(_) | AttributeNode::Number(_) | AttributeNode::Variable(_) => &[],
        };
        let [Attribute { node: AttributeNode::Word(by), span }] = *arguments else {
            let message = "`recurrence` takes the name of one function";
            let help = "write `#[recurrence(g)]`, where `f c (i + 1)` is `g c (f c i) i`";
            let error = Diagnostic::error(Code::UnexpectedToken, attribute.span, message);
            return self.diagnostics.push(error.help(help));
        };
        let errors = self.diagnostics.len();
        self.begin_declaration();
        let (params, body) = statement(dec, by, span);
        let written =
            FunctionSyntax { type_params: &[], params: &params, result: None, body: &body, own: None };
        let id = self.named_value(dec.name.node);
        let mut checked = self.function(written);
        if let Type::Tuple(both) = &checked.function.result
            && let [value, by_recurrence] = &both[..]
        {
            self.unify(span, value, by_recurrence, Context::Result);
        }
        self.complete(&mut checked, dec, errors);
        if self.no_errors_since(errors) {
            self.check_consumption(id, &mut checked.function);
        }
        if self.no_errors_since(errors) {
            let name = self.qualified(dec.name.node);
            self.items.push(Item::Definition(Definition {
                id,
                name,
                entry: false,
                noinline: false,
                promise: true,
                function: checked.function,
                span: dec.span,
            }));
            return;
        }
        // Only the first error is reported, since the later ones follow from it.
        let first = self.diagnostics[errors..].iter().find(|error| error.is_fatal()).cloned();
        self.diagnostics.truncate(errors);
        self.diagnostics.extend(first.map(|error| match error.kind {
            ravel_base::Kind::Error(Code::UnknownName) => error,
            _ => error.help(format!(
                "`{by}` takes what `{0}` takes, with the value before the index: `{0} c (i + 1)` is `{by} c ({0} c i) i`",
                dec.name.node
            )),
        }));
    }
}

/// The parameters and the body of `\c i -> (f c (i + 1), g c (f c i) i)`.
fn statement(dec: &ValueDec, by: Symbol, span: Span) -> (Vec<ast::Pattern>, ast::Exp) {
    let names: Vec<String> =
        (1..=dec.params.len().max(1)).map(|number| format!("argument {number}")).collect();
    let params = names.iter().map(|param| pattern(param, span)).collect();
    let variables: Vec<ast::Exp> = names.iter().map(|param| name(param, span)).collect();
    let (shared, index) = variables.split_at(variables.len() - 1);
    let call = |function: Symbol, last: Vec<ast::Exp>| {
        let args = shared.iter().cloned().chain(last);
        args.fold(name(function.as_str(), span), |function, arg| apply(function, arg, span))
    };
    let one = ast::Exp { node: ExpNode::Literal(Literal::Integer(1, None)), span };
    let plus = ast::QualName { quals: Vec::new(), name: Symbol::new("+"), span };
    let next = binary(index[0].clone(), &plus, one, span);
    let value = call(dec.name.node, index.to_vec());
    let both = vec![call(dec.name.node, vec![next]), call(by, vec![value, index[0].clone()])];
    (params, ast::Exp { node: ExpNode::Tuple(both), span })
}
