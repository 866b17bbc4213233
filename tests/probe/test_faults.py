"""Calls that fail or hang: bounded, counted, and answered again when what hung is over."""

from __future__ import annotations

from threading import Event, Thread
from time import sleep

from builder.probe.faults import Faults

PATIENCE = 60.0
"""Seconds that no machine needs."""


def test_what_was_overdue_is_asked_again_once_it_is_over() -> None:
    faults, released, answers = Faults(), Event(), iter(("of then", "of now"))

    def ask() -> str:
        answer = next(answers)
        if answer == "of then":
            released.wait(PATIENCE)
            sleep(0.2)  # so that it is still alive when it is asked again
        return answer

    assert faults.bounded("driver", ask, 0.01) is None
    assert faults.counts == {"driver": 1}
    released.set()
    assert faults.bounded("driver", ask, PATIENCE) == "of now"


def test_no_second_call_is_begun_while_one_hangs() -> None:
    faults, released, begun = Faults(), Event(), []

    def ask() -> int:
        begun.append(1)
        released.wait(PATIENCE)
        return len(begun)

    for _ in range(3):
        assert faults.bounded("driver", ask, 0.01) is None
    assert (len(begun), faults.counts) == (1, {"driver": 3})
    released.set()
    assert faults.bounded("driver", ask, PATIENCE) == 2


def test_who_asks_at_the_same_time_gets_the_same_answer() -> None:
    faults, arrived, begun, answers = Faults(), Event(), [], []

    def ask() -> object:
        begun.append(1)
        arrived.wait(PATIENCE)
        return begun

    askers = [Thread(target=lambda: answers.append(faults.bounded("driver", ask, PATIENCE))) for _ in range(4)]
    for asker in askers:
        asker.start()
    sleep(0.1)
    arrived.set()
    for asker in askers:
        asker.join(PATIENCE)
    assert len(answers) == 4
    assert all(answer is begun for answer in answers)
    assert not faults.counts


def test_operations_do_not_wait_for_each_other() -> None:
    faults, released = Faults(), Event()
    assert faults.bounded("one", lambda: released.wait(PATIENCE), 0.01) is None
    assert faults.bounded("other", lambda: 1, PATIENCE) == 1
    released.set()
