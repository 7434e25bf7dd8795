"""`scrimp new`: write a small commented model to start from."""

from __future__ import annotations

from pathlib import Path

import click

from scrimp.cli.options import FILE, Once, Parsed
from scrimp.errors import OptionError, unknown
from scrimp.outputs.files import require_writable, write_whole
from scrimp.outputs.screen import say

PYTHON = '''\
"""Two workers share a counter. Check it with `scrimp check {file}`; run one random schedule with `python {file}`."""

from scrimp.modelling import Lock, Model, always, process, reachable, run, step

WORKERS = 2  # scrimp check {file} -D WORKERS=3


class {name}(Model):
    # The state: fields with a type and an initial value.
    counter: int = 0
    done: int = 0
    lock: Lock = Lock()

    # A process. Everything between two awaits is one step; at an await, anybody may move.
    @process(count=WORKERS)
    async def worker(self, me: int) -> None:
        async with self.lock:  # delete this line, and indent the next three less: updates get lost
            seen = self.counter
            await step()
            self.counter = seen + 1
        self.done += 1

    # What must hold in every state. The docstring becomes part of the message.
    @always
    def no_update_is_lost(self) -> bool:
        """When all are done, all have counted."""
        return self.done < WORKERS or self.counter == WORKERS

    # What must hold in some state: a model that never gets there proves little.
    @reachable
    def everybody_gets_done(self) -> bool:
        return self.done == WORKERS


if __name__ == "__main__":
    run({name})
'''

PROMELA = """\
// Two workers share a counter. Check it with `scrimp check {file}`.

#ifndef WORKERS
#define WORKERS 2 // scrimp check {file} -D WORKERS=3
#endif

byte counter, done;
bool locked;

// Every statement is one step; between two of them, any process may move. `atomic` makes several of them one.
active [WORKERS] proctype Worker() {{
  byte seen;

  atomic {{ !locked -> locked = true }}; // try it without the lock
  seen = counter;
  counter = seen + 1;
  locked = false;
  done++;
  if
  :: done == WORKERS -> assert(counter == WORKERS) // when all are done, all have counted
  :: else
  fi
}}
"""

DVE = """\
// Two workers share a counter. Check it with `scrimp check {file}`.

byte counter, done;
byte locked;

// Every transition is one step; it is enabled if its guard holds. Assertions must hold in their state.
process First {{
  byte seen;
  state idle, read, finished;
  init idle;
  assert finished: done < 2 or counter == 2;
  trans
    idle -> read {{ guard locked == 0; effect locked = 1, seen = counter; }}, // try it without the lock
    read -> finished {{ effect counter = seen + 1, done = done + 1, locked = 0; }},
    finished -> finished {{ }};
}}

process Second {{
  byte seen;
  state idle, read, finished;
  init idle;
  assert finished: done < 2 or counter == 2;
  trans
    idle -> read {{ guard locked == 0; effect locked = 1, seen = counter; }},
    read -> finished {{ effect counter = seen + 1, done = done + 1, locked = 0; }},
    finished -> finished {{ }};
}}

system async;
"""

TEMPLATES = {"python": (".py", PYTHON), "promela": (".pml", PROMELA), "dve": (".dve", DVE)}


def parse_template(text: str) -> str:
    if text not in TEMPLATES:
        raise OptionError(unknown("language", text, TEMPLATES))
    return text


@click.command("new", cls=Once, short_help="Write a small model to start from.")
@click.argument("name", type=FILE)
@click.option(
    "--language",
    type=Parsed("LANGUAGE", parse_template),
    metavar="LANGUAGE",
    help=f"{', '.join(TEMPLATES)}.  [default: by the suffix of NAME, or else python]",
)
def command(name: Path, language: str | None) -> int:
    """Write a small commented model to a new file. NAME needs no suffix."""
    file, language = _placed(name, language)
    require_writable(file)
    if file.exists():
        raise OptionError(f"{file} exists already; choose another name")
    write_whole(file, [TEMPLATES[language][1].format(file=file.name, name=_class_name(file))])
    say([f"wrote {file}", f"next: scrimp check {file}"])
    return 0


def _placed(name: Path, language: str | None) -> tuple[Path, str]:
    """The file to write and its language."""
    by_suffix = {suffix: each for each, (suffix, _) in TEMPLATES.items()}
    if not name.suffix:
        language = language or "python"
        return name.with_suffix(TEMPLATES[language][0]), language
    found = by_suffix.get(name.suffix)
    if found is None or language not in (None, found):
        wanted = TEMPLATES[language][0] if language else ", ".join(by_suffix)
        raise OptionError(f"{name}: expected a name without a suffix, or with the suffix {wanted}")
    return name, found


def _class_name(file: Path) -> str:
    """`ticket_lock.py` has the class `TicketLock`."""
    words = [word for word in "".join(c if c.isalnum() else " " for c in file.stem).split() if word.isascii()]
    name = "".join(word[:1].upper() + word[1:] for word in words)
    return name if name.isidentifier() and name != "Model" else f"My{name}" if f"My{name}".isidentifier() else "MyModel"
