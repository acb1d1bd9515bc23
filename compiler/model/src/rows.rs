//! Reductions and scans of several rows.
//!
//! Only programs for a CPU have them: on a GPU, workgroups combine the rows. So the launches here are those of no device.
//! The first launch folds the points of each thread, which are consecutive. In a scan, a second launch runs the points
//! again; each thread begins with the values of the threads of its row before it.

use ravel_abi::DeviceLimitation;
use ravel_kernel::*;

use crate::machine::{Lanes, Machine, Run};
use crate::segment::{Grid, Threads, count, gather, indices, of_lane};

/// The values of each combiner.
type Combined = Vec<Vec<Lanes>>;

impl<'a> Machine<'a> {
    /// Reduces or scans along the innermost dimension.
    pub fn combine_rows(
        &mut self,
        threads: Threads<'a>,
        shape: &[i64],
        grid: Grid,
        combiners: &'a [Combiner],
        scans: bool,
    ) -> Run {
        let outer = &shape[..shape.len().saturating_sub(1)];
        let rows = count(outer, 1).ok_or_else(|| DeviceLimitation::LargeOperation.failure())?;
        let neutral = self.neutral(combiners)?;
        let folded = self.fold_chunks(threads, shape, grid, combiners, &neutral)?;
        if self.failed.is_some() {
            return Ok(());
        }
        // A row without points has no parts, and so no results to combine.
        let mut folded = folded.chunks(grid.parts().max(1));
        if scans {
            self.end_launch();
            let mut starts = Vec::new();
            for row in folded {
                starts.extend(self.row_prefixes(combiners, &neutral, row)?.0);
            }
            return self.spread_rows(threads, shape, grid, combiners, &starts);
        }
        for row in 0..rows {
            let (_, total) = self.row_prefixes(combiners, &neutral, folded.next().unwrap_or_default())?;
            self.keep(combiners, &total, &vec![true], &|_| indices(outer, row))?;
        }
        Ok(())
    }

    /// Folds the points of each thread.
    fn fold_chunks(
        &mut self,
        threads: Threads<'a>,
        shape: &[i64],
        grid: Grid,
        combiners: &'a [Combiner],
        neutral: &Combined,
    ) -> Run<Vec<Combined>> {
        let mut chunks = vec![neutral.clone(); grid.threads()];
        self.counts.longest += self.subgroups(grid, |machine, first| {
            let mut folded = neutral.clone();
            machine.rounds(threads, shape, grid, first, &mut |machine, mask, results| {
                folded = machine.fold(combiners, &folded, results, mask)?;
                Ok(())
            })?;
            for (lane, chunk) in chunks.iter_mut().skip(first).take(machine.dead.len()).enumerate() {
                *chunk = folded
                    .iter()
                    .map(|values| values.iter().map(|value| of_lane(value, lane)).collect())
                    .collect();
            }
            Ok(())
        })?;
        Ok(chunks)
    }

    /// For each thread that shares a row, the combined value of the threads before it; and the combined value of the row.
    fn row_prefixes(
        &mut self,
        combiners: &'a [Combiner],
        neutral: &Combined,
        chunks: &[Combined],
    ) -> Run<(Vec<Combined>, Combined)> {
        (self.points, self.dead) = (vec![None], vec![false]);
        let mut before = neutral.clone();
        let mut starts = Vec::with_capacity(chunks.len());
        for chunk in chunks {
            let next = self.fold(combiners, &before, chunk.concat(), &vec![true])?;
            starts.push(std::mem::replace(&mut before, next));
        }
        Ok((starts, before))
    }

    /// Runs the points of a scan again. Each thread begins with the combined value of the threads before it.
    fn spread_rows(
        &mut self,
        threads: Threads<'a>,
        shape: &[i64],
        grid: Grid,
        combiners: &'a [Combiner],
        starts: &[Combined],
    ) -> Run {
        self.counts.longest += self.subgroups(grid, |machine, first| {
            let lanes = machine.dead.len();
            let mut folded = gather(starts, first, lanes);
            machine.rounds(threads, shape, grid, first, &mut |machine, mask, results| {
                folded = machine.fold(combiners, &folded, results, mask)?;
                let at = machine.points.clone();
                machine.keep(combiners, &folded, mask, &|lane| {
                    at[lane].map(|point| indices(shape, point)).unwrap_or_default()
                })
            })
        })?;
        Ok(())
    }
}
