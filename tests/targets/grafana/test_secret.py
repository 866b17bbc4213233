"""Secrets do not show, and are cut out of text."""

from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.targets.http.secret import Mask, Secret


def test_a_secret_shows_as_stars() -> None:
    secret = Secret("hidden")
    assert {str(secret), f"{secret}", f"{secret:>10}"} == {"***"} and repr(secret) == "Secret(***)"
    assert secret.reveal() == "hidden" and secret and not Secret("")
    assert secret == Secret("hidden") != Secret("other") and hash(secret) == hash(Secret("hidden"))
    assert not hasattr(secret, "__dict__")
    for store in (pickle.dumps, copy.deepcopy):
        with pytest.raises(TypeError):
            store(secret)


@given(st.text(min_size=3), st.text(), st.text())
def test_the_mask_cuts_a_secret_out_of_any_text(value: str, before: str, after: str) -> None:
    assert value not in Mask([Secret(value)])(before + value + after).replace("***", "") or set(value) <= {"*"}


def test_the_longest_secret_goes_first() -> None:
    assert Mask([Secret("token"), Secret("token-long")])("a token-long b token") == "a *** b ***"
    assert Mask([Secret("")])("nothing to hide") == "nothing to hide"
