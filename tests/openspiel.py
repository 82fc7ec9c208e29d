"""Random games of OpenSpiel, for `crates/lab/tests/openspiel.rs` to play after: `openspiel.py GAMES SEED`.

One line of JSON for each game: its name here, the legal moves before each move, the move, and the first player's points.
"""

import json
import random
import sys

import pyspiel

COLUMNS = "abcdefgh"


def connectfour(action):
    return str(action + 1)


def othello(action):
    return "pass" if action == 64 else f"{COLUMNS[action % 8]}{action // 8 + 1}"


def play(name, theirs, written, rng):
    state = pyspiel.load_game(theirs).new_initial_state()
    plies = []
    while not state.is_terminal():
        action = rng.choice(state.legal_actions())
        plies.append({"legal": sorted(map(written, state.legal_actions())), "move": written(action)})
        state.apply_action(action)
    return {"game": name, "plies": plies, "points": (state.returns()[0] + 1) / 2}


games, seed = map(int, sys.argv[1:])
rng = random.Random(seed)
for _ in range(games):
    print(json.dumps(play("connectfour", "connect_four", connectfour, rng)))
    print(json.dumps(play("othello", "othello", othello, rng)))
