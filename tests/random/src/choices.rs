//! Choices: a text of bytes that is read as decisions to make. Where it ends the simplest decision is
//! made, so that a shorter text makes a smaller program and shrinking needs to know nothing of programs.

/// Decisions, read one after the other.
#[derive(Clone, Debug)]
pub struct Choices {
    bytes: Vec<u8>,
    next: usize,
}

impl Choices {
    /// Reads these decisions.
    pub fn new(bytes: Vec<u8>) -> Choices {
        Choices { bytes, next: 0 }
    }

    /// A number below `count`, which is from 1 to 256; 0 is the simplest.
    pub fn below(&mut self, count: usize) -> usize {
        let choice = self.bytes.get(self.next).copied().unwrap_or(0);
        self.next += 1;
        usize::from(choice) % count
    }

    /// Once in `times`, but not when the text has ended.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == times - 1
    }

    /// Where the reading is, to come back to.
    pub fn mark(&self) -> usize {
        self.next
    }

    /// Continues at a mark.
    pub fn go_to(&mut self, mark: usize) {
        self.next = mark;
    }

    /// One of these, more often one of the last: what was made last is near, and what is near is
    /// what rules look at.
    pub fn of<T: Copy>(&mut self, items: &[T]) -> T {
        let back = if self.below(3) == 2 { items.len().min(256) } else { items.len().min(2) };
        items[items.len() - 1 - self.below(back)]
    }

    /// One of these, all alike.
    pub fn any<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}
