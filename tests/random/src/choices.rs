//! Choices: a sequence of bytes that is read as decisions. When the sequence is used up, every
//! further decision is the simplest one. So a shorter sequence gives a smaller program, and the code that shrinks
//! counter-examples works on bytes alone.

/// A sequence of decisions.
#[derive(Clone, Debug)]
pub struct Choices {
    bytes: Vec<u8>,
    next: usize,
}

impl Choices {
    /// Choices that are read from these bytes.
    pub fn new(bytes: Vec<u8>) -> Choices {
        Choices { bytes, next: 0 }
    }

    /// A number below `count`, which must be from 1 to 256. 0 is the simplest.
    pub fn below(&mut self, count: usize) -> usize {
        let choice = self.bytes.get(self.next).copied().unwrap_or(0);
        self.next += 1;
        usize::from(choice) % count
    }

    /// True with probability 1 / `times` if the bytes are random; false after the end of the sequence.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == times - 1
    }

    /// The current position, for [`Choices::go_to`].
    pub fn mark(&self) -> usize {
        self.next
    }

    /// Continues at a mark.
    pub fn go_to(&mut self, mark: usize) {
        self.next = mark;
    }

    /// One of the items, preferably one of the last two, since rules match statements that use recent results.
    pub fn recent<T: Copy>(&mut self, items: &[T]) -> T {
        let back = if self.below(3) == 2 { items.len().min(256) } else { items.len().min(2) };
        items[items.len() - 1 - self.below(back)]
    }

    /// One of the items, chosen uniformly.
    pub fn any<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}
