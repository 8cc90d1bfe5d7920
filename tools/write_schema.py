"""Write the JSON schema by which editors complete and explain the keys of config/config.yaml."""

from pathlib import Path

from study.settings import schema_text

SCHEMA = Path(__file__).resolve().parents[1] / "workflow" / "schemas" / "config.schema.json"

if __name__ == "__main__":
    SCHEMA.write_text(schema_text(), encoding="utf-8", newline="\n")
