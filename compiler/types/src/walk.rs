//! Walks over types and sizes: substitution, and visits of what occurs in them.

use crate::tast::{AbstractType, FunctionType, Size, Type, TypeArg, TypeParamId, ValueId};

impl Size {
    /// The size with variables replaced where `f` says so.
    pub(crate) fn map(&self, f: &mut dyn FnMut(ValueId) -> Option<Size>) -> Size {
        match self {
            Size::Const(_) => self.clone(),
            Size::Var(id) => f(*id).unwrap_or(Size::Var(*id)),
            Size::Binary(op, a, b) => Size::Binary(*op, Box::new(a.map(f)), Box::new(b.map(f))),
        }
    }

    /// Does `f` hold for some variable in it?
    pub(crate) fn any(&self, f: &mut dyn FnMut(ValueId) -> bool) -> bool {
        match self {
            Size::Const(_) => false,
            Size::Var(id) => f(*id),
            Size::Binary(_, a, b) => a.any(f) || b.any(f),
        }
    }
}

impl Type {
    /// The type with parameters and sizes replaced where the functions say so.
    pub(crate) fn map(
        &self,
        on_param: &mut dyn FnMut(TypeParamId) -> Option<Type>,
        on_size: &mut dyn FnMut(&Size) -> Size,
    ) -> Type {
        match self {
            Type::Prim(prim) => Type::Prim(*prim),
            Type::Param(id) => on_param(*id).unwrap_or(Type::Param(*id)),
            Type::Array(row, size) => {
                let size = on_size(size);
                Type::Array(Box::new(row.map(on_param, on_size)), size)
            }
            Type::Tuple(parts) => Type::Tuple(parts.iter().map(|part| part.map(on_param, on_size)).collect()),
            Type::Function(function) => Type::Function(Box::new(FunctionType {
                from: function.from.map(on_param, on_size),
                to: function.to.map(on_param, on_size),
                ..function.head()
            })),
            Type::Abstract(named) => {
                let on_arg = |arg: &TypeArg| match arg {
                    TypeArg::Size(size) => TypeArg::Size(on_size(size)),
                    TypeArg::Type(ty) => TypeArg::Type(ty.map(on_param, on_size)),
                };
                named.with_args(named.args.iter().map(on_arg).collect())
            }
        }
    }

    /// The type with sizes replaced where the function says so.
    pub(crate) fn map_sizes(&self, on_size: &mut dyn FnMut(&Size) -> Size) -> Type {
        self.map(&mut |_| None, on_size)
    }

    /// The type with `replacement` for the size variable `id`.
    pub(crate) fn with_size(&self, id: ValueId, replacement: &Size) -> Type {
        self.map_sizes(&mut |size| size.map(&mut |var| (var == id).then(|| replacement.clone())))
    }

    /// Visits every size in the type, the outermost first.
    pub(crate) fn each_size(&self, f: &mut dyn FnMut(&Size)) {
        match self {
            Type::Prim(_) | Type::Param(_) => {}
            Type::Array(row, size) => {
                f(size);
                row.each_size(f);
            }
            Type::Tuple(parts) => parts.iter().for_each(|part| part.each_size(f)),
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
            Type::Tuple(parts) => parts.iter().for_each(|part| part.each_param(f)),
            Type::Function(function) => {
                function.from.each_param(f);
                function.to.each_param(f);
            }
            Type::Abstract(named) => named.types().for_each(|ty| ty.each_param(f)),
        }
    }

    /// Does the size variable occur in the type?
    pub(crate) fn mentions(&self, id: ValueId) -> bool {
        let mut found = false;
        self.each_size(&mut |size| found |= size.any(&mut |var| var == id));
        found
    }
}

impl AbstractType {
    /// The type with other arguments.
    pub(crate) fn with_args(&self, args: Vec<TypeArg>) -> Type {
        Type::Abstract(Box::new(AbstractType { args, ..*self }))
    }

    /// The types among its arguments.
    pub(crate) fn types(&self) -> impl Iterator<Item = &Type> {
        self.args.iter().filter_map(|arg| match arg {
            TypeArg::Type(ty) => Some(ty),
            TypeArg::Size(_) => None,
        })
    }
}

impl FunctionType {
    /// All but the types, which are `()`.
    pub(crate) fn head(&self) -> FunctionType {
        FunctionType {
            name: self.name,
            from: Type::Tuple(Vec::new()),
            consumes: self.consumes,
            exists: self.exists.clone(),
            to: Type::Tuple(Vec::new()),
            unique: self.unique,
        }
    }
}
