module f (X: { type~ t }) = { module n = X: { type t } }
