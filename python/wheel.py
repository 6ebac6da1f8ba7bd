# SPDX-License-Identifier: MIT
"""Makes a wheel of an installed tree: the package, the library, what the library needs, configs and traces.

usage: wheel.py TREE LIBDIR DATADIR PACKAGE VERSION OUT
TREE: of `make install DESTDIR=TREE`; LIBDIR and DATADIR: in it; PACKAGE: the folder of the module's sources.
What the C library and the compiler bring, each Linux with Python has; what else libatomsim needs comes with it, with the
copyright of its Debian package where dpkg knows one.
"""
import base64
import hashlib
import os
import re
import subprocess
import sys
import sysconfig
import tempfile
import zipfile

EVERYWHERE = re.compile(r"(ld-linux.*|linux-vdso|libc|libm|libdl|libpthread|librt|libgcc_s|libstdc\+\+)\.so")


def needed(library):
    """Paths of the libraries that it loads, each after those that it needs itself."""
    printed = subprocess.run(["ldd", library], check=True, stdout=subprocess.PIPE, text=True).stdout
    found = [match for match in re.findall(r"^\s*(\S+) => (/\S+)", printed, re.M) if not EVERYWHERE.match(match[0])]
    paths = dict(found)
    ordered = []

    def add(name):
        if name in ordered or name not in paths:
            return
        entries = subprocess.run(["ldd", paths[name]], check=True, stdout=subprocess.PIPE, text=True).stdout
        for other in re.findall(r"^\s*(\S+) => /", entries, re.M):
            if other != name:
                add(other)
        ordered.append(name)

    for name in paths:
        add(name)
    return [(name, paths[name]) for name in ordered]


def copyright_of(path):
    """The copyright file of the Debian package that a library is of; None: nobody knows."""
    for name in (path, os.path.realpath(path)):
        try:
            answer = subprocess.run(
                ["dpkg", "-S", name], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False
            ).stdout
        except OSError:
            return None
        if answer:
            file = f"/usr/share/doc/{answer.split(':')[0]}/copyright"
            return file if os.path.exists(file) else None
    return None


class Wheel:
    """A zip with a RECORD. Equal contents give equal bytes."""

    def __init__(self, path, version):
        self.zip = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)
        self.info = f"atomsim-{version}.dist-info/"
        self.record = []

    def add(self, name, content):
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        self.record.append(f"{name},sha256={digest},{len(content)}\n")
        self._write(name, content)

    def _write(self, name, content):
        entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
        entry.compress_type = zipfile.ZIP_DEFLATED
        entry.external_attr = (0o755 if ".so" in name else 0o644) << 16
        self.zip.writestr(entry, content)

    def add_file(self, name, path):
        with open(path, "rb") as file:
            self.add(name, file.read())

    def close(self):
        self._write(self.info + "RECORD", ("".join(self.record) + self.info + "RECORD,,\n").encode())
        self.zip.close()


def files_of(folder):
    """Files below a folder, by their paths from there."""
    for place, folders, names in sorted(os.walk(folder)):
        folders.sort()
        for name in sorted(names):
            yield os.path.relpath(os.path.join(place, name), folder)


def stripped(library, folder):
    """The library without what debuggers need, where there is strip."""
    copy = os.path.join(folder, "library")
    try:
        subprocess.run(["strip", "--strip-unneeded", "-o", copy, library], check=True)
    except (OSError, subprocess.CalledProcessError):
        return library
    return copy


def main(tree, libdir, datadir, package, version, out):
    """Writes the wheel and prints its path."""
    platform = re.sub(r"[-.]", "_", sysconfig.get_platform())
    path = os.path.join(out, f"atomsim-{version}-py3-none-{platform}.whl")
    library = os.path.realpath(os.path.join(tree + libdir, "libatomsim.so.0"))
    # The library finds its data as far from itself as configure was told.
    base = os.path.commonpath([libdir, datadir])
    lib, data = (os.path.relpath(place, base) for place in (libdir, datadir))
    wheel = Wheel(path + ".part", version)
    for name in files_of(package):
        if name.endswith((".py", "py.typed")) and os.path.basename(name) != "_where.py":
            wheel.add_file("atomsim/" + name, os.path.join(package, name))
    with tempfile.TemporaryDirectory() as folder:
        wheel.add_file(f"atomsim/{lib}/libatomsim.so.0", stripped(library, folder))
    shipped = needed(library)
    for name, place in shipped:
        wheel.add_file(f"atomsim/{lib}/needed/{name}", place)
        if copyright_of(place):
            wheel.add_file(f"{wheel.info}licenses/{name}.copyright", copyright_of(place))
    for kind in ("configs", "traces"):
        for name in files_of(os.path.join(tree + datadir, kind)):
            if not name.startswith("kernels" + os.sep):
                wheel.add_file(f"atomsim/{data}/{kind}/{name}", os.path.join(tree + datadir, kind, name))
    where = [sys.executable, os.path.join(os.path.dirname(os.path.abspath(__file__)), "where.py"), ".", lib + "/libatomsim.so.0"]
    where += [f"{lib}/needed/{name}" for name, _ in shipped]
    wheel.add("atomsim/_where.py", subprocess.run(where, check=True, stdout=subprocess.PIPE).stdout)
    wheel.add_file(wheel.info + "licenses/LICENSE", os.path.join(package, "..", "..", "LICENSE"))
    wheel.add(
        wheel.info + "METADATA",
        f"Metadata-Version: 2.1\nName: atomsim\nVersion: {version}\n"
        "Summary: Simulator of GPU shared memory and its atomics\nLicense: MIT\nRequires-Python: >=3.9\n"
        "Provides-Extra: frames\nRequires-Dist: numpy; extra == 'frames'\n"
        "Requires-Dist: pandas; extra == 'frames'\n".encode(),
    )
    wheel.add(
        wheel.info + "WHEEL",
        f"Wheel-Version: 1.0\nGenerator: atomsim\nRoot-Is-Purelib: false\nTag: py3-none-{platform}\n".encode(),
    )
    wheel.close()
    os.replace(path + ".part", path)
    print(path)


if __name__ == "__main__":
    main(*sys.argv[1:])
