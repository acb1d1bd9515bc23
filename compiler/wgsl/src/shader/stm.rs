//! Statements, and blocks of them.

use super::{Exp, Name, Type};

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Stm {
    /// A constant of the rest of the block.
    Let(Name, Exp),
    /// A variable of the rest of the block, with its first value.
    Var(Name, Exp),
    /// A variable of the rest of the block; at first it is zero.
    Declare(Name, Type),
    /// An assignment to a variable or element.
    Assign(Exp, Exp),
    /// A call for its effects.
    Run(Exp),
    /// A branch.
    If(Exp, Block, Block),
    /// A counted loop: its counter; the first value, the condition and the next value; the body.
    For(Name, Box<[Exp; 3]>, Block),
    /// A loop.
    While(Exp, Block),
    /// The end of the innermost loop.
    Break,
    /// The end of the function.
    Return(Option<Exp>),
    /// Statements with a scope of their own.
    Braces(Block),
    /// Statements that only the version for devices with subgroups has.
    WithSubgroups(Block),
}

/// Statements in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Block {
    /// The statements.
    pub stms: Vec<Stm>,
}

impl Block {
    /// The statements that `write` adds to an empty block.
    pub(crate) fn new(write: impl FnOnce(&mut Block)) -> Block {
        let mut block = Block::default();
        write(&mut block);
        block
    }

    fn push(&mut self, stm: Stm) {
        self.stms.push(stm);
    }

    /// Adds the statements of another block.
    pub(crate) fn append(&mut self, mut block: Block) {
        self.stms.append(&mut block.stms);
    }

    /// Names a value.
    pub(crate) fn bind(&mut self, name: impl Into<Name>, value: Exp) -> Exp {
        let (name, ty) = (name.into(), value.ty);
        self.push(Stm::Let(name, value));
        Exp::name(name, ty)
    }

    /// Makes a variable with a first value.
    pub(crate) fn var(&mut self, name: impl Into<Name>, value: Exp) -> Exp {
        let (name, ty) = (name.into(), value.ty);
        self.push(Stm::Var(name, value));
        Exp::name(name, ty)
    }

    /// Makes a variable that is zero.
    pub(crate) fn declare(&mut self, name: impl Into<Name>, ty: Type) -> Exp {
        let name = name.into();
        self.push(Stm::Declare(name, ty));
        Exp::name(name, ty)
    }

    /// Assigns to a variable or element.
    pub(crate) fn assign(&mut self, place: &Exp, value: impl Into<Exp>) {
        self.push(Stm::Assign(place.clone(), value.into()));
    }

    /// Calls a function for its effects.
    pub(crate) fn run(&mut self, call: Exp) {
        self.push(Stm::Run(call));
    }

    /// `if`.
    pub(crate) fn when(&mut self, cond: impl Into<Exp>, then: impl FnOnce(&mut Block)) {
        self.push(Stm::If(cond.into(), Block::new(then), Block::default()));
    }

    /// `if` with `else`.
    pub(crate) fn branch(&mut self, cond: Exp, then: Block, otherwise: Block) {
        self.push(Stm::If(cond, then, otherwise));
    }

    /// A counted loop: the first value, the condition and the next value of its counter.
    pub(crate) fn count(
        &mut self,
        name: impl Into<Name>,
        first: Exp,
        last: impl FnOnce(&Exp) -> Exp,
        next: impl FnOnce(&Exp) -> Exp,
        round: impl FnOnce(&mut Block, &Exp),
    ) {
        let name = name.into();
        let counter = Exp::name(name, first.ty);
        let head = Box::new([first, last(&counter), next(&counter)]);
        self.push(Stm::For(name, head, Block::new(|block| round(block, &counter))));
    }

    /// A loop whose counter doubles from `first` while it is less than `bound`.
    pub(crate) fn double(
        &mut self,
        name: &'static str,
        first: impl Into<Exp>,
        bound: &Exp,
        round: impl FnOnce(&mut Block, &Exp),
    ) {
        self.count(name, first.into(), |at| at.lt(bound), |at| Exp::from(2) * at, round);
    }

    /// A loop.
    pub(crate) fn repeat(&mut self, cond: Exp, round: impl FnOnce(&mut Block)) {
        self.push(Stm::While(cond, Block::new(round)));
    }

    /// Leaves the innermost loop.
    pub(crate) fn leave_loop(&mut self) {
        self.push(Stm::Break);
    }

    /// Leaves the function.
    pub(crate) fn leave(&mut self) {
        self.push(Stm::Return(None));
    }

    /// Leaves the function with a result.
    pub(crate) fn return_value(&mut self, result: Exp) {
        self.push(Stm::Return(Some(result)));
    }

    /// Statements with a scope of their own.
    pub(crate) fn braces(&mut self, write: impl FnOnce(&mut Block)) {
        self.push(Stm::Braces(Block::new(write)));
    }

    /// Statements that only the version for devices with subgroups has.
    pub(crate) fn with_subgroups(&mut self, write: impl FnOnce(&mut Block)) {
        self.push(Stm::WithSubgroups(Block::new(write)));
    }

    /// All threads of the workgroup wait for each other, and afterwards each sees what the others stored to workgroup
    /// memory.
    pub(crate) fn barrier(&mut self) {
        self.run(Exp::call("workgroupBarrier", Type::Nothing, []));
    }
}
