//! Advice for `x.f` where `x` has no field `f`: in other languages this calls a function of `x`.

use ravel_base::{Span, Symbol};
use ravel_prim::PrimType;
use ravel_syntax::ast::{Name, QualName};
use ravel_syntax::foreign;

use crate::checker::Checker;
use crate::tast::{Exp, Type};
use crate::unify::FLEXIBLE;

/// Functions of the elements of an array, which other languages name after those of two numbers.
const OF_ELEMENTS: &[(&str, &str)] = &[("max", "maximum"), ("min", "minimum")];

impl Checker<'_> {
    /// Advice for the field of a checked expression.
    pub(crate) fn field_advice(&self, value: &Exp, field: &Name) -> Option<String> {
        let text = self.quote(value.span);
        let is_atom = text.as_str().starts_with('(') || !text.as_str().contains(' ');
        let text = if is_atom { text.to_string() } else { format!("({text})") };
        self.method_advice(&value.ty, &text, field)
    }

    /// Advice for the field of an expression whose type became known later, if the expression is a name.
    pub(crate) fn advice_for_later_field(&self, ty: &Type, field: &Name) -> Option<String> {
        let before = self.text.get(..field.span.start as usize)?.trim_end_matches('.');
        let is_letter = |letter: char| letter.is_alphanumeric() || "_'".contains(letter);
        let name = before.rsplit(|letter| !is_letter(letter)).next().filter(|name| !name.is_empty())?;
        self.method_advice(ty, name, field)
    }

    /// Advice for the field of a value of this type, which is written as `text`.
    fn method_advice(&self, ty: &Type, text: &str, field: &Name) -> Option<String> {
        let ty = self.unifier.resolve(ty);
        let first = |call: String| Some(format!("write a function before its arguments: `{call}`"));
        if let Type::Function(_) = ty {
            return Some("a composition of functions is written `f >-> g`".to_owned());
        }
        if let Some(conversion) = self.conversion(&ty, field.node.as_str()) {
            return Some(format!("a conversion names both types: `{conversion} {text}`"));
        }
        if as_prim(&ty).is_some_and(|prim| prim.name() == field.node.as_str()) {
            return Some(format!("its type is {} already", field.node));
        }
        if let Some(call) = self.call_of_a_member(&ty, text, field) {
            return first(call);
        }
        let name = QualName { quals: Vec::new(), name: field.node, span: field.span };
        match self.params_of(&name).iter().position(|param| self.are_of_one_kind(&ty, param)) {
            Some(0) => return first(format!("{} {text}", field.node)),
            Some(_) => return first(format!("{} … {text}", field.node)),
            None => {}
        }
        let is_open = matches!(ty, Type::Param(id) if id.0 >= FLEXIBLE);
        match field.node.as_str() {
            "mean" | "average" | "avg" if !is_open => mean(&ty, text),
            "sort" | "sorted" if !is_open && row(&ty).and_then(as_prim).is_none() => None,
            "T" if !is_open && row(&ty).and_then(row).is_none() => None,
            word if is_open || matches!(ty, Type::Array(..)) || !foreign::is_of_arrays(word) => {
                let foreign = foreign::advice_for(word).map(str::to_owned);
                foreign.or_else(|| self.module_advice(field.node).filter(|_| is_open))
            }
            _ => None,
        }
    }

    /// The call of a module's function of this name for a value of this type: for its elements, or for the float to which
    /// it can be converted, if there is no function for the value itself.
    fn call_of_a_member(&self, ty: &Type, text: &str, field: &Name) -> Option<String> {
        let other = OF_ELEMENTS.iter().find(|(name, _)| *name == field.node.as_str());
        let other = other.filter(|_| matches!(ty, Type::Array(..))).map(|(_, meant)| Symbol::new(meant));
        let mut names = other.into_iter().chain([field.node]);
        if let Some(function) = names.find_map(|name| self.member_taking(ty, name, field.span)) {
            return Some(format!("{function} {text}"));
        }
        let integer = as_prim(ty).filter(|prim| !prim.is_float() && *prim != PrimType::Bool)?;
        let params = self.params_of_member(Symbol::new("f64"), field.node, field.span);
        let is_of_one = matches!(&params[..], [Type::Prim(PrimType::F64)]);
        is_of_one.then(|| format!("f64.{} (f64.{integer} {text})", field.node))
    }

    /// The function of this name that some module has for values of this type or for their elements.
    fn member_taking(&self, ty: &Type, name: Symbol, span: Span) -> Option<String> {
        let modules = self.modules_with(name);
        let of_module = |takes: &dyn Fn(&[Type]) -> bool| {
            let takes = |module: &&Symbol| takes(&self.params_of_member(**module, name, span));
            modules.iter().find(takes).map(|module| format!("{module}.{name}"))
        };
        let mut inner = ty;
        for depth in 0..=MAPPED {
            let found = match depth {
                0 => of_module(&|params| params.iter().any(|param| is_same_but_for_sizes(param, inner))),
                _ => of_module(&|params| matches!(params, [only] if is_same_but_for_sizes(only, inner))),
            };
            if let Some(function) = found {
                return Some(mapped(&function, depth));
            }
            let Type::Array(row, _) = inner else { return None };
            inner = row;
        }
        None
    }

    /// The types of the parameters of a module's function.
    fn params_of_member(&self, module: Symbol, name: Symbol, span: Span) -> Vec<Type> {
        self.params_of(&QualName { quals: vec![module], name, span })
    }

    /// The function that converts a number, or each number of an array, to the type that a method such as `to_i32` names.
    fn conversion(&self, ty: &Type, method: &str) -> Option<String> {
        let (mut inner, mut depth) = (ty, 0);
        while let Type::Array(row, _) = inner {
            (inner, depth) = (row, depth + 1);
        }
        let from = as_prim(inner).filter(|_| depth <= MAPPED)?;
        let named = ["to_", "as_", "to", "as", ""].iter().find_map(|prefix| {
            let name = method.strip_prefix(prefix)?;
            PrimType::from_name(name).or_else(|| PrimType::from_name(foreign::type_name(name)?))
        });
        let to = named.filter(|&to| to != from)?;
        let is_defined = self.modules_with(Symbol::new(from.name())).contains(&Symbol::new(to.name()));
        is_defined.then(|| mapped(&format!("{to}.{from}"), depth))
    }
}

/// The dimensions that advice maps over at most.
const MAPPED: usize = 2;

/// The function mapped over this many dimensions.
fn mapped(function: &str, depth: usize) -> String {
    match depth {
        0 => function.to_owned(),
        1 => format!("map {function}"),
        _ => format!("map ({})", mapped(function, depth - 1)),
    }
}

/// Advice for the mean of values of this type.
fn mean(ty: &Type, text: &str) -> Option<String> {
    let element = row(ty).and_then(as_prim).filter(|element| *element != PrimType::Bool)?;
    Some(match element.is_float() {
        true => format!("written `{element}.sum {text} / {element}.i64 (length {text})`"),
        false => format!("written `f64.sum (map f64.{element} {text}) / f64.i64 (length {text})`"),
    })
}

fn is_same_but_for_sizes(a: &Type, b: &Type) -> bool {
    match (a, b) {
        (Type::Array(a, _), Type::Array(b, _)) => is_same_but_for_sizes(a, b),
        _ => a == b && !matches!(a, Type::Param(_)),
    }
}

fn row(ty: &Type) -> Option<&Type> {
    match ty {
        Type::Array(row, _) => Some(row),
        _ => None,
    }
}

fn as_prim(ty: &Type) -> Option<PrimType> {
    match ty {
        Type::Prim(prim) => Some(*prim),
        _ => None,
    }
}
