//! Verification of bodies and statements.

use ravel_prim::{BinOp, PrimType, PrimValue};

use super::{Checked, Verifier};
use crate::syntax::*;

impl Verifier<'_> {
    /// Checks a body in its own scope. Returns the types of its results.
    pub(super) fn body<L: Level>(&mut self, body: &Body<L>) -> Checked<Vec<Type>> {
        let length = self.scope.len();
        let number = std::mem::take(&mut self.bodies);
        for step in &body.stms {
            self.stm(&step.stm).map_err(|error| error.within(&step.origin))?;
            self.bodies = 0;
        }
        self.bodies = number + 1;
        let types = body.result.iter().map(|&atom| self.atom(atom)).collect::<Checked<_>>();
        self.leave(length);
        types.map_err(|error| error.in_results(number))
    }

    /// Blames the results of the body that was checked last.
    pub(super) fn of_results<T>(&self, checked: Checked<T>) -> Checked<T> {
        checked.map_err(|error| error.in_results(self.bodies - 1))
    }

    fn stm<L: Level>(&mut self, stm: &Stm<L>) -> Checked {
        if L::NAME == LevelName::Workgroup {
            self.belongs_to_blocks(stm)?;
        }
        match stm {
            Stm::Let { var, exp } => {
                let ty = self.exp(exp)?;
                self.products.record(*var, exp);
                self.bind_scalar(*var, ty)
            }
            Stm::SineCosine { sine, cosine, angle } => {
                let ty = self.scalar(*angle)?;
                if !matches!(ty, PrimType::F32 | PrimType::F64) {
                    return self.fail(format!("sine_cosine does not take {ty}"));
                }
                self.bind_scalar(*sine, ty)?;
                self.bind_scalar(*cosine, ty)
            }
            Stm::View(var) => self.view(*var),
            Stm::Alloc { block, count } => self.alloc(*block, *count),
            Stm::Constants { block, values } => self.constants(*block, values),
            Stm::Load { var, array, indices } => {
                let elem = self.element(*array, indices)?;
                if L::NAME == LevelName::Workgroup && self.combined.contains(&self.array(*array)?.block) {
                    return self.fail(format!(
                        "a workgroup loads from {}, into which its threads combine",
                        self.show(*array)
                    ));
                }
                self.bind_scalar(*var, elem)
            }
            Stm::Store { array, indices, value } => {
                let elem = self.element(*array, indices)?;
                if L::NAME == LevelName::Host && !self.target.host_elements {
                    return self.fail(format!("the host cannot store into {}", self.show(*array)));
                }
                self.writable(*array)?;
                self.expect_scalar(*value, elem, "a stored value")
            }
            Stm::Combine { array, indices, op, value } => {
                let elem = self.element(*array, indices)?;
                self.can_combine(*array, *op, elem)?;
                self.expect_scalar(*value, elem, "a combined value")
            }
            Stm::Copy { to, from } => self.copy(*to, *from),
            Stm::If { binders, cond, then, otherwise } => {
                self.expect_scalar(*cond, PrimType::Bool, "a condition")?;
                let then = self.body(then)?;
                let otherwise = self.body(otherwise)?;
                for (number, types) in [then, otherwise].iter().enumerate() {
                    self.expect_types(types, binders, "a branch")
                        .map_err(|error| error.in_results(number))?;
                }
                self.flow(binders)
            }
            Stm::Loop { binders, params, form, body } => self.loop_stm(binders, params, form, body),
            Stm::Assert { cond, message, args } => {
                self.expect_scalar(*cond, PrimType::Bool, "an asserted condition")?;
                let Some(message) = self.program.messages.get(*message) else {
                    return self.fail(format!("there is no {message}"));
                };
                let stated: Vec<_> = message
                    .parts
                    .iter()
                    .filter_map(|part| match part {
                        MessagePart::Value(ty) => Some(*ty),
                        MessagePart::Text(_) => None,
                    })
                    .collect();
                if stated.len() != args.len() {
                    return self.fail("an assertion and its message have different numbers of arguments");
                }
                args.iter().zip(stated).try_for_each(|(&arg, ty)| self.expect_scalar(arg, ty, "an argument"))
            }
            Stm::Trace { .. } if L::NAME != LevelName::Host => self.fail("a trace inside of a thread"),
            Stm::Trace { trace, args } => {
                let types = args.iter().map(|&arg| self.atom(arg)).collect::<Checked<Vec<_>>>()?;
                self.values(args, types, &trace.values).map(|_| ())
            }
            Stm::Choose { .. } if L::NAME != LevelName::Host => {
                self.fail("a choice of versions inside of a thread")
            }
            Stm::Choose { cond, .. } => self.expect_scalar(*cond, PrimType::Bool, "a condition"),
            Stm::Call { binders, function, args, site } => {
                if let Some(site) = *site
                    && self.program.messages.get(site).is_none_or(|message| !message.parts.is_empty())
                {
                    return self
                        .fail(format!("{site} is the place of a call, but has a text or does not exist"));
                }
                self.call::<L>(binders, *function, args)
            }
            Stm::Segment(segment) => match L::segment(segment) {
                AnySegment::Grid(segment) => self.grid_segment(segment),
                AnySegment::Inner(segment) => self.inner_segment(segment),
            },
        }
    }

    /// Checks that the body of a workgroup may hold the statement.
    fn belongs_to_blocks<L: Level>(&self, stm: &Stm<L>) -> Checked {
        let what = match stm {
            Stm::Store { .. } => "a store",
            Stm::Combine { .. } => "a combination",
            Stm::Copy { .. } => "a copy",
            Stm::Constants { .. } => "constants",
            Stm::Trace { .. } => "a trace",
            Stm::Choose { .. } => "a choice of versions",
            Stm::Call { .. } => "a call",
            Stm::Let { exp: ScalarExp::PrivateLimit(_), .. } => "`private_limit`",
            Stm::Let { exp: ScalarExp::Param(..), .. } => "a tuning parameter",
            Stm::Let { .. }
            | Stm::SineCosine { .. }
            | Stm::View(_)
            | Stm::Alloc { .. }
            | Stm::Load { .. }
            | Stm::If { .. }
            | Stm::Loop { .. }
            | Stm::Assert { .. }
            | Stm::Segment(_) => return Ok(()),
        };
        self.fail(format!("{what} at workgroup level"))
    }

    fn view(&mut self, var: Var) -> Checked {
        let Some(Type::Array(view)) = self.vars.get(var).map(|info| &info.ty) else {
            return self.fail(format!("{} is not an array", self.show(var)));
        };
        match self.var(view.block)? {
            Type::Block(block) if block.elem == view.elem => (),
            _ => {
                return self.fail(format!(
                    "{} is not a memory block of {}",
                    self.show(view.block),
                    view.elem
                ));
            }
        }
        if view.shape.len() != view.strides.len() {
            return self.fail(format!("{} has different numbers of strides and sizes", self.show(var)));
        }
        self.positions(&view.shape, "a size")?;
        self.positions(&[view.offset], "an offset")?;
        self.positions(&view.strides, "a stride")?;
        self.bind(var).map(|_| ())
    }

    fn alloc(&mut self, block: Var, count: Atom) -> Checked {
        self.expect_scalar(count, PrimType::I64, "a count")?;
        let Type::Block(ty) = self.bind(block)? else {
            return self.fail(format!("{} is not a memory block", self.show(block)));
        };
        let what = match (ty.space, self.level, count) {
            (Space::Workgroup, LevelName::Workgroup, _) => return self.workgroup_block(block, *ty, count),
            (Space::Workgroup, ..) => "workgroup memory outside of a workgroup",
            (Space::Device, LevelName::Workgroup, _) => "device memory inside of a workgroup",
            (Space::Device, LevelName::Thread, _) if !self.target.thread_allocation => {
                "a thread cannot allocate device memory"
            }
            (Space::Private, LevelName::Host | LevelName::Workgroup, _) => {
                "private memory outside of a thread"
            }
            (Space::Private, _, Atom::Var(_)) => "private memory of a size that is not a constant",
            (Space::Private, _, Atom::Const(count))
                if count.as_i64().is_none_or(|count| count > self.target.private_capacity) =>
            {
                "more private memory than the target has"
            }
            _ => return Ok(()),
        };
        self.fail(format!("{}: {what}", self.show(block)))
    }

    /// Checks the size of a memory block in workgroup memory, and that all of them fit.
    fn workgroup_block(&mut self, block: Var, ty: BlockType, count: Atom) -> Checked {
        let what = match (self.target.workgroup_bytes, count) {
            (None, Atom::Var(count)) if !self.scope[..self.outside].contains(&count) => {
                "workgroup memory of a size that is not known before the segment"
            }
            (None, _) => return Ok(()),
            (Some(_), Atom::Var(_)) => "workgroup memory of a size that is not a constant",
            (Some(most), Atom::Const(count)) => {
                let count =
                    count.as_i64().and_then(|count| u32::try_from(count).ok()).map_or(i64::MAX, i64::from);
                let bytes = count.saturating_mul(ty.workgroup_bytes());
                self.workgroup_bytes = self.workgroup_bytes.saturating_add(bytes);
                if self.workgroup_bytes <= most {
                    return Ok(());
                }
                "more workgroup memory than the target has"
            }
        };
        self.fail(format!("{}: {what}", self.show(block)))
    }

    fn constants(&mut self, block: Var, values: &[PrimValue]) -> Checked {
        let Type::Block(ty) = self.bind(block)? else {
            return self.fail(format!("{} is not a memory block", self.show(block)));
        };
        self.constants.insert(block);
        let what = match () {
            () if self.level != LevelName::Host => "constants inside of a thread",
            () if ty.space != Space::Device => "constants outside of device memory",
            () if values.iter().any(|value| value.ty() != ty.elem) => "constants of another type",
            () => return Ok(()),
        };
        self.fail(format!("{}: {what}", self.show(block)))
    }

    /// Checks that the block of an array is not a block of constants.
    pub(super) fn writable(&self, array: Var) -> Checked {
        if self.constants.contains(&self.array(array)?.block) {
            return self.fail(format!("{} is constant", self.show(array)));
        }
        Ok(())
    }

    /// Checks an array with indices. Returns the type of the element.
    fn element(&self, array: Var, indices: &[Atom]) -> Checked<PrimType> {
        let view = self.array(array)?;
        if indices.len() != view.shape.len() {
            return self.fail(format!("{} indices for {}", indices.len(), self.show(array)));
        }
        self.positions(indices, "an index")?;
        Ok(view.elem)
    }

    /// Checks that threads can combine into elements of this type in one step. Only threads of inner segments see
    /// workgroup memory.
    fn can_combine(&self, array: Var, op: BinOp, elem: PrimType) -> Checked {
        let block = self.array(array)?.block;
        let in_workgroup = matches!(self.var(block)?, Type::Block(ty) if ty.space == Space::Workgroup);
        let what = match () {
            () if self.target.histogram_passes == 0 => "the threads of the target combine nothing",
            () if !in_workgroup => "threads combine only in workgroup memory",
            () if !is_atomic(op, elem) => "threads do not combine by this operator in one step",
            () => return Ok(()),
        };
        self.fail(format!("{}: {what}", self.show(array)))
    }

    fn copy(&self, to: Var, from: Var) -> Checked {
        let (target, source) = (self.array(to)?, self.array(from)?);
        self.writable(to)?;
        if target.elem != source.elem || target.shape.len() != source.shape.len() {
            return self.fail(format!("{} and {} do not match", self.show(to), self.show(from)));
        }
        for (array, view) in [(to, target), (from, source)] {
            if self.level == LevelName::Host && !self.products.contiguous(view) {
                return self.fail(format!("the host cannot copy {}: it is not contiguous", self.show(array)));
            }
        }
        Ok(())
    }

    fn loop_stm<L: Level>(
        &mut self,
        binders: &[Var],
        params: &[(Var, Atom)],
        form: &LoopForm,
        body: &Body<L>,
    ) -> Checked {
        let inits = params.iter().map(|&(_, init)| self.atom(init)).collect::<Checked<Vec<_>>>()?;
        let vars: Vec<Var> = params.iter().map(|&(var, _)| var).collect();
        self.expect_types(&inits, &vars, "a merge parameter")?;
        let length = self.scope.len();
        if let LoopForm::For { index, bound, .. } = *form {
            let ty = self.scalar(bound)?;
            if !ty.is_integer() {
                return self.fail("a loop bound that is not an integer");
            }
            self.bind_scalar(index, ty)?;
        }
        self.flow(&vars)?;
        if let LoopForm::While(cond) = *form {
            self.expect_scalar(Atom::Var(cond), PrimType::Bool, "a loop condition")?;
            if !vars.contains(&cond) {
                return self.fail(format!("{} is not a merge parameter", self.show(cond)));
            }
        }
        let types = self.body(body)?;
        self.leave(length);
        self.of_results(self.expect_types(&types, &vars, "a loop body"))?;
        self.expect_types(&inits, binders, "a loop")?;
        self.flow(binders)
    }

    /// Binds the results of a branch or a call, or the merge parameters of a loop.
    pub(super) fn flow(&mut self, binders: &[Var]) -> Checked {
        for &var in binders {
            let Type::Block(block) = *self.bind(var)? else { continue };
            if block.space == Space::Workgroup {
                let name = self.show(var);
                return self.fail(format!("{name}: a branch, loop or call cannot return workgroup memory"));
            }
            let flows = match self.level {
                LevelName::Host => true,
                LevelName::Workgroup => false,
                LevelName::Thread => self.target.thread_allocation,
            };
            if !flows {
                let (name, level) = (self.show(var), self.level);
                return self
                    .fail(format!("{name}: at {level} level a branch, loop or call cannot return memory"));
            }
        }
        Ok(())
    }

    fn bind_scalar(&mut self, var: Var, ty: PrimType) -> Checked {
        match self.bind(var)? {
            Type::Scalar(stated) if *stated == ty => Ok(()),
            stated => self.fail(format!("{} is {ty}, not {stated}", self.show(var))),
        }
    }

    /// Checks that the binders have these types, in number and order.
    pub(super) fn expect_types(&self, types: &[Type], binders: &[Var], what: &str) -> Checked {
        if types.len() != binders.len() {
            return self.fail(format!("{what}: {} values for {} variables", types.len(), binders.len()));
        }
        for (ty, &binder) in types.iter().zip(binders) {
            if self.vars.get(binder).is_none_or(|info| info.ty != *ty) {
                return self.fail(format!("{what}: {} gets a value of type {ty}", self.show(binder)));
            }
        }
        Ok(())
    }

    /// The type of a scalar expression.
    fn exp(&self, exp: &ScalarExp) -> Checked<PrimType> {
        let types = exp.operands().into_iter().map(|a| self.scalar(a)).collect::<Checked<Vec<_>>>()?;
        let (result, name) = match (exp, &types[..]) {
            (ScalarExp::Atom(_), &[a]) => (Some(a), "a value"),
            (ScalarExp::Unary(op, _), &[a]) => (op.takes(a).then(|| op.result(a)), op.name()),
            (ScalarExp::Binary(op, ..), &[a, b]) => ((a == b && op.takes(a)).then_some(a), op.name()),
            (ScalarExp::Compare(op, ..), &[a, b]) => {
                ((a == b && op.takes(a)).then_some(PrimType::Bool), op.name())
            }
            (ScalarExp::Convert(ty, _), _) => (Some(*ty), "a conversion"),
            (ScalarExp::Select(..), &[PrimType::Bool, a, b]) => ((a == b).then_some(a), "select"),
            (ScalarExp::PrivateLimit(_), _) if self.level != LevelName::Host => {
                return self.fail("`private_limit` outside of host code");
            }
            (ScalarExp::PrivateLimit(_), &[a]) => ((a == PrimType::I64).then_some(a), "private_limit"),
            (ScalarExp::Param(..), _) if self.level == LevelName::Thread && !self.target.calls => {
                return self.fail("a thread reads a tuning parameter");
            }
            (ScalarExp::Param(..), _) => (Some(PrimType::I64), "param"),
            _ => (None, "select"),
        };
        match result {
            Some(ty) => Ok(ty),
            None => {
                let types: Vec<_> = types.iter().map(ToString::to_string).collect();
                self.fail(format!("{name} does not take {}", types.join(", ")))
            }
        }
    }
}
