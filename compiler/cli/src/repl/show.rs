//! Prints values in the syntax of the language, with large arrays shortened.

use ravel_abi::interface::{Field, Form, Layout, Variant, is_tuple};
use ravel_abi::{Array, Interface, TypeNumber, Value, with_data};
use ravel_prim::PrimValue;

/// A value of the language, given by its leaves.
pub struct ShownValue<'a> {
    /// The layout of the value.
    pub layout: &'a Layout,
    /// Its leaves.
    pub leaves: &'a [Value],
    /// The maximum number of elements that are shown of an outermost array. It is halved at each level of nesting,
    /// but is never less than [`LEAST`].
    pub max_elements: usize,
}

/// The number of elements that are always shown, at every depth.
pub const LEAST: usize = 3;

impl ShownValue<'_> {
    /// The text. If an array was shortened, the type with all sizes follows.
    pub fn text(&self) -> String {
        let Layout { interface, ty } = self.layout;
        let mut writer = Writer { interface, out: String::new(), shortened: false };
        writer.value(*ty, self.leaves, &mut Vec::new(), self.max_elements.max(LEAST));
        if writer.shortened {
            writer.out.push_str(" : ");
            writer.out += &type_text(interface, *ty, self.leaves, 0, false);
        }
        writer.out
    }
}

struct Writer<'a> {
    interface: &'a Interface,
    out: String,
    shortened: bool,
}

impl<'a> Writer<'a> {
    /// Writes the value at a position in the enclosing arrays.
    fn value(&mut self, ty: TypeNumber, leaves: &[Value], at: &mut Vec<usize>, max_elements: usize) {
        match form(self.interface, ty) {
            None => {}
            Some(Form::Scalar(_)) => {
                let element = leaves.first().and_then(|leaf| element(leaf, at));
                self.out += &element.map_or("?".to_owned(), |element| element.to_string());
            }
            Some(&Form::Array { rank, elem }) => self.array(rank, elem, leaves, at, max_elements),
            Some(Form::Record(fields)) => {
                let (open, close) = if is_tuple(fields) { ('(', ')') } else { ('{', '}') };
                self.out.push(open);
                self.fields(fields, leaves, at, max_elements);
                self.out.push(close);
            }
            Some(Form::Sum(variants)) => self.sum(variants, leaves, at, max_elements),
        }
    }

    /// Writes an array of `rank` dimensions; rank 0 is an element.
    fn array(
        &mut self,
        rank: usize,
        elem: TypeNumber,
        leaves: &[Value],
        at: &mut Vec<usize>,
        max_elements: usize,
    ) {
        let Some(inner) = rank.checked_sub(1) else { return self.value(elem, leaves, at, max_elements) };
        let Some(&count) = leaves.first().and_then(|leaf| leaf.shape().get(at.len())) else {
            // An array of units has no leaves, so its size is unknown.
            self.shortened = true;
            self.out.push_str("[…]");
            return;
        };
        let left_out = if count > max_elements { max_elements - 1..count - 1 } else { 0..0 };
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
            self.array(inner, elem, leaves, at, (max_elements / 2).max(LEAST));
            at.pop();
            index += 1;
        }
        self.out.push(']');
    }

    fn fields(&mut self, fields: &[Field], mut leaves: &[Value], at: &mut Vec<usize>, max_elements: usize) {
        for (number, Field { name, ty }) in fields.iter().enumerate() {
            self.out.push_str(if number > 0 { ", " } else { "" });
            if !is_tuple(fields) {
                self.out += &format!("{name} = ");
            }
            let own = take(self.interface, *ty, &mut leaves);
            self.value(*ty, own, at, max_elements);
        }
    }

    fn sum(&mut self, variants: &[Variant], leaves: &[Value], at: &mut Vec<usize>, max_elements: usize) {
        let Some((tag, mut rest)) = leaves.split_first() else { return };
        let tag = match element(tag, at) {
            Some(PrimValue::I32(tag)) => usize::try_from(tag).ok(),
            _ => None,
        };
        for (number, Variant { name, payload }) in variants.iter().enumerate() {
            let is_chosen = tag == Some(number);
            if is_chosen {
                self.out += &format!("#{name}");
            }
            for &part in payload {
                let own = take(self.interface, part, &mut rest);
                if is_chosen {
                    let parenthesised = matches!(form(self.interface, part), Some(Form::Sum(_)));
                    self.out.push_str(if parenthesised { " (" } else { " " });
                    self.value(part, own, at, max_elements);
                    self.out.push_str(if parenthesised { ")" } else { "" });
                }
            }
        }
    }
}

fn form(interface: &Interface, ty: TypeNumber) -> Option<&Form> {
    interface.get(ty).map(|ty| &ty.form)
}

/// Takes the leaves of a component from the front of the remaining leaves.
fn take<'v>(interface: &Interface, ty: TypeNumber, leaves: &mut &'v [Value]) -> &'v [Value] {
    let (own, rest) = leaves.split_at(interface.leaves(ty).len().min(leaves.len()));
    *leaves = rest;
    own
}

/// The element of an array at a position, or the scalar if the leaf is one.
fn element(leaf: &Value, at: &[usize]) -> Option<PrimValue> {
    match leaf {
        Value::Scalar(scalar) => Some(*scalar),
        Value::Array(Array { shape, data }) => {
            let place = shape.iter().zip(at).fold(0, |place, (size, index)| place * size + index);
            with_data!(data, elements => elements.get(place).map(|&element| element.into()))
        }
    }
}

/// The type as text, with sizes from the leaves. The enclosing arrays have `depth` dimensions. If `parenthesised` holds, a
/// sum type is put in parentheses.
fn type_text(
    interface: &Interface,
    ty: TypeNumber,
    leaves: &[Value],
    depth: usize,
    parenthesised: bool,
) -> String {
    let mut rest = leaves;
    let mut next = |part: TypeNumber, parenthesised: bool| {
        let own = take(interface, part, &mut rest);
        type_text(interface, part, own, depth, parenthesised)
    };
    match form(interface, ty) {
        None => String::new(),
        Some(Form::Scalar(elem)) => elem.to_string(),
        Some(&Form::Array { rank, elem }) => {
            let size = |dim: usize| leaves.first().and_then(|leaf| leaf.shape().get(dim));
            let size = |dim: usize| format!("[{}]", size(dim).map_or(String::new(), |size| size.to_string()));
            let sizes: String = (depth..depth + rank).map(size).collect();
            sizes + &type_text(interface, elem, leaves, depth + rank, true)
        }
        Some(Form::Record(fields)) => {
            let (open, close) = if is_tuple(fields) { ("(", ")") } else { ("{", "}") };
            let fields = fields.iter().map(|Field { name, ty }| match is_tuple(fields) {
                true => next(*ty, false),
                false => format!("{name}: {}", next(*ty, false)),
            });
            format!("{open}{}{close}", fields.collect::<Vec<_>>().join(", "))
        }
        Some(Form::Sum(variants)) => {
            // The first leaf is the number of the constructor.
            rest = rest.get(1..).unwrap_or_default();
            let mut next = |part: TypeNumber| {
                let own = take(interface, part, &mut rest);
                type_text(interface, part, own, depth, true)
            };
            let variants = variants.iter().map(|Variant { name, payload }| {
                let payload: String = payload.iter().map(|&part| format!(" {}", next(part))).collect();
                format!("#{name}{payload}")
            });
            let text = variants.collect::<Vec<_>>().join(" | ");
            if parenthesised { format!("({text})") } else { text }
        }
    }
}

#[cfg(test)]
mod tests {
    use ravel_abi::{Data, PrimType};

    use super::*;

    fn array(shape: &[usize], data: Data) -> Value {
        Value::Array(Array { shape: shape.to_vec(), data })
    }

    /// The layout of the type that `make` adds.
    fn layout(make: impl FnOnce(&mut Interface) -> TypeNumber) -> Layout {
        let mut interface = Interface::default();
        let ty = make(&mut interface);
        Layout { interface, ty }
    }

    fn scalar(interface: &mut Interface, elem: PrimType) -> TypeNumber {
        interface.intern(Form::Scalar(elem), None)
    }

    fn record(interface: &mut Interface, fields: &[(&str, TypeNumber)]) -> TypeNumber {
        let fields = fields.iter().map(|&(name, ty)| Field { name: name.to_owned(), ty });
        interface.intern(Form::Record(fields.collect()), None)
    }

    fn sum(interface: &mut Interface, variants: &[(&str, &[TypeNumber])]) -> TypeNumber {
        let variants = variants.iter();
        let variants =
            variants.map(|&(name, payload)| Variant { name: name.to_owned(), payload: payload.to_vec() });
        interface.intern(Form::Sum(variants.collect()), None)
    }

    #[track_caller]
    fn shows(layout: &Layout, leaves: &[Value], max_elements: usize, text: &str) {
        assert_eq!(ShownValue { layout, leaves, max_elements }.text(), text);
    }

    #[test]
    fn leaves_form_composite_values() {
        let [one, two] = [1, 2].map(|number| Value::Scalar(PrimValue::I32(number)));
        shows(&layout(|types| record(types, &[])), &[], 9, "()");
        let nested = layout(|types| {
            let number = scalar(types, PrimType::I32);
            let inner = record(types, &[("c", number)]);
            record(types, &[("a", number), ("b", inner)])
        });
        shows(&nested, &[one, two], 9, "{a = 1i32, b = {c = 2i32}}");
        let pairs = layout(|types| {
            let (number, truth) = (scalar(types, PrimType::I8), scalar(types, PrimType::Bool));
            let row = types.array_of(1, truth);
            let pair = record(types, &[("0", number), ("1", row)]);
            types.array_of(1, pair)
        });
        let leaves =
            [array(&[2], Data::I8(vec![1, 2].into())), array(&[2, 1], Data::Bool(vec![true, false].into()))];
        shows(&pairs, &leaves, 9, "[(1i8, [true]), (2i8, [false])]");
    }

    #[test]
    fn a_sum_shows_its_constructor_and_payload() {
        let layout = layout(|types| {
            let (long, byte) = (scalar(types, PrimType::I64), scalar(types, PrimType::U8));
            let inner = sum(types, &[("y", &[])]);
            let outer = sum(types, &[("a", &[long, inner]), ("b", &[byte])]);
            types.array_of(1, outer)
        });
        let leaves = [
            array(&[2], Data::I32(vec![1, 0].into())),
            array(&[2], Data::I64(vec![0, 5].into())),
            array(&[2], Data::I32(vec![0, 0].into())),
            array(&[2], Data::U8(vec![7, 0].into())),
        ];
        shows(&layout, &leaves, 9, "[#b 7u8, #a 5i64 (#y)]");
        let many = [
            array(&[5], Data::I32(vec![1; 5].into())),
            array(&[5], Data::I64(vec![0; 5].into())),
            array(&[5], Data::I32(vec![0; 5].into())),
            array(&[5], Data::U8(vec![7; 5].into())),
        ];
        shows(&layout, &many, 3, "[#b 7u8, #b 7u8, …, #b 7u8] : [5](#a i64 (#y) | #b u8)");
    }

    #[test]
    fn large_arrays_are_shortened_and_show_their_type() {
        let of = |elem, rank| {
            layout(|types| {
                let elem = scalar(types, elem);
                types.array_of(rank, elem)
            })
        };
        let row = |count: usize| array(&[count], Data::I64((0..count as i64).collect()));
        let numbers = of(PrimType::I64, 1);
        shows(&numbers, &[row(4)], 4, "[0i64, 1i64, 2i64, 3i64]");
        shows(&numbers, &[row(5)], 4, "[0i64, 1i64, 2i64, …, 4i64] : [5]i64");
        shows(&numbers, &[row(0)], 4, "[]");
        let square = array(&[4, 4], Data::U8((0..16).collect()));
        let text = "[[0u8, 1u8, …, 3u8], [4u8, 5u8, …, 7u8], …, [12u8, 13u8, …, 15u8]] : [4][4]u8";
        shows(&of(PrimType::U8, 2), &[square], 0, text);
        let units = layout(|types| {
            let unit = record(types, &[]);
            types.array_of(1, unit)
        });
        shows(&units, &[], 9, "[…] : []()");
    }
}
