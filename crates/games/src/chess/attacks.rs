//! Attack tables of all pieces, looked up.
//!
//! Sliders use magic bitboards (Kannan 2007): one multiplication maps the relevant occupancy to an index into a table of
//! attacks. The magic factors were found by trying sparse random numbers until no two occupancies with different attacks
//! shared an index. All tables are computed at compile time by walking from square to square.

use super::squares::{Bitboard, ChessSquare};

type Direction = (i8, i8);

const KNIGHT_DIRECTIONS: [Direction; 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
const ROOK_DIRECTIONS: [Direction; 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];
const BISHOP_DIRECTIONS: [Direction; 4] = [(1, 1), (-1, 1), (-1, -1), (1, -1)];

/// The bit of the square one step away; 0 beyond the edge.
const fn step(square: u8, (files, ranks): Direction) -> u64 {
    let (file, rank) = ((square & 7) as i8 + files, (square >> 3) as i8 + ranks);
    if file < 0 || file > 7 || rank < 0 || rank > 7 { 0 } else { 1 << (rank * 8 + file) }
}

const fn leaper_attacks<const K: usize>(steps: [Direction; K]) -> [u64; 64] {
    let (mut table, mut square) = ([0; 64], 0);
    while square < 64 {
        let mut i = 0;
        while i < K {
            table[square as usize] |= step(square, steps[i]);
            i += 1;
        }
        square += 1;
    }
    table
}

/// The attacks of a slider from a square, up to and including the first occupied square in each direction.
const fn slider_attacks(square: u8, steps: [Direction; 4], occupied: u64) -> u64 {
    let (mut reach, mut i) = (0, 0);
    while i < 4 {
        let mut at = square;
        loop {
            let next = step(at, steps[i]);
            reach |= next;
            if next == 0 || next & occupied != 0 {
                break;
            }
            at = next.trailing_zeros() as u8;
        }
        i += 1;
    }
    reach
}

/// The squares whose occupancy matters: all but the last one in each direction.
const fn relevant_occupancy(square: u8, steps: [Direction; 4]) -> u64 {
    let (mut squares, mut i) = (0, 0);
    while i < 4 {
        let mut at = square;
        loop {
            let next = step(at, steps[i]);
            if next == 0 || step(next.trailing_zeros() as u8, steps[i]) == 0 {
                break;
            }
            squares |= next;
            at = next.trailing_zeros() as u8;
        }
        i += 1;
    }
    squares
}

static KNIGHT: [u64; 64] = leaper_attacks(KNIGHT_DIRECTIONS);
static KING: [u64; 64] =
    leaper_attacks([(1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1)]);
static PAWN: [[u64; 64]; 2] = [leaper_attacks([(-1, 1), (1, 1)]), leaper_attacks([(-1, -1), (1, -1)])];

#[derive(Clone, Copy)]
struct Magic {
    relevant: u64,
    factor: u64,
    shift: u32,
    first: u32,
}

const fn magics(steps: [Direction; 4], factors: &[u64; 64]) -> [Magic; 64] {
    let mut magics = [Magic { relevant: 0, factor: 0, shift: 0, first: 0 }; 64];
    let (mut square, mut first) = (0, 0);
    while square < 64 {
        let relevant = relevant_occupancy(square, steps);
        let bits = relevant.count_ones();
        magics[square as usize] =
            Magic { relevant, factor: factors[square as usize], shift: 64 - bits, first };
        first += 1 << bits;
        square += 1;
    }
    magics
}

const fn attack_table<const K: usize>(steps: [Direction; 4], magics: &[Magic; 64]) -> [u64; K] {
    let (mut table, mut square) = ([0; K], 0);
    while square < 64 {
        let magic = magics[square as usize];
        let mut occupied: u64 = 0;
        loop {
            table[magic_index(magic, occupied)] = slider_attacks(square, steps, occupied);
            occupied = occupied.wrapping_sub(magic.relevant) & magic.relevant;
            if occupied == 0 {
                break;
            }
        }
        square += 1;
    }
    table
}

#[inline]
const fn magic_index(magic: Magic, occupied: u64) -> usize {
    let Magic { relevant, factor, shift, first } = magic;
    first as usize + ((occupied & relevant).wrapping_mul(factor) >> shift) as usize
}

const ROOK_MAGICS: [Magic; 64] = magics(ROOK_DIRECTIONS, &ROOK_FACTORS);
const BISHOP_MAGICS: [Magic; 64] = magics(BISHOP_DIRECTIONS, &BISHOP_FACTORS);
static ROOK_MAGIC: [Magic; 64] = ROOK_MAGICS;
static BISHOP_MAGIC: [Magic; 64] = BISHOP_MAGICS;
#[expect(long_running_const_eval, reason = "a hundred thousand short walks, a second or two")]
static ROOK: [u64; 102_400] = attack_table(ROOK_DIRECTIONS, &ROOK_MAGICS);
static BISHOP: [u64; 5_248] = attack_table(BISHOP_DIRECTIONS, &BISHOP_MAGICS);

/// Squares strictly between two that share a line, and the whole line through both; empty if they share none.
static BETWEEN: [[u64; 64]; 64] = lines(true);
static LINE: [[u64; 64]; 64] = lines(false);

#[expect(clippy::large_stack_arrays, reason = "only the compiler runs this")]
const fn lines(between: bool) -> [[u64; 64]; 64] {
    let (mut table, mut a) = ([[0; 64]; 64], 0);
    while a < 64 {
        let mut b = 0;
        while b < 64 {
            let (from, to) = (1 << a, 1 << b);
            let mut kind = 0;
            while kind < 2 {
                let steps = if kind == 0 { ROOK_DIRECTIONS } else { BISHOP_DIRECTIONS };
                if slider_attacks(a, steps, 0) & to != 0 {
                    table[a as usize][b as usize] = if between {
                        slider_attacks(a, steps, to) & slider_attacks(b, steps, from)
                    } else {
                        slider_attacks(a, steps, 0) & slider_attacks(b, steps, 0) | from | to
                    };
                }
                kind += 1;
            }
            b += 1;
        }
        a += 1;
    }
    table
}

/// The squares that a knight attacks.
#[inline]
pub fn knight(from: ChessSquare) -> Bitboard {
    Bitboard(KNIGHT[from.index()])
}

/// The squares that a king attacks.
#[inline]
pub fn king(from: ChessSquare) -> Bitboard {
    Bitboard(KING[from.index()])
}

/// The squares that a pawn of a side attacks.
#[inline]
pub fn pawn(seat: outplay_core::Seat, from: ChessSquare) -> Bitboard {
    Bitboard(PAWN[seat.index()][from.index()])
}

/// The squares that a rook attacks, own pieces included.
#[inline]
pub fn rook(from: ChessSquare, occupied: Bitboard) -> Bitboard {
    Bitboard(ROOK[magic_index(ROOK_MAGIC[from.index()], occupied.0)])
}

/// The squares that a bishop attacks, own pieces included.
#[inline]
pub fn bishop(from: ChessSquare, occupied: Bitboard) -> Bitboard {
    Bitboard(BISHOP[magic_index(BISHOP_MAGIC[from.index()], occupied.0)])
}

/// The squares strictly between two on one line; empty if they share none.
#[inline]
pub fn between(a: ChessSquare, b: ChessSquare) -> Bitboard {
    Bitboard(BETWEEN[a.index()][b.index()])
}

/// The line through two squares, from edge to edge; empty if they share none.
#[inline]
pub fn line(a: ChessSquare, b: ChessSquare) -> Bitboard {
    Bitboard(LINE[a.index()][b.index()])
}

#[rustfmt::skip]
const ROOK_FACTORS: [u64; 64] = [
    0x1080_0190_4002_8821, 0x0440_0020_0442_1002, 0x1080_0880_1000_2000, 0x2500_0510_0009_0021,
    0x6600_08a0_1002_0004, 0x1080_0400_8001_0200, 0x2200_2088_0200_0401, 0x0900_0040_8100_0022,
    0x0910_8000_4000_2083, 0x0801_8040_0060_0084, 0x0088_8010_0080_2000, 0x0402_0010_4022_0008,
    0x4080_8080_0400_0800, 0x0304_8004_0022_0080, 0x4102_00a4_0841_0200, 0x0102_0010_6100_840a,
    0x0080_2080_0040_0080, 0x0001_0500_4000_8020, 0x0820_0040_4010_0800, 0x0850_8080_0800_1000,
    0x4002_0500_0801_0011, 0x2004_0080_8002_0004, 0xc090_8080_0200_0100, 0xa000_0200_0041_00a4,
    0x0480_3880_8000_4002, 0x1020_0020_4000_5001, 0x0000_4011_0020_0900, 0x0202_0022_000c_1040,
    0x8042_1005_0048_0100, 0x0000_0400_8002_0080, 0x9205_0100_8080_0200, 0x0800_2082_0000_4104,
    0x02f0_4000_2880_0080, 0x0000_8020_0080_4000, 0x2140_8010_0080_2000, 0x4080_2102_0900_1000,
    0x1025_0008_0100_0410, 0x4002_8002_0080_0401, 0x1142_0288_0400_0110, 0x0401_0402_4600_0981,
    0x011c_2080_4000_8000, 0xc030_1020_0040_4003, 0x5a10_3060_0303_0041, 0xa000_1001_0021_000c,
    0x2168_0011_0009_0004, 0x0884_0200_0400_8080, 0x0000_0810_0184_0002, 0x0001_0020_8c41_0002,
    0x000a_2880_0110_4300, 0x0040_0620_0040_8480, 0x2010_9004_2004_8380, 0x0001_0800_1001_8280,
    0x3804_0004_8008_0080, 0xa003_0200_0400_8080, 0x8091_000a_0004_0500, 0x1023_1103_4404_8200,
    0x0004_8311_0640_2202, 0x2860_4208_8020_1102, 0x0409_0941_0020_0011, 0x2085_0010_0045_2009,
    0x1002_0009_a004_1002, 0x8529_0002_0400_0801, 0x3099_6110_0800_8224, 0x0400_0400_4081_0022,
];

#[rustfmt::skip]
const BISHOP_FACTORS: [u64; 64] = [
    0x50c0_0202_0851_0100, 0x0110_2101_0102_1181, 0x0384_1822_0242_0302, 0x2414_2404_8000_6014,
    0x0004_0504_5000_2000, 0x2882_0211_0400_280b, 0x0010_4802_1110_4000, 0x0102_1484_0402_4020,
    0x0401_1010_4280_8400, 0x0200_2504_0086_0a01, 0x9040_1001_0200_2800, 0x0400_8806_8101_1000,
    0x0800_0202_1084_2421, 0xac18_0904_a004_0880, 0x9400_0108_0110_4880, 0x8000_4041_0410_034a,
    0x8420_0084_0444_0800, 0x0010_6108_2141_0401, 0x0810_0418_2480_1010, 0x0400_8028_0200_4020,
    0x0a14_0042_0121_0008, 0x0040_4086_0042_2083, 0x0000_a003_4c10_0800, 0x0001_2084_4608_0420,
    0x0044_4014_0410_0406, 0x0044_2000_2498_0088, 0x2080_3000_0204_0041, 0x0016_0020_1800_8020,
    0x00a2_0020_0200_8058, 0x2041_0410_0202_0080, 0x0014_5080_084a_1008, 0x4504_2440_0301_0090,
    0x0008_0404_02c0_084a, 0x0104_4118_0104_9000, 0x0003_2401_0810_0110, 0x0002_a008_000a_8820,
    0x0001_1004_0070_8020, 0x1010_1000_4000_2400, 0x8004_0842_0808_8080, 0x0011_0041_0902_0108,
    0x4021_0421_0401_2000, 0x0002_8804_0240_3111, 0x1202_0020_2420_8800, 0x0010_1140_1040_2a00,
    0x2000_0102_1200_0400, 0x8001_4208_0a00_0041, 0x2020_0842_0040_4084, 0x8004_0884_0450_0101,
    0x0800_8858_0804_0012, 0x4004_4042_08a0_1042, 0x0220_1052_0804_0248, 0x1344_1008_2288_1001,
    0x8000_0090_021a_0400, 0x0411_4008_0204_2009, 0x0804_105a_0803_0100, 0x6004_1102_320e_0400,
    0x0041_0101_1002_8205, 0x4500_0200_5228_0400, 0x0001_0281_0088_0480, 0x0100_0000_00e1_8821,
    0x8001_0c00_9102_0200, 0x00a0_0805_0408_2203, 0x0400_4010_4102_2880, 0x0040_1084_2100_4010,
];

#[cfg(test)]
mod tests {
    use super::*;
    use outplay_core::Rng;

    /// No two occupancies with different attacks share an index: the tables agree with a walk.
    #[test]
    fn sliders_reach_what_a_walk_reaches() {
        let mut rng = Rng::new(1);
        for square in ChessSquare::all() {
            for _ in 0..500 {
                let occupied = rng.seed() & rng.seed();
                let number = square.number();
                assert_eq!(
                    rook(square, Bitboard(occupied)).0,
                    slider_attacks(number, ROOK_DIRECTIONS, occupied)
                );
                assert_eq!(
                    bishop(square, Bitboard(occupied)).0,
                    slider_attacks(number, BISHOP_DIRECTIONS, occupied)
                );
            }
        }
    }

    #[test]
    fn lines_and_what_lies_between() {
        let square = |name| ChessSquare::parse(name).unwrap();
        let names = |set: Bitboard| set.into_iter().map(|s| s.to_string()).collect::<Vec<_>>().join(" ");
        assert_eq!(names(between(square("b2"), square("e5"))), "c3 d4");
        assert_eq!(names(between(square("a1"), square("a2"))), "");
        assert_eq!(names(between(square("a1"), square("b3"))), "");
        assert_eq!(names(line(square("b2"), square("a3"))), "c1 b2 a3");
        assert!(line(square("a1"), square("b3")).is_empty());
        assert_eq!(line(square("c2"), square("c7")), Bitboard::file(2));
    }

    #[test]
    fn leapers() {
        let square = |name| ChessSquare::parse(name).unwrap();
        assert_eq!((knight(square("a1")).len(), knight(square("e4")).len()), (2, 8));
        assert_eq!((king(square("h8")).len(), king(square("e4")).len()), (3, 8));
        assert_eq!(pawn(outplay_core::Seat::First, square("a2")), square("b3").bitboard());
        assert_eq!(pawn(outplay_core::Seat::Second, square("e7")).len(), 2);
    }
}
