module m0: { type t } = { type t = i64 }
module m1: { type t } = { type t = (m0.t, m0.t) }
module m2: { type t } = { type t = (m1.t, m1.t) }
module m3: { type t } = { type t = (m2.t, m2.t) }
module m4: { type t } = { type t = (m3.t, m3.t) }
module m5: { type t } = { type t = (m4.t, m4.t) }
module m6: { type t } = { type t = (m5.t, m5.t) }
module m7: { type t } = { type t = (m6.t, m6.t) }
module m8: { type t } = { type t = (m7.t, m7.t) }
module m9: { type t } = { type t = (m8.t, m8.t) }
module m10: { type t } = { type t = (m9.t, m9.t) }
module m11: { type t } = { type t = (m10.t, m10.t) }
module m12: { type t } = { type t = (m11.t, m11.t) }
module m13: { type t } = { type t = (m12.t, m12.t) }
module m14: { type t } = { type t = (m13.t, m13.t) }
module m15: { type t } = { type t = (m14.t, m14.t) }
module m16: { type t } = { type t = (m15.t, m15.t) }
module m17: { type t } = { type t = (m16.t, m16.t) }
module m18: { type t } = { type t = (m17.t, m17.t) }
module m19: { type t } = { type t = (m18.t, m18.t) }
module m20: { type t } = { type t = (m19.t, m19.t) }
module m21: { type t } = { type t = (m20.t, m20.t) }
def f (x: m7.t) = x
