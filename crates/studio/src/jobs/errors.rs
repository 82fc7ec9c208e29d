//! Why a job is not begun, or does not do what was asked.

use outplay_core::{Text, errors};

use crate::refusal::CodedError;

errors! {
    /// Why a job is not begun, or does not do what was asked.
    pub(super) enum JobError {
        Games { games: u64, most: u64 } =
            "{games} games cannot be played: expected 1 to {most}" | "{games} parties ne peuvent être jouées : attendu de 1 à {most}",
        Players { given: usize, least: usize, most: usize } =
            "{given} players make no tournament: expected {least} to {most}"
            | "{given} joueurs ne font pas un tournoi : attendu de {least} à {most}",
        Twice { player: String } =
            "the player '{player}' was named twice: expected different ones"
            | "le joueur « {player} » est nommé deux fois : attendu des joueurs différents",
        Knockout { places: u32, most: u32 } =
            "a knock-out of {places}: expected a power of two from 2 to {most}"
            | "une phase finale à {places} : attendu une puissance de deux de 2 à {most}",
        KnockoutAlone =
            "nobody is knocked out of a game for one" | "personne n’est éliminé d’un jeu pour un seul",
        /// Networks are uploaded.
        NoWork =
            "a network is no work: expected its file, by POST /api/models"
            | "un réseau n’est pas un travail : attendu son fichier, par POST /api/models",
        NotOpen = "the job neither waits nor runs" | "le travail n’attend pas et ne tourne pas",
        Unpausable =
            "this job cannot be paused: expected stop" | "ce travail ne peut être mis en pause : attendu stop",
        NoModel { model: String } =
            "there is no model '{model}': expected one that was trained here"
            | "il n’y a pas de réseau « {model} » : attendu un réseau entraîné ici",
        /// It has learned nothing that its game can measure.
        Unmeasurable { model: String, reason: Text } =
            "the model '{model}' cannot be evaluated: {reason}" | "le réseau « {model} » ne peut être évalué : {reason}",
        NothingToResume =
            "there is nothing to go on with in this job" | "il n’y a rien à reprendre dans ce travail",
        /// It may be the cause of the crashes, so only a person resumes it.
        Crashed =
            "stopped after a crash: the studio ended twice while this job ran"
            | "arrêté après un plantage : le studio s’est terminé deux fois pendant ce travail",
        NoGames = "only tournaments leave games" | "seuls les tournois laissent des parties",
        Format { format: String } =
            "'{format}' is not a form of these games: expected csv, json"
            | "« {format} » n’est pas une forme de ces parties : attendu csv, json",
        FormatOrOwn { format: String, own: &'static str } =
            "'{format}' is not a form of these games: expected csv, json or {own}"
            | "« {format} » n’est pas une forme de ces parties : attendu csv, json ou {own}",
    }
}

impl CodedError for JobError {}
