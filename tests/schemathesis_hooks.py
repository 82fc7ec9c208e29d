"""What schemathesis has to know of the studio.

Random texts name no game, so most generated requests would end at the first refusal. Most of the valid ones get names that the studio
knows, from the file that `OUTPLAY_KNOWN` names, and half of them a whole body from the examples below. All of them ask for little: what
would compute for long is left out. At the end the requests are counted into the file that `OUTPLAY_COUNTS` names.
"""

import atexit
import collections
import json
import os

import jsonschema_rs
import schemathesis
from hypothesis import strategies as st

with open(os.environ["OUTPLAY_KNOWN"], encoding="utf-8") as file:
    KNOWN = json.load(file)

SMALL_PLAYERS = ["random", "alphabeta:depth=1"]
TRAINING = {"kind": "training", "game": "quoridor:size=3,walls=1", "method": "td-lambda:games=20,hidden=4,every=10,check=0"}
TOURNAMENT = {"kind": "tournament", "game": "tictactoe", "players": SMALL_PLAYERS, "games": 2}
CENTRE = [{"cell": {"column": 1, "row": 1}}]
SUBJECTS = [
    *({"game": game} for game in KNOWN["games"]),
    *({"table": table} for table in KNOWN["tables"]),
    {"game": "tictactoe", "moves": ["a1", "b2"], "ply": 1},
    {"game": "tictactoe", "touches": CENTRE},
    {"game": "minesweeper:rows=4,cols=4,mines=3", "setup": 7, "moves": ["a1"]},
]
OPINIONS = [subject | {"player": player} for subject in SUBJECTS for player in SMALL_PLAYERS]
EMPTY = {"pieces": [], "walls": [], "to_move": "first", "counters": []}

# Bodies that say something, by operation.
BODIES = {
    "create_table": [
        *({"game": game, "seats": ["human"] * seats} for game, seats in KNOWN["games"].items()),
        {"game": "tictactoe", "seats": SMALL_PLAYERS, "seed": 7},
        {"game": "chess", "seats": ["human", "human"], "moves": ["e4", "e5"], "clock": {"seconds": 60, "increment": 1}},
    ],
    "play": [{"move": "b2", "ply": 0}, {"touches": CENTRE, "ply": 0}, {"move": "a1", "ply": 1}],
    "go": [{"ply": 0}, {"ply": 1}, {}],
    "resign": [{"seat": "first"}, {}],
    "seat": [{"seats": ["human", "random"]}, {"seats": ["human", "human"]}],
    "hint": [{"player": player} for player in SMALL_PLAYERS],
    "import": [{"text": text} for text in KNOWN["texts"]],
    "draft": [{"game": game, "draft": EMPTY} for game in KNOWN["games"]],
    "look": SUBJECTS,
    "survey": SUBJECTS,
    "solve": [subject for subject in SUBJECTS if subject.get("game", "tictactoe") == "tictactoe"],
    "graph": OPINIONS,
    "thoughts": OPINIONS,
    "review": [{"table": table, "samples": 2} for table in KNOWN["tables"]],
    "create_job": [TRAINING, TOURNAMENT, TOURNAMENT | {"knockout": 2, "games": 0}],
    "sample": [{"seed": "1"}, {}],
    "upload": [bytes.fromhex(KNOWN["network"])],
}
QUERIES = {
    "game": list(KNOWN["games"]),
    "board": list(KNOWN["games"]),
    "format": ["json", "csv", "pgn", "fen", "text"],
    "touches": [json.dumps(CENTRE)],
}
COUNTS = collections.Counter()
ANSWERS = collections.defaultdict(collections.Counter)


def operation_id(case):
    return case.operation.definition.raw["operationId"]


def paths(case):
    """What may stand in the path, by the name of the parameter."""
    kind = "jobs" if "/jobs/" in case.operation.path else "tables"
    kind = f"spare_{kind}" if case.method == "DELETE" else kind
    return {"id": KNOWN[kind], "slug": KNOWN["papers"], "artefact": KNOWN["artefacts"]}


@st.composite
def with_known_names(draw, case):
    def replace(values, known):
        for name in values or {}:
            if name in known and draw(st.integers(0, 3)):
                values[name] = draw(st.sampled_from(known[name]))

    # In a chain of requests the path names what an earlier one made.
    if case.meta.phase.name.value != "stateful":
        replace(case.path_parameters, paths(case))
    replace(case.query, QUERIES)
    bodies = BODIES.get(operation_id(case))
    if bodies and draw(st.booleans()):
        case.body = draw(st.sampled_from(bodies))
        if operation_id(case) == "upload":
            case.query["game"] = TRAINING["game"]
    return case


@schemathesis.hook
def flatmap_case(context, case):
    """Known names only where nothing is meant to be wrong: a request that is wrong on purpose has to stay so."""
    is_positive = case.meta is not None and case.meta.generation.mode.is_positive
    return with_known_names(case) if is_positive else st.just(case)


def whole(value):
    """The same with 1 for 1.0: to JSON Schema both are whole numbers, to the studio only the first one is."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [whole(item) for item in value]
    if isinstance(value, dict):
        return {name: whole(item) for name, item in value.items()}
    return value


@schemathesis.hook
def map_case(context, case):
    """Asks for little: a player where the game's own would think for a second, few samples."""
    if isinstance(case.body, (dict, list, float)):
        case.body = whole(case.body)
    for name, value in (case.query or {}).items():
        case.query[name] = whole(value)
    body, operation = case.body, operation_id(case)
    if isinstance(body, dict):
        if operation in ("hint", "thoughts", "graph") and body.get("player") is None:
            case.body = body | {"player": "random"}
        samples = body.get("samples")
        if operation == "review" and isinstance(samples, int) and samples > 2:
            case.body = body | {"samples": 2}
    return case


@schemathesis.hook
def filter_case(context, case):
    """Leaves out work that is not small: jobs of known games with other parameters than those above, and larger solutions."""
    body = case.body
    if not isinstance(body, dict):
        return True
    operation = operation_id(case)
    name = str(body.get("game")).split(":")[0]
    is_known = any(name == game.split(":")[0] for game in KNOWN["games"])
    if operation == "create_job" and body.get("kind") == "paper":
        return str(body.get("artefact")).split("/")[0] not in KNOWN["papers"]
    if operation == "create_job" and is_known:
        return body in BODIES["create_job"]
    if operation == "solve" and is_known:
        return name == "tictactoe"
    return True


@schemathesis.hook
def after_call(context, case, response):
    COUNTS["requests"] += 1
    ANSWERS[case.operation.label][response.status_code] += 1


@schemathesis.check
def json_lines_conform(context, response, case):
    """Every line of an answer in JSON lines has the shape that `x-line` names."""
    answer = case.operation.definition.raw["responses"].get(str(response.status_code), {})
    schema = answer.get("content", {}).get("application/x-ndjson", {}).get("schema", {})
    if not schema:
        return
    raw = case.operation.schema.raw_schema
    lines_schema = raw["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
    validator = jsonschema_rs.validator_for({"$ref": lines_schema["x-line"]["$ref"], "components": raw["components"]})
    for line in response.text.splitlines():
        COUNTS["lines"] += 1
        error = next(validator.iter_errors(json.loads(line)), None)
        if error is not None:
            raise AssertionError(f"the line {line} is not as described: {error.message}")


@atexit.register
def count():
    answers = {label: dict(statuses) for label, statuses in ANSWERS.items()}
    with open(os.environ["OUTPLAY_COUNTS"], "w", encoding="utf-8") as file:
        json.dump({"requests": COUNTS["requests"], "lines": COUNTS["lines"], "answers": answers}, file)
