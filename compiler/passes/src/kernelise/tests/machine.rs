//! A suspicious machine for kernel programs: it runs them slowly and stops at whatever is not
//! allowed, so that the tests see what a backend would only suffer from.
//!
//! It minds bounds of arrays and of blocks, elements never written, points of a segment that meet
//! in memory, and counts of blocks. Points run in an order of its choice, and those of reductions
//! and scans twice.

use std::collections::BTreeMap;

use ravel_base::Symbol;
use ravel_kernel::*;
use ravel_prim::{PrimType, PrimValue};
use rustc_hash::FxHashMap;

/// A value of the machine.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Cell {
    Scalar(PrimValue),
    Block(usize),
}

/// An argument or a result: sizes and elements, row-major.
#[derive(Clone, Debug, PartialEq)]
pub struct Data {
    pub elem: PrimType,
    pub shape: Vec<i64>,
    pub elements: Vec<PrimValue>,
}

/// Why the machine stopped: a failed assertion of the program, or a fault of the translation.
#[derive(Debug, PartialEq)]
pub enum Stop {
    Assertion(String),
    Fault(String),
}

/// How many bytes the arrays of threads may take together, as far as one thread does not need more: little,
/// so that points run in batches.
const ROOM: i64 = 60;

type Run<T = ()> = Result<T, Stop>;

fn fault<T>(what: impl Into<String>) -> Run<T> {
    Err(Stop::Fault(what.into()))
}

struct Machine<'a> {
    vars: &'a VarTable,
    program: &'a Program,
    values: FxHashMap<Var, Cell>,
    blocks: Vec<Vec<Option<PrimValue>>>,
    /// The point that runs, if a segment does, and who has read and written what.
    point: Option<usize>,
    reads: BTreeMap<(usize, usize), usize>,
    writes: BTreeMap<(usize, usize), usize>,
}

/// Runs the only entry point. `sizes` are its sizes, in order.
pub fn run(program: &Program, sizes: &[i64], args: &[Data]) -> Run<Vec<Data>> {
    let entry = &program.entries[0];
    let mut machine = Machine {
        vars: &entry.vars,
        program,
        values: FxHashMap::default(),
        blocks: Vec::new(),
        point: None,
        reads: BTreeMap::new(),
        writes: BTreeMap::new(),
    };
    for (&var, &size) in entry.sizes.iter().zip(sizes) {
        machine.values.insert(var, Cell::Scalar(PrimValue::I64(size)));
    }
    let mut kept = Vec::new();
    for (param, arg) in entry.params.iter().zip(args) {
        let cell = match param.shape.is_empty() {
            true => Cell::Scalar(arg.elements[0]),
            false => {
                machine.blocks.push(arg.elements.iter().copied().map(Some).collect());
                Cell::Block(machine.blocks.len() - 1)
            }
        };
        machine.values.insert(param.var, cell);
        if let (false, Cell::Block(block)) = (param.consumed, cell) {
            kept.push((block, arg));
        }
    }
    let results = machine.body(&entry.body)?;
    for (block, arg) in &kept {
        if machine.blocks[*block].iter().zip(&arg.elements).any(|(now, then)| *now != Some(*then)) {
            return fault("a parameter that is not consumed was overwritten");
        }
    }
    let mut results = results.into_iter();
    let mut given = Vec::new();
    let mut data = Vec::new();
    for result in &entry.results {
        let sizes: Vec<Cell> = results.by_ref().take(result.rank).collect();
        let shape = sizes.into_iter().map(i64_of).collect::<Run<Vec<i64>>>()?;
        let elements = match results.next() {
            Some(Cell::Scalar(value)) => vec![value],
            Some(Cell::Block(block)) => {
                if given.contains(&block) || kept.iter().any(|(kept, _)| *kept == block) {
                    return fault("a result whose block is not its own");
                }
                given.push(block);
                let count = shape.iter().product::<i64>() as usize;
                let elements: Option<Vec<PrimValue>> =
                    machine.blocks[block].iter().take(count).copied().collect();
                match elements {
                    Some(elements) if elements.len() == count => elements,
                    _ => return fault("a result that is not complete"),
                }
            }
            None => return fault("a result is missing"),
        };
        data.push(Data { elem: result.elem, shape, elements });
    }
    Ok(data)
}

fn i64_of(cell: Cell) -> Run<i64> {
    match cell {
        Cell::Scalar(PrimValue::I64(value)) => Ok(value),
        other => fault(format!("{other:?} is no i64")),
    }
}

impl<'a> Machine<'a> {
    fn cell(&self, atom: Atom) -> Run<Cell> {
        match atom {
            Atom::Const(value) => Ok(Cell::Scalar(value)),
            Atom::Var(var) => match self.values.get(&var) {
                Some(&cell) => Ok(cell),
                None => fault(format!("{} has no value", name_of(self.vars, var))),
            },
        }
    }

    fn scalar(&self, atom: Atom) -> Run<PrimValue> {
        match self.cell(atom)? {
            Cell::Scalar(value) => Ok(value),
            Cell::Block(_) => fault("a block where a scalar is needed"),
        }
    }

    fn number(&self, atom: Atom) -> Run<i64> {
        i64_of(self.cell(atom)?)
    }

    fn cells(&self, atoms: &[Atom]) -> Run<Vec<Cell>> {
        atoms.iter().map(|&atom| self.cell(atom)).collect()
    }

    fn bind(&mut self, vars: &[Var], cells: &[Cell]) {
        self.values.extend(vars.iter().copied().zip(cells.iter().copied()));
    }

    fn body<L: Level + 'a>(&mut self, body: &Body<L>) -> Run<Vec<Cell>> {
        for stm in &body.stms {
            self.stm(stm)?;
        }
        self.cells(&body.result)
    }

    fn stm<L: Level + 'a>(&mut self, stm: &Stm<L>) -> Run {
        match stm {
            Stm::Let { var, exp } => {
                let value = self.exp(exp)?;
                self.bind(&[*var], &[Cell::Scalar(value)]);
            }
            Stm::View(_) => (),
            Stm::Alloc { block, count } => {
                let count = self.number(*count)?;
                let few = usize::try_from(count).ok().filter(|&count| count < 1 << 20);
                let Some(count) = few else { return fault(format!("a block of {count}")) };
                self.blocks.push(vec![None; count]);
                self.bind(&[*block], &[Cell::Block(self.blocks.len() - 1)]);
            }
            Stm::Constants { block, values } => {
                self.blocks.push(values.iter().copied().map(Some).collect());
                self.bind(&[*block], &[Cell::Block(self.blocks.len() - 1)]);
            }
            Stm::Load { var, array, indices } => {
                let value = self.load(self.place(*array, &self.numbers(indices)?)?)?;
                self.bind(&[*var], &[Cell::Scalar(value)]);
            }
            Stm::Store { array, indices, value } => {
                let place = self.place(*array, &self.numbers(indices)?)?;
                self.store(place, self.scalar(*value)?)?;
            }
            Stm::Copy { to, from } => self.copy(*to, *from)?,
            Stm::If { binders, cond, then, otherwise } => {
                let side = if self.scalar(*cond)? == PrimValue::Bool(true) { then } else { otherwise };
                let cells = self.body(side)?;
                self.bind(binders, &cells);
            }
            Stm::Loop { binders, params, form, body } => {
                let (vars, inits): (Vec<Var>, Vec<Atom>) = params.iter().copied().unzip();
                let mut cells = self.cells(&inits)?;
                let mut round = 0;
                loop {
                    self.bind(&vars, &cells);
                    let goes_on = match *form {
                        LoopForm::For { index, bound } => {
                            let bound = self.scalar(bound)?;
                            let counter = ravel_prim::convert(PrimValue::I64(round), bound.ty());
                            self.bind(&[index], &[Cell::Scalar(counter)]);
                            ravel_prim::compare(ravel_prim::CmpOp::Lt, counter, bound) == Some(true)
                        }
                        LoopForm::While(cond) => self.scalar(Atom::Var(cond))? == PrimValue::Bool(true),
                    };
                    if !goes_on {
                        break;
                    }
                    cells = self.body(body)?;
                    round += 1;
                }
                self.bind(binders, &cells);
            }
            Stm::Trace { .. } => (),
            Stm::Assert { cond, message, args } => {
                if self.scalar(*cond)? != PrimValue::Bool(true) {
                    return Err(Stop::Assertion(self.message(*message, args)?));
                }
            }
            Stm::Call { binders, function, args, site: _ } => {
                let cells = args.iter().map(|arg| self.cell(arg.value)).collect::<Run<Vec<_>>>()?;
                let results = self.call::<L>(*function, cells)?;
                self.bind(binders, &results);
            }
            Stm::Segment(segment) => self.segment(L::grid(segment))?,
        }
        Ok(())
    }

    fn call<L: Level + 'a>(&mut self, name: Symbol, args: Vec<Cell>) -> Run<Vec<Cell>> {
        let program = self.program;
        let function = L::functions(program).iter().find(|function| function.name == name);
        let Some(function) = function else { return fault("a call of an unknown function") };
        let values = function.params.iter().map(|param| param.var).zip(args).collect();
        let outer = std::mem::replace(&mut self.values, values);
        let outer_vars = std::mem::replace(&mut self.vars, &function.vars);
        let results = self.body(&function.body)?;
        (self.values, self.vars) = (outer, outer_vars);
        Ok(results)
    }

    fn message(&self, message: MessageId, args: &[Atom]) -> Run<String> {
        let mut args = args.iter();
        let mut text = String::new();
        for part in &self.program.messages[message].parts {
            match part {
                MessagePart::Text(part) => text += part,
                MessagePart::Value(_) => match args.next() {
                    Some(&arg) => text += &format!("{:?}", self.scalar(arg)?),
                    None => return fault("an argument is missing"),
                },
            }
        }
        Ok(text)
    }

    fn exp(&self, exp: &ScalarExp) -> Run<PrimValue> {
        let operands = exp.operands().into_iter().map(|a| self.scalar(a)).collect::<Run<Vec<_>>>()?;
        let value = match (exp, &operands[..]) {
            (ScalarExp::Atom(_), &[a]) => Some(a),
            (ScalarExp::Unary(op, _), &[a]) => ravel_prim::unary(*op, a),
            (ScalarExp::Binary(op, ..), &[a, b]) => ravel_prim::binary(*op, a, b),
            (ScalarExp::Compare(op, ..), &[a, b]) => ravel_prim::compare(*op, a, b).map(PrimValue::Bool),
            (ScalarExp::Convert(ty, _), &[a]) => Some(ravel_prim::convert(a, *ty)),
            (ScalarExp::Select(..), &[c, a, b]) => Some(if c == PrimValue::Bool(true) { a } else { b }),
            (&ScalarExp::Param(_, default), _) => Some(PrimValue::I64(default)),
            (ScalarExp::Room(_), &[PrimValue::I64(one)]) => Some(PrimValue::I64(one.max(ROOM))),
            _ => None,
        };
        value.map_or_else(|| fault(format!("{exp:?} of {operands:?}")), Ok)
    }

    fn numbers(&self, atoms: &[Atom]) -> Run<Vec<i64>> {
        atoms.iter().map(|&atom| self.number(atom)).collect()
    }

    fn view(&self, array: Var) -> &View {
        match &self.vars[array].ty {
            Type::Array(view) => view,
            other => panic!("the verifier lets no {other} pass for an array"),
        }
    }

    /// Block and position of an element.
    fn place(&self, array: Var, indices: &[i64]) -> Run<(usize, usize)> {
        let view = self.view(array);
        let shape = self.numbers(&view.shape)?;
        if indices.iter().zip(&shape).any(|(index, size)| !(0..*size).contains(index)) {
            let name = name_of(self.vars, array);
            return fault(format!("index {indices:?} of {name} of shape {shape:?}"));
        }
        let strides = self.numbers(&view.strides)?;
        let steps = indices.iter().zip(strides).map(|(index, stride)| index * stride);
        let position = self.number(view.offset)? + steps.sum::<i64>();
        let Cell::Block(block) = self.cell(Atom::Var(view.block))? else { return fault("no block") };
        match usize::try_from(position) {
            Ok(position) if position < self.blocks[block].len() => Ok((block, position)),
            _ => fault(format!("{} outside of its block", name_of(self.vars, array))),
        }
    }

    fn load(&mut self, place: (usize, usize)) -> Run<PrimValue> {
        if let Some(point) = self.point {
            if self.writes.get(&place).is_some_and(|&writer| writer != point) {
                return fault("a point reads what another has written");
            }
            self.reads.insert(place, point);
        }
        let value = self.blocks[place.0][place.1];
        value.map_or_else(|| fault("an element that nobody wrote"), Ok)
    }

    fn store(&mut self, place: (usize, usize), value: PrimValue) -> Run {
        if let Some(point) = self.point {
            if self.reads.get(&place).is_some_and(|&reader| reader != point) {
                return fault("a point writes what another has read");
            }
            self.writes.insert(place, point);
        }
        self.blocks[place.0][place.1] = Some(value);
        Ok(())
    }

    fn copy(&mut self, to: Var, from: Var) -> Run {
        let shape = self.numbers(&self.view(to).shape)?;
        if shape != self.numbers(&self.view(from).shape)? {
            return fault("a copy between different shapes");
        }
        let mut moves = Vec::new();
        for index in indices(&shape) {
            moves.push((self.place(to, &index)?, self.place(from, &index)?));
        }
        let same = moves.iter().all(|(to, from)| to == from);
        if !same && moves.iter().any(|(to, _)| moves.iter().any(|(_, from)| to == from)) {
            return fault("a copy between arrays that overlap");
        }
        for (to, from) in moves {
            match self.blocks[from.0][from.1] {
                Some(_) => {
                    let value = self.load(from)?;
                    self.store(to, value)?;
                }
                None => self.blocks[to.0][to.1] = None,
            }
        }
        Ok(())
    }

    fn segment(&mut self, segment: &GridSegment) -> Run {
        let shape = segment.space.iter().map(|&(_, size)| self.number(size)).collect::<Run<Vec<_>>>()?;
        let chunk = self.number(segment.chunk)?;
        if chunk < 1 {
            return fault(format!("a chunk of {chunk}"));
        }
        let points = indices(&shape);
        let twice = segment.kind != SegmentKind::Map;
        let mut results: Vec<Vec<Cell>> = vec![Vec::new(); points.len()];
        for flat in (0..points.len()).rev() {
            self.point = Some(flat);
            for _ in 0..=usize::from(twice) {
                for (&(var, _), &index) in segment.space.iter().zip(&points[flat]) {
                    self.bind(&[var], &[Cell::Scalar(PrimValue::I64(index))]);
                }
                results[flat] = self.body(&segment.body)?;
            }
        }
        self.point = None;
        (self.reads, self.writes) = (BTreeMap::new(), BTreeMap::new());
        let mut first = 0;
        for combiner in segment.kind.combiners() {
            let arity = combiner.neutral.len();
            let values: Vec<&[Cell]> = results.iter().map(|cells| &cells[first..first + arity]).collect();
            first += arity;
            let scans = matches!(segment.kind, SegmentKind::Scan(_));
            self.combine(combiner, &values, chunk as usize, scans)?;
        }
        Ok(())
    }

    /// Combines chunk by chunk, each from the neutral element on, then the chunks.
    fn combine(&mut self, combiner: &Combiner, values: &[&[Cell]], chunk: usize, scans: bool) -> Run {
        let neutral = self.cells(&combiner.neutral)?;
        let mut before = neutral.clone();
        for (number, chunk_values) in values.chunks(chunk).enumerate() {
            let mut local = neutral.clone();
            for (at, value) in chunk_values.iter().enumerate() {
                local = self.apply(combiner, &local, value)?;
                if scans {
                    let prefix = self.apply(combiner, &before, &local)?;
                    self.keep(combiner, &[(number * chunk + at) as i64], &prefix)?;
                }
            }
            before = self.apply(combiner, &before, &local)?;
        }
        if scans { Ok(()) } else { self.keep(combiner, &[], &before) }
    }

    fn apply(&mut self, combiner: &Combiner, left: &[Cell], right: &[Cell]) -> Run<Vec<Cell>> {
        self.bind(&combiner.left, left);
        self.bind(&combiner.right, right);
        self.body(&combiner.body)
    }

    fn keep(&mut self, combiner: &Combiner, at: &[i64], cells: &[Cell]) -> Run {
        for (&out, &cell) in combiner.outs.iter().zip(cells) {
            let Cell::Scalar(value) = cell else { return fault("a block is combined") };
            let place = self.place(out, at)?;
            self.store(place, value)?;
        }
        Ok(())
    }
}

/// All positions of a shape, row-major.
fn indices(shape: &[i64]) -> Vec<Vec<i64>> {
    if shape.iter().any(|&size| size <= 0) {
        return Vec::new();
    }
    let mut all = vec![Vec::new()];
    for &size in shape {
        all = all
            .iter()
            .flat_map(|index| (0..size).map(move |last| [index.as_slice(), &[last]].concat()))
            .collect();
    }
    all
}
