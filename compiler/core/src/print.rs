//! The printer: core IR as text, which [`crate::parse()`] reads back.
//!
//! ```text
//! fun double (n_0: i64, xs_1: [n_0]i32) -> (ys_2: [n_0]i32) = {
//!   let ys_3: [n_0]i32 = screma n_0 {
//!     from xs_1
//!     map \(x_4: i32) -> {
//!       let v5: i32 = mul x_4 2i32
//!       in v5
//!     }
//!     to map
//!   }
//!   in ys_3
//! }
//! entry main = double (n_0, xs = xs_1) -> (ys_2)
//! ```
//!
//! A variable is printed as its name and its number; its type is printed where it is bound.
//! A `*` marks a consumed parameter, or a unique value of an entry. If a parameter of an entry holds constructor
//! numbers, `of 3` after it states the number of constructors. Attributes are printed as in the source, before the
//! expression: `let ys_3: [n_0]i32 = #[sequential] screma …`. The rest of a statement's origin is printed only by
//! [`print_with_origins`], as a comment.

mod construct;

use std::fmt::{self, Display, Write};

use ravel_base::{CallPath, Names, Symbol};
use ravel_prim::PrimValue;

use crate::syntax::*;

/// The text of a program.
pub fn print(program: &Program) -> String {
    print_program(program, false)
}

/// The text of a program, with the origin of every statement in a comment after it.
pub fn print_with_origins(program: &Program) -> String {
    print_program(program, true)
}

/// The text of one statement of a function with these variables.
pub fn print_stm(vars: &VarTable, stm: &Stm) -> String {
    let mut printer = Printer::new(vars, false);
    printer.stm(stm);
    printer.out.trim().to_owned()
}

/// Names variables in messages.
#[derive(Clone, Copy)]
pub(crate) struct Namer<'a> {
    /// The variables of the function.
    pub(crate) vars: &'a VarTable,
    /// How the messages name them.
    pub(crate) names: Names,
}

impl Namer<'_> {
    /// The text of an atom.
    pub(crate) fn atom(self, atom: Atom) -> String {
        AtomText(self, atom).to_string()
    }

    /// The text of a type.
    pub(crate) fn ty(self, ty: &Type) -> String {
        TypeText(self, ty).to_string()
    }
}

fn print_program(program: &Program, origins: bool) -> String {
    let mut out = String::new();
    for function in &program.functions {
        let mut printer = Printer::new(&function.vars, origins);
        printer.function(function);
        out += &printer.out;
    }
    for entry in &program.entries {
        out += &entry_text(program, entry);
    }
    out
}

fn entry_text(program: &Program, entry: &Entry) -> String {
    let no_vars = VarTable::new();
    let function = program.functions.iter().find(|function| function.name == entry.function);
    let vars = function.map_or(&no_vars, |function| &function.vars);
    let values = |values: &[EntryValue]| {
        list(values.iter().map(|value| {
            let star = if value.unique { "*" } else { "" };
            let name = value.name.map_or(String::new(), |name| format!("{} = ", word(name)));
            let most = value.constructors.map_or(String::new(), |count| format!(" of {count}"));
            format!("{star}{name}{}{most}", VarText(Namer { vars, names: Names::Printed }, value.var))
        }))
    };
    format!(
        "entry {} = {} ({}) -> ({})\n",
        word(entry.name),
        word(entry.function),
        values(&entry.params),
        values(&entry.results)
    )
}

fn list<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    let mut out = String::new();
    for (index, item) in items.into_iter().enumerate() {
        let comma = if index == 0 { "" } else { ", " };
        let _ = write!(out, "{comma}{item}");
    }
    out
}

/// Whether this name needs no backquotes: the parser reads it as one word.
pub(crate) fn is_plain(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && text.chars().all(|char| char.is_ascii_alphanumeric() || matches!(char, '_' | '\'' | '.'))
}

/// A name: in backquotes unless it is a plain word.
fn word(name: Symbol) -> String {
    let text = name.as_str();
    if is_plain(text) { text.to_owned() } else { format!("`{}`", escape(text, '`')) }
}

fn escape(text: &str, quote: char) -> String {
    let mut out = String::new();
    for char in text.chars() {
        match char {
            '\n' => out += "\\n",
            '\\' => out += "\\\\",
            char if char == quote => out.extend(['\\', char]),
            char if char.is_control() => {
                let _ = write!(out, "\\u{{{:x}}}", u32::from(char));
            }
            char => out.push(char),
        }
    }
    out
}

struct VarText<'a>(Namer<'a>, Var);

impl Display for VarText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Namer { vars, names } = self.0;
        match vars.get(self.1).and_then(|info| info.hint) {
            Some(name) if names == Names::Written => f.write_str(name.as_str()),
            Some(hint) => write!(f, "{}_{}", word(hint), self.1.0),
            None => write!(f, "{}", self.1),
        }
    }
}

struct AtomText<'a>(Namer<'a>, Atom);

impl Display for AtomText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.1 {
            Atom::Var(var) => VarText(self.0, var).fmt(f),
            Atom::Const(value) => f.write_str(&constant(value)),
        }
    }
}

struct TypeText<'a>(Namer<'a>, &'a Type);

impl Display for TypeText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for &size in &self.1.shape {
            match size {
                Atom::Const(PrimValue::I64(size)) => write!(f, "[{size}]")?,
                size => write!(f, "[{}]", AtomText(self.0, size))?,
            }
        }
        self.1.elem.fmt(f)
    }
}

/// Prints a constant. A NaN that would be parsed to other bits is printed as its bits: `f32#7fc00001`.
fn constant(value: PrimValue) -> String {
    let text = value.to_string();
    if PrimValue::parse(&text) == Some(value) { text } else { format!("{}#{:x}", value.ty(), value.bits()) }
}

fn origin_text(origin: &Origin) -> String {
    let spans = list(origin.spans.iter().map(|span| format!("{span:?}")));
    let rules = origin.rules.join(", ");
    let rules = if rules.is_empty() { rules } else { format!(" [{rules}]") };
    if spans.is_empty() && rules.is_empty() { String::new() } else { format!(" -- {spans}{rules}") }
}

struct Printer<'a> {
    vars: &'a VarTable,
    origins: bool,
    indent: usize,
    out: String,
}

impl<'a> Printer<'a> {
    fn new(vars: &'a VarTable, origins: bool) -> Printer<'a> {
        Printer { vars, origins, indent: 0, out: String::new() }
    }

    fn namer(&self) -> Namer<'a> {
        Namer { vars: self.vars, names: Names::Printed }
    }

    fn put(&mut self, text: impl Display) {
        let _ = write!(self.out, "{text}");
    }

    fn line(&mut self) {
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n("  ", self.indent));
    }

    fn atom(&self, atom: Atom) -> AtomText<'a> {
        AtomText(self.namer(), atom)
    }

    fn var(&self, var: Var) -> VarText<'a> {
        VarText(self.namer(), var)
    }

    fn atoms(&self, atoms: &[Atom]) -> String {
        list(atoms.iter().map(|&atom| self.atom(atom)))
    }

    fn vars(&self, vars: &[Var]) -> String {
        list(vars.iter().map(|&var| self.var(var)))
    }

    /// `x_1: i32`.
    fn binder(&self, var: Var) -> String {
        match self.vars.get(var) {
            Some(info) => format!("{}: {}", self.var(var), TypeText(self.namer(), &info.ty)),
            None => self.var(var).to_string(),
        }
    }

    fn binders(&self, vars: &[Var]) -> String {
        list(vars.iter().map(|&var| self.binder(var)))
    }

    fn function(&mut self, function: &Function) {
        if function.noinline {
            self.put("noinline ");
        }
        let params = list(function.params.iter().map(|param| {
            let star = if param.consumed { "*" } else { "" };
            format!("{star}{}", self.binder(param.var))
        }));
        let results = self.binders(&function.results);
        self.put(format_args!("fun {} ({params}) -> ({results}) = ", word(function.name)));
        self.block(&function.body);
        if self.origins {
            self.put(origin_text(&function.origin));
        }
        self.out.push('\n');
    }

    /// A body as a block, on one line if it has no statements.
    fn block(&mut self, body: &Body) {
        self.put("{");
        self.indent += 1;
        for stm in &body.stms {
            self.line();
            self.stm(stm);
        }
        let result = self.result(&body.result);
        if body.stms.is_empty() {
            self.indent -= 1;
            self.put(format_args!(" in {result} }}"));
        } else {
            self.line();
            self.put(format_args!("in {result}"));
            self.indent -= 1;
            self.line();
            self.put("}");
        }
    }

    /// Prints the body of a branch or of a lambda; if it has no statements, only its result.
    fn body(&mut self, body: &Body) {
        if body.stms.is_empty() {
            self.put(self.result(&body.result));
        } else {
            self.block(body);
        }
    }

    fn result(&self, atoms: &[Atom]) -> String {
        match atoms {
            [atom] => self.atom(*atom).to_string(),
            atoms => format!("({})", self.atoms(atoms)),
        }
    }

    fn stm(&mut self, stm: &Stm) {
        match &stm.binders[..] {
            [binder] => self.put(format_args!("let {} = ", self.binder(*binder))),
            binders => self.put(format_args!("let ({}) = ", self.binders(binders))),
        }
        for attribute in &stm.origin.attributes {
            self.put(format_args!("#[{attribute}] "));
        }
        self.exp(&stm.exp);
        if self.origins {
            self.put(origin_text(&stm.origin));
        }
    }

    fn exp(&mut self, exp: &Exp) {
        match exp {
            Exp::If { cond, then, otherwise } => self.branch(*cond, then, otherwise),
            Exp::Loop(looped) => self.loop_exp(looped),
            Exp::Screma(screma) => {
                self.put(format_args!("screma {} ", self.atom(screma.width)));
                self.screma(screma);
            }
            Exp::Segment(segment) => self.segment(segment),
            Exp::Stream(stream) => self.stream(stream),
            Exp::Atom(atom) => self.put(self.atom(*atom)),
            Exp::Unary(op, a) => self.put(format_args!("{} {}", op.name(), self.atom(*a))),
            Exp::Binary(op, a, b) => {
                self.put(format_args!("{} {} {}", op.name(), self.atom(*a), self.atom(*b)));
            }
            Exp::Compare(op, a, b) => {
                self.put(format_args!("{} {} {}", op.name(), self.atom(*a), self.atom(*b)));
            }
            Exp::Convert(to, a) => self.put(format_args!("convert {to} {}", self.atom(*a))),
            Exp::Trust(cond) => self.put(format_args!("trust {}", self.atom(*cond))),
            Exp::Param(name, default) => {
                self.put(format_args!("param \"{}\" {default}", escape(name.as_str(), '"')));
            }
            Exp::ArrayLit(elements) => self.put(format_args!("[{}]", self.atoms(elements))),
            Exp::Index(array, indices) => {
                self.put(format_args!("{}[{}]", self.var(*array), self.atoms(indices)));
            }
            Exp::Slice(array, dims) => {
                self.put(format_args!("slice {}[{}]", self.var(*array), self.dims(dims)));
            }
            Exp::Update { array, slice, value } => {
                let (array, value) = (self.var(*array), self.atom(*value));
                self.put(format_args!("{array} with [{}] = {value}", self.dims(slice)));
            }
            Exp::Iota { count, start, stride } => {
                let [count, start, stride] = [*count, *start, *stride].map(|atom| self.atom(atom));
                self.put(format_args!("iota {count} {start} {stride}"));
            }
            Exp::Replicate { count, value } => {
                self.put(format_args!("replicate {} {}", self.atom(*count), self.atom(*value)));
            }
            Exp::Scratch => self.put("scratch"),
            Exp::Copy(array) => self.put(format_args!("copy {}", self.var(*array))),
            Exp::Rearrange(array, perm) => {
                self.put(format_args!("rearrange {} ({})", self.var(*array), list(perm)));
            }
            Exp::Reshape(array) => self.put(format_args!("reshape {}", self.var(*array))),
            Exp::Manifest(perm, array, cond) => {
                self.put(format_args!("manifest ({}) {}", list(perm), self.var(*array)));
                if *cond != Atom::bool(true) {
                    self.put(format_args!(" if {}", self.atom(*cond)));
                }
            }
            Exp::Concat(arrays) => self.put(format_args!("concat ({})", self.vars(arrays))),
            Exp::Assert { cond, values, error } => {
                self.put(format_args!("assert {} ({})", self.atom(*cond), self.atoms(values)));
                self.error(error);
            }
            Exp::Call(Call { function, args, path }) => {
                self.put(format_args!("call {} ({})", word(*function), self.atoms(args)));
                self.path(*path);
            }
        }
    }

    fn dims(&self, dims: &[DimSlice]) -> String {
        list(dims.iter().map(|dim| match *dim {
            DimSlice::Fix(index) => self.atom(index).to_string(),
            DimSlice::Range { start, count, stride } => {
                let [start, count, stride] = [start, count, stride].map(|atom| self.atom(atom));
                format!("{start} : {count} : {stride}")
            }
        }))
    }

    fn branch(&mut self, cond: Atom, then: &Body, otherwise: &Body) {
        self.put(format_args!("if {} then ", self.atom(cond)));
        self.body(then);
        self.put(" else ");
        self.body(otherwise);
    }

    fn loop_exp(&mut self, looped: &Loop) {
        let params = list(
            looped.params.iter().map(|&(var, init)| format!("{} = {}", self.binder(var), self.atom(init))),
        );
        self.put(format_args!("loop ({params}) "));
        match looped.form {
            LoopForm::For { index, bound } => {
                self.put(format_args!("for {} < {} do ", self.binder(index), self.atom(bound)));
            }
            LoopForm::While(cond) => self.put(format_args!("while {} do ", self.var(cond))),
        }
        self.body(&looped.body);
    }

    fn error(&mut self, error: &ErrorMessage) {
        for part in &error.parts {
            match part {
                ErrorPart::Text(text) => self.put(format_args!(" \"{}\"", escape(text, '"'))),
                ErrorPart::Value(atom) => self.put(format_args!(" {}", self.atom(*atom))),
            }
        }
        self.path(error.path);
    }

    fn path(&mut self, path: Option<CallPath>) {
        if let Some(path) = path {
            self.put(format_args!(" @ {path}"));
        }
    }

    fn lambda(&mut self, lambda: &Lambda) {
        self.put(format_args!("\\({}) -> ", self.binders(&lambda.params)));
        self.body(&lambda.body);
    }
}

#[cfg(test)]
mod tests;
