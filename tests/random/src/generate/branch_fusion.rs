//! Producers and consumers across a branch: one is inside both sides, the other before or after the branch.

use ravel_core::*;
use ravel_prim::PrimType;

use super::Writer;
use super::arrays::variable;
use super::chains::Consumer;
use super::scope::{Regions, Scope};

impl Writer {
    pub fn branch_fusion(&mut self, depth: usize) {
        let first = self.pick_array();
        let ty = self.b.vars()[first].ty.clone();
        let (width, cond) = (ty.shape[0], self.scalar(PrimType::Bool));
        let before = self.choices.below(3) < 2;
        let array = if before { variable(self.map_of(depth, first, ty.elem)) } else { first };
        let [then, otherwise] = [(); 2].map(|()| {
            let inside = Scope { consumable: Regions::new(), ..self.scope.clone() };
            self.nested(inside, |writer| {
                writer.statements(depth.max(1) + 1, 1);
                vec![writer.map_of(depth, array, ty.elem)]
            })
        });
        let made = self.b.bind(Type::array(ty.elem, vec![width]), Exp::If { cond, then, otherwise });
        self.add_value(made);
        if !before || self.choices.below(2) == 1 {
            let kind = self.choices.any(&[Consumer::Reduce, Consumer::Map, Consumer::Scan]);
            self.construct(kind, depth, width, vec![variable(made)]);
        }
    }
}
