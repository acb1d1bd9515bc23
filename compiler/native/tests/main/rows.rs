//! Points that walk along rows compute the same in lanes, where four elements of each row are loaded at once.

use ravel_abi::{Array, Data, Value};

use crate::lanes::{functions, same};

/// A matrix of different numbers.
fn matrix(ty: &str, rows: usize, columns: usize) -> Value {
    let numbers = (0..rows * columns).map(|at| (at * 7 % 31) as f64 / 2.0);
    let data = match ty {
        "f64" => Data::F64(numbers.collect()),
        "f32" => Data::F32(numbers.map(|number| number as f32).collect()),
        "i64" => Data::I64(numbers.map(|number| number as i64).collect()),
        _ => Data::U32(numbers.map(|number| number as u32).collect()),
    };
    Value::Array(Array { shape: vec![rows, columns], data })
}

/// A program whose points walk along the rows of a matrix: each along its own, the next one, and the first.
fn walk(ty: &str, columns: &str, bound: &str) -> String {
    format!(
        "entry \"f\" [n, m] (xs: block {ty} [n, m]) -> ([]{ty}, []i64) {{
           let last: i64 = sub(n, 1i64)
           let count: i64 = max(last, 0i64)
           alloc ys: block {ty} = count
           alloc zs: block i64 = count
           view from: {ty} [n, {columns}] = xs + 0i64 * [{columns}, 1i64]
           view to: {ty} [count] = ys + 0i64 * [1i64]
           view ends: i64 [count] = zs + 0i64 * [1i64]
           let end: i64 = {bound}
           segment map (i < count) chunk 50i64 {{
             let next: i64 = add(i, 1i64)
             loop (sum: {ty} = 1{ty}, before: i64 = 7i64) for j: i64 < end {{
               load own: {ty} = from[i, j]
               load other: {ty} = from[next, j]
               load first: {ty} = from[0i64, j]
               let twice: i64 = mul(j, 2i64)
               let half: i64 = sub(twice, j)
               load same: {ty} = from[next, half]
               let a: {ty} = mul(sum, own)
               let b: {ty} = sub(a, other)
               let c: {ty} = add(b, first)
               let d: {ty} = sub(c, same)
               let e: {ty} = min(d, 1000{ty})
               let g: i64 = mul(before, 3i64)
               let h: i64 = add(g, twice)
               yield e, h
             }} -> (total: {ty}, end_of_row: i64)
             store to[i] = total
             store ends[i] = end_of_row
           }}
           yield count, ys, count, zs
         }}"
    )
}

#[test]
fn rows_of_all_lengths_are_the_same_in_lanes() {
    for ty in ["f64", "f32", "i64", "u32"] {
        let text = walk(ty, "m", "add(m, 0i64)");
        assert_eq!(functions(&text), 1);
        for columns in [0, 3, 4, 9, 18] {
            same(&text, &[matrix(ty, 41, columns)]);
        }
        for (columns, bound) in [(7, 7), (8, 8), (20_000, 4)] {
            let text = walk(ty, &format!("{columns}i64"), &format!("add({bound}i64, 0i64)"));
            same(&text, &[matrix(ty, 20, columns)]);
        }
    }
}

#[test]
fn a_loop_without_iterations_loads_no_row() {
    for bound in ["sub(m, 5i64)", "sub(m, 9223372036854775807i64)"] {
        same(&walk("f64", "m", bound), &[matrix("f64", 20, 5)]);
    }
}
