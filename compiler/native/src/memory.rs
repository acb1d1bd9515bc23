//! Blocks, and loads and stores of array elements.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{InstBuilder, InstructionData, Opcode, Value, ValueDef};
use ravel_abi::native::Context;
use ravel_kernel::{Atom, Type, Var, View};
use ravel_prim::PrimValue;

use crate::emitter::{Emitter, TRUSTED, clif_type};

/// How many elements are copied one by one in the time that a call takes.
const SHORT_ROW: i64 = 16;

impl<'p> Emitter<'p, '_> {
    /// Allocates a block and binds it.
    pub fn alloc(&mut self, block: Var, count: Atom) {
        let Type::Block(ty) = &self.vars[block].ty else { unreachable!("verified: a block") };
        let bytes = ty.elem.bytes();
        let address = match count {
            Atom::Const(count) if self.on_stack.contains(&block) => {
                self.on_stack(count.bits() as u32 * bytes as u32)
            }
            _ => {
                let count = self.atom(count);
                match self.kept.get(&block) {
                    Some(&place) => self.allocate_once(place, count, bytes),
                    None => self.allocate(count, bytes),
                }
            }
        };
        self.bind(block, address);
    }

    /// Places a block of constants in the blob and binds it.
    pub fn constants(&mut self, block: Var, values: &[PrimValue]) {
        let address = self.place(values);
        self.bind(block, address);
    }

    /// An element of an array.
    pub fn load(&mut self, array: Var, indices: &[Atom]) -> Value {
        let view = self.view(array);
        let indices = self.atoms(indices);
        self.load_at(view, &indices)
    }

    /// Overwrites an element of an array.
    pub fn store(&mut self, array: Var, indices: &[Atom], value: Value) {
        let view = self.view(array);
        let indices = self.atoms(indices);
        self.store_at(view, &indices, value);
    }

    /// An element of a view.
    pub fn load_at(&mut self, view: &View, indices: &[Value]) -> Value {
        let address = self.address(view, indices);
        self.builder.ins().load(clif_type(view.elem), TRUSTED, address, 0)
    }

    /// Overwrites an element of a view.
    pub fn store_at(&mut self, view: &View, indices: &[Value], value: Value) {
        let address = self.address(view, indices);
        self.builder.ins().store(TRUSTED, value, address, 0);
    }

    /// Overwrites all elements of `to` with those of `from`, both row-major and contiguous.
    pub fn copy_contiguous(&mut self, to: Var, from: Var) {
        let (to, from) = (self.view(to), self.view(from));
        let mut bytes = self.index(to.elem.bytes() as i64);
        for &size in &to.shape {
            let size = self.atom(size);
            bytes = self.builder.ins().imul(bytes, size);
        }
        let origin: Vec<Value> = to.shape.iter().map(|_| self.index(0)).collect();
        self.copy_bytes(to, from, &origin, bytes);
    }

    /// Copies bytes from one place to another.
    fn copy_bytes(&mut self, to: &View, from: &View, indices: &[Value], bytes: Value) {
        let args = [self.address(to, indices), self.address(from, indices), bytes];
        self.call_service(offset_of!(Context, copy), &args, None);
    }

    /// Overwrites all elements of `to` with those of `from`: long contiguous rows at once, others one by one.
    pub fn copy_elements(&mut self, to: Var, from: Var) {
        let (to, from) = (self.view(to), self.view(from));
        self.copy_dimensions(to, from, &mut Vec::new());
    }

    /// Copies the part that these outer indices select.
    fn copy_dimensions(&mut self, to: &View, from: &View, indices: &mut Vec<Value>) {
        let Some(&size) = to.shape.get(indices.len()) else {
            let element = self.load_at(from, indices);
            return self.store_at(to, indices, element);
        };
        let (size, zero) = (self.atom(size), self.index(0));
        let (body, counter) = self.block(&[I64]);
        let (exit, _) = self.block(&[]);
        let is_row = indices.len() + 1 == to.shape.len();
        if is_row && [to, from].iter().all(|view| view.strides.last() == Some(&Atom::i64(1))) {
            let ((long, _), (short, _)) = (self.block(&[]), self.block(&[]));
            let is_long = self.builder.ins().icmp_imm_s(IntCC::SignedGreaterThan, size, SHORT_ROW);
            self.branch(is_long, (long, &[]), (short, &[]));
            self.builder.switch_to_block(long);
            let bytes = self.builder.ins().imul_imm_s(size, to.elem.bytes() as i64);
            self.copy_bytes(to, from, &[&indices[..], &[zero]].concat(), bytes);
            self.jump(exit, &[]);
            self.builder.switch_to_block(short);
        }
        let some = self.builder.ins().icmp(IntCC::SignedLessThan, zero, size);
        self.branch(some, (body, &[zero]), (exit, &[]));
        self.builder.switch_to_block(body);
        indices.push(counter[0]);
        self.copy_dimensions(to, from, indices);
        indices.pop();
        let next = self.builder.ins().iadd_imm_s(counter[0], 1);
        let more = self.builder.ins().icmp(IntCC::SignedLessThan, next, size);
        self.branch(more, (body, &[next]), (exit, &[]));
        self.builder.switch_to_block(exit);
    }

    /// The address of an element of a view: the block, plus the offset, plus a term for each dimension, in this order. So
    /// Cranelift can hoist the sum of the first terms out of the loop over the last dimension.
    pub fn address(&mut self, view: &View, indices: &[Value]) -> Value {
        let mut terms = Vec::new();
        if view.offset != Atom::i64(0) {
            terms.push(self.atom(view.offset));
        }
        for (&index, &stride) in indices.iter().zip(&view.strides) {
            match stride {
                stride if stride == Atom::i64(1) => terms.extend(self.summands(index)),
                stride => {
                    let stride = self.atom(stride);
                    terms.push(self.builder.ins().imul(index, stride));
                }
            }
        }
        let block = self.value(view.block);
        terms.into_iter().fold(block, |address, term| {
            let bytes = self.builder.ins().imul_imm_s(term, view.elem.bytes() as i64);
            self.builder.ins().iadd(address, bytes)
        })
    }

    /// The summands of an index. If it is the sum of a counter and another number, the counter is last: the other number
    /// often does not change in the loop.
    fn summands(&self, index: Value) -> Vec<Value> {
        let dfg = &self.builder.func.dfg;
        let counter = |value: Value| matches!(dfg.value_def(value), ValueDef::Param(..)).then_some(value);
        let sum = dfg.value_def(index).inst().and_then(|inst| match dfg.insts[inst] {
            InstructionData::Binary { opcode: Opcode::Iadd, args } => Some(args),
            _ => None,
        });
        // A constant is better in the displacement of the access than in a register.
        let sum = sum.filter(|args| args.iter().all(|&value| self.integer_constant(value).is_none()));
        match sum {
            // The counter of the inner loop is the newer one.
            Some([a, b]) if counter(b) > counter(a) => vec![a, b],
            Some([a, b]) if counter(a).is_some() => vec![b, a],
            _ => vec![index],
        }
    }
}
