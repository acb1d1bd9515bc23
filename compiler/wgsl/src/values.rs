//! What reductions and scans have in common: the values that their operators combine.

use ravel_abi::plan::{self, Operand, Slot};
use ravel_base::Diagnostic;
use ravel_kernel::{Combiner, Target, Type, Var, VarTable};
use ravel_prim::PrimType;

use crate::module::Module;
use crate::scalar::{from_stored, stored_type, to_stored, type_name};
use crate::segment::Segment;
use crate::thread::Function;

/// The values that the operators of a reduction or scan combine.
pub(crate) struct Values {
    /// Their types.
    pub types: Vec<PrimType>,
    /// How many threads of a workgroup can keep their values in its memory.
    pub width: u32,
    combine_fails: bool,
}

impl Values {
    /// The types of the values.
    pub(crate) fn types(vars: &VarTable, combiners: &[Combiner]) -> Vec<PrimType> {
        let scalar = |&var: &Var| match vars[var].ty {
            Type::Scalar(ty) => Some(ty),
            _ => None,
        };
        combiners.iter().flat_map(|combiner| &combiner.left).filter_map(scalar).collect()
    }

    /// Adds the struct `Values`, and `neutral` and `combine` on it.
    pub(crate) fn declare(module: &mut Module, combiners: &[Combiner]) -> Result<Values, Diagnostic> {
        let types = Values::types(module.vars, combiners);
        let mut text = String::from("struct Values {\n");
        for (at, &ty) in types.iter().enumerate() {
            text.push_str(&format!("    v{at}: {},\n", type_name(ty)));
        }
        module.function(&(text + "}"));

        let mut function = Function::new(module, "");
        let neutral = combiners.iter().flat_map(|combiner| &combiner.neutral);
        let neutral = neutral.map(|&atom| function.atom(atom)).collect::<Result<Vec<_>, _>>()?.join(", ");
        module.function(&format!("fn neutral() -> Values {{\n    return Values({neutral});\n}}"));

        let mut function = Function::new(module, "return Values();");
        let mut results = Vec::new();
        let mut at = 0;
        for combiner in combiners {
            for (&left, &right) in combiner.left.iter().zip(&combiner.right) {
                function.know(left, format!("a.v{at}"));
                function.know(right, format!("b.v{at}"));
                at += 1;
            }
            results.extend(function.body(&combiner.body)?);
        }
        let text = function.finish();
        let results = results.join(", ");
        module.function(&format!(
            "fn combine(a: Values, b: Values) -> Values {{\n{text}    return Values({results});\n}}"
        ));
        Ok(Values { width: module.workgroup(), types, combine_fails: module.is_fallible() })
    }

    /// Adds `point(i)`, the body's results at index `i`.
    pub(crate) fn point(module: &mut Module, segment: &Segment) -> Result<(), Diagnostic> {
        let mut function = Function::new(module, "return Values();");
        if let [(counter, _)] = segment.segment.space[..] {
            function.know(counter, "i".to_owned());
        }
        let results = function.body(segment.body)?.join(", ");
        let text = function.finish();
        module.function(&format!("fn point(i: i64) -> Values {{\n{text}    return Values({results});\n}}"));
        Ok(())
    }

    /// Adds `NAME(thread, start)`: `start` combined with the points of the thread's chunk. A statement
    /// `each` runs after every point, with the value so far in `sum` and the index in `i`.
    pub(crate) fn fold(
        &self,
        module: &mut Module,
        name: &str,
        [n, chunk]: [Operand; 2],
        each: &str,
    ) -> Result<(), Diagnostic> {
        let n = module.param("n", PrimType::I64, n);
        let chunk = module.param("chunk", PrimType::I64, chunk);
        let stop = if module.is_fallible() { "\n        if (failed) { break; }" } else { "" };
        let each = if each.is_empty() { String::new() } else { format!("\n        {each}") };
        module.function(&format!(
            "fn {name}(thread: u32, start: Values) -> Values {{
    let first = i64(thread) * {chunk};
    let last = first + select({n} - first, {chunk}, {chunk} < {n} - first);
    var sum = start;
    for (var i = first; i < last; i = i + 1li) {{
        let next = point(i);{stop}
        sum = combine(sum, next);{stop}{each}
    }}
    return sum;
}}"
        ));
        Ok(())
    }

    /// Adds `point(i)`, the values at index `i` of scratch blocks that can be read by this name.
    pub(crate) fn point_of_scratch(&self, module: &mut Module, name: &str) {
        module.function(&format!("fn point(i: i64) -> Values {{\n    return {name}_get(u32(i));\n}}"));
    }

    /// How many threads of a workgroup can keep their values in its memory.
    pub(crate) fn width(types: &[PrimType], target: &Target) -> u32 {
        /// Fewer threads would leave most lanes of large subgroups idle.
        const FEWEST: u32 = 32;
        let bytes: usize = types.iter().map(|&ty| plan::device_bytes(ty)).sum();
        let mut width = target.workgroup;
        while width > FEWEST
            && target.combined_bytes.is_some_and(|most| i64::from(width) * bytes as i64 > most)
        {
            width /= 2;
        }
        width
    }

    /// Adds the workgroup's memory, one array a value, and `shared_get(at)` and `shared_put(at, values)` on it.
    fn shared(&self, module: &mut Module) -> Result<(), Diagnostic> {
        let mut put = String::from("fn shared_put(at: u32, values: Values) {\n");
        let mut get = Vec::new();
        for (at, &ty) in self.types.iter().enumerate() {
            let elem = stored_type(ty);
            module.workgroup_var(&format!("shared{at}"), &format!("array<{elem}, {}>", self.width));
            let value = to_stored(ty, &format!("values.v{at}"));
            put.push_str(&format!("    shared{at}[at] = {value};\n"));
            get.push(from_stored(ty, format!("shared{at}[at]")));
        }
        module.workgroup_var("skip", "u32");
        if module.is_fallible() {
            module.workgroup_var("broken", "atomic<u32>");
        }
        module.function(&(put + "}"));
        let get = get.join(", ");
        module.function(&format!("fn shared_get(at: u32) -> Values {{\n    return Values({get});\n}}"));
        Ok(())
    }

    /// Adds `NAME_get(at)` or `NAME_put(at, values)` on scratch blocks, one a value.
    pub(crate) fn scratch(
        &self,
        module: &mut Module,
        name: &str,
        blocks: &[Slot],
        access: Access,
    ) -> Result<(), Diagnostic> {
        let mut put = format!("fn {name}_put(at: u32, values: Values) {{\n");
        let mut get = Vec::new();
        for (at, (&ty, &slot)) in self.types.iter().zip(blocks).enumerate() {
            let block = module.block(&format!("{name}{at}"), ty, slot, access == Access::Write);
            let value = to_stored(ty, &format!("values.v{at}"));
            put.push_str(&format!("    {block}[at] = {value};\n"));
            get.push(from_stored(ty, format!("{block}[at]")));
        }
        match access {
            Access::Write => module.function(&(put + "}")),
            Access::Read => {
                let get = get.join(", ");
                module
                    .function(&format!("fn {name}_get(at: u32) -> Values {{\n    return Values({get});\n}}"));
            }
        }
        Ok(())
    }

    /// Adds `finish(values)` or `finish(i, values)`, which stores to the operators' `outs`.
    pub(crate) fn finish(
        module: &mut Module,
        combiners: &[Combiner],
        indices: &[String],
    ) -> Result<(), Diagnostic> {
        let mut function = Function::new(module, "return;");
        for (at, &out) in combiners.iter().flat_map(|combiner| &combiner.outs).enumerate() {
            function.store(out, indices, &format!("values.v{at}"))?;
        }
        let text = function.finish();
        let index: String = indices.iter().map(|index| format!("{index}: i64, ")).collect();
        module.function(&format!("fn finish({index}values: Values) {{\n{text}}}"));
        Ok(())
    }

    /// Adds the workgroup's memory; gives the statements at the start of a kernel with barriers. They leave
    /// it together if an earlier launch failed, number the thread, and put the value of each of `count`
    /// threads into the memory.
    pub(crate) fn enter(&self, module: &mut Module, count: &str) -> Result<String, Diagnostic> {
        self.shared(module)?;
        let fallible = module.is_fallible();
        let clear = if fallible { "\n        atomicStore(&broken, 0u);" } else { "" };
        let place = if fallible { "\n    place = thread;" } else { "" };
        let note = if fallible { "\n        if (failed) { atomicStore(&broken, 1u); }" } else { "" };
        Ok(format!(
            "    if (lane == 0u) {{
        skip = select(0u, 1u, stopped());{clear}
    }}
    if (workgroupUniformLoad(&skip) != 0u) {{ return; }}
    let base = group * {width}u;
    let thread = base + lane;{place}
    if (thread < {count}) {{
        shared_put(lane, fold(thread, neutral()));{note}
    }}
",
            width = self.width
        ))
    }

    /// How the threads of a workgroup keep from combining what is broken.
    pub(crate) fn guard(&self, module: &Module) -> Guard {
        match (module.is_fallible(), self.combine_fails) {
            (false, _) => Guard { look: "", sound: "", note: "" },
            (true, false) => Guard {
                look: "\n        let sound = atomicLoad(&broken) == 0u;",
                sound: "sound && ",
                note: "",
            },
            // All must have looked before one says that it failed, lest what they see depend on chance.
            (true, true) => Guard {
                look: "\n        let sound = atomicLoad(&broken) == 0u;\n        workgroupBarrier();",
                sound: "sound && ",
                note: "\n            if (failed) { atomicStore(&broken, 1u); }",
            },
        }
    }
}

/// Pieces of a step in which the threads of a workgroup combine their values.
pub(crate) struct Guard {
    /// Behind the barrier: a statement that finds out whether a thread has failed.
    pub look: &'static str,
    /// The start of the condition to combine.
    pub sound: &'static str,
    /// After combining: a statement that says if it failed.
    pub note: &'static str,
}

/// What a kernel does with scratch blocks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    /// It reads.
    Read,
    /// It writes.
    Write,
}
