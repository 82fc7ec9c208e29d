//! Files: networks in two formats and sets of chess positions.
//!
//! Checksums would stop almost every changed input at the door. So each input is read twice: as it is, and with its checksums mended.

use std::io::{Cursor, Write};

use outplay_games::chess::Chess;
use outplay_games::chess::dataset::{ExampleSetReader, ExampleSetWriter, GameExamples};
use outplay_nn::{Network, NpzNetwork, Scalar};
use zip::write::SimpleFileOptions;

/// A network that is read is written as a file that reads as the same network.
pub fn safetensors(input: &[u8]) {
    network_file::<f32>(input);
    network_file::<f64>(input);
}

fn network_file<T: Scalar>(input: &[u8]) {
    let Ok(network) = Network::<T>::from_safetensors(input) else { return };
    let written = network.to_safetensors(&[]);
    let again = Network::<T>::from_safetensors(&written).expect("a written network");
    assert_eq!(again.to_safetensors(&[]), written);
}

/// The fields whose names an archive of [`npz`] uses, by the first byte of each.
const FIELDS: [&str; 8] = ["W1", "W2", "N", "WALLS", "ACTIVATION", "ENCODING", "HISTORY", "X"];

/// A network that is read is written as a file that reads as the same network.
pub fn npz(input: &[u8]) {
    network_archive(input);
    if let Some(archive) = archive(input) {
        network_archive(&archive);
    }
}

fn network_archive(input: &[u8]) {
    let Ok(network) = NpzNetwork::read(input) else { return };
    let written = network.write().expect("a network that was read has the shape of such files");
    let again = NpzNetwork::read(&written).expect("a written network");
    assert_eq!(again.write().ok(), Some(written));
}

/// An archive of the fields in the input: for each the number of its name, its length in two bytes, its bytes.
fn archive(mut input: &[u8]) -> Option<Vec<u8>> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let mut known = Vec::new();
    while let [name, low, high, rest @ ..] = input {
        let name = FIELDS[usize::from(*name) % FIELDS.len()];
        let (content, rest) = rest.split_at(rest.len().min(usize::from(u16::from_le_bytes([*low, *high]))));
        if !known.contains(&name) {
            known.push(name);
            writer.start_file(format!("{name}.npy"), SimpleFileOptions::default()).ok()?;
            writer.write_all(content).ok()?;
        }
        input = rest;
    }
    writer.finish().ok().map(Cursor::into_inner)
}

/// A set that is read is written as a set that reads as the same, and its positions are positions.
pub fn sets(input: &[u8]) {
    example_set(input);
    example_set(&mended(input));
}

fn example_set(input: &[u8]) {
    let Ok(mut reader) = ExampleSetReader::new(input) else { return };
    let games: Vec<GameExamples> = reader.by_ref().map_while(Result::ok).collect();
    for position in games.iter().flat_map(|game| &game.examples).filter_map(|example| example.position()) {
        assert_eq!(Chess::from_fen(&position.fen()), Ok(position));
    }
    let mut written = Vec::new();
    let mut writer = ExampleSetWriter::new(&mut written, reader.note()).expect("memory can be written");
    for game in &games {
        writer.add(game).expect("memory can be written");
    }
    writer.finish().expect("memory can be written");
    let again: Vec<GameExamples> = ExampleSetReader::new(&written[..])
        .expect("a written set")
        .map(|game| game.expect("a written game"))
        .collect();
    assert!(again.iter().eq(games.iter().filter(|game| !game.examples.is_empty())));
}

/// The set with the checksums that its blocks ought to have.
fn mended(input: &[u8]) -> Vec<u8> {
    /// The mark and the length of the note.
    const HEAD: usize = 12;
    /// What stands before the examples of a game; their length is at its end.
    const GAME: usize = 8;
    let mut bytes = input.to_vec();
    let Some(note) = bytes.get(8..HEAD).and_then(|length| length.try_into().ok()).map(u32::from_le_bytes)
    else {
        return bytes;
    };
    let mut at = HEAD.saturating_add(note as usize);
    while let Some(&[_, _, _, _, length @ ..]) =
        bytes.get(at..at.saturating_add(GAME)).and_then(|head| head.first_chunk::<GAME>())
    {
        let end = (at + GAME).saturating_add(u32::from_le_bytes(length) as usize);
        let Some(sum) = bytes.get(at..end).map(crc32fast::hash) else { break };
        let Some(place) = bytes.get_mut(end..end.saturating_add(4)) else { break };
        place.copy_from_slice(&sum.to_le_bytes());
        at = end + 4;
    }
    bytes
}
