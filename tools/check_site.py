"""Check the built site: nothing is loaded from an address, every local link has its target."""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

SITE = Path(__file__).parents[1] / "docs" / "_build"
LOADED = {("script", "src"), ("img", "src"), ("link", "href"), ("iframe", "src"), ("source", "src")}


class Page(HTMLParser):
    """What a page links to and loads, and the places in it that can be linked to."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[tuple[str, str, str]] = []
        self.places = {""}
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the links and the ids."""
        for name, value in attrs:
            if name in ("href", "src"):
                self.links.append((tag, name, value or ""))
            elif name == "id":
                self.places.add(value or "")


def problems(pages: dict[Path, Page]) -> list[str]:
    """A sentence for each thing that is wrong."""
    found = []
    for path, page in pages.items():
        for tag, name, link in page.links:
            where = f"{path.relative_to(SITE)}: {link}"
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                if (tag, name) in LOADED and parts.scheme != "data":
                    found.append(f"{where} is loaded from the network.")
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not target.exists():
                found.append(f"{where} does not exist.")
            elif target in pages and unquote(parts.fragment) not in pages[target].places:
                found.append(f"{where} has no such place.")
    return found


if __name__ == "__main__":
    # The pages of a run are taken as they are, and the theme's own files are no pages.
    others = {"report.html", "explorer.html", "webpack-macros.html"}
    files = [path for path in sorted(SITE.rglob("*.html")) if path.name not in others]
    bad = problems({path: Page(path) for path in files})
    print("\n".join(bad) or f"{len(files)} pages: every link has its target, nothing is loaded.")
    sys.exit(bool(bad))
