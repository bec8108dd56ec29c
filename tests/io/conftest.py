from dataclasses import fields

import numpy as np
import pytest


@pytest.fixture
def write(tmp_path):
    """Write text or bytes into a file and return its path."""

    def make(content, name="p.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return make


@pytest.fixture
def same():
    """Check that two predictions are the same but for what they say about their origin."""

    def check(got, want):
        for f in fields(got):
            if f.name in {"cache", "findings", "columns"}:
                continue
            a, b = getattr(got, f.name), getattr(want, f.name)
            if isinstance(b, np.ndarray):
                assert a is not None, f.name
                np.testing.assert_array_equal(a, b, err_msg=f.name)
            else:
                assert a == b, f.name
        assert got.fingerprint == want.fingerprint

    return check


@pytest.fixture
def message(write):
    """Return what read says about a file that it must refuse."""
    from credibly import CrediblyError
    from credibly.io import read

    def refuse(content, name="p.csv", **roles):
        with pytest.raises(CrediblyError) as caught:
            read(write(content, name), **roles)
        assert caught.value.__suppress_context__ or caught.value.__context__ is None
        return str(caught.value)

    return refuse
