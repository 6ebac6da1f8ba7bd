# SPDX-License-Identifier: MIT
"""Reports against the schema, by a validator that others keep: python3-jsonschema."""
import unittest

import atomsim

try:
    import jsonschema
except ImportError:
    jsonschema = None


@unittest.skipIf(jsonschema is None, "no jsonschema")
class Schema(unittest.TestCase):
    def test_the_schema_is_one_and_has_a_name(self):
        schema = atomsim.schema()
        jsonschema.Draft202012Validator.check_schema(schema)
        report = atomsim.run("transpose", "fermi")
        self.assertEqual(schema["$id"], f"urn:atomsim:run:{report['schema']}")

    def test_reports_are_as_it_says(self):
        validator = jsonschema.Draft202012Validator(atomsim.schema())
        for trace, machine, options in (
            ("weighted", "h200", {}),
            ("weighted", "h200", {"what_if": "replicate=4"}),
            ("histogram", "fermi", {"baseline": False, "causes": False}),
            ("transpose", "a100", {"causes": True}),
        ):
            validator.validate(atomsim.run(trace, machine, **options).data)

    def test_what_is_wrong_is_found(self):
        validator = jsonschema.Draft202012Validator(atomsim.schema())
        for change in ({"cycles": -1}, {"cycles": "many"}, {"of_no_meaning": 1}):
            report = dict(atomsim.run("transpose", "fermi").data, **change)
            self.assertFalse(validator.is_valid(report), change)
        report = dict(atomsim.run("transpose", "fermi").data)
        del report["cycles"]
        self.assertFalse(validator.is_valid(report))
