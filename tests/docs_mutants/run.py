#!/usr/bin/env python3
"""The runner of the documentation must notice: a small page passes, and every change of it fails."""
import pathlib
import subprocess
import sys
import tempfile

RUNNER = pathlib.Path(__file__).resolve().parents[1] / "docs" / "run.py"
PAGE = """\
# A page

It [begins](#a-page).

```c rows
typedef struct { int days; } args;

TENON_ROWS(args_rows, args,
    TENON_INT(days, "How far ahead.", .range = {1, 14}, .def = 3));
```

```json schema
"days": {"type": "integer", "description": "How far ahead.", "minimum": 1, "maximum": 14, "default": 3}
```

```calls
{"days": "5"}
  bound    {"days": 5}
  message  Converted days from ... to 5
{"days": 20}
  range    days must be between 1 and 14, got 20
```

```c mistake
typedef struct { int days; } args;

TENON_ROWS(args_rows, args,
    TENON_INT(days, "How far ahead.", .clamp = true));
```

```output
args_rows: parameter 'days': .clamp needs a .range to move values into
```

```python fragment
def forecast(days: int = 3) -> str: ...
```
"""
MUTANTS = [
    ("between 1 and 14, got", "between 1 and 15, got"),  # an issue's text
    ("  range    days", "  type     days"),  # its code
    ('{"days": 5}', '{"days": 6}'),  # a bound value
    ("Converted ", "Changed "),  # a message
    ("  message  Converted days from ... to 5\n", ""),  # one that is not mentioned
    ("got 20\n", "got 20\n  message  Hello\n"),  # one that is not there
    ('"maximum": 14', '"maximum": 15'),  # the schema
    ('"minimum": 1, "maximum": 14', '"maximum": 14, "minimum": 1'),  # its order
    ('"days": {"type"', '"hours": {"type"'),
    (".def = 3", ".def = 4"),  # the rows
    ("int days; } args;\n\nTENON_ROWS(args_rows, args,\n    TENON_INT(days", "int day; } args;\n\nTENON_ROWS(args_rows, args,\n    TENON_INT(days"),
    (".clamp needs", ".clamp wants"),  # a mistake's text
    (".clamp = true", ".def = 3"),  # rows without a mistake
    ("```c rows", "```c"),  # C that nobody tests
    ("int = 3)", "int 3)"),  # what is no Python
    ("```calls", "```text"),  # a kind that there is not
    ("(#a-page)", "(#another-page)"),  # a link
    (PAGE, "Nothing to test.\n"),
]


def passes(directory, page):
    path = pathlib.Path(directory) / "page.md"
    path.write_text(page, encoding="utf-8")
    result = subprocess.run([sys.executable, str(RUNNER), str(path)], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if result.returncode not in (0, 1) or "Traceback" in result.stdout:
        raise SystemExit(f"the runner broke:\n{result.stdout}")
    return result.returncode == 0, result.stdout


def main():
    wrong = []
    with tempfile.TemporaryDirectory() as directory:
        good, said = passes(directory, PAGE)
        if not good:
            wrong.append(f"the page itself fails:\n{said}")
        for before, after in MUTANTS:
            if before not in PAGE:
                wrong.append(f"there is no {before!r} in the page")
            elif passes(directory, PAGE.replace(before, after, 1))[0]:
                wrong.append(f"not noticed: {before!r} became {after!r}")
    print("\n".join([*wrong, f"{len(MUTANTS)} changes, {len(wrong)} problems"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
