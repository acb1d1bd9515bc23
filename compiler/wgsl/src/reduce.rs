//! Reductions.
//!
//! Each workgroup combines the points of its stretch ([`crate::stretch`]). If there is one workgroup, it stores the
//! result. Otherwise each workgroup stores a *partial* result, and a second kernel, of one workgroup, reduces these: its
//! points are the partial results. If there are no points there is still one workgroup, whose value is the neutral element.

use ravel_abi::plan::{Body, Slot, Step};
use ravel_base::Diagnostic;
use ravel_kernel::{Combiner, Tile};
use ravel_prim::{BinOp, CmpOp, PrimType};

use crate::exchange::Status;
use crate::host::{HostBuilder, Kernels, i64_operand};
use crate::kernel::Kernel;
use crate::segment::{Segment, main};
use crate::shader::{Block, Exp};
use crate::stretch::{Division, Stretches, Tiles};
use crate::values::Values;

pub(crate) fn compile(
    segment: &Segment,
    combiners: &[Combiner],
    kernels: &mut Kernels,
    host: &mut HostBuilder,
) -> Result<(), Diagnostic> {
    let (n, chunk) = segment.size_and_chunk()?;
    let types = Values::types(segment.vars, combiners);
    let commutes = combiners.iter().all(|combiner| combiner.commutative);
    let tile = (!commutes).then(|| segment.target.tile(Values::bytes(&types)));
    let width = match tile {
        Some(Tile { threads, .. }) => threads,
        None => segment.target.combining_threads(Values::bytes(&types), 0),
    };
    let division = Division::of(host, n, chunk, width);
    let groups = host.binary(BinOp::Max, division.groups, i64_operand(1));
    let partials: Vec<Slot> = types.iter().map(|&ty| host.alloc(ty, groups)).collect();

    let mut kernel = segment.kernel("", width);
    let values = Values::declare(&mut kernel, None, combiners)?;
    let point = values.point(&mut kernel, segment)?;
    let put = values.scratch_put(&mut kernel, "partial", &partials);
    let finish = values.finish(&mut kernel, combiners, &[])?;
    let count = host.convert(PrimType::U32, groups);
    let single = kernel.param("groups", PrimType::U32, count).equals(1);
    let stretches = Stretches::declare(&mut kernel, host, &values, point, division);
    let tiles = tile.map(|tile| stretches.tiles(&mut kernel, host, division, tile));
    build(&mut kernel, &stretches, tiles.as_ref(), |body, group, total| {
        body.branch(
            single,
            Block::new(|body| body.run(finish.call([total.clone()]))),
            Block::new(|body| body.run(put.call([group.clone(), total.clone()]))),
        );
    });
    kernels.launch(kernel, vec![groups], i64_operand(1), host);

    let many = host.compare(CmpOp::Lt, i64_operand(1), groups);
    let mut inner = host.nested();
    let division = Division::single(&mut inner, groups, width);
    let mut kernel = segment.kernel("_partials", width);
    let values = Values::declare(&mut kernel, None, combiners)?;
    let get = values.scratch_get(&mut kernel, "partial", &partials);
    let point = values.point_of(&mut kernel, &get)?;
    let finish = values.finish(&mut kernel, combiners, &[])?;
    let stretches = Stretches::declare(&mut kernel, &mut inner, &values, point, division);
    let tiles = tile.map(|tile| stretches.tiles(&mut kernel, &mut inner, division, tile));
    build(&mut kernel, &stretches, tiles.as_ref(), |body, _, total| body.run(finish.call([total.clone()])));
    kernels.launch(kernel, vec![division.groups], i64_operand(1), &mut inner);
    let then = host.join(inner, vec![]);
    host.step(Step::If { binders: vec![], cond: many, then, otherwise: Body::default() });
    Ok(())
}

/// Builds the entry point, in which each workgroup combines its stretch. `store` adds the statements of the first thread,
/// from the number of the workgroup and the combined value.
pub(crate) fn build(
    kernel: &mut Kernel,
    stretches: &Stretches,
    tiles: Option<&Tiles>,
    store: impl FnOnce(&mut Block, &Exp, &Exp),
) {
    let status = Status::declare(kernel);
    main(kernel, |body, group, lane| {
        status.begin(body, lane);
        let stretch = stretches.of_group(body, [group, lane]);
        let total = stretch.total(body, tiles);
        body.when(lane.equals(0), |body| store(body, group, &total));
    });
}
