//! Causality: no size is used before it is known.
//!
//! Inference binds sizes without regard to evaluation order. This walk through the finished tree follows
//! evaluation order and reports existential sizes that are used too early.

use ravel_base::{Code, Diagnostic, Section, Span, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::application::application_order;
use crate::checker::Checker;
use crate::desugar;
use crate::tast::{
    Exp, ExpNode, Function, FunctionBody, Loop, LoopForm, Pattern, PatternNode, Size, Type, TypeArg, ValueId,
};
use crate::unify::ERROR_SIZE;
use crate::visit::{Visit, walk_parts};

struct Causality {
    /// The first id of this definition; smaller ids belong to earlier definitions.
    first: u32,
    known: FxHashSet<ValueId>,
    /// The known ids, in the order in which they became known.
    undo_log: Vec<ValueId>,
    /// The sizes that may differ between the iterations of a loop.
    varying: FxHashSet<ValueId>,
    /// The place of the innermost enclosing expression.
    place: Span,
    /// The places of the applications written with `<|`, with the number of arguments left of it.
    left_pipes: FxHashMap<Span, usize>,
    /// Whether the innermost function is a lambda.
    in_lambda: bool,
    /// The type of the parameter whose pattern is being checked.
    parameter: Option<Type>,
    /// The first size that is needed too early.
    culprit: Option<EarlySize>,
}

/// A size that is used too early.
struct EarlySize {
    place: Span,
    size: Size,
    /// The variable in the size that is not known yet.
    unknown: ValueId,
    /// If the size belongs to a parameter, the type of the parameter.
    parameter: Option<Type>,
    /// Whether this is a parameter of a lambda.
    of_lambda: bool,
}

impl Checker<'_> {
    /// Reports the first size in the finished definition of a name that is needed before it is known.
    pub(crate) fn check_causality(&mut self, function: &Function, name: Symbol, span: Span) {
        let first = self.first_local;
        let mut causality = Causality {
            first,
            known: FxHashSet::default(),
            undo_log: Vec::new(),
            varying: FxHashSet::default(),
            place: span,
            in_lambda: false,
            left_pipes: std::mem::take(&mut self.left_pipes),
            parameter: None,
            culprit: None,
        };
        causality.function(function);
        let Some(EarlySize { place: span, size, unknown: id, parameter, of_lambda }) = causality.culprit
        else {
            return;
        };
        let size = match self.type_names().size(&size) {
            text if text.is_empty() => text,
            text => format!(" `{text}`"),
        };
        let origin = self.origins.get(&id).copied();
        // A size of a lambda's parameter may come from anywhere before the lambda.
        let parameter = parameter.filter(|_| origin.is_none() || !of_lambda);
        let text = self.quote(span);
        let error = |message: String| Diagnostic::error(Code::Causality, span, message);
        let mut diagnostic = if causality.varying.contains(&id) {
            error(format!("Size{size} changes in each iteration, but is needed outside the loop"))
                .note(format!(
                    "Causality check: Loop-variant size{size} has escaped, it is needed here outside of its loop"
                ))
                .section(Section::LoopVariantEscape)
        } else if let Some(parameter) = parameter {
            let shown = self.show(&parameter);
            let error = error(format!("Unknown size{size} in the type of `{name}`'s parameter"))
                .fact("Inferred", &shown)
                .note(format!("Unknown size{size} in parameter of `{name}`, which is inferred as: {shown}"))
                .section(Section::UnknownParamDef);
            match origin {
                Some(_) => error,
                None => error.note(format!(
                    "Cannot unify size variable{size} (scope violation): it is rigidly bound in a deeper scope, not in \
                     scope when the parameter is introduced"
                )),
            }
        } else {
            let needed = format!("Causality check: size{size} needed for type of `{text}` is");
            let reference = match origin {
                Some(origin) => format!("{needed} computed at {}, too late", self.position(origin)),
                None => format!("{needed} not known here"),
            };
            error(format!("Size{size} is needed before it is known"))
                .note(reference)
                .section(Section::CausalityCheck)
        };
        diagnostic = diagnostic
            .help("bind the expression producing the size to a name first, or state the size with `:>`");
        if let Some(origin) = origin {
            diagnostic = diagnostic.label(origin, "the size is known only after this is evaluated");
        }
        self.diagnostics.push(diagnostic);
    }
}

impl Causality {
    fn learn(&mut self, id: ValueId) {
        if self.known.insert(id) {
            self.undo_log.push(id);
        }
    }

    /// Removes the ids that became known since the mark.
    fn forget(&mut self, mark: usize) {
        for id in self.undo_log.drain(mark..) {
            self.known.remove(&id);
        }
    }

    fn size(&mut self, size: &Size, bound: &[ValueId], span: Span) {
        let unknown = |id: ValueId| {
            let own = id.0 >= self.first && Size::Var(id) != ERROR_SIZE;
            own && !self.known.contains(&id) && !bound.contains(&id)
        };
        let mut found = None;
        size.any(&mut |id| {
            found = found.or(unknown(id).then_some(id));
            false
        });
        if let (None, Some(id)) = (&self.culprit, found) {
            let parameter = self.parameter.clone();
            let (size, of_lambda) = (size.clone(), self.in_lambda);
            self.culprit = Some(EarlySize { place: span, size, unknown: id, parameter, of_lambda });
        }
    }

    fn ty(&mut self, ty: &Type, bound: &mut Vec<ValueId>, span: Span) {
        match ty {
            Type::Prim(_) | Type::Param(_) => {}
            Type::Array(row, size) => {
                self.size(size, bound, span);
                self.ty(row, bound, span);
            }
            Type::Tuple(_) | Type::Record(_) | Type::Sum(_) => {
                ty.parts().into_iter().for_each(|part| self.ty(part, bound, span));
            }
            Type::Function(function) => {
                self.ty(&function.from, bound, span);
                let depth = bound.len();
                bound.extend(function.name.iter().chain(&function.exists));
                self.ty(&function.to, bound, span);
                bound.truncate(depth);
            }
            Type::Abstract(named) => named.args.iter().for_each(|arg| match arg {
                TypeArg::Size(size) => self.size(size, bound, span),
                TypeArg::Type(ty) => self.ty(ty, bound, span),
            }),
        }
    }

    fn pattern(&mut self, pattern: &Pattern) {
        self.ty(&pattern.ty, &mut Vec::new(), pattern.span);
        pattern.each_name(&mut |id| self.learn(id));
    }

    fn loop_exp(&mut self, inner: &Loop, span: Span) {
        self.exp(&inner.init);
        if let LoopForm::For(_, _, bound) | LoopForm::ForIn(_, bound) = &inner.form {
            self.exp(bound);
        }
        inner.sizes.iter().for_each(|(_, size)| self.size(size, &[], span));
        let mark = self.undo_log.len();
        for (id, _) in &inner.sizes {
            self.learn(*id);
            self.varying.insert(*id);
        }
        // The type of the pattern may use the pattern's own names as sizes.
        inner.pattern.each_name(&mut |id| {
            self.learn(id);
            self.varying.insert(id);
        });
        self.pattern(&inner.pattern);
        match &inner.form {
            LoopForm::For(id, ..) => self.learn(*id),
            LoopForm::ForIn(pattern, _) => self.pattern(pattern),
            LoopForm::While(condition) => self.exp(condition),
        }
        self.exp(&inner.body);
        self.forget(mark);
    }
}

/// Whether the pattern binds the operand of a section.
fn is_operand(pattern: &Pattern) -> bool {
    matches!(pattern.node, PatternNode::Name(_, name) if desugar::is_operand(name))
}

impl<'a> Visit<'a> for Causality {
    fn function(&mut self, function: &'a Function) {
        let span = self.place;
        let mark = self.undo_log.len();
        function.size_params.iter().for_each(|&id| self.learn(id));
        for param in &function.params {
            self.parameter = Some(param.pattern.ty.clone());
            self.pattern(&param.pattern);
        }
        self.parameter = None;
        if let FunctionBody::Exp(body) = &function.body {
            self.exp(body);
        }
        function.exists.iter().for_each(|&id| self.learn(id));
        self.ty(&function.result, &mut Vec::new(), span);
        self.forget(mark);
    }

    fn exp(&mut self, exp: &'a Exp) {
        let around = std::mem::replace(&mut self.place, exp.span);
        match &exp.node {
            ExpNode::Size(size) => self.size(size, &[], exp.span),
            ExpNode::Var { types, sizes, .. } => {
                types.iter().for_each(|ty| self.ty(ty, &mut Vec::new(), exp.span));
                sizes.iter().for_each(|size| self.size(size, &[], exp.span));
            }
            ExpNode::Apply(function, arguments) => {
                let operands = self.left_pipes.get(&exp.span).copied().unwrap_or(arguments.len());
                let order = application_order(function, arguments).into_iter();
                let (after, before): (Vec<usize>, Vec<usize>) = order.partition(|&at| at >= operands);
                before.into_iter().for_each(|at| self.exp(&arguments[at]));
                // The type arguments of the function may mention the existential sizes of its result.
                exp.exists.iter().for_each(|&id| self.learn(id));
                self.exp(function);
                after.into_iter().for_each(|at| self.exp(&arguments[at]));
            }
            ExpNode::Let { sizes, pattern, value, body } => {
                if is_operand(pattern) {
                    // The operator precedes its operand.
                    let mut operand = Vec::new();
                    pattern.each_name(&mut |id| operand.push(id));
                    self.ty(&value.ty, &mut Vec::new(), exp.span);
                    self.ty(&body.ty, &mut operand, exp.span);
                }
                self.exp(value);
                for (id, size) in sizes {
                    self.size(size, &[], exp.span);
                    self.learn(*id);
                }
                self.pattern(pattern);
                self.exp(body);
                pattern.each_name(&mut |id| {
                    self.known.remove(&id);
                });
                for (id, _) in sizes {
                    self.known.remove(id);
                }
            }
            ExpNode::Lambda(function) => {
                let outer = std::mem::replace(&mut self.in_lambda, true);
                self.function(function);
                self.in_lambda = outer;
            }
            ExpNode::LetFunction { id, function, body, .. } => {
                let outer = std::mem::replace(&mut self.in_lambda, false);
                self.function(function);
                self.in_lambda = outer;
                self.learn(*id);
                self.exp(body);
                self.known.remove(id);
            }
            ExpNode::If(condition, then, otherwise) => {
                self.exp(condition);
                for branch in [then, otherwise] {
                    let mark = self.undo_log.len();
                    self.exp(branch);
                    self.forget(mark);
                }
            }
            ExpNode::Match(subject, cases) => {
                self.exp(subject);
                for (pattern, body) in cases {
                    let mark = self.undo_log.len();
                    self.pattern(pattern);
                    self.exp(body);
                    self.forget(mark);
                }
            }
            ExpNode::Loop(inner) => self.loop_exp(inner, exp.span),
            _ => walk_parts(self, exp),
        }
        exp.exists.iter().for_each(|&id| self.learn(id));
        self.ty(&exp.ty, &mut Vec::new(), exp.span);
        self.place = around;
    }
}
