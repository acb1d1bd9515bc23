//! The end of inference for a definition: resolves overloading, substitutes all flexible types and sizes, and
//! checks every pattern against its type.

use ravel_base::{Code, Diagnostic, Limitation, Section, Span, Symbol};
use ravel_prim::{CmpOp, PrimType, PrimValue};
use ravel_syntax::ast::Literal;

use crate::checker::Checker;
use crate::class::Class;
use crate::exhaustiveness::may_fail;
use crate::exp::TYPE_LIMIT;
use crate::tast::{
    Exp, ExpNode, Function, FunctionBody, LoopForm, Pattern, PatternNode, Size, SliceDim, Type,
};
use crate::unify::{ERROR, ERROR_SIZE, FLEXIBLE};

impl Checker<'_> {
    /// Binds each undetermined overloaded type to its default. If `report` is set, reports the types without a default.
    pub(crate) fn default_types(&mut self, report: bool) {
        let mut defaults = Vec::new();
        let mut ambiguous = Vec::new();
        for (id, constraints) in self.unifier.free_types() {
            if let Some(prim) = constraints.class.default_type() {
                defaults.push((id, prim));
            } else if let Some((field, ..)) = constraints.fields.first() {
                let why = format!("Must be a record with fields `{field}`");
                ambiguous.push((constraints.span, why, Some(*field)));
            } else if let Some((constructor, ..)) = constraints.constructors.first() {
                let why = format!("Must be a sum type with constructors `#{constructor}`");
                ambiguous.push((constraints.span, why, None));
            } else if !constraints.class.has_params() {
                let why = match constraints.class {
                    Class::EQUALITY => "An arbitrary type does not support equality".to_owned(),
                    class => format!("Must be {}", class.describe()),
                };
                ambiguous.push((constraints.span, why, None));
            }
        }
        for (id, prim) in defaults {
            let bound = self.unifier.unify(&Type::Param(id), &Type::Prim(prim));
            debug_assert!(bound.is_ok(), "a class holds its default");
        }
        for (span, why, field) in ambiguous.into_iter().filter(|_| report) {
            let hiding = field.and_then(|field| self.hidden_module(self.quote(span), field));
            let message = format!("Type is ambiguous. {why}");
            let diagnostic = Diagnostic::error(Code::AmbiguousType, span, message)
                .caret("nothing here determines the type")
                .help(hiding.unwrap_or_else(|| "add a type annotation".to_owned()))
                .section(Section::AmbiguousType);
            self.diagnostics.push(diagnostic);
        }
    }

    /// Substitutes all flexible types and sizes in a function.
    pub(crate) fn finish_function(&mut self, function: &mut Function) {
        for param in &mut function.params {
            self.finish_binding(&mut param.pattern);
        }
        self.check_accessible(function);
        self.finish_type(&mut function.result, None);
        if let FunctionBody::Exp(body) = &mut function.body {
            self.finish_exp(body);
        }
    }

    /// Finishes a pattern that must be irrefutable.
    fn finish_binding(&mut self, pattern: &mut Pattern) {
        let checked = may_fail(pattern) && !self.is_wrong(&pattern.ty);
        self.finish_pattern(pattern);
        if checked {
            self.check_irrefutable(pattern);
        }
    }

    /// Whether an earlier error left the type open, so that no further error should be reported.
    fn is_wrong(&self, ty: &Type) -> bool {
        let mut wrong = false;
        self.unifier.resolve(ty).each_param(&mut |id| wrong |= Type::Param(id) == ERROR);
        wrong
    }

    fn finish_pattern(&mut self, pattern: &mut Pattern) {
        self.finish_type(&mut pattern.ty, Some(pattern.span));
        match &mut pattern.node {
            PatternNode::Name(..) | PatternNode::Wildcard => {}
            PatternNode::Tuple(parts) | PatternNode::Constructor(_, parts) => {
                parts.iter_mut().for_each(|part| self.finish_pattern(part));
            }
            PatternNode::Literal(value) => self.finish_literal(value, &pattern.ty, pattern.span),
        }
    }

    /// Finishes a type. An undetermined type becomes `()`.
    fn finish_type(&mut self, ty: &mut Type, span: Option<Span>) {
        if matches!(ty, Type::Prim(_)) {
            return;
        }
        if self.unifier.is_larger(ty, TYPE_LIMIT) {
            // A type without a place is also the type of an expression.
            if let Some(span) = span {
                self.limit(Limitation::TypeSize, span);
            }
            *ty = ERROR;
            return;
        }
        let mut open = None;
        *ty = self.unifier.resolve(ty);
        self.settle_payloads(ty, false);
        *ty = self
            .unifier
            .resolve(ty)
            .map(&mut |id| (id.0 >= FLEXIBLE).then(|| Type::Tuple(Vec::new())), &mut |size| {
                close_size(size, &mut open)
            });
        self.report_open_size(open, span, "");
    }

    /// Binds the unbound existential and absent sizes in payloads of a result to 0: no value has such a payload.
    fn settle_payloads(&mut self, ty: &Type, in_payload: bool) {
        match ty {
            Type::Array(row, size) => {
                if let Size::Var(id) = self.unifier.size(size)
                    && in_payload
                    && self.unifier.may_be_any(id)
                {
                    let settled = self.unifier.unify_size(&Size::Var(id), &Size::Const(0));
                    debug_assert!(settled.is_ok(), "a free size takes any other");
                }
                self.settle_payloads(row, in_payload);
            }
            Type::Sum(_) => ty.parts().into_iter().for_each(|part| self.settle_payloads(part, true)),
            Type::Tuple(_) | Type::Record(_) => {
                ty.parts().into_iter().for_each(|part| self.settle_payloads(part, in_payload));
            }
            Type::Function(function) => {
                self.settle_payloads(&function.from, in_payload);
                self.settle_payloads(&function.to, in_payload);
            }
            Type::Prim(_) | Type::Param(_) | Type::Abstract(_) => {}
        }
    }

    /// For a field access: binds to 0 the sizes that nothing determines in the other fields. They are sizes of
    /// arguments of functions in those fields, which are not called here, so any size is correct.
    fn settle_other_parts(&mut self, value: &Exp, field: Symbol) {
        let ty = self.unifier.resolve(&value.ty);
        let mut open = Vec::new();
        let used = ty.field(field);
        for (at, part) in ty.parts().into_iter().enumerate() {
            if Some(at) != used {
                self.collect_sizes_of_functions(part, &mut open);
            }
        }
        for id in open {
            let settled = self.unifier.unify_size(&Size::Var(id), &Size::Const(0));
            debug_assert!(settled.is_ok(), "a free size takes any other");
        }
    }

    /// Completes a size. `what` says for a message what the size is, before the text at the span.
    fn finish_size(&mut self, size: &mut Size, span: Span, what: &str) {
        let mut open = None;
        *size = close_size(&self.unifier.size(size), &mut open);
        self.report_open_size(open, Some(span), what);
    }

    fn report_open_size(&mut self, open: Option<Size>, span: Option<Span>, what: &str) {
        let Some(open @ Size::Var(id)) = open else { return };
        let Some(origin) = self.unifier.free_size(id) else { return };
        let span = span.unwrap_or(origin);
        let diagnostic = Diagnostic::error(Code::UnboundSize, span, "Size cannot be inferred")
            .caret("nothing determines the size of this value")
            .note(format!("Ambiguous size arising from {what}`{}`", self.quote(span)))
            .help("state the size by an explicit type ascription: `e : [n]t`")
            .section(Section::AmbiguousSize);
        self.diagnostics.push(diagnostic);
        // Report each size once.
        let bound = self.unifier.unify_size(&open, &Size::Const(0));
        debug_assert!(bound.is_ok(), "a free size takes any other");
    }

    fn finish_exp(&mut self, exp: &mut Exp) {
        if let ExpNode::Var { id, types, sizes } = &mut exp.node {
            self.complete_own_instance(*id, types, sizes);
            let what = "instantiated size parameter of ";
            sizes.iter_mut().for_each(|size| self.finish_size(size, exp.span, what));
        }
        self.finish_type(&mut exp.ty, Some(exp.span));
        match &mut exp.node {
            ExpNode::Const(value) => self.finish_literal(value, &exp.ty, exp.span),
            ExpNode::Hole => self.finish_hole(exp),
            ExpNode::Size(size) => self.finish_size(size, exp.span, ""),
            ExpNode::Var { types, .. } => {
                types.iter_mut().for_each(|ty| self.finish_type(ty, Some(exp.span)));
            }
            ExpNode::Tuple(parts) | ExpNode::Array(parts) | ExpNode::Constructor(_, parts) => {
                parts.iter_mut().for_each(|part| self.finish_exp(part));
            }
            ExpNode::Record(fields) => fields.iter_mut().for_each(|(_, value)| self.finish_exp(value)),
            ExpNode::Range(range) => {
                self.finish_exp(&mut range.start);
                range.second.iter_mut().for_each(|second| self.finish_exp(second));
                self.finish_exp(&mut range.end);
            }
            ExpNode::Apply(function, arguments) => {
                self.finish_exp(function);
                arguments.iter_mut().for_each(|argument| self.finish_exp(argument));
            }
            ExpNode::Project(inner, field) => {
                self.settle_other_parts(inner, *field);
                self.finish_exp(inner);
            }
            ExpNode::Coerce(inner) => {
                let mut open = None;
                self.unifier.resolve(&inner.ty).each_size(&mut |size| {
                    close_size(size, &mut open);
                });
                self.report_open_size(open, Some(inner.span), "the size coercion of ");
                self.finish_exp(inner);
            }
            ExpNode::Unary(_, inner) | ExpNode::Attributed(_, inner) => self.finish_exp(inner),
            ExpNode::Binary(_, a, b)
            | ExpNode::Compare(_, a, b)
            | ExpNode::And(a, b)
            | ExpNode::Or(a, b)
            | ExpNode::RecordUpdate(a, _, b)
            | ExpNode::Assert(a, b, _) => {
                self.finish_exp(a);
                self.finish_exp(b);
            }
            ExpNode::Equal(..) => self.finish_equal(exp),
            ExpNode::Index(array, dims) => {
                self.finish_exp(array);
                self.finish_dims(dims);
            }
            ExpNode::Update(array, dims, value) => {
                self.finish_exp(array);
                self.finish_dims(dims);
                self.finish_exp(value);
            }
            ExpNode::Let { sizes, pattern, value, body } => {
                sizes.iter_mut().for_each(|(_, size)| self.finish_size(size, exp.span, ""));
                self.finish_exp(value);
                self.finish_binding(pattern);
                self.finish_exp(body);
            }
            ExpNode::LetFunction { function, body, .. } => {
                self.finish_function(function);
                self.finish_exp(body);
            }
            ExpNode::If(condition, a, b) => {
                self.finish_exp(condition);
                self.finish_exp(a);
                self.finish_exp(b);
            }
            ExpNode::Match(subject, cases) => {
                let checked = !self.is_wrong(&subject.ty);
                self.finish_exp(subject);
                for (pattern, body) in cases.iter_mut() {
                    self.finish_pattern(pattern);
                    self.finish_exp(body);
                }
                if checked {
                    self.check_cases(subject, cases);
                }
            }
            ExpNode::Loop(inner) => {
                inner.sizes.iter_mut().for_each(|(_, size)| self.finish_size(size, exp.span, ""));
                self.finish_exp(&mut inner.init);
                self.finish_binding(&mut inner.pattern);
                match &mut inner.form {
                    LoopForm::For(_, _, bound) | LoopForm::While(bound) => self.finish_exp(bound),
                    LoopForm::ForIn(pattern, sequence) => {
                        self.finish_exp(sequence);
                        self.finish_binding(pattern);
                    }
                }
                self.finish_exp(&mut inner.body);
            }
            ExpNode::Lambda(function) => self.finish_function(function),
        }
    }

    /// `==` of scalars is a comparison.
    fn finish_equal(&mut self, exp: &mut Exp) {
        let node = std::mem::replace(&mut exp.node, ExpNode::Tuple(Vec::new()));
        if let ExpNode::Equal(equal, mut a, mut b) = node {
            self.finish_exp(&mut a);
            self.finish_exp(&mut b);
            exp.node = match a.ty {
                Type::Prim(_) => ExpNode::Compare(if equal { CmpOp::Eq } else { CmpOp::Ne }, a, b),
                _ => ExpNode::Equal(equal, a, b),
            };
        }
    }

    fn finish_dims(&mut self, dims: &mut [SliceDim]) {
        for dim in dims {
            match dim {
                SliceDim::Fix(index) => self.finish_exp(index),
                SliceDim::Range { start, end, stride } => {
                    [start, end, stride].into_iter().flatten().for_each(|bound| self.finish_exp(bound));
                }
            }
        }
    }

    /// Replaces the index of a literal by its value.
    fn finish_literal(&mut self, value: &mut PrimValue, ty: &Type, span: Span) {
        if let Some(literal) = self.literals.get(value.bits() as usize).cloned() {
            *value = self.literal_value(&literal, ty, span);
        }
    }

    /// Reports the literals in the expression that their types do not hold. Returns whether there are none.
    pub(crate) fn literals_fit(&mut self, exp: &Exp) -> bool {
        let errors = self.diagnostics.len();
        let mut waiting = vec![exp];
        while let Some(exp) = waiting.pop() {
            if let ExpNode::Const(mut value) = exp.node {
                let ty = self.unifier.resolve(&exp.ty);
                self.finish_literal(&mut value, &ty, exp.span);
            }
            waiting.extend(exp.children().into_iter().rev());
        }
        self.diagnostics.len() == errors
    }

    /// The value of a literal of a known type.
    fn literal_value(&mut self, literal: &Literal, ty: &Type, span: Span) -> PrimValue {
        let Type::Prim(prim) = *ty else { return PrimValue::Bool(false) };
        let value = match literal {
            Literal::Bool(value) => Some(PrimValue::Bool(*value)),
            Literal::Char(code) => {
                return self.literal_value(&Literal::Integer(*code as i128, None), ty, span);
            }
            Literal::Integer(value, suffix) if prim.is_float() => {
                let value = PrimValue::parse(&format!("{value}.0{prim}"));
                value.filter(|value| suffix.is_some() || is_finite(value))
            }
            Literal::Integer(value, Some(_)) => bit_pattern(*value, prim),
            Literal::Integer(value, None) => integer(*value, prim),
            Literal::Float(digits, suffix) => {
                let value = PrimValue::parse(&format!("{digits}{prim}"));
                value.filter(|value| suffix.is_some() || is_finite(value))
            }
            Literal::String(_) => None,
        };
        value.unwrap_or_else(|| {
            let message = match literal {
                Literal::Integer(value, _) => {
                    format!("Literal {value} out of bounds for inferred type {prim}")
                }
                Literal::Float(digits, None) if prim.is_float() => {
                    format!("Literal {digits} out of bounds for inferred type {prim}")
                }
                _ => format!("this is not a literal of type `{prim}`"),
            };
            let error = Diagnostic::error(Code::BadLiteral, span, message).help(range(prim));
            self.diagnostics.push(error.section(Section::LiteralOutOfBounds));
            PrimValue::zero(prim)
        })
    }
}

/// The values that a type holds.
fn range(prim: PrimType) -> String {
    let bits = prim.bits();
    match prim {
        PrimType::F16 => "f16 holds numbers up to 65504: write the type `f32` or `f64`".to_owned(),
        PrimType::F32 => "f32 holds numbers up to 3.4e38: write the type `f64`".to_owned(),
        PrimType::F64 => "f64 holds numbers up to 1.8e308, and has `f64.inf`".to_owned(),
        PrimType::Bool => "the values of bool are `true` and `false`".to_owned(),
        _ if prim.is_signed() => {
            let end = 1i128 << (bits - 1);
            format!("{prim} holds {} to {}", -end, end - 1)
        }
        _ => format!("{prim} holds 0 to {}", (1i128 << bits) - 1),
    }
}

/// The integer, if it is in the range of the type.
fn integer(value: i128, prim: PrimType) -> Option<PrimValue> {
    let bits = prim.bits();
    let range = match prim.is_signed() {
        true => -(1i128 << (bits - 1))..1i128 << (bits - 1),
        false => 0..1i128 << bits,
    };
    range.contains(&value).then(|| PrimValue::from_bits(prim, value as u64))
}

/// The integer as the bits of the type, as data may be written too: `255i8` is -1, and `-1u8` is 255.
pub(crate) fn bit_pattern(value: i128, prim: PrimType) -> Option<PrimValue> {
    let bits = prim.bits();
    let range = -(1i128 << (bits - 1))..1i128 << bits;
    range.contains(&value).then(|| PrimValue::from_bits(prim, value as u64))
}

/// Whether the number is finite. A literal without a suffix may not be infinite.
fn is_finite(value: &PrimValue) -> bool {
    match value {
        PrimValue::F16(value) => value.is_finite(),
        PrimValue::F32(value) => value.is_finite(),
        PrimValue::F64(value) => value.is_finite(),
        _ => true,
    }
}

fn close_size(size: &Size, open: &mut Option<Size>) -> Size {
    size.any(&mut |id| {
        if id.0 >= FLEXIBLE && Size::Var(id) != ERROR_SIZE {
            *open = Some(Size::Var(id));
        }
        false
    });
    size.clone()
}
