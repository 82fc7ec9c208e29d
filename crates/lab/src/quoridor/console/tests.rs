//! Scripts executed and lines refused.

use super::*;
use proptest::prelude::*;

fn new_console() -> QuoridorConsole {
    QuoridorConsole::new(&Arc::new(Store::at("nowhere")))
}

fn say(console: &mut QuoridorConsole, line: &str) -> Result<String, String> {
    match console.execute(line, Watch::nobody()) {
        Ok(ConsoleReply::Said(text, facts)) => {
            assert!(!facts.is_empty(), "{line}");
            Ok(text)
        }
        Ok(_) => Ok(String::new()),
        Err(error) => Err(error.to_string()),
    }
}

#[test]
fn the_documents_script_is_executed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("IA.npz");
    let save = format!("save {}", file.display());
    let mut console = new_console();
    let script = ["new 5 3 100", "eps 0.2", "TD-lambda", "alpha 0.5", "lambda 0.8", "train 40", &save];
    for line in script {
        say(&mut console, line).unwrap();
    }
    assert!(matches!(console.execute("quit", Watch::nobody()), Ok(ConsoleReply::Quit)));
    let read = NpzNetwork::read(&std::fs::read(&file).unwrap()).unwrap();
    assert_eq!((read.number("N"), read.number("WALLS")), (Some(5), Some(3)));
    let architecture = read.network.architecture();
    assert_eq!((architecture.inputs, architecture.sparse_hidden().unwrap().0), (90, 100));
    // The same as the lab's own training with these parameters.
    let config = TrainingConfig {
        hidden: 100,
        learning: LearningConfig {
            rule: Rule::TdLambda(0.8),
            rate: Ramp::constant(0.5),
            exploration: Exploration::epsilon(0.2),
            ..TrainingConfig::of_document("document", 0).learning
        },
        ..TrainingConfig::of_document("document", 0)
    };
    let mut game = referee(Quoridor::<u64>::start(5, 3).unwrap(), None);
    game.repetitions = None;
    let mut twin = NetworkTraining::new(&game, config, 0);
    NetworkTraining::learn(&mut twin, 40, Watch::nobody()).unwrap();
    assert_eq!(read.network, twin.network());

    let mut other = new_console();
    say(&mut other, &format!("load {}", file.display())).unwrap();
    let compared = say(&mut other, &format!("compare {} 20 0.3", file.display())).unwrap();
    assert!(compared.contains("of 20 games"), "{compared}");
}

#[test]
fn training_in_parts_goes_on() {
    let mut console = new_console();
    let mut weights = Vec::new();
    for parts in [&["train 30"][..], &["train 10", "eps 0.3", "train 20"][..]] {
        say(&mut console, "new 4 1 8").unwrap();
        for line in parts {
            say(&mut console, line).unwrap();
        }
        weights.push(NpzNetwork::read(&console.present().unwrap().file()).unwrap().network);
    }
    assert_eq!(weights[0], weights[1]);
}

#[test]
fn what_is_wrong_is_refused_in_one_sentence() {
    let mut console = new_console();
    for (line, expected) in [
        ("train 10", "there is no AI yet"),
        ("play", "there is no AI yet"),
        ("new 5 3", "'new 5 3': expected new N W H"),
        ("new 2 3 10", "N 2: expected a whole number from 3 to 9"),
        ("new 5 11 10", "W 11: expected a whole number from 0 to 10"),
        ("eps 2", "eps 2: expected a number from 0 to 1"),
        ("load /nonexistent", "/nonexistent"),
        ("dance", "'dance' is not a command: expected one of new, load"),
        ("TD-lambda 0.9", "'TD-lambda 0.9': expected TD-lambda"),
        ("play human 12 3", "N 12"),
        ("traces both", "'traces both': expected traces shared | own"),
        ("start left", "'start left': expected start mirrored | same"),
    ] {
        let sentence = say(&mut console, line).unwrap_err();
        assert!(sentence.contains(expected) && !sentence.contains('\n'), "{line}: {sentence}");
    }
    assert!(say(&mut console, "show").unwrap().contains("no AI yet"));
    say(&mut console, "new 4 1 5").unwrap();
    for (line, expected) in
        [("train 5 human", "nobody at a keyboard"), ("train 5 /nonexistent", "/nonexistent")]
    {
        let sentence = say(&mut console, line).unwrap_err();
        assert!(sentence.contains(expected), "{line}: {sentence}");
    }
}

/// §2.6: against random moves, against a file, and by the two readings of what the document leaves open.
#[test]
fn an_ai_learns_against_another() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("other.npz");
    let mut console = new_console();
    let mut networks = Vec::new();
    for lines in [
        vec!["new 4 1 8".to_owned(), "train 30".to_owned(), format!("save {}", file.display())],
        vec!["new 4 1 8".to_owned(), "train 30 random".to_owned()],
        vec!["new 4 1 8".to_owned(), format!("train 30 {}", file.display())],
        vec!["new 4 1 8".to_owned(), "traces own".to_owned(), "train 30".to_owned()],
        vec!["start same".to_owned(), "new 4 1 8".to_owned(), "train 30".to_owned()],
    ] {
        for line in lines {
            say(&mut console, &line).unwrap();
        }
        networks.push(NpzNetwork::read(&console.present().unwrap().file()).unwrap());
    }
    for (number, network) in networks.iter().enumerate() {
        assert!(networks[..number].iter().all(|other| other.network != network.network), "{number}");
    }
    let told = |number: usize| networks[number].history.clone().unwrap();
    assert!(told(1).contains(" second=random swap=yes, seed 0"), "{}", told(1));
    assert!(told(3).contains(" traces=own "), "{}", told(3));
    assert!(say(&mut console, "show").unwrap().contains("traces own, start same"));
}

#[test]
fn a_game_against_the_ai_is_laid_out() {
    let mut console = new_console();
    say(&mut console, "new 5 1 5").unwrap();
    let Ok(ConsoleReply::Game(mut table, Some(Seat::Second))) =
        console.execute("play black", Watch::nobody())
    else {
        panic!("no game")
    };
    let opinion = table.think(Watch::nobody(), None).unwrap();
    table.play(&opinion.best).unwrap();
    let Ok(ConsoleReply::Game(table, None)) = console.execute("play human 7 3", Watch::nobody()) else {
        panic!("no game")
    };
    assert_eq!(table.snapshot().position, "7 d1:3 d7:3 white");
}

proptest! {
    /// Any line is executed or refused in a sentence of one line; nothing panics.
    #[test]
    fn any_line_is_executed_or_refused(line in prop_oneof![
        any::<String>(),
        "(new|eps|alpha|lambda|seed|show|help|play|train|compare|load) ?[-0-9.e]{0,4} ?[0-9]{0,2} ?[0-9]{0,1}",
    ]) {
        let mut console = new_console();
        if let Err(sentence) = say(&mut console, &line) {
            prop_assert!(!sentence.trim_end().contains('\n'), "{}", sentence);
        }
    }
}
