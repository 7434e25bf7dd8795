"""Variables, arrays and constants: their ranges and initial values."""

from __future__ import annotations

import pytest
from tests.frontends.dve import at_end, model, one_step, reachable, value

from scrimp.errors import OptionError
from scrimp.system.types import BYTE, SHORT

PROCESS = "process P { state a; init a; } system async;"


def test_a_byte_wraps_around_at_256() -> None:
    assert at_end(one_step("byte x = 250, y;", "effect x = x + 10, y = y - 1;"), "x", "y") == [4, 255]


def test_an_int_has_16_bits_and_wraps_around() -> None:
    assert at_end(one_step("int x = 32767, y = -32768;", "effect x = x + 1, y = y - 1;"), "x", "y") == [-32768, 32767]


def test_variables_are_zero_unless_initialised() -> None:
    small = model(f"byte x; int y = -7; byte field[3]; byte part[3] = {{1, 2}}; {PROCESS}")
    assert [variable.initial for variable in small.system.variables] == [(0,), (-7,), (0, 0, 0), (1, 2, 0)]
    assert [variable.type for variable in small.system.variables] == [BYTE, SHORT, BYTE, BYTE]


def test_initial_values_beyond_the_end_of_an_array_are_ignored() -> None:
    assert model(f"byte Slot[2] = {{1, 0, 5}}; {PROCESS}").system.variables[0].initial == (1, 0)


def test_initial_values_and_sizes_are_constant_expressions() -> None:
    small = model(f"const byte N = 3; int x = 2 * N - 1; byte field[N + 1] = {{N, N << 1}}; {PROCESS}")
    assert [variable.initial for variable in small.system.variables] == [(5,), (3, 6, 0, 0)]


def test_a_scalar_constant_is_not_a_variable() -> None:
    assert model(f"const byte N = 3; {PROCESS}").system.variables == ()


def test_a_constant_array_can_be_indexed_by_a_variable() -> None:
    small = one_step("const byte SQUARE[4] = {0, 1, 4, 9}; byte i = 3, x;", "effect x = SQUARE[i];")
    assert at_end(small, "x") == [9]


def test_variables_know_the_process_they_are_local_to() -> None:
    small = model("byte x; process P { byte y; state a; init a; } process Q { int y; state a; init a; } system async;")
    assert [(variable.name, variable.owner) for variable in small.system.variables] == [("x", None), ("y", 0), ("y", 1)]


def test_processes_may_use_the_same_names_for_local_variables() -> None:
    small = model("process P { byte q; state a; init a; } process Q { byte a; state q; init q; } system async;")
    assert [process.locations for process in small.system.processes] == [("a",), ("q",)]


def test_a_name_of_a_process_hides_a_global_one() -> None:
    text = """
    byte x = 1, y = 5;
    process P { byte x = 2; state start, end; init start; trans start -> end { guard x == 2; effect x = x + y; }; }
    process Q { state x; init x; trans x -> x { guard x == 1 and P->x == 7; effect y = P->x; }; }
    system async;
    """
    assert at_end(one_step("byte x = 1;", "effect x = 3;"), "x") == [3]
    assert reachable(model(text), "100 * x + 10 * P->x + y") == {125, 175, 177}


def test_an_array_without_an_index_is_its_first_element() -> None:
    small = one_step("byte e[2] = {4, 1}, x;", "guard e == 4; effect x = e + e[1], e = 9;")
    assert at_end(small, "x", "e[0]", "e[1]", "e") == [5, 9, 1, 9]


def test_declarations_may_stand_between_processes_and_states_after_init() -> None:
    text = (
        "process P { init b; state a; state b; } byte x = 3; process Q { byte y = x_; init c; state c; } system async;"
    )
    small = model(text.replace("x_", "2"))
    assert [(process.locations, process.initial) for process in small.system.processes] == [
        (("a", "b"), 1),
        (("c",), 0),
    ]
    assert value(small, "x + Q->y") == 5


def test_names_may_contain_the_characters_that_generated_models_use() -> None:
    assert value(model(f"byte _x$1#2 = 6; {PROCESS}"), "_x$1#2") == 6


def test_comments_and_continued_lines_are_blanks() -> None:
    small = model(
        f"byte x /* = 1; \n // */ = 2; // = 3\nbyte \\\n y = 4; byte z = x_/**/; {PROCESS}".replace("x_", "8")
    )
    assert [variable.initial for variable in small.system.variables] == [(2,), (4,), (8,)]


def test_a_definition_replaces_the_value_of_a_constant() -> None:
    text = f"const byte N = 3; byte field[N]; {PROCESS}"
    assert model(text, {"N": "5"}).system.variables[0].length == 5


def test_a_definition_replaces_a_constant_in_every_process_that_has_it() -> None:
    text = """
    process P { const int N = 1; byte x = N; state a; init a; }
    process Q { const int N = 2; byte x = N; state a; init a; }
    system async;
    """
    assert [variable.initial for variable in model(text, {"N": "7"}).system.variables] == [(7,), (7,)]


def test_for_a_misspelt_definition_the_nearest_constant_is_suggested() -> None:
    text = "const int SIZE = 1; process P { state a; init a; } system async;"
    with pytest.raises(OptionError, match=r"-D SZIE: the model has no constant of this name; did you mean 'SIZE'\?"):
        model(text, {"SZIE": "2"})


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        ("M", "1", "-D M: the model has no constant of this name"),
        ("x", "1", "-D x: the model has no constant of this name"),
        ("N", "many", "-D N=many: expected a whole number from -2147483648 to 2147483647"),
        ("N", "9999999999", "-D N=9999999999: expected a whole number from -2147483648 to 2147483647"),
        ("N", "256", "-D N=256: the value is outside the range of byte, 0 to 255"),
    ],
)
def test_an_invalid_definition_is_refused(name: str, given: str, message: str) -> None:
    with pytest.raises(OptionError) as refusal:
        model(f"const byte N = 3; byte x; {PROCESS}", {name: given})
    assert str(refusal.value) == message
