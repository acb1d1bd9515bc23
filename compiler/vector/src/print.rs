//! The text of a strip, for readers of dumps and tests. A varying value has a star after its type.

use std::fmt::{self, Display, Formatter};

use crate::form::{Body, Exp, Form, Memory, Operand, Place, Position, Stm, Strip, Value};

impl Display for Strip {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut printer = Printer { f, strip: self, depth: 0 };
        printer.strip()
    }
}

struct Printer<'a, 'b> {
    f: &'a mut Formatter<'b>,
    strip: &'a Strip,
    depth: usize,
}

impl Printer<'_, '_> {
    fn strip(&mut self) -> fmt::Result {
        let strip = self.strip;
        let counter = strip.counter.map_or(String::new(), |counter| self.name(counter));
        writeln!(self.f, "strip {counter} {{")?;
        self.depth += 1;
        for &(value, var) in &strip.inputs {
            let binder = self.binder(value);
            self.line(&format!("input {binder} = {var}"))?;
        }
        for &(value, exp) in &strip.before {
            let (binder, exp) = (self.binder(value), self.exp(exp));
            self.line(&format!("before {binder} = {exp}"))?;
        }
        for (memory, info) in strip.memories.iter() {
            match info.place {
                Place::Block(var) => self.line(&format!("memory {memory}: {} = {var}", info.elem))?,
                Place::Private(count) => {
                    self.line(&format!("memory {memory}: {} = private {count}", info.elem))?;
                }
                Place::Preallocated(count) => {
                    let count = self.operand(count);
                    self.line(&format!("memory {memory}: {} = preallocated {count}", info.elem))?;
                }
            }
        }
        for &value in &strip.state {
            let binder = self.binder(value);
            self.line(&format!("state {binder}"))?;
        }
        for &value in &strip.carry {
            let binder = self.binder(value);
            self.line(&format!("carry {binder}"))?;
        }
        self.inside(&strip.body)?;
        self.depth -= 1;
        self.f.write_str("}")
    }

    fn line(&mut self, text: &str) -> fmt::Result {
        writeln!(self.f, "{:1$}{text}", "", 2 * self.depth)
    }

    fn name(&self, value: Value) -> String {
        match self.strip.values[value].hint {
            Some(hint) => format!("{hint}_{}", value.0),
            None => value.to_string(),
        }
    }

    fn binder(&self, value: Value) -> String {
        let info = &self.strip.values[value];
        format!("{}: {}{}", self.name(value), info.ty, if info.varying { "*" } else { "" })
    }

    fn operand(&self, operand: Operand) -> String {
        match operand {
            Operand::Value(value) => self.name(value),
            Operand::Const(constant) => constant.to_string(),
        }
    }

    fn list(&self, operands: &[Operand]) -> String {
        operands.iter().map(|&operand| self.operand(operand)).collect::<Vec<_>>().join(", ")
    }

    fn binders(&self, values: &[Value]) -> String {
        values.iter().map(|&value| self.binder(value)).collect::<Vec<_>>().join(", ")
    }

    fn element(&self, memory: Memory, position: Position) -> String {
        let position = match position {
            Position::Uniform(at) => self.operand(at),
            Position::Strided { first, step } if step == Operand::i64(1) => {
                format!("{} ..", self.operand(first))
            }
            Position::Strided { first, step } => {
                format!("{} .. by {}", self.operand(first), self.operand(step))
            }
            Position::Varying(at) => format!("each {}", self.operand(at)),
            Position::Rising(at) => format!("rising {}", self.operand(at)),
        };
        format!("{memory}[{position}]")
    }

    fn mask(&self, mask: Option<Operand>) -> String {
        mask.map_or(String::new(), |mask| format!(" where {}", self.operand(mask)))
    }

    fn exp(&self, exp: Exp) -> String {
        let operands = self.list(&exp.operands());
        match exp {
            Exp::Unary(op, _) => format!("{}({operands})", op.name()),
            Exp::Binary(op, ..) => format!("{}({operands})", op.name()),
            Exp::Compare(op, ..) => format!("{}({operands})", op.name()),
            Exp::Convert(to, _) => format!("{to}({operands})"),
            Exp::Select(..) => format!("select({operands})"),
            Exp::Ramp { .. } => format!("ramp({operands})"),
            Exp::Any(_) => format!("any({operands})"),
            Exp::Most(_) => format!("most({operands})"),
            Exp::Prefix(op, _) => format!("prefix {}({operands})", op.name()),
            Exp::Last(_) => format!("last({operands})"),
            Exp::Param(name, default) => format!("param {name} {default}"),
        }
    }

    fn inside(&mut self, body: &Body) -> fmt::Result {
        for stm in &body.stms {
            self.stm(stm)?;
        }
        if !body.result.is_empty() {
            let results = self.list(&body.result);
            self.line(&format!("yield {results}"))?;
        }
        Ok(())
    }

    fn nested(&mut self, body: &Body) -> fmt::Result {
        self.depth += 1;
        self.inside(body)?;
        self.depth -= 1;
        Ok(())
    }

    fn stm(&mut self, stm: &Stm) -> fmt::Result {
        match stm {
            Stm::Let { value, exp } => {
                let text = format!("let {} = {}", self.binder(*value), self.exp(*exp));
                self.line(&text)
            }
            Stm::Load { value, memory, position, mask } => {
                let element = self.element(*memory, *position);
                let text = format!("load {} = {element}{}", self.binder(*value), self.mask(*mask));
                self.line(&text)
            }
            Stm::LoadRow { values, memory, first, step } => {
                let element = self.element(*memory, Position::Strided { first: *first, step: *step });
                let text = format!("load row {} = {element}", self.binders(values));
                self.line(&text)
            }
            Stm::Store { memory, position, value, mask } => {
                let element = self.element(*memory, *position);
                let text = format!("store {element} = {}{}", self.operand(*value), self.mask(*mask));
                self.line(&text)
            }
            Stm::If { binders, cond, then, otherwise } => {
                let (cond, binders) = (self.operand(*cond), self.binders(binders));
                self.line(&format!("if {cond} {{"))?;
                self.nested(then)?;
                self.line("} else {")?;
                self.nested(otherwise)?;
                self.line(&format!("}} -> ({binders})"))
            }
            Stm::Loop { binders, params, form, body } => {
                let param = |&(value, first): &(Value, Operand)| {
                    format!("{} = {}", self.binder(value), self.operand(first))
                };
                let params = params.iter().map(param).collect::<Vec<_>>().join(", ");
                let form = match *form {
                    Form::For { index, bound } => {
                        format!("for {} < {}", self.binder(index), self.operand(bound))
                    }
                    Form::While(flag) => format!("while {}", self.name(flag)),
                };
                let binders = self.binders(binders);
                self.line(&format!("loop ({params}) {form} {{"))?;
                self.nested(body)?;
                self.line(&format!("}} -> ({binders})"))
            }
            Stm::Fail(cond) => {
                let text = format!("fail {}", self.operand(*cond));
                self.line(&text)
            }
        }
    }
}
