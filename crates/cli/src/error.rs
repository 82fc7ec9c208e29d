//! What the command line itself refuses. What games, players and files refuse comes from the lab.

use outplay_runtime::WorkError;
use std::io;
use std::path::PathBuf;

use outplay_arena::stats::SprtError;
use outplay_core::errors;

errors! {
    /// Why a command cannot be carried out.
    pub(crate) enum CommandError {
        Misplaced { option: String } =
            "{option} stands before a command: expected it after the command, or no command"
            | "{option} précède une commande : attendu après la commande, ou sans commande",
        SprtForm { text: String } =
            "--sprt {text}: expected two Elo differences such as 0,10"
            | "--sprt {text} : attendu deux différences d’Elo telles que 0,10",
        Sprt { text: String, reason: SprtError } = "--sprt {text}: {reason}" | "--sprt {text} : {reason}",
        ConsoleBoard { parameters: String, game: String } =
            "'{parameters}': expected {game} alone, since the console's own commands choose the board"
            | "« {parameters} » : attendu {game} seul, car les commandes de la console choisissent le plateau",
        ScriptLine =
            "1 line was refused: expected a script of commands ('help' lists them) and legal moves"
            | "1 ligne a été refusée : attendu un script de commandes (« help » les donne) et des coups légaux",
        ScriptLines { refused: u32 } =
            "{refused} lines were refused: expected a script of commands ('help' lists them) and legal moves"
            | "{refused} lignes ont été refusées : attendu un script de commandes (« help » les donne) et des coups légaux",
        LongLine { most: usize } =
            "a line is too long: expected at most {most} bytes" | "une ligne est trop longue : attendu {most} octets au plus",
        NothingToDo =
            "nothing to do: expected --out FILE or --describe FILE"
            | "rien à faire : attendu --out FICHIER ou --describe FICHIER",
        Commands { source: io::Error } =
            "cannot read the commands: {source}" | "impossible de lire les commandes : {source}",
        Keyboard { source: io::Error } =
            "cannot read the keyboard: {source}" | "impossible de lire le clavier : {source}",
        Interface { source: io::Error } =
            "cannot read the interface's lines: {source}" | "impossible de lire les lignes de l’interface : {source}",
        Threads { source: io::Error } =
            "cannot start threads: {source}" | "impossible de lancer des fils : {source}",
        UnreadableToken { path: PathBuf, source: io::Error } =
            "cannot read the token in {path}: {source}" | "impossible de lire le jeton dans {path} : {source}",
        EmptyToken { path: PathBuf } =
            "{path} holds no token: expected 8 to 200 letters, digits, '-' or '_'"
            | "{path} ne contient pas de jeton : attendu de 8 à 200 lettres, chiffres, « - » ou « _ »",
        NotServing { address: String, reason: io::Error } =
            "no studio answers at {address}: {reason}" | "aucun studio ne répond à {address} : {reason}",
        OtherGame { number: u64, path: PathBuf, found: String, expected: String } =
            "game {number} of {path} is one of {found}: expected {expected}"
            | "la partie {number} de {path} est de {found} : attendu {expected}",
        UnreadableGame { path: PathBuf, reason: WorkError } = "{path}: {reason}" | "{path} : {reason}",
        TooFewGames { option: String, number: u64, path: PathBuf, games: usize } =
            "{option} {number}: {path} has {games} games" | "{option} {number} : {path} a {games} parties",
    }
}
