"""Dicts and loaders: what they give is known while nobody else may change them."""

from __future__ import annotations

from textwrap import dedent

import pytest
from tests.builders import marked

from msmap.assemble.base import Base


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Base:
    return marked.world(tmp_path_factory.mktemp("containers"))


ONES = "«torch.ones(1)|mindspore.ones(1)»"
KNOWN = {
    "a value by its key": f"""
        d = {{"x": {ONES}, "n": 3}}
        d["x"].«sum|t_sum»(), d["n"].sum(), d.get("x").«sum|t_sum»(), d["no"].sum()
    """,
    "the last of two alike": f"""
        d = {{"x": {ONES}, "x": 3}}
        d["x"].sum()
    """,
    "values that are alike": f"""
        d = {{"x": {ONES}, "y": {ONES}}}
        d[k].«sum|t_sum»()
        for v in d.values(): v.«sum|t_sum»()
        for k, v in d.items(): k.sum(), v.«sum|t_sum»()
        for k in d: k.sum()
    """,
    "what is put in": f"""
        d = {{"n": 3}}
        d["x"] = {ONES}
        d["x"].«sum|t_sum»(), d["n"].sum()
    """,
    "what a function gives": f"""
        def f():
            return {{"loss": {ONES}, "n": 1}}
        f()["loss"].«sum|t_sum»()
        def g():
            out = f()
            out["loss"].«sum|t_sum»(), out["n"].sum()
    """,
    "what a generator gives": f"""
        def f():
            yield {{"x": {ONES}}}
        def g():
            for batch in f(): batch["x"].«sum|t_sum»()
            for i, batch in enumerate(f()): batch["x"].«sum|t_sum»()
    """,
    "a list that is unpacked": f"""
        both = [{ONES}, 1]
        x, n = both
        x.«sum|t_sum»(), n.sum()
        for data in [[{ONES}, 1], [{ONES}, 2]]:
            y, n = data
            y.«sum|t_sum»(), n.sum()
    """,
    "a list in a list that is unpacked": f"""
        both = [[{ONES}], 1]
        inner, n = both
        both[0].append(1)
        inner[0].sum()
    """,
    "what a function puts into a list": f"""
        def f(x):
            found = []
            for k in range(3):
                found.append(x)
            return found
        a, b = f({ONES})
        a.«sum|t_sum»()
    """,
    "tuples in a list": f"""
        pairs = [({ONES}, 1), ({ONES}, 2)]
        for x, n in pairs: x.«sum|t_sum»(), n.sum()
    """,
    "either of two": f"""
        d = {{"x": {ONES}}} if a else {{"x": {ONES}}}
        d["x"].«sum|t_sum»()
    """,
}
LOADER = "torch.utils.data.DataLoader"
LOADED = {
    "samples with numbers": f"""
        import numpy as np
        class Data:
            def __getitem__(self, i):
                label = int(self.labels[i])
                return {ONES}, label, len(self.labels), 0.5
        for x, y, n, m in {LOADER}(Data(), batch_size=2):
            y.«sum|t_sum»(), n.«sum|t_sum»(), m.«sum|t_sum»()
    """,
    "samples with numbers by their types": f"""
        class Data:
            def __getitem__(self, i) -> "tuple[object, int]": return {ONES}, str(i)
        class Told:
            def __getitem__(self, i) -> tuple[str, int]: return self.pairs[i]
        for x, y in {LOADER}(Data(), batch_size=2): y.sum()
        for x, y in {LOADER}(Told(), batch_size=2): x.sum(), y.«sum|t_sum»()
    """,
    "samples with texts": f"""
        class Data:
            def __getitem__(self, i):
                name = str(i)
                if i: return {ONES}, name, 1
                return {ONES}, name, name
        for x, y, z in {LOADER}(Data(), batch_size=2): y.sum(), z.sum()
    """,
    "samples of two tensors": f"""
        class Data:
            def __getitem__(self, i): return {ONES}, {ONES}
        for x, y in {LOADER}(Data(), batch_size=2): x.«sum|t_sum»(), y.«sum|t_sum»()
    """,
    "samples of arrays and others": f"""
        import numpy as np
        class Data:
            def __getitem__(self, i): return np.ones(3), self.label(i)
        for x, y in {LOADER}(Data(), batch_size=2): x.«sum|t_sum»(), y.sum()
    """,
    "samples by name": f"""
        class Data:
            def __getitem__(self, i): return {{"x": {ONES}}}
        def g():
            loader = {LOADER}(Data(), batch_size=2)
            for batch in loader: batch["x"].«sum|t_sum»()
    """,
    "a function of their own": f"""
        class Data:
            def __getitem__(self, i): return {ONES}, {ONES}
        for x, y in {LOADER}(Data(), collate_fn=f): x.sum()
        for x, y in {LOADER}(Data(), batch_size=None): x.sum()
        for x, y in {LOADER}(Data(), **more): x.sum()
        for x, y in {LOADER}(load(), batch_size=2): x.sum()
    """,
    "a function of the code's own": f"""
        class Data:
            def __getitem__(self, i): return {ONES}, 3
        def whole(batch):
            return «torch.cat([x for x, _ in batch])|mindspore.cat([x for x, _ in batch])», size
        for x, y in {LOADER}(Data(), batch_size=2, collate_fn=whole): x.«sum|t_sum»(), y.sum()
        def other(batch): return batch
        for x, y in {LOADER}(Data(), collate_fn=other): x.sum()
    """,
    "with a bar that shows how far it is": f"""
        from tqdm import tqdm
        from tqdm.auto import tqdm as shown
        class Data:
            def __getitem__(self, i): return {ONES}, self.label(i)
        bar = tqdm({LOADER}(Data(), batch_size=2), total=3)
        for x, y in bar: x.«sum|t_sum»(), y.sum(), bar.update(1)
        for i, (x, y) in enumerate(shown({LOADER}(Data(), batch_size=2))): x.«sum|t_sum»()
        import tqdm as bars
        for x, y in bars.tqdm({LOADER}(Data(), batch_size=2)): x.«sum|t_sum»(), y.sum()
        for x, y in bars.auto.tqdm({LOADER}(Data(), batch_size=2)): x.«sum|t_sum»()
    """,
    "what is None is not called": f"""
        def changed(x, how=None, also=None):
            if how is not None: x = how(x)
            if also: x = also(x)
            return x
        changed({ONES}).«sum|t_sum»()
        def other(x, how=None):
            if how is not None: x = how(x)
            return x
        other({ONES}, len).sum()
    """,
    "parts of a dataset": f"""
        class Data:
            def __getitem__(self, i): return {ONES}, self.label(i)
        import torch.utils.data as D
        for x, y in {LOADER}(D.Subset(Data(), [0, 2]), batch_size=2): x.«sum|t_sum»(), y.sum()
        a, b = D.random_split(Data(), [3, 1])
        for x, y in {LOADER}(a, batch_size=2): x.«sum|t_sum»(), y.sum()
        for x, y in {LOADER}(D.Subset(b, [0]), batch_size=2): x.«sum|t_sum»(), y.sum()
        parts = D.random_split(D.TensorDataset({ONES}, {ONES}), [3, 1])
        for x, y in {LOADER}(parts[1], batch_size=2): x.«sum|t_sum»(), y.«sum|t_sum»()
    """,
    "datasets joined": f"""
        class Data:
            def __getitem__(self, i): return {ONES}, {ONES}
        class Other:
            def __getitem__(self, i): return {ONES}, self.label(i)
        import torch.utils.data as D
        both = D.ConcatDataset([Data(), Other()])
        for x, y in {LOADER}(both, batch_size=2): x.«sum|t_sum»(), y.sum()
        for x, y in {LOADER}(D.ConcatDataset([Data(), load()]), batch_size=2): x.sum()
    """,
    "samples fetched many at once": f"""
        class Data:
            def __getitem__(self, i): return {ONES}, {ONES}
            def __getitems__(self, indices): return load(indices)
        for x, y in {LOADER}(Data(), batch_size=2): x.sum()
    """,
}
UNKNOWN = {
    "seen by others": f"""
        d = {{"x": {ONES}}}
        change(d)
        d["x"].sum()
    """,
    "changed": f"""
        d = {{"x": {ONES}}}
        d.update(more)
        d["x"].sum()
    """,
    "changed under a key that isn't known": f"""
        d = {{"x": {ONES}}}
        d[k] = 3
        d["x"].sum()
    """,
    "changed under another name": f"""
        d = {{"x": {ONES}}}
        e = d
        e["x"] = 3
        d["x"].sum()
    """,
    "a list under another name": f"""
        a = [{ONES}]
        b = a
        a.append(3)
        for x in b: x.sum()
    """,
    "changed by a function": f"""
        d = {{"x": {ONES}}}
        def f(): d["x"] = 3
        d["x"].sum()
    """,
    "of the object": f"""
        class A:
            def __init__(self): self.d = {{"x": {ONES}}}
            def f(self): self.d["x"].sum()
    """,
    "unpacked into it": f"""
        d = {{"x": {ONES}, **more}}
        d["x"].sum()
    """,
}  # fmt: skip


@pytest.mark.parametrize("code", [*KNOWN.values(), *LOADED.values()], ids=[*KNOWN, *LOADED])
def test_what_it_holds_is_known(code: str, facts: Base) -> None:
    code = "import torch\n" + dedent(code)
    assert marked.ported(code, facts) == marked.expected(code)


@pytest.mark.parametrize("code", UNKNOWN.values(), ids=UNKNOWN)
def test_nothing_is_known_of_what_others_may_change(code: str, facts: Base) -> None:
    code = "import torch\n" + dedent(code)
    assert marked.ported(code, facts) == marked.expected(code)
