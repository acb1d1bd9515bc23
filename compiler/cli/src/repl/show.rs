//! Values as text, put together as the language writes them, and shortened where they are large.

use ravel_abi::{Array, Value, with_data};
use ravel_driver::session::Layout;
use ravel_prim::PrimValue;

/// A value of the language, by its leaves.
pub struct Shown<'a> {
    /// How it is put together.
    pub layout: &'a Layout,
    /// Its leaves.
    pub leaves: &'a [Value],
    /// How many elements of an array are shown at most; of arrays inside half as many.
    pub most: usize,
}

/// So many are always shown, at every depth.
pub const LEAST: usize = 3;

impl Shown<'_> {
    /// The text. Of a value that was shortened it ends with the type, all sizes known.
    pub fn text(&self) -> String {
        let mut writer = Writer { out: String::new(), shortened: false };
        writer.value(self.layout, self.leaves, &mut Vec::new(), self.most.max(LEAST));
        if writer.shortened {
            writer.out.push_str(" : ");
            writer.out += &type_text(self.layout, self.leaves, 0, false);
        }
        writer.out
    }
}

struct Writer {
    out: String,
    shortened: bool,
}

impl Writer {
    /// Writes what is at a position of the arrays around.
    fn value(&mut self, layout: &Layout, leaves: &[Value], at: &mut Vec<usize>, most: usize) {
        match layout {
            Layout::Scalar => {
                let element = leaves.first().and_then(|leaf| element(leaf, at));
                self.out += &element.map_or("?".to_owned(), |element| element.to_string());
            }
            Layout::Array(row) => self.array(row, leaves, at, most),
            Layout::Tuple(parts) => {
                self.out.push('(');
                self.parts(parts.iter().map(|part| (None, part)), leaves, at, most);
                self.out.push(')');
            }
            Layout::Record(fields) => {
                self.out.push('{');
                self.parts(fields.iter().map(|(name, part)| (Some(name), part)), leaves, at, most);
                self.out.push('}');
            }
            Layout::Sum(constructors) => self.sum(constructors, leaves, at, most),
        }
    }

    fn array(&mut self, row: &Layout, leaves: &[Value], at: &mut Vec<usize>, most: usize) {
        let Some(&count) = leaves.first().and_then(|leaf| leaf.shape().get(at.len())) else {
            // Of an array of units nothing is known.
            self.shortened = true;
            self.out.push_str("[…]");
            return;
        };
        let left_out = if count > most { most - 1..count - 1 } else { 0..0 };
        self.out.push('[');
        let mut index = 0;
        while index < count {
            self.out.push_str(if index > 0 { ", " } else { "" });
            if index == left_out.start && !left_out.is_empty() {
                self.shortened = true;
                self.out.push('…');
                index = left_out.end;
                continue;
            }
            at.push(index);
            self.value(row, leaves, at, (most / 2).max(LEAST));
            at.pop();
            index += 1;
        }
        self.out.push(']');
    }

    fn parts<'l>(
        &mut self,
        parts: impl Iterator<Item = (Option<&'l String>, &'l Layout)>,
        leaves: &[Value],
        at: &mut Vec<usize>,
        most: usize,
    ) {
        let mut rest = leaves;
        for (number, (name, part)) in parts.enumerate() {
            self.out.push_str(if number > 0 { ", " } else { "" });
            if let Some(name) = name {
                self.out += &format!("{name} = ");
            }
            let (own, behind) = rest.split_at(part.leaves().min(rest.len()));
            self.value(part, own, at, most);
            rest = behind;
        }
    }

    fn sum(
        &mut self,
        constructors: &[(String, Vec<Layout>)],
        leaves: &[Value],
        at: &mut Vec<usize>,
        most: usize,
    ) {
        let Some((tag, mut rest)) = leaves.split_first() else { return };
        let tag = match element(tag, at) {
            Some(PrimValue::I32(tag)) => usize::try_from(tag).ok(),
            _ => None,
        };
        for (number, (name, payload)) in constructors.iter().enumerate() {
            let is_it = tag == Some(number);
            if is_it {
                self.out += &format!("#{name}");
            }
            for part in payload {
                let (own, behind) = rest.split_at(part.leaves().min(rest.len()));
                rest = behind;
                if is_it {
                    let word = matches!(part, Layout::Sum(_));
                    self.out.push_str(if word { " (" } else { " " });
                    self.value(part, own, at, most);
                    self.out.push_str(if word { ")" } else { "" });
                }
            }
        }
    }
}

/// The element of a leaf at a position; of a scalar, itself.
fn element(leaf: &Value, at: &[usize]) -> Option<PrimValue> {
    match leaf {
        Value::Scalar(scalar) => Some(*scalar),
        Value::Array(Array { shape, data }) => {
            let place = shape.iter().zip(at).fold(0, |place, (size, index)| place * size + index);
            with_data!(data, elements => elements.get(place).map(|&element| element.into()))
        }
    }
}

/// The type with the sizes that the leaves have, below so many dimensions.
fn type_text(layout: &Layout, leaves: &[Value], depth: usize, word: bool) -> String {
    let mut rest = leaves;
    let mut next = |part: &Layout, word: bool| {
        let (own, behind) = rest.split_at(part.leaves().min(rest.len()));
        rest = behind;
        type_text(part, own, depth, word)
    };
    match layout {
        Layout::Scalar => leaves.first().map_or(String::new(), |leaf| leaf.elem().to_string()),
        Layout::Array(row) => {
            let size = leaves.first().and_then(|leaf| leaf.shape().get(depth));
            let size = size.map_or(String::new(), |size| size.to_string());
            format!("[{size}]{}", type_text(row, leaves, depth + 1, true))
        }
        Layout::Tuple(parts) => {
            let parts: Vec<_> = parts.iter().map(|part| next(part, false)).collect();
            format!("({})", parts.join(", "))
        }
        Layout::Record(fields) => {
            let fields: Vec<_> =
                fields.iter().map(|(name, part)| format!("{name}: {}", next(part, false))).collect();
            format!("{{{}}}", fields.join(", "))
        }
        Layout::Sum(constructors) => {
            next(&Layout::Scalar, false);
            let mut texts = Vec::new();
            for (name, payload) in constructors {
                let payload: String = payload.iter().map(|part| format!(" {}", next(part, true))).collect();
                texts.push(format!("#{name}{payload}"));
            }
            let text = texts.join(" | ");
            if word { format!("({text})") } else { text }
        }
    }
}

#[cfg(test)]
mod tests {
    use ravel_abi::Data;

    use super::*;

    fn array(shape: &[usize], data: Data) -> Value {
        Value::Array(Array { shape: shape.to_vec(), data })
    }

    fn of(layout: Layout) -> Layout {
        Layout::Array(Box::new(layout))
    }

    #[track_caller]
    fn shows(layout: &Layout, leaves: &[Value], most: usize, text: &str) {
        assert_eq!(Shown { layout, leaves, most }.text(), text);
    }

    #[test]
    fn leaves_are_put_together() {
        let [one, two] = [1, 2].map(|number| Value::Scalar(PrimValue::I32(number)));
        shows(&Layout::Tuple(vec![]), &[], 9, "()");
        let fields =
            vec![("a".to_owned(), Layout::Scalar), ("b".to_owned(), Layout::Tuple(vec![Layout::Scalar]))];
        shows(&Layout::Record(fields), &[one, two], 9, "{a = 1i32, b = (2i32)}");
        let pairs = of(Layout::Tuple(vec![Layout::Scalar, of(Layout::Scalar)]));
        let leaves = [array(&[2], Data::I8(vec![1, 2])), array(&[2, 1], Data::Bool(vec![true, false]))];
        shows(&pairs, &leaves, 9, "[(1i8, [true]), (2i8, [false])]");
    }

    #[test]
    fn of_a_sum_the_constructor_that_it_is_has_its_payload() {
        let inner = Layout::Sum(vec![("y".to_owned(), vec![])]);
        let sum = Layout::Sum(vec![
            ("a".to_owned(), vec![Layout::Scalar, inner]),
            ("b".to_owned(), vec![Layout::Scalar]),
        ]);
        let leaves = [
            array(&[2], Data::I32(vec![1, 0])),
            array(&[2], Data::I64(vec![0, 5])),
            array(&[2], Data::I32(vec![0, 0])),
            array(&[2], Data::U8(vec![7, 0])),
        ];
        shows(&of(sum), &leaves, 9, "[#b 7u8, #a 5i64 (#y)]");
    }

    #[test]
    fn large_arrays_are_shortened_and_tell_their_type() {
        let row = |count: usize| array(&[count], Data::I64((0..count as i64).collect()));
        shows(&of(Layout::Scalar), &[row(4)], 4, "[0i64, 1i64, 2i64, 3i64]");
        shows(&of(Layout::Scalar), &[row(5)], 4, "[0i64, 1i64, 2i64, …, 4i64] : [5]i64");
        shows(&of(Layout::Scalar), &[row(0)], 4, "[]");
        let square = array(&[4, 4], Data::U8((0..16).collect()));
        let text = "[[0u8, 1u8, …, 3u8], [4u8, 5u8, …, 7u8], …, [12u8, 13u8, …, 15u8]] : [4][4]u8";
        shows(&of(of(Layout::Scalar)), &[square], 0, text);
        shows(&of(Layout::Tuple(vec![])), &[], 9, "[…] : []()");
    }
}
