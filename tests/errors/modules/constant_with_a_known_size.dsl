module stack: {
  type~ t
  val empty: t
} = {
  type~ t = []i64
  def empty = []
}
