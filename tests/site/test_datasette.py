"""The Datasette site: stock pages work, and nobody can use up the server."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
import yaml
from datasette.app import Datasette

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def site(shipped: Path) -> Datasette:
    metadata = yaml.safe_load((ROOT / "metadata.yml").read_text(encoding="utf-8"))
    return Datasette([str(shipped)], metadata=metadata)


def get(site: Datasette, path: str) -> Any:
    return asyncio.run(site.client.get(path))


@pytest.mark.parametrize(
    "path",
    ["/", "/msmap", "/msmap/record", "/msmap/record/torch~2Enn~2EDropout", "/msmap/evidence",
     "/msmap/silent_differences", "/msmap/not_on_cpu"],
)  # fmt: skip
def test_page_is_there(site: Datasette, path: str) -> None:
    assert get(site, path).status_code == 200


def test_full_text_search_is_recognised(site: Datasette) -> None:
    """Datasette finds the FTS table; otherwise `_search` would be ignored and give every row."""
    found = get(site, "/msmap/document.json?_search=dropout&_shape=array").json()
    names = {row["name"] for row in found}
    assert "torch.nn.Dropout" in names
    assert "torch.Tensor.size" not in names


def test_a_dotted_path_that_is_not_there_is_a_404(site: Datasette) -> None:
    """With rich installed, stock Datasette answers 500 here, and slowly.

    What follows the last dot is a format to Datasette, so the name before it must not be there.
    """
    import datasette.handle_exception

    assert datasette.handle_exception.rich is None
    assert get(site, "/msmap/record/torch.Nothing.Nothing").status_code == 404


@pytest.mark.parametrize(
    "asked",
    ["_sort=nothing", "_sort=torch&_sort_desc=torch", "_through=%7B",
     "_through=%7B%7D", "torch__in=%5B"],
)  # fmt: skip
def test_what_was_asked_wrongly_is_no_fault_of_the_server(site: Datasette, asked: str) -> None:
    assert get(site, f"/msmap/record?{asked}").status_code == 400


def test_nobody_runs_sql(site: Datasette) -> None:
    """`datasette msmap.db -m metadata.yml` has none of the settings that `msmap serve` makes."""
    assert get(site, "/msmap.json?sql=select+1").status_code == 403


@pytest.mark.parametrize("function", ["zeroblob", "randomblob"])
def test_one_value_cannot_take_the_memory(site: Datasette, function: str) -> None:
    """Where someone allows SQL, a blob of fifty megabytes is refused at once."""
    (database,) = (d for name, d in site.databases.items() if name != "_internal")
    allowing = Datasette([str(database.path)])
    answer = get(allowing, f"/{database.name}.json?sql=select+hex({function}(50000000))")
    assert answer.status_code == 400
    assert answer.json()["error"] == "string or blob too big"


def test_a_query_that_never_ends_is_stopped(site: Datasette) -> None:
    """Where someone allows SQL, Datasette's time limit ends a recursion."""
    (database,) = (d for name, d in site.databases.items() if name != "_internal")
    allowing = Datasette([str(database.path)], settings={"sql_time_limit_ms": 50})
    endless = "with recursive c(x) as (select 1 union all select x + 1 from c) select max(x) from c"
    answer = get(allowing, f"/{database.name}.json?sql={quote(endless)}")
    assert answer.status_code == 400
    assert "SQL query took too long" in answer.json()["error"]


def test_a_checkout_needs_no_installation() -> None:
    """`datasette --plugins-dir datasette_plugins` registers the plugin once, installed or not."""
    code = (
        "import runpy; from datasette.plugins import pm;"
        "runpy.run_path('datasette_plugins/from_checkout.py');"
        "print([name for name, _ in pm.list_name_plugin() if 'msmap' in name])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout == "['msmap']\n"
