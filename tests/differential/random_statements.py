"""Random Promela statements, as lines that can be left out one by one."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from tests.differential.profiles import Bounds
from tests.differential.random_expressions import Expressions
from tests.differential.scope import Channel, Inline, Proctype, Scope, Variable
from tests.differential.tree import Block, Line, Lines, render

DEEPEST = 3
DECLARATION = re.compile(r"(bit|byte|short|int|mtype|chan|unsigned|pid|bool) ")
MOST_PROCESSES = 4
BLOCKING = frozenset({"guard", "receive", "send", "timeout"})
# Statements that SPIN refuses, or that would only block or jump, inside these.
FORBIDDEN: Mapping[str, frozenset[str]] = {
    "atomic": frozenset({"loop"}),
    "d_step": BLOCKING | {"goto", "atomic", "unless", "run", "loop", "deterministic", "selection_of_value", "call"},
    "inline": frozenset({"goto", "call", "run", "unless", "declaration"}),
}


def may_be_labelled(line: Line) -> bool:
    """SPIN takes no label before a declaration, a `for` with its counter, or `unless`."""
    return bool(line.head) if isinstance(line, Block) else " = " not in line or not DECLARATION.match(line)


class Statements(Expressions):
    """Draws statements; one may be several lines."""

    inlines: tuple[Inline, ...] = ()
    startable: tuple[Proctype, ...] = ()
    names = 0

    def fresh(self, prefix: str) -> str:
        self.names += 1
        return f"{prefix}{self.names}"

    def sequence(self, scope: Scope, bounds: Bounds = (1, 3)) -> Lines:
        lines: list[Line] = []
        for _ in range(self.between(*bounds)):
            statement = self.statement(scope)
            if (
                lines
                and scope.inside <= {"atomic"}
                and may_be_labelled(statement[0])
                and self.chance(self.profile.labels // 8)
            ):
                scope.labels.append(self.fresh("inner"))
                lines.append(f"{scope.labels[-1]}:")
            lines += statement
        return tuple(lines)

    def statement(self, scope: Scope) -> Lines:
        kinds = self.kinds()
        allowed = {
            kind: weight
            for kind, weight in self.profile.statements.items()
            if not any(kind in FORBIDDEN[where] for where in scope.inside) and self.makes_sense(kind, scope)
        }
        place = self.random.random() * sum(allowed.values())
        for kind, weight in allowed.items():
            place -= weight
            if place < 0:
                return kinds[kind](scope)
        return ("skip;",)

    def kinds(self) -> Mapping[str, Callable[[Scope], Lines]]:
        return {
            "assign": self.assign,
            "increment": self.increment,
            "guard": lambda scope: (f"{self.test(scope)};",),
            "choice": self.choice,
            "loop": self.loop,
            "goto": lambda scope: (f"goto {self.pick(scope.labels)};",),
            "assertion": lambda scope: (f"assert({self.condition(scope)});",),
            "output": lambda scope: (f'printf("%d\\n", {self.number(scope)});',),
            "nothing": lambda _: ("skip;",),
            "send": lambda scope: (f"{self.send(scope)};",),
            "receive": lambda scope: (f"{self.receive(scope)};",),
            "atomic": lambda scope: (Block("atomic {", self.sequence(scope.within("atomic"), (1, 4)), "};"),),
            "deterministic": self.deterministic,
            "unless": self.unless,
            "timeout": lambda _: ("timeout;",),
            "bounded_loop": self.bounded_loop,
            "selection_of_value": self.selection_of_value,
            "run": self.run,
            "call": self.call,
            "declaration": self.declaration,
        }

    def makes_sense(self, kind: str, scope: Scope) -> bool:
        if kind in ("choice", "loop", "atomic", "deterministic", "unless", "bounded_loop"):
            return scope.depth < DEEPEST
        return {
            "goto": bool(scope.labels),
            "send": bool(scope.channels),
            "receive": bool(scope.channels),
            "run": bool(self.startable),
            "call": bool(self.inlines),
        }.get(kind, True)

    # --- values ---

    def assign(self, scope: Scope) -> Lines:
        holders = [channel for channel in scope.channels if channel.is_variable]
        if holders and self.chance(self.profile.channel_values // 3):
            return (f"{self.pick(holders).name} = {self.reference(scope, self.pick(self.first_kind(scope)))};",)
        target = self.pick(self.targets(scope))
        return (f"{self.reference(scope, target)} = {self.value_for(scope, target.type, target.is_narrow)};",)

    def increment(self, scope: Scope) -> Lines:
        """Up or down by one; a wide variable only within bounds."""
        target = self.pick([variable for variable in self.targets(scope) if variable.is_number])
        name = self.reference(scope, target)
        step, test = self.pick((("++", f"{name} < 3"), ("--", f"{name} > 0")))
        if target.is_narrow or self.chance(self.profile.wide):
            return (f"{name}{step};",)
        if "d_step" in scope.inside:
            return (Block("if", (Block("::", (f"{test};", f"{name}{step};")), Block("::", ("else;",))), "fi;"),)
        return (f"{test};", f"{name}{step};")

    def declaration(self, scope: Scope) -> Lines:
        """The declaration of a variable, with its initial value, among the statements."""
        variable = Variable(self.fresh("v"), self.pick(("bit", "byte", "short", "int", "mtype")))
        line = f"{variable.type} {variable.name} = {self.value_for(scope, variable.type)};"
        scope.variables.append(variable)
        return (line,)

    # --- channels ---

    def send(self, scope: Scope) -> str:
        channel = self.pick(scope.channels)
        operator = "!!" if self.chance(self.profile.polls // 2) else "!"
        return f"{self.reference(scope, channel)}{operator}{self.messages(scope, channel)}"

    def receive(self, scope: Scope) -> str:
        channel = self.pick(scope.channels)
        operator = "??" if self.chance(self.profile.polls // 2) and not channel.is_rendezvous else "?"
        name = self.reference(scope, channel)
        patterns = self.patterns(scope, channel, name)
        if not channel.is_rendezvous and self.chance(self.profile.polls // 3):
            patterns = f"<{patterns}>"
        return f"{name}{operator}{patterns}"

    # --- control ---

    def choice(self, scope: Scope) -> Lines:
        return (Block("if", self.options(scope.within(), (1, 3)), "fi;"),)

    def loop(self, scope: Scope) -> Lines:
        options = self.options(scope.within(in_loop=True), (1, 3))
        if self.chance(70):
            options = (*options, Block("::", (f"{self.test(scope)};", "break;")))
        label: Lines = (f"{self.fresh('end')}:",) if not scope.inside and self.chance(15) else ()
        return (*label, Block("do", options, "od;"))

    def options(self, scope: Scope, bounds: Bounds) -> Lines:
        made = [self.option(scope) for _ in range(self.between(*bounds))]
        talks = any("!" in (text := render(option.body)) or "?" in text for option in made)
        allowed = not talks or self.chance(self.profile.elses_beside_messages)
        if "d_step" in scope.inside or (allowed and self.chance(self.profile.elses)):
            made.insert(self.between(0, len(made)), Block("::", ("else;", *self.some(scope))))
        return tuple(made)

    def option(self, scope: Scope) -> Block:
        inner = scope.within()
        inner.depth = scope.depth
        first: Lines = (f"{self.test(inner)};",)
        if "d_step" not in scope.inside and self.chance(50):
            first = self.statement(inner)
        return Block("::", (*first, *self.some(inner)))

    def some(self, scope: Scope) -> Lines:
        lines = self.sequence(scope, (0, 2))
        return (*lines, "break;") if scope.in_loop and self.chance(10) else lines

    def deterministic(self, scope: Scope) -> Lines:
        """A d_step: it may wait at its beginning, and only there."""
        first: Lines = ()
        if self.chance(40):
            first = (f"{self.test(scope)};",)
        elif self.chance(40) and any(not channel.is_rendezvous for channel in scope.channels):
            first = (f"{self.pick((self.send, self.receive))(scope)};",)
        inner = scope.within("d_step", in_loop=False)
        if self.chance(30) and any(not channel.is_rendezvous for channel in scope.channels):
            first = (*first, *self.cautious(inner))
        return (Block("d_step {", (*first, *self.sequence(inner)), "};"),)

    def cautious(self, scope: Scope) -> Lines:
        """A send that is executed only if there is room for the message."""
        channel = self.pick([channel for channel in scope.channels if not channel.is_rendezvous])
        name = self.reference(scope, channel)
        sends = Block("::", (f"nfull({name});", f"{name}!{self.messages(scope, channel)};"))
        return (Block("if", (sends, Block("::", (f"full({name});",))), "fi;"),)

    def unless(self, scope: Scope) -> Lines:
        main = Block("{", self.sequence(scope.within(), (1, 3)), "}")
        inner = scope.within()
        guard: Lines = (f"{self.test(inner)};",)
        if scope.channels and self.chance(40):
            guard = (f"{self.receive(inner)};",)
        elif self.chance(25):
            guard = self.statement(inner)
        escape = Block("unless {", (*guard, *self.some(inner)), "};")
        return (Block("", (main, escape)),)

    def bounded_loop(self, scope: Scope) -> Lines:
        counter = Variable(self.fresh("i"), self.pick(("byte", "int", "short")), is_counter=True)
        arrays = [
            variable
            for variable in scope.variables
            if variable.name.endswith("[{}]") and variable.name.count("{}") == 1 and "." not in variable.name
        ]
        numbers = [variable for variable in scope.variables if variable.is_number and not variable.lengths]
        inner = scope.within(in_loop=False)
        inner.variables.append(counter)
        if arrays and self.chance(40):
            head = f"for ({counter.name} in {self.pick(arrays).name.removesuffix('[{}]')}) {{"
        else:
            last = f"{self.pick(numbers).name} & 3" if numbers and self.chance(30) else str(self.between(1, 2))
            head = f"for ({counter.name} : {self.between(0, 1)} .. {last}) {{"
        body = self.sequence(inner, (1, 2))
        return (Block("", (f"{counter.type} {counter.name};", Block(head, body, "};"))),)

    def selection_of_value(self, scope: Scope) -> Lines:
        targets = [target for target in self.targets(scope) if target.type in ("byte", "short", "int")]
        targets = [target for target in targets if not target.lengths and "." not in target.name]
        if not targets:
            return ("skip;",)
        return (f"select ({self.pick(targets).name} : {self.between(0, 1)} .. {self.between(1, 3)});",)

    # --- processes and inlines ---

    def run(self, scope: Scope) -> Lines:
        other = self.pick(self.startable)
        started = self.started(scope, other)
        holders = [variable for variable in self.targets(scope) if variable.type in ("byte", "int", "pid")]
        form = f"{started};"
        if holders and self.chance(25):
            form = f"{self.reference(scope, self.pick(holders))} = {started};"
        return (f"_nr_pr < {self.between(2, MOST_PROCESSES)};", form)

    def started(self, scope: Scope, other: Proctype) -> str:
        values = [
            self.reference(scope, self.pick(self.first_kind(scope)))
            if parameter.type == "chan"
            else self.value_for(scope, parameter.type)
            for parameter in other.parameters
        ]
        return f"run {other.name}({', '.join(values)})"

    def call(self, scope: Scope) -> Lines:
        inline = self.pick(self.inlines)
        return (f"{inline.name}({', '.join(self.argument(scope, inline, kind) for kind in inline.parameters)});",)

    def argument(self, scope: Scope, inline: Inline, kind: str) -> str:
        if kind == "place":
            numbers = [each for each in self.targets(scope) if each.is_number]
            plain = [each for each in numbers if not each.lengths]  # otherwise an array may be indexed by itself
            return self.reference(scope, self.pick(plain or numbers))
        if kind == "value":
            return self.atom(scope)
        fitting: list[Channel] = [channel for channel in scope.channels if channel.fields == inline.fields]
        return self.reference(scope, self.pick(fitting))
