"""Error texts in the forms in which people paste them."""

from __future__ import annotations

FRAMES = """\
Traceback (most recent call last):
  File "/home/someone/app/train.py", line 9, in main
    for batch in loader:
  File "/usr/lib/python3.11/multiprocessing/reduction.py", line 60, in dump
    ForkingPickler(file, protocol).dump(obj)
"""
SPAWNED = """\
Traceback (most recent call last):
  File "<string>", line 1, in <module>
  File "/usr/lib/python3.12/multiprocessing/spawn.py", line 122, in spawn_main
    exitcode = _main(fd, parent_sentinel)
  File "/usr/lib/python3.12/multiprocessing/spawn.py", line 132, in _main
    self = reduction.pickle.load(from_parent)
"""
LOADING = """\
Traceback (most recent call last):
  File "/home/someone/app/load.py", line 3, in load
    return pickle.load(stream)
           ^^^^^^^^^^^^^^^^^^^
"""
LOCK = "TypeError: cannot pickle '_thread.lock' object"
ADDRESS = "0x7f2d61ae3f70"

# text, kind, what is to blame
PICKLING = {
    "local 3.12": (FRAMES + "AttributeError: Can't pickle local object 'f.<locals>.g'", "local_object", "f.<locals>.g"),
    "local 3.13": (FRAMES + "AttributeError: Can't get local object 'f.<locals>.<lambda>'", "local_lambda", "f.<locals>.<lambda>"),
    "local 3.14": (FRAMES + f"_pickle.PicklingError: Can't pickle local object <function f.<locals>.g at {ADDRESS}>", "local_function", "f.<locals>.g"),
    "local class 3.14": (FRAMES + "_pickle.PicklingError: Can't pickle local object <class 'm.f.<locals>.K'>", "local_class", "f.<locals>.K"),
    "module lambda": (FRAMES + f"_pickle.PicklingError: Can't pickle <function <lambda> at {ADDRESS}>: attribute lookup <lambda> on m failed", "toplevel_lambda", "<lambda>"),
    "class lambda": (FRAMES + f"_pickle.PicklingError: Can't pickle <function C.<lambda> at {ADDRESS}>: it's not found as m.C.<lambda>", "class_lambda", "C.<lambda>"),
    "same": (FRAMES + f"_pickle.PicklingError: Can't pickle <function f at {ADDRESS}>: it's not the same object as m.f", "not_same_object", "f"),
    "deleted": (FRAMES + "_pickle.PicklingError: Can't pickle <class 'm.Gone'>: attribute lookup Gone on m failed", "name_not_found", "Gone"),
    "lock": (FRAMES + LOCK, "resource:lock", "_thread.lock"),
    "file 3.12": (FRAMES + "TypeError: cannot pickle 'TextIOWrapper' instances", "resource:TextIOWrapper", "TextIOWrapper"),
    "queue": (FRAMES + "RuntimeError: Queue objects should only be shared between processes through inheritance", "mp_object", "Queue"),
    "child": (SPAWNED + "AttributeError: Can't get attribute 'work' on <module '__mp_main__' from '/home/someone/a.py'>", "child_missing_attribute", "work"),
    "child 3.14": (SPAWNED + "AttributeError: module '__main__' has no attribute 'work'", "child_missing_attribute", "work"),
    "parent": (SPAWNED + "EOFError: Ran out of input", "parent_failed", None),
    "no file": (SPAWNED + "FileNotFoundError: [Errno 2] No such file or directory: '/home/someone/<stdin>'", "main_not_a_file", None),
    "load 3.14": (LOADING + "AttributeError: module 'm' has no attribute 'Net'", "load_missing_attribute", "Net"),
    "load module": (LOADING + "ModuleNotFoundError: No module named 'gone'", "module_missing", "gone"),
    "load arguments": (LOADING + "TypeError: MyError.__init__() missing 1 required positional argument: 'b'", "load_init_args", "MyError"),
    "load end": (LOADING + "EOFError: Ran out of input", "truncated_data", None),
    "load garbage": (LOADING + "_pickle.UnpicklingError: invalid load key, '<'.", "bad_data", None),
    "sentence": ("How do I solve Can't pickle local object 'f.<locals>.<lambda>' on Windows?", "local_lambda", "f.<locals>.<lambda>"),
    "markup lost": ("AttributeError: Can’t pickle local object ‘train..collate’", "local_object", "train.<locals>.collate"),
    "html": ("AttributeError: Can&#39;t pickle local object &#39;f.&lt;locals&gt;.g&#39;", "local_object", "f.<locals>.g"),
    "mark-down": (f"I get `{LOCK}` with two workers", "resource:lock", "_thread.lock"),
    "asyncio": ("future: <Task finished name='Task-2' exception=TypeError(\"cannot pickle 'generator' object\")>", "resource:generator", "generator"),
    "cause": (FRAMES + LOCK + "\n\nThe above exception was the direct cause of the following exception:\n\n" + LOADING.replace("pickle.load", "save") + "RuntimeError: checkpoint failed", "resource:lock", "_thread.lock"),
    "jupyter": (
        """\
AttributeError                            Traceback (most recent call last)
Cell In[7], line 3
      1 with Pool(2) as p:
----> 3     p.map(make(), [1])

File ~/miniconda3/envs/ml/lib/python3.11/multiprocessing/reduction.py:51, in ForkingPickler.dumps(cls, obj, protocol)
     49 def dumps(cls, obj, protocol=None):
---> 51     cls(buf, protocol).dump(obj)

AttributeError: Can't pickle local object 'make.<locals>.<lambda>'
""",
        "local_lambda",
        "make.<locals>.<lambda>",
    ),
    "old jupyter": ("EOFError    Traceback (most recent call last)\n<ipython-input-12-8f3c2> in <module>\n      1 f = open('x', 'rb')\n----> 2 data = pickle.load(f)\n\nEOFError: Ran out of input\n", "truncated_data", None),
    "rich": (
        """\
╭────────────────── Traceback (most recent call last) ───────────────────╮
│ /usr/lib/python3.11/multiprocessing/reduction.py:60 in dump            │
│                                                                        │
│ ❱ 60     ForkingPickler(file, protocol).dump(obj)                      │
╰────────────────────────────────────────────────────────────────────────╯
TypeError: cannot pickle 'dict_keys' object
""",
        "dict_view",
        "dict_keys",
    ),
    "pytest": (f"    def test_spawn():\n>       pickle.dumps(ds)\nE       {LOCK}\n\ntests/test_x.py:9: TypeError\n", "resource:lock", "_thread.lock"),
    "cut off": ("line 60, in dump\n    ForkingPickler(file, protocol).dump(obj)\n" + LOCK, "resource:lock", "_thread.lock"),
    "windows": (
        'Traceback (most recent call last):\n  File "C:\\Users\\someone\\new\\train.py", line 31, in <module>\n    main()\n' + LOCK,
        "resource:lock",
        "_thread.lock",
    ),
}

ORDINARY = {
    "nothing": "",
    "log": "INFO could not pickle the result, falling back to threads\nINFO saved out/model.pickle in 3.2 s\n",
    "question": "I read that pickle cannot handle locks. Where do I keep them?",
    "json": 'Traceback (most recent call last):\n  File "a.py", line 3, in f\n    json.dumps(x)\nTypeError: Object of type dict_keys is not JSON serializable\nwhen serializing dict item \'a\'',
    "own message": 'Traceback (most recent call last):\n  File "a.py", line 3, in f\n    raise ConfigError("cannot pickle cucumbers")\nConfigError: cannot pickle cucumbers',
    "file missing": LOADING + "FileNotFoundError: [Errno 2] No such file or directory: 'model.pkl'",
    "module attribute": LOADING.replace("pickle.load(stream)", "pickle.load(m.net)").replace("^", "") + "AttributeError: module 'm' has no attribute 'net'",
    "subscript": 'Traceback (most recent call last):\n  File "a.py", line 3, in f\n    state = pickle.load(f)[3]\nKeyError: 3',
    "import of main": SPAWNED.replace("132, in _main\n    self = reduction.pickle.load(from_parent)", "131, in _main\n    prepare(data)") + '  File "a.py", line 1, in <module>\n    import gone\nModuleNotFoundError: No module named \'gone\'',
    "did not raise": "    with pytest.raises(TypeError, match=\"cannot pickle '_thread.lock' object\"):\n>       pickle.dumps(1)\nE       Failed: DID NOT RAISE <class 'TypeError'>\n",
    "worker's own": 'Traceback (most recent call last):\n  File "/usr/lib/python3.11/multiprocessing/process.py", line 314, in _bootstrap\n    self.run()\n  File "a.py", line 4, in work\n    1/0\nZeroDivisionError: division by zero\nTraceback (most recent call last):\n  File "a.py", line 9, in <module>\n    main()\nRuntimeError: DataLoader worker (pid(s) 3) exited unexpectedly',
    "recursion": 'Traceback (most recent call last):\n  File "a.py", line 3, in f\n    pickle.dumps(build(0))\n  File "a.py", line 4, in build\n    return build(n + 1)\n  [Previous line repeated 990 more times]\nRecursionError: maximum recursion depth exceeded',
}
