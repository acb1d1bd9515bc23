//! What a segment needs from outside: scalars, and blocks with what is done
//! to them. Backends make parameters and bindings of it. The same of a function, whose parameters
//! count as outside.
//!
//! A view that is introduced outside and used inside counts as a use of the scalars in its index
//! function (its sizes only where a copy needs them) and of its block. A block that flows through
//! a branch or loop inside keeps its identity: what is done to a merge parameter is done to
//! every block that it may stand for.

use std::collections::{BTreeMap, BTreeSet};

use crate::syntax::*;

/// What code needs from outside. Lists are in order of first use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Uses {
    /// Scalars bound outside.
    pub scalars: Vec<Var>,
    /// Views introduced outside.
    pub arrays: Vec<Var>,
    /// Blocks bound outside, touched through views or flowing as values.
    pub blocks: Vec<BlockUse>,
}

/// What code does to a block bound outside.
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
    /// What a segment needs: its index space, chunk, code and operators, and where they store.
    pub fn of_segment(segment: &GridSegment, vars: &VarTable) -> Uses {
        let mut finder = Finder::new(vars);
        finder.grid_segment(segment);
        finder.finish()
    }

    /// What a segment of a block needs.
    pub fn of_block_segment(segment: &BlockSegment, vars: &VarTable) -> Uses {
        let mut finder = Finder::new(vars);
        finder.block_segment(segment);
        finder.finish()
    }

    /// What the code of a thread needs.
    pub fn of_thread(body: &Body<Thread>, vars: &VarTable) -> Uses {
        let mut finder = Finder::new(vars);
        finder.body(body);
        finder.finish()
    }

    /// What a function does with its parameters.
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
    /// Blocks bound inside by branches and loops, with what flows into them.
    sources: BTreeMap<Var, Vec<Var>>,
    /// Reads and writes of all blocks, inner ones too.
    touched: BTreeMap<Var, (bool, bool)>,
}

impl<'a> Finder<'a> {
    fn new(vars: &'a VarTable) -> Finder<'a> {
        Finder {
            vars,
            bound: BTreeSet::new(),
            uses: Uses::default(),
            sources: BTreeMap::new(),
            touched: BTreeMap::new(),
        }
    }

    /// Carries what is done to inner blocks over to the blocks that they may stand for.
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
            let (read, written) = self.touched.get(&block).copied().unwrap_or_default();
            for block in reached {
                let touched = self.touched.entry(block).or_default();
                *touched = (touched.0 | read, touched.1 | written);
            }
        }
        for block in &mut self.uses.blocks {
            (block.read, block.written) = self.touched.get(&block.block).copied().unwrap_or_default();
        }
        self.uses
    }

    fn bind(&mut self, vars: impl IntoIterator<Item = Var>) {
        self.bound.extend(vars);
    }

    fn var(&mut self, var: Var) {
        if self.bound.contains(&var) {
            return;
        }
        match self.vars.get(var).map(|info| &info.ty) {
            Some(Type::Block(_)) if self.uses.blocks.iter().all(|block| block.block != var) => {
                self.uses.blocks.push(BlockUse { block: var, read: false, written: false });
            }
            Some(Type::Scalar(_)) if !self.uses.scalars.contains(&var) => self.uses.scalars.push(var),
            _ => (),
        }
    }

    fn atom(&mut self, atom: Atom) {
        if let Atom::Var(var) = atom {
            self.var(var);
        }
    }

    fn atoms(&mut self, atoms: &[Atom]) {
        atoms.iter().for_each(|&atom| self.atom(atom));
    }

    /// Elements of an array are touched.
    fn touch(&mut self, array: Var, read: bool, written: bool) -> Option<&'a View> {
        let vars = self.vars;
        let Some(Type::Array(view)) = vars.get(array).map(|info| &info.ty) else { return None };
        if !self.bound.contains(&array) {
            if !self.uses.arrays.contains(&array) {
                self.uses.arrays.push(array);
            }
            self.var(view.block);
            self.atom(view.offset);
            self.atoms(&view.strides);
        }
        let touched = self.touched.entry(view.block).or_default();
        *touched = (touched.0 | read, touched.1 | written);
        Some(view)
    }

    /// A value is handed to a function: if it is a block, its elements are touched.
    fn lend(&mut self, arg: Argument) {
        let Atom::Var(var) = arg.value else { return };
        if let Some(Type::Block(_)) = self.vars.get(var).map(|info| &info.ty) {
            let touched = self.touched.entry(var).or_default();
            *touched = (true, touched.1 | arg.consumed);
        }
    }

    /// A value flows into a binder.
    fn flow(&mut self, binder: Var, value: Atom) {
        let is_block = matches!(self.vars.get(binder).map(|info| &info.ty), Some(Type::Block(_)));
        if let (true, Atom::Var(value)) = (is_block, value) {
            self.sources.entry(binder).or_default().push(value);
        }
    }

    fn flows(&mut self, binders: &[Var], values: &[Atom]) {
        binders.iter().zip(values).for_each(|(&binder, &value)| self.flow(binder, value));
    }

    fn body<L: Level>(&mut self, body: &Body<L>) {
        body.stms.iter().for_each(|stm| self.stm(stm));
        self.atoms(&body.result);
    }

    fn stm<L: Level>(&mut self, stm: &Stm<L>) {
        match stm {
            Stm::Let { var, exp } => {
                self.atoms(&exp.operands());
                self.bind([*var]);
            }
            Stm::View(var) => {
                if let Some(Type::Array(view)) = self.vars.get(*var).map(|info| &info.ty) {
                    self.atoms(&view.shape);
                    self.var(view.block);
                    self.atom(view.offset);
                    self.atoms(&view.strides);
                }
                self.bind([*var]);
            }
            Stm::Alloc { block, count } => {
                self.atom(*count);
                self.bind([*block]);
            }
            Stm::Constants { block, values: _ } => self.bind([*block]),
            Stm::Load { var, array, indices } => {
                self.touch(*array, true, false);
                self.atoms(indices);
                self.bind([*var]);
            }
            Stm::Store { array, indices, value } => {
                self.touch(*array, false, true);
                self.atoms(indices);
                self.atom(*value);
            }
            Stm::Copy { to, from } => {
                let to = self.touch(*to, false, true);
                self.touch(*from, true, false);
                if let Some(view) = to {
                    self.atoms(&view.shape);
                }
            }
            Stm::If { binders, cond, then, otherwise } => {
                self.atom(*cond);
                self.body(then);
                self.body(otherwise);
                self.flows(binders, &then.result);
                self.flows(binders, &otherwise.result);
                self.bind(binders.iter().copied());
            }
            Stm::Loop { binders, params, form, body } => {
                params.iter().for_each(|&(_, init)| self.atom(init));
                if let LoopForm::For { index, bound } = form {
                    self.atom(*bound);
                    self.bind([*index]);
                }
                self.bind(params.iter().map(|&(var, _)| var));
                self.body(body);
                for (index, &(var, init)) in params.iter().enumerate() {
                    self.flow(var, init);
                    if let Some(&next) = body.result.get(index) {
                        self.flow(var, next);
                    }
                    if let Some(&binder) = binders.get(index) {
                        self.flow(binder, Atom::Var(var));
                    }
                }
                self.bind(binders.iter().copied());
            }
            Stm::Assert { cond, args, message: _ } => {
                self.atom(*cond);
                self.atoms(args);
            }
            Stm::Trace { trace: _, args } => {
                for &value in args {
                    self.atom(value);
                    self.lend(Argument { value, consumed: false });
                }
            }
            Stm::Call { binders, args, function: _, site: _ } => {
                for arg in args {
                    self.atom(arg.value);
                    self.lend(*arg);
                }
                self.bind(binders.iter().copied());
            }
            Stm::Segment(segment) => match L::segment(segment) {
                AnySegment::Grid(segment) => self.grid_segment(segment),
                AnySegment::Block(segment) => self.block_segment(segment),
            },
        }
    }

    fn grid_segment(&mut self, segment: &GridSegment) {
        self.space(&segment.space);
        self.atom(segment.chunk);
        match &segment.points {
            Points::Threads { kind, body } => self.threads(kind, body),
            Points::Blocks(body) => self.body(body),
        }
    }

    fn block_segment(&mut self, segment: &BlockSegment) {
        self.space(&segment.space);
        self.threads(&segment.kind, &segment.body);
    }

    fn space(&mut self, space: &[(Var, Atom)]) {
        space.iter().for_each(|&(_, size)| self.atom(size));
        self.bind(space.iter().map(|&(index, _)| index));
    }

    fn threads(&mut self, kind: &SegmentKind, body: &Body<Thread>) {
        self.body(body);
        for combiner in kind.combiners() {
            self.combiner(combiner);
            for &out in &combiner.outs {
                self.touch(out, false, true);
            }
        }
    }

    fn combiner(&mut self, combiner: &Combiner) {
        self.atoms(&combiner.neutral);
        self.bind(combiner.left.iter().chain(&combiner.right).copied());
        self.body(&combiner.body);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{name_of, parse, sample::SAMPLE};

    /// What the segments of the program's first entry use, one line each.
    fn uses_of_segments(text: &str) -> Vec<String> {
        let program = parse(text).expect("well-formed");
        let entry = &program.entries[0];
        let names =
            |vars: &[Var]| vars.iter().map(|&var| name_of(&entry.vars, var)).collect::<Vec<_>>().join(" ");
        let block = |block: &BlockUse| {
            let (read, written) = (if block.read { "r" } else { "" }, if block.written { "w" } else { "" });
            format!("{}:{read}{written}", name_of(&entry.vars, block.block))
        };
        let line = |stm: &Stm<Host>| match stm {
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
    fn what_a_function_may_overwrite_is_written() {
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
    fn what_is_done_to_a_merge_parameter_is_done_to_its_block() {
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
