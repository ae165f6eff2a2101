"""Why something is left alone: every reason code, with what a person can do by hand."""

from __future__ import annotations

import ast

from codemods.finding import Refusal

ADVICE = {
    "annotation-evaluated-per-call": (
        "the annotation {name} is evaluated each time the function is defined and needs a local name; "
        "quote it or move it to the module, then run again"
    ),
    "attribute-of-function": (
        "the function keeps state in its own attribute {name}; write a class with __call__ and keep it there"
    ),
    "captures-guarded-definition": (
        "it uses {name}, which exists only under the main guard; move that definition above the guard first"
    ),
    "captures-local-class": "it captures the local class {name}; move that class to the top level of the module first",
    "captures-unpicklable": (
        "it captures {name}, {what}, which does not pickle; create it inside the function or pass it in when calling"
    ),
    "class-attribute": "a partial in a class body does not bind self; move the function into the class as a method",
    "class-base": "its base {name} is known only when the function runs; write one class per base at the top level",
    "class-body-runs": (
        "its body runs {name}, which may come to something else at each call; move it to the top level by " "hand"
    ),
    "class-captures": (
        "it uses the variable {name} of the function around it; store that value on self in __init__, then " "run again"
    ),
    "class-cell": "it uses super() or __class__ of the class around it; name the class: super({name}, self)",
    "class-decorator": (
        "its decorator {name} may do something else, or more, when it runs at import; move it to the top "
        "level by hand"
    ),
    "class-made-at-run-time": (
        "the class is made by {name} from values of the run; define the classes at the top level, or add " "__reduce__"
    ),
    "class-registered": (
        "making a class with {name} has effects of its own; move it to the top level if once, at import, is " "right"
    ),
    "class-state": (
        "{name} is state that each call has for itself; keep it in the objects, or in an object that they " "share"
    ),
    "code-observed": (
        "the module looks at functions through {name}, which a rewritten function would answer differently; "
        "check by hand that moving it is right"
    ),
    "constructor-arguments": (
        "{name} is not kept as it was given; store each argument on self, then run again, or write __reduce__ "
        "by hand"
    ),
    "decorated-wrapper": (
        "the wrapper {name} has a decorator of its own; add functools.wraps by hand where it takes effect"
    ),
    "decorator-runs-per-call": (
        "its decorator runs at each call of the outer function; decorate a top-level function if once is enough"
    ),
    "definition-time-default": (
        "the default of {name} is evaluated each time the function is defined; "
        "bind that value with functools.partial and make the parameter explicit"
    ),
    "deep-copied-state": (
        "copies are made where it gets to, and `copy` shares a function but not the state of an object in the place of "
        "{name}; "
        "write a class with __call__ and decide how it is copied"
    ),
    "dict-changes": (
        "the dict may still change after the view is made ({name}), and a list would not follow; make the list "
        "where the "
        "dict is complete, or a property"
    ),
    "docstring-test": "its docstring holds doctests, which would be collected at the top level; move them first",
    "endless-generator": "the generator has no end; make it where it is used",
    "frame-introspection": "it looks at the call stack through {name}, where the move would show; move it by hand",
    "function-needed": (
        "it is handed to an API that takes a function with a name of its own, no partial or object; pass it what it "
        "captures in another way"
    ),
    "generator-kept": "a generator cannot be stored; make a list of its items, or make it where it is used",
    "function-handed-on": (
        "it hands on {name}, which would be another object each time; give it a class with __call__ or define it first"
    ),
    "generic-function": "it has type parameters of its own; move it by hand",
    "globals-swept": (
        "the module walks over its own globals, where a new function would show; filter them by name, or move it "
        "by hand"
    ),
    "guarded-conditionally": (
        "{name} stands inside another statement under the main guard; move it to the top level of the module by hand"
    ),
    "guarded-decorator": (
        "the decorator {name} would run whenever the module is imported, or not get a function; "
        "move the function above the main guard by hand if that is right"
    ),
    "guarded-definition-time": (
        "{name} is needed when it is defined and exists only under the main guard; move that above the guard first"
    ),
    "guarded-variable": (
        "{name} gets its value under the main guard and does not exist in a child process; "
        "pass it as an argument to what needs it"
    ),
    "hidden-by-decorator": (
        "the decorator {name} may hide the function all the same; see that what it returns has the function's name"
    ),
    "holds-unpicklable": "its objects hold {name}, {what}, which does not pickle; leave it out with __getstate__ first",
    "held-by-declined": "it is pickled only as part of {name}, which is left alone; see there",
    "held-back": "{name} is left as it is, because it was turned down or a command fails once it is rewritten",
    "identity-observed": (
        "{name} tells one call's class from another's; compare something else, then move the class by hand"
    ),
    "import-cycle": (
        "the rewrite needs `import functools`, which itself imports modules of this name; import it inside the function"
    ),
    "import-rebound": "the import of {name} is not the only binding of that name; import it inside the function",
    "late-bound-loop-variable": (
        "{name} changes with each turn of the loop and the function sees its last value; if the value at creation is "
        "meant, bind it with functools.partial(function, {name})"
    ),
    "maybe-unbound": ("{name} may not be bound yet when the function is created; bind it on every path first"),
    "method-binding": "it is stored on a class, where a partial would not bind self; write it as a method",
    "may-wrap-method": (
        "it takes the place of the functions that are decorated, and a partial in the place of a method would not bind "
        "self; add functools.wraps, by which pickle finds the wrapper under the name of the function"
    ),
    "misnamed-wrapper": (
        "pickle looks the wrapper up under the name {name} and finds the function itself; assign the wrapper to that "
        "name, or write a class with __call__ that holds the function"
    ),
    "name-observed": "the program reads its {name}; a moved function has another one, a partial has none",
    "name-rebound": (
        "{name} is bound in more than one place, so that its name may lead elsewhere; use one name for " "each"
    ),
    "name-shown": "an f-string shows the source text of {name}; write the label out, then run again",
    "name-taken": "the top level has another {name}; rename one of the two",
    "namespace-observed": "{name}() looks at the variables around it; pass what it needs explicitly",
    "original-hidden": (
        "two things cannot be found under the name {name}; keep what the name leads to instead of the function, or "
        "decorate the function under another name"
    ),
    "private-names": "it has private names, which {name} is part of, and that name is taken; rename one of the two",
    "rebinds-captured-variable": (
        "it rebinds {name} of the function around it; keep that state in an object, for example a class with __call__"
    ),
    "rebound-after-capture": (
        "{name} may be rebound after the function is created, and the function sees the new value; use another name "
        "for the new value, or bind the one that is meant with functools.partial"
    ),
    "recursive-capture": (
        "it calls itself and reads {name}, which exists only under the main guard; pass {name} as an argument"
    ),
    "set-by-function": (
        "a function sets the global {name}, which may differ in a child process; pass the value as an argument"
    ),
    "receiver-not-always-dict": (
        "what keys(), values() or items() is called on is not always a dict; turn its result into a list where it "
        "is one"
    ),
    "set-algebra": (
        "the view is used like a set ({name}), which a list cannot be; store a set or a list and change that place, or "
        "make it a property"
    ),
    "shadowed-capture": "{name} means something else where the recursive call stands; rename one of the two",
    "shared-cell": "{name} is rebound by another nested function; keep that state in one object that both use",
    "subclass-constructor": "its subclass {name} has a constructor of its own; write __reduce__ for both by hand",
    "suppressed": "{name}, which would have to change as well, is kept as it is by a comment; remove that comment",
    "told-apart": "the code can tell it from the function of another call, so that one for all calls would not do",
    "unfixable": "{name} is not to be rewritten according to the settings; change `fixable` or `unfixable`",
    "unsupported-syntax": "{name} cannot be moved mechanically; move it by hand",
    "attribute-access": "its {name} runs at each access to an attribute; write the state methods by hand",
    "attribute-changes": (
        "{name} may have another value by the time the object is pickled; keep the value that the attribute was made "
        "from in an attribute of its own"
    ),
    "base-keeps-state": (
        "instances of {name} are not pickled through a state that could be left out; hold such an object instead of "
        "deriving from its class"
    ),
    "configured-later": (
        "{name} shows that the object is set up after it was made, which a new one would not be; put making and "
        "setting "
        "up into one method and call it from __setstate__ too"
    ),
    "constructor-called": "pickle calls `__new__` of {name} without arguments; give it `__getnewargs__` first",
    "copied-already": "`copy.deepcopy` copies it already; to pickle it, choose another state style",
    "copied-by-base": "instances of {name} are copied in a way of their own; write __deepcopy__ by hand",
    "constructor-insufficient": (
        "calling the constructor again would not give the same object ({name}); use the state style getstate"
    ),
    "global-rebound": "the global {name} may mean something else in another process; make it a constant",
    "holds-state": "a new {name} would lack what this one holds; {what}",
    "initialiser-calls": (
        "it is made with the result of {name}, which may be another one next time; keep that result in an attribute"
    ),
    "initialiser-needs-local": (
        "it is made with {name}, which the instance does not keep; store that in an attribute and make it again in "
        "__setstate__"
    ),
    "initialiser-too-complex": (
        "the expression that makes it cannot be repeated mechanically; write __setstate__ by " "hand"
    ),
    "inside-container": (
        "{name} is a container of {what} objects; leave it out in __getstate__ and fill it again in __setstate__"
    ),
    "made-by-helper": (
        "it is made by {name}; call that from __setstate__ if it needs nothing but what the instance " "keeps"
    ),
    "no-reducer": ("one reducer for all objects of the type {name} would lose something; use the state style getstate"),
    "not-made-again": "a new {name} must not be made each time the object is loaded; {what}",
    "other-attribute": "{name} does not pickle either and cannot be mended: {what}",
    "own-state-methods": "the class has its own {name}; leave the attribute out there and make it again",
    "partly-read": "{name} is read line by line, so its position is not known; open the file where it is read",
    "passed-in": (
        "{name} may be an object that was passed in and is shared; pass it again after loading, or make it always"
    ),
    "related-elsewhere": (
        "{name}, a class of another file that it shares its instances with, {what}; write the state methods by hand"
    ),
    "set-from-outside": "other code sets the attribute {name}; write the state methods by hand",
    "several-initialisers": "{name} is made in several ways; write __setstate__ by hand",
    "shared-resource": (
        "{name} is handed to another object, which would no longer share it; make both in __setstate__"
    ),
    "slots-generated": (
        "a decorator generates its slots and how they are pickled; write the slots out, or use " "__reduce__"
    ),
    "source-read": "it is handed to an API that reads its source text, which has to stay where it is",
    "state-without-super": (
        "{name} does not hand on to super(), so new methods would never be called; call super().__getstate__() and "
        "super().__setstate__() there"
    ),
    "unpicklable-base": "instances of {name} do not pickle; hold such an object instead of deriving from its class",
    "varying-attribute": "{name} does not always hold such an object; write the state methods by hand",
    "view-as-key": "the view is used as a key or member of a set, which a list cannot be; store a tuple or a property",
    "view-attribute": (
        "the attribute {name} of the view is used, which a list lacks; change that place, or make it a " "property"
    ),
    "view-compared": "the view is compared ({name}), and lists compare otherwise; compare sets, or make it a property",
    "view-shown": "the view is turned into text by {name}, which a list would change; show a list there first",
    "view-type-tested": "the type of the view is looked at by {name}; let that place take a list as well first",
    "forgets-super": "{name} replaces the method of its base; call super() there and add to what it returns",
    "live-state": "{name} is shared with the live object; copy it before changing it",
    "may-be-absent": "an instance may lack {name}; write state.pop({name}, None)",
    "memo-forgotten": "pass {name} to each deepcopy, and enter the new object in it first: memo[id(self)] = new",
    "never-restored": "write a __setstate__ that makes {name} again, or look for it before it is used",
    "recursion-on-load": "raise AttributeError for names that begin with an underscore, or write a __setstate__",
    "reduced-to-constants": "return what {name} was made from, or add its state as the third element",
    "reduced-to-resource": "leave {name} out, and let the function that __reduce__ names make it again",
    "restored-too-early": "call super().__setstate__(state) before {name} is set",
    "slots-without-dict": "collect the slots of {name} that are set, with getattr and hasattr",
}
"""The advice for each reason code; ``{name}`` and ``{what}`` are filled in for the case at hand."""


class Refused(Exception):
    """Raised inside an analysis to give up on a conversion; carries what to tell the person."""

    def __init__(self, reason: str, **details: str) -> None:
        super().__init__(reason)
        self.refusal = refusal(reason, **details)


class Waiting(Refusal):
    """A refusal that holds only until a local class has moved.

    Args:
        refusal: what is refused.
        blocker: the class that has to move first.
    """

    blocker: ast.ClassDef

    def __new__(cls, refusal: Refusal, blocker: ast.ClassDef) -> Waiting:
        waiting = super().__new__(cls, *refusal)
        waiting.blocker = blocker
        return waiting


class WaitsFor(Refused):
    """Raised where something can be converted as soon as a local class has moved to the top level."""

    def __init__(self, blocker: ast.ClassDef, reason: str, **details: str) -> None:
        super().__init__(reason, **details)
        self.refusal = Waiting(self.refusal, blocker)


def refusal(reason: str, **details: str) -> Refusal:
    """The refusal for a reason code, with the names of the case at hand.

    Raises:
        KeyError: if the code is unknown or a detail is missing.
    """
    return Refusal(reason, ADVICE[reason].format(**{key: _quoted(key, value) for key, value in details.items()}))


def _quoted(key: str, value: str) -> str:
    return f"`{value}`" if key == "name" else value
