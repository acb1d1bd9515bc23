//! Traversals of types, sizes and expressions: maps, searches and visits.

use crate::tast::{
    AbstractType, Exp, ExpNode, Function, FunctionBody, FunctionType, Liftedness, LoopForm, Pattern,
    PatternNode, Size, SliceDim, Type, TypeArg, TypeParamId, ValueId,
};

impl Size {
    /// The size with other sizes in place of variables: `f` returns the size for a variable, or `None` to keep it.
    pub(crate) fn map(&self, f: &mut dyn FnMut(ValueId) -> Option<Size>) -> Size {
        match self {
            Size::Const(_) => self.clone(),
            Size::Var(id) => f(*id).unwrap_or(Size::Var(*id)),
            Size::Binary(op, a, b) => Size::Binary(*op, Box::new(a.map(f)), Box::new(b.map(f))),
            Size::Call(function, args) => Size::Call(*function, args.iter().map(|arg| arg.map(f)).collect()),
        }
    }

    /// As [`Type::budget_after`], for the operations of a size. A variable or a number has none.
    pub(crate) fn budget_after(&self, left: usize, known: &dyn Expansions) -> Option<usize> {
        match self {
            Size::Const(_) => Some(left),
            Size::Var(id) => known.size_budget(*id, left).unwrap_or(Some(left)),
            Size::Binary(_, a, b) => b.budget_after(a.budget_after(left.checked_sub(1)?, known)?, known),
            Size::Call(_, args) => {
                args.iter().try_fold(left.checked_sub(1)?, |left, arg| arg.budget_after(left, known))
            }
        }
    }

    /// Whether `f` holds for some variable in the size.
    pub fn any(&self, f: &mut dyn FnMut(ValueId) -> bool) -> bool {
        match self {
            Size::Const(_) => false,
            Size::Var(id) => f(*id),
            Size::Binary(_, a, b) => a.any(f) || b.any(f),
            Size::Call(_, args) => args.iter().any(|arg| arg.any(f)),
        }
    }

    /// Visits all ids in the size: those of variables, and of definitions generated for sizes.
    pub(crate) fn each_id(&self, f: &mut dyn FnMut(ValueId)) {
        match self {
            Size::Const(_) => {}
            Size::Var(id) => f(*id),
            Size::Binary(_, a, b) => [a, b].into_iter().for_each(|part| part.each_id(f)),
            Size::Call(function, args) => {
                f(*function);
                args.iter().for_each(|arg| arg.each_id(f));
            }
        }
    }
}

/// What the parts of a type stand for, to count the nodes of the type without making it.
pub(crate) trait Expansions {
    /// Subtracts the number of nodes of what a type parameter or an abstract type stands for from the budget `left`. `None` if
    /// it stands for itself, `Some(None)` if it exceeds the budget.
    fn type_budget(&self, ty: &Type, left: usize) -> Option<Option<usize>>;

    /// As [`Expansions::type_budget`], for a size variable.
    fn size_budget(&self, id: ValueId, left: usize) -> Option<Option<usize>>;
}

impl TypeArg {
    /// As [`Type::budget_after`].
    pub(crate) fn budget_after(&self, left: usize, known: &dyn Expansions) -> Option<usize> {
        match self {
            TypeArg::Size(size) => size.budget_after(left, known),
            TypeArg::Type(ty) => ty.budget_after(left, known),
        }
    }
}

impl Type {
    /// The type with `on_size` applied to each size. `on_param` returns the type for a type parameter, or `None` to keep
    /// it.
    pub(crate) fn map(
        &self,
        on_param: &mut dyn FnMut(TypeParamId) -> Option<Type>,
        on_size: &mut dyn FnMut(&Size) -> Size,
    ) -> Type {
        self.map_all(on_param, on_size, &mut |_| None)
    }

    /// As [`Type::map`]. Also, the third function returns the type for an abstract type, or `None` to keep it.
    pub(crate) fn map_all(
        &self,
        on_param: &mut dyn FnMut(TypeParamId) -> Option<Type>,
        on_size: &mut dyn FnMut(&Size) -> Size,
        on_abstract: &mut dyn FnMut(&AbstractType) -> Option<Type>,
    ) -> Type {
        match self {
            Type::Prim(prim) => Type::Prim(*prim),
            Type::Param(id) => on_param(*id).unwrap_or(Type::Param(*id)),
            Type::Array(row, size) => {
                let size = on_size(size);
                Type::Array(Box::new(row.map_all(on_param, on_size, on_abstract)), size)
            }
            Type::Tuple(_) | Type::Record(_) | Type::Sum(_) => {
                self.map_parts(&mut |part| part.map_all(on_param, on_size, on_abstract))
            }
            Type::Function(function) => Type::Function(Box::new(FunctionType {
                from: function.from.map_all(on_param, on_size, on_abstract),
                to: function.to.map_all(on_param, on_size, on_abstract),
                ..function.head()
            })),
            Type::Abstract(named) => {
                let mut on_arg = |arg: &TypeArg| match arg {
                    TypeArg::Size(size) => TypeArg::Size(on_size(size)),
                    TypeArg::Type(ty) => TypeArg::Type(ty.map_all(on_param, on_size, on_abstract)),
                };
                let named = AbstractType { args: named.args.iter().map(&mut on_arg).collect(), ..**named };
                on_abstract(&named).unwrap_or_else(|| Type::Abstract(Box::new(named)))
            }
        }
    }

    /// Subtracts the number of nodes of the type from the budget `left`; `None` if it exceeds the budget. `known` says what
    /// its parameters, abstract types and size variables stand for.
    pub(crate) fn budget_after(&self, left: usize, known: &dyn Expansions) -> Option<usize> {
        let each = |left, part: &Type| part.budget_after(left, known);
        match self {
            Type::Prim(_) => left.checked_sub(1),
            Type::Param(_) => known.type_budget(self, left).unwrap_or_else(|| left.checked_sub(1)),
            Type::Array(row, size) => each(size.budget_after(left.checked_sub(1)?, known)?, row),
            Type::Tuple(_) | Type::Record(_) | Type::Sum(_) => {
                self.parts().into_iter().try_fold(left.checked_sub(1)?, each)
            }
            Type::Function(function) => {
                [&function.from, &function.to].into_iter().try_fold(left.checked_sub(1)?, each)
            }
            Type::Abstract(named) => known.type_budget(self, left).unwrap_or_else(|| {
                named.args.iter().try_fold(left.checked_sub(1)?, |left, arg| arg.budget_after(left, known))
            }),
        }
    }

    /// The type with `on_size` applied to each size.
    pub(crate) fn map_sizes(&self, on_size: &mut dyn FnMut(&Size) -> Size) -> Type {
        self.map(&mut |_| None, on_size)
    }

    /// The type with `replacement` for the size variable `id`.
    pub(crate) fn with_size(&self, id: ValueId, replacement: &Size) -> Type {
        self.map_sizes(&mut |size| size.map(&mut |var| (var == id).then(|| replacement.clone())))
    }

    /// The type with sizes in place of these variables.
    pub(crate) fn with_sizes(&self, ids: &[ValueId], sizes: &[Size]) -> Type {
        let replacement = |id| ids.iter().position(|known| *known == id).map(|at| sizes[at].clone());
        self.map_sizes(&mut |size| size.map(&mut |id| replacement(id)))
    }

    /// As [`Type::map_sizes`], except for sizes in function types.
    pub(crate) fn map_own_sizes(&self, on_size: &mut dyn FnMut(&Size) -> Size) -> Type {
        match self {
            Type::Function(_) => self.clone(),
            Type::Array(row, size) => {
                let size = on_size(size);
                Type::Array(Box::new(row.map_own_sizes(on_size)), size)
            }
            Type::Tuple(_) | Type::Record(_) | Type::Sum(_) => {
                self.map_parts(&mut |part| part.map_own_sizes(on_size))
            }
            Type::Prim(_) | Type::Param(_) | Type::Abstract(_) => self.map_sizes(on_size),
        }
    }

    /// Finds a size variable that satisfies `is` in a parameter type of a function inside the type.
    pub(crate) fn size_in_parameter(&self, is: &dyn Fn(ValueId) -> bool) -> Option<ValueId> {
        match self {
            Type::Prim(_) | Type::Param(_) | Type::Abstract(_) => None,
            Type::Array(row, _) => row.size_in_parameter(is),
            Type::Tuple(_) | Type::Record(_) | Type::Sum(_) => {
                self.parts().into_iter().find_map(|part| part.size_in_parameter(is))
            }
            Type::Function(function) => {
                let mut found = None;
                function.from.each_size(&mut |size| {
                    size.any(&mut |id| {
                        found = found.or(is(id).then_some(id));
                        false
                    });
                });
                let is_outer = |id| is(id) && Some(id) != function.name && !function.exists.contains(&id);
                found.or_else(|| function.to.size_in_parameter(&is_outer))
            }
        }
    }

    /// Visits every size in the type, the outermost first.
    pub fn each_size(&self, f: &mut dyn FnMut(&Size)) {
        match self {
            Type::Prim(_) | Type::Param(_) => {}
            Type::Array(row, size) => {
                f(size);
                row.each_size(f);
            }
            Type::Tuple(_) | Type::Record(_) | Type::Sum(_) => {
                self.parts().into_iter().for_each(|part| part.each_size(f));
            }
            Type::Function(function) => {
                function.from.each_size(f);
                function.to.each_size(f);
            }
            Type::Abstract(named) => named.args.iter().for_each(|arg| match arg {
                TypeArg::Size(size) => f(size),
                TypeArg::Type(ty) => ty.each_size(f),
            }),
        }
    }

    /// Visits every type parameter in the type.
    pub(crate) fn each_param(&self, f: &mut dyn FnMut(TypeParamId)) {
        match self {
            Type::Prim(_) => {}
            Type::Param(id) => f(*id),
            Type::Array(row, _) => row.each_param(f),
            Type::Tuple(_) | Type::Record(_) | Type::Sum(_) => {
                self.parts().into_iter().for_each(|part| part.each_param(f));
            }
            Type::Function(function) => {
                function.from.each_param(f);
                function.to.each_param(f);
            }
            Type::Abstract(named) => named.types().for_each(|ty| ty.each_param(f)),
        }
    }

    /// Whether a value of the type contains a function.
    pub fn has_function(&self) -> bool {
        match self {
            Type::Prim(_) | Type::Param(_) => false,
            Type::Array(row, _) => row.has_function(),
            Type::Tuple(_) | Type::Record(_) | Type::Sum(_) => {
                self.parts().into_iter().any(Type::has_function)
            }
            Type::Abstract(named) => named.types().any(Type::has_function),
            Type::Function(_) => true,
        }
    }

    /// Whether the type contains a function, or an abstract type that may stand for one.
    pub(crate) fn may_have_function(&self) -> bool {
        match self {
            Type::Abstract(named) if named.liftedness == Liftedness::Lifted => true,
            Type::Function(_) => true,
            _ => self.parts().into_iter().any(Type::may_have_function),
        }
    }

    /// Whether the size variable occurs in the type.
    pub(crate) fn mentions(&self, id: ValueId) -> bool {
        let mut found = false;
        self.each_size(&mut |size| found |= size.any(&mut |var| var == id));
        found
    }
}

impl AbstractType {
    /// The same type constructor applied to `args`.
    pub(crate) fn with_args(&self, args: Vec<TypeArg>) -> Type {
        Type::Abstract(Box::new(AbstractType { args, ..*self }))
    }

    /// The arguments that are types, not sizes.
    pub(crate) fn types(&self) -> impl Iterator<Item = &Type> {
        self.args.iter().filter_map(|arg| match arg {
            TypeArg::Type(ty) => Some(ty),
            TypeArg::Size(_) => None,
        })
    }
}

impl FunctionType {
    /// A copy of the function type in which `()` stands for the parameter and the result, to be filled in.
    pub(crate) fn head(&self) -> FunctionType {
        FunctionType {
            name: self.name,
            from: Type::Tuple(Vec::new()),
            consumes: self.consumes.clone(),
            exists: self.exists.clone(),
            to: Type::Tuple(Vec::new()),
            unique: self.unique.clone(),
        }
    }
}

impl Pattern {
    /// Visits every name that the pattern binds.
    pub fn each_name(&self, f: &mut dyn FnMut(ValueId)) {
        match &self.node {
            PatternNode::Name(id, _) => f(*id),
            PatternNode::Wildcard | PatternNode::Literal(_) => {}
            PatternNode::Tuple(parts) | PatternNode::Constructor(_, parts) => {
                parts.iter().for_each(|part| part.each_name(f));
            }
        }
    }

    /// Visits every type in the pattern.
    pub(crate) fn each_type_mut(&mut self, f: &mut dyn FnMut(&mut Type)) {
        f(&mut self.ty);
        match &mut self.node {
            PatternNode::Name(..) | PatternNode::Wildcard | PatternNode::Literal(_) => {}
            PatternNode::Tuple(parts) | PatternNode::Constructor(_, parts) => {
                parts.iter_mut().for_each(|part| part.each_type_mut(f));
            }
        }
    }
}

/// The expressions directly inside an expression, in the order of the text.
macro_rules! children {
    ($exp:expr, $iter:ident, $($reference:tt)+) => {
        match $($reference)+ $exp.node {
            ExpNode::Const(_) | ExpNode::Hole | ExpNode::Size(_) | ExpNode::Var { .. } => Vec::new(),
            ExpNode::Tuple(parts) | ExpNode::Array(parts) | ExpNode::Constructor(_, parts) => {
                parts.$iter().collect()
            }
            ExpNode::Record(fields) => fields.$iter().map(|(_, value)| value).collect(),
            ExpNode::Range(range) => {
                let range = $($reference)+ **range;
                let mut children = vec![$($reference)+ range.start];
                children.extend(range.second.$iter());
                children.push($($reference)+ range.end);
                children
            }
            ExpNode::Apply(function, args) => {
                let mut children = vec![$($reference)+ **function];
                children.extend(args.$iter());
                children
            }
            ExpNode::Unary(_, inner)
            | ExpNode::Project(inner, _)
            | ExpNode::Coerce(inner)
            | ExpNode::Attributed(_, inner) => vec![$($reference)+ **inner],
            ExpNode::Binary(_, a, b)
            | ExpNode::Compare(_, a, b)
            | ExpNode::And(a, b)
            | ExpNode::Or(a, b)
            | ExpNode::Equal(_, a, b)
            | ExpNode::RecordUpdate(a, _, b)
            | ExpNode::Assert(a, b, _) => vec![$($reference)+ **a, $($reference)+ **b],
            ExpNode::Index(array, dims) => {
                let mut children = vec![$($reference)+ **array];
                children.extend(dims.$iter().flat_map(|dim| match dim {
                    SliceDim::Fix(index) => vec![index],
                    SliceDim::Range { start, end, stride } => [start, end, stride].into_iter().flatten().collect(),
                }));
                children
            }
            ExpNode::Update(array, dims, value) => {
                let mut children = vec![$($reference)+ **array];
                children.extend(dims.$iter().flat_map(|dim| match dim {
                    SliceDim::Fix(index) => vec![index],
                    SliceDim::Range { start, end, stride } => [start, end, stride].into_iter().flatten().collect(),
                }));
                children.push($($reference)+ **value);
                children
            }
            ExpNode::Let { value, body, .. } => vec![$($reference)+ **value, $($reference)+ **body],
            ExpNode::LetFunction { function, body, .. } => {
                let FunctionBody::Exp(code) = $($reference)+ function.body else { return Vec::new() };
                vec![code, $($reference)+ **body]
            }
            ExpNode::If(a, b, c) => vec![$($reference)+ **a, $($reference)+ **b, $($reference)+ **c],
            ExpNode::Match(subject, cases) => {
                let mut children = vec![$($reference)+ **subject];
                children.extend(cases.$iter().map(|(_, body)| body));
                children
            }
            ExpNode::Loop(inner) => {
                let inner = $($reference)+ **inner;
                let form = match $($reference)+ inner.form {
                    LoopForm::For(_, _, bound) | LoopForm::ForIn(_, bound) | LoopForm::While(bound) => bound,
                };
                vec![$($reference)+ inner.init, form, $($reference)+ inner.body]
            }
            ExpNode::Lambda(function) => match $($reference)+ function.body {
                FunctionBody::Exp(code) => vec![code],
                FunctionBody::Intrinsic(_) => Vec::new(),
            },
        }
    };
}

impl Exp {
    /// The expressions directly inside, in the order of the text.
    pub(crate) fn children(&self) -> Vec<&Exp> {
        children!(self, iter, &)
    }

    /// The expressions directly inside, in the order of the text.
    pub(crate) fn children_mut(&mut self) -> Vec<&mut Exp> {
        children!(self, iter_mut, &mut)
    }

    /// Replaces all types and sizes in the expression.
    pub(crate) fn map_types(
        &mut self,
        on_type: &mut dyn FnMut(&Type) -> Type,
        on_size: &mut dyn FnMut(&Size) -> Size,
    ) {
        self.ty = on_type(&self.ty);
        match &mut self.node {
            ExpNode::Size(size) => *size = on_size(size),
            ExpNode::Var { types, sizes, .. } => {
                types.iter_mut().for_each(|ty| *ty = on_type(ty));
                sizes.iter_mut().for_each(|size| *size = on_size(size));
            }
            ExpNode::Let { sizes, pattern, .. } => {
                sizes.iter_mut().for_each(|(_, size)| *size = on_size(size));
                pattern.each_type_mut(&mut |ty| *ty = on_type(ty));
            }
            ExpNode::LetFunction { function, .. } | ExpNode::Lambda(function) => function.map_head(on_type),
            ExpNode::Match(_, cases) => {
                for (pattern, _) in cases {
                    pattern.each_type_mut(&mut |ty| *ty = on_type(ty));
                }
            }
            ExpNode::Loop(inner) => {
                inner.sizes.iter_mut().for_each(|(_, size)| *size = on_size(size));
                inner.pattern.each_type_mut(&mut |ty| *ty = on_type(ty));
                if let LoopForm::ForIn(pattern, _) = &mut inner.form {
                    pattern.each_type_mut(&mut |ty| *ty = on_type(ty));
                }
            }
            _ => {}
        }
        self.children_mut().into_iter().for_each(|child| child.map_types(on_type, on_size));
    }
}

impl Function {
    /// Replaces all types and sizes in the function.
    pub(crate) fn map_types(
        &mut self,
        on_type: &mut dyn FnMut(&Type) -> Type,
        on_size: &mut dyn FnMut(&Size) -> Size,
    ) {
        self.map_head(on_type);
        if let FunctionBody::Exp(body) = &mut self.body {
            body.map_types(on_type, on_size);
        }
    }

    fn map_head(&mut self, on_type: &mut dyn FnMut(&Type) -> Type) {
        for param in &mut self.params {
            param.pattern.each_type_mut(&mut |ty| *ty = on_type(ty));
        }
        self.result = on_type(&self.result);
    }
}
