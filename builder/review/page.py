"""The report as one page that needs nothing else: no network, no script."""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence

from builder.diff import BoardDiff, Part
from builder.diff.show import html
from builder.diff.wording import counted, title_of
from builder.lint import Finding
from builder.review import words
from builder.review.model import BoardReview, Draw, Picture, Review, pictures

_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>Dashboards: {summary}</title>
<style>
:root {{ color-scheme: light dark; --line: #d0d7de; --plus: #dafbe1; --minus: #ffebe9; --code: #f6f8fa; --text: #1f2328;
  --back: #fff }}
@media (prefers-color-scheme: dark) {{ :root {{ --line: #3d444d; --plus: #12361f; --minus: #4a1e1c; --code: #151b23;
  --text: #f0f6fc; --back: #0d1117 }} }}
body {{ background: var(--back); color: var(--text); font: 16px/1.5 system-ui, sans-serif; margin: 0 auto;
  max-width: 75em; padding: 1em; overflow-wrap: anywhere }}
summary {{ cursor: pointer; font-size: 1.2em; margin: .5em 0 }}
summary h2 {{ display: inline; font-size: 1em; font-weight: normal }}
code, pre {{ font: .9em/1.45 ui-monospace, monospace }}
code {{ background: var(--code); border-radius: 4px; padding: 0 .2em }}
.pictures {{ display: flex; flex-wrap: wrap; gap: .8em; margin: .6em 0 }}
figure {{ flex: 1 1 20em; margin: 0; max-width: 100%; min-width: 0 }} figcaption {{ font-size: .9em }}
img {{ border: 1px solid var(--line); border-radius: 4px; display: block; height: auto; max-width: 100% }}
{css}</style>
<main>
<h1>Dashboards: {summary}</h1>
<p>{compared}.</p>
{notes}{live}{boards}
</main>
</html>
"""


def render(review: Review, *, draw: Draw | None = None, notes: Sequence[str] = ()) -> str:
    """The page; ``draw`` makes the pictures of panels that differ, before and after, and ``notes`` are about them."""
    told = "".join(f"<blockquote>{html.text(note)}</blockquote>" for note in (*review.notes, *notes))
    unread = f"<h2>What cannot be read</h2>{_findings(review.unread)}" if review.unread else ""
    live = f"<h2>What Prometheus says</h2>{_findings(review.live)}" if review.live else ""
    return _PAGE.format(
        summary=html.text(words.summary(review)),
        css=html.CSS,
        compared=html.words(words.compared_with(review)),
        notes=told,
        live=unread + live,
        boards="\n".join(_board(board, draw) for board in review.boards),
    )


def _board(board: BoardReview, draw: Draw | None) -> str:
    diff = board.diff
    title = f"<h2>{html.words(title_of(diff))}: {html.text(counted(diff))}</h2>"
    gone = f"<p>{words.gone(board)}.</p>" if board.gone else ""
    return (
        f"<details open><summary>{title}</summary><p>{html.text(words.size(board))}</p>"
        f"{_findings(board.findings)}{gone}{html.render(diff, _below(diff, draw))}</details>"
    )


def _findings(found: Sequence[Finding]) -> str:
    items = "".join(f"<li>{'<br>'.join(html.words(line) for line in words.finding(each))}</li>" for each in found)
    return f"<ul>{items}</ul>" if items else ""


def _below(diff: BoardDiff, draw: Draw | None) -> Callable[[Part], str]:
    def shown(part: Part) -> str:
        if draw is None or part.what != "panel":
            return ""
        before, after = pictures(diff, part, draw)
        if before is not None and after is not None and before.content == after.content:
            return f'<div class="pictures">{_figure(after, "before and after, looking the same")}</div>'
        figures = [_figure(one, side) for one, side in ((before, "before"), (after, "after")) if one is not None]
        return f'<div class="pictures">{"".join(figures)}</div>' if figures else ""

    return shown


def _figure(picture: Picture, side: str) -> str:
    data = base64.b64encode(picture.content).decode("ascii")
    source = html.text(f"data:{picture.media_type};base64,{data}")
    return (
        f'<figure><figcaption>{side}</figcaption><img src="{source}" alt="{html.text(picture.description)}"></figure>'
    )
