//! The printer: a module as WGSL text.
//!
//! Only this file decides about indentation, parentheses, and the spelling of names and literals. It writes only the
//! parentheses that the grammar of WGSL needs.

use std::fmt::{self, Write};

use ravel_abi::plan;
use ravel_prim::{PrimType, PrimValue};

use super::exp::{Callee, Form, Infix, Prefix};
use super::{Block, Exp, Function, Item, Module, Stm, Type, Version};

/// The text of a version of a module that has these helpers.
pub(super) fn print<'h>(module: &Module, version: Version, helpers: impl Iterator<Item = &'h str>) -> String {
    let mut printer = Printer { text: String::new(), depth: 0, version };
    // Writing to a string never fails.
    let _ = printer.module(module, helpers);
    printer.text
}

struct Printer {
    text: String,
    /// The number of open braces.
    depth: usize,
    version: Version,
}

impl Printer {
    fn module<'h>(&mut self, module: &Module, helpers: impl Iterator<Item = &'h str>) -> fmt::Result {
        self.open("struct Params")?;
        writeln!(self.text, "    launch: u32,\n    first_group: u32,")?;
        for &(name, ty) in &module.params {
            writeln!(self.text, "    {name}: {},", TypeName(ty))?;
        }
        self.close()?;
        let (status, params) = (plan::STATUS, plan::PARAMS);
        let group = "@group(0)";
        writeln!(
            self.text,
            "\n{group} @binding({status}) var<storage, read_write> status: array<atomic<u32>>;"
        )?;
        writeln!(self.text, "{group} @binding({params}) var<uniform> params: Params;")?;
        for (binding, block) in (plan::FIRST_BLOCK..).zip(&module.bindings) {
            let access = if block.written { "read_write" } else { "read" };
            let (name, ty) = (block.name, TypeName(block.ty));
            writeln!(self.text, "{group} @binding({binding}) var<storage, {access}> {name}: {ty};")?;
        }
        for (at, &(name, ty)) in module.workgroup_vars.iter().enumerate() {
            let gap = if at == 0 { "\n" } else { "" };
            writeln!(self.text, "{gap}var<workgroup> {name}: {};", TypeName(ty))?;
        }
        for source in &module.sources {
            self.text.push('\n');
            self.text.push_str(source);
        }
        for helper in helpers {
            self.text.push('\n');
            self.text.push_str(helper);
        }
        for item in &module.items {
            self.text.push('\n');
            self.item(item)?;
        }
        writeln!(self.text, "\n@compute @workgroup_size({})", module.workgroup)?;
        self.text.push_str("fn main(\n");
        self.text.push_str("    @builtin(workgroup_id) group_id: vec3<u32>,\n");
        self.text.push_str("    @builtin(num_workgroups) grid: vec3<u32>,\n");
        self.text.push_str("    @builtin(local_invocation_index) lane: u32,\n");
        if self.version == Version::Subgroups {
            for builtin in ["num_subgroups", "subgroup_id", "subgroup_size", "subgroup_invocation_id"] {
                writeln!(self.text, "    @builtin({builtin}) {builtin}: u32,")?;
            }
        }
        self.open(")")?;
        self.stms(&module.main)?;
        self.close()
    }

    fn item(&mut self, item: &Item) -> fmt::Result {
        match item {
            Item::Constant(name, value) => {
                write!(self.text, "const {name} = ")?;
                self.exp(value)?;
                self.text.push_str(";\n");
                Ok(())
            }
            Item::Struct(name, members) => {
                writeln!(self.text, "struct {name} {{")?;
                for (name, ty) in members {
                    writeln!(self.text, "    {name}: {},", TypeName(*ty))?;
                }
                self.close_at(0)
            }
            Item::Function(function) => self.function(function),
        }
    }

    fn function(&mut self, function: &Function) -> fmt::Result {
        write!(self.text, "fn {}(", function.name)?;
        for (at, (name, ty)) in function.params.iter().enumerate() {
            let comma = if at == 0 { "" } else { ", " };
            write!(self.text, "{comma}{name}: {}", TypeName(*ty))?;
        }
        self.text.push(')');
        if function.result != Type::Nothing {
            write!(self.text, " -> {}", TypeName(function.result))?;
        }
        self.open("")?;
        self.stms(&function.body)?;
        self.close()
    }

    /// Begins a line.
    fn indent(&mut self) {
        for _ in 0..self.depth {
            self.text.push_str("    ");
        }
    }

    /// Ends the line with an opening brace.
    fn open(&mut self, before: &str) -> fmt::Result {
        self.depth += 1;
        writeln!(self.text, "{before} {{")
    }

    /// Writes a closing brace on a line of its own.
    fn close(&mut self) -> fmt::Result {
        self.depth -= 1;
        self.close_at(self.depth)
    }

    fn close_at(&mut self, depth: usize) -> fmt::Result {
        self.depth = depth;
        self.indent();
        self.text.push_str("}\n");
        Ok(())
    }

    fn stms(&mut self, block: &Block) -> fmt::Result {
        block.stms.iter().try_for_each(|stm| self.stm(stm))
    }

    fn stm(&mut self, stm: &Stm) -> fmt::Result {
        if let Stm::WithSubgroups(block) = stm {
            return if self.version == Version::Subgroups { self.stms(block) } else { Ok(()) };
        }
        self.indent();
        match stm {
            Stm::If(cond, then, otherwise) => {
                self.text.push_str("if (");
                self.exp(cond)?;
                self.text.push(')');
                if let ([leave @ (Stm::Break | Stm::Return(_))], []) = (&then.stms[..], &otherwise.stms[..]) {
                    self.text.push_str(" { ");
                    self.simple(leave)?;
                    self.text.push_str("; }\n");
                    return Ok(());
                }
                self.open("")?;
                self.stms(then)?;
                if !otherwise.stms.is_empty() {
                    self.depth -= 1;
                    self.indent();
                    self.open("} else")?;
                    self.stms(otherwise)?;
                }
                self.close()
            }
            Stm::For(name, head, round) => {
                let [first, cond, next] = &**head;
                write!(self.text, "for (var {name} = ")?;
                self.exp(first)?;
                self.text.push_str("; ");
                self.exp(cond)?;
                write!(self.text, "; {name} = ")?;
                self.exp(next)?;
                self.open(")")?;
                self.stms(round)?;
                self.close()
            }
            Stm::While(cond, round) => {
                self.text.push_str("while (");
                self.exp(cond)?;
                self.open(")")?;
                self.stms(round)?;
                self.close()
            }
            Stm::Braces(block) => {
                self.depth += 1;
                self.text.push_str("{\n");
                self.stms(block)?;
                self.close()
            }
            simple => {
                self.simple(simple)?;
                self.text.push_str(";\n");
                Ok(())
            }
        }
    }

    /// A statement without braces.
    fn simple(&mut self, stm: &Stm) -> fmt::Result {
        match stm {
            Stm::Let(name, value) => {
                write!(self.text, "let {name} = ")?;
                self.exp(value)
            }
            Stm::Var(name, value) => {
                write!(self.text, "var {name} = ")?;
                self.exp(value)
            }
            Stm::Declare(name, ty) => write!(self.text, "var {name}: {}", TypeName(*ty)),
            Stm::Assign(place, value) => {
                self.exp(place)?;
                self.text.push_str(" = ");
                self.exp(value)
            }
            Stm::Run(call) => self.exp(call),
            Stm::Break => self.text.write_str("break"),
            Stm::Return(None) => self.text.write_str("return"),
            Stm::Return(Some(result)) => {
                self.text.push_str("return ");
                self.exp(result)
            }
            Stm::If(..) | Stm::For(..) | Stm::While(..) | Stm::Braces(_) | Stm::WithSubgroups(_) => {
                self.stm(stm)
            }
        }
    }

    fn exp(&mut self, exp: &Exp) -> fmt::Result {
        match &exp.form {
            Form::Name(name) => write!(self.text, "{name}"),
            Form::Literal(value) => write!(self.text, "{}", Literal(*value)),
            Form::Member(of, name) => {
                self.operand(of, Level::Primary, None)?;
                write!(self.text, ".{name}")
            }
            Form::Element(of, position) => {
                self.operand(of, Level::Primary, None)?;
                self.text.push('[');
                self.exp(position)?;
                self.text.push(']');
                Ok(())
            }
            Form::Prefix(op, operand) => {
                self.text.push(match op {
                    Prefix::Negative => '-',
                    Prefix::Not => '!',
                    Prefix::Complement => '~',
                });
                // Two minus signs in a row would be another operator.
                self.operand(operand, Level::Primary, None)
            }
            Form::Infix(left, op, right) => {
                let (_, first, second) = levels(*op);
                self.operand(left, first, Some(*op))?;
                write!(self.text, " {} ", sign(*op))?;
                self.operand(right, second, None)
            }
            Form::Call(callee, args) => {
                match callee {
                    Callee::Function(name) => write!(self.text, "{name}")?,
                    Callee::Helper(name, ty) => write!(self.text, "{name}_{ty}")?,
                    Callee::Type => write!(self.text, "{}", TypeName(exp.ty))?,
                    Callee::Bitcast => write!(self.text, "bitcast<{}>", TypeName(exp.ty))?,
                }
                self.text.push('(');
                for (at, arg) in args.iter().enumerate() {
                    self.text.push_str(if at == 0 { "" } else { ", " });
                    self.exp(arg)?;
                }
                self.text.push(')');
                Ok(())
            }
            Form::Address(of) => {
                self.text.push('&');
                self.operand(of, Level::Primary, None)
            }
        }
    }

    /// An operand, in parentheses if its operator binds less tightly than `least`. The left operand needs no
    /// parentheses if it has the same operator.
    fn operand(&mut self, exp: &Exp, least: Level, left_of: Option<Infix>) -> fmt::Result {
        let (level, op) = match &exp.form {
            Form::Infix(_, op, _) => (levels(*op).0, Some(*op)),
            Form::Prefix(..) | Form::Address(_) => (Level::Prefix, None),
            Form::Literal(value) if Literal(*value).is_negative() => (Level::Prefix, None),
            _ => (Level::Primary, None),
        };
        if level >= least || (op.is_some() && op == left_of && level == Level::Chain) {
            return self.exp(exp);
        }
        self.text.push('(');
        self.exp(exp)?;
        self.text.push(')');
        Ok(())
    }
}

/// How tightly operators bind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    /// Operators that combine only with themselves.
    Chain,
    /// Comparisons.
    Comparison,
    Sum,
    Product,
    Prefix,
    Primary,
}

/// The level of an operator, and the least levels of its operands without parentheses.
fn levels(op: Infix) -> (Level, Level, Level) {
    match op {
        Infix::Mul | Infix::Div | Infix::Rem => (Level::Product, Level::Product, Level::Prefix),
        Infix::Add | Infix::Sub => (Level::Sum, Level::Sum, Level::Product),
        Infix::Lt | Infix::Le | Infix::Gt | Infix::Ge | Infix::Eq | Infix::Ne => {
            (Level::Comparison, Level::Sum, Level::Sum)
        }
        Infix::And | Infix::Or | Infix::Xor => (Level::Chain, Level::Prefix, Level::Prefix),
        Infix::Both | Infix::Either => (Level::Chain, Level::Comparison, Level::Comparison),
    }
}

fn sign(op: Infix) -> &'static str {
    match op {
        Infix::Mul => "*",
        Infix::Div => "/",
        Infix::Rem => "%",
        Infix::Add => "+",
        Infix::Sub => "-",
        Infix::And => "&",
        Infix::Or => "|",
        Infix::Xor => "^",
        Infix::Lt => "<",
        Infix::Le => "<=",
        Infix::Gt => ">",
        Infix::Ge => ">=",
        Infix::Eq => "==",
        Infix::Ne => "!=",
        Infix::Both => "&&",
        Infix::Either => "||",
    }
}

/// A type as WGSL spells it.
struct TypeName(Type);

impl fmt::Display for TypeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Type::Scalar(ty) => f.write_str(ty.name()),
            Type::Struct(name) => write!(f, "{name}"),
            Type::Array(elem, None) => write!(f, "array<{elem}>"),
            Type::Array(elem, Some(capacity)) => write!(f, "array<{elem}, {capacity}>"),
            Type::AtomicArray(elem, capacity) => write!(f, "array<atomic<{elem}>, {capacity}>"),
            Type::Atomic(ty) => write!(f, "atomic<{ty}>"),
            Type::Nothing => Ok(()),
        }
    }
}

/// A literal.
///
/// WGSL has no text for NaN and the infinities, and a constant expression that gives one is an error. Such values are made
/// from their bits at run time, by the helper `from_bits`. So are subnormal numbers, which devices may read as 0, and -0.0,
/// which would be a negation of 0.
pub(crate) struct Literal(pub PrimValue);

impl Literal {
    /// The type, if the helper `from_bits` makes this value.
    pub(super) fn bits_type(&self) -> Option<PrimType> {
        let is_plain =
            |x: f64, least: f64| (x == 0.0 && x.is_sign_positive()) || (x.is_finite() && x.abs() >= least);
        match self.0 {
            PrimValue::F32(x) if !is_plain(f64::from(x), f64::from(f32::MIN_POSITIVE)) => Some(PrimType::F32),
            PrimValue::F64(x) if !is_plain(x, f64::MIN_POSITIVE) => Some(PrimType::F64),
            _ => None,
        }
    }

    fn is_negative(&self) -> bool {
        match self.0 {
            PrimValue::I32(x) => x < 0 && x != i32::MIN,
            PrimValue::I64(x) => x < 0 && x != i64::MIN,
            PrimValue::F32(x) => x < 0.0 && self.bits_type().is_none(),
            PrimValue::F64(x) => x < 0.0 && self.bits_type().is_none(),
            _ => false,
        }
    }
}

impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            PrimValue::F32(x) if self.bits_type().is_some() => {
                write!(f, "from_bits_f32({}u)", x.to_bits())
            }
            PrimValue::F64(x) if self.bits_type().is_some() => {
                write!(f, "from_bits_f64({}lu)", x.to_bits())
            }
            PrimValue::I32(i32::MIN) => f.write_str("i32(-2147483648)"),
            PrimValue::I32(x) => write!(f, "{x}i"),
            PrimValue::I64(i64::MIN) => f.write_str("i64(-9223372036854775807li - 1li)"),
            PrimValue::I64(x) => write!(f, "{x}li"),
            PrimValue::U32(x) => write!(f, "{x}u"),
            PrimValue::U64(x) => write!(f, "{x}lu"),
            PrimValue::F32(x) => write!(f, "{x:?}f"),
            PrimValue::F64(x) => write!(f, "{x:?}lf"),
            PrimValue::Bool(x) => write!(f, "{x}"),
            // A carrier has no other type.
            other => write!(f, "{}u", other.bits()),
        }
    }
}

#[cfg(test)]
mod tests {
    use ravel_prim::{PrimType, PrimValue};

    use super::*;

    fn text(exp: Exp) -> String {
        let mut printer = Printer { text: String::new(), depth: 0, version: Version::Plain };
        printer.exp(&exp).expect("strings take all text");
        printer.text
    }

    #[test]
    fn parentheses_are_those_that_the_grammar_needs() {
        let [a, b, c] = ["a", "b", "c"].map(Exp::word);
        let flag = Exp::flag("d");
        let texts = [
            (&a + &b) * &c,
            &a * (&b + &c),
            &a * &b + &c,
            &a - (&b - &c),
            (&a - &b) - &c,
            &a / (&b * &c),
            (&a & &b) & &c,
            (&a & &b) | &c,
            (&a & &b).equals(0),
            (&a + &b).lt(&a * &c),
            a.lt(&b).and(b.lt(&c)).and(&flag),
            a.lt(&b).or(flag.clone().and(b.lt(&c))),
            !a.equals(&b),
            !flag,
            -(&a + &b),
            -(-a.clone()),
            (&a + &b).convert(PrimType::I64),
        ];
        let expected = [
            "(a + b) * c",
            "a * (b + c)",
            "a * b + c",
            "a - (b - c)",
            "a - b - c",
            "a / (b * c)",
            "a & b & c",
            "(a & b) | c",
            "(a & b) == 0u",
            "a + b < a * c",
            "a < b && b < c && d",
            "a < b || (d && b < c)",
            "!(a == b)",
            "!d",
            "-(a + b)",
            "-(-a)",
            "i64(a + b)",
        ];
        assert_eq!(texts.map(text), expected);
    }

    #[test]
    fn literals_have_the_bits_of_their_values() {
        let negative = |value| text(-Exp::literal(value));
        assert_eq!(negative(PrimValue::F32(-1.5)), "-(-1.5f)");
        assert_eq!(negative(PrimValue::I64(i64::MIN)), "-i64(-9223372036854775807li - 1li)");
        let plain = |value| text(Exp::literal(value));
        assert_eq!(plain(PrimValue::F32(-0.0)), "from_bits_f32(2147483648u)");
        assert_eq!(plain(PrimValue::F64(f64::INFINITY)), "from_bits_f64(9218868437227405312lu)");
        assert_eq!(plain(PrimValue::F32(1e-40)), "from_bits_f32(71362u)");
        assert_eq!(plain(PrimValue::I8(-3)), "-3i");
        assert_eq!(plain(PrimValue::Bool(true)), "true");
    }
}
