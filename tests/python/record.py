# SPDX-License-Identifier: MIT
"""Whether a wheel's RECORD has each of its files with checksum and length, and nothing else. usage: record.py WHEEL"""
import base64
import csv
import hashlib
import sys
import zipfile

wheel = zipfile.ZipFile(sys.argv[1])
record = next(name for name in wheel.namelist() if name.endswith(".dist-info/RECORD"))
rows = list(csv.reader(wheel.read(record).decode().splitlines()))
assert sorted(name for name, _, _ in rows) == sorted(wheel.namelist())
for name, digest, length in rows:
    content = wheel.read(name)
    its = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    assert name == record or (digest, length) == ("sha256=" + its, str(len(content))), name
