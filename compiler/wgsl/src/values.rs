//! What reductions and scans have in common: the values that their operators combine.

use ravel_abi::plan::{self, Operand, Slot};
use ravel_base::Diagnostic;
use ravel_kernel::{Combiner, Target, Thread, Type, Var, VarTable};
use ravel_prim::PrimType;

use crate::function::{Callee, Function, Names};
use crate::module::Module;
use crate::scalar::{from_stored, to_stored, type_name};
use crate::segment::Segment;

/// The values that the operators of a reduction or scan combine.
pub(crate) struct Values {
    /// Their types.
    pub types: Vec<PrimType>,
    /// The name of the struct of them.
    pub name: String,
    /// The function that returns the neutral element.
    pub neutral: Callee,
    /// The function that combines two structs.
    pub combine: Callee,
    /// How many threads of a workgroup can keep their values in its memory.
    pub width: u32,
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

    /// Adds the struct `Values`, and `neutral` and `combine` on it. Their names end in `suffix`; the operators may
    /// mention the scalars of the block, `outer`.
    pub(crate) fn declare(
        module: &mut Module,
        suffix: &str,
        outer: Option<&Names>,
        combiners: &[Combiner],
    ) -> Result<Values, Diagnostic> {
        let types = Values::types(module.vars, combiners);
        let name = format!("Values{suffix}");
        let mut text = format!("struct {name} {{\n");
        for (at, &ty) in types.iter().enumerate() {
            text.push_str(&format!("    v{at}: {},\n", type_name(ty)));
        }
        module.function(&(text + "}"));

        let mut function = Function::<Thread>::new(module, "", outer);
        let neutral = combiners.iter().flat_map(|combiner| &combiner.neutral);
        let neutral = neutral.map(|&atom| function.atom(atom)).collect::<Result<Vec<_>, _>>()?.join(", ");
        let last = format!("return {name}({neutral});");
        let neutral = function.define(format!("neutral{suffix}"), "", &name, &last)?;

        let mut function = Function::<Thread>::new(module, format!("return {name}();"), outer);
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
        let params = format!("a: {name}, b: {name}");
        let last = format!("return {name}({});", results.join(", "));
        let combine = function.define(format!("combine{suffix}"), &params, &name, &last)?;
        Ok(Values { width: module.workgroup(), types, name, neutral, combine })
    }

    /// Adds `point(i)`, the body's results at index `i`.
    pub(crate) fn point(module: &mut Module, segment: &Segment) -> Result<(), Diagnostic> {
        let mut function = Function::<Thread>::new(module, "return Values();", None);
        if let [(counter, _)] = segment.segment.space[..] {
            function.know(counter, "i".to_owned());
        }
        let results = function.body(segment.body)?.join(", ");
        let last = format!("return Values({results});");
        function.define("point".to_owned(), "i: i64", "Values", &last).map(|_| ())
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
        width(types.iter().map(|&ty| plan::device_bytes(ty)).sum(), target, 0)
    }

    /// Adds the workgroup's memory, one array a value, and `shared_get(at)` and `shared_put(at, values)` on it.
    fn shared(&self, module: &mut Module) {
        let mut arrays = Vec::new();
        for (at, &ty) in self.types.iter().enumerate() {
            arrays.push(format!("shared{at}"));
            module.workgroup_array(&arrays[at], ty, self.width);
        }
        module.workgroup_var("skip", "u32", 4);
        if module.is_fallible() {
            module.workgroup_var("broken", "atomic<u32>", 4);
        }
        self.put(module, "shared", &arrays);
        self.get(module, "shared", &arrays);
    }

    /// Adds `NAME_get(at)` or `NAME_put(at, values)` on scratch blocks, one a value.
    pub(crate) fn scratch(&self, module: &mut Module, name: &str, blocks: &[Slot], access: Access) {
        let blocks = self.types.iter().zip(blocks).enumerate();
        let block =
            |(at, (&ty, &slot))| module.block(&format!("{name}{at}"), ty, slot, access == Access::Write);
        let arrays: Vec<String> = blocks.map(block).collect();
        match access {
            Access::Write => self.put(module, name, &arrays),
            Access::Read => self.get(module, name, &arrays),
        }
    }

    /// Adds `NAME_put(at, values)`, which stores into arrays, one a value.
    pub(crate) fn put(&self, module: &mut Module, name: &str, arrays: &[String]) {
        let mut put = format!("fn {name}_put(at: u32, values: {}) {{\n", self.name);
        for (at, (&ty, array)) in self.types.iter().zip(arrays).enumerate() {
            put.push_str(&format!("    {array}[at] = {};\n", to_stored(ty, &format!("values.v{at}"))));
        }
        module.function(&(put + "}"));
    }

    /// Adds `NAME_get(at)`, which loads from arrays, one a value.
    pub(crate) fn get(&self, module: &mut Module, name: &str, arrays: &[String]) {
        let load = |(&ty, array): (&PrimType, &String)| from_stored(ty, format!("{array}[at]"));
        let get: Vec<String> = self.types.iter().zip(arrays).map(load).collect();
        let (values, get) = (&self.name, get.join(", "));
        module.function(&format!("fn {name}_get(at: u32) -> {values} {{\n    return {values}({get});\n}}"));
    }

    /// Adds `finish(values)` or `finish(i, values)`, which stores to the operators' `outs`.
    pub(crate) fn finish(
        module: &mut Module,
        combiners: &[Combiner],
        indices: &[String],
    ) -> Result<(), Diagnostic> {
        let mut function = Function::<Thread>::new(module, "return;", None);
        for (at, &out) in combiners.iter().flat_map(|combiner| &combiner.outs).enumerate() {
            function.store(out, indices, &format!("values.v{at}"))?;
        }
        let index: String = indices.iter().map(|index| format!("{index}: i64, ")).collect();
        let params = format!("{index}values: Values");
        function.define("finish".to_owned(), &params, "", "").map(|_| ())
    }

    /// Adds the workgroup's memory; gives the statements at the start of a kernel with barriers. They leave
    /// it together if an earlier launch failed, number the thread, and put the value of each of `count`
    /// threads into the memory.
    pub(crate) fn enter(&self, module: &mut Module, count: &str) -> String {
        self.shared(module);
        let fallible = module.is_fallible();
        let clear = if fallible { "\n        atomicStore(&broken, 0u);" } else { "" };
        let place = if fallible { "\n    place = thread;" } else { "" };
        let note = if fallible { "\n        if (failed) { atomicStore(&broken, 1u); }" } else { "" };
        format!(
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
        )
    }

    /// How the threads of a workgroup keep from combining what is broken.
    pub(crate) fn guard(&self, module: &Module) -> Guard {
        match (module.is_fallible(), self.combine.fails) {
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

/// The most threads of a workgroup that can keep so many bytes each in its memory, of which some are taken.
pub(crate) fn width(bytes: usize, target: &Target, taken: i64) -> u32 {
    /// Fewer threads would leave most lanes of large subgroups idle.
    const FEWEST: u32 = 32;
    let too_much = |bytes: i64| target.combined_bytes.is_some_and(|most| bytes > most.saturating_sub(taken));
    let mut width = target.workgroup;
    while width > FEWEST && too_much(i64::from(width).saturating_mul(bytes as i64)) {
        width /= 2;
    }
    width
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
