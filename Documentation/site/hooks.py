"""What GitHub's Markdown permits and Python-Markdown does not."""

import re

ITEM = re.compile(r"(- |\d+\. )")
# Folders of the repository are not on the site.
FOLDER = re.compile(r"\[([^]]*)\]\((?!#|https?:)[^).#]*\)")


def on_page_markdown(markdown, page, **_):
    if page.file.src_path == "CHANGELOG.md":
        page.meta["search"] = {"exclude": True}
    lines, is_code = [], False
    for line in markdown.split("\n"):
        if line.startswith("```"):
            is_code = not is_code
            line = re.sub(r" (no-run|columns=\d+)$", "", line)
        elif not is_code:
            line = FOLDER.sub(r"\1", line)
            if line.startswith("|"):
                # In code, the backslash before a bar would be shown.
                line = re.sub(r"`[^`]*`", lambda code: code[0].replace(r"\|", "|"), line)
            before = lines[-1] if lines else ""
            # A list may follow a paragraph without an empty line.
            if ITEM.match(line) and before and not ITEM.match(before) and not before.startswith("  "):
                lines.append("")
        lines.append(line)
    return "\n".join(lines)
