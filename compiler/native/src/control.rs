//! Code for bodies, branches, loops and assertions, with the ownership of blocks.
//!
//! Every binder of block type owns one reference. The end of a body releases the references of its binders, except that
//! the references of results move to the user of the results. The merge parameters of a loop own references like binders
//! of its body, unless they are borrowed (`borrow`). The parameters of a function are borrowed from the caller. So if a
//! parameter is a result, the function adds a reference.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Type as ClifType, Value};
use ravel_kernel::{
    Atom, Body, GridSegment, Host, InnerSegment, Level, LoopForm, MessageId, NoSegment, Program, Step, Stm,
    Thread, Var, Workgroup,
};
use ravel_prim::PrimType;

use crate::borrow::MergeParams;
use crate::emitter::Emitter;
use crate::iterations::Iterations;
use crate::{stop, unroll};

/// The code that differs between levels.
pub(crate) trait EmitLevel: Level {
    /// Emits a segment.
    fn run_segment<'p>(emitter: &mut Emitter<'p, '_>, segment: &'p Self::Segment);
    /// The number of the first function of the level.
    fn first_number(program: &Program) -> usize;
    /// Emits a copy of all elements of one array into another.
    fn copy(emitter: &mut Emitter<'_, '_>, to: Var, from: Var);
    /// Emits a loop over `0..bound` in lanes or in strands, if its iterations can run there and that pays. Returns the last
    /// values of the merge parameters, which begin with `first`.
    fn loop_in_lanes<'p>(
        _emitter: &mut Emitter<'p, '_>,
        _counter: (Var, Atom),
        _reduces: bool,
        _params: &[(Var, Atom)],
        _first: &[Value],
        _body: &'p Body<Self>,
    ) -> Option<Vec<Value>> {
        None
    }
}

impl EmitLevel for Host {
    fn run_segment<'p>(emitter: &mut Emitter<'p, '_>, segment: &'p GridSegment) {
        emitter.segment(segment);
    }

    fn first_number(_: &Program) -> usize {
        0
    }

    fn copy(emitter: &mut Emitter<'_, '_>, to: Var, from: Var) {
        emitter.copy_contiguous(to, from);
    }
}

impl EmitLevel for Workgroup {
    fn run_segment<'p>(emitter: &mut Emitter<'p, '_>, segment: &'p InnerSegment) {
        emitter.inner_segment(segment);
    }

    fn first_number(_: &Program) -> usize {
        unreachable!("verified: a block calls nothing")
    }

    fn copy(_: &mut Emitter<'_, '_>, _: Var, _: Var) {
        unreachable!("verified: a block copies nothing")
    }
}

impl EmitLevel for Thread {
    fn run_segment<'p>(_: &mut Emitter<'p, '_>, segment: &'p NoSegment) {
        match *segment {}
    }

    fn first_number(program: &Program) -> usize {
        program.host_functions.len()
    }

    fn copy(emitter: &mut Emitter<'_, '_>, to: Var, from: Var) {
        emitter.copy_elements(to, from);
    }

    fn loop_in_lanes<'p>(
        emitter: &mut Emitter<'p, '_>,
        counter: (Var, Atom),
        reduces: bool,
        params: &[(Var, Atom)],
        first: &[Value],
        body: &'p Body<Thread>,
    ) -> Option<Vec<Value>> {
        let in_strands = reduces && emitter.shared.in_strands;
        let iterations =
            Iterations::of(params, body, in_strands, &emitter.on_stack, emitter.vars, emitter.shared.target)?;
        emitter.iterations(counter, &iterations, first)
    }
}

impl<'p> Emitter<'p, '_> {
    /// Emits a body. The user of the results owns the blocks among them.
    pub fn body<L: EmitLevel>(&mut self, body: &'p Body<L>) -> Vec<Value> {
        self.round(body, &MergeParams::default())
    }

    /// Emits one iteration of a loop. The iteration owns the blocks in the merge parameters, unless they are borrowed.
    fn round<L: EmitLevel>(&mut self, body: &'p Body<L>, merged: &MergeParams) -> Vec<Value> {
        let mut owned: Vec<Var> = merged.owners().filter(|&var| self.is_block(var)).collect();
        self.in_scope(|emitter| body.stms.iter().for_each(|step| emitter.step(step, &mut owned)));
        self.results(&body.result, merged, owned)
    }

    /// The results of a body, to which the blocks in `owned` belong.
    fn results(&mut self, atoms: &[Atom], merged: &MergeParams, mut owned: Vec<Var>) -> Vec<Value> {
        let result = |(place, &atom): (usize, &Atom)| {
            if merged.is_borrowed(place) { self.atom(atom) } else { self.result(atom, &mut owned) }
        };
        let results = atoms.iter().enumerate().map(result).collect();
        self.release_all(owned);
        results
    }

    /// Emits a body, and a jump with its results to `join`. If the results are those of a branch at the end of the body,
    /// its sides jump to `join` themselves. So a chain of branches has one join: Cranelift takes quadratic time if the
    /// result passes through as many blocks as the chain has branches.
    fn body_to<L: EmitLevel>(&mut self, join: Block, body: &'p Body<L>) {
        let mut owned = Vec::new();
        let jumps = self.in_scope(|emitter| {
            let Some((last, before)) = body.stms.split_last() else { return false };
            before.iter().for_each(|step| emitter.step(step, &mut owned));
            match &last.stm {
                Stm::If { binders, cond, then, otherwise }
                    if owned.is_empty()
                        && body.result.iter().copied().eq(binders.iter().map(|&var| Atom::Var(var))) =>
                {
                    emitter.path = last.origin.path();
                    emitter.sides(join, *cond, then, otherwise);
                    true
                }
                _ => {
                    emitter.step(last, &mut owned);
                    false
                }
            }
        });
        if !jumps {
            let results = self.results(&body.result, &MergeParams::default(), owned);
            self.jump(join, &results);
        }
    }

    /// Releases blocks.
    pub fn release_all(&mut self, owned: Vec<Var>) {
        for var in owned {
            let block = self.value(var);
            self.release(block);
        }
    }

    /// The value of a result. If a variable in `owned` owns the block, its reference moves to the result. Otherwise the
    /// result gets a new reference.
    fn result(&mut self, atom: Atom, owned: &mut Vec<Var>) -> Value {
        if let Some(owner) = atom.var().and_then(|var| owned.iter().position(|&own| own == var)) {
            let var = owned.swap_remove(owner);
            return self.value(var);
        }
        self.retained_atom(atom)
    }

    /// The value of an atom. If it is a block, adds a reference.
    fn retained_atom(&mut self, atom: Atom) -> Value {
        let value = self.atom(atom);
        if atom.var().is_some_and(|var| self.is_block(var)) {
            self.retain(value);
        }
        value
    }

    /// Emits a statement. Adds the blocks that it binds to `owned`.
    pub fn step<L: EmitLevel>(&mut self, step: &'p Step<L>, owned: &mut Vec<Var>) {
        self.path = step.origin.path();
        self.statement(&step.stm, owned);
    }

    fn statement<L: EmitLevel>(&mut self, stm: &'p Stm<L>, owned: &mut Vec<Var>) {
        match stm {
            Stm::Let { var, exp } => {
                let value = self.scalar(exp);
                self.bind(*var, value);
            }
            Stm::SineCosine { sine, cosine, angle } => self.sine_cosine(*sine, *cosine, *angle),
            Stm::View(array) => self.enter_array(*array),
            Stm::Alloc { block, count } => {
                self.alloc(*block, *count);
                if !self.on_stack.contains(block) && !self.kept.contains_key(block) {
                    owned.push(*block);
                }
            }
            Stm::Constants { block, values } => self.constants(*block, values),
            Stm::Load { var, array, indices } => {
                let element = self.load(*array, indices);
                self.bind(*var, element);
            }
            Stm::Store { array, indices, value } => {
                let value = self.atom(*value);
                self.store(*array, indices, value);
            }
            // A worker runs the threads of a workgroup one after the other.
            Stm::Combine { array, indices, op, value } => {
                let (ty, value) = (self.scalar_type(*value), self.atom(*value));
                let element = self.load(*array, indices);
                let combined = self.binary(*op, ty, element, value);
                self.store(*array, indices, combined);
            }
            Stm::Copy { to, from } => L::copy(self, *to, *from),
            Stm::If { binders, cond, then, otherwise } => {
                self.branch_statement(binders, *cond, then, otherwise);
                owned.extend(binders.iter().copied().filter(|&var| self.is_block(var)));
            }
            Stm::Loop { binders, params, form, body } => {
                let merged = MergeParams::new(params, body, |var| self.is_block(var));
                self.loop_statement(binders, params, &merged, *form, body);
                let own = binders.iter().enumerate().filter(|&(place, _)| !merged.is_borrowed(place));
                owned.extend(own.map(|(_, &var)| var).filter(|&var| self.is_block(var)));
            }
            Stm::Assert { cond, message, args } => self.assert(*cond, *message, args),
            Stm::Trace { trace, args } => self.trace(trace, args),
            Stm::Choose { versions, cond } => self.choose(*versions, *cond),
            Stm::Call { binders, function, args, site } => {
                self.call_statement::<L>(binders, *function, args, *site);
                owned.extend(binders.iter().copied().filter(|&var| self.is_block(var)));
            }
            Stm::Segment(segment) => L::run_segment(self, segment),
        }
    }

    fn assert(&mut self, cond: Atom, message: MessageId, args: &[Atom]) {
        let cond = self.atom(cond);
        self.check(cond, message, args);
    }

    fn branch_statement<L: EmitLevel>(
        &mut self,
        binders: &[Var],
        cond: Atom,
        then: &'p Body<L>,
        otherwise: &'p Body<L>,
    ) {
        let (join, joined) = self.block(&self.var_types(binders));
        self.sides(join, cond, then, otherwise);
        self.builder.switch_to_block(join);
        self.bind_all(binders, &joined);
    }

    /// Emits a branch whose sides jump to `join` with their results.
    fn sides<L: EmitLevel>(&mut self, join: Block, cond: Atom, then: &'p Body<L>, otherwise: &'p Body<L>) {
        let cond = self.atom(cond);
        let (yes, _) = self.block(&[]);
        let (no, _) = self.block(&[]);
        self.branch(cond, (yes, &[]), (no, &[]));
        for (side, body) in [(yes, then), (no, otherwise)] {
            self.builder.switch_to_block(side);
            self.body_to(join, body);
        }
    }

    fn loop_statement<L: EmitLevel>(
        &mut self,
        binders: &[Var],
        params: &[(Var, Atom)],
        merged: &MergeParams,
        form: LoopForm,
        body: &'p Body<L>,
    ) {
        let first = params.iter().enumerate().map(|(place, &(_, init))| {
            if merged.is_borrowed(place) { self.atom(init) } else { self.retained_atom(init) }
        });
        let first: Vec<Value> = first.collect();
        let last = match form {
            LoopForm::For { index, bound, reduces } => {
                L::loop_in_lanes(self, (index, bound), reduces, params, &first, body)
                    .unwrap_or_else(|| self.counted_loop(index, bound, merged, &first, body))
            }
            LoopForm::While(flag) => self.conditional(flag, merged, &first, body),
        };
        self.bind_all(binders, &last);
    }

    /// Emits a loop over `0..bound`. Returns the last values of the merge parameters.
    fn counted_loop<L: EmitLevel>(
        &mut self,
        index: Var,
        bound: Atom,
        merged: &MergeParams,
        first: &[Value],
        body: &'p Body<L>,
    ) -> Vec<Value> {
        let interval = stop::interval([body], &self.on_stack);
        let iteration = |emitter: &mut Self, counter: Value, state: &[Value]| {
            emitter.bind(index, counter);
            emitter.bind_all(&merged.vars, state);
            emitter.round(body, merged)
        };
        if first.is_empty() && self.scalar_type(bound) == PrimType::I64 && unroll::is_short(bound, body) {
            let end = self.atom(bound);
            self.unrolled(end, interval, |emitter, counter| {
                iteration(emitter, counter, &[]);
            });
            return Vec::new();
        }
        self.count(bound, interval, first, iteration)
    }

    /// Emits a loop over `0..bound` with the body `round`. `round` receives the counter and the state, which is `first` in
    /// the first iteration, and returns the next state. Returns the last state.
    ///
    /// The loop polls the stop flag after every `interval` iterations, or in every iteration if `interval` is `None`.
    pub fn count(
        &mut self,
        bound: Atom,
        interval: Option<u64>,
        first: &[Value],
        round: impl FnOnce(&mut Self, Value, &[Value]) -> Vec<Value>,
    ) -> Vec<Value> {
        let signed = self.scalar_type(bound).is_signed();
        let most = match bound {
            Atom::Const(bound) => Some(bound.bits()),
            Atom::Var(_) => None,
        };
        let end = self.atom(bound);
        self.count_to(end, signed, most, interval, first, round)
    }

    /// [`Self::count`] with the bound as a value. `most` is the largest number of iterations, if it is known.
    pub fn count_to(
        &mut self,
        end: Value,
        signed: bool,
        most: Option<u64>,
        interval: Option<u64>,
        first: &[Value],
        round: impl FnOnce(&mut Self, Value, &[Value]) -> Vec<Value>,
    ) -> Vec<Value> {
        let types = self.types_of(first);
        let (exit, last) = self.block(&types);
        let below = if signed { IntCC::SignedLessThan } else { IntCC::UnsignedLessThan };
        let counter_type = self.builder.func.dfg.value_type(end);
        let (begin, begun) = self.block(&[&[counter_type; 2], &types[..]].concat());
        let (again, round_params) = self.block(&[&[counter_type], &types[..]].concat());
        let zero = self.word(counter_type, 0);
        let some = self.builder.ins().icmp(below, zero, end);
        let several = interval.filter(|&rounds| stop::may_exceed(most, counter_type, rounds));
        let first_end = match several {
            Some(rounds) => {
                let rounds = self.word(counter_type, rounds);
                self.builder.ins().umin(end, rounds)
            }
            None => end,
        };
        self.branch(some, (begin, &[&[first_end, zero], first].concat()), (exit, first));

        self.builder.switch_to_block(begin);
        let interval_end = begun[0];
        self.jump(again, &begun[1..]);

        self.builder.switch_to_block(again);
        if interval.is_none() {
            self.poll_stop();
        }
        let next = round(self, round_params[0], &round_params[1..]);
        let one = self.word(counter_type, 1);
        let counter = self.builder.ins().iadd(round_params[0], one);
        let more = self.builder.ins().icmp(below, counter, interval_end);
        let state = [&[counter], &next[..]].concat();
        if let Some(rounds) = several {
            let (done, _) = self.block(&[]);
            let (between, _) = self.block(&[]);
            self.builder.set_cold_block(between);
            self.branch(more, (again, &state), (done, &[]));
            // After an interval the counter is `interval_end`. Using that here keeps the next counter dead outside of the
            // loop, so that it can take the register of the counter.
            self.builder.switch_to_block(done);
            let more = self.builder.ins().icmp(below, interval_end, end);
            self.branch(more, (between, &[]), (exit, &next));
            self.builder.switch_to_block(between);
            self.poll_stop();
            let next_end = self.interval_end(interval_end, end, rounds);
            self.jump(begin, &[&[next_end, interval_end], &next[..]].concat());
        } else {
            self.branch(more, (again, &state), (exit, &next));
        }
        self.builder.switch_to_block(exit);
        last
    }

    /// Emits a loop that runs while the merge parameter `flag` is true. Returns the last values of the merge parameters.
    fn conditional<L: EmitLevel>(
        &mut self,
        flag: Var,
        merged: &MergeParams,
        first: &[Value],
        body: &'p Body<L>,
    ) -> Vec<Value> {
        let types = self.var_types(&merged.vars);
        let (exit, last) = self.block(&types);
        let flag = merged.vars.iter().position(|&var| var == flag).expect("verified: a merge parameter");
        let (round, round_params) = self.block(&types);
        self.branch(first[flag], (round, first), (exit, first));
        self.builder.switch_to_block(round);
        self.bind_all(&merged.vars, &round_params);
        self.poll_stop();
        let next = self.round(body, merged);
        self.branch(next[flag], (round, &next), (exit, &next));
        self.builder.switch_to_block(exit);
        last
    }

    /// Binds variables to values, one by one.
    pub fn bind_all(&mut self, vars: &[Var], values: &[Value]) {
        for (&var, &value) in vars.iter().zip(values) {
            self.bind(var, value);
        }
    }

    /// The Cranelift types of scalars and blocks.
    pub fn var_types(&self, vars: &[Var]) -> Vec<ClifType> {
        vars.iter().map(|&var| self.var_type(var)).collect()
    }
}
