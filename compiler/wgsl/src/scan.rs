//! Scans: reduce, then scan.
//!
//! If there are several workgroups, the first kernel combines the points of each workgroup's stretch
//! ([`crate::stretch`]), and the second kernel, of one workgroup, scans these sums. The last kernel traverses the points
//! again; each workgroup begins with the combined value of all stretches before its own. It stores the scanned values, or runs
//! the code that takes them.

use ravel_abi::plan::{Body, Slot, Step};
use ravel_base::Diagnostic;
use ravel_kernel::{Combiner, Finish};
use ravel_prim::{CmpOp, PrimType};

use crate::exchange::Status;
use crate::host::{HostBuilder, Kernels, i64_operand};
use crate::kernel::Kernel;
use crate::reduce;
use crate::segment::{Segment, main};
use crate::shader::{Block, Exp};
use crate::stretch::{Division, Stretch, Stretches};
use crate::values::{Values, index};

pub(crate) fn compile(
    segment: &Segment,
    (combiners, finish): (&[Combiner], Option<&Finish>),
    kernels: &mut Kernels,
    host: &mut HostBuilder,
) -> Result<(), Diagnostic> {
    let (n, chunk) = segment.size_and_chunk()?;
    let types = Values::types(segment.vars, combiners);
    let tile = segment.target.tile(Values::bytes(&types));
    let width = tile.threads;
    let division = Division::of(host, n, chunk, width);
    let mut blocks = || types.iter().map(|&ty| host.alloc(ty, division.groups)).collect::<Vec<Slot>>();
    // For each workgroup, its combined value, and the combined value of the workgroups up to it.
    let (sums, offsets) = (blocks(), blocks());

    let many = host.compare(CmpOp::Lt, i64_operand(1), division.groups);
    let mut inner = host.nested();
    let mut kernel = segment.kernel("_sums", width);
    let values = Values::declare(&mut kernel, None, combiners)?;
    let point = values.point(&mut kernel, segment)?;
    let put = values.scratch_put(&mut kernel, "sum", &sums);
    let stretches = Stretches::declare(&mut kernel, &mut inner, &values, point, division);
    let tiles = stretches.tiles(&mut kernel, &mut inner, division, tile);
    reduce::build(&mut kernel, &stretches, Some(&tiles), |body, group, total| {
        body.run(put.call([group.clone(), total.clone()]));
    });
    kernels.launch(kernel, vec![division.groups], i64_operand(1), &mut inner);

    let single = Division::single(&mut inner, division.groups, width);
    let mut kernel = segment.kernel("_offsets", width);
    let values = Values::declare(&mut kernel, None, combiners)?;
    let get = values.scratch_get(&mut kernel, "sum", &sums);
    let point = values.point_of(&mut kernel, &get)?;
    let put = values.scratch_put(&mut kernel, "offset", &offsets);
    let stretches = Stretches::declare(&mut kernel, &mut inner, &values, point, single);
    let tiles = stretches.tiles(&mut kernel, &mut inner, single, tile);
    build(&mut kernel, &stretches, |body, _, stretch| {
        stretch.scan(body, &tiles, values.neutral.call([]), |body, i, sum| {
            body.run(put.call([i.convert(PrimType::U32), sum]))
        });
    });
    kernels.launch(kernel, vec![single.groups], i64_operand(1), &mut inner);
    let then = host.join(inner, vec![]);
    host.step(Step::If { binders: vec![], cond: many, then, otherwise: Body::default() });

    let mut kernel = segment.kernel("", width);
    let values = Values::declare(&mut kernel, None, combiners)?;
    let point = values.point(&mut kernel, segment)?;
    let get = values.scratch_get(&mut kernel, "offset", &offsets);
    let finish = match finish {
        Some(finish) => values.continuation(&mut kernel, segment, finish)?,
        None => values.finish(&mut kernel, combiners, &[index()])?,
    };
    let stretches = Stretches::declare(&mut kernel, host, &values, point, division);
    let tiles = stretches.tiles(&mut kernel, host, division, tile);
    build(&mut kernel, &stretches, |body, group, stretch| {
        let before = body.var("before", values.neutral.call([]));
        body.when(group.gt(0), |body| body.assign(&before, get.call([group - 1])));
        stretch.scan(body, &tiles, before, |body, i, sum| body.run(finish.call([i, sum])));
    });
    kernels.launch(kernel, vec![division.groups], i64_operand(1), host);
    Ok(())
}

/// Builds the entry point, in which each workgroup scans its stretch by the code that `scan` adds, from the number of the
/// workgroup.
fn build(kernel: &mut Kernel, stretches: &Stretches, scan: impl FnOnce(&mut Block, &Exp, &Stretch)) {
    let status = Status::declare(kernel);
    main(kernel, |body, group, lane| {
        status.begin(body, lane);
        let stretch = stretches.of_group(body, [group, lane]);
        scan(body, group, &stretch);
    });
}
