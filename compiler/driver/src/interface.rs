//! The source types of entry points, for clients that pass composite values.
//!
//! The structure of a type comes from the typed tree, its name from the source text. If the declaration of an entry point
//! names a record, tuple or sum type, that is its name. Every other type is called by its structure, without sizes.

use ravel_abi::interface::{EntryTypes, Field, Form, Input, Interface, Layout, Output, TypeNumber, Variant};
use ravel_base::Symbol;
use ravel_syntax::ast::{self, Dec, Keyword, TypeExpNode, ValueDec};
use ravel_types::tast::{Definition, Type};

use crate::source::Source;
use crate::stages::FrontEnd;

/// The types of the entry points, and of their arguments and results.
pub fn interface(source: &Source, FrontEnd { typed, core }: &FrontEnd) -> Interface {
    let main = source.files().parsed.last();
    let decs = main.map_or(&[][..], |file| &file.program.decs);
    let mut interface = Interface::default();
    for entry in &core.entries {
        let named = |definition: &&Definition| definition.entry && definition.name == entry.name;
        let Some(definition) = typed.definitions.iter().find(named) else { continue };
        let declaration = decs.iter().find_map(|dec| value(dec, definition));
        let unique = entry.results.iter().all(|result| result.unique);
        let types = entry_types(&mut interface, source, definition, declaration, unique);
        interface.entries.push(types);
    }
    interface
}

/// The layout of the values of a type; none if such values cannot leave a program.
pub(crate) fn layout(ty: &Type) -> Option<Layout> {
    let mut interface = Interface::default();
    let ty = can_leave(ty).then(|| intern(&mut interface, ty, None))?;
    Some(Layout { interface, ty })
}

fn can_leave(ty: &Type) -> bool {
    match ty {
        Type::Prim(_) => true,
        Type::Array(row, _) => can_leave(row),
        Type::Tuple(parts) => parts.iter().all(can_leave),
        Type::Record(fields) => fields.iter().all(|(_, part)| can_leave(part)),
        Type::Sum(constructors) => constructors.iter().flat_map(|(_, payload)| payload).all(can_leave),
        Type::Function(_) | Type::Param(_) | Type::Abstract(_) => false,
    }
}

/// The declaration of a definition.
fn value<'a>(dec: &'a Dec, definition: &Definition) -> Option<&'a ValueDec> {
    match dec {
        Dec::Value(value) => {
            (value.keyword == Keyword::Entry && value.name.node == definition.name).then_some(value)
        }
        Dec::Local(dec, _) => self::value(dec, definition),
        _ => None,
    }
}

fn entry_types(
    interface: &mut Interface,
    source: &Source,
    definition: &Definition,
    declaration: Option<&ValueDec>,
    unique: bool,
) -> EntryTypes {
    let function = &definition.function;
    let patterns = declaration.map_or(&[][..], |dec| &dec.params);
    let mut inputs = Vec::new();
    for (at, param) in function.params.iter().enumerate() {
        let (name, annotation) = patterns.get(at).map_or((None, None), named);
        let ty = intern(interface, &param.pattern.ty, annotation);
        inputs.push(Input { name, ty, consumed: param.consumed.is_whole() });
    }
    let annotation = declaration.and_then(|dec| dec.result.as_ref());
    let output = Output { ty: intern(interface, &function.result, annotation), unique };
    let text = |attribute: &ast::Attribute| {
        let text = &source.sources().file(attribute.span.file).text;
        text[attribute.span.start as usize..attribute.span.end as usize]
            .trim_start_matches("#[")
            .trim_end_matches(']')
            .to_owned()
    };
    let attributes = declaration.map_or(&[][..], |dec| &dec.attributes).iter().map(text).collect();
    EntryTypes { name: definition.name.to_string(), attributes, inputs, output }
}

/// The name and the type that a pattern states.
fn named(pattern: &ast::Pattern) -> (Option<String>, Option<&ast::TypeExp>) {
    match &pattern.node {
        ast::PatternNode::Name(name) => (Some(name.to_string()), None),
        ast::PatternNode::Ascribed(pattern, ty) => (named(pattern).0, Some(ty)),
        ast::PatternNode::Attributed(_, pattern) => named(pattern),
        _ => (None, None),
    }
}

/// The number of a type, and the type expression that names it in the source, if any.
fn intern(interface: &mut Interface, ty: &Type, written: Option<&ast::TypeExp>) -> TypeNumber {
    let written = written.map(without_uniqueness);
    let form = match ty {
        Type::Prim(prim) => Form::Scalar(*prim),
        Type::Array(..) => {
            let (mut rank, mut elem, mut annotation) = (0, ty, written);
            while let Type::Array(row, _) = elem {
                annotation = match annotation.map(|written| &written.node) {
                    Some(TypeExpNode::Array(_, row)) => Some(without_uniqueness(row)),
                    _ => None,
                };
                (rank, elem) = (rank + 1, &**row);
            }
            Form::Array { rank, elem: intern(interface, elem, annotation) }
        }
        Type::Tuple(parts) => {
            let annotations: Vec<&ast::TypeExp> = match written.map(|written| &written.node) {
                Some(TypeExpNode::Tuple(written)) => written.iter().collect(),
                _ => Vec::new(),
            };
            let field = |(at, part): (usize, &Type)| Field {
                name: at.to_string(),
                ty: intern(interface, part, annotations.get(at).copied()),
            };
            Form::Record(parts.iter().enumerate().map(field).collect())
        }
        Type::Record(fields) => {
            let annotation = |name: Symbol| match written.map(|written| &written.node) {
                Some(TypeExpNode::Record(written)) => {
                    written.iter().find(|(field, _)| field.node == name).map(|(_, ty)| ty)
                }
                _ => None,
            };
            let field = |(name, part): &(Symbol, Type)| Field {
                name: name.to_string(),
                ty: intern(interface, part, annotation(*name)),
            };
            Form::Record(fields.iter().map(field).collect())
        }
        Type::Sum(constructors) => {
            let annotations = |name: Symbol| match written.map(|written| &written.node) {
                Some(TypeExpNode::Sum(written)) => {
                    let found = written.iter().find(|(constructor, _)| constructor.node == name);
                    found.map_or(&[][..], |(_, payload)| payload)
                }
                _ => &[],
            };
            let variant = |(name, parts): &(Symbol, Vec<Type>)| {
                let annotations = annotations(*name);
                let parts = parts.iter().enumerate();
                let payload = parts.map(|(at, part)| intern(interface, part, annotations.get(at)));
                Variant { name: name.to_string(), payload: payload.collect() }
            };
            Form::Sum(constructors.iter().map(variant).collect())
        }
        // Entry points neither take nor return functions, and have no type parameters.
        Type::Function(_) | Type::Param(_) | Type::Abstract(_) => Form::Record(Vec::new()),
    };
    let name = match (&form, written.map(|written| &written.node)) {
        (Form::Record(_) | Form::Sum(_), Some(TypeExpNode::Name(name, args)))
            if args.iter().all(|arg| matches!(arg, ast::TypeArg::Size(_))) =>
        {
            let quals = name.quals.iter().map(|qual| format!("{qual}."));
            Some(quals.chain([name.name.to_string()]).collect::<String>())
        }
        _ => None,
    };
    interface.intern(form, name.as_deref())
}

/// The type expression without its uniqueness mark and bound sizes.
fn without_uniqueness(ty: &ast::TypeExp) -> &ast::TypeExp {
    match &ty.node {
        TypeExpNode::Unique(ty) | TypeExpNode::Exists(_, ty) => without_uniqueness(ty),
        _ => ty,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::Options;
    use crate::stages;

    /// The types of a program's entry points, one line each.
    fn lines(text: &str) -> Vec<String> {
        let source = Source::new("a.dsl", text);
        let front_end = stages::front_end(&source, &Options::default()).expect("the program compiles");
        let interface = interface(&source, &front_end);
        let name = |ty| interface.get(ty).map_or("?", |ty| ty.name.as_str());
        let line = |entry: &EntryTypes| {
            let mark = |marked| if marked { "*" } else { "" };
            let inputs: Vec<String> = entry
                .inputs
                .iter()
                .map(|input| {
                    let known = input.name.as_deref().unwrap_or("_");
                    format!("{known}: {}{}", mark(input.consumed), name(input.ty))
                })
                .collect();
            let output = format!("{}{}", mark(entry.output.unique), name(entry.output.ty));
            format!("{}{:?} ({}) -> {output}", entry.name, entry.attributes, inputs.join("; "))
        };
        interface.entries.iter().map(line).collect()
    }

    #[test]
    fn types_have_the_names_that_the_program_gives_them() {
        let text = "type point = {x: f32, y: f32}\nmodule m = { type pair = (i32, bool) }\n\
                    entry shift [n] (ps: [n]point) (by: {x: f32, y: f32}): [n]point =\n\
                      map (\\p -> {x = p.x + by.x, y = p.y + by.y}) ps\n\
                    #[fast] #[deep(2)]\nentry swap ((i, b): m.pair): (bool, i32) = (b, i)\n\
                    entry set [n] (xs: *[n]i64): *[n]i64 = xs with [0] = 1\n\
                    entry same [n] (xs: [n]i64): [n]i64 = xs\n";
        assert_eq!(
            lines(text),
            [
                "shift[] (ps: []point; by: {x: f32, y: f32}) -> *[]point",
                "swap[\"fast\", \"deep(2)\"] (_: m.pair) -> *(bool, i32)",
                "set[] (xs: *[]i64) -> *[]i64",
                "same[] (xs: []i64) -> []i64",
            ]
        );
    }

    #[test]
    fn sums_are_spelled_out_and_names_stay_unique() {
        let text = "type t = #a i32 | #b [2]bool\nmodule m = { type t = {u: u8} }\n\
                    entry f (x: t): #a i32 | #b [2]bool = x\nentry g (xs: []t): #a t | #b = #a xs[0]\n\
                    open m\nentry h (x: t): t = x\n";
        assert_eq!(
            lines(text),
            [
                "f[] (x: t) -> #a i32 | #b []bool",
                "g[] (xs: []t) -> #a t | #b",
                "h[] (x: {u: u8}) -> *{u: u8}",
            ]
        );
    }
}
