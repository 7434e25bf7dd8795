"""Random Promela models, small but with every construct: scrimp and SPIN are compared on them.

A seed stands for a model; the profile follows from it unless one is given. Models are small because numbers are mostly
kept below 4 and processes few; the caller discards the others.
"""

from __future__ import annotations

from random import Random

from tests.differential.profiles import PROFILES, Profile
from tests.differential.random_claims import Claims
from tests.differential.random_expressions import MTYPES
from tests.differential.random_statements import may_be_labelled
from tests.differential.scope import NUMBERS, Channel, Inline, Proctype, Scope, Variable
from tests.differential.tree import Block, Line, Lines, render

STRUCTURE = "Pair"
MESSAGES = (("byte",), ("mtype", "byte"), ("bit",), ("byte", "short"), ("mtype",), ("int", "bit", "byte"))


def profile_of(seed: int) -> str:
    """The profiles take turns, except those with claims, which must be asked for by name."""
    names = [name for name, profile in PROFILES.items() if not profile.claims]
    return names[seed % len(names)]


def random_model(seed: int, profile: str | None = None) -> Lines:
    name = profile or profile_of(seed)
    return Author(Random(f"{name} {seed}"), PROFILES[name]).model()


def random_text(seed: int, profile: str | None = None) -> str:
    return render(random_model(seed, profile))


class Author(Claims):
    """Writes one model."""

    def __init__(self, random: Random, profile: Profile) -> None:
        super().__init__(random, profile)
        self.globals = Scope()
        self.has_structures = self.chance(profile.structures)

    def model(self) -> Lines:
        declarations = self.declarations()
        proctypes = self.signatures()
        self.startable = tuple(proctype for proctype in proctypes if not proctype.active)
        inlines = self.inline_definitions()
        bodies = []
        for proctype in proctypes:
            bodies.append(self.proctype(proctype))
            self.remote += [] if self.startable else [proctype]
        init = (self.init(),) if self.startable and self.needs_init(proctypes) else ()
        claim = (self.claim(self.globals.within()),) if self.chance(self.profile.claims) else ()
        return (*declarations, *inlines, *bodies, *init, *claim)

    # --- declarations ---

    def declarations(self) -> Lines:
        lines: list[Line] = [f"mtype = {{ {', '.join(MTYPES)} }};"]
        if self.has_structures:
            lines.append(self.structure())
        for _ in range(self.between(1, 3)):
            lines.append(self.variable(self.globals, self.fresh("g"), constant=True))
        if not any(variable.is_number for variable in self.globals.variables):
            lines.append(self.plain_variable(self.globals, self.fresh("g"), "byte", constant=True))
        if self.chance(self.profile.channels):
            lines += self.channel_declarations()
        return tuple(lines)

    def structure(self) -> Line:
        self.structure_array = self.chance(30)
        last = "bit b[2];" if self.structure_array else "bit b;"
        return Block(f"typedef {STRUCTURE} {{", ("byte a;", last), "};")

    def variable(self, scope: Scope, name: str, constant: bool) -> Line:
        """Declares a variable, of whatever kind, in the scope."""
        if self.has_structures and self.chance(self.profile.structures // 2):
            return self.structure_variable(scope, name)
        type_name = self.pick((*NUMBERS, "bit", "byte", "byte", "mtype"))
        if self.chance(self.profile.arrays):
            length = self.pick((2, 2, 3, 4))
            scope.variables.append(Variable(f"{name}[{{}}]", type_name, (length,)))
            initial = f" = {self.start_value(type_name)}" if type_name in NUMBERS and self.chance(30) else ""
            return f"{type_name} {name}[{length}]{initial};" if type_name != "unsigned" else self.small(scope, name)
        return self.plain_variable(scope, name, type_name, constant)

    def small(self, scope: Scope, name: str) -> Line:
        """SPIN has no arrays of bit fields: a single one instead."""
        scope.variables[-1] = Variable(name, "unsigned")
        return f"unsigned {name} : 2;"

    def plain_variable(self, scope: Scope, name: str, type_name: str, constant: bool) -> Line:
        initial = ""
        if self.chance(40):
            initial = f" = {self.start_value(type_name) if constant else self.value_for(scope, type_name)}"
        scope.variables.append(Variable(name, type_name))
        return f"{type_name} {name}{' : 2' if type_name == 'unsigned' else ''}{initial};"

    def start_value(self, type_name: str) -> str:
        """A constant that fits the type: SPIN refuses others."""
        if type_name == "mtype":
            return self.pick(MTYPES)
        return str(self.between(0, 1 if type_name in ("bit", "bool") else 3))

    def structure_variable(self, scope: Scope, name: str) -> Line:
        array = self.chance(self.profile.arrays)
        prefix, lengths = (f"{name}[{{}}]", (2,)) if array else (name, ())
        scope.variables.append(Variable(f"{prefix}.a", "byte", lengths))
        if self.structure_array:
            scope.variables.append(Variable(f"{prefix}.b[{{}}]", "bit", (*lengths, 2)))
        else:
            scope.variables.append(Variable(f"{prefix}.b", "bit", lengths))
        if not array:
            scope.structures.append(Variable(name, STRUCTURE))
        return f"{STRUCTURE} {name}{'[2]' if array else ''};"

    def channel_declarations(self) -> list[Line]:
        lines: list[Line] = []
        for _ in range(self.between(1, 2)):
            lines.append(self.channel(self.globals, self.pick(MESSAGES)))
        if self.globals.structures and not self.structure_array and self.chance(60):
            lines.append(self.channel(self.globals, (STRUCTURE,)))
        if self.chance(self.profile.channel_values // 2):
            lines.append(self.channel(self.globals, ("chan",)))
        return lines

    def channel(self, scope: Scope, fields: tuple[str, ...]) -> Line:
        name = self.fresh("c")
        rendezvous = self.chance(self.profile.rendezvous)
        capacity = 0 if rendezvous else self.between(1, 2)
        kind = f"[{capacity}] of {{ {', '.join(fields)} }}"
        if self.chance(self.profile.channel_values // 3):
            scope.channels.append(Channel(f"{name}[{{}}]", fields, rendezvous, (2,)))
            return f"chan {name}[2] = {kind};"
        scope.channels.append(Channel(name, fields, rendezvous))
        return f"chan {name} = {kind};"

    # --- proctypes ---

    def signatures(self) -> list[Proctype]:
        made: list[Proctype] = []
        processes = 0
        for place in range(self.between(*self.profile.processes)):
            active = 0 if self.chance(self.profile.run) else self.pick((1, 1, 2))
            made.append(self.signature(f"P{place}", active, processes if active else None))
            processes += active
        return made

    def signature(self, name: str, active: int, first_pid: int | None) -> Proctype:
        parameters = [] if active else [self.parameter() for _ in range(self.between(0, 2))]
        labels = [self.fresh("L") for _ in range(self.between(1, 2))] if self.chance(self.profile.labels) else []
        variables = [
            Variable(self.fresh("x"), self.pick(("bit", "byte", "byte", "short", "int", "mtype", "unsigned", "pid")))
            for _ in range(self.between(0, 2))
        ]
        return Proctype(name, tuple(parameters), tuple(variables), tuple(labels), active, first_pid)

    def parameter(self) -> Variable:
        types = ["byte", "bit", "short", "int", "mtype", *(["chan"] * 3 if self.globals.channels else [])]
        return Variable(self.fresh("p"), self.pick(types))

    def proctype(self, proctype: Proctype) -> Block:
        scope = self.globals.within()
        scope.depth = 0
        scope.proctype = proctype
        scope.labels = list(proctype.labels)
        declarations = self.local_declarations(proctype, scope)
        body = self.sequence(scope, self.profile.statements_per_body)
        if self.chance(self.profile.main_loop):
            options = self.options(scope.within(in_loop=True), (2, 4))
            body = (*body, Block("do", options, "od;"))
        body = self.labelled(proctype, body)
        parameters = "; ".join(f"{parameter.type} {parameter.name}" for parameter in proctype.parameters)
        active = f"active [{proctype.active}] " if proctype.active > 1 else "active " if proctype.active else ""
        provided = f" provided ({self.condition(self.globals)})" if self.chance(self.profile.provided) else ""
        head = f"{active}proctype {proctype.name}({parameters}){provided} {{"
        return Block(head, (*declarations, *body), "}")

    def local_declarations(self, proctype: Proctype, scope: Scope) -> Lines:
        for parameter in proctype.parameters:
            if parameter.type == "chan":
                scope.channels.append(self.holder(parameter.name))
            else:
                scope.variables.append(parameter)
        lines: list[Line] = []
        for variable in proctype.locals:
            lines.append(self.plain_variable(scope, variable.name, variable.type, constant=False))
        if self.chance(self.profile.arrays // 2):
            lines.append(self.variable(scope, self.fresh("x"), constant=False))
        if scope.channels and self.chance(self.profile.channel_values // 2):
            name = self.fresh("h")
            lines.append(f"chan {name} = {self.reference(scope, self.pick(self.first_kind(scope)))};")
            scope.channels.append(self.holder(name))
        if scope.channels and self.chance(self.profile.channel_values // 3):
            lines.append(self.channel(scope, scope.channels[0].fields))
        return tuple(lines)

    def holder(self, name: str) -> Channel:
        first = self.globals.channels[0]
        rendezvous = any(channel.is_rendezvous for channel in self.globals.channels)
        return Channel(name, first.fields, rendezvous, is_variable=True)

    def labelled(self, proctype: Proctype, body: Lines) -> Lines:
        """The body with the top-level labels before some of its statements."""
        lines = list(body)
        for label in proctype.labels:
            places = [place for place, line in enumerate(lines) if may_be_labelled(line)]
            lines.insert(self.pick(places) if places else len(lines), f"{label}:")
        return (*lines, "skip;") if not lines or str(lines[-1]).endswith(":") else tuple(lines)

    def needs_init(self, proctypes: list[Proctype]) -> bool:
        return not any(proctype.active for proctype in proctypes) or self.chance(60)

    def init(self) -> Block:
        scope = self.globals.within()
        scope.depth = 1
        runs = [f"{self.started(scope, self.pick(self.startable))};" for _ in range(self.between(1, 2))]
        body: Lines = (Block("atomic {", tuple(runs), "};"),) if self.chance(60) else tuple(runs)
        rest = self.sequence(scope, (0, 1))
        return Block("init {", (*body, *rest), "}")

    # --- inlines ---

    def inline_definitions(self) -> Lines:
        if not self.chance(self.profile.inlines):
            return ()
        lines: list[Line] = []
        made: list[Inline] = []
        for _ in range(self.between(1, 2)):
            inline, line = self.inline_definition()
            made.append(inline)
            lines.append(line)
        self.inlines = tuple(made)
        return tuple(lines)

    def inline_definition(self) -> tuple[Inline, Line]:
        scope = self.globals.within("inline")
        scope.depth = 1
        kinds = ["place", "value"] + (["channel"] if scope.channels and self.chance(50) else [])
        names = [self.fresh("a") for _ in kinds]
        scope.variables = [*scope.variables, Variable(names[0], "byte"), Variable(names[0], "byte")]
        fields: tuple[str, ...] = ()
        body: Lines = (f"{names[0]} = ({names[1]} + 1) & 3;",) if self.chance(60) else ()
        if len(kinds) == 3:
            template = self.pick(self.globals.channels)
            fields = template.fields
            channel = Channel(names[2], fields, template.is_rendezvous)
            body = (*body, f"{names[2]}!{self.messages(scope, channel)};")
        inline = Inline(self.fresh("do_"), tuple(kinds), fields)
        body = (*body, *self.sequence(scope, (1, 2)))
        return inline, Block(f"inline {inline.name}({', '.join(names)}) {{", body, "}")
