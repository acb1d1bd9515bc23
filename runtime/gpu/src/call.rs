//! Executes the host program of one call of an entry point, step by step.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use ravel_abi::plan::{Body, Entry, Exp, Grid, Launch, LoopForm, MAX_POINTS, Operand, Slot, Step};
use ravel_abi::{
    Array, BinCounts, DeviceLimitation, Failure, Listener, Profile, ResultType, Trace, TraceKind, Tuning,
    Value, VersionCounter,
};
use ravel_prim::{BinOp, CmpOp, PrimType, PrimValue};

use crate::Program;
use crate::memory::Block;
use crate::recorder::{ReadBack, Recorder, Stats};
use crate::{transfer, wait};

impl Program {
    /// Calls an entry point. If points in another order than that of the source fail, the failure is that of the first point.
    pub(crate) async fn run(
        &self,
        name: &str,
        args: &[Value],
        stop: Arc<AtomicBool>,
        profile: Option<&Profile>,
    ) -> Result<(Vec<Value>, Stats), Failure> {
        let Some(entry) = self.plan.entries.iter().find(|entry| entry.signature.name == name) else {
            return Err(Failure::Arguments(format!("there is no entry point `{name}`")));
        };
        let failure =
            match self.run_with((&self.tuning, &self.listener), entry, args, stop.clone(), profile).await {
                Err(failure @ Failure::Program { .. }) => failure,
                outcome => return outcome,
            };
        let parameters = entry.signature.tuning_params.iter().map(String::as_str);
        let Some(tuning) = self.tuning.in_source_order(parameters) else { return Err(failure) };
        match self.run_with((&tuning, &Listener::default()), entry, args, stop, None).await {
            outcome @ (Ok(_) | Err(Failure::Program { .. })) => outcome,
            Err(_) => Err(failure),
        }
    }

    /// Calls an entry point with these tuning parameters, and a listener for its traces.
    async fn run_with(
        &self,
        (tuning, listener): (&Tuning, &Listener),
        entry: &Entry,
        args: &[Value],
        stop: Arc<AtomicBool>,
        profile: Option<&Profile>,
    ) -> Result<(Vec<Value>, Stats), Failure> {
        let sizes = entry.signature.bind_sizes(args)?;
        self.device.faults.check()?;
        self.device.pool.restart_peak();
        let mut call = Call {
            program: self,
            tuning,
            listener,
            slots: vec![None; entry.slots],
            recorder: Recorder::new(self, stop.clone(), profile)?,
            versions: VersionCounter::new(&self.plan.versions),
            stop,
        };
        for (&slot, size) in entry.sizes.iter().zip(sizes) {
            call.bind(slot, Content::Scalar(PrimValue::I64(size)));
        }
        for (index, (&slot, arg)) in entry.params.iter().zip(args).enumerate() {
            let content =
                call.send(arg).map_err(|failure| failure.at(|| entry.signature.argument_place(index)))?;
            call.bind(slot, content);
        }
        match call.results(entry).await {
            Ok(values) => {
                let versions = call.versions.counts(&self.plan.versions);
                let peak_bytes = self.device.pool.peak();
                Ok((values, Stats { versions, peak_bytes, ..call.recorder.stats }))
            }
            // If an earlier kernel failed, report its failure, since it came first.
            Err(failure) => Err(match call.recorder.check().await {
                Ok(()) | Err(Failure::System(_) | Failure::Bug(_)) => failure,
                Err(earlier) => earlier,
            }),
        }
    }
}

/// The content of a slot.
#[derive(Clone)]
enum Content {
    Scalar(PrimValue),
    Block(Arc<Block>),
}

struct Call<'p> {
    program: &'p Program,
    tuning: &'p Tuning,
    listener: &'p Listener,
    slots: Vec<Option<Content>>,
    recorder: Recorder<'p>,
    versions: VersionCounter,
    stop: Arc<AtomicBool>,
}

/// The failure for an invalid launch plan, which is a bug in the compiler.
fn internal(what: &str) -> Failure {
    Failure::Bug(format!("the launch plan is wrong: {what}"))
}

impl<'p> Call<'p> {
    /// Copies an array argument to the device. A scalar stays on the host.
    fn send(&mut self, arg: &Value) -> Result<Content, Failure> {
        match arg {
            Value::Scalar(scalar) => Ok(Content::Scalar(*scalar)),
            Value::Array(Array { data, .. }) => {
                let count = i64::try_from(data.len()).unwrap_or(i64::MAX);
                let block = Block::new(&self.program.device, data.elem(), count)?;
                self.recorder.send(&block, &transfer::to_device(data));
                Ok(Content::Block(block))
            }
        }
    }

    /// Runs the body and reads its results back.
    async fn results(&mut self, entry: &'p Entry) -> Result<Vec<Value>, Failure> {
        let contents = self.body(&entry.body).await?;
        let (values, bytes) = self
            .fetch(&entry.signature.results, contents)
            .await
            .map_err(|failure| failure.at(|| entry.signature.results_place()))?;
        self.recorder.stats.bytes_down += bytes;
        Ok(values)
    }

    /// Reads the contents back in one transfer, as values of these types. Also returns the number of bytes that were
    /// read.
    async fn fetch(
        &mut self,
        types: &[ResultType],
        contents: Vec<Content>,
    ) -> Result<(Vec<Value>, u64), Failure> {
        let mut contents = contents.into_iter();
        let mut next = || contents.next().ok_or_else(|| internal("a result is missing"));
        // For each result the scalar (`Err`), or the shape and the element type of the array.
        let mut shapes = Vec::new();
        let mut wanted = Vec::new();
        for result in types {
            let mut shape = Vec::new();
            for _ in 0..result.rank {
                match next()? {
                    Content::Scalar(PrimValue::I64(size)) => shape.push(size as usize),
                    _ => return Err(internal("a size of a result")),
                }
            }
            match next()? {
                Content::Scalar(scalar) => shapes.push(Err(scalar)),
                Content::Block(block) => {
                    let count = shape.iter().fold(1u64, |count, &size| count.saturating_mul(size as u64));
                    let bytes = count.saturating_mul(block.bytes()) / block.count.max(1);
                    if bytes > block.bytes() {
                        return Err(internal("a result is shorter than its sizes say"));
                    }
                    shapes.push(Ok((shape, block.elem)));
                    wanted.push(ReadBack { block, start: 0, bytes });
                }
            }
        }
        let mut arrays = Vec::new();
        if wanted.is_empty() {
            self.recorder.check().await?;
        } else {
            arrays = self.recorder.read(&wanted).await?;
        }
        let bytes = wanted.iter().map(|wanted| wanted.bytes).sum();
        let mut arrays = arrays.into_iter();
        let value = |shape: Result<(Vec<usize>, PrimType), PrimValue>| match shape {
            Err(scalar) => Ok(Value::Scalar(scalar)),
            Ok((shape, elem)) => {
                let bytes = arrays.next().ok_or_else(|| internal("an array of the results was not read"))?;
                Ok(Value::Array(Array { shape, data: transfer::from_device(elem, &bytes) }))
            }
        };
        let values = shapes.into_iter().map(value).collect::<Result<Vec<_>, Failure>>()?;
        Ok((values, bytes))
    }

    fn bind(&mut self, slot: Slot, content: Content) {
        if let Some(place) = self.slots.get_mut(slot.0 as usize) {
            *place = Some(content);
        }
    }

    fn bind_all(&mut self, slots: &[Slot], contents: Vec<Content>) {
        for (&slot, content) in slots.iter().zip(contents) {
            self.bind(slot, content);
        }
    }

    fn release(&mut self, slot: Slot) {
        if let Some(place) = self.slots.get_mut(slot.0 as usize) {
            *place = None;
        }
    }

    fn content(&self, operand: Operand) -> Result<Content, Failure> {
        match operand {
            Operand::Const(value) => Ok(Content::Scalar(value)),
            Operand::Slot(slot) => self
                .slots
                .get(slot.0 as usize)
                .cloned()
                .flatten()
                .ok_or_else(|| internal("a slot is read that is empty")),
        }
    }

    fn contents(&self, operands: &[Operand]) -> Result<Vec<Content>, Failure> {
        operands.iter().map(|&operand| self.content(operand)).collect()
    }

    fn scalar(&self, operand: Operand) -> Result<PrimValue, Failure> {
        match self.content(operand)? {
            Content::Scalar(value) => Ok(value),
            Content::Block(_) => Err(internal("a block is not a scalar")),
        }
    }

    fn scalars(&self, operands: &[Operand]) -> Result<Vec<PrimValue>, Failure> {
        operands.iter().map(|&operand| self.scalar(operand)).collect()
    }

    fn bool(&self, operand: Operand) -> Result<bool, Failure> {
        self.scalar(operand)?.as_bool().ok_or_else(|| internal("a condition is not a bool"))
    }

    fn i64(&self, operand: Operand) -> Result<i64, Failure> {
        self.scalar(operand)?.as_i64().ok_or_else(|| internal("a size is not an i64"))
    }

    fn block(&self, slot: Slot) -> Result<Arc<Block>, Failure> {
        match self.content(Operand::Slot(slot))? {
            Content::Block(block) => Ok(block),
            Content::Scalar(_) => Err(internal("a scalar is not a block")),
        }
    }

    fn eval(&self, exp: &Exp) -> Result<Content, Failure> {
        if let Exp::Operand(operand) = exp {
            return self.content(*operand);
        }
        let parameter = |number| self.tuning.get(self.program.plan.parameters.get(number as usize)?);
        exp.eval(|operand| self.scalar(operand).ok(), |bytes| self.program.private_limit(bytes), parameter)
            .map(Content::Scalar)
            .ok_or_else(|| internal("an operation that fails"))
    }

    /// Runs a body; returns its results.
    fn body<'a>(
        &'a mut self,
        body: &'p Body,
    ) -> Pin<Box<dyn Future<Output = Result<Vec<Content>, Failure>> + 'a>> {
        Box::pin(async move {
            let mut steps = body.steps.as_slice();
            while let [step, rest @ ..] = steps {
                steps = rest;
                match step {
                    Step::Load { .. } => {
                        let all = &body.steps[body.steps.len() - rest.len() - 1..];
                        let count = self.loads(all).await?;
                        steps = &all[count..];
                    }
                    step => self.step(step).await?,
                }
            }
            let results = self.contents(&body.results)?;
            body.releases.iter().for_each(|&slot| self.release(slot));
            Ok(results)
        })
    }

    async fn step(&mut self, step: &'p Step) -> Result<(), Failure> {
        match step {
            Step::Let { slot, exp } => {
                let content = self.eval(exp)?;
                self.bind(*slot, content);
            }
            Step::Alloc { slot, elem, count, site } => {
                // The slot's old block may be reused for the new one.
                self.release(*slot);
                let block = Block::new(&self.program.device, *elem, self.i64(*count)?);
                let block = block.map_err(|mut failure| {
                    site.iter().for_each(|&site| self.program.plan.messages.add_call(site, &mut failure));
                    failure
                })?;
                self.bind(*slot, Content::Block(block));
            }
            Step::Constants { slot, number } => {
                let block = self.program.constants(*number)?;
                self.bind(*slot, Content::Block(block));
            }
            Step::Launch(launch) => self.launch(launch).await?,
            Step::Load { .. } => {}
            Step::If { binders, cond, then, otherwise } => {
                let side = if self.bool(*cond)? { then } else { otherwise };
                let results = self.body(side).await?;
                self.bind_all(binders, results);
            }
            Step::Loop { binders, params, form, body } => {
                self.repeat(binders, params, *form, body).await?;
            }
            Step::Assert { cond, message, args } => {
                if !self.bool(*cond)? {
                    let args = self.scalars(args)?;
                    return Err(self.program.plan.messages.fail(*message, &args));
                }
            }
            Step::Choose { versions, cond } => self.versions.add(*versions, self.bool(*cond)?),
            Step::Trace { trace, values } => {
                let trace =
                    self.program.plan.traces.get(*trace).ok_or_else(|| internal("an unknown trace"))?;
                self.trace(trace, values).await?;
            }
        }
        Ok(())
    }

    async fn trace(&mut self, trace: &Trace, values: &[Operand]) -> Result<(), Failure> {
        let listener = self.listener;
        if trace.kind == TraceKind::Shown && !listener.listens() {
            return Ok(());
        }
        let contents = self.contents(values)?;
        let (values, bytes) = self.fetch(&trace.values, contents).await?;
        self.recorder.stats.bytes_read_back += bytes;
        match trace.kind {
            TraceKind::Shown => listener.send(&trace.line(&values)),
            TraceKind::Bins => {
                let counts = BinCounts::of(trace, &values).ok_or_else(|| internal("a trace of bins"))?;
                counts.add_to(&mut self.recorder.stats.bins);
            }
        }
        Ok(())
    }

    async fn repeat(
        &mut self,
        binders: &[Slot],
        params: &[(Slot, Operand)],
        form: LoopForm,
        body: &'p Body,
    ) -> Result<(), Failure> {
        let slots: Vec<Slot> = params.iter().map(|&(slot, _)| slot).collect();
        let inits: Vec<Operand> = params.iter().map(|&(_, init)| init).collect();
        let inits = self.contents(&inits)?;
        self.bind_all(&slots, inits);
        let (mut counter, bound) = match form {
            LoopForm::For { bound, .. } => {
                let bound = self.scalar(bound)?;
                (PrimValue::zero(bound.ty()), bound)
            }
            LoopForm::While(_) => (PrimValue::Bool(true), PrimValue::Bool(true)),
        };
        loop {
            wait::fail_if_stopped(&self.stop)?;
            match form {
                LoopForm::For { index, .. } => {
                    if ravel_prim::compare(CmpOp::Lt, counter, bound) != Some(true) {
                        break;
                    }
                    self.bind(index, Content::Scalar(counter));
                    let one = ravel_prim::convert(PrimValue::Bool(true), bound.ty());
                    counter = ravel_prim::binary(BinOp::Add, counter, one)
                        .ok_or_else(|| internal("a counter that does not count"))?;
                }
                LoopForm::While(slot) => {
                    if !self.bool(Operand::Slot(slot))? {
                        break;
                    }
                }
            }
            let results = self.body(body).await?;
            self.bind_all(&slots, results);
        }
        for (&binder, &slot) in binders.iter().zip(&slots) {
            let content = self.content(Operand::Slot(slot))?;
            self.bind(binder, content);
        }
        slots.into_iter().for_each(|slot| self.release(slot));
        Ok(())
    }

    async fn launch(&mut self, launch: &Launch) -> Result<(), Failure> {
        let kernel =
            self.program.plan.kernels.get(launch.kernel).ok_or_else(|| internal("an unknown kernel"))?;
        let chunk = u64::try_from(self.i64(launch.chunk)?).map_err(|_| internal("a negative chunk"))?;
        let points = self.points(&launch.points)?.ok_or_else(|| internal("a negative number of points"))?;
        if points == 0 {
            return Ok(());
        }
        let too_many =
            |points: u128| DeviceLimitation::LargeOperation.failure_of(&format!("{points} elements"));
        for sizes in &launch.inner {
            // A size may be negative if a branch keeps the workgroups from executing the segment of this index space.
            match self.points(sizes)? {
                Some(points) if points > u128::from(MAX_POINTS) => return Err(too_many(points)),
                _ => {}
            }
        }
        let grid = u64::try_from(points).ok().and_then(|points| Grid::of(points, chunk, kernel.workers()));
        let grid = grid.ok_or_else(|| too_many(points))?;
        let blocks = launch.blocks.iter().map(|&slot| self.block(slot)).collect::<Result<Vec<_>, _>>()?;
        let scalars = self.scalars(&launch.scalars)?;
        self.recorder.launch(launch.kernel, grid, &blocks, &scalars).await
    }

    /// The number of points of an index space, unless a size is negative.
    fn points(&self, sizes: &[Operand]) -> Result<Option<u128>, Failure> {
        let mut points = Some(1u128);
        for &size in sizes {
            let size = u128::try_from(self.i64(size)?).ok();
            points = points.zip(size).map(|(points, size)| points.saturating_mul(size));
        }
        Ok(points)
    }

    /// Performs the loads at the start of `steps` in one read-back, up to the first load that depends on another of
    /// these loads. Returns their number, at least 1.
    async fn loads(&mut self, steps: &'p [Step]) -> Result<usize, Failure> {
        let mut wanted = Vec::new();
        let mut loaded: Vec<(Slot, PrimType)> = Vec::new();
        for step in steps {
            let Step::Load { slot, elem, block, index } = step else { break };
            if loaded.iter().any(|&(known, _)| *index == Operand::Slot(known)) {
                break;
            }
            let (block, index) = (self.block(*block)?, self.i64(*index)?);
            let start = block.position(index).ok_or_else(|| internal("a load out of bounds"))?;
            let bytes = ravel_abi::plan::device_bytes(*elem) as u64;
            wanted.push(ReadBack { block, start, bytes });
            loaded.push((*slot, *elem));
        }
        let read = self.recorder.read(&wanted).await?;
        self.recorder.stats.bytes_read_back += wanted.iter().map(|wanted| wanted.bytes).sum::<u64>();
        for (&(slot, elem), bytes) in loaded.iter().zip(&read) {
            self.bind(slot, Content::Scalar(transfer::scalar(elem, bytes)));
        }
        Ok(loaded.len())
    }
}
