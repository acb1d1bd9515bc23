//! Holes: the expression that replaces `???` when its type is known.
//!
//! Compiled code has no function values, so a hole of a function type becomes a lambda whose body is a hole.
//! A hole of a tuple or record that contains functions becomes one hole for each part.

use ravel_base::{Code, Diagnostic, Span, Symbol};

use crate::checker::{Checker, exp};
use crate::tast::{Exp, ExpNode, Function, FunctionBody, Param, Pattern, PatternNode, Type};

impl Checker<'_> {
    /// Warns about a hole and replaces it.
    pub(crate) fn finish_hole(&mut self, hole: &mut Exp) {
        // After an error the type of the hole may be wrong.
        if self.no_errors_since(self.begin) {
            let message = format!("Hole of type {}", self.show(&hole.ty));
            let warning = Diagnostic::warning(Code::Hole, hole.span, message);
            self.diagnostics.push(warning.caret("the program fails where this is evaluated"));
            *hole = self.hole_of(&hole.ty, hole.span);
        }
    }

    fn hole_of(&mut self, ty: &Type, span: Span) -> Exp {
        let node = match ty {
            Type::Function(_) => ExpNode::Lambda(Box::new(self.hole_function(ty, span))),
            Type::Tuple(parts) if ty.has_function() => {
                ExpNode::Tuple(parts.iter().map(|part| self.hole_of(part, span)).collect())
            }
            Type::Record(fields) if ty.has_function() => {
                let fields = fields.iter().map(|(name, part)| (*name, self.hole_of(part, span)));
                ExpNode::Record(fields.collect())
            }
            _ => ExpNode::Hole,
        };
        exp(node, ty.clone(), span)
    }

    /// A function of this type that takes all its arguments and fails.
    fn hole_function(&mut self, ty: &Type, span: Span) -> Function {
        let (mut params, mut exists, mut result) = (Vec::new(), Vec::new(), ty);
        while let Type::Function(step) = result {
            let name = Symbol::new(&format!("x{}", params.len()));
            let id = step.name.unwrap_or_else(|| self.named_value(name));
            let pattern = Pattern { node: PatternNode::Name(id, name), ty: step.from.clone(), span };
            params.push(Param { pattern, consumed: step.consumes.clone() });
            exists.extend(&step.exists);
            result = &step.to;
        }
        Function {
            type_params: Vec::new(),
            size_params: Vec::new(),
            params,
            exists,
            result: result.clone(),
            declared: None,
            body: FunctionBody::Exp(self.hole_of(result, span)),
        }
    }
}
