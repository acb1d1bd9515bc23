//! Random trees of the forms that the parser builds.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use ravel_base::{FileId, Span, Symbol};
use ravel_prim::PrimType;

use crate::ast::*;

fn span() -> Span {
    Span::new(FileId(0), 0, 0)
}

fn node(node: ExpNode) -> Exp {
    Exp { node, span: span() }
}

fn symbol() -> impl Strategy<Value = Symbol> + Clone {
    select(vec!["a", "b'", "_c", "x1"]).prop_map(Symbol::new)
}

fn name() -> impl Strategy<Value = Name> + Clone {
    symbol().prop_map(|node| Spanned { node, span: span() })
}

fn field() -> impl Strategy<Value = Name> + Clone {
    select(vec!["a", "0", "12"]).prop_map(|field| Spanned { node: Symbol::new(field), span: span() })
}

fn qual_name() -> impl Strategy<Value = QualName> + Clone {
    (vec(symbol(), 0..2), symbol()).prop_map(|(quals, name)| QualName { quals, name, span: span() })
}

fn operator() -> impl Strategy<Value = QualName> + Clone {
    let text =
        select(vec!["+", "-", "*", "/^", "**", "<", "==", "||", "&&", "|>", "<|", "|", "<<", "a", ">->"]);
    (vec(symbol(), 0..2), text).prop_map(|(quals, text)| {
        // The symbols of the grammar have no qualified form.
        QualName {
            quals: if text == "a" { quals } else { Vec::new() },
            name: Symbol::new(text),
            span: span(),
        }
    })
}

fn literal() -> impl Strategy<Value = Literal> + Clone {
    prop_oneof![
        (0..300_i128).prop_map(|value| Literal::Integer(value, None)),
        (0..300_i128).prop_map(|value| Literal::Integer(value, Some(PrimType::I8))),
        select(vec!["1.5", "2e-3"]).prop_map(|digits| Literal::Float(digits.to_owned(), Some(PrimType::F32))),
        any::<bool>().prop_map(Literal::Bool),
        any::<char>().prop_map(Literal::Char),
        any::<String>().prop_map(Literal::String),
    ]
}

fn ty() -> impl Strategy<Value = TypeExp> + Clone {
    let make = |node| TypeExp { node, span: span() };
    let leaf = qual_name().prop_map(move |name| make(TypeExpNode::Name(name, Vec::new())));
    leaf.prop_recursive(3, 12, 3, move |ty| {
        let size = option::of(name()).prop_map(|name| match name {
            Some(name) => SizeExp::Exp(Box::new(node(ExpNode::Name(QualName {
                quals: Vec::new(),
                name: name.node,
                span: span(),
            })))),
            None => SizeExp::Anonymous(span()),
        });
        let arg = prop_oneof![size.clone().prop_map(TypeArg::Size), ty.clone().prop_map(TypeArg::Type)];
        let boxed = ty.clone().prop_map(Box::new);
        prop_oneof![
            (qual_name(), vec(arg, 1..3)).prop_map(|(name, args)| TypeExpNode::Name(name, args)),
            (size, boxed.clone()).prop_map(|(size, element)| TypeExpNode::Array(size, element)),
            vec(ty.clone(), 2..4).prop_map(TypeExpNode::Tuple),
            vec((field(), ty.clone()), 0..3).prop_map(TypeExpNode::Record),
            vec((name(), vec(ty, 0..3)), 1..3).prop_map(TypeExpNode::Sum),
            (option::of(name()), boxed.clone(), boxed.clone())
                .prop_map(|(name, from, to)| TypeExpNode::Function(name, from, to)),
            boxed.clone().prop_map(TypeExpNode::Unique),
            (vec(name(), 1..3), boxed).prop_map(|(sizes, body)| TypeExpNode::Exists(sizes, body)),
        ]
        .prop_map(make)
    })
}

fn pattern() -> impl Strategy<Value = Pattern> + Clone {
    let make = |node| Pattern { node, span: span() };
    let leaf = prop_oneof![
        symbol().prop_map(PatternNode::Name),
        Just(PatternNode::Name(Symbol::new("+"))),
        Just(PatternNode::Wildcard),
        (-9..9_i128).prop_map(|value| PatternNode::Literal(Literal::Integer(value, None))),
    ];
    leaf.prop_map(make).prop_recursive(3, 8, 3, move |pattern| {
        let boxed = pattern.clone().prop_map(Box::new);
        let attribute = symbol().prop_map(|word| Attribute { node: AttributeNode::Word(word), span: span() });
        prop_oneof![
            vec(pattern.clone(), 2..4).prop_map(PatternNode::Tuple),
            vec((name(), pattern.clone()), 0..3).prop_map(PatternNode::Record),
            (symbol(), vec(pattern, 0..3))
                .prop_map(|(name, payload)| PatternNode::Constructor(name, payload)),
            (boxed.clone(), ty().prop_map(Box::new)).prop_map(|(inner, ty)| PatternNode::Ascribed(inner, ty)),
            (attribute, boxed).prop_map(|(attribute, inner)| PatternNode::Attributed(attribute, inner)),
        ]
        .prop_map(make)
    })
}

/// A random expression.
pub fn exp() -> impl Strategy<Value = Exp> + Clone {
    let leaf = prop_oneof![
        qual_name().prop_map(ExpNode::Name),
        Just(ExpNode::Name(QualName { quals: Vec::new(), name: Symbol::new("-"), span: span() })),
        literal().prop_map(ExpNode::Literal),
        symbol().prop_map(|name| ExpNode::Constructor(name, Vec::new())),
        vec(field().prop_map(Step::Field), 1..3).prop_map(ExpNode::SectionPath),
        Just(ExpNode::Hole),
    ];
    leaf.prop_map(node).prop_recursive(5, 40, 4, |exp| {
        prop_oneof![operators(exp.clone()), brackets(exp.clone()), bindings(exp.clone()), branches(exp)]
            .prop_map(node)
    })
}

type Nodes = BoxedStrategy<ExpNode>;

fn operators(exp: impl Strategy<Value = Exp> + Clone + 'static) -> Nodes {
    let boxed = exp.clone().prop_map(Box::new);
    let ty = ty().prop_map(Box::new);
    let end = (0..3, exp.clone()).prop_map(|(kind, end)| match kind {
        0 => RangeEnd::Inclusive(end),
        1 => RangeEnd::Below(end),
        _ => RangeEnd::Above(end),
    });
    // `(- x)` is the negated x.
    let section = operator().prop_filter("a minus is a sign", |operator| operator.name.as_str() != "-");
    prop_oneof![
        (boxed.clone(), boxed.clone()).prop_map(|(f, x)| ExpNode::Apply(f, x)),
        (boxed.clone(), operator(), boxed.clone()).prop_map(|(a, o, b)| ExpNode::Binary(a, o, b)),
        boxed.clone().prop_map(ExpNode::Negate),
        boxed.clone().prop_map(ExpNode::Not),
        (boxed.clone(), ty.clone()).prop_map(|(e, ty)| ExpNode::Ascribe(e, ty)),
        (boxed.clone(), ty).prop_map(|(e, ty)| ExpNode::Coerce(e, ty)),
        (boxed.clone(), boxed.clone()).prop_map(|(c, e)| ExpNode::Assert(c, e)),
        (section, boxed.clone()).prop_map(|(o, e)| ExpNode::SectionRight(o, e)),
        (boxed, operator()).prop_map(|(e, o)| ExpNode::SectionLeft(e, o)),
        (exp.clone(), option::of(exp), end)
            .prop_map(|(start, second, end)| ExpNode::Range(Box::new(Range { start, second, end }))),
    ]
    .boxed()
}

fn brackets(exp: impl Strategy<Value = Exp> + Clone + 'static) -> Nodes {
    let boxed = exp.clone().prop_map(Box::new);
    prop_oneof![
        vec(exp.clone(), 2..4).prop_map(ExpNode::Tuple),
        vec(exp.clone(), 0..3).prop_map(ExpNode::Array),
        vec((name(), exp.clone()), 0..3).prop_map(ExpNode::Record),
        (symbol(), vec(exp.clone(), 1..3)).prop_map(|(name, args)| ExpNode::Constructor(name, args)),
        (boxed.clone(), field()).prop_map(|(e, field)| ExpNode::Project(e, field)),
        (boxed.clone(), slice(exp.clone())).prop_map(|(e, slice)| ExpNode::Index(e, slice)),
        path(exp.clone()).prop_map(ExpNode::SectionPath),
        (boxed.clone(), path(exp).prop_filter("a number", |path| !begins_as_number(path)), boxed.clone())
            .prop_map(|(old, path, v)| ExpNode::Update(old, path, v)),
        (qual_name(), boxed).prop_map(|(module, e)| ExpNode::OpenIn(module, e)),
    ]
    .boxed()
}

/// `0.0` would be parsed as a number, not as a path of two components.
fn begins_as_number(path: &[Step]) -> bool {
    let is_number = |field: &Name| field.node.as_str().starts_with(|c: char| c.is_ascii_digit());
    matches!(path, [Step::Field(a), Step::Field(b), ..] if is_number(a) && is_number(b))
}

fn path(exp: impl Strategy<Value = Exp> + Clone + 'static) -> impl Strategy<Value = Vec<Step>> + Clone {
    vec(prop_oneof![slice(exp).prop_map(Step::Part), field().prop_map(Step::Field)], 1..3)
}

fn slice(exp: impl Strategy<Value = Exp> + Clone + 'static) -> impl Strategy<Value = Vec<SliceDim>> + Clone {
    let range = (option::of(exp.clone()), option::of(exp.clone()), option::of(exp.clone()))
        .prop_map(|(start, end, stride)| SliceDim::Range { start, end, stride, span: span() });
    vec(prop_oneof![exp.prop_map(SliceDim::Fix), range], 1..3)
}

fn bindings(exp: impl Strategy<Value = Exp> + Clone + 'static) -> Nodes {
    let boxed = exp.clone().prop_map(Box::new);
    let type_param = prop_oneof![
        name().prop_map(TypeParam::Size),
        name().prop_map(|name| TypeParam::Type(Liftedness::SizeLifted, name)),
    ];
    let result = option::of(ty().prop_map(Box::new));
    prop_oneof![
        (vec(name(), 0..2), pattern().prop_map(Box::new), boxed.clone(), boxed.clone())
            .prop_map(|(sizes, pattern, value, body)| ExpNode::Let { sizes, pattern, value, body }),
        (name(), path(exp), boxed.clone(), boxed.clone())
            .prop_map(|(name, path, value, body)| ExpNode::LetUpdate { name, path, value, body }),
        (name(), vec(type_param, 0..2), vec(pattern(), 1..3), result.clone(), boxed.clone(), boxed.clone())
            .prop_map(|(name, type_params, params, result, value, body)| ExpNode::LetFunction {
                name,
                type_params,
                params,
                result,
                value,
                body
            }),
        (vec(pattern(), 1..3), result, boxed).prop_map(|(params, result, body)| ExpNode::Lambda {
            params,
            result,
            body
        }),
    ]
    .boxed()
}

fn branches(exp: impl Strategy<Value = Exp> + Clone + 'static) -> Nodes {
    let boxed = exp.clone().prop_map(Box::new);
    let form = prop_oneof![
        (name(), exp.clone()).prop_map(|(i, bound)| LoopForm::For(i, bound)),
        (pattern(), exp.clone()).prop_map(|(pattern, array)| LoopForm::ForIn(pattern, array)),
        exp.clone().prop_map(LoopForm::While),
    ];
    let attribute = symbol().prop_map(|word| Attribute { node: AttributeNode::Word(word), span: span() });
    prop_oneof![
        (boxed.clone(), boxed.clone(), boxed.clone()).prop_map(|(c, a, b)| ExpNode::If(c, a, b)),
        (pattern().prop_map(Box::new), option::of(boxed.clone()), form.prop_map(Box::new), boxed.clone())
            .prop_map(|(pattern, init, form, body)| ExpNode::Loop {
                sizes: Vec::new(),
                pattern,
                init,
                form,
                body
            }),
        (boxed.clone(), vec((pattern(), exp), 1..4))
            .prop_map(|(subject, cases)| ExpNode::Match(subject, cases)),
        (attribute, boxed).prop_map(|(attribute, e)| ExpNode::Attributed(attribute, e)),
    ]
    .boxed()
}
