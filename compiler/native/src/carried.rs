//! The scalars that a scan carries from point to point while it computes prefixes.
//!
//! An operator may combine scalars that no prefix needs. An example is a segmented scan, which combines pairs of a flag and a
//! value. The flag on the left side of a pair says whether a segment begins before; only the combination of chunks needs it, since a
//! prefix of values does not depend on it. So the loop over the points of a chunk carries the neutral element instead of such a scalar.

use ravel_base::id::Id;
use ravel_kernel::{Combiner, Finish, VarTable, needed_by};

/// For each scalar of the state of a scan, whether later points need it.
pub(crate) fn carried(combiners: &[Combiner], finish: Option<&Finish>, vars: &VarTable) -> Vec<bool> {
    let used = finish.map(|finish| needed_by(&finish.body, &[], vars));
    let mut prefixes = finish.iter().flat_map(|finish| &finish.prefixes);
    let mut all = Vec::new();
    for combiner in combiners {
        let outputs = combiner.left.iter().map(|_| match (&used, prefixes.next()) {
            (Some(used), Some(prefix)) => used[prefix.index()],
            _ => true,
        });
        let outputs: Vec<bool> = outputs.collect();
        all.extend(carried_by(combiner, &outputs, vars));
    }
    all
}

/// The same for one operator. At each point, the code after the scan uses the results for which `outputs` has true.
fn carried_by(combiner: &Combiner, outputs: &[bool], vars: &VarTable) -> Vec<bool> {
    let mut carried = vec![false; outputs.len()];
    loop {
        let results: Vec<bool> =
            outputs.iter().zip(&carried).map(|(&output, &carried)| output || carried).collect();
        let needed = needed_by(&combiner.body, &results, vars);
        let next: Vec<bool> = combiner.left.iter().map(|left| needed[left.index()]).collect();
        if next == carried {
            return carried;
        }
        carried = next;
    }
}
