//! Types and typed programs as text, in the language's own notation.

use std::fmt::Write;

use ravel_base::{FileId, Symbol};
use ravel_prim::BinOp;
use rustc_hash::FxHashMap;

use crate::tast::{
    AbstractType, Definition, Function, FunctionType, Pattern, PatternNode, Program, Size, Type, TypeArg,
    TypeParamId, ValueId,
};
use crate::unify::FLEXIBLE;
use crate::uniqueness::Uniqueness;

/// The character that stands for an argument in the name of a size's definition.
pub(crate) const HOLE: char = '□';

/// The names of values, sizes and type parameters.
#[derive(Clone, Copy, Debug)]
pub struct TypeNames<'a> {
    /// Values and sizes. A size without a name prints as an anonymous one.
    pub values: &'a FxHashMap<ValueId, Symbol>,
    /// Type parameters.
    pub types: &'a FxHashMap<TypeParamId, Symbol>,
}

impl TypeNames<'_> {
    /// The type in the language's notation.
    pub fn ty(&self, ty: &Type) -> String {
        let mut text = String::new();
        self.write(&mut text, ty, false);
        text
    }

    /// The size in the language's notation; empty if the size has no name. The name of a size's definition is the
    /// expression, with a hole for every argument.
    pub fn size(&self, size: &Size) -> String {
        match size {
            Size::Const(value) => value.to_string(),
            Size::Var(id) => self.values.get(id).map_or_else(String::new, |name| name.to_string()),
            Size::Binary(op, a, b) => {
                let (text_a, text_b) = (self.size(a), self.size(b));
                if text_a.is_empty() || text_b.is_empty() {
                    return String::new();
                }
                let operand = |size: &Size, text: String, tight: bool| match size {
                    Size::Binary(inner, ..) if tight || strength(*inner) < strength(*op) => {
                        format!("({text})")
                    }
                    _ => text,
                };
                let (text_a, text_b) = (operand(a, text_a, false), operand(b, text_b, true));
                format!("{text_a} {} {text_b}", sign(*op))
            }
            Size::Call(function, args) => {
                let Some(name) = self.values.get(function) else { return String::new() };
                let mut text = String::new();
                let mut args = args.iter();
                for letter in name.as_str().chars() {
                    let arg = if letter == HOLE { args.next() } else { None };
                    match arg.map(|arg| self.size(arg)) {
                        None => text.push(letter),
                        Some(arg) if arg.is_empty() => return arg,
                        Some(arg) if arg.contains(' ') => text += &format!("({arg})"),
                        Some(arg) => text += &arg,
                    }
                }
                text
            }
        }
    }

    /// Writes a type, in parentheses if `atom` is set and it is not atomic.
    fn write(&self, out: &mut String, ty: &Type, atom: bool) {
        match ty {
            Type::Prim(prim) => out.push_str(prim.name()),
            Type::Param(id) => match self.types.get(id) {
                Some(name) => out.push_str(name.as_str()),
                None if id.0 >= FLEXIBLE => out.push('_'),
                None => out.push_str(&id.to_string()),
            },
            Type::Array(row, size) => {
                out.push('[');
                out.push_str(&self.size(size));
                out.push(']');
                self.write(out, row, true);
            }
            Type::Tuple(parts) => {
                out.push('(');
                for (index, part) in parts.iter().enumerate() {
                    if index > 0 {
                        out.push_str(", ");
                    }
                    self.write(out, part, false);
                }
                out.push(')');
            }
            Type::Record(fields) => {
                out.push('{');
                for (index, (name, ty)) in fields.iter().enumerate() {
                    if index > 0 {
                        out.push_str(", ");
                    }
                    out.push_str(name.as_str());
                    out.push_str(": ");
                    self.write(out, ty, false);
                }
                out.push('}');
            }
            Type::Sum(_) | Type::Function(_) if atom => {
                out.push('(');
                self.write(out, ty, false);
                out.push(')');
            }
            Type::Sum(constructors) => {
                for (index, (name, payload)) in constructors.iter().enumerate() {
                    if index > 0 {
                        out.push_str(" | ");
                    }
                    out.push('#');
                    out.push_str(name.as_str());
                    for ty in payload {
                        out.push(' ');
                        self.write(out, ty, true);
                    }
                }
            }
            Type::Function(function) => self.write_function(out, function),
            Type::Abstract(named) => {
                let brackets = atom && !named.args.is_empty();
                out.push_str(if brackets { "(" } else { "" });
                self.write_abstract(out, named);
                out.push_str(if brackets { ")" } else { "" });
            }
        }
    }

    fn write_abstract(&self, out: &mut String, named: &AbstractType) {
        out.push_str(named.name.as_str());
        for arg in &named.args {
            out.push(' ');
            match arg {
                TypeArg::Size(size) => {
                    let _ = write!(out, "[{}]", self.size(size));
                }
                TypeArg::Type(ty) => self.write(out, ty, true),
            }
        }
    }

    fn write_function(&self, out: &mut String, function: &FunctionType) {
        let name = function.name.and_then(|name| self.values.get(&name));
        if let Some(name) = name {
            out.push('(');
            out.push_str(name.as_str());
            out.push_str(": ");
        }
        self.write_marked(out, &function.from, &function.consumes, name.is_none());
        if name.is_some() {
            out.push(')');
        }
        out.push_str(" -> ");
        let named: Vec<&Symbol> = function.exists.iter().filter_map(|id| self.values.get(id)).collect();
        if !named.is_empty() {
            out.push('?');
            named.iter().for_each(|name| *out += &format!("[{name}]"));
            out.push('.');
        }
        self.write_marked(out, &function.to, &function.unique, function.unique.is_whole());
    }

    /// Writes a type with a `*` before each part that is marked with one.
    fn write_marked(&self, out: &mut String, ty: &Type, unique: &Uniqueness, atom: bool) {
        let Uniqueness::Parts(marks) = unique else {
            out.push_str(if unique.is_whole() { "*" } else { "" });
            return self.write(out, ty, atom);
        };
        let is_record = matches!(ty, Type::Record(_));
        out.push(if is_record { '{' } else { '(' });
        for (index, (part, mark)) in ty.parts().into_iter().zip(marks).enumerate() {
            out.push_str(if index > 0 { ", " } else { "" });
            if let Type::Record(fields) = ty {
                let _ = write!(out, "{}: ", fields[index].0);
            }
            self.write_marked(out, part, mark, mark.is_whole());
        }
        out.push(if is_record { '}' } else { ')' });
    }
}

fn strength(op: BinOp) -> u8 {
    if matches!(op, BinOp::Add | BinOp::Sub) { 0 } else { 1 }
}

/// The operator as it is written.
pub(crate) fn sign(op: BinOp) -> &'static str {
    match op {
        BinOp::Add => "+",
        BinOp::Sub => "-",
        BinOp::Mul => "*",
        BinOp::Div => "/",
        BinOp::Mod => "%",
        BinOp::Quot => "//",
        BinOp::Rem => "%%",
        BinOp::Pow => "**",
        BinOp::And => "&",
        BinOp::Or => "|",
        BinOp::Xor => "^",
        BinOp::Shl => "<<",
        BinOp::Shr => ">>",
        BinOp::Lshr => ">>>",
        other => other.name(),
    }
}

/// A typed program as text: every definition with its parameters and types. Definitions generated for sizes are not
/// listed; a call of one is printed as its expression.
pub fn program_text(program: &Program) -> String {
    let made = made_for_sizes(program);
    let written = program.definitions.iter().filter(|definition| !is_made_for_size(definition));
    written.map(|definition| heading(definition, made.clone()) + "\n").collect()
}

/// The definitions in the source of a file, each as in [`program_text`].
pub fn definitions_text(program: &Program, file: FileId) -> Vec<String> {
    let made = made_for_sizes(program);
    let written = program.definitions.iter().filter(|definition| {
        definition.span.file == file && !definition.promise && !is_made_for_size(definition)
    });
    written.map(|definition| heading(definition, made.clone())).collect()
}

/// The type of the value of a definition without parameters.
pub fn value_type_text(program: &Program, definition: &Definition) -> String {
    write_signature(&mut String::new(), &definition.function, made_for_sizes(program))
}

fn is_made_for_size(definition: &Definition) -> bool {
    definition.name.as_str().contains([' ', HOLE])
}

/// The definitions generated for sizes, by name.
fn made_for_sizes(program: &Program) -> FxHashMap<ValueId, Symbol> {
    let made = program.definitions.iter().filter(|definition| is_made_for_size(definition));
    made.map(|definition| (definition.id, definition.name)).collect()
}

fn heading(definition: &Definition, made: FxHashMap<ValueId, Symbol>) -> String {
    let keyword = if definition.entry { "entry" } else { "def" };
    let mut text = format!("{keyword} {}", definition.name);
    let result = write_signature(&mut text, &definition.function, made);
    text + ": " + &result
}

/// Writes the parameters. Returns the type of the result.
fn write_signature(text: &mut String, function: &Function, mut values: FxHashMap<ValueId, Symbol>) -> String {
    for param in &function.params {
        collect_names(&param.pattern, &mut values);
    }
    let size_names = fresh_names("nmkl", values.values().copied().collect());
    let type_names = fresh_names("abcdeg", values.values().copied().collect());
    for (&size, name) in function.size_params.iter().zip(size_names) {
        let _ = write!(text, " [{name}]");
        values.insert(size, name);
    }
    let mut types = FxHashMap::default();
    for (&param, name) in function.type_params.iter().zip(type_names) {
        let _ = write!(text, " '{name}");
        types.insert(param, name);
    }
    let names = TypeNames { values: &values, types: &types };
    for param in &function.params {
        let mut ty = String::new();
        names.write_marked(&mut ty, &param.pattern.ty, &param.consumed, false);
        let _ = write!(text, " ({}: {ty})", pattern_text(&param.pattern));
    }
    names.ty(&function.result)
}

/// Unused names in order: the letters, then the letters with numbers, without the names in `taken`.
pub(crate) fn fresh_names(letters: &str, taken: Vec<Symbol>) -> impl Iterator<Item = Symbol> {
    let numbered = (1..).flat_map(move |round: usize| letters.chars().map(move |letter| (letter, round)));
    let names = numbered.map(|(letter, round)| match round {
        1 => Symbol::new(&letter.to_string()),
        _ => Symbol::new(&format!("{letter}{round}")),
    });
    names.filter(move |name| !taken.contains(name))
}

fn collect_names(pattern: &Pattern, values: &mut FxHashMap<ValueId, Symbol>) {
    match &pattern.node {
        PatternNode::Name(id, name) => drop(values.insert(*id, *name)),
        PatternNode::Wildcard | PatternNode::Literal(_) => {}
        PatternNode::Tuple(parts) | PatternNode::Constructor(_, parts) => {
            parts.iter().for_each(|part| collect_names(part, values));
        }
    }
}

/// The pattern in the language's notation.
fn pattern_text(pattern: &Pattern) -> String {
    match &pattern.node {
        PatternNode::Name(_, name) => name.to_string(),
        PatternNode::Wildcard => "_".to_owned(),
        PatternNode::Tuple(parts) => {
            let parts: Vec<String> = parts.iter().map(pattern_text).collect();
            composite_text(&pattern.ty, &parts)
        }
        PatternNode::Constructor(name, payload) => {
            let payload: Vec<String> = payload.iter().map(pattern_text).collect();
            constructor_text(*name, &payload)
        }
        PatternNode::Literal(value) => value.to_string(),
    }
}

/// A pattern for this tuple or record type, such as `(a, b)` or `{x = a, y = b}`.
pub(crate) fn composite_text(ty: &Type, parts: &[String]) -> String {
    match ty {
        Type::Record(fields) => {
            let fields = fields.iter().zip(parts).map(|((name, _), part)| format!("{name} = {part}"));
            format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
        }
        _ => format!("({})", parts.join(", ")),
    }
}

/// `#c a b`.
pub(crate) fn constructor_text(name: Symbol, payload: &[String]) -> String {
    let word = |text: &String| match text.contains(' ') && !text.starts_with(['(', '{']) {
        true => format!(" ({text})"),
        false => format!(" {text}"),
    };
    format!("#{name}{}", payload.iter().map(word).collect::<String>())
}
