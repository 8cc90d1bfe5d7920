"""Files of data inside the packages of other projects: read, never imported or run."""

from __future__ import annotations

import hashlib
import zipfile
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from many_data_sets.errors import StudyError


def read_packaged_file(package: str, path: str, folder: Path | None) -> bytes:
    """Read a file of a package: from the one wheel in a folder, or from the installed package."""
    try:
        if folder is None:
            return Path(str(distribution(package).locate_file(path))).read_bytes()
        with zipfile.ZipFile(next(folder.glob("*.whl"))) as wheel:
            return wheel.read(path)
    except StopIteration:
        raise StudyError(f"there is no wheel of {package} in {folder}.") from None
    except (OSError, KeyError, zipfile.BadZipFile, PackageNotFoundError) as error:
        raise StudyError(f"{path} of {package} cannot be read: {error}.") from None


def check_sha256(content: bytes, sha256: str, path: str) -> None:
    """Raise StudyError unless a file has its declared checksum."""
    found = hashlib.sha256(content).hexdigest()
    if found != sha256:
        raise StudyError(f"{path} has the checksum {found}, data_sets.csv declares {sha256}.")
