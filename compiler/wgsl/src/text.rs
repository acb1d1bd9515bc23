//! A launch plan as text, for readers.

use std::fmt::Write;

use ravel_abi::plan::{Body, Exp, LoopForm, Operand, Plan, Slot, Step};

/// The host program of every entry point, and the text of every kernel.
pub fn text(plan: &Plan) -> String {
    let mut printer = Printer { plan, text: String::new(), indent: 1 };
    for entry in &plan.entries {
        let params = slots(entry.sizes.iter().chain(&entry.params));
        let _ = writeln!(printer.text, "entry {}({params}) {{", entry.signature.name);
        printer.body(&entry.body, "return");
        printer.text.push_str("}\n\n");
    }
    for (number, data) in plan.constants.iter().enumerate() {
        let _ = writeln!(printer.text, "// constants {number}: {} of {}\n", data.len(), data.elem());
    }
    for (number, kernel) in plan.kernels.iter().enumerate() {
        let _ = writeln!(printer.text, "// kernel {number}: {}\n\n{}", kernel.name, kernel.wgsl);
        if let Some(wgsl) = &kernel.with_subgroups {
            let _ = writeln!(printer.text, "// kernel {number} with subgroups: {}\n\n{wgsl}", kernel.name);
        }
    }
    printer.text
}

struct Printer<'p> {
    plan: &'p Plan,
    text: String,
    indent: usize,
}

impl Printer<'_> {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{}{line}", "  ".repeat(self.indent));
    }

    /// The steps, then the results after `word`.
    fn body(&mut self, body: &Body, word: &str) {
        body.steps.iter().for_each(|step| self.step(step));
        if !body.results.is_empty() {
            self.line(&format!("{word} {}", operands(&body.results)));
        }
        if !body.releases.is_empty() {
            self.line(&format!("release {}", slots(&body.releases)));
        }
    }

    fn nested(&mut self, body: &Body) {
        self.indent += 1;
        self.body(body, "yield");
        self.indent -= 1;
    }

    fn step(&mut self, step: &Step) {
        match step {
            Step::Let { slot, exp } => self.line(&format!("{} = {}", name(slot), expression(exp))),
            Step::Alloc { slot, elem, count, site: _ } => {
                self.line(&format!("{} = alloc {elem} {}", name(slot), operand(count)));
            }
            Step::Constants { slot, number } => {
                self.line(&format!("{} = constants {number}", name(slot)));
            }
            Step::Launch(launch) => {
                let kernel = self.plan.kernels.get(launch.kernel).map_or("?", |kernel| kernel.name.as_str());
                let inner: String =
                    launch.inner.iter().map(|sizes| format!(" inside ({})", operands(sizes))).collect();
                self.line(&format!(
                    "launch {kernel} over ({}) by {}{inner} blocks ({}) scalars ({})",
                    operands(&launch.points),
                    operand(&launch.chunk),
                    slots(&launch.blocks),
                    operands(&launch.scalars)
                ));
            }
            Step::Load { slot, elem, block, index } => {
                self.line(&format!("{} = load {elem} {}[{}]", name(slot), name(block), operand(index)));
            }
            Step::If { binders, cond, then, otherwise } => {
                self.line(&format!("{}if {} {{", binder_list(binders), operand(cond)));
                self.nested(then);
                self.line("} else {");
                self.nested(otherwise);
                self.line("}");
            }
            Step::Loop { binders, params, form, body } => {
                let params: Vec<String> =
                    params.iter().map(|(slot, init)| format!("{} = {}", name(slot), operand(init))).collect();
                let form = match form {
                    LoopForm::For { index, bound } => format!("for {} < {}", name(index), operand(bound)),
                    LoopForm::While(cond) => format!("while {}", name(cond)),
                };
                self.line(&format!("{}loop ({}) {form} {{", binder_list(binders), params.join(", ")));
                self.nested(body);
                self.line("}");
            }
            Step::Assert { cond, message, args } => {
                self.line(&format!("assert {} message {message} ({})", operand(cond), operands(args)));
            }
            Step::Choose { versions, cond } => {
                let known = self.plan.versions.get(*versions);
                let name = known.map_or("?", |versions| versions.name.as_str());
                self.line(&format!("choose {name} by {}", operand(cond)));
            }
            Step::Trace { trace, values } => self.line(&format!("trace {trace} ({})", operands(values))),
        }
    }
}

fn name(slot: &Slot) -> String {
    format!("s{}", slot.0)
}

fn slots<'s>(slots: impl IntoIterator<Item = &'s Slot>) -> String {
    slots.into_iter().map(name).collect::<Vec<_>>().join(", ")
}

fn binder_list(binders: &[Slot]) -> String {
    if binders.is_empty() { String::new() } else { format!("{} = ", slots(binders)) }
}

fn operand(operand: &Operand) -> String {
    match operand {
        Operand::Slot(slot) => name(slot),
        Operand::Const(value) => value.to_string(),
    }
}

fn operands(all: &[Operand]) -> String {
    all.iter().map(operand).collect::<Vec<_>>().join(", ")
}

fn expression(exp: &Exp) -> String {
    match exp {
        Exp::Operand(a) => operand(a),
        Exp::Unary(op, a) => format!("{}({})", op.name(), operand(a)),
        Exp::Binary(op, a, b) => format!("{}({}, {})", op.name(), operand(a), operand(b)),
        Exp::Compare(op, a, b) => format!("{}({}, {})", op.name(), operand(a), operand(b)),
        Exp::Convert(ty, a) => format!("{ty}({})", operand(a)),
        Exp::Select(cond, yes, no) => {
            format!("select({}, {}, {})", operand(cond), operand(yes), operand(no))
        }
        Exp::PrivateLimit(a) => format!("private_limit({})", operand(a)),
        Exp::Param(number, default) => format!("param {number} {default}"),
    }
}
