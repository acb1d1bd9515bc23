module f (X: { type~ t }) = {
  module n: { val same: X.t -> X.t } = { def same 'a (x: a): a = x }
}
