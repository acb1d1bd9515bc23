//! The places at which a program needs memory.
//!
//! If an allocation fails, the backend adds the place of its statement to the backtrace. So each such place has the number
//! of a message without text, after the numbers of the program's messages. Numbers are chosen when code is generated: an
//! allocation may be moved or shared by passes, and its origin says where it comes from.

use ravel_base::CallPath;
use rustc_hash::FxHashMap;

use crate::syntax::*;
use crate::visit::Visit;

/// The places at which a program needs memory, numbered as messages.
#[derive(Clone, Debug, Default)]
pub struct MemorySites {
    /// The places in the order of their numbers.
    pub(crate) paths: Vec<CallPath>,
    numbers: FxHashMap<CallPath, MessageId>,
    /// The number of messages before them.
    before: u32,
}

impl MemorySites {
    /// The places at which this program needs memory.
    pub fn of(program: &Program) -> MemorySites {
        let before = program.messages.iter().count() as u32;
        let mut sites = MemorySites { before, ..MemorySites::default() };
        program.entries.iter().for_each(|entry| sites.body(&entry.body));
        program.host_functions.iter().for_each(|function| sites.body(&function.body));
        program.thread_functions.iter().for_each(|function| sites.body(&function.body));
        sites
    }

    /// The number of the place of a statement that needs memory.
    pub fn number(&self, path: Option<CallPath>) -> Option<MessageId> {
        self.numbers.get(&path?).copied()
    }
}

impl Visit for MemorySites {
    fn step<L: Level>(&mut self, step: &Step<L>) {
        // A segment may need memory for partial results.
        if let (Stm::Alloc { .. } | Stm::Segment(_), Some(path)) = (&step.stm, step.origin.path()) {
            let number = MessageId(self.before + self.paths.len() as u32);
            if *self.numbers.entry(path).or_insert(number) == number {
                self.paths.push(path);
            }
        }
        self.stm(&step.stm);
    }
}
