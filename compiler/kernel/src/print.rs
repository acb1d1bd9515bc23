//! Prints kernel text, the form of programs in dumps and tests. [`parse`](crate::parse()) parses it.
//!
//! The text shows the main place of each segment, ` at 0:3..7`, and nothing else of the origins. The parser gives this
//! place to all statements of the segment.
//!
//! Every binder is printed with its type. A variable is printed as its hint and its number, `xs_7`, or as `v7` if it
//! has no hint. A hint that is not a word is enclosed in backquotes.

use std::fmt::{self, Debug, Display, Formatter, Write};

use ravel_base::{Span, Symbol};
use ravel_prim::PrimValue;

use crate::literal;
use crate::syntax::*;

impl Display for Program {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (id, message) in self.messages.iter() {
            let cause = match message.cause {
                Cause::Program => "",
                Cause::Machine => " limitation",
            };
            write!(f, "{id}{} ={cause}", Suffix(message.path))?;
            for (index, part) in message.parts.iter().enumerate() {
                f.write_str(if index == 0 { " " } else { ", " })?;
                match part {
                    MessagePart::Text(text) => f.write_str(&literal::quote(text))?,
                    MessagePart::Value(ty) => write!(f, "{ty}")?,
                }
            }
            f.write_char('\n')?;
        }
        let hosts = self.host_functions.iter().map(|function| function.to_string());
        let threads = self.thread_functions.iter().map(|function| function.to_string());
        let entries = self.entries.iter().map(|entry| entry.to_string());
        for (index, part) in hosts.chain(threads).chain(entries).enumerate() {
            if index > 0 || !self.messages.is_empty() {
                f.write_char('\n')?;
            }
            f.write_str(&part)?;
        }
        Ok(())
    }
}

impl<L: Level> Display for Function<L> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut printer = Printer { f, vars: &self.vars, depth: 0 };
        printer.function(self)
    }
}

impl Display for Entry {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut printer = Printer { f, vars: &self.vars, depth: 0 };
        printer.entry(self)
    }
}

impl Display for Type {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Type::Scalar(ty) => write!(f, "{ty}"),
            Type::Block(block) => write!(f, "{block}"),
            Type::Array(view) => write!(f, "{} array of rank {}", view.elem, view.shape.len()),
        }
    }
}

impl Display for LevelName {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LevelName::Host => "host",
            LevelName::Workgroup => "workgroup",
            LevelName::Thread => "thread",
        })
    }
}

impl Display for BlockType {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.space {
            Space::Device => write!(f, "block {}", self.elem),
            Space::Workgroup => write!(f, "workgroup {}", self.elem),
            Space::Private => write!(f, "private {}", self.elem),
        }
    }
}

/// The printed name of a variable.
pub fn name_of(vars: &VarTable, var: Var) -> String {
    match vars.get(var).and_then(|info| info.hint) {
        Some(hint) if is_word(hint) => format!("{hint}_{}", var.0),
        Some(hint) if !hint.as_str().contains('`') => format!("`{hint}`_{}", var.0),
        _ => var.to_string(),
    }
}

/// Whether the hint needs no backquotes.
fn is_word(hint: Symbol) -> bool {
    let text = hint.as_str();
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '\'')
}

/// Prints a place, or a place with the calls that lead there, as ` at 0:3..7`; prints nothing if the place is unknown.
struct Suffix<P>(Option<P>);

impl<P: Debug> Display for Suffix<P> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(place) => write!(f, " at {place:?}"),
            None => Ok(()),
        }
    }
}

/// The types of results.
fn results(types: &[ResultType]) -> String {
    types.iter().map(|ty| "[]".repeat(ty.rank) + ty.elem.name()).collect::<Vec<_>>().join(", ")
}

fn kind_word(kind: &SegmentKind) -> &'static str {
    match kind {
        SegmentKind::Map => "map",
        SegmentKind::Reduce(_) => "reduce",
        SegmentKind::Scan(..) => "scan",
    }
}

struct Printer<'a, 'b> {
    f: &'a mut Formatter<'b>,
    vars: &'a VarTable,
    depth: usize,
}

impl Printer<'_, '_> {
    fn entry(&mut self, entry: &Entry) -> fmt::Result {
        let sizes = self.vars(&entry.sizes);
        let params: Vec<String> = entry
            .params
            .iter()
            .map(|param| {
                let star = if param.consumed { "*" } else { "" };
                let name = param.name.map_or(String::new(), |name| literal::quote(name.as_str()) + " ");
                let shape = match param.shape.as_slice() {
                    [] => String::new(),
                    shape => format!(" [{}]", self.atoms(shape)),
                };
                let most = param.constructors.map_or(String::new(), |count| format!(" of {count}"));
                format!("{star}{name}{}{shape}{most}", self.binder(param.var))
            })
            .collect();
        let name = literal::quote(entry.name.as_str());
        let (params, results) = (params.join(", "), results(&entry.results));
        write!(self.f, "entry {name} [{sizes}] ({params}) -> ({results}) ")?;
        self.body(&entry.body)?;
        self.f.write_char('\n')
    }

    fn function<L: Level>(&mut self, function: &Function<L>) -> fmt::Result {
        let star = |param: &FunctionParam| if param.consumed { "*" } else { "" };
        let params = function.params.iter().map(|param| star(param).to_owned() + &self.binder(param.var));
        let params = params.collect::<Vec<_>>().join(", ");
        let results = function.results.iter().map(Type::to_string).collect::<Vec<_>>().join(", ");
        let name = literal::quote(function.name.as_str());
        write!(self.f, "{} function {name} ({params}) -> ({results}) ", L::NAME)?;
        self.body(&function.body)?;
        self.f.write_char('\n')
    }

    fn line(&mut self) -> fmt::Result {
        self.f.write_char('\n')?;
        (0..self.depth).try_for_each(|_| self.f.write_str("  "))
    }

    fn body<L: Level>(&mut self, body: &Body<L>) -> fmt::Result {
        self.f.write_char('{')?;
        self.depth += 1;
        for step in &body.stms {
            self.line()?;
            self.step(step)?;
        }
        if !body.result.is_empty() {
            self.line()?;
            write!(self.f, "yield {}", self.atoms(&body.result))?;
        }
        self.depth -= 1;
        self.line()?;
        self.f.write_char('}')
    }

    fn step<L: Level>(&mut self, step: &Step<L>) -> fmt::Result {
        match &step.stm {
            Stm::Let { var, exp } => {
                let (binder, exp) = (self.binder(*var), self.exp(exp));
                write!(self.f, "let {binder} = {exp}")
            }
            Stm::SineCosine { sine, cosine, angle } => {
                let (sine, cosine, angle) = (self.binder(*sine), self.binder(*cosine), self.atom(*angle));
                write!(self.f, "let {sine}, {cosine} = sine_cosine({angle})")
            }
            Stm::View(var) => {
                let name = self.var(*var);
                match self.vars.get(*var).map(|info| &info.ty) {
                    Some(Type::Array(view)) => {
                        let (shape, strides) = (self.atoms(&view.shape), self.atoms(&view.strides));
                        let (elem, block, offset) = (view.elem, self.var(view.block), self.atom(view.offset));
                        write!(self.f, "view {name}: {elem} [{shape}] = {block} + {offset} * [{strides}]")
                    }
                    _ => write!(self.f, "view {name}: not an array"),
                }
            }
            Stm::Alloc { block, count } => {
                let (binder, count) = (self.binder(*block), self.atom(*count));
                write!(self.f, "alloc {binder} = {count}")
            }
            Stm::Constants { block, values } => {
                let values: Vec<String> = values.iter().map(|&value| literal::print(value)).collect();
                write!(self.f, "constants {} = [{}]", self.binder(*block), values.join(", "))
            }
            Stm::Load { var, array, indices } => {
                let (binder, array, indices) = (self.binder(*var), self.var(*array), self.atoms(indices));
                write!(self.f, "load {binder} = {array}[{indices}]")
            }
            Stm::Store { array, indices, value } => {
                let (array, indices, value) = (self.var(*array), self.atoms(indices), self.atom(*value));
                write!(self.f, "store {array}[{indices}] = {value}")
            }
            Stm::Combine { array, indices, op, value } => {
                let (array, indices, value) = (self.var(*array), self.atoms(indices), self.atom(*value));
                write!(self.f, "combine {} {array}[{indices}] = {value}", op.name())
            }
            Stm::Copy { to, from } => {
                let (to, from) = (self.var(*to), self.var(*from));
                write!(self.f, "copy {to} = {from}")
            }
            Stm::If { binders, cond, then, otherwise } => {
                write!(self.f, "if {} ", self.atom(*cond))?;
                self.body(then)?;
                self.f.write_str(" else ")?;
                self.body(otherwise)?;
                self.bound_to(binders)
            }
            Stm::Loop { binders, params, form, body } => {
                let params: Vec<String> = params
                    .iter()
                    .map(|(var, init)| format!("{} = {}", self.binder(*var), self.atom(*init)))
                    .collect();
                write!(self.f, "loop ({}) ", params.join(", "))?;
                match form {
                    LoopForm::For { index, bound, reduces } => {
                        let (index, bound) = (self.binder(*index), self.atom(*bound));
                        let word = if *reduces { "reduce" } else { "for" };
                        write!(self.f, "{word} {index} < {bound} ")?;
                    }
                    LoopForm::While(cond) => write!(self.f, "while {} ", self.var(*cond))?,
                }
                self.body(body)?;
                self.bound_to(binders)
            }
            Stm::Assert { cond, message, args } => {
                let (cond, args) = (self.atom(*cond), self.atoms(args));
                write!(self.f, "assert {cond} {message}({args})")
            }
            Stm::Trace { trace, args } => {
                let (label, at) = (literal::quote(trace.label.as_str()), Suffix(trace.span));
                let kind = match trace.kind {
                    TraceKind::Shown => "trace",
                    TraceKind::Bins => "bins",
                };
                write!(self.f, "{kind} {label}{at} ({}) ({})", results(&trace.values), self.atoms(args))
            }
            Stm::Choose { versions: Versions { name, names }, cond } => {
                let [name, first, second] =
                    [*name, names[0], names[1]].map(|name| literal::quote(name.as_str()));
                write!(self.f, "choose {name} {first} if {} else {second}", self.atom(*cond))
            }
            Stm::Call { binders, function, args, site } => {
                let star = |arg: &Argument| if arg.consumed { "*" } else { "" };
                let args = args.iter().map(|arg| star(arg).to_owned() + &self.atom(arg.value));
                let args = args.collect::<Vec<_>>().join(", ");
                write!(self.f, "call {} ({args})", literal::quote(function.as_str()))?;
                if let Some(site) = site {
                    write!(self.f, " at {site}")?;
                }
                self.bound_to(binders)
            }
            Stm::Segment(segment) => match L::segment(segment) {
                AnySegment::Grid(segment) => self.grid_segment(segment, step.place()),
                AnySegment::Inner(segment) => self.inner_segment(segment, step.place()),
            },
        }
    }

    fn bound_to(&mut self, binders: &[Var]) -> fmt::Result {
        if binders.is_empty() {
            return Ok(());
        }
        let binders: Vec<String> = binders.iter().map(|&var| self.binder(var)).collect();
        write!(self.f, " -> ({})", binders.join(", "))
    }

    fn grid_segment(&mut self, segment: &GridSegment, place: Option<Span>) -> fmt::Result {
        let word = match &segment.points {
            Points::Threads { kind, .. } => kind_word(kind),
            Points::Workgroups(_) => "blocks",
        };
        self.segment_head(word, segment.hint, &segment.space)?;
        write!(self.f, " chunk {}", self.atom(segment.chunk))?;
        if let Some(lanes) = segment.lanes {
            write!(self.f, " lanes {}", lanes.word())?;
        }
        write!(self.f, "{} ", Suffix(place))?;
        match &segment.points {
            Points::Threads { kind, body } => self.threads(kind, body),
            Points::Workgroups(body) => self.body(body),
        }
    }

    fn inner_segment(&mut self, segment: &InnerSegment, place: Option<Span>) -> fmt::Result {
        self.segment_head(kind_word(&segment.kind), segment.hint, &segment.space)?;
        write!(self.f, "{} ", Suffix(place))?;
        self.threads(&segment.kind, &segment.body)
    }

    /// `segment map "hint" (i < n)`
    fn segment_head(&mut self, word: &str, hint: Option<Symbol>, space: &[(Var, Atom)]) -> fmt::Result {
        let hint = hint.map_or(String::new(), |hint| " ".to_owned() + &literal::quote(hint.as_str()));
        let space: Vec<String> =
            space.iter().map(|&(index, size)| format!("{} < {}", self.var(index), self.atom(size))).collect();
        write!(self.f, "segment {word}{hint} ({})", space.join(", "))
    }

    fn threads(&mut self, kind: &SegmentKind, body: &Body<Thread>) -> fmt::Result {
        self.body(body)?;
        for combiner in kind.combiners() {
            let binders =
                |vars: &[Var]| vars.iter().map(|&var| self.binder(var)).collect::<Vec<_>>().join(", ");
            let (left, right) = (binders(&combiner.left), binders(&combiner.right));
            let (neutral, outs) = (self.atoms(&combiner.neutral), self.vars(&combiner.outs));
            let commutative = if combiner.commutative { "commutative " } else { "" };
            write!(self.f, " combine ({left}) ({right}) neutral ({neutral}) into ({outs}) {commutative}")?;
            self.body(&combiner.body)?;
        }
        if let Some(finish) = kind.finish() {
            let prefixes: Vec<String> = finish.prefixes.iter().map(|&prefix| self.binder(prefix)).collect();
            write!(self.f, " finish ({}) ", prefixes.join(", "))?;
            self.body(&finish.body)?;
        }
        Ok(())
    }

    fn exp(&self, exp: &ScalarExp) -> String {
        match exp {
            ScalarExp::Atom(atom) => self.atom(*atom),
            ScalarExp::Unary(op, a) => format!("{}({})", op.name(), self.atom(*a)),
            ScalarExp::Binary(op, a, b) => format!("{}({}, {})", op.name(), self.atom(*a), self.atom(*b)),
            ScalarExp::Compare(op, a, b) => format!("{}({}, {})", op.name(), self.atom(*a), self.atom(*b)),
            ScalarExp::Convert(ty, a) => format!("{ty}({})", self.atom(*a)),
            ScalarExp::Select(c, a, b) => {
                format!("select({}, {}, {})", self.atom(*c), self.atom(*a), self.atom(*b))
            }
            ScalarExp::PrivateLimit(a) => format!("private_limit({})", self.atom(*a)),
            ScalarExp::Param(name, default) => {
                format!(
                    "param {} {}",
                    literal::quote(name.as_str()),
                    literal::print(PrimValue::I64(*default))
                )
            }
        }
    }

    fn binder(&self, var: Var) -> String {
        match self.vars.get(var) {
            Some(info) => format!("{}: {}", self.var(var), info.ty),
            None => format!("{var}: unknown"),
        }
    }

    fn var(&self, var: Var) -> String {
        name_of(self.vars, var)
    }

    fn vars(&self, vars: &[Var]) -> String {
        vars.iter().map(|&var| self.var(var)).collect::<Vec<_>>().join(", ")
    }

    fn atom(&self, atom: Atom) -> String {
        match atom {
            Atom::Var(var) => self.var(var),
            Atom::Const(value) => literal::print(value),
        }
    }

    fn atoms(&self, atoms: &[Atom]) -> String {
        atoms.iter().map(|&atom| self.atom(atom)).collect::<Vec<_>>().join(", ")
    }
}
