"""Plays colour-swapped games between two UCI engines, refereed by python-chess, which shares no line with us.

    python uci_match.py 200 clock=1+0.01 "outplay uci" "outplay uci"
    python uci_match.py 200 movetime=100 "outplay uci" stockfish --limit-b depth=8 --option-b "Skill Level=7"

A limit is movetime=MILLISECONDS, nodes=N, depth=N or clock=SECONDS+INCREMENT. Openings are eight random plies, each
played from both sides, or the lines of --openings (FEN). An illegal move ends the run. Forfeits are moves after which a
clock was below zero and, at movetime, answers that came more than 50 ms late; the game goes on. An engine that dies or
does not answer for ten seconds beyond its time loses the game, is counted as a failure, and is started again.
"""

import argparse
import concurrent.futures
import math
import random
import shlex
import sys
import time

import chess
import chess.engine


def limit(text, clocks):
    kind, value = text.split("=")
    if kind == "clock":
        increment = float(value.split("+")[1])
        return chess.engine.Limit(
            white_clock=clocks[0], black_clock=clocks[1], white_inc=increment, black_inc=increment
        )
    return {
        "movetime": lambda: chess.engine.Limit(time=float(value) / 1000),
        "nodes": lambda: chess.engine.Limit(nodes=int(value)),
        "depth": lambda: chess.engine.Limit(depth=int(value)),
    }[kind]()


TOLERANCE = 0.05


def is_late(text, seconds):
    """Whether an answer took longer than its movetime and what lies between us and the engine."""
    kind, value = text.split("=")
    return kind == "movetime" and seconds > float(value) / 1000 + TOLERANCE


class Gone(Exception):
    """An engine died or does not answer."""


class Engine:
    """A program that is started again when it fails."""

    patience = 10.0
    workers = concurrent.futures.ThreadPoolExecutor(max_workers=8)

    def __init__(self, command, options):
        self.command = shlex.split(command)
        self.options = dict(option.split("=", 1) for option in options)
        self.failures = 0
        self.start()

    def start(self):
        self.engine = chess.engine.SimpleEngine.popen_uci(self.command)
        self.engine.configure(self.options)

    def play(self, board, limit, game):
        clock = limit.white_clock if board.turn == chess.WHITE else limit.black_clock
        allowed = self.patience + (limit.time or clock or 60.0)
        try:
            return self.workers.submit(self.engine.play, board, limit, game=game).result(allowed).move
        except (concurrent.futures.TimeoutError, chess.engine.EngineError):
            self.failures += 1
            try:
                self.engine.transport.kill()
            except ProcessLookupError:
                pass
            self.start()
            raise Gone from None


def play(engines, limits, opening, first_is_white, game):
    """The points of the first engine, and how often time was overstepped."""
    board, forfeits = opening.copy(), 0
    base, increment = 0.0, 0.0
    if limits[0].startswith("clock="):
        base, increment = map(float, limits[0].split("=")[1].split("+"))
    clocks = [base, base]
    while not board.is_game_over(claim_draw=True) and board.fullmove_number < 250:
        side = 0 if board.turn == chess.WHITE else 1
        who = side if first_is_white else 1 - side
        begun = time.perf_counter()
        try:
            move = engines[who].play(board, limit(limits[who], clocks), game)
        except Gone:
            return float(who == 1), forfeits
        taken = time.perf_counter() - begun
        forfeits += is_late(limits[who], taken)
        if base:
            clocks[side] -= taken
            forfeits += clocks[side] < 0
            clocks[side] = max(clocks[side], 0.0) + increment
        if move is None or move not in board.legal_moves:
            sys.exit(f"illegal: {move} in {board.fen()}")
        board.push(move)
    outcome = board.outcome(claim_draw=True)
    if outcome is None or outcome.winner is None:
        return 0.5, forfeits
    return float((outcome.winner == chess.WHITE) == first_is_white), forfeits


def random_opening(rng):
    while True:
        board = chess.Board()
        for _ in range(8):
            if board.is_game_over():
                break
            board.push(rng.choice(list(board.legal_moves)))
        if not board.is_game_over():
            return chess.Board(board.fen())


def summary(points, forfeits):
    mean = sum(points) / len(points)
    spread = math.sqrt(max(sum((p - mean) ** 2 for p in points), 1e-9)) / len(points)
    elo = lambda share: -400 * math.log10(1 / min(max(share, 1e-3), 1 - 1e-3) - 1)
    wins, draws, losses = (points.count(p) for p in (1.0, 0.5, 0.0))
    return (
        f"{len(points)} games: +{wins} ={draws} -{losses}, Elo {elo(mean):.0f} "
        f"[{elo(mean - 1.96 * spread):.0f}, {elo(mean + 1.96 * spread):.0f}], {forfeits} forfeits"
    )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("games", type=int)
    parser.add_argument("limit")
    parser.add_argument("engines", nargs=2, metavar="COMMAND")
    parser.add_argument("--limit-b")
    parser.add_argument("--option-a", action="append", default=[])
    parser.add_argument("--option-b", action="append", default=[])
    parser.add_argument("--openings")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    engines = [Engine(command, options) for command, options in zip(args.engines, (args.option_a, args.option_b))]
    rng = random.Random(args.seed)
    book = open(args.openings).read().splitlines() if args.openings else None
    points, forfeits = [], 0
    for game in range(args.games):
        if game % 2 == 0:
            opening = chess.Board(rng.choice(book)) if book else random_opening(rng)
        point, overstepped = play(engines, (args.limit, args.limit_b or args.limit), opening, game % 2 == 0, game)
        points.append(point)
        forfeits += overstepped
        if game % 20 == 19 or game + 1 == args.games:
            failed = " and ".join(str(engine.failures) for engine in engines)
            print(f"{summary(points, forfeits)}, {failed} failures", flush=True)
    for engine in engines:
        engine.engine.quit()


main()
