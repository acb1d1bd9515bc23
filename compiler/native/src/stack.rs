//! Chooses the memory blocks that lie on the worker's stack: small blocks of constant size, allocated by a thread or a
//! workgroup, that are only accessed through views.
//!
//! A block escapes if it is a result of a branch, a loop or a function, or an argument. It needs a reference count and
//! may outlive the body that allocates it, so the runtime allocates it.

use std::collections::BTreeSet;

use ravel_kernel::{Atom, Body, Level, LevelName, Stm, Target, Type, Var, VarTable, Visit};

/// The blocks allocated in a body that lie on the stack.
pub(crate) fn blocks<L: Level>(body: &Body<L>, vars: &VarTable, target: &Target) -> BTreeSet<Var> {
    if L::NAME == LevelName::Host {
        return BTreeSet::new();
    }
    let mut uses = BlockUses::default();
    uses.body(body);
    let mut together = 0;
    let mut chosen = BTreeSet::new();
    for (block, count) in uses.allocated {
        let Type::Block(ty) = &vars[block].ty else { continue };
        let bytes = count.saturating_mul(ty.elem.bytes() as i64);
        let fits = bytes <= target.stack_block_bytes && together + bytes <= target.stack_bytes;
        if fits && !uses.escaping.contains(&block) {
            together += bytes;
            chosen.insert(block);
        }
    }
    chosen
}

#[derive(Default)]
struct BlockUses {
    /// The allocations of constant size, with their numbers of elements.
    allocated: Vec<(Var, i64)>,
    /// The variables that are results or arguments.
    escaping: BTreeSet<Var>,
}

impl Visit for BlockUses {
    fn stm<L: Level>(&mut self, stm: &Stm<L>) {
        if let Stm::Alloc { block, count: Atom::Const(count) } = stm {
            self.allocated.extend(count.as_i64().filter(|count| *count >= 0).map(|count| (*block, count)));
        }
        self.children(stm);
    }

    fn transfer(&mut self, value: &Atom) {
        self.escaping.extend(value.var());
    }

    fn borrow(&mut self, value: &Atom, _: bool) {
        self.escaping.extend(value.var());
    }
}

#[cfg(test)]
mod tests {
    use ravel_kernel::{Step, Stm, Target, parse};

    #[test]
    fn small_blocks_that_do_not_escape_lie_on_the_stack() {
        let program = parse(
            r#"entry "main" [n] () -> () {
              segment map (i < n) chunk 1i64 {
                alloc a: block f64 = 64i64
                alloc large: block f64 = 65i64
                alloc unknown: block f64 = n
                alloc b: block f64 = 4i64
                alloc c: block f64 = 4i64
                if true { yield b } else { yield b } -> (d: block f64)
                loop (e: block f64 = c) for j: i64 < 3i64 {
                  alloc inner: block u8 = 0i64
                  alloc f: block f64 = 4i64
                  yield f
                } -> (g: block f64)
              }
            }"#,
        )
        .expect("well-formed");
        let entry = &program.entries[0];
        let [Step { stm: Stm::Segment(segment), .. }] = &entry.body.stms[..] else { panic!("one segment") };
        let (_, body) = segment.threads().expect("of threads");
        let chosen = super::blocks(body, &entry.vars, &Target::CPU);
        let hints: Vec<_> = chosen.iter().filter_map(|&var| entry.vars[var].hint).collect();
        assert_eq!(hints.iter().map(|hint| hint.as_str()).collect::<Vec<_>>(), ["a", "inner"]);
        assert!(super::blocks(&entry.body, &entry.vars, &Target::CPU).is_empty());
    }

    #[test]
    fn the_total_size_of_blocks_on_the_stack_is_limited() {
        let allocations: String =
            (0..20).map(|number| format!("alloc b{number}x: block f64 = 64i64\n")).collect();
        let text =
            format!("entry \"main\" [] () -> () {{ segment map (i < 1i64) chunk 1i64 {{ {allocations} }} }}");
        let program = parse(&text).expect("well-formed");
        let [Step { stm: Stm::Segment(segment), .. }] = &program.entries[0].body.stms[..] else {
            panic!("one segment")
        };
        let (_, body) = segment.threads().expect("of threads");
        assert_eq!(super::blocks(body, &program.entries[0].vars, &Target::CPU).len(), 16);
    }
}
