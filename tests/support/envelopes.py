"""Answers as the two sides of a client get them: programs all of it, and who reads what is for reading."""


def for_reading(whole):
    """An envelope as its text has it: of the issues of a refusal only what no sentence says, the value to send instead."""
    if not whole["error"] or "issues" not in whole["error"]["details"]:
        return whole
    kept = [{key: issue[key] for key in ("parameter", "suggestion", "example") if key in issue}
            for issue in whole["error"]["details"]["issues"]]
    details = {**whole["error"]["details"], "issues": [issue for issue in kept if len(issue) > 1]}
    return {**whole, "error": {**whole["error"], "details": details}}
