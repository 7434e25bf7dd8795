"""The text form: printing and parsing are inverse, the text is readable, errors are reported with their position."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.random_systems import ALL_PROFILES, PROMELA, Profile, random_system
from tests.random_systems.shrinking import systems

from scrimp.errors import ModelError
from scrimp.system.expressions import At, Binary, Conditional, Constant, Expression, Find, Length, Message, Read, Unary
from scrimp.system.system import Kind, Position, System
from scrimp.system.text import parse_expression, parse_system, print_expression, print_system

DECLARATIONS = """\
system example;

process P { idle, busy, done }
process Q { one, two initial accepting }

variable x: byte = 3;
variable flag[2]: bit = {0, 1};
variable P.count: -3..3 checked = 0;

channel pipe[2]: {byte, 0..3};
channel signal[1]: {};
"""

EXAMPLE = (
    DECLARATIONS
    + """
committed P@busy;
valid_end P@done && Q@two;
invariant small: x < 10 || P@done at 4:2;

transition {
  P: idle -> busy "x = x + 1" at 12:5;
  when flag[0] == 0 && len(pipe) < 2;
  x = x + 1;
  flag[x % 2] = !flag[1];
  pipe ! x, 3;
  signal !;
}

transition receive urgent {
  P: busy -> done "pipe?count" at 13:5;
  Q: one -> two "ready" at 21:3;
  pipe ? P.count, _;
  signal ?;
  if P.count > 1 {
    P.count = -P.count;
  } else if P.count == 1 {
    x = 0;
  } else {
    assert x != 0, "x is something";
  }
}
"""
)


@pytest.mark.parametrize("profile", ALL_PROFILES.values(), ids=ALL_PROFILES)
def test_parsing_what_was_printed_gives_the_same_system(profile: Profile) -> None:
    for seed in range(60):
        system = random_system(seed, profile=profile)
        assert parse_system(print_system(system)) == system


@given(systems() | systems(PROMELA))
def test_parsing_what_was_printed_gives_the_same_drawn_system(system: System) -> None:
    assert parse_system(print_system(system)) == system


@given(st.text())
def test_any_name_can_be_printed_and_parsed(name: str) -> None:
    system = parse_system(EXAMPLE)
    process = system.processes[0]
    renamed = type(process)(name, (name, *process.locations[1:]), process.initial)
    changed = System(
        name,
        system.variables,
        system.channels,
        (renamed, system.processes[1]) if name != "Q" else system.processes,
        system.transitions,
    )
    assert name in {"busy", "done"} or parse_system(print_system(changed)) == changed


PROMELA_EXAMPLE = (
    DECLARATIONS
    + """
claim Q;
offer P: P@idle && x == 1;
offer P: P@busy;
invariant small: x < 10 at 4:2 in "limits.h";

transition send urgent holder P steps 2 {
  P: idle -> busy "pipe!!x" at 12:5 in "my types.h";
  when timeout || find(pipe, 3, _) >= 0 || x == undefined("no \\"x\\"");
  pipe !! x, 3;
  pipe ! !x, 3;
  pipe ?[find(pipe, _, 3)] P.count, _;
  signal ?[1];
  clear signal;
  expect x == 1, "one";
  expect x == 2, "two" as assertion;
  assert x == 3, "three" as assertion;
  x = message(pipe, 0, 1);
  outgrow "processes";
}
"""
)


def test_constructs_for_promela_are_printed_as_they_were_parsed() -> None:
    assert print_system(parse_system(PROMELA_EXAMPLE)) == PROMELA_EXAMPLE


def test_printing_what_was_parsed_gives_the_same_text() -> None:
    assert print_system(parse_system(EXAMPLE)) == EXAMPLE


def test_omitted_parts_have_defaults() -> None:
    system = parse_system("system s; process P { a, b } variable v[3]: bit;\ntransition { P: a -> b; }")
    transition = system.transitions[0]
    assert system.variables[0].initial == (0, 0, 0)
    assert transition.guard == Constant(1)
    assert transition.kind == Kind.OTHER
    assert transition.moves[0].text == "a -> b"
    assert transition.moves[0].position == Position(2, 14)


def test_comments_are_skipped() -> None:
    assert parse_system("// one\nsystem s; /* two\n lines */ process P { a }").name == "s"


def test_most_words_of_the_language_may_be_names() -> None:
    text = "system system; process at { send, initial initial, byte } variable variable: bit = 0;"
    assert parse_system(text).processes[0].locations == ("send", "initial", "byte")


X, FLAG = Read(0), Read(1, Constant(0))
EXPRESSIONS: list[tuple[str, Expression]] = [
    ("x + 1 + x", Binary("+", Binary("+", X, Constant(1)), X)),
    ("x + (1 + x)", Binary("+", X, Binary("+", Constant(1), X))),
    ("x - -1", Binary("-", X, Constant(-1))),
    ("x * (x + 1)", Binary("*", X, Binary("+", X, Constant(1)))),
    ("x & 1 == 0", Binary("&", X, Binary("==", Constant(1), Constant(0)))),
    ("(x & 1) == 0", Binary("==", Binary("&", X, Constant(1)), Constant(0))),
    ("x << 1 < x >> 1", Binary("<", Binary("<<", X, Constant(1)), Binary(">>", X, Constant(1)))),
    ("-x", Unary("-", X)),
    ("-3", Constant(-3)),
    ("-(3)", Unary("-", Constant(3))),
    ("-(-3)", Unary("-", Constant(-3))),
    ("-(-x)", Unary("-", Unary("-", X))),
    ("~-3", Unary("~", Constant(-3))),
    ("!(x == 1)", Unary("!", Binary("==", X, Constant(1)))),
    ("-(x ? 1 : 2)", Unary("-", Conditional(X, Constant(1), Constant(2)))),
    ("x ? 1 : x ? 2 : 3", Conditional(X, Constant(1), Conditional(X, Constant(2), Constant(3)))),
    ("(x ? 1 : 2) ? 3 : 4", Conditional(Conditional(X, Constant(1), Constant(2)), Constant(3), Constant(4))),
    ("x ? 1 : 2 || 3", Conditional(X, Constant(1), Binary("||", Constant(2), Constant(3)))),
    ("flag[0] || P@busy && len(pipe)", Binary("||", FLAG, Binary("&&", At(0, 1), Length(0)))),
    ("message(pipe, x + 1, 0) + 1", Binary("+", Message(0, 0, Binary("+", X, Constant(1))), Constant(1))),
    ("find(pipe, x || 1, _)", Find(0, (Binary("||", X, Constant(1)), None))),
    ("!find(signal)", Unary("!", Find(1, ()))),
    ("P.count + flag[x + 1]", Binary("+", Read(2), Read(1, Binary("+", X, Constant(1))))),
]


@pytest.mark.parametrize(("text", "expression"), EXPRESSIONS, ids=[text for text, _ in EXPRESSIONS])
def test_expressions_read_as_in_c_with_no_more_parentheses_than_needed(text: str, expression: Expression) -> None:
    system = parse_system(f"{DECLARATIONS} valid_end {text};")
    assert system.valid_end == expression
    assert print_expression(system, expression) == text


@given(systems())
def test_an_expression_can_be_parsed_by_itself(system: System) -> None:
    for transition in system.transitions:
        assert parse_expression(system, print_expression(system, transition.guard)) == transition.guard


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x +", "1:4: found the end of the file, expected an expression"),
        ("x + y", "1:5: found y, expected a variable declared above"),
        ("x; x", "1:2: found `;`, expected the end of the file"),
        ("-" * 600 + "x", "1:1: the expression nests more than 500 deep"),
    ],
)
def test_a_broken_expression_is_refused_with_its_position(text: str, message: str) -> None:
    with pytest.raises(ModelError) as error:
        parse_expression(parse_system(EXAMPLE), text)
    assert str(error.value) == f"<expression>:{message}"


BROKEN = [
    ("", "1:1: found the end of the file, expected `system`"),
    ("system s", "1:9: found the end of the file, expected `;`"),
    ("system s;", "1:1: a system needs a process"),
    ("system s; proces P { a }", "1:11: found `proces`, expected a declaration or the end of the file"),
    ("system s; process P { }", "1:23: found `}`, expected a name"),
    ("system s; process P { a, a }", "1:26: the name a is already declared"),
    ("system s; process P { a initial, b initial }", "1:34: found a second initial location, expected one"),
    ("system s; process P { a } process P { a }", "1:35: the name P is already declared"),
    ("system s; process P { a } /* open", "1:27: found `/`, expected a declaration or the end of the file"),
    ("system s; variable P.x: bit;", "1:20: found P, expected a process declared above"),
]
BROKEN_DECLARATIONS = [
    ("variable x: bit;", "1:10: the name x is already declared"),
    ("variable y: 3..1;", "1:10: the range 3..1 is empty"),
    ("variable y: 0..4294967295;", "1:16: the number 4294967295 does not fit in 32 bits"),
    ("variable y: 3..5;", "1:10: value 0 is outside the variable's range 3..5"),
    ("variable y[0]: bit;", "1:10: an array needs an element"),
    ("variable y[2]: bit = {1, 0, 1};", "1:10: 3 values for 2 elements"),
    ("variable y: wide;", "1:13: found `wide`, expected `-`, `bit`, `byte`, `int`, `short` or a number"),
    ("channel c[0]: {};", "1:9: a channel needs room for a message"),
    ("committed 1; committed 0;", "1:14: found a second `committed`, expected one"),
    ('invariant "\\q": 1;', '1:11: found "\\q", expected a text with the escapes of JSON'),
    ("valid_end x +;", "1:14: found `;`, expected an expression"),
    ("valid_end x + §;", "1:15: found `§`, expected an expression"),
    ("valid_end y;", "1:11: found y, expected a variable declared above"),
    ("valid_end P.y;", "1:13: found y, expected a variable of process P declared above"),
    ("valid_end P@there;", "1:13: found there, expected a location of process P declared above"),
    ("valid_end len(x);", "1:15: found x, expected a channel declared above"),
    ("valid_end x[1];", "1:11: found an index after x, expected none: it is not an array"),
    ("valid_end flag;", "1:11: found flag, expected an index after it: it is an array"),
    ("valid_end message(pipe, 0, 2);", "1:28: found 2, expected the number of a field of pipe"),
    ("valid_end find(pipe, 0);", "1:16: found a message of 1 values, expected 2"),
    ("valid_end timeout;", "1:1: `timeout` is allowed only in transitions"),
    ("claim P; claim Q;", "1:10: found a second `claim`, expected one"),
    ("offer R: 1;", "1:7: found R, expected a process declared above"),
    ("valid_end 99999999999;", "1:11: the number 99999999999 does not fit in 32 bits"),
    ("valid_end " + "!" * 600 + "x;", "1:1: the expression nests more than 500 deep"),
    ("transition { }", "1:14: found `}`, expected a name"),
    ("transition send assign { P: idle -> busy; }", "1:1: found a transition of two kinds, expected one at most"),
    (
        "transition holder P holder Q { P: idle -> busy; }",
        "1:1: found a transition with two holders, expected one at most",
    ),
    ("transition holder R { P: idle -> busy; }", "1:19: found R, expected a process declared above"),
    ("transition steps 256 { P: idle -> busy; }", "1:1: a transition counts as 0 to 255 steps"),
    ("transition { P: idle -> busy; P: idle -> done; }", "1:31: process P moves twice"),
    ("transition { P: idle -> busy at 0:1; }", "1:14: lines and columns count from 1"),
    ('transition { P: idle -> busy "open; }', '1:30: found `"`, expected `;`, `as`, `at` or a text in quotes'),
    ("transition { P: idle -> busy; pipe ! 1; }", "1:31: found a message of 1 values, expected 2"),
    ("transition { P: idle -> busy; pipe ? x; }", "1:31: found a message of 1 values, expected 2"),
    ("transition { P: idle -> busy; " + "if x {" * 200 + "}" * 201, "1:1: statements nest more than 100 deep"),
]


@pytest.mark.parametrize(("text", "message"), BROKEN)
def test_a_broken_text_is_refused_with_the_position(text: str, message: str) -> None:
    with pytest.raises(ModelError) as error:
        parse_system(text, "model.scrimp")
    assert str(error.value) == f"model.scrimp:{message}"


@pytest.mark.parametrize(("declaration", "message"), BROKEN_DECLARATIONS)
def test_a_broken_declaration_is_refused_with_its_position(declaration: str, message: str) -> None:
    line, rest = message.split(":", 1)
    with pytest.raises(ModelError) as error:
        parse_system(DECLARATIONS + declaration)
    assert str(error.value) == f"<text>:{int(line) + DECLARATIONS.count(chr(10))}:{rest}"


@given(st.data())
def test_a_mutilated_text_is_a_system_or_an_error(data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(EXAMPLE)))
    end = data.draw(st.integers(start, min(len(EXAMPLE), start + 20)))
    insertion = data.draw(st.sampled_from(["", ";", "}", "(", '"', "when", "@", "\x00", "x", "-1", "/*"]))
    with suppress(ModelError):
        parse_system(EXAMPLE[:start] + insertion + EXAMPLE[end:])


def test_a_long_conjunction_can_be_printed_and_parsed() -> None:
    text = f"{DECLARATIONS}\nvalid_end {' && '.join(['x == 1'] * 499)};\n"
    assert print_system(parse_system(text)) == text
