//! Reductions and scans of a block, along the innermost dimension of their index space.
//!
//! A *row* is the points with the same outer indices. A *team* of threads combines a row: each thread combines a chunk of
//! neighbouring points in order, starting with the neutral element. If there are enough rows to keep all threads busy, a
//! team is one thread, which takes rows in turn. Otherwise every row has a team of its own.
//!
//! * In a reduction, the team then combines its threads' values as a tree, in order. If the operators commute, each thread
//!   takes points that are one team apart instead, so that neighbouring threads access neighbouring elements.
//! * In a scan, the team then scans its threads' values. Each thread runs over its chunk again, starting with the combined
//!   values of the chunks before.
//!
//! The division of the points depends on sizes only, so results are the same in every run.

use ravel_base::Diagnostic;
use ravel_kernel::{Atom, BlockSegment, Combiner, Thread};

use super::BlockFunction;
use super::segment::product;
use crate::function::{Callee, Function};
use crate::module::code;
use crate::values::Values;

/// Writes a reduction.
pub(super) fn reduce(
    function: &mut BlockFunction,
    segment: &BlockSegment,
    combiners: &[Combiner],
) -> Result<(), Diagnostic> {
    let rows = Rows::declare(function, segment, combiners, &[])?;
    let strided = combiners.iter().all(|combiner| combiner.commutative);
    rows.enter(function, segment, strided)?;

    function.open("while (row < rows) {");
    function.line(&format!("sum = {};", rows.values.neutral.call(&[])));
    rows.walk(function, "");
    rows.stop(function);
    function.line(&format!("if (team == 1u) {{ {}; }}", rows.finish.call(&["row", "sum"])));
    rows.next(function);
    rows.leave_if_failed(function, rows.fails);

    function.open("if (team > 1u) {");
    let shared = &rows.shared;
    function.line(&format!("{shared}_put(lane, sum);"));
    function.open("for (var stride = 1u; stride < team; stride = 2u * stride) {");
    function.line("workgroupBarrier();");
    let partner = "(member + Index(stride))";
    let has_points = if strided { format!("{partner} < n") } else { format!("{partner} * chunk < n") };
    function.open(&format!("if (own < rows && lane % (2u * stride) == 0u && {has_points}) {{"));
    let other = format!("{shared}_get(lane + stride)");
    function.line(&format!("sum = {};", rows.values.combine.call(&["sum", &other])));
    function.line(&format!("{shared}_put(lane, sum);"));
    function.close();
    rows.leave_if_failed(function, rows.values.combine.fails);
    function.close();
    function
        .line(&format!("if (own < rows && member == Index(0)) {{ {}; }}", rows.finish.call(&["own", "sum"])));
    function.close();
    function.close();
    Ok(())
}

/// Writes a scan.
pub(super) fn scan(
    function: &mut BlockFunction,
    segment: &BlockSegment,
    combiners: &[Combiner],
) -> Result<(), Diagnostic> {
    let rows = Rows::declare(function, segment, combiners, &["i"])?;
    rows.enter(function, segment, false)?;

    function.open("while (row < rows) {");
    function.line(&format!("sum = {};", rows.values.neutral.call(&[])));
    rows.walk(function, &format!("if (team == 1u) {{ {}; }}", rows.finish.call(&["row", "i", "sum"])));
    rows.stop(function);
    rows.next(function);
    rows.leave_if_failed(function, rows.fails);

    function.open("if (team > 1u) {");
    let shared = &rows.shared;
    function.line(&format!("{shared}_put(lane, sum);"));
    function.open("for (var stride = 1u; stride < team; stride = 2u * stride) {");
    function.line("workgroupBarrier();");
    function.line("let combines = own < rows && member >= Index(stride) && first < n;");
    let other = format!("{shared}_get(lane - stride)");
    let combined = rows.values.combine.call(&[&other, "sum"]);
    function.line(&format!("if (combines) {{ sum = {combined}; }}"));
    rows.leave_if_failed(function, rows.values.combine.fails);
    function.line("workgroupBarrier();");
    function.line(&format!("if (combines) {{ {shared}_put(lane, sum); }}"));
    function.close();
    function.line("workgroupBarrier();");
    function.open("if (own < rows) {");
    function.line("row = own;");
    function.line(&format!("sum = {};", rows.values.neutral.call(&[])));
    function.line(&format!("if (member > Index(0)) {{ sum = {shared}_get(lane - 1u); }}"));
    rows.walk(function, &format!("{};", rows.finish.call(&["row", "i", "sum"])));
    function.close();
    rows.leave_if_failed(function, rows.fails);
    function.close();
    function.close();
    Ok(())
}

/// The functions that combine rows.
struct Rows {
    values: Values,
    /// The values at an index of a row.
    point: Callee,
    /// Stores what was combined.
    finish: Callee,
    /// The start of the names of the functions on the values of a workgroup's threads.
    shared: String,
    /// Can the body or an operator fail?
    fails: bool,
}

impl Rows {
    /// Adds the functions to the module. The outs have the indices of the outer dimensions, and then that of the
    /// point if it is `inner`.
    fn declare(
        function: &mut BlockFunction,
        segment: &BlockSegment,
        combiners: &[Combiner],
        inner: &[&str],
    ) -> Result<Rows, Diagnostic> {
        let (number, index) = (function.state.segments, function.state.index);
        let Some((&(counter, _), outer)) = segment.space.split_last() else {
            return Err(Diagnostic::bug("wgsl: a reduction or scan without dimensions"));
        };
        let (module, names) = function.inner();
        let values = Values::declare(module, &number.to_string(), Some(names), combiners)?;
        let name = &values.name;

        let mut point = Function::<Thread>::new(module, format!("return {name}();"), Some(names));
        point.bind_counters(outer, "row", index)?;
        point.bind(counter, "i64(i)");
        let results = point.body(&segment.body)?.join(", ");
        let last = format!("return {name}({results});");
        let point = point.define(format!("point{number}"), "row: Index, i: Index", name, &last)?;

        let mut finish = Function::<Thread>::new(module, "return;", Some(names));
        finish.bind_counters(outer, "row", index)?;
        let mut indices = Vec::new();
        for &(counter, _) in outer {
            indices.push(finish.atom(Atom::Var(counter))?);
        }
        indices.extend(inner.iter().map(|inner| format!("i64({inner})")));
        for (at, &out) in combiners.iter().flat_map(|combiner| &combiner.outs).enumerate() {
            finish.store(out, &indices, &format!("values.v{at}"))?;
        }
        let params: String = ["row"].iter().chain(inner).map(|param| format!("{param}: Index, ")).collect();
        let finish = finish.define(format!("finish{number}"), &format!("{params}values: {name}"), "", "")?;

        let mut arrays = Vec::new();
        for (at, &ty) in values.types.iter().enumerate() {
            arrays.push(format!("shared{at}_{ty}"));
            module.workgroup_array(&arrays[at], ty, values.width);
        }
        let shared = format!("shared{number}");
        values.put(module, &shared, &arrays);
        values.get(module, &shared, &arrays);
        module.function_once(&code(include_str!("team.wgsl")));
        let fails = point.fails || values.combine.fails;
        Ok(Rows { values, point, finish, shared, fails })
    }

    /// Opens braces, and writes which points of which row the thread takes.
    fn enter(
        &self,
        function: &mut BlockFunction,
        segment: &BlockSegment,
        strided: bool,
    ) -> Result<(), Diagnostic> {
        let sizes = || segment.space.iter().map(|&(_, size)| size);
        let outer = segment.space.len() - 1;
        let rows = product(function, sizes().take(outer))?;
        let n = product(function, sizes().skip(outer))?;
        function.open("{");
        function.line(&format!("let rows = {rows};"));
        function.line(&format!("let n = {n};"));
        function.line("let team = team_size(rows, n);");
        function.line("let own = Index(lane / team);");
        function.line("let member = Index(lane % team);");
        if strided {
            function.line("let first = member;");
            function.line("let last = n;");
            function.line("let step = Index(team);");
        } else {
            function.line("let chunk = (n + Index(team) - Index(1)) / Index(team);");
            function.line("let first = select(n, member * chunk, member * chunk < n);");
            function.line("let last = first + select(n - first, chunk, chunk < n - first);");
            function.line("let step = Index(1);");
        }
        function.line("var row = own;");
        function.line(&format!("var sum = {};", self.values.neutral.call(&[])));
        Ok(())
    }

    /// Combines `sum` with the thread's points of the row; the statement `each` runs after every point.
    fn walk(&self, function: &mut BlockFunction, each: &str) {
        function.open("for (var i = first; i < last; i = i + step) {");
        if self.fails {
            function.line("place = u32(row * n + i);");
        }
        function.line(&format!("let next = {};", self.point.call(&["row", "i"])));
        if self.point.fails {
            function.line("if (failed) { break; }");
        }
        function.line(&format!("sum = {};", self.values.combine.call(&["sum", "next"])));
        if self.values.combine.fails {
            function.line("if (failed) { break; }");
        }
        if !each.is_empty() {
            function.line(each);
        }
        function.close();
    }

    /// Leaves the loop over the thread's rows if the thread has failed.
    fn stop(&self, function: &mut BlockFunction) {
        if self.fails {
            function.line("if (failed) { break; }");
        }
    }

    /// Ends the loop over the thread's rows.
    fn next(&self, function: &mut BlockFunction) {
        function.line("row = row + Index(WIDTH);");
        function.close();
    }

    fn leave_if_failed(&self, function: &mut BlockFunction, fails: bool) {
        if fails {
            function.leave_if_failed();
        }
    }
}
