// Said to a person who has corrected pawl.toml and lets a run continue that began before.
import type { RunView } from "../../api/runs.ts";
import type { Deps } from "../deps.ts";

/** A corrected pawl.toml counts for new runs only. */
export function sayKept(deps: Deps, { kept_settings: kept = [], issue }: RunView): void {
  if (kept.length === 0 || issue === null) return;
  const names = kept.map((name) => `[${name}]`).join(", ");
  deps.stderr(
    `it keeps the settings that it began with, although ${names} in pawl.toml changed since then\n`,
  );
  deps.stderr(
    `for a new run with the new settings: \`pawl issue edit ${issue} --add-label blocked\`, then \`pawl retry ${issue}\`\n`,
  );
}
