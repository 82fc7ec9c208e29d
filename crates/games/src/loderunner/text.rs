//! Levels and positions as texts.
//!
//! A level is one line per row and one letter per cell: `.` empty, `b` brick, `B` solid, `#` ladder, `-` rope, `G` gold, `E` a
//! guard, `M` the start, as in the Video Game Level Corpus, and `H` an exit ladder. The corpus shows no exit ladders; a level
//! without `H` and without a ladder to the top row gets them: see [`add_exits`].
//!
//! A position is a first line of words for what moves, then the level's tiles:
//! `runner=c5 gold=a1,b3 guard=d4 guard=e5:trapped=4:gold=12 hole=b6:20 rest=2`. A level alone is also a position.

use std::fmt::{self, Write as _};
use std::sync::Arc;

use outplay_core::errors;

use super::moment::{Delays, Fate, Guard, Hole, MAX_GUARDS, MAX_HOLES, Moment};
use super::terrain::{MAX_COLS, MAX_ROWS, Spot, Terrain, Tile};
use super::view::LodeRunnerView;

errors! {
    /// Why a text is not a level or a position.
    #[derive(Clone, PartialEq, Eq)]
    pub enum BadLevel {
        Size { rows: usize, cols: usize } =
            "a level of {rows}×{cols} cells cannot be played: expected from 2×2 to {MAX_ROWS}×{MAX_COLS}"
            | "un niveau de {rows}×{cols} cases ne peut être joué : attendu de 2×2 à {MAX_ROWS}×{MAX_COLS}",
        Ragged { row: usize, found: usize, expected: usize } =
            "row {row} of the level has {found} cells: expected {expected} as in row 1"
            | "la ligne {row} du niveau a {found} cases : attendu {expected} comme la ligne 1",
        Letter { row: usize, col: usize, found: char } =
            "'{found}' in row {row}, column {col} is not a cell: expected one of . b B # - G E M H"
            | "« {found} » à la ligne {row}, colonne {col} n’est pas une case : attendu un de . b B # - G E M H",
        Runners { found: usize } =
            "the level has {found} starts 'M': expected one" | "le niveau a {found} départs « M » : attendu un",
        Guards { found: usize } =
            "the level has {found} guards: expected at most {MAX_GUARDS}"
            | "le niveau a {found} gardes : attendu {MAX_GUARDS} au plus",
        Over =
            "nothing is left to do: the runner is in the top row and there is no gold"
            | "il ne reste rien à faire : le coureur est sur la ligne du haut et il n’y a pas d’or",
        Word { word: String } =
            "'{word}' is not part of a position: expected words such as runner=c5, gold=a1,b3, guard=d4:trapped=4, hole=b6:20, \
             busy=1, rest=2 or fate=caught"
            | "« {word} » ne fait pas partie d’une position : attendu des mots tels que runner=c5, gold=a1,b3, \
               guard=d4:trapped=4, hole=b6:20, busy=1, rest=2 ou fate=caught",
        Number { word: String, most: u8 } =
            "'{word}' has a number that cannot be: expected from 1 to {most}"
            | "« {word} » contient un nombre impossible : attendu de 1 à {most}",
        Blocked { cell: String } =
            "nothing can be on {cell}: expected a cell without brick or wall"
            | "rien ne peut être en {cell} : attendu une case sans brique ni mur",
        NoBrick { cell: String } =
            "{cell} is no brick: expected one, because a hole is there or a guard was buried there"
            | "{cell} n’est pas une brique : attendu une brique, car un trou y est ou un garde y fut enseveli",
        Twice { cell: String } = "{cell} is taken twice: expected once" | "{cell} est occupée deux fois : attendu une",
    }
}

/// The name of a cell: the letters of its column (`a` to `z`, then `aa` to `af`) and the number of its row from the top.
pub(super) fn cell_name(terrain: &Terrain, spot: Spot) -> String {
    format!("{}{}", column_letters(terrain.col(spot)), terrain.row(spot) + 1)
}

/// The letters of a column.
pub(super) fn column_letters(col: usize) -> String {
    let last = char::from(b'a' + (col % 26) as u8);
    if col < 26 { last.to_string() } else { format!("a{last}") }
}

fn read_cell(terrain: &Terrain, text: &str) -> Option<Spot> {
    let digits = text.find(|char: char| char.is_ascii_digit())?;
    let (letters, number) = text.split_at(digits);
    let col = (0..terrain.cols()).find(|&col| column_letters(col) == letters)?;
    let row: usize = number.parse().ok().filter(|_| !number.starts_with(['0', '+']))?;
    (1..=terrain.rows()).contains(&row).then(|| terrain.spot(row - 1, col))
}

/// The tiles of a level, and what stands on them.
struct LevelRows {
    rows: usize,
    cols: usize,
    letters: Vec<char>,
}

fn read_rows<'a>(lines: impl Iterator<Item = &'a str>) -> Result<LevelRows, BadLevel> {
    let lines: Vec<Vec<char>> = lines.map(|line| line.chars().collect()).collect();
    let (rows, cols) = (lines.len(), lines.first().map_or(0, Vec::len));
    if !(2..=MAX_ROWS).contains(&rows) || !(2..=MAX_COLS).contains(&cols) {
        return Err(BadLevel::Size { rows, cols });
    }
    for (row, line) in lines.iter().enumerate() {
        if line.len() != cols {
            return Err(BadLevel::Ragged { row: row + 1, found: line.len(), expected: cols });
        }
        if let Some(col) = line.iter().position(|letter| !".bB#-GEMH".contains(*letter)) {
            return Err(BadLevel::Letter { row: row + 1, col: col + 1, found: line[col] });
        }
    }
    Ok(LevelRows { rows, cols, letters: lines.concat() })
}

impl LevelRows {
    fn terrain(&self) -> Terrain {
        let tiles: Vec<Tile> = self.letters.iter().map(|&letter| tile_of(letter)).collect();
        Terrain::new(self.rows, self.cols, &tiles)
    }

    fn spots<'a>(&'a self, terrain: &'a Terrain, wanted: char) -> impl Iterator<Item = Spot> + 'a {
        terrain.spots().zip(&self.letters).filter(move |&(_, &letter)| letter == wanted).map(|(spot, _)| spot)
    }
}

fn tile_of(letter: char) -> Tile {
    match letter {
        'b' => Tile::Brick,
        'B' => Tile::Solid,
        '#' => Tile::Ladder,
        '-' => Tile::Rope,
        'H' => Tile::ExitLadder,
        _ => Tile::Empty,
    }
}

const fn letter_of(tile: Tile) -> char {
    match tile {
        Tile::Empty => '.',
        Tile::Brick => 'b',
        Tile::Solid => 'B',
        Tile::Ladder => '#',
        Tile::Rope => '-',
        Tile::ExitLadder => 'H',
    }
}

/// The lines of a text that are not empty.
fn lines_of(text: &str) -> impl Iterator<Item = &str> {
    text.trim_start_matches('\u{feff}').lines().map(str::trim).filter(|line| !line.is_empty())
}

/// Reads a level: where a game begins.
pub fn read_level(text: &str, delays: Delays) -> Result<LodeRunnerView, BadLevel> {
    let rows = read_rows(lines_of(text))?;
    let mut terrain = rows.terrain();
    if !rows.letters.contains(&'H') {
        terrain = add_exits(&rows, &terrain);
    }
    let starts: Vec<Spot> = rows.spots(&terrain, 'M').collect();
    let [start] = starts[..] else { return Err(BadLevel::Runners { found: starts.len() }) };
    let mut moment = Moment::new(start, delays);
    rows.spots(&terrain, 'G').for_each(|spot| moment.gold.insert(spot));
    let found = rows.spots(&terrain, 'E').count();
    if found > MAX_GUARDS {
        return Err(BadLevel::Guards { found });
    }
    rows.spots(&terrain, 'E').for_each(|spot| moment.add_guard(Guard::standing(spot)));
    if moment.gold.is_empty() && terrain.is_top(start) {
        return Err(BadLevel::Over);
    }
    Ok(LodeRunnerView::new(Arc::new(terrain), delays, moment))
}

/// A level that shows no exit and has no ladder to the top row gets exit ladders: above every ladder whose column is empty
/// from its end to the top row; if there is none, above the highest cell to stand on with such a column, the leftmost of several.
fn add_exits(rows: &LevelRows, terrain: &Terrain) -> Terrain {
    let tile = |row: usize, col: usize| terrain.tile(terrain.spot(row, col));
    let is_clear = |row: usize, col: usize| (0..row).all(|above| tile(above, col) == Tile::Empty);
    let cells = || (0..rows.rows).flat_map(|row| (0..rows.cols).map(move |col| (row, col)));
    if (0..rows.cols).any(|col| tile(0, col) == Tile::Ladder) {
        return terrain.clone();
    }
    let mut feet: Vec<(usize, usize)> =
        cells().filter(|&(row, col)| tile(row, col) == Tile::Ladder && is_clear(row, col)).collect();
    if feet.is_empty() {
        let stands = |&(row, col): &(usize, usize)| {
            let is_floor = row + 1 == rows.rows
                || matches!(tile(row + 1, col), Tile::Brick | Tile::Solid | Tile::Ladder);
            tile(row, col) == Tile::Empty && is_floor && is_clear(row, col)
        };
        feet.extend(cells().find(stands).map(|(row, col)| (row + 1, col)));
    }
    let tiles: Vec<Tile> = cells()
        .map(|(row, col)| {
            if feet.iter().any(|&(foot, column)| column == col && row < foot) {
                Tile::ExitLadder
            } else {
                tile(row, col)
            }
        })
        .collect();
    Terrain::new(rows.rows, rows.cols, &tiles)
}

/// Reads a position, or a level.
pub fn read_position(text: &str, delays: Delays) -> Result<LodeRunnerView, BadLevel> {
    let mut lines = lines_of(text);
    let first = lines.next().unwrap_or_default();
    if !first.contains('=') {
        return read_level(text, delays);
    }
    let terrain = read_rows(lines)?.terrain();
    let moment = Moment::new(Spot::default(), delays);
    let mut reader = PositionReader { terrain: &terrain, delays, moment, runners: 0 };
    for word in first.split_whitespace() {
        reader.read_word(word)?;
    }
    let moment = reader.check()?;
    Ok(LodeRunnerView::new(Arc::new(terrain), delays, moment))
}

struct PositionReader<'a> {
    terrain: &'a Terrain,
    delays: Delays,
    moment: Moment,
    runners: usize,
}

impl PositionReader<'_> {
    fn read_word(&mut self, word: &str) -> Result<(), BadLevel> {
        let unknown = || BadLevel::Word { word: word.to_owned() };
        let (key, value) = word.split_once('=').ok_or_else(unknown)?;
        let mut parts = value.split(':');
        let first = parts.next().unwrap_or_default();
        let cell = || read_cell(self.terrain, first).ok_or_else(unknown);
        match key {
            "runner" => {
                (self.moment.runner, self.runners) = (cell()?, self.runners + 1);
            }
            "gold" => {
                for name in first.split(',') {
                    let spot = read_cell(self.terrain, name).ok_or_else(unknown)?;
                    self.moment.gold.insert(spot);
                }
            }
            "guard" => {
                let guard = self.read_guard(word, cell()?, &mut parts)?;
                if self.moment.guards().len() == MAX_GUARDS {
                    return Err(BadLevel::Guards { found: MAX_GUARDS + 1 });
                }
                self.moment.add_guard(guard);
            }
            "hole" => {
                let at = cell()?;
                let left = read_number(word, parts.next().ok_or_else(unknown)?, self.delays.open)?;
                if self.moment.open.contains(at) || self.moment.holes().len() == MAX_HOLES {
                    return Err(BadLevel::Twice { cell: first.to_owned() });
                }
                self.moment.add_hole(Hole { at, left });
            }
            "busy" => self.moment.busy = read_number(word, first, self.delays.dig.saturating_sub(1))?,
            "rest" => self.moment.until_rest = read_number(word, first, self.delays.rest)?,
            "fate" => self.moment.fate = read_fate(first).ok_or_else(unknown)?,
            _ => return Err(unknown()),
        }
        if parts.next().is_some() { Err(unknown()) } else { Ok(()) }
    }

    fn read_guard<'a>(
        &self,
        word: &str,
        at: Spot,
        parts: &mut impl Iterator<Item = &'a str>,
    ) -> Result<Guard, BadLevel> {
        let mut guard = Guard::standing(at);
        for part in parts {
            match part.split_once('=') {
                Some(("trapped", number)) => guard.trapped = read_number(word, number, self.delays.trap)?,
                Some(("away", number)) => guard.away = read_number(word, number, self.delays.rebirth)?,
                Some(("gold", "0")) => guard.has_gold = true,
                Some(("gold", number)) => {
                    guard.carry = read_number(word, number, self.delays.carry)?;
                    guard.has_gold = true;
                }
                None if part == "climbed" => guard.climbed = true,
                _ => return Err(BadLevel::Word { word: word.to_owned() }),
            }
        }
        Ok(guard)
    }

    /// Refuses what cannot be.
    fn check(self) -> Result<Moment, BadLevel> {
        let Self { terrain, moment, runners, .. } = self;
        let name = |spot: Spot| cell_name(terrain, spot);
        if runners != 1 {
            return Err(BadLevel::Runners { found: runners });
        }
        let is_brick = |spot: Spot| terrain.tile(spot) == Tile::Brick;
        if let Some(hole) = moment.holes().iter().find(|hole| !is_brick(hole.at)) {
            return Err(BadLevel::NoBrick { cell: name(hole.at) });
        }
        let is_free = |spot: Spot| match terrain.tile(spot) {
            Tile::Brick => moment.open.contains(spot),
            tile => tile != Tile::Solid,
        };
        let in_play = || moment.guards().iter().filter(|guard| guard.is_in_play());
        let is_buried = moment.fate == Fate::Buried;
        let runner = Some(moment.runner).filter(|_| !is_buried);
        let placed = in_play().map(|guard| guard.at).chain(moment.gold.iter()).chain(runner);
        if let Some(blocked) = placed.into_iter().find(|&spot| !is_free(spot)) {
            return Err(BadLevel::Blocked { cell: name(blocked) });
        }
        let off_brick = moment.guards().iter().find(|guard| {
            (!guard.is_in_play() && !is_brick(guard.at))
                || (guard.trapped > 0) != (guard.is_in_play() && moment.open.contains(guard.at))
        });
        if let Some(guard) = off_brick {
            return Err(BadLevel::NoBrick { cell: name(guard.at) });
        }
        let is_twice = |guard: &&Guard| in_play().filter(|other| other.at == guard.at).count() > 1;
        if let Some(guard) = in_play().find(is_twice) {
            return Err(BadLevel::Twice { cell: name(guard.at) });
        }
        let is_met = moment.guard_at(moment.runner, None).is_some();
        if is_met != (moment.fate == Fate::Caught) || (is_buried && !is_brick(moment.runner)) {
            return Err(BadLevel::Twice { cell: name(moment.runner) });
        }
        let is_out = terrain.is_top(moment.runner) && moment.has_exits();
        if is_out != (moment.fate == Fate::Won) && !(is_out && moment.fate == Fate::Caught) {
            return Err(BadLevel::Over);
        }
        Ok(moment)
    }
}

fn read_number(word: &str, text: &str, most: u8) -> Result<u8, BadLevel> {
    let number = text.parse().ok().filter(|number| (1..=most).contains(number));
    number.ok_or_else(|| BadLevel::Number { word: word.to_owned(), most })
}

fn read_fate(text: &str) -> Option<Fate> {
    match text {
        "won" => Some(Fate::Won),
        "caught" => Some(Fate::Caught),
        "buried" => Some(Fate::Buried),
        _ => None,
    }
}

impl fmt::Display for LodeRunnerView {
    /// The text of the position.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (terrain, moment) = (self.terrain(), self.moment());
        let name = |spot: Spot| cell_name(terrain, spot);
        write!(f, "runner={}", name(moment.runner))?;
        if !moment.gold.is_empty() {
            let names: Vec<String> = moment.gold.iter().map(name).collect();
            write!(f, " gold={}", names.join(","))?;
        }
        for guard in moment.guards() {
            write!(f, " guard={}{}", name(guard.at), guard_words(*guard))?;
        }
        for hole in moment.holes() {
            write!(f, " hole={}:{}", name(hole.at), hole.left)?;
        }
        if moment.busy > 0 {
            write!(f, " busy={}", moment.busy)?;
        }
        if self.delays().rest > 0 {
            write!(f, " rest={}", moment.until_rest)?;
        }
        match moment.fate {
            Fate::Running => {}
            Fate::Won => f.write_str(" fate=won")?,
            Fate::Caught => f.write_str(" fate=caught")?,
            Fate::Buried => f.write_str(" fate=buried")?,
        }
        for (number, spot) in terrain.spots().enumerate() {
            if number % terrain.cols() == 0 {
                f.write_char('\n')?;
            }
            f.write_char(letter_of(terrain.tile(spot)))?;
        }
        Ok(())
    }
}

fn guard_words(guard: Guard) -> String {
    let mut words = String::new();
    if guard.trapped > 0 {
        let _ = write!(words, ":trapped={}", guard.trapped);
    }
    if guard.away > 0 {
        let _ = write!(words, ":away={}", guard.away);
    }
    if guard.has_gold {
        let _ = write!(words, ":gold={}", guard.carry);
    }
    if guard.climbed {
        words.push_str(":climbed");
    }
    words
}

/// Writes the beginning of a level in the letters of levels.
pub fn write_level(view: &LodeRunnerView) -> String {
    let (terrain, moment) = (view.terrain(), view.moment());
    let letter = |spot: Spot| {
        if spot == moment.runner {
            'M'
        } else if moment.guard_at(spot, None).is_some() {
            'E'
        } else if moment.gold.contains(spot) {
            'G'
        } else {
            letter_of(terrain.tile(spot))
        }
    };
    let letters: Vec<char> = terrain.spots().map(letter).collect();
    let rows: Vec<String> = letters.chunks(terrain.cols()).map(|row| row.iter().collect()).collect();
    rows.join("\n")
}
