//! Counts of statements, syntactic forms and instructions in generated code.

/// How often each kind of statement occurs in the launch plan of this WGSL text, and how often some syntactic
/// forms occur in the whole text.
pub fn wgsl(text: &str) -> String {
    let plan = text.split("// kernel ").next().unwrap_or(text);
    let statements = ["launch", "alloc", "copy", "loop", "if", "assert", "read"];
    let lines_with =
        |word: &str| plan.lines().filter(|line| line.split_whitespace().any(|other| other == word)).count();
    let forms = [
        ("kernels", "@compute"),
        ("bindings", "@binding("),
        ("for loops", "for ("),
        ("while loops", "while ("),
        ("branches", "if ("),
        ("barriers", "Barrier();"),
        ("atomics", "atomicMin("),
    ];
    let planned = statements.map(|word| (word, lines_with(word)));
    let generated = forms.map(|(name, form)| (name, text.matches(form).count()));
    format!("plan: {}\ncode: {}\n", list(&planned), list(&generated))
}

/// The numbers of functions, blocks and instructions in Cranelift IR, and the number of each kind of expensive
/// instruction.
pub fn clif(text: &str) -> String {
    let instructions: Vec<&str> = text.lines().filter_map(opcode).collect();
    let count = |names: &[&str]| instructions.iter().filter(|opcode| names.contains(opcode)).count();
    list(&[
        ("functions", text.lines().filter(|line| line.starts_with("function ")).count()),
        ("blocks", text.lines().filter(|line| line.starts_with("block")).count()),
        ("instructions", instructions.len()),
        ("loads", count(&["load"])),
        ("stores", count(&["store"])),
        ("branches", count(&["brif", "br_table"])),
        ("calls", count(&["call", "call_indirect"])),
        ("divisions", count(&["sdiv", "udiv", "srem", "urem", "fdiv"])),
    ])
}

/// The opcode of an instruction without its type: `load` for `v5 = load.i64 notrap v2`. `None` if the line is not
/// an instruction.
fn opcode(line: &str) -> Option<&str> {
    let is_declaration =
        |text: &str| ["ss", "sig", "gv", "fn", "const"].iter().any(|word| text.starts_with(word));
    let instruction = line.strip_prefix("    ").filter(|text| !is_declaration(text))?;
    let operation = instruction.split_once(" = ").map_or(instruction, |(_, operation)| operation);
    operation.split([' ', '.']).next()
}

fn list(counts: &[(&str, usize)]) -> String {
    let counts = counts.iter().filter(|(_, count)| *count > 0);
    counts.map(|(name, count)| format!("{name} {count}")).collect::<Vec<_>>().join(", ")
}
