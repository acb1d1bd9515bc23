//! The division of the rows of a reduction or scan among the threads of a workgroup.
//!
//! A *row* is the points with the same outer counters. A *team* of threads combines it: each thread combines the values of
//! neighbouring points, and then the team combines the results.

use ravel_prim::PrimValue;

use crate::{Atom, InnerSegment, SegmentKind};

/// The maximum number of points whose values a thread holds. They are in registers.
const MOST_HELD: u64 = 4;

/// How many of `width` threads combine each of `rows` rows of `n` points. It doubles while a team has fewer threads than a row
/// has points, and all rows still have a team.
pub fn team_size(rows: u64, n: u64, width: u64) -> u64 {
    let mut team = 1;
    while team < width && team < n && rows <= width / (2 * team) {
        team *= 2;
    }
    team
}

impl InnerSegment {
    /// How many values the threads of teams *hold*: each thread runs its points of a row once, and keeps their values until it
    /// combines them. So neighbouring threads can take neighbouring points, and then pass the values on to the threads that
    /// combine them, and a scan need not run its points a second time. `None` if they hold none: the sizes are not constants,
    /// a thread has too many points, or it would gain nothing.
    pub fn held_values(&self, width: u32) -> Option<u32> {
        let sizes: Option<Vec<u64>> = self.space.iter().map(|&(_, size)| constant(size)).collect();
        let sizes = sizes?;
        let (&n, outer) = sizes.split_last()?;
        let rows = outer.iter().try_fold(1u64, |rows, &size| rows.checked_mul(size))?;
        let team = team_size(rows, n, width.into());
        let held = n.div_ceil(team);
        let pays = match &self.kind {
            SegmentKind::Map => false,
            SegmentKind::Scan(..) => true,
            SegmentKind::Reduce(combiners) => held > 1 && !combiners.iter().all(|one| one.commutative),
        };
        (pays && team > 1 && held <= MOST_HELD).then_some(held as u32)
    }
}

/// The size, if it is a constant.
fn constant(size: Atom) -> Option<u64> {
    match size {
        Atom::Const(PrimValue::I64(size)) => u64::try_from(size).ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::{Points, Stm, parse};

    /// The number of values that 256 threads hold, in a segment of this kind over this space.
    fn held(kind: &str, space: &str, flags: &str) -> Option<u32> {
        let outs = if kind == "reduce" { "[n, m]" } else { "[n, m, k]" };
        let text = format!(
            "entry \"main\" [n, m, k] (\"xs\" xs_: block i32 [n, m, k]) -> () {{
  view xs: i32 [n, m, k] = xs_ + 0i64 * [1i64, 1i64, 1i64]
  view ys: i32 {outs} = xs_ + 0i64 * {outs}
  segment blocks (g < 1i64) chunk 1i64 {{
    segment {kind} ({space}) {{
      yield 1i32
    }} combine (a: i32) (b: i32) neutral (0i32) into (ys) {flags} {{
      let c: i32 = add(a, b)
      yield c
    }}
  }}
}}"
        );
        let program = parse(&text).expect("a program");
        let segment = program.entries[0].body.stms.iter().find_map(|step| match &step.stm {
            Stm::Segment(segment) => Some(segment),
            _ => None,
        });
        let Some(Points::Workgroups(body)) = segment.map(|segment| &segment.points) else {
            panic!("no workgroups")
        };
        let Some(Stm::Segment(inner)) = body.stms.last().map(|step| &step.stm) else { panic!("no segment") };
        inner.held_values(256)
    }

    #[test]
    fn a_thread_holds_few_values_of_rows_of_constant_size() {
        assert_eq!(held("scan", "i < 512i64", ""), Some(2));
        assert_eq!(held("scan", "i < 1024i64", ""), Some(4));
        assert_eq!(held("scan", "i < 1025i64", ""), None);
        assert_eq!(held("scan", "i < 2i64", ""), Some(1));
        // One thread takes a row of one point.
        assert_eq!(held("scan", "i < 1i64", ""), None);
        assert_eq!(held("scan", "i < k", ""), None);
    }

    #[test]
    fn all_rows_have_teams() {
        assert_eq!(held("scan", "i < 64i64, j < 8i64", ""), Some(2));
        assert_eq!(held("scan", "i < 128i64, j < 8i64", ""), Some(4));
        // One thread takes each row.
        assert_eq!(held("scan", "i < 129i64, j < 8i64", ""), None);
        assert_eq!(held("scan", "i < n, j < 8i64", ""), None);
    }

    #[test]
    fn a_reduction_gains_only_if_its_threads_take_neighbours() {
        assert_eq!(held("reduce", "i < 512i64", ""), Some(2));
        assert_eq!(held("reduce", "i < 512i64", "commutative"), None);
        assert_eq!(held("reduce", "i < 256i64", ""), None);
    }
}
