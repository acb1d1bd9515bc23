//! Advice for `x.f` where `x` has no field `f`: in other languages this calls a function of `x`.

use ravel_base::Symbol;
use ravel_prim::PrimType;
use ravel_syntax::ast::{Name, QualName};
use ravel_syntax::foreign;

use crate::checker::Checker;
use crate::tast::{Exp, Type};

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
        let first =
            |function: String| Some(format!("write a function before its arguments: `{function} {text}`"));
        if let Type::Function(_) = ty {
            return Some("a composition of functions is written `f >-> g`".to_owned());
        }
        if let Some(conversion) = conversion(&ty, field.node.as_str()) {
            return Some(format!("a conversion names both types: `{conversion} {text}`"));
        }
        if let Some(function) = self.number_function(&ty, field) {
            return first(function);
        }
        let name = QualName { quals: Vec::new(), name: field.node, span: field.span };
        match self.params_of(&name).iter().position(|param| self.are_of_one_kind(&ty, param)) {
            Some(0) => first(field.node.to_string()),
            Some(_) => first(format!("{} …", field.node)),
            None => foreign::advice_for(field.node.as_str())
                .map(str::to_owned)
                .or_else(|| self.module_advice(field.node)),
        }
    }

    /// The function of this name that the module of a number type has for its numbers, or for arrays of them.
    fn number_function(&self, ty: &Type, field: &Name) -> Option<String> {
        let (prim, is_array) = match ty {
            Type::Prim(prim) => (*prim, false),
            Type::Array(row, _) => (as_prim(row)?, true),
            _ => return None,
        };
        let other = OF_ELEMENTS.iter().find(|(name, _)| is_array && *name == field.node.as_str());
        let name = other.map_or(field.node, |(_, meant)| Symbol::new(meant));
        let module = Symbol::new(prim.name());
        if !self.modules_with(name).contains(&module) {
            return None;
        }
        let params = self.params_of(&QualName { quals: vec![module], name, span: field.span });
        let takes_arrays = params.iter().any(|param| matches!(param, Type::Array(..)));
        match is_array && !takes_arrays {
            true => (params.len() == 1).then(|| format!("map {module}.{name}")),
            false => Some(format!("{module}.{name}")),
        }
    }
}

/// The function that converts a number, or each number of an array, to the type that a method such as `to_i32` names.
fn conversion(ty: &Type, method: &str) -> Option<String> {
    let (from, map) = match ty {
        Type::Prim(prim) => (*prim, ""),
        Type::Array(row, _) => (as_prim(row)?, "map "),
        _ => return None,
    };
    let named = ["to_", "as_", "to", "as", ""].iter().find_map(|prefix| {
        let name = method.strip_prefix(prefix)?;
        PrimType::from_name(name).or_else(|| PrimType::from_name(foreign::type_name(name)?))
    });
    let to = named.filter(|&to| to != from && to != PrimType::Bool)?;
    Some(format!("{map}{to}.{from}"))
}

fn as_prim(ty: &Type) -> Option<PrimType> {
    match ty {
        Type::Prim(prim) => Some(*prim),
        _ => None,
    }
}
