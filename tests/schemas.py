# SPDX-License-Identifier: MIT
"""Outputs against their schema: schemas.py NAME..., in a folder with schemas/NAME and outputs/NAME.*, of JSON or JSON Lines.

Prints "NAME: obeyed", or what is wrong with the outputs of that name.
"""
import copy
import glob
import json
import sys
import traceback

import jsonschema

# Words of the draft's vocabularies that schemas use. Strict validators refuse any other.
WORDS = set("$schema $id $comment title description type properties required additionalProperties items minItems maxItems minLength minimum "
            "maximum multipleOf enum const default anyOf oneOf pattern".split())
# Shapes that no shipped file gives an output of.
NO_OUTPUT = {"validate-folder"}
# Keys that only launches on a GPU, or rare runs, have.
RARE = {
    "advise": {"too_long", "buffer", "behind_cycles", "line", "place"},
    "config": None,  # as many as there are keys; tests/configs.sh
    "run": None,  # tests/report.sh and the table of statistics
    "sequence": None,
    "sweep": None,
    "validate": {"ranked_pairs", "ranked_right"},
    "calibrate": {"acts", "bound"},
    "explain": {"by_warp"},
}


def documents(text):
    decoder = json.JSONDecoder()
    at = 0
    while at < len(text):
        value, at = decoder.raw_decode(text, at)
        yield value
        while at < len(text) and text[at].isspace():
            at += 1


def inner(schema):
    """The schemas within one, with the name of each property."""
    for name, part in schema.get("properties", {}).items():
        yield name, part
    for word in ("items", "additionalProperties"):
        if isinstance(schema.get(word), dict):
            yield None, schema[word]
    for word in ("anyOf", "oneOf"):
        for part in schema.get(word, []):
            yield None, part


def check_words(schema):
    assert set(schema) <= WORDS, set(schema) - WORDS
    for _, part in inner(schema):
        check_words(part)


def check_described(schema):
    for name, part in inner(schema):
        assert name is None or "description" in part, f"{name} is not described"
        check_described(part)


def keys(schema):
    for name, part in inner(schema):
        if name is not None:
            yield name
        yield from keys(part)


def keys_of(value):
    if isinstance(value, dict):
        for name, part in value.items():
            yield name
            yield from keys_of(part)
    elif isinstance(value, list):
        for part in value:
            yield from keys_of(part)


def check_refused(validator, schema, output):
    """What is wrong is found: a key too many, one too few, one of another type."""
    assert not validator.is_valid(dict(output, of_no_meaning=1))
    for name in schema["required"]:
        assert not validator.is_valid({key: output[key] for key in output if key != name}), name
        assert not validator.is_valid(dict(output, **{name: copy.deepcopy})), name


def check_name(name):
    schema = json.load(open(f"schemas/{name}", encoding="utf-8"))
    validator = jsonschema.Draft202012Validator(schema)
    jsonschema.Draft202012Validator.check_schema(schema)
    check_words(schema)
    rare = RARE.get(name, set())
    if rare is not None:
        check_described(schema)
    paths = glob.glob(f"outputs/{name}.*")
    assert paths or name in NO_OUTPUT, "no output"
    found = set()
    for path in paths:
        for output in documents(open(path, encoding="utf-8").read()):
            for error in validator.iter_errors(output):
                raise AssertionError(f"{path}: {error.json_path}: {error.message}"[:2000])
            if not found:
                check_refused(validator, schema, output)
            if name != "config":
                assert schema["$id"] == f"urn:atomsim:{name}:{output['schema']}"
            found.update(keys_of(output))
    if paths and rare is not None:
        assert set(keys(schema)) <= found | rare, f"in no output: {set(keys(schema)) - found - rare}"


for of in sys.argv[1:]:
    try:
        check_name(of)
        print(f"{of}: obeyed")
    except Exception:  # the next name is checked all the same
        print(f"{of}: {traceback.format_exc()}")
