//! Bins: workgroups that compute many points of an irregular nest together.

use crate::{Trace, Value};

/// How full the bins of a nest were, and how much of the work of their lanes was idle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BinCounts {
    /// The nest, such as `main.bins0`.
    pub nest: String,
    /// The place in the source.
    pub place: Option<String>,
    /// The number of lanes of a bin.
    pub lanes: u64,
    /// The number of bins.
    pub bins: u64,
    /// The number of their lanes that have a point.
    pub filled: u64,
    /// The rounds of all lanes, and how many of them are idle: no point is there, or it has finished. `None` if the number of
    /// rounds of a point is not known before the bins run.
    pub rounds: Option<[u64; 2]>,
    /// The number of points that fit no bin.
    pub others: u64,
}

impl BinCounts {
    /// The counts of the bins that a trace shows: the first point of each bin, the number of lanes of a bin, the widths of the points
    /// and, if it is known, the number of rounds of each point or of all points. A point that fits no bin has a bin of its own, and a
    /// width that is more than a bin's number of lanes. `None` if these are other values.
    pub fn of(trace: &Trace, values: &[Value]) -> Option<BinCounts> {
        let [firsts, lanes, widths, heights @ ..] = values else { return None };
        let (lanes, firsts, widths) =
            (lanes.scalar::<i64>()?, firsts.elements::<i64>()?, widths.elements::<i64>()?);
        let height = |point: usize| match heights {
            [all @ Value::Scalar(_)] => all.scalar::<i64>(),
            [each] => each.elements::<i64>()?.get(point).copied(),
            _ => None,
        };
        let (place, all) = (trace.place.clone(), u64::try_from(lanes).ok()?);
        let none = BinCounts {
            nest: trace.label.clone(),
            place,
            lanes: all,
            bins: 0,
            filled: 0,
            rounds: None,
            others: 0,
        };
        let (mut counts, mut rounds) = (none, (!heights.is_empty()).then_some([0_u64; 2]));
        let ends = firsts.iter().skip(1).copied().chain([i64::try_from(widths.len()).ok()?]);
        for (&first, end) in firsts.iter().zip(ends) {
            let points = usize::try_from(first).ok()?..usize::try_from(end).ok()?;
            let own = widths.get(points.clone())?;
            if own.iter().any(|&width| width > lanes) {
                counts.others += own.len() as u64;
                continue;
            }
            counts.bins += 1;
            counts.filled += own.iter().map(|&width| u64::try_from(width).unwrap_or(0)).sum::<u64>();
            if let Some([every, idle]) = &mut rounds {
                let (mut tallest, mut busy) = (0_u64, 0_u64);
                for (point, &width) in points.zip(own) {
                    let height = u64::try_from(height(point)?).unwrap_or(0);
                    tallest = tallest.max(height);
                    busy = busy.saturating_add(height.saturating_mul(u64::try_from(width).unwrap_or(0)));
                }
                let here = tallest.saturating_mul(all);
                *every = every.saturating_add(here);
                *idle = idle.saturating_add(here.saturating_sub(busy));
            }
        }
        counts.rounds = rounds;
        Some(counts)
    }

    /// Adds these counts to those of the same nest, or to the list.
    pub fn add_to(self, all: &mut Vec<BinCounts>) {
        let same = |known: &&mut BinCounts| known.nest == self.nest && known.place == self.place;
        match all.iter_mut().find(same) {
            None => all.push(self),
            Some(known) => {
                known.bins += self.bins;
                known.filled += self.filled;
                known.others += self.others;
                known.rounds = known.rounds.zip(self.rounds).map(|(known, more)| {
                    [known[0].saturating_add(more[0]), known[1].saturating_add(more[1])]
                });
            }
        }
    }

    /// As text, such as `bins 2, lanes 374 of 1024 (36.5 %), idle lane rounds 1923 of 3584 (53.7 %), points in no bin 1 (a.dsl:1:2-9)`.
    pub fn text(&self) -> String {
        let part = |part: u64, all: u64| {
            let percent = if all == 0 { 0.0 } else { part as f64 / all as f64 * 100.0 };
            format!("{part} of {all} ({percent:.1} %)")
        };
        let lanes = part(self.filled, self.bins.saturating_mul(self.lanes));
        let idle = self
            .rounds
            .map_or_else(String::new, |[all, idle]| format!(", idle lane rounds {}", part(idle, all)));
        let place = self.place.as_ref().map_or_else(String::new, |place| format!(" ({place})"));
        format!("bins {}, lanes {lanes}{idle}, points in no bin {}{place}", self.bins, self.others)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::TraceKind;

    fn counts(values: &[Value]) -> Option<BinCounts> {
        let trace =
            Trace { label: "f.bins0".to_owned(), place: None, kind: TraceKind::Bins, values: Vec::new() };
        BinCounts::of(&trace, values)
    }

    #[test]
    fn lanes_without_a_point_and_lanes_of_finished_points_are_idle() {
        // Two bins of 8 lanes, between them a point that fits none.
        let (firsts, widths) = (Value::from(&[0_i64, 2, 3][..]), Value::from(&[3_i64, 4, 9, 2][..]));
        let heights = Value::from(&[1_i64, 5, 0, -1][..]);
        let lanes = Value::from(8_i64);
        let known = counts(&[firsts.clone(), lanes.clone(), widths.clone(), heights]).expect("counts");
        // Five rounds of 8 lanes, of which 3 + 4 * 5 have work; and none.
        assert_eq!(known.rounds, Some([40, 17]));
        assert_eq!(
            known.text(),
            "bins 2, lanes 9 of 16 (56.2 %), idle lane rounds 17 of 40 (42.5 %), points in no bin 1"
        );
        let alike =
            counts(&[firsts.clone(), lanes.clone(), widths.clone(), Value::from(2_i64)]).expect("counts");
        assert_eq!(alike.rounds, Some([32, 14]));
        let unknown = counts(&[firsts.clone(), lanes.clone(), widths]).expect("counts");
        assert_eq!(unknown.text(), "bins 2, lanes 9 of 16 (56.2 %), points in no bin 1");
        assert_eq!(counts(&[firsts, lanes.clone()]), None);
        let none = Value::from(&[0_i64; 0][..]);
        let none = counts(&[none.clone(), lanes, none.clone(), none]).expect("counts");
        assert_eq!(
            none.text(),
            "bins 0, lanes 0 of 0 (0.0 %), idle lane rounds 0 of 0 (0.0 %), points in no bin 0"
        );
    }

    #[test]
    fn counts_of_a_nest_add_up() {
        let one = |height: i64| {
            let [first, width] = [0, 3].map(|value: i64| Value::from(&[value][..]));
            counts(&[first, Value::from(8_i64), width, Value::from(height)]).expect("counts")
        };
        let mut all = Vec::new();
        one(1).add_to(&mut all);
        one(2).add_to(&mut all);
        BinCounts { nest: "g.bins0".to_owned(), ..one(4) }.add_to(&mut all);
        let shown: Vec<_> = all.iter().map(|one| (&*one.nest, one.bins, one.filled, one.rounds)).collect();
        assert_eq!(shown, [("f.bins0", 2, 6, Some([24, 15])), ("g.bins0", 1, 3, Some([32, 20]))]);
    }
}
