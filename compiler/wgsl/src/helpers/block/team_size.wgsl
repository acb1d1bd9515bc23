// How many of `width` threads combine each of `rows` rows of `n` points: a power of two. It doubles while a team has fewer
// threads than a row has points, and all rows still have a team.

fn team_size_T(rows: T, n: T, width: u32) -> u32 {
    var team = 1u;
    while (team < width && T(team) < n && rows <= T(width / (2u * team))) {
        team = 2u * team;
    }
    return team;
}
