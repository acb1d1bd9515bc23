//! Loads, stores and copies, and the positions of elements.

use ravel_kernel::{Atom, Type, Var, View};
use ravel_prim::{BinOp, PrimType};

use super::{Outer, Scalar};
use crate::form::{Body, Exp, Form, Memory, MemoryInfo, Operand, Place, Position, Stm};
use crate::refusal::Refusal;
use crate::shapes::Shape;

/// An index: its operands and its shape.
type Index = (Scalar, Shape);

impl Outer<'_> {
    pub(super) fn load(&mut self, var: Var, array: Var, indices: &[Atom], mask: Option<Operand>) {
        let view = self.view(array);
        let indices = self.indices(indices);
        let varying = self.shapes.atom(Atom::Var(var)) == Shape::Varying;
        let value = self.fresh(Some(var), view.elem, varying);
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
        if !to.shape.iter().all(|&size| self.shapes.atom(size).is_uniform()) {
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
            let varying = self.is_private(from) || !self.shape(from, indices).is_uniform();
            let value = self.fresh(None, from.elem, varying);
            self.load_at(value, from, indices, mask);
            self.store_at(to, indices, Operand::Value(value), mask);
            return Ok(());
        };
        let bound = self.first(size);
        let index = self.fresh(None, PrimType::I64, false);
        let counter = Operand::Value(index);
        let (stms, ()) = self.nested(|outer| {
            indices.push((Scalar { first: Some(counter), lanes: counter }, Shape::UNIFORM));
            let copied = outer.copy_dimensions(to, from, indices, mask);
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

    fn store_at(&mut self, view: &View, indices: &[Index], value: Operand, mask: Option<Operand>) {
        let (memory, position) = self.place(view, indices);
        self.stms.push(Stm::Store { memory, position, value, mask });
    }

    /// Where an element lies.
    fn place(&mut self, view: &View, indices: &[Index]) -> (Memory, Position) {
        let shape = self.shape(view, indices);
        let varying = shape == Shape::Varying;
        let choose = |scalar: Scalar| match scalar.first {
            Some(first) if !varying => first,
            _ => scalar.lanes,
        };
        let memory = self.memory(view);
        let mut position = choose(self.operands(view.offset));
        if let Place::Provided(_) = self.strip.memories[memory].place {
            let start = choose(self.operands(Atom::Var(view.block)));
            position = self.push(Exp::Binary(BinOp::Add, start, position));
        }
        for (&(index, _), &stride) in indices.iter().zip(&view.strides) {
            let stride = choose(self.operands(stride));
            let step = self.push(Exp::Binary(BinOp::Mul, choose(index), stride));
            position = self.push(Exp::Binary(BinOp::Add, position, step));
        }
        let position = match shape {
            Shape::Varying => Position::Varying(position),
            Shape::UNIFORM => Position::Uniform(position),
            Shape::Strided(step) => Position::Strided { first: position, step: self.step(step) },
        };
        (memory, position)
    }

    fn is_private(&mut self, view: &View) -> bool {
        let memory = self.memory(view);
        self.strip.memories[memory].place.is_private()
    }

    fn shape(&self, view: &View, indices: &[Index]) -> Shape {
        let shapes: Vec<Shape> = indices.iter().map(|&(_, shape)| shape).collect();
        self.shapes.position(view, &shapes)
    }

    fn indices(&mut self, indices: &[Atom]) -> Vec<Index> {
        indices.iter().map(|&index| (self.operands(index), self.shapes.atom(index))).collect()
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

impl<'a> Outer<'a> {
    fn view(&self, array: Var) -> &'a View {
        match &self.vars[array].ty {
            Type::Array(view) => view,
            _ => unreachable!("verified: an array"),
        }
    }
}
