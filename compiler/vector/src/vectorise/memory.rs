//! Loads, stores and copies, and the positions of elements.

use ravel_kernel::{Atom, Type, Var, View};
use ravel_prim::{BinOp, PrimType};

use super::{Scalar, Vectoriser};
use crate::form::{Body, Exp, Form, Memory, MemoryInfo, Operand, Place, Position, Stm};
use crate::refusal::Refusal;
use crate::uniformity::Uniformity;

/// An index: its operands and its uniformity.
type Index = (Scalar, Uniformity);

impl Vectoriser<'_> {
    pub(super) fn load(&mut self, var: Var, array: Var, indices: &[Atom], mask: Option<Operand>) {
        let view = self.view(array);
        let indices = self.indices(indices);
        let value = self.fresh(Some(var), view.elem, self.is_computed_in_lanes(var));
        self.load_at(value, view, &indices, mask);
        self.bind(var, Operand::Value(value));
    }

    pub(super) fn store(&mut self, array: Var, indices: &[Atom], value: Atom, mask: Option<Operand>) {
        let view = self.view(array);
        let indices = self.indices(indices);
        let value = self.lanes(value);
        self.store_at(view, &indices, value, mask);
    }

    /// Copies element by element.
    pub(super) fn copy(&mut self, to: Var, from: Var, mask: Option<Operand>) -> Result<(), Refusal> {
        let (to, from) = (self.view(to), self.view(from));
        if !to.shape.iter().all(|&size| self.uniformity.atom(size).is_uniform()) {
            return Err(Refusal::VaryingCopy);
        }
        self.copy_dimensions(to, from, &mut Vec::new(), mask)
    }

    /// Copies the part that these outer indices select.
    fn copy_dimensions(
        &mut self,
        to: &View,
        from: &View,
        indices: &mut Vec<Index>,
        mask: Option<Operand>,
    ) -> Result<(), Refusal> {
        let Some(&size) = to.shape.get(indices.len()) else {
            let varying = self.is_private(from) || !self.uniformity_of(from, indices).is_uniform();
            let value = self.fresh(None, from.elem, varying);
            self.load_at(value, from, indices, mask);
            self.store_at(to, indices, Operand::Value(value), mask);
            return Ok(());
        };
        let bound = self.first(size);
        let index = self.fresh(None, PrimType::I64, false);
        let counter = Operand::Value(index);
        let (stms, ()) = self.nested(|vectoriser| {
            indices.push((Scalar { first: Some(counter), lanes: counter }, Uniformity::UNIFORM));
            let copied = vectoriser.copy_dimensions(to, from, indices, mask);
            indices.pop();
            copied
        })?;
        let (form, body) = (Form::For { index, bound }, Body { stms, result: Vec::new() });
        self.stms.push(Stm::Loop { binders: Vec::new(), params: Vec::new(), form, body });
        Ok(())
    }

    /// Loads into a value. A load at a uniform position needs no mask: at least one lane takes part.
    fn load_at(&mut self, value: crate::Value, view: &View, indices: &[Index], mask: Option<Operand>) {
        let (memory, position) = self.place(view, indices);
        let mask = mask.filter(|_| !matches!(position, Position::Uniform(_)));
        self.stms.push(Stm::Load { value, memory, position, mask });
    }

    pub(super) fn store_at(&mut self, view: &View, indices: &[Index], value: Operand, mask: Option<Operand>) {
        let (memory, mut position) = self.place(view, indices);
        if let Position::Varying(at) = position
            && self.takes_prefixes
        {
            position = Position::Rising(at);
        }
        self.stms.push(Stm::Store { memory, position, value, mask });
    }

    /// Where an element lies.
    fn place(&mut self, view: &View, indices: &[Index]) -> (Memory, Position) {
        let uniformity = self.uniformity_of(view, indices);
        let varying = uniformity == Uniformity::Varying;
        let choose = |scalar: Scalar| match scalar.first {
            Some(first) if !varying => first,
            _ => scalar.lanes,
        };
        let memory = self.memory(view);
        let mut position = choose(self.operands(view.offset));
        if let Place::Preallocated(_) = self.strip.memories[memory].place {
            let start = choose(self.operands(Atom::Var(view.block)));
            position = self.shared(Exp::Binary(BinOp::Add, start, position));
        }
        for (&(index, _), &stride) in indices.iter().zip(&view.strides) {
            let stride = choose(self.operands(stride));
            let step = self.shared(Exp::Binary(BinOp::Mul, choose(index), stride));
            position = self.shared(Exp::Binary(BinOp::Add, position, step));
        }
        let position = match uniformity {
            Uniformity::Varying => Position::Varying(position),
            Uniformity::UNIFORM => Position::Uniform(position),
            Uniformity::Strided(step) => Position::Strided { first: position, step: self.step(step) },
        };
        (memory, position)
    }

    /// An operand for the expression. If a statement of the current body binds the same one, its value: so that two
    /// accesses of one element have the same position.
    fn shared(&mut self, exp: Exp) -> Operand {
        let known = self.stms.iter().find_map(|stm| match stm {
            Stm::Let { value, exp: known } if *known == exp => Some(Operand::Value(*value)),
            _ => None,
        });
        known.unwrap_or_else(|| self.push(exp))
    }

    fn is_private(&mut self, view: &View) -> bool {
        let memory = self.memory(view);
        self.strip.memories[memory].place.is_private()
    }

    fn uniformity_of(&self, view: &View, indices: &[Index]) -> Uniformity {
        let all: Vec<Uniformity> = indices.iter().map(|&(_, uniformity)| uniformity).collect();
        self.uniformity.position(view, &all)
    }

    fn indices(&mut self, indices: &[Atom]) -> Vec<Index> {
        indices.iter().map(|&index| (self.operands(index), self.uniformity.atom(index))).collect()
    }

    /// The memory of a view. A block that is not allocated inside comes from outside.
    fn memory(&mut self, view: &View) -> Memory {
        let memories = &mut self.strip.memories;
        *self
            .memories
            .entry(view.block)
            .or_insert_with(|| memories.push(MemoryInfo { elem: view.elem, place: Place::Block(view.block) }))
    }
}

impl<'a> Vectoriser<'a> {
    pub(super) fn view(&self, array: Var) -> &'a View {
        match &self.vars[array].ty {
            Type::Array(view) => view,
            _ => unreachable!("verified: an array"),
        }
    }
}
