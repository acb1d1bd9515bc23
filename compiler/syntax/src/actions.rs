//! The grammar's semantic actions, which build tree nodes.

use std::collections::BTreeMap;

use ravel_base::{Code, Diagnostic, FileId, Section, Span, Symbol};

use crate::ast::*;
use crate::token::{Operator, Token};

type ParseError = lalrpop_util::ParseError<usize, Token, Box<Diagnostic>>;

/// The file that the actions build nodes for.
pub(crate) struct Context {
    pub(crate) file: FileId,
    /// Doc comments by the offset of the token after them.
    pub(crate) docs: BTreeMap<usize, String>,
}

impl Context {
    pub(crate) fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.file, start, end.max(start))
    }

    pub(crate) fn doc(&self, start: usize) -> Option<String> {
        self.docs.get(&start).cloned()
    }

    // Names

    pub(crate) fn name(&self, start: usize, name: Symbol, end: usize) -> Name {
        Spanned { node: name, span: self.span(start, end) }
    }

    pub(crate) fn unqualified(&self, name: Name) -> QualName {
        QualName { quals: Vec::new(), name: name.node, span: name.span }
    }

    pub(crate) fn qualified(&self, outer: QualName, name: Name) -> QualName {
        let mut quals = outer.quals;
        quals.push(outer.name);
        QualName { quals, name: name.node, span: outer.span.to(name.span) }
    }

    pub(crate) fn operator(&self, start: usize, operator: Operator, end: usize) -> QualName {
        QualName { quals: operator.quals, name: operator.name, span: self.span(start, end) }
    }

    pub(crate) fn symbol(&self, start: usize, operator: &str, end: usize) -> QualName {
        QualName { quals: Vec::new(), name: Symbol::new(operator), span: self.span(start, end) }
    }

    /// The name of an operator that a definition binds. It must be unqualified. `&&` and `||` are refused: they
    /// evaluate their right operand only if it is needed, which no function can do.
    pub(crate) fn bound_operator(&self, operator: QualName) -> Result<Name, ParseError> {
        let error = |message| Diagnostic::error(Code::UnexpectedToken, operator.span, message);
        let error = if !operator.quals.is_empty() {
            error(format!("Cannot use a qualified name in binding position: `{operator}`"))
                .help("define the operator without the module's name in front")
        } else if let "&&" | "||" = operator.name.as_str() {
            error(format!("The {operator} operator may not be redefined"))
                .help("choose another name: `&&&` and `|||` have the same precedence")
                .section(Section::MayNotBeRedefined)
        } else {
            return Ok(Spanned { node: operator.name, span: operator.span });
        };
        Err(lalrpop_util::ParseError::User { error: Box::new(error) })
    }

    // Declarations

    /// Puts an attribute in front of a declaration. A value declaration stores its attributes; any other declaration is
    /// wrapped in [`Dec::Attributed`].
    pub(crate) fn attributed_dec(&self, start: usize, attribute: Attribute, dec: Dec, end: usize) -> Dec {
        let mut dec = self.with_doc(start, dec);
        let mut inner = &mut dec;
        while let Dec::Local(local, _) = inner {
            inner = local;
        }
        if let Dec::Value(value) = inner {
            value.attributes.insert(0, attribute);
            value.span = self.span(start, value.span.end as usize);
            return dec;
        }
        Dec::Attributed(attribute, Box::new(dec), self.span(start, end))
    }

    pub(crate) fn local_dec(&self, start: usize, dec: Dec, end: usize) -> Dec {
        Dec::Local(Box::new(self.with_doc(start, dec)), self.span(start, end))
    }

    /// Gives a declaration the doc comment in front of its attribute or `local`.
    fn with_doc(&self, start: usize, mut dec: Dec) -> Dec {
        let Some(text) = self.doc(start) else { return dec };
        let mut inner = &mut dec;
        while let Dec::Local(of, _) | Dec::Attributed(_, of, _) = inner {
            inner = of;
        }
        match inner {
            Dec::Value(ValueDec { doc, .. })
            | Dec::Type(TypeDec { doc, .. })
            | Dec::Module(ModuleDec { doc, .. })
            | Dec::ModuleType(ModuleTypeDec { doc, .. }) => *doc = Some(text),
            Dec::Local(..) | Dec::Attributed(..) | Dec::Open(..) | Dec::Import(..) | Dec::Error(_) => {}
        }
        dec
    }

    /// Puts an attribute in front of a specification. That of a value stores its attributes; any other specification is
    /// wrapped in [`Spec::Attributed`].
    pub(crate) fn attributed_spec(&self, start: usize, attribute: Attribute, mut spec: Spec) -> Spec {
        if let Some(text) = self.doc(start) {
            spec = documented_spec(spec, text);
        }
        if let Spec::Value { attributes, .. } = &mut spec {
            attributes.insert(0, attribute);
            return spec;
        }
        Spec::Attributed(attribute, Box::new(spec))
    }

    // Types and patterns

    pub(crate) fn ty(&self, start: usize, node: TypeExpNode, end: usize) -> TypeExp {
        TypeExp { node, span: self.span(start, end) }
    }

    pub(crate) fn pattern(&self, start: usize, node: PatternNode, end: usize) -> Pattern {
        Pattern { node, span: self.span(start, end) }
    }

    pub(crate) fn name_pattern(&self, name: Name) -> Pattern {
        Pattern { node: PatternNode::Name(name.node), span: name.span }
    }

    pub(crate) fn negated(&self, literal: Literal) -> Literal {
        match literal {
            Literal::Integer(value, ty) => Literal::Integer(-value, ty),
            Literal::Float(digits, ty) => Literal::Float(format!("-{digits}"), ty),
            other => other,
        }
    }

    // Expressions

    pub(crate) fn exp(&self, start: usize, node: ExpNode, end: usize) -> Exp {
        Exp { node, span: self.span(start, end) }
    }

    pub(crate) fn variable(&self, name: QualName) -> Exp {
        let span = name.span;
        Exp { node: ExpNode::Name(name), span }
    }

    pub(crate) fn binary(&self, left: Exp, operator: QualName, right: Exp) -> Exp {
        let span = left.span.to(right.span);
        Exp { node: ExpNode::Binary(Box::new(left), operator, Box::new(right)), span }
    }

    pub(crate) fn range(&self, start: Exp, second: Option<Exp>, end: RangeEnd) -> Exp {
        let (RangeEnd::Inclusive(last) | RangeEnd::Below(last) | RangeEnd::Above(last)) = &end;
        let span = start.span.to(last.span);
        Exp { node: ExpNode::Range(Box::new(Range { start, second, end })), span }
    }

    pub(crate) fn apply(&self, function: Exp, argument: Exp) -> Exp {
        let span = function.span.to(argument.span);
        Exp { node: ExpNode::Apply(Box::new(function), Box::new(argument)), span }
    }

    /// Adds an argument to a constructor, which may have arguments already.
    pub(crate) fn apply_constructor(&self, mut constructor: Exp, argument: Exp) -> Exp {
        constructor.span = constructor.span.to(argument.span);
        if let ExpNode::Constructor(_, arguments) = &mut constructor.node {
            arguments.push(argument);
        }
        constructor
    }

    pub(crate) fn let_(
        &self,
        start: usize,
        sizes: Vec<Name>,
        pattern: Pattern,
        value: Exp,
        body: Exp,
        end: usize,
    ) -> Exp {
        let node =
            ExpNode::Let { sizes, pattern: Box::new(pattern), value: Box::new(value), body: Box::new(body) };
        self.exp(start, node, end)
    }

    pub(crate) fn let_update(
        &self,
        start: usize,
        name: Name,
        path: Vec<Step>,
        value: Exp,
        body: Exp,
        end: usize,
    ) -> Exp {
        let node = ExpNode::LetUpdate { name, path, value: Box::new(value), body: Box::new(body) };
        self.exp(start, node, end)
    }

    #[allow(clippy::too_many_arguments, reason = "the parts of one form of the grammar")]
    pub(crate) fn let_function(
        &self,
        start: usize,
        name: Name,
        (type_params, params): (Vec<TypeParam>, Vec<Pattern>),
        result: Option<TypeExp>,
        value: Exp,
        body: Exp,
        end: usize,
    ) -> Exp {
        let node = ExpNode::LetFunction {
            name,
            type_params,
            params,
            result: result.map(Box::new),
            value: Box::new(value),
            body: Box::new(body),
        };
        self.exp(start, node, end)
    }
}

/// Gives a specification the doc comment in front of its attribute.
fn documented_spec(mut spec: Spec, text: String) -> Spec {
    let mut inner = &mut spec;
    while let Spec::Attributed(_, of) = inner {
        inner = of;
    }
    match inner {
        Spec::Value { doc, .. } | Spec::Type(TypeDec { doc, .. }) | Spec::AbstractType { doc, .. } => {
            *doc = Some(text);
        }
        Spec::Module(..) | Spec::Include(_) | Spec::Attributed(..) => {}
    }
    spec
}
