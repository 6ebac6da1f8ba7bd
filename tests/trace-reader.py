#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A second reader of traces, written from docs/reference/trace-format.md alone.

usage: trace-reader.py FILE

Checks all checksums and prints what `atomsim trace dump FILE` prints, then what
`atomsim trace dump --dataflow FILE` does. Needs the program zstd.
"""
import json
import struct
import subprocess
import sys

KINDS = ("exit alu lds sts atom ldg stg atomg bar lock unlock unknown code shfl vote "
         "fence").split()
CLASSES = ("other int mul float half double convert special compare move uniform constant system "
           "shuffle vote reduce match branch jump split join sync yield matrix match64 lookup wide "
           "indirect matrix_short matrix64 texture texel").split()
SCOPES = "block device system".split()
HINTS = "normal bypass stream read-only".split()
OPERATIONS = "add inc dec min max and or xor exch cas update".split()
TYPES = [("u32", 4), ("s32", 4), ("f32", 4), ("u64", 8), ("s64", 8), ("f64", 8),
         ("f16x2", 4), ("bf16x2", 4), ("f32x2", 8), ("f32x4", 16),
         ("f16x4", 8), ("bf16x4", 8), ("f16x8", 16), ("bf16x8", 16)]
M = (1 << 64) - 1
P = (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63,
     0x27D4EB2F165667C5)


def rotate(x, n):
    return (x << n | x >> 64 - n) & M


def xxh64(data):
    """XXH64 with seed 0."""
    def turn(lane, word):
        return rotate(lane + word * P[1] & M, 31) * P[0] & M

    at, n = 0, len(data)
    if n >= 32:
        lanes = [P[0] + P[1] & M, P[1], 0, -P[0] & M]
        for at in range(0, n - 31, 32):
            words = struct.unpack_from("<4Q", data, at)
            lanes = [turn(lane, word) for lane, word in zip(lanes, words)]
        at += 32
        h = sum(rotate(lane, k) for lane, k in zip(lanes, (1, 7, 12, 18))) & M
        for lane in lanes:
            h = ((h ^ turn(0, lane)) * P[0] + P[3]) & M
    else:
        h = P[4]
    h = h + n & M
    while at + 8 <= n:
        h = rotate(h ^ turn(0, struct.unpack_from("<Q", data, at)[0]), 27) * P[0] + P[3] & M
        at += 8
    if at + 4 <= n:
        h = rotate(h ^ struct.unpack_from("<I", data, at)[0] * P[0] & M, 23) * P[1] + P[2] & M
        at += 4
    for byte in data[at:]:
        h = rotate(h ^ byte * P[4] & M, 11) * P[0] & M
    for shift, prime in ((33, P[1]), (29, P[2])):
        h = (h ^ h >> shift) * prime & M
    return h ^ h >> 32


class Bytes:
    """Bytes with a place where the next number is read."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, form):
        values = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize("<" + form)
        return values

    def varint(self, bits=32):
        value = 0
        for shift in range(0, bits, 7):
            byte, = self.take("B")
            value |= (byte & 127) << shift
            if byte < 128:
                assert value < 1 << bits
                return value
        raise AssertionError("varint too long")


def addresses(b, code, width, n, in_buffer):
    base = b.varint(42) if in_buffer else 0
    if code == 3:
        return [base + number for number in b.take(f"{n}I")]
    base = base if in_buffer else b.varint()
    if code == 0:
        zigzag = b.varint()
        stride = zigzag >> 1 if zigzag % 2 == 0 else -(zigzag + 1 >> 1)
        return [base + i * stride for i in range(n)]
    return [base + width * offset for offset in b.take(f"{n}{' BH'[code]}")]


def atomic(flags, number):
    name, width = TYPES[number]
    return f".{OPERATIONS[flags & 31]}.{name}" + (" result" if flags & 32 else ""), width


def global_head(b, kind):
    """Of version 2: buffer, text, flags of an atomic, width, cache hint."""
    buffer = b.varint()
    if buffer == 0:
        return 0, f" bytes={b.varint()}" + f" segments={b.varint()}", 0, 4
    if kind == "atomg":
        flags, byte = b.take("2B")
        text, width = atomic(flags, byte & 7 | byte >> 3 & 8)
    else:
        flags, (byte,) = 0, b.take("B")
        width = 1 << (byte & 7)
        text = f" width={width}"
    text += f" buffer={buffer}"
    if byte >> 3 & 7:
        text += f" cache={HINTS[byte >> 3 & 7]}"
    return buffer, text, flags, width


def barrier(b):
    byte, = b.take("B")
    text = f" barrier={byte & 63}" if byte & 63 else ""
    text += f" threads={b.varint()}" if byte & 128 else ""
    return text + (" arrives" if byte & 64 else "")


def record(b, version, n_lanes, shared_bytes, n_sites, buffers, shift=lambda: 0):
    """Reads one record; returns its text. shift: by how much the next access to a buffer is moved."""
    tag, = b.take("B")
    kind, code = KINDS[tag & 15], tag >> 6
    text, width, flags, lanes, shared, buffer = kind, 4, 0, True, True, 0
    if kind in ("alu", "unknown", "shfl", "vote"):
        text += f" n={b.varint()}"
        lanes = False
    elif kind == "code":
        text += f" gap={b.varint()}"
        lanes = False
    elif kind == "fence":
        text += f" scope={SCOPES[b.take('B')[0]]}"
        lanes = False
    elif kind in ("exit", "bar"):
        text += barrier(b) if kind == "bar" and version > 1 else ""
        lanes = False
    elif kind in ("lds", "sts"):
        width, = b.take("B")
        text += f" width={width}"
    elif kind == "atom":
        flags, number = b.take("2B")
        more, width = atomic(flags, number)
        text += more
    elif kind in ("ldg", "stg", "atomg") and version > 1:
        buffer, more, flags, width = global_head(b, kind)
        text += more
        shared = False
    elif kind in ("ldg", "stg", "atomg"):
        text += f" bytes={b.varint()}"
        text += f" segments={b.varint()}"
        shared = False
    elif version > 1:  # lock, unlock
        buffer = b.varint()
        shared = buffer == 0
        text += f" buffer={buffer}" if buffer else ""
    if lanes:
        mask = (1 << n_lanes) - 1 if tag & 16 else b.take("I" if n_lanes == 32 else "Q")[0]
        n = bin(mask).count("1")
        more = f" mask=0x{mask:08x}"
    if tag & 32:
        site = b.varint()
        assert 1 <= site <= n_sites
    if lanes and (shared or buffer):
        where = addresses(b, code, width, n, buffer > 0)
        if buffer:
            by = shift()
            where = [a + by for a in where]
        end = buffers[buffer - 1] if buffer else shared_bytes
        assert all(a % width == 0 and 0 <= a <= end - width for a in where)
        if kind in ("ldg", "stg", "atomg"):
            text += f" bytes={n * width} segments={len({a >> 7 for a in where})}"
    if lanes:
        text += more
    if tag & 32:
        text += f" site={site}"
    if lanes and (shared or buffer):
        text += " addresses=" + ",".join(map(str, where))
    if flags & 64:
        for name in ["compare"][flags & 31 != 9:] + ["values"]:
            text += f" {name}=" + ",".join(map(hex, b.take(f"{n}{'I' if width == 4 else 'Q'}")))
    return text


def values(b, name, n):
    return f" {name}=" + ",".join(map(str, b.take(f"{n}B"))) if n else ""


def dataflow(data):
    """Prints the data flow."""
    b, lines = Bytes(data), []
    n_values, n_lines, n_gaps = b.varint(), b.varint(), b.varint()
    for gap in range(n_gaps):
        instruction = 0
        for i in range(b.varint()):
            first, counts = b.take("2B")
            text = f"gap={gap} operation={i} {CLASSES[first & 31]}"
            text += values(b, "guard", first >> 5 & 1)
            text += f" line={b.varint()}" if first & 64 else ""
            instruction = b.varint() if first & 128 else instruction + (instruction > 0)
            text += f" instruction={instruction - 1}" if instruction else ""
            lines.append(text + values(b, "writes", counts & 15) + values(b, "reads", counts >> 4))
    n_sites = b.varint()
    for site in range(n_sites):
        reads, second = b.take("2B")
        text = f"site={site + 1}" + values(b, "guard", second >> 4 & 1)
        text += f" instruction={b.varint() - 1}" if second & 32 else ""
        text += values(b, "address", reads & 15) + values(b, "data", reads >> 4)
        lines.append(text + values(b, "writes", second & 15))
    assert b.at == len(data)
    print(f"values={n_values} lines={n_lines} gaps={n_gaps} sites={n_sites}", *lines, sep="\n")


def checked(data, offset, length, checksum):
    part = data[offset:offset + length]
    assert len(part) == length and xxh64(part) == checksum, f"checksum at byte {offset}"
    return part


def signed(b):
    zigzag = b.varint(63)
    return zigzag >> 1 if zigzag % 2 == 0 else -(zigzag + 1 >> 1)


def classes(b, n_classes):
    """Of a warp: its pieces."""
    pieces = [(0, 0)] if n_classes < 2 else []
    while not pieces or pieces[-1][0]:
        pieces.append((b.varint(63), b.varint(63)))
    assert all(number < max(n_classes, 1) for _, number in pieces)
    return pieces


def references(data, index):
    """Blocks as (number, entry of the index, pieces of each warp, shift of each class)."""
    b, templates, blocks, entry, block = Bytes(data), [], [], -1, 0
    for _ in range(b.varint(63)):
        entry += b.varint(63) + 1
        n_classes = b.varint(63)
        assert n_classes <= 16
        pieces = [classes(b, n_classes) if n_classes > 1 else None for _ in range(index[entry][5])]
        templates.append((index[entry], pieces, n_classes))
    for _ in range(b.varint(63)):
        block += b.varint(63)
        count = b.varint(63)
        entry, pieces, n_classes = templates[b.varint(63)]
        shifts = [signed(b) for _ in range(n_classes)]
        steps = [signed(b) for _ in range(n_classes)] if count > 1 else shifts
        assert count > 0
        for i in range(count):
            blocks.append((block, entry, pieces,
                           [first + i * step for first, step in zip(shifts, steps)]))
            block += 1
    assert b.at == len(data)
    return blocks


def shifter(pieces, shifts):
    """Of a warp: what says by how much its next access to a buffer is moved."""
    def each():
        for length, number in pieces:
            for _ in range(length):
                yield shifts[number]
        while True:
            yield shifts[number]
    return each().__next__ if pieces else lambda: shifts[0] if shifts else 0


def main(path):
    with open(path, "rb") as file:
        data = file.read()
    magic, version, reserved = struct.unpack_from("<8sII", data)
    assert (magic, reserved) == (b"ATOMSIM\x1a", 0) and version in (1, 2, 3)
    (index_at, n_blocks, index_sum, metadata_at, metadata_bytes, metadata_sum, footer_sum,
     magic) = struct.unpack("<7Q8s", data[-64:])
    footer_bytes = {1: 64, 2: 96, 3: 128}[version]
    assert magic == b"ATOMSEND" and footer_sum == xxh64(data[-footer_bytes:-16])
    flow_at, flow_bytes, flow_sum, n_lanes, _ = (
        (0, 0, xxh64(b""), 32, 0) if version == 1 else struct.unpack("<3Q2I", data[-96:-64]))
    flow = checked(data, flow_at, flow_bytes, flow_sum)
    metadata = json.loads(checked(data, metadata_at, metadata_bytes, metadata_sum))
    index = list(struct.iter_unpack("<4Q4I", checked(data, index_at, 48 * n_blocks, index_sum)))
    blocks = [(entry[0], entry, [None] * entry[5], []) for entry in index]
    if version == 3:
        at, size, checksum, version, _ = struct.unpack("<3Q2I", data[-128:-96])
        assert metadata_at + metadata_bytes == at and at + size == index_at
        blocks += references(checked(data, at, size, checksum), index)
        assert len({block[0] for block in blocks}) == len(blocks)
    for block, entry, pieces, shifts in sorted(blocks):
        _, at, checksum, n_records, size, n_warps, shared_bytes, _ = entry
        directory = Bytes(checked(data, at, size, checksum))
        assert directory.take("2I")[0] == n_warps
        warps = [directory.take("QII") for _ in range(n_warps)]
        assert sum(warp[0] for warp in warps) == n_records
        for number, (left, n_segments, _) in enumerate(warps):
            frames, raw_bytes = b"", 0
            for _ in range(n_segments):
                at, stored, raw, checksum = directory.take("QIIQ")
                frames += checked(data, at, stored, checksum)
                raw_bytes += raw
            records = Bytes(subprocess.run(["zstd", "-dc"], input=frames, check=True,
                                           stdout=subprocess.PIPE).stdout)
            assert len(records.data) == raw_bytes
            shift = shifter(pieces[number], shifts)
            for r in range(left):
                text = record(records, version, n_lanes, shared_bytes,
                              len(metadata.get("sites", [])),
                              [buffer["bytes"] for buffer in metadata.get("buffers", [])], shift)
                assert (text == "exit") == (r == left - 1)
                print(f"block={block} warp={number} record={r} {text}")
            assert records.at == raw_bytes
    if flow:
        dataflow(flow)


main(sys.argv[1])
