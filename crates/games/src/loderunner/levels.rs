//! Twenty levels, each of which teaches one thing.

use outplay_core::Text;

/// A level that comes with the game.
#[derive(Clone, Debug)]
pub struct NamedLevel {
    /// Its name.
    pub name: &'static str,
    /// What it teaches.
    pub lesson: Text,
    /// The level, in the letters of levels.
    pub text: &'static str,
}

/// The levels, the simplest first.
pub static LEVELS: [NamedLevel; 20] = [
    NamedLevel {
        name: "walk",
        lesson: Text::new(
            "walk to the gold and up the exit ladder",
            "marcher jusqu’à l’or, puis monter l’échelle de sortie",
        ),
        text: "...........H\n\
               ...........H\n\
               M...G...G..H\n\
               bbbbbbbbbbbb",
    },
    NamedLevel {
        name: "ladder",
        lesson: Text::new("climb ladders up and down", "monter et descendre par les échelles"),
        text: ".........H\n\
               ....G....H\n\
               bb#bbbb#bH\n\
               ..#....#.H\n\
               M.#....#GH\n\
               bbbbbbbbbb",
    },
    NamedLevel {
        name: "rope",
        lesson: Text::new("hang from a rope to cross a gap", "traverser un vide suspendu à une corde"),
        text: "...........H\n\
               ...........H\n\
               M..-----..GH\n\
               bbb.....bbbb\n\
               ............\n\
               BBBBBBBBBBBB",
    },
    NamedLevel {
        name: "fall",
        lesson: Text::new(
            "a fall harms nobody: step off the edge",
            "une chute ne blesse pas : avancer dans le vide",
        ),
        text: "H..........\n\
               H..........\n\
               HM.........\n\
               #bbb.......\n\
               #..........\n\
               #......G...\n\
               #bbbbbbbbbb",
    },
    NamedLevel {
        name: "let-go",
        lesson: Text::new("let go of a rope above the gold", "lâcher une corde au-dessus de l’or"),
        text: "H...........\n\
               H...........\n\
               HM--------..\n\
               #bb.......bb\n\
               #...........\n\
               #.....G.....\n\
               #bbbbbbbbbbb",
    },
    NamedLevel {
        name: "dig",
        lesson: Text::new(
            "dig a brick to reach the gold below it",
            "creuser une brique pour atteindre l’or dessous",
        ),
        text: "H...........\n\
               H...........\n\
               H...M.......\n\
               #bbbbbbbbbbb\n\
               #...b.G.b...\n\
               #...........\n\
               #...........\n\
               #bbbbbbbbbbb",
    },
    NamedLevel {
        name: "dig-out",
        lesson: Text::new(
            "a chamber without a door: dig in above, dig out below",
            "une chambre sans porte : creuser pour entrer, creuser pour sortir",
        ),
        text: "H...........\n\
               H...........\n\
               H...M.......\n\
               #bbbbbbbbbbb\n\
               #..b..Gb....\n\
               #..bbbbb....\n\
               #...........\n\
               #bbbbbbbbbbb",
    },
    NamedLevel {
        name: "stairs",
        lesson: Text::new(
            "two layers of brick: dig the upper one wider",
            "deux couches de briques : creuser la plus haute plus large",
        ),
        text: "H...........\n\
               H...........\n\
               H...M.......\n\
               #bbbbbbbbbbb\n\
               #bbbbbbbbbbb\n\
               #...........\n\
               #......G....\n\
               #bbbbbbbbbbb",
    },
    NamedLevel {
        name: "exit",
        lesson: Text::new(
            "the exit ladder appears with the last gold",
            "l’échelle de sortie apparaît avec le dernier or",
        ),
        text: ".....H......\n\
               .....H......\n\
               G....H.....G\n\
               bb#bbbbbb#bb\n\
               ..#......#..\n\
               M.#......#..\n\
               bbbbbbbbbbbb",
    },
    NamedLevel {
        name: "order",
        lesson: Text::new(
            "what is above comes first: there is no way back up",
            "ce qui est en haut d’abord : on ne remonte pas",
        ),
        text: "...........H\n\
               ...........H\n\
               M...G......H\n\
               bbbbbb.....H\n\
               ...........H\n\
               ......G....H\n\
               ....bbbbbb.H\n\
               ...........#\n\
               .G.........#\n\
               bbbbbbbbbbbb",
    },
    NamedLevel {
        name: "patience",
        lesson: Text::new(
            "a hole closes again: wait, then walk over it",
            "un trou se referme : attendre, puis passer dessus",
        ),
        text: "H.........\n\
               H.........\n\
               HG.....M..\n\
               #bbbbbbbbb\n\
               #........b\n\
               #.......Gb\n\
               #bbbbbbbbb",
    },
    NamedLevel {
        name: "outrun",
        lesson: Text::new("guards are slower: run", "les gardes sont plus lents : courir"),
        text: "..............H\n\
               ..............H\n\
               E..M....G....GH\n\
               bbbbbbbbbbbbbbb",
    },
    NamedLevel {
        name: "trap",
        lesson: Text::new("dig a hole in the way of a guard", "creuser un trou devant un garde"),
        text: "H.............\n\
               H.............\n\
               H...M.......EG\n\
               bbbbbbbbbbbbbb\n\
               BBBBBBBBBBBBBB",
    },
    NamedLevel {
        name: "heads",
        lesson: Text::new(
            "walk over the head of a trapped guard",
            "passer sur la tête d’un garde pris au trou",
        ),
        text: "..............H\n\
               ..............H\n\
               ...M......E..GH\n\
               BBBBBBbbbBBBBBB\n\
               BBBBBBBBBBBBBBB",
    },
    NamedLevel {
        name: "bury",
        lesson: Text::new(
            "a hole that closes buries its guard, who comes back at the top",
            "un trou qui se ferme ensevelit son garde, qui revient en haut",
        ),
        text: "H..............\n\
               H..............\n\
               #.............E\n\
               #bbbbbbbbbbbb#b\n\
               #............#.\n\
               #...M........#G\n\
               bbbbbbbbbbbbbbb\n\
               BBBBBBBBBBBBBBB",
    },
    NamedLevel {
        name: "thief",
        lesson: Text::new(
            "a guard takes gold along: make it fall, or wait",
            "un garde emporte l’or : le faire tomber, ou attendre",
        ),
        text: "H.............\n\
               H.............\n\
               #M......G....E\n\
               #bbbbbbbbbbbbb\n\
               #.............\n\
               #.............\n\
               bbbbbbbbbbbbbb",
    },
    NamedLevel {
        name: "between",
        lesson: Text::new("a guard from either side: two traps", "un garde de chaque côté : deux pièges"),
        text: "........H......\n\
               ........H......\n\
               E..G...MH..G..E\n\
               bbbbbbbbbbbbbbb\n\
               BBBBBBBBBBBBBBB",
    },
    NamedLevel {
        name: "pit",
        lesson: Text::new("a hole without a way out is a grave", "un trou sans issue est une tombe"),
        text: "H...........\n\
               H...........\n\
               H..M.....G..\n\
               bbbbbbbbbb#b\n\
               ..........#.\n\
               ....G.....#.\n\
               BBBBBBBBBBBB",
    },
    NamedLevel {
        name: "stone",
        lesson: Text::new(
            "stone cannot be dug: ropes and ladders only",
            "la pierre ne se creuse pas : cordes et échelles seulement",
        ),
        text: "H.............\n\
               H...---..G....\n\
               H#BB...BBBB#BB\n\
               .#.........#..\n\
               .#..----...#..\n\
               BBBB.#..BBBBBB\n\
               .....#........\n\
               .G...#..M.....\n\
               BBBBBBBBBBBBBB",
    },
    NamedLevel {
        name: "all",
        lesson: Text::new("everything together", "tout à la fois"),
        text: ".....................H\n\
               .G......-----....E...H\n\
               bbb#bbbb.....bbbbb#bbH\n\
               ...#..............#..H\n\
               ...#..G.b...b.....#..H\n\
               bbbbbbb#bbbbbbbb#bbbbb\n\
               .......#.b.G.b..#.....\n\
               .......#.bbbbb..#...G.\n\
               bb#bbbbbb....bbbbbb#bb\n\
               ..#................#..\n\
               M.#..G.....E.......#..\n\
               bbbbbbbbbbbbbbbbbbbbbb",
    },
];
