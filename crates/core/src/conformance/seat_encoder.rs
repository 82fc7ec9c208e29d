//! Checks of encodings as a seat sees a position: inputs, changes, slots, and where symmetries take them.

use crate::{Change, Position, Rng, Seat, SeatEncoder, Symmetry};

/// Plays `games` random games from the first of these starts and checks the promises of [`SeatEncoder`] at every turn.
///
/// Each game is played once more under every symmetry: from the start that is the image of the first one, by the moves whose
/// slots are the images. So the starts must hold the first one's image under every symmetry; a start that is its own image
/// stands alone.
pub fn check_seat_encoder<P: Position, E: SeatEncoder<P>>(starts: &[P], encoder: &E, games: u64, seed: u64) {
    let start = &starts[0];
    let symmetries = encoder.symmetries();
    let images: Vec<&P> = symmetries.iter().map(|symmetry| image_of(starts, encoder, symmetry)).collect();
    for number in 0..games {
        let (mut rng, mut position, mut scratch) = (Rng::stream(seed, number), start.clone(), Vec::new());
        let mut images: Vec<P> = images.iter().map(|&image| image.clone()).collect();
        while position.outcome().is_none() {
            check_turn(encoder, &position);
            for (symmetry, image) in symmetries.iter().zip(&images) {
                check_image(encoder, symmetry, &position, image);
            }
            let mv = position.random_move(&mut rng, &mut scratch);
            let slot = usize::from(encoder.slot(&position, mv));
            for (symmetry, image) in symmetries.iter().zip(&mut images) {
                let moves = image.moves().into_iter();
                let mut played = moves.filter(|&mv| encoder.slot(image, mv) == symmetry.slots[slot]);
                image.play(played.next().expect("the image of a legal move is legal"));
            }
            position.play(mv);
        }
    }
}

/// The start that is the first one's image under the symmetry, which must be a permutation.
fn image_of<'s, P: Position, E: SeatEncoder<P>>(starts: &'s [P], encoder: &E, symmetry: &Symmetry) -> &'s P {
    let mut inputs = symmetry.inputs.clone();
    inputs.sort_unstable();
    assert!(inputs.into_iter().eq(0..encoder.inputs() as u32), "a symmetry permutes the inputs");
    let mut slots: Vec<usize> = symmetry.slots.iter().copied().map(usize::from).collect();
    slots.sort_unstable();
    assert!(slots.into_iter().eq(0..encoder.slots()), "a symmetry permutes the slots");
    let expected = mapped(&symmetry.inputs, &inputs_seen(encoder, &starts[0], Seat::First));
    starts
        .iter()
        .find(|start| inputs_seen(encoder, start, Seat::First) == expected)
        .expect("every symmetry takes the first start to one of the starts")
}

/// The inputs as both seats see them, the changes that lead to those after every legal move, and the slots.
fn check_turn<P: Position>(encoder: &impl SeatEncoder<P>, position: &P) {
    let all = all_on(encoder, position);
    let (on, most) = (all.iter().filter(|&&is_on| is_on).count(), encoder.most_on());
    assert!(on <= most, "{on} inputs are on, at most {most} were promised: {position:?}");
    let mut taken = vec![false; encoder.slots()];
    for mv in position.moves() {
        let slot = encoder.slot(position, mv);
        assert!(
            !std::mem::replace(&mut taken[usize::from(slot)], true),
            "no other move has the slot {slot} of {mv:?}"
        );
        for seat in Seat::BOTH {
            let mut now = inputs_seen(encoder, position, seat);
            let mut changed = vec![false; encoder.inputs()];
            encoder.each_change(position, mv, seat, |Change { input, on }| {
                let at = input as usize;
                assert!(!std::mem::replace(&mut changed[at], true), "{mv:?} changes input {input} once");
                assert_ne!(now[at], on, "{mv:?} changes input {input} of {position:?}");
                now[at] = on;
            });
            let after = inputs_seen(encoder, &position.after(mv), seat);
            assert_eq!(now, after, "{mv:?} in {position:?} as {seat:?} sees it");
        }
    }
}

/// What is seen of the image of a position is the image of what is seen of the position.
fn check_image<P: Position>(encoder: &impl SeatEncoder<P>, symmetry: &Symmetry, position: &P, image: &P) {
    let expected = mapped(&symmetry.inputs, &all_on(encoder, position));
    assert_eq!(expected, all_on(encoder, image), "{image:?} is the image of {position:?}");
    let other = !position.seat();
    let expected = mapped(&symmetry.inputs, &inputs_seen(encoder, position, other));
    assert_eq!(expected, inputs_seen(encoder, image, other), "{image:?} is the image of {position:?}");
    let mut expected: Vec<u16> = position
        .moves()
        .into_iter()
        .map(|mv| symmetry.slots[usize::from(encoder.slot(position, mv))])
        .collect();
    let mut slots: Vec<u16> = image.moves().into_iter().map(|mv| encoder.slot(image, mv)).collect();
    expected.sort_unstable();
    slots.sort_unstable();
    assert_eq!(expected, slots, "the moves of {image:?} are the images of those of {position:?}");
}

/// Everything that the side to move sees, computed inputs too.
fn all_on<P: Position>(encoder: &impl SeatEncoder<P>, position: &P) -> Vec<bool> {
    let mut on = inputs_seen(encoder, position, position.seat());
    encoder.each_computed(position, |input| turn_on(&mut on, input));
    on
}

/// What a seat sees without computed inputs.
fn inputs_seen<P: Position>(encoder: &impl SeatEncoder<P>, position: &P, seat: Seat) -> Vec<bool> {
    let mut on = vec![false; encoder.inputs()];
    encoder.each_on(position, seat, |input| turn_on(&mut on, input));
    on
}

fn turn_on(on: &mut [bool], input: u32) {
    assert!(!std::mem::replace(&mut on[input as usize], true), "input {input} is visited once");
}

/// The inputs after each went where the symmetry takes it.
fn mapped(images: &[u32], on: &[bool]) -> Vec<bool> {
    let mut mapped = vec![false; on.len()];
    for (&image, &is_on) in images.iter().zip(on) {
        mapped[image as usize] = is_on;
    }
    mapped
}
