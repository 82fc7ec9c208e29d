//! Why something that was learnt cannot be used, and why a training is refused.

use std::path::PathBuf;

use outplay_core::{MalformedPosition, Text, errors};
use outplay_nn::{NetworkFileError, NpzError, ShapeError};

errors! {
    /// Why something that was learnt, or a training, is refused.
    pub enum LearningError {
        NotShipped =
            "no network for this board comes with the program: give file="
            | "aucun réseau pour ce plateau n’est livré avec le programme : donnez file=",
        NoEffectOnSearch { name: &'static str, depth: u32 } =
            "{name}= has no effect on a search of {depth} plies: expected depth=1 beside it"
            | "{name}= est sans effet sur une recherche de {depth} demi-coups : attendu depth=1 à côté",
        /// The last values are reached after `over` games, so there must be one.
        OverAlone =
            "over= has no effect alone: expected eps-end=, noise-end= or alpha-end= beside it"
            | "over= est sans effet seul : attendu eps-end=, noise-end= ou alpha-end= à côté",
        TemperatureAlone =
            "temperature= has no effect alone: expected softmax= beside it"
            | "temperature= est sans effet seul : attendu softmax= à côté",
        NoEffectWithFrom { name: &'static str } =
            "{name}= has no effect with from=: expected one of them"
            | "{name}= est sans effet avec from= : attendu l’un des deux",
        NoEffect { name: &'static str, with: Text } =
            "{name}= has no effect with {with}: expected one of them"
            | "{name}= est sans effet avec {with} : attendu l’un des deux",
        NobodyLearns =
            "first= and second= leave no seat to the learner: expected one of them"
            | "first= et second= ne laissent pas de place à l’élève : attendu l’un des deux",
        NoOpponent { name: &'static str } =
            "{name}= has no effect without an opponent: expected first= or second= beside it"
            | "{name}= est sans effet sans adversaire : attendu first= ou second= à côté",
        NobodyAtKeyboard =
            "there is nobody at a keyboard to play against: expected random or a file"
            | "il n’y a personne au clavier contre qui jouer : attendu random ou un fichier",
        OnePersonOnly =
            "a person cannot play against several learners at once: expected human without --seeds"
            | "une personne ne peut jouer contre plusieurs élèves à la fois : attendu human sans --seeds",
        /// Without notes a file is read as a network of sigmoids that sees the game's first encoding and looks one ply ahead.
        NeedsNotes { name: &'static str, value: String, expected: &'static str } =
            "{name}={value} cannot be told from a file without notes: expected {name}={expected} with notes=no"
            | "{name}={value} ne se lit pas d’un fichier sans notes : attendu {name}={expected} avec notes=no",
        NotANetwork { name: Text, fault: NetworkFault } =
            "{name} is not a network to play with: {fault}" | "{name} n’est pas un réseau avec lequel jouer : {fault}",
        NotATable { path: PathBuf, fault: TableFault } =
            "{path} is not a table of this game: {fault}" | "{path} n’est pas une table de ce jeu : {fault}",
        TableFull { states: usize, games: u64 } =
            "the tables have {states} states after {games} games: expected more memory for them (table=)"
            | "les tables ont {states} états après {games} parties : attendu plus de mémoire pour elles (table=)",
        CheckpointOfAnother =
            "the checkpoint cannot be used: expected one of this network"
            | "le point de reprise ne peut servir : attendu celui de ce réseau",
        Shape { reason: ShapeError } = "{reason}" | "{reason}",
        CheckpointDamaged { fault: TableFault } =
            "the checkpoint cannot be used: {fault}" | "le point de reprise ne peut servir : {fault}",
    }

    /// Why a file is not a network for a board.
    pub enum NetworkFault {
        IsTable { name: Text } =
            "it is a table, expected table:file={name}" | "c’est une table, attendu table:file={name}",
        File { reason: NpzError } = "{reason}" | "{reason}",
        Number { name: &'static str, number: i64, expected: i64 } =
            "its {name} is {number}, expected {expected}" | "son {name} est {number}, attendu {expected}",
        NoNumber { name: &'static str, expected: i64 } =
            "it has no whole number {name}, expected {expected}"
            | "il n’a pas de nombre entier {name}, attendu {expected}",
        Encoding { name: String, expected: Vec<&'static str> } =
            "its encoding is '{name}', expected one of {expected}"
            | "son codage est « {name} », attendu un de {expected}",
        Inputs { inputs: usize, expected: usize, encoding: String } =
            "W1 has {inputs} columns, expected {expected} for the encoding {encoding}"
            | "W1 a {inputs} colonnes, attendu {expected} pour le codage {encoding}",
        Depth { field: &'static str, depth: i64 } =
            "its {field} is {depth}, expected a whole number from 1 to 64"
            | "son {field} est {depth}, attendu un nombre entier de 1 à 64",
        Shape { reason: ShapeError } = "{reason}" | "{reason}",
        PolicyValue { reason: NetworkFileError } = "{reason}" | "{reason}",
        Sizes { found: String, expected: String } =
            "its layers are {found}, expected {expected}" | "ses couches sont {found}, attendu {expected}",
    }

    /// Why a text is not a table for a board.
    pub enum TableFault {
        TooShort = "it is too short" | "il est trop court",
        NotText = "it is not a text" | "ce n’est pas un texte",
        Head { line: String, expected: String } =
            "line 1: '{line}', expected '{expected}'" | "ligne 1 : « {line} », attendu « {expected} »",
        Fields { number: usize, line: String } =
            "line {number}: '{line}', expected a seat, a chance and a position"
            | "ligne {number} : « {line} », attendu un siège, une chance et une position",
        Seat { number: usize, seat: String } =
            "line {number}: '{seat}', expected first or second" | "ligne {number} : « {seat} », attendu first ou second",
        Chance { number: usize, chance: String } =
            "line {number}: '{chance}', expected a chance from 0 to 1, or games won of games such as 5/8"
            | "ligne {number} : « {chance} », attendu une chance de 0 à 1, ou des parties gagnées sur des parties comme 5/8",
        Position { number: usize, reason: MalformedPosition } = "line {number}: {reason}" | "ligne {number} : {reason}",
    }
}
