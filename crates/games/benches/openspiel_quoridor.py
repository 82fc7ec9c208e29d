"""Quoridor here and in OpenSpiel, one thread each, in one run: python3 openspiel_quoridor.py path/to/outplay.

Needs `pip install open_spiel`. OpenSpiel's numbers are those of its C++ code: random games are the rollouts of one
simulation of its MCTSBot, simulations are those of a search from the start with one rollout each.
"""

import json
import subprocess
import sys
import time

import pyspiel

BOARDS = [(9, 10), (5, 3)]
ROUNDS = 5


def search_seconds(game, simulations, rollouts, seed):
    """The time of one search from the start of a game."""
    evaluator = pyspiel.RandomRolloutEvaluator(rollouts, seed)
    bot = pyspiel.MCTSBot(
        game, evaluator, uct_c=0.5, max_simulations=simulations, max_memory_mb=4000, solve=True, seed=seed, verbose=False
    )
    state = game.new_initial_state()
    start = time.perf_counter()
    bot.step(state)
    return time.perf_counter() - start


def median_rate(amount, seconds):
    """The middle of several rates, each of a run of its own."""
    return sorted(amount / seconds(seed) for seed in range(1, ROUNDS + 1))[ROUNDS // 2]


def openspiel(size, walls):
    """Random games and simulations a second."""
    game = pyspiel.load_game("quoridor", {"board_size": size, "wall_count": walls})
    games, simulations = (100, 500) if size > 5 else (1000, 2000)
    return (
        median_rate(games, lambda seed: search_seconds(game, 1, games, seed)),
        median_rate(simulations, lambda seed: search_seconds(game, simulations, 1, seed)),
    )


def main():
    command = [sys.argv[1], "bench", "quoridor", "--json"]
    measured = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["results"]
    ours = {result["name"]: result["value"] for result in measured}
    for size, walls in BOARDS:
        board = f"quoridor {size}×{size}/{walls}"
        games, simulations = openspiel(size, walls)
        for what, theirs in [("random games", games), ("MCTS from the start", simulations)]:
            rate = ours[f"{board}: {what}"]
            print(f"{board}, {what}: {rate:.0f}/s, OpenSpiel {theirs:.0f}/s, ratio {rate / theirs:.0f}")


main()
