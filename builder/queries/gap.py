"""What the gap between device and framework is made of, as far as what is exported tells it apart.

    in use <= pools <= held by the training <= used

The driver's number of a card and the framework's come from two scrapes, half a minute apart at worst, so each step
of this ladder is kept between its neighbours: no part is negative, nothing is counted twice, and the parts of a card
add up to its gap.

The middle step is the driver's own number for the training's processes. nvidia_gpu_exporter has one of each process
(--collect.compute-apps), dcgm-exporter from 4.8.2 on one of each pod on a card that pods share
(KUBERNETES_VIRTUAL_GPUS). Where neither covers every process that reports, all above the pools is the rest; but on a
card that is split by MIG the instances without such a process are others'.
"""

from __future__ import annotations

from builder.errors import SignalMissing
from builder.promql.expr import Expr, aggregate, call, tag
from builder.queries.memory import card_memory_used, framework_in_use
from builder.queries.processes import RANK, of_allocators, on_cards, pools, without_pool
from builder.queries.question import question
from builder.queries.source import Filter, Source

_POD = ("namespace", "pod")
_NOT_LISTED = -1e18
"""In place of a process that the driver does not list: it makes a sum of bytes negative, whatever else is in it."""


@question
def pool_slack(source: Source) -> Expr:
    """Bytes that frameworks took from the driver and have no tensor in; at least, where one does not tell its pool."""
    taken = _extreme("min", source, card_memory_used.ask(source), on_cards(source, pools(source)))
    return _not_negative(taken.join("-", framework_in_use.ask(source), on=source.card))


@question
def beside_pools(source: Source) -> Expr:
    """Bytes that training processes hold beside their pools: contexts, loaded code, buffers of libraries."""
    taken = on_cards(source, pools(source))
    beside = _not_negative(_held_by_training(source).join("-", taken, on=source.card))
    return beside.join("unless", without_pool(source), on=source.framework_key)


@question
def other_processes(source: Source) -> Expr:
    """Bytes that the driver counts for none of the training processes that report."""
    taken = on_cards(source, pools(source))
    held = _at_most(source, _most_of_training(source))
    ours = _extreme("max", source, held, taken).join("and", held, on=source.card)
    return _not_negative(card_memory_used.ask(source).join("-", ours, on=source.card))


@question
def gap_rest(source: Source) -> Expr:
    """Bytes of the gap that nothing exported tells apart; 0 where all of it is told."""
    used, taken = card_memory_used.ask(source), on_cards(source, pools(source))
    if "uuid" in source.framework_key and (source.has("process_memory") or source.has("pod_memory")):
        told = _held_by_training(source).join("unless", without_pool(source), on=source.framework_key)
        used = _extreme("min", source, used, _at_most(source, _most_of_training(source)))
        taken = _extreme("max", source, taken, told)
    return _not_negative(used.join("-", taken, on=source.card))


def _held_by_training(source: Source) -> Expr:
    """The driver's bytes of the training processes, on cards where it has one for all of them that report."""
    return _at_most(source, _told_by_driver(source))


def _at_most(source: Source, by_uuid: Expr) -> Expr:
    """An amount by uuid, by card; no more than is used there."""
    used = card_memory_used.ask(source)
    beyond = _not_negative(used.join("-", by_uuid, on=("uuid",), group_left=()))
    return used.join("-", beyond, on=source.card)


def _told_by_driver(source: Source) -> Expr:
    if "uuid" not in source.framework_key:
        raise SignalMissing("process_memory by card", source.name, "the training processes have no uuid")
    if source.has("process_memory"):
        return _of_processes(source)
    if source.has("pod_memory"):
        return _of_pods(source)
    raise SignalMissing("process_memory", source.name)


def _most_of_training(source: Source) -> Expr:
    """What training processes hold, or where that is not told all that is held on their MIG instances."""
    told = _told_by_driver(source)
    return told.join("or", _of_instances(source), on=("uuid",)) if source.has("pod_memory") else told


def _of_processes(source: Source) -> Expr:
    """By process id, where training is not in a namespace of its own; else where as many are listed as report."""
    listed = source.level("process_memory")
    own = _grouped(source.level("training_device_info", keep=("pid",), where=(Filter("uuid", "", "!="),)), "pid")
    same = ("uuid", "pid")
    known = listed.join("and", own, on=same).join("or", own * _NOT_LISTED, on=same)
    reporting = _grouped(of_allocators(source, "framework_memory_in_use"), *RANK)
    # The training's processes are on the list: where it is as long as they are many, it names nobody else.
    as_many = _counted(listed).join("==", _counted(reporting), on=("uuid",))
    nobody_else = aggregate("sum", listed, by=("uuid",)).join("and", as_many, on=("uuid",))
    return _if_all(known).join("or", nobody_else, on=("uuid",))


def _of_pods(source: Source) -> Expr:
    """Only of cards that pods share: the pod that has a card to itself has the card's own value."""
    of_pods = source.level("pod_memory", keep=_POD, where=(Filter("pod", "", "!="),))
    # Before 4.8.2 each pod has a copy of the card's value, which is not less.
    shared = of_pods.join("<", source.level("memory_used"), on=source.instance, group_left=())
    own = _grouped(of_allocators(source, "framework_memory_in_use", keep=_POD), *_POD)
    same = ("uuid", *_POD)
    return _if_all(shared.join("and", own, on=same).join("or", own * _NOT_LISTED, on=same))


def _of_instances(source: Source) -> Expr:
    """Of cards that are split by MIG, where each process knows its instance."""
    held = source.level("memory_used", where=(Filter("mig", "", "!="),))
    own = _grouped(of_allocators(source, "framework_memory_in_use", keep=("mig",)), "mig")
    same = ("uuid", "mig")
    return _if_all(held.join("and", own, on=same).join("or", own * _NOT_LISTED, on=same))


def _if_all(found: Expr) -> Expr:
    """The sum on each card, where nothing of it is missing."""
    return aggregate("sum", found, by=("uuid",)).at_least(0)


def _grouped(series: Expr, *labels: str) -> Expr:
    return aggregate("group", series, by=("uuid", *labels))


def _counted(series: Expr) -> Expr:
    return aggregate("count", series, by=("uuid",))


def _extreme(operator: str, source: Source, one: Expr, other: Expr) -> Expr:
    """The lower ("min") or higher ("max") of two values of a card; the one there is where the other is missing."""
    return aggregate(operator, tag(one, "of", "one").either(tag(other, "of", "other")), by=source.card)


def _not_negative(difference: Expr) -> Expr:
    return call("clamp_min", difference, 0)
