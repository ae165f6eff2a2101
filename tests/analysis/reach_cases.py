"""Sources with one marked origin each, ``«lambda: 1»``: used up on the spot, at rest, or pickled by a named API."""

from __future__ import annotations

LOCAL = {
    # Called, compared, formatted, thrown away
    "called-at-once": "def f():\n    return («lambda: 1»)()\n",
    "called-through-a-name": "def f():\n    g = «lambda x: x»\n    return g(1) + g(2)\n",
    "nested-function-only-called": "def f(xs):\n    «def g(x):\n        return g(x - 1)»\n    return [g(x) for x in xs]\n",
    "nested-function-never-used": "def f():\n    «def g():\n        return 1»\n    return 2\n",
    "returned-to-a-call-of-a-local-function": (
        "def f(n):\n    def make(k):\n        return «lambda x: x + k»\n    return make(n)(1)\n"
    ),
    "returned-through-two-local-functions": (
        "def f():\n"
        "    def inner():\n        return «lambda: 1»\n"
        "    def outer():\n        return inner()\n"
        "    return outer()()\n"
    ),
    "compared": "def f(g):\n    return g is («lambda: 1»)\n",
    "formatted": "def f():\n    return f'{(«lambda: 1»)!r}'\n",
    "in-an-assertion": "def f(xs):\n    assert any(map(«lambda x: x», xs))\n",
    "default-of-a-function-that-only-calls-it": "def f(x, key=«lambda x: x»):\n    return key(x)\n",
    "default-of-a-local-function": "def f():\n    def g(h=«lambda: 1»):\n        return h()\n    return g()\n",
    "declared-global": "def f():\n    global g\n    «def g():\n        return 1»\n    return g\n",
    # Consumers that use it up
    "sorted-key": "def f(xs):\n    return sorted(xs, key=«lambda x: -x»)\n",
    "list-sort-key": "def f(xs):\n    xs.sort(key=«lambda x: -x»)\n",
    "max-key": "def f(xs):\n    return max(xs, key=«lambda x: -x»)\n",
    "re-sub": "import re\ndef f(s):\n    return re.sub('a', «lambda m: m.group()», s)\n",
    "reduce": "import functools\ndef f(xs):\n    return functools.reduce(«lambda a, b: a + b», xs)\n",
    "map-in-list": "def f(xs):\n    return list(map(«lambda x: x + 1», xs))\n",
    "map-in-star": "def f(xs):\n    return [*map(«lambda x: x + 1», xs)]\n",
    "map-in-a-loop": "def f(xs):\n    for x in map(«lambda x: x + 1», xs):\n        print(x)\n",
    "map-in-join": "def f(xs):\n    return ','.join(map(«lambda x: x + 1», xs))\n",
    "filter-in-dict": "def f(xs):\n    return dict(filter(«lambda x: x», xs))\n",
    "map-over-map-in-sum": "def f(xs):\n    return sum(map(int, map(«lambda x: x», xs)))\n",
    "exit-stack": (
        "import contextlib\ndef f():\n    with contextlib.ExitStack() as stack:\n        stack.callback(«lambda: 1»)\n"
    ),
    "atexit": "import atexit\natexit.register(«lambda: 1»)\n",
    "thread-target": "import threading\ndef f():\n    threading.Thread(target=«lambda: 1»).start()\n",
    "unknown-function": "from m import apply\ndef f(x):\n    return apply(«lambda: 1», x)\n",
    "unknown-method": "def f(frame):\n    return frame.assign(column=«lambda x: x»)\n",
    "callback-of-a-pool": (
        "from multiprocessing import Pool\ndef f(g):\n    Pool().apply_async(g, callback=«lambda r: print(r)»)\n"
    ),
    # Containers and objects that do not leave the call
    "local-table": "def f(name):\n    table = {'a': «lambda: 1»}\n    return table[name]()\n",
    "local-list": "def f(x):\n    steps = []\n    steps.append(«lambda x: x»)\n    for step in steps:\n        x = step(x)\n    return x\n",
    "local-tuple-of-pairs": "def f():\n    for name, g in (('a', «lambda: 1»),):\n        print(name, g())\n",
    "other-half-of-a-pair": "def f():\n    a, b = 1, «lambda: 1»\n    return a\n",
    "number-of-an-item": "def f():\n    last = 0\n    for i, g in enumerate([«lambda: 1»]):\n        last = i\n    return last\n",
    "key-of-a-mapping": "def f():\n    table = {'a': «lambda: 1»}\n    return [name for name in table]\n",
    "keys-of-a-mapping": "def f():\n    table = {'a': «lambda: 1»}\n    return list(table.keys())\n",
    "attribute-of-a-local-object": "class C:\n    pass\ndef f():\n    c = C()\n    c.g = «lambda: 1»\n    return c.g()\n",
    "other-attribute-of-an-object": "class C:\n    pass\ndef f():\n    c = C()\n    c.g, c.n = «lambda: 1», 2\n    return c.n\n",
    "constructor-of-a-local-object": (
        "class C:\n    def __init__(self, g):\n        self.g = g\n    def run(self):\n        return self.g()\n"
        "def f():\n    return C(«lambda: 1»).run()\n"
    ),
    "getter-of-a-local-object": (
        "class C:\n    def __init__(self, g):\n        self.g = g\n    def get(self):\n        return self.g\n"
        "def f():\n    return C(«lambda: 1»).get()()\n"
    ),
    "unknown-class-of-a-local-object": "from m import C\ndef f(x):\n    return C(«lambda: 1»).run(x)\n",
    "defaultdict-of-a-local-count": (
        "from collections import defaultdict\n"
        "def f(xs):\n    count = defaultdict(«lambda: 0»)\n    for x in xs:\n        count[x] += 1\n    return max(count.values())\n"
    ),
    "dict-made-of-a-defaultdict": (
        "from collections import defaultdict\n"
        "def f(xs):\n    count = defaultdict(«lambda: 0»)\n    count[xs] += 1\n    return dict(count)\n"
    ),
    "argument-of-a-function-of-the-file": "def g(h):\n    return h()\ndef f():\n    return g(«lambda: 1»)\n",
    "identity-function-called": "def same(g):\n    return g\ndef f():\n    return same(«lambda: 1»)()\n",
    "identity-function-of-others": (
        "def same(g):\n    return g\ndef f():\n    return same(«lambda: 1»)()\ndef h():\n    return same(len)\n"
    ),
    "partial-called": "import functools\ndef f():\n    return functools.partial(«lambda a: a», 1)()\n",
    "method-of-a-visitor": (
        "class V:\n    def visit(self, node, g):\n        g(node)\n        for child in node:\n            self.visit(child, g)\n"
        "def f(node):\n    V().visit(node, «lambda n: print(n)»)\n"
    ),
    "private-factory-called-at-home": (
        "def _make():\n    def helper():\n        return 1\n    «def g():\n        return helper()»\n    return g\n"
        "def f():\n    return _make()()\n"
    ),
    "private-method-called-at-home": "class C:\n    def _make(self):\n        return «lambda: 1»\n    def f(self):\n        return self._make()()\n",
    "list-of-a-private-function": "def _fill(out):\n    out.append(«lambda: 1»)\ndef f():\n    out = []\n    _fill(out)\n    return len(out)\n",
    "argument-of-a-mock": (
        "from unittest import mock\ndef f():\n    m = mock.Mock(side_effect=«lambda: 1»)\n    m()\n"
    ),
    "parser-of-the-call": (
        "import argparse\ndef f():\n    p = argparse.ArgumentParser()\n    p.add_argument('x', type=«lambda s: s»)\n"
        "    return p.parse_args()\n"
    ),
    "part-of-the-parser-of-the-call": (
        "import argparse\ndef f():\n    p = argparse.ArgumentParser()\n    sub = p.add_subparsers().add_parser('x')\n"
        "    sub.set_defaults(func=«lambda a: 1»)\n    p.print_help()\n"
    ),
    "fluent-calls-of-a-local-object": (
        "class B:\n    def __init__(self):\n        self.items = []\n    def add(self, cb):\n        self.items.append(cb)\n"
        "        return self\n    def run(self):\n        return [i() for i in self.items]\n"
        "def f():\n    return B().add(«lambda: 1»).run()\n"
    ),
    "filled-by-a-helper": (
        "def helper(obj, g):\n    obj.g = g\nclass C:\n    pass\n"
        "def f():\n    c = C()\n    helper(c, «lambda: 1»)\n    return c.g()\n"
    ),
    "other-keyword-argument": "def f(x=None, **k):\n    return k\ndef g():\n    return f(x=«lambda: 1»)\n",
    # Methods, properties, class bodies
    "class-attribute": "class C:\n    key = «lambda self: 1»\n",
    "property": "class C:\n    size = property(«lambda self: 1»)\n",
    "static-method": "class C:\n    make = staticmethod(«lambda: 1»)\n",
    "property-from-a-factory": "def typed(name):\n    «def get(self):\n        return 1»\n    return property(get)\n",
    "enum-body": "import enum\nclass E(enum.Enum):\n    A = 1\n    run = «lambda self: 1»\n",
    "dataclass-default-factory": (
        "from dataclasses import dataclass, field\n@dataclass\nclass C:\n    x: list = field(default_factory=«lambda: []»)\n"
    ),
    "method-put-on-a-class": "def f(cls):\n    «def __repr__(self):\n        return ''»\n    cls.__repr__ = __repr__\n    return cls\n",
    "method-put-on-a-known-class": "class C:\n    pass\ndef f():\n    C.run = «lambda self: 1»\n",
    "namespace-of-a-made-class": "def f(name):\n    return type(name, (), {'run': «lambda self: 1»})\n",
    # Decorators
    "decorator-of-a-factory": (
        "def route(path):\n    «def decorate(fn):\n        TABLE[path] = fn\n        return fn»\n    return decorate\n"
        "TABLE = {}\n@route('/')\ndef index():\n    return 1\n"
    ),
    "decorator-of-an-unused-factory": (
        "def retry(n):\n    «def decorate(fn):\n        def inner(*args):\n            return fn(*args)\n        return inner»\n"
        "    return decorate\n"
    ),
    "wrapper-of-a-factory": (
        "def retry(n):\n    def decorate(fn):\n        «def inner(*args):\n            return fn(*args)»\n        return inner\n"
        "    return decorate\n"
    ),
    "optional-arguments-of-a-decorator": (
        "def task(fn=None, *, n=1):\n    «def decorate(fn):\n        fn.n = n\n        return fn»\n"
        "    return decorate if fn is None else decorate(fn)\n"
    ),
    "skipping-decorator": (
        "import unittest\ndef needs(name):\n"
        "    «def decorate(case):\n        return unittest.skipUnless(name, 'no')(case)»\n    return decorate\n"
    ),
    "decorator-that-is-deleted": (
        "def _wraps(wrapped):\n    «def decorate(wrapper):\n        wrapper.__doc__ = wrapped.__doc__\n        return wrapper»\n"
        "    return decorate\n@_wraps(len)\ndef g():\n    return 1\ndel _wraps\n"
    ),
    "wrapper-with-wraps": (
        "import functools\ndef f(g):\n    «@functools.wraps(g)\n    def inner(x):\n        return g(x)»\n    return inner\n"
    ),
    "wrapper-of-an-applied-decorator": (
        "def logged(fn):\n    «def inner(x):\n        return fn(x)»\n    return inner\n@logged\ndef g(x):\n    return x\n"
    ),
    "wrapper-of-a-decorator-applied-by-call": (
        "def logged(fn):\n    «def inner(x):\n        return fn(x)»\n    return inner\ndef g(x):\n    return x\ng = logged(g)\n"
    ),
    "wrapper-of-any-signature": "def logged(fn):\n    «def inner(*args):\n        return fn(*args)»\n    return inner\n",
    "helper-inside-a-wrapper": (
        "import functools\ndef logged(fn):\n    «def show(x):\n        print(x)»\n"
        "    @functools.wraps(fn)\n    def inner(x):\n        show(x)\n        return fn(x)\n    return inner\n"
    ),
    # Classes that pickle by their own means
    "reduce-leaves-it-out": (
        "class C:\n    def __init__(self, n):\n        self.n = n\n        self.g = «lambda: 1»\n"
        "    def __reduce__(self):\n        return C, (self.n,)\n"
    ),
    "getstate-leaves-it-out": (
        "class C:\n    def __init__(self):\n        self.g = «lambda: 1»\n    def __getstate__(self):\n        return {}\n"
    ),
    "getstate-drops-it": (
        "class C:\n    def __init__(self):\n        self.g = «lambda: 1»\n"
        "    def __getstate__(self):\n        state = self.__dict__.copy()\n        del state['g']\n        return state\n"
    ),
    "getstate-sends-it-by-value": (
        "import cloudpickle\nclass C:\n    def __init__(self):\n        self.g = «lambda: 1»\n"
        "    def __getstate__(self):\n        return cloudpickle.dumps(self.g)\n"
    ),
    "getstate-of-a-base-drops-it": (
        "class B:\n    def __getstate__(self):\n        return dict(self.__dict__, g=None)\n"
        "class C(B):\n    def __init__(self):\n        self.g = «lambda: 1»\n"
    ),
    # Serialisers that take functions as they are
    "cloudpickle": "import cloudpickle\ndef f():\n    return cloudpickle.dumps(«lambda: 1»)\n",
    "deepcopy-of-a-function": "import copy\ndef f():\n    copy.deepcopy([«lambda: 1»])\n",
    "data-sets-map": "import datasets\ndef f():\n    datasets.load_dataset('x').map(«lambda r: r»)\n",
    "loader-without-workers": (
        "from torch.utils.data import DataLoader\ndef f(d):\n    for x in DataLoader(d, collate_fn=«lambda b: b», num_workers=0):\n"
        "        print(x)\n"
    ),
    # Classes
    "local-class-used-at-home": "def f():\n    «class C:\n        def run(self):\n            return 1»\n    return C().run()\n",
    # Views, generators, resources
    "view-iterated": "def f(d):\n    for k in «d.keys()»:\n        print(k)\n",
    "view-listed": "class C:\n    def __init__(self, d):\n        self.names = list(«d.keys()»)\n",
    "view-in-an-iterator": "class C:\n    def __init__(self, d):\n        self.names = iter(«d.keys()»)\n",
    "view-in-a-zip": "class C:\n    def __init__(self, d):\n        self.pairs = zip(«d.keys()», d.values())\n",
    "view-spread": "class C:\n    def __init__(self, d):\n        self.names = [*«d.keys()»]\n",
    "view-in-set-algebra": "class C:\n    def __init__(self, d, e):\n        self.names = «d.keys()» & e.keys()\n",
    "generator-drained": "def f(xs):\n    return sum(«(x for x in xs)»)\n",
    "generator-listed": "class C:\n    def __init__(self, xs):\n        self.xs = tuple(«(x for x in xs)»)\n",
    "lock-used-at-home": "import threading\ndef f():\n    lock = «threading.Lock()»\n    with lock:\n        return 1\n",
}

STATE = {
    # Returned and yielded
    "returned": "def f():\n    return «lambda: 1»\n",
    "nested-function-returned": "def f():\n    «def g():\n        return 1»\n    return g\n",
    "returned-by-a-method": "class C:\n    def f(self):\n        return «lambda: 1»\n",
    "returned-by-a-static-method": "class C:\n    @staticmethod\n    def f():\n        return «lambda: 1»\n",
    "returned-under-a-condition": "def f(c):\n    return («lambda: 1») if c else None\n",
    "returned-by-or": "def f(g=None):\n    return g or («lambda: 1»)\n",
    "returned-by-a-walrus": "def f():\n    return (g := «lambda: 1»)\n",
    "returned-in-a-list": "def f():\n    return [«lambda: 1», 2]\n",
    "returned-in-a-dict": "def f():\n    return {'a': [«lambda: 1»]}\n",
    "returned-by-a-comprehension": "def f(xs):\n    return [«lambda: x» for x in xs]\n",
    "returned-by-a-dict-comprehension": "def f(xs):\n    return {x: («lambda: x») for x in xs}\n",
    "returned-by-spreading": "def f():\n    gs = [«lambda: 1»]\n    return (*gs, 1)\n",
    "returned-by-concatenation": "def f():\n    return [1] + [«lambda: 1»]\n",
    "returned-by-merging": "def f(d):\n    return d | {'a': «lambda: 1»}\n",
    "returned-by-unpacking": "def f():\n    a, *rest = [1, «lambda: 1»]\n    return rest\n",
    "returned-from-an-item": "def f():\n    table = {'a': «lambda: 1»}\n    return table['a']\n",
    "returned-from-values": "def f():\n    table = {'a': «lambda: 1»}\n    return [g for g in table.values()]\n",
    "returned-from-items": "def f():\n    table = {'a': «lambda: 1»}\n    return [g for _, g in table.items()]\n",
    "returned-from-a-slice": "def f():\n    return [«lambda: 1», 2][:1]\n",
    "returned-from-a-zip": "def f(xs):\n    return list(zip(xs, [«lambda: 1»]))\n",
    "returned-by-next": "def f():\n    return next(iter([«lambda: 1»]))\n",
    "returned-by-a-pattern": "def f():\n    match [«lambda: 1»]:\n        case [g]:\n            return g\n",
    "returned-through-a-with": (
        "import contextlib\n@contextlib.contextmanager\ndef c():\n    yield 1\n"
        "def f():\n    with contextlib.nullcontext(«lambda: 1») as g:\n        return g\n"
    ),
    "yielded": "def f():\n    yield «lambda: 1»\n",
    "yielded-from": "def f():\n    yield from [«lambda: 1»]\n",
    "returned-by-a-coroutine": "async def f():\n    return «lambda: 1»\n",
    "awaited-and-returned": (
        "def f():\n    async def make():\n        return «lambda: 1»\n    async def run():\n        return await make()\n    return run\n"
    ),
    "returned-in-a-map": "def f(xs):\n    return map(«lambda x: x», xs)\n",
    "returned-in-a-filter-in-a-map": "def f(xs):\n    return map(str, filter(«lambda x: x», xs))\n",
    "returned-in-a-partial": "import functools\ndef f():\n    return functools.partial(«lambda a: a», 1)\n",
    "returned-with-locals": "def f():\n    g = «lambda: 1»\n    return dict(locals())\n",
    "returned-by-a-called-partial": (
        "import functools\ndef f():\n    def make(n):\n        return «lambda: n»\n    return functools.partial(make, 1)()\n"
    ),
    "returned-by-a-private-function-nobody-calls": "def _f():\n    return «lambda: 1»\n",
    "returned-by-a-private-function-used-as-a-value": "def _f():\n    return «lambda: 1»\nTABLE = [_f, _f()()]\n",
    "returned-by-a-private-function-and-on": "def _f():\n    return «lambda: 1»\ndef f():\n    return _f()\n",
    "returned-by-an-exported-private-function": "__all__ = ['_f']\ndef _f():\n    return «lambda: 1»\n_f()()\n",
    "returned-by-a-private-method-read-by-name": (
        "class C:\n    def _f(self):\n        return «lambda: 1»\n    def f(self, name):\n        self._f()()\n"
        "        return getattr(self, name)()\n"
    ),
    # Functions that hold others
    "captured-by-what-is-returned": "def f():\n    g = «lambda: 1»\n    def h():\n        return g()\n    return h\n",
    "default-of-what-is-returned": "def f():\n    def h(g=«lambda: 1»):\n        return g()\n    return h\n",
    "returned-by-what-is-returned": "def f():\n    def h():\n        return «lambda: 1»\n    return h\n",
    "argument-that-is-captured": (
        "def compose(*steps):\n    def run(x):\n        for step in steps:\n            x = step(x)\n        return x\n    return run\n"
        "def f():\n    return compose(«lambda x: x», str)\n"
    ),
    "called-back-and-returned": "def call(g):\n    return g()\ndef f():\n    def make():\n        return «lambda: 1»\n    return call(make)\n",
    "identity-function": "def same(g):\n    return g\ndef f():\n    return same(«lambda: 1»)\n",
    "keyword-arguments-handed-on": (
        "class H:\n    def __init__(self, filter=None):\n        self.filter = filter\n"
        "def make(**options):\n    return H(**options)\ndef f():\n    return make(filter=«lambda r: r»)\n"
    ),
    "arguments-handed-on": "def make(*args):\n    return list(args)\ndef f():\n    return make(1, «lambda r: r»)\n",
    "filled-by-a-helper": (
        "def helper(obj, g):\n    obj.g = g\nclass C:\n    pass\ndef f():\n    c = C()\n    helper(c, «lambda: 1»)\n    return c\n"
    ),
    "appended-to-an-item": "def f():\n    x = {}\n    x.setdefault('a', []).append(«lambda: 1»)\n    return x\n",
    "appended-to-an-alias": "def f():\n    a = []\n    b = {'a': a}\n    b['a'].append(«lambda: 1»)\n    return a\n",
    "appended-by-a-closure": "def f():\n    out = []\n    def add():\n        out.append(«lambda: 1»)\n    add()\n    return out\n",
    "kept-by-a-fluent-builder": (
        "class B:\n    def __init__(self):\n        self.items = []\n    def add(self, cb):\n        self.items.append(cb)\n"
        "        return self\n    def build(self):\n        return self.items\n"
        "def f():\n    return B().add(«lambda: 1»).build()\n"
    ),
    # Attributes
    "attribute-of-self": "class C:\n    def __init__(self):\n        self.g = «lambda: 1»\n",
    "attribute-in-a-branch": "class C:\n    def __init__(self, g=None):\n        self.g = g or («lambda: 1»)\n",
    "attribute-set-by-a-helper": "class C:\n    def __init__(self):\n        self.set_up()\n    def set_up(self):\n        self.g = «lambda: 1»\n",
    "item-of-an-attribute": "class C:\n    def __init__(self):\n        self.gs = {}\n        self.gs['a'] = «lambda: 1»\n",
    "appended-to-an-attribute": "class C:\n    def f(self):\n        self.gs.append(«lambda: 1»)\n",
    "added-to-an-attribute": "class C:\n    def f(self):\n        self.gs += [«lambda: 1»]\n",
    "alias-of-an-attribute": "class C:\n    def f(self):\n        gs = self.gs\n        gs.append(«lambda: 1»)\n",
    "list-that-becomes-an-attribute": "class C:\n    def f(self):\n        gs = []\n        self.gs = gs\n        gs.append(«lambda: 1»)\n",
    "set-attribute": "class C:\n    def f(self):\n        setattr(self, 'g', «lambda: 1»)\n",
    "namespace-of-self": "class C:\n    def f(self):\n        self.__dict__['g'] = «lambda: 1»\n",
    "variables-of-self": "class C:\n    def f(self):\n        vars(self).update(g=«lambda: 1»)\n",
    "attribute-of-an-argument": "def f(module):\n    module.hook = «lambda: 1»\n",
    "attribute-of-an-unknown-object": "from m import load\ndef f():\n    cfg = load()\n    cfg.g = «lambda: 1»\n",
    "attribute-of-a-module": "import m\ndef f():\n    m.hook = «lambda: 1»\n",
    "attribute-of-what-is-returned": "class C:\n    pass\ndef f():\n    c = C()\n    c.g = «lambda: 1»\n    return c\n",
    "attribute-of-the-captured-self": "class C:\n    def f(self):\n        def g():\n            self.h = «lambda: 1»\n        g()\n",
    "default-of-a-constructor": "class C:\n    def __init__(self, g=«lambda: 1»):\n        self.g = g\n",
    "argument-of-a-constructor": (
        "class C:\n    def __init__(self, g):\n        self.g = g\ndef f():\n    return [C(«lambda: 1»)]\n"
    ),
    "argument-of-a-base-constructor": (
        "class B:\n    def __init__(self, g=None):\n        self.g = g\n"
        "class C(B):\n    def __init__(self):\n        super().__init__(g=«lambda: 1»)\n"
    ),
    "argument-of-an-unknown-base": "from m import B\nclass C(B):\n    def __init__(self):\n        super().__init__(g=«lambda: 1»)\n",
    "argument-of-a-named-base": "from m import B\nclass C(B):\n    def __init__(self):\n        B.__init__(self, «lambda: 1»)\n",
    "argument-of-an-unknown-class": "from m import C\ndef f():\n    return C(«lambda: 1»)\n",
    "attribute-of-an-unknown-class": "from m import C\ndef f():\n    return C(«lambda: 1»).fn\n",
    "default-of-a-dataclass-field": "from dataclasses import dataclass\n@dataclass\nclass C:\n    g: object = «lambda: 1»\n",
    "default-of-a-declared-field": (
        "import dataclasses\n@dataclasses.dataclass\nclass C:\n    g: object = dataclasses.field(default=«lambda: 1»)\n"
    ),
    "default-of-an-attrs-field": "import attr\n@attr.s\nclass C:\n    g = attr.ib(default=«lambda: 1»)\n",
    "argument-of-a-dataclass": (
        "from dataclasses import dataclass\n@dataclass\nclass C:\n    g: object\ndef f():\n    return C(«lambda: 1»)\n"
    ),
    "argument-of-a-named-tuple": (
        "from collections import namedtuple\nP = namedtuple('P', 'a b')\ndef f():\n    return P(«lambda: 1», 2)\n"
    ),
    "getstate-keeps-it": (
        "class C:\n    def __init__(self):\n        self.g = «lambda: 1»\n"
        "    def __getstate__(self):\n        state = self.__dict__.copy()\n        del state['h']\n        return state\n"
    ),
    "reduce-keeps-it": (
        "class C:\n    def __init__(self):\n        self.g = «lambda: 1»\n    def __reduce__(self):\n        return C, (self.g,)\n"
    ),
    "hook-of-a-module-of-the-file": (
        "class L:\n    def __init__(self):\n        self.hooks = []\n    def register_hook(self, hook):\n        self.hooks.append(hook)\n"
        "class M:\n    def __init__(self):\n        self.layers = [L()]\n        for layer in self.layers:\n"
        "            layer.register_hook(«lambda: 1»)\n"
    ),
    "hook-of-an-unknown-module": "def f(model):\n    for name, module in model.named_modules():\n        module.register_forward_hook(«lambda: 1»)\n",
    "method-of-the-same-name": (
        "class R:\n    def put_in(self, g):\n        self.g = g\ndef f(r):\n    r.put_in(«lambda: 1»)\n"
    ),
    "annotated-receiver": (
        "class R:\n    def take(self, g):\n        self.g = g\nclass S:\n    def take(self, g):\n        g()\n"
        "def f(r: R):\n    r.take(«lambda: 1»)\n"
    ),
    # Globals
    "global-name": "g = «lambda: 1»\n",
    "global-table": "TABLE = {'a': «lambda: 1»}\n",
    "global-comprehension": "TABLE = {x: («lambda: x») for x in 'ab'}\n",
    "item-of-a-global": "TABLE = {}\ndef f():\n    TABLE['a'] = «lambda: 1»\n",
    "default-of-a-global": "TABLE = {}\ndef f():\n    return TABLE.setdefault('a', «lambda: 1»)()\n",
    "declared-global-name": "def f():\n    global g\n    g = «lambda: 1»\n",
    "registry-of-a-class": "class C:\n    table = {}\ndef f():\n    C.table['a'] = «lambda: 1»\n",
    "registry-of-its-own-class": (
        "class C:\n    table = {}\n    @classmethod\n    def add(cls, name):\n        cls.table[name] = «lambda: 1»\n"
    ),
    "registered-by-a-function": "TABLE = []\ndef register(fn):\n    TABLE.append(fn)\ndef f():\n    register(«lambda: 1»)\n",
    "list-of-a-caller": "def fill(out):\n    out.append(«lambda: 1»)\n",
    "list-of-a-known-caller": "TABLE = []\ndef f():\n    def fill(out):\n        out.append(«lambda: 1»)\n    fill(TABLE)\n",
    "pushed-on-a-heap": "import heapq\nHEAP = []\ndef f():\n    heapq.heappush(HEAP, (1, «lambda: 1»))\n",
    # Factories of defaults
    "defaultdict-returned": "from collections import defaultdict\ndef f():\n    return defaultdict(«lambda: 0»)\n",
    "defaultdict-attribute": (
        "from collections import defaultdict\nclass C:\n    def __init__(self):\n        self.d = defaultdict(«lambda: 0»)\n"
    ),
    "defaultdict-in-a-defaultdict": (
        "from collections import defaultdict\ndef f():\n    return defaultdict(lambda: defaultdict(«lambda: 0»))\n"
    ),
    "defaultdict-that-names-itself": (
        "from collections import defaultdict\ndef f():\n    tree = «lambda: defaultdict(tree)»\n    return tree()\n"
    ),
    # Decorated
    "decorated-by-an-unknown": "import contextlib\ndef f():\n    «@contextlib.contextmanager\n    def g():\n        yield»\n    return g\n",
    "decorated-by-a-factory-of-the-file": (
        "import functools\ndef retry(n):\n    def decorate(fn):\n        @functools.wraps(fn)\n        def inner(*args):\n"
        "            return fn(*args)\n        return inner\n    return decorate\n"
        "def f():\n    «@retry(3)\n    def g():\n        return 1»\n    return g\n"
    ),
    "registered-with-a-dispatcher": (
        "import functools\ndef f():\n    @functools.singledispatch\n    def g(x):\n        return 1\n"
        "    «@g.register\n    def h(x: int):\n        return 2»\n    return g\n"
    ),
    "filter-factory": "def f(name):\n    «def g(record):\n        return record.name == name»\n    return g\n",
    "higher-order-function": "def negate(p):\n    «def g(x):\n        return not p(x)»\n    return g\n",
    "identity-on-values": "def f():\n    «def g(x):\n        print(x)\n        return x»\n    return g\n",
    "decorator-used-as-a-function": (
        "def logged(fn):\n    «def inner(*args):\n        return fn(*args)»\n    return inner\n"
        "class C:\n    def __init__(self):\n        self.g = logged(len)\n"
    ),
    # Classes and their instances
    "local-class-returned": "def f():\n    «class C:\n        pass»\n    return C\n",
    "instance-of-a-local-class-returned": "def f():\n    «class C:\n        pass»\n    return C()\n",
    "instance-of-a-local-class-in-an-attribute": "class D:\n    def f(self):\n        «class C:\n            pass»\n        self.c = [C()]\n",
    "instance-made-by-a-class-method": (
        "def f():\n    «class C:\n        @classmethod\n        def make(cls):\n            return cls()»\n    return C.make()\n"
    ),
    "local-class-in-a-closure": "def f():\n    «class C:\n        pass»\n    def make():\n        return C()\n    return make\n",
    "member-of-a-local-enum": "import enum\ndef f():\n    «class E(enum.Enum):\n        A = 1»\n    return E.A\n",
    "members-of-a-local-enum": "import enum\ndef f():\n    «class E(enum.Enum):\n        A = 1»\n    return list(E)\n",
    "named-tuple-made-in-a-function": (
        "from collections import namedtuple\ndef f():\n    P = «namedtuple('P', 'a')»\n    return P(1)\n"
    ),
    "class-made-by-type": "def f(name):\n    return «type(name, (), {})»()\n",
    "instance-that-stores-itself": (
        "ALL = []\ndef f():\n    «class C:\n        def __init__(self):\n            ALL.append(self)»\n    C()\n"
    ),
    "base-of-a-local-class": "def f():\n    «class B:\n        pass»\n    class C(B):\n        pass\n    return C()\n",
    # Views, generators, resources
    "view-attribute": "class C:\n    def __init__(self, d):\n        self.names = «d.keys()»\n",
    "view-through-a-name": "class C:\n    def __init__(self, d):\n        names = «d.values()»\n        self.names = names\n",
    "view-returned": "def f(d):\n    return «d.items()», 1\n",
    "view-in-a-list": "def f(d):\n    return [«d.keys()»]\n",
    "view-of-a-conditional": "def f(d):\n    return «d.keys()» if d else ()\n",
    "generator-attribute": "class C:\n    def __init__(self, xs):\n        self.xs = «(x for x in xs)»\n",
    "generator-in-a-map": "def f(xs):\n    return map(str, «(x for x in xs)»)\n",
    "lock-attribute": "import threading\nclass C:\n    def __init__(self):\n        self.lock = «threading.Lock()»\n",
    "lock-from-a-default-factory": (
        "import threading\nfrom dataclasses import dataclass, field\n"
        "@dataclass\nclass C:\n    lock: object = field(default_factory=lambda: «threading.Lock()»)\n"
    ),
    "lock-shared-by-a-shallow-copy": (
        "import copy, threading\nclass C:\n    def __init__(self):\n        self.lock = «threading.Lock()»\n"
        "    def fork(self):\n        return copy.copy(self)\n"
    ),
}

SINK = {
    "pickled": ("pickle.dumps", "import pickle\ndef f():\n    return pickle.dumps(«lambda: 1»)\n"),
    "pickled-in-a-tuple": ("pickle.dumps", "import pickle\ndef f():\n    return pickle.dumps((1, [«lambda: 1»]))\n"),
    "pool-map": (
        "multiprocessing.pool.Pool.map",
        "from multiprocessing import Pool\ndef f(xs):\n    return Pool().map(«lambda x: x», xs)\n",
    ),
    "pool-in-a-with": (
        "multiprocessing.pool.Pool.map",
        "import multiprocessing as mp\ndef f(xs):\n    with mp.Pool(2) as pool:\n        return pool.map(«lambda x: x», xs)\n",
    ),
    "pool-in-an-attribute": (
        "multiprocessing.pool.Pool.map",
        "from multiprocessing import Pool\nclass C:\n    def __init__(self):\n        self.pool = Pool()\n"
        "    def f(self, xs):\n        return self.pool.map(«lambda x: x», xs)\n",
    ),
    "pool-as-an-annotated-argument": (
        "concurrent.futures.ProcessPoolExecutor.submit",
        "from concurrent.futures import ProcessPoolExecutor\ndef f(pool: ProcessPoolExecutor):\n    pool.submit(«lambda: 1»)\n",
    ),
    "process-of-a-context": (
        "multiprocessing.Process",
        "import multiprocessing\ndef f():\n    context = multiprocessing.get_context('spawn')\n    context.Process(target=«lambda: 1»).start()\n",
    ),
    "partial-in-a-pool": (
        "multiprocessing.pool.Pool.map",
        "import functools\nfrom multiprocessing import Pool\ndef f(xs):\n"
        "    Pool().map(functools.partial(«lambda a, b: a», 1), xs)\n",
    ),
    "argument-of-a-task": (
        "concurrent.futures.ProcessPoolExecutor.submit",
        "from concurrent.futures import ProcessPoolExecutor\ndef f(g):\n    ProcessPoolExecutor().submit(g, 1, key=«lambda: 1»)\n",
    ),
    "items-of-a-pool": (
        "multiprocessing.pool.Pool.map",
        "from multiprocessing import Pool\ndef f(g):\n    Pool().map(g, [«lambda: 1»])\n",
    ),
    "result-of-a-worker": (
        "multiprocessing.pool.Pool.map",
        "from multiprocessing import Pool\ndef work(x):\n    return «lambda: x»\ndef f(xs):\n    Pool().map(work, xs)\n",
    ),
    "view-returned-by-a-worker": (
        "multiprocessing.pool.Pool.imap",
        "from multiprocessing import Pool\ndef work(d):\n    return «d.keys()»\ndef f(ds):\n    for keys in Pool().imap(work, ds):\n"
        "        print(keys)\n",
    ),
    "loader": (
        "torch.utils.data.DataLoader",
        "from torch.utils.data import DataLoader\ndef f(d):\n    return DataLoader(d, num_workers=4, collate_fn=«lambda b: b»)\n",
    ),
    "data-set-of-a-loader": (
        "torch.utils.data.DataLoader",
        "import torch.utils.data as data\nclass D(data.Dataset):\n    def __init__(self, transform=None):\n        self.transform = transform\n"
        "def f():\n    return data.DataLoader(D(transform=«lambda x: x»), num_workers=2)\n",
    ),
    "attribute-set-after-the-constructor": (
        "torch.utils.data.DataLoader",
        "from torch.utils.data import DataLoader\nclass D:\n    pass\ndef f():\n    d = D()\n    d.transform = «lambda x: x»\n"
        "    return DataLoader(d, num_workers=2)\n",
    ),
    "item-of-a-data-set": (
        "torch.utils.data.DataLoader",
        "from torch.utils.data import DataLoader\nclass D:\n    def __getitem__(self, i):\n        return self.rows[i], «lambda: i»\n"
        "def f():\n    return DataLoader(D(), num_workers=2)\n",
    ),
    "subclass-of-a-loader": (
        "torch.utils.data.DataLoader",
        "from torch.utils.data import DataLoader\nclass L(DataLoader):\n    def __init__(self, d):\n"
        "        super().__init__(d, num_workers=2, collate_fn=«lambda b: b»)\n",
    ),
    "subclass-of-a-process": (
        "multiprocessing.Process.start",
        "from multiprocessing import Process\nclass W(Process):\n    def __init__(self):\n        super().__init__()\n"
        "        self.g = «lambda: 1»\ndef f():\n    W().start()\n",
    ),
    "bound-method-of-its-holder": (
        "torch.multiprocessing.spawn",
        "import torch.multiprocessing as mp\nclass T:\n    def __init__(self):\n        self.log = «lambda: 1»\n"
        "    def work(self, rank):\n        self.log()\n    def run(self):\n        mp.spawn(self.work, nprocs=2)\n",
    ),
    "class-attribute-read-off": (
        "multiprocessing.pool.Pool.map",
        "from multiprocessing import Pool\nclass C:\n    g = «lambda x: x»\n    def f(self, xs):\n        Pool().map(C.g, xs)\n",
    ),
    "unsaved-attribute-handed-out": (
        "multiprocessing.pool.Pool.map",
        "from multiprocessing import Pool\nclass C:\n    def __init__(self):\n        self.g = «lambda x: x»\n"
        "    def __reduce__(self):\n        return C, ()\n    def f(self, xs):\n        Pool().map(self.g, xs)\n",
    ),
    "global-used-by-another-function": (
        "pickle.dumps",
        "import pickle\nTABLE = [«lambda: 1»]\ndef f():\n    return pickle.dumps(TABLE)\n",
    ),
    "scheduler-in-a-checkpoint": (
        "torch.save",
        "import torch\nfrom torch.optim.lr_scheduler import LambdaLR\ndef make(o):\n    return LambdaLR(o, «lambda step: 1»)\n"
        "def f(o, path):\n    torch.save({'s': make(o)}, path)\n",
    ),
    "average-function-in-a-saved-model": (
        "torch.save",
        "import torch\nfrom torch.optim.swa_utils import AveragedModel\ndef f(model, path):\n"
        "    torch.save(AveragedModel(model, avg_fn=«lambda *a: 1»), path)\n",
    ),
    "average-function-of-a-subclass": (
        "torch.save",
        "import torch\nfrom torch.optim.swa_utils import AveragedModel\nclass Moving(AveragedModel):\n"
        "    def __init__(self, model):\n        super().__init__(model, None, «lambda *a: 1»)\n"
        "def f(model, path):\n    torch.save(Moving(model), path)\n",
    ),
    "average-function-of-a-plain-subclass": (
        "torch.save",
        "import torch\nfrom torch.optim.swa_utils import AveragedModel\nclass Moving(AveragedModel):\n    pass\n"
        "def f(model, path):\n    torch.save(Moving(model, avg_fn=«lambda *a: 1»), path)\n",
    ),
    "hook-in-a-saved-model": (
        "torch.save",
        "import torch\ndef attach(model):\n    for module in model.modules():\n        module.register_forward_hook(«lambda *a: None»)\n"
        "def f(model, path):\n    attach(model)\n    torch.save(model, path)\n",
    ),
    "queue": (
        "multiprocessing.queues.Queue.put",
        "import multiprocessing\ndef f():\n    q = multiprocessing.Queue()\n    q.put(«lambda: 1»)\n",
    ),
    "instance-of-a-local-class": (
        "pickle.dump",
        "import pickle\ndef f(file):\n    «class C:\n        pass»\n    pickle.dump([C()], file)\n",
    ),
    "deep-copy-of-a-lock": (
        "copy.deepcopy",
        "import copy, threading\nclass C:\n    def __init__(self):\n        self.lock = «threading.Lock()»\n"
        "    def fork(self):\n        return copy.deepcopy(self)\n",
    ),
    "lock-in-cloudpickle": (
        "cloudpickle.dumps",
        "import cloudpickle, threading\ndef f():\n    return cloudpickle.dumps([«threading.Lock()»])\n",
    ),
    "applied-with-the-name-of-the-module": (
        "multiprocessing.pool.Pool.starmap",
        "import multiprocessing.pool\ndef f(xs):\n    pool = multiprocessing.pool.Pool()\n    pool.starmap(«lambda a, b: a», xs)\n",
    ),
}

WAYS = {
    "returned": ("def f():\n    return «lambda: 1»\n", ["returned by f()"]),
    "through-a-constructor": (
        "class C:\n    def __init__(self, steps):\n        self.steps = steps\ndef f():\n    return C([«lambda: 1»])\n",
        ["passed to C(steps=)", "stored in self.steps of C", "returned by f()"],
    ),
    "through-an-unknown-class": (
        "from m import C\ndef f():\n    return C(key=«lambda: 1»)\n",
        ["passed to C(key=)", "returned by f()"],
    ),
    "through-a-base": (
        "class B:\n    def __init__(self, g):\n        self.g = g\n"
        "class C(B):\n    def __init__(self):\n        super().__init__(«lambda: 1»)\n",
        ["passed to B.__init__(g=)", "stored in self.g of B"],
    ),
    "to-a-spawned-loader": (
        "from torch.utils.data import DataLoader\nclass D:\n    def __init__(self, transform):\n        self.transform = transform\n"
        "def f():\n    return DataLoader(D(«lambda x: x»), num_workers=2)\n",
        [
            "passed to D(transform=)",
            "stored in self.transform of D",
            "pickled by DataLoader(dataset=) under spawn/forkserver",
        ],
    ),
    "to-a-pool": (
        "from multiprocessing import Pool\ndef f(xs):\n    g = «lambda x: x»\n    return Pool().map(g, xs)\n",
        ["pickled by Pool.map(func=)"],
    ),
    "back-from-a-pool": (
        "from multiprocessing import Pool\ndef work(x):\n    return «lambda: x»\ndef f(xs):\n    Pool().map(work, xs)\n",
        ["returned by work()", "pickled on its way back from Pool.map(func=)"],
    ),
    "captured": (
        "def f():\n    g = «lambda: 1»\n    def h():\n        return g()\n    return h\n",
        ["captured by h()", "returned by f()"],
    ),
    "global": ("g = h = «lambda: 1»\n", ["kept in the global g"]),
    "global-through-an-argument": (
        "TABLE = []\ndef add(to, fn):\n    to.append(fn)\nadd(TABLE, «lambda: 1»)\n",
        ["passed to add(fn=)", "passed to to.append(object=)", "kept in the global TABLE"],
    ),
    "argument": (
        "def f(out):\n    out.append(«lambda: 1»)\n",
        ["passed to out.append(object=)", "kept in the argument out of f()"],
    ),
    "default-of-a-field": (
        "from dataclasses import dataclass\n@dataclass\nclass C:\n    g: object = «lambda: 1»\n",
        ["default of field g in each C"],
    ),
    "default-of-a-parameter": (
        "class C:\n    def __init__(self, g=«lambda: 1»):\n        self.g = g\n",
        ["default of g in __init__()", "stored in self.g of C"],
    ),
    "default-factory": (
        "from collections import defaultdict\nclass C:\n    def __init__(self):\n        self.d = defaultdict(«lambda: 0»)\n",
        ["default_factory of a defaultdict", "stored in self.d of C"],
    ),
    "shortest": (
        "class C:\n    def f(self):\n        g = «lambda: 1»\n        h = [[g]]\n        self.h = h\n        self.g = g\n",
        ["stored in self.g of C"],
    ),
}
