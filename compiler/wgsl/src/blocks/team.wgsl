// How many threads combine each of `rows` rows of `n` points: a power of two, and more than one only while there are
// threads for all rows at once and points for all threads of a team.

fn team_size(rows: Index, n: Index) -> u32 {
    var team = 1u;
    while (team < WIDTH && Index(team) < n && rows <= Index(WIDTH / (2u * team))) {
        team = 2u * team;
    }
    return team;
}
