"""The versions at which behaviour changes: the last before, and the first after."""

from __future__ import annotations

import pytest

from builder.testing.grafana.versions import behaviour_of

CHANGES = [
    ("nested_folders", "10.4.19", "11.0.0", False, True),
    ("unique_titles", "11.2.9", "11.3.0", True, False),
    ("unified_storage", "11.6.16", "12.0.0", False, True),
    ("saves_as_objects", "13.0.5", "13.1.0", False, True),
    ("refuses_v2_reads", "11.6.0", "12.0.0", False, True),
    ("refuses_v2_reads", "13.0.9", "13.1.0", True, False),
    ("numeric_datasource_ids", "12.4.11", "13.0.0", True, False),
    ("numeric_folder_ids", "12.4.11", "13.0.0", True, False),
    ("folder_apis", "11.6.0", "12.0.0", (), ("v1beta1",)),
    ("folder_apis", "12.4.0", "13.0.0", ("v1beta1",), ("v1", "v1beta1")),
    ("latest_schema", "11.3.0", "11.4.0", 39, 40),
    ("latest_schema", "11.5.0", "11.6.0", 40, 41),
    ("latest_schema", "12.1.0", "12.2.0", 41, 42),
    ("oldest_schema", "12.0.2", "12.1.0", 21, 13),
    ("oldest_schema", "12.2.0", "12.3.0", 13, 0),
    ("folder_name_status", "10.4.0", "11.0.0", 412, 409),
    ("folder_uid_status", "11.6.0", "12.0.0", 409, 412),
    ("search_lag", "11.6.0", "12.0.0", 0.0, 1.0),
]


@pytest.mark.parametrize(("name", "before", "after", "old", "new"), CHANGES)
def test_it_changes_here(name, before, after, old, new):
    assert (getattr(behaviour_of(before), name), getattr(behaviour_of(after), name)) == (old, new)


def test_two_digits_count_as_numbers():
    assert behaviour_of("12.10.0").latest_schema == 42
    assert not behaviour_of("9.5.0").nested_folders
