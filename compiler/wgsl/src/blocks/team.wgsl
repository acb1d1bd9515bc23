// How many threads combine each of `rows` rows of `n` points: a power of two. It doubles while there are fewer threads in a
// team than points in a row, and all rows still have a team.

fn team_size(rows: Index, n: Index) -> u32 {
    var team = 1u;
    while (team < WIDTH && Index(team) < n && rows <= Index(WIDTH / (2u * team))) {
        team = 2u * team;
    }
    return team;
}
