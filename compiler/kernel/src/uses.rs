//! The variables that a segment uses but does not bind: scalars, arrays, and blocks with the kind of access. Backends
//! turn them into parameters and bindings. For a function, its parameters count as bound outside.
//!
//! A use of an array whose view is introduced outside is also a use of its block and of the scalars in its index
//! function. Its sizes count only if a copy needs them. If a block passes through a branch or a loop of the segment, an
//! access to a merge parameter counts as an access to every block that the parameter may alias.

use std::collections::{BTreeMap, BTreeSet};

use crate::stm_without_bodies;
use crate::syntax::*;
use crate::visit::Visit;

/// The free variables of code, each list in order of first use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Uses {
    /// Scalars bound outside.
    pub scalars: Vec<Var>,
    /// Views introduced outside.
    pub arrays: Vec<Var>,
    /// Blocks bound outside that are accessed through views or used as values.
    pub blocks: Vec<BlockUse>,
    /// For each block that an inner branch or loop binds, the blocks bound outside that it may be.
    pub aliases: BTreeMap<Var, BTreeSet<Var>>,
}

/// The accesses of code to a block bound outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockUse {
    /// The block.
    pub block: Var,
    /// Elements are loaded, or copied from it.
    pub read: bool,
    /// Elements are stored, or copied into it.
    pub written: bool,
}

impl Uses {
    /// The free variables of a segment: of its index space, its chunk, its code, its operators and their outs.
    pub fn of_segment(segment: &GridSegment, vars: &VarTable) -> Uses {
        let mut finder = Finder::new(vars);
        finder.grid_segment(segment);
        finder.finish()
    }

    /// Whether two blocks may be one block that is bound outside.
    pub fn may_alias(&self, a: Var, b: Var) -> bool {
        let [a, b] = [a, b].map(|block| self.aliases.get(&block).cloned().unwrap_or([block].into()));
        !a.is_disjoint(&b)
    }

    /// The free variables of an inner segment.
    pub fn of_inner_segment(segment: &InnerSegment, vars: &VarTable) -> Uses {
        let mut finder = Finder::new(vars);
        finder.inner_segment(segment);
        finder.finish()
    }

    /// The free variables of the code of a thread.
    pub fn of_thread(body: &Body<Thread>, vars: &VarTable) -> Uses {
        let mut finder = Finder::new(vars);
        finder.body(body);
        finder.finish()
    }

    /// The uses of the parameters of an entry point.
    pub fn of_entry(entry: &Entry) -> Uses {
        let mut finder = Finder::new(&entry.vars);
        finder.body(&entry.body);
        finder.finish()
    }

    /// The uses of a function's parameters.
    pub fn of_function<L: Level>(function: &Function<L>) -> Uses {
        let mut finder = Finder::new(&function.vars);
        finder.body(&function.body);
        finder.finish()
    }
}

struct Finder<'a> {
    vars: &'a VarTable,
    bound: BTreeSet<Var>,
    uses: Uses,
    /// For each block bound by an inner branch or loop, the blocks that it may alias.
    sources: BTreeMap<Var, Vec<Var>>,
    /// For each block, inner ones included, whether it is read and whether it is written.
    accesses: BTreeMap<Var, (bool, bool)>,
}

impl<'a> Finder<'a> {
    fn new(vars: &'a VarTable) -> Finder<'a> {
        Finder {
            vars,
            bound: BTreeSet::new(),
            uses: Uses::default(),
            sources: BTreeMap::new(),
            accesses: BTreeMap::new(),
        }
    }

    /// Adds the accesses to each inner block to all blocks that it may alias.
    fn finish(mut self) -> Uses {
        let inner: Vec<Var> = self.sources.keys().copied().collect();
        for block in inner {
            let mut reached = BTreeSet::new();
            let mut pending = vec![block];
            while let Some(block) = pending.pop() {
                if reached.insert(block) {
                    pending.extend(self.sources.get(&block).into_iter().flatten());
                }
            }
            let (read, written) = self.accesses.get(&block).copied().unwrap_or_default();
            for &block in &reached {
                let accesses = self.accesses.entry(block).or_default();
                *accesses = (accesses.0 | read, accesses.1 | written);
            }
            reached.retain(|block| !self.bound.contains(block));
            self.uses.aliases.insert(block, reached);
        }
        for block in &mut self.uses.blocks {
            (block.read, block.written) = self.accesses.get(&block.block).copied().unwrap_or_default();
        }
        self.uses
    }

    fn atoms(&mut self, atoms: &[Atom]) {
        atoms.iter().for_each(|atom| self.atom(atom));
    }

    /// The index function of a view, and its block.
    fn index_function(&mut self, view: &View) {
        self.var(&view.block);
        self.atom(&view.offset);
        self.atoms(&view.strides);
    }

    /// Records an access to elements of an array.
    fn record_access(&mut self, array: Var, read: bool, written: bool) {
        let vars = self.vars;
        let Some(Type::Array(view)) = vars.get(array).map(|info| &info.ty) else { return };
        if !self.bound.contains(&array) {
            if !self.uses.arrays.contains(&array) {
                self.uses.arrays.push(array);
            }
            self.index_function(view);
        }
        let accesses = self.accesses.entry(view.block).or_default();
        *accesses = (accesses.0 | read, accesses.1 | written);
    }

    /// Records that a binder may be bound to this value.
    fn flow(&mut self, binder: Var, value: Atom) {
        let is_block = matches!(self.vars.get(binder).map(|info| &info.ty), Some(Type::Block(_)));
        if let (true, Atom::Var(value)) = (is_block, value) {
            self.sources.entry(binder).or_default().push(value);
        }
    }

    fn flows(&mut self, binders: &[Var], values: &[Atom]) {
        binders.iter().zip(values).for_each(|(&binder, &value)| self.flow(binder, value));
    }
}

impl Visit for Finder<'_> {
    fn var(&mut self, var: &Var) {
        if self.bound.contains(var) {
            return;
        }
        match self.vars.get(*var).map(|info| &info.ty) {
            Some(Type::Block(_)) if self.uses.blocks.iter().all(|block| block.block != *var) => {
                self.uses.blocks.push(BlockUse { block: *var, read: false, written: false });
            }
            Some(Type::Scalar(_)) if !self.uses.scalars.contains(var) => self.uses.scalars.push(*var),
            _ => (),
        }
    }

    fn binder(&mut self, var: &Var) {
        let vars = self.vars;
        if let Some(Type::Array(view)) = vars.get(*var).map(|info| &info.ty) {
            self.atoms(&view.shape);
            self.index_function(view);
        }
        self.bound.insert(*var);
    }

    fn read(&mut self, array: &Var) {
        self.record_access(*array, true, false);
    }

    fn write(&mut self, array: &Var) {
        self.record_access(*array, false, true);
    }

    fn combine(&mut self, array: &Var) {
        self.record_access(*array, true, true);
    }

    /// If the value is a block, records an access to its elements.
    fn borrow(&mut self, value: &Atom, consumed: bool) {
        self.atom(value);
        let Atom::Var(var) = *value else { return };
        if let Some(Type::Block(_)) = self.vars.get(var).map(|info| &info.ty) {
            let accesses = self.accesses.entry(var).or_default();
            *accesses = (true, accesses.1 | consumed);
        }
    }

    fn stm<L: Level>(&mut self, stm: &Stm<L>) {
        self.children(stm);
        let vars = self.vars;
        if let Stm::Copy { to, .. } = stm
            && let Some(Type::Array(view)) = vars.get(*to).map(|info| &info.ty)
        {
            self.atoms(&view.shape);
        }
        match stm {
            Stm::If { binders, then, otherwise, .. } => {
                self.flows(binders, &then.result);
                self.flows(binders, &otherwise.result);
            }
            Stm::Loop { binders, params, body, .. } => {
                let (vars, inits): (Vec<Var>, Vec<Atom>) = params.iter().copied().unzip();
                self.flows(&vars, &inits);
                self.flows(&vars, &body.result);
                let last: Vec<Atom> = vars.into_iter().map(Atom::Var).collect();
                self.flows(binders, &last);
            }
            Stm::Segment(_) | stm_without_bodies!() => (),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{name_of, parse, sample::SAMPLE};

    /// The free variables of each segment of the first entry point, one line each.
    fn uses_of_segments(text: &str) -> Vec<String> {
        let program = parse(text).expect("well-formed");
        let entry = &program.entries[0];
        let names =
            |vars: &[Var]| vars.iter().map(|&var| name_of(&entry.vars, var)).collect::<Vec<_>>().join(" ");
        let block = |block: &BlockUse| {
            let (read, written) = (if block.read { "r" } else { "" }, if block.written { "w" } else { "" });
            format!("{}:{read}{written}", name_of(&entry.vars, block.block))
        };
        let line = |step: &Step<Host>| match &step.stm {
            Stm::Segment(segment) => {
                let uses = Uses::of_segment(segment, &entry.vars);
                let blocks: Vec<String> = uses.blocks.iter().map(block).collect();
                Some(format!("{} | {} | {}", names(&uses.scalars), names(&uses.arrays), blocks.join(" ")))
            }
            _ => None,
        };
        entry.body.stms.iter().filter_map(line).collect()
    }

    #[test]
    fn segments_of_the_sample() {
        assert_eq!(
            uses_of_segments(SAMPLE),
            [
                "n_0 c_2 | xs_7 ys_8 | xs_1:r ys_6:w",
                "n_0 | ys_8 sum_20 | ys_6:r sum_19:w",
                "n_0 | ps_28 | ps_27:w",
            ]
        );
    }

    #[test]
    fn parameters_that_a_function_consumes_are_written() {
        let text = |star: &str| {
            format!(
                r#"thread function "f" ({star}x: block i64) -> () {{}}
                entry "main" [n] (*a: block i64 [n]) -> () {{
                  segment map (i < 1i64) chunk 1i64 {{ call "f" ({star}a) }}
                }}"#
            )
        };
        assert_eq!(uses_of_segments(&text("*")), [" |  | a_1:rw"]);
        assert_eq!(uses_of_segments(&text("")), [" |  | a_1:r"]);
    }

    #[test]
    fn an_access_to_a_merge_parameter_is_an_access_to_its_block() {
        let text = r#"entry "f" [n, m] (*a: block f32 [n], b: block f32 [n], s: i64) -> () {
          view a1: f32 [n] = a + s * [m]
          segment map (i < 1i64) chunk 1i64 {
            loop (x: block f32 = a, y: block f32 = b) for k: i32 < 9i32 {
              view x1: f32 [n] = x + 0i64 * [1i64]
              view y1: f32 [n] = y + 0i64 * [1i64]
              load e: f32 = y1[i]
              store x1[i] = e
              yield x, y
            } -> (p: block f32, q: block f32)
            view q1: f32 [n] = q + 0i64 * [1i64]
            copy q1 = a1
          }
        }"#;
        assert_eq!(uses_of_segments(text), ["n_0 s_4 m_1 | a1_5 | a_2:rw b_3:rw"]);
    }
}
