// The settings of a runtime as it reads them itself. A configuration of an earlier version may lack
// a key that was added since: then the default counts.
import type { AgentConfig } from "../../core/config.ts";
import type { Setting, Settings, SettingValues } from "../../ports/runtime.ts";

export function settingsOf<const S extends Settings>(
  settings: S,
  { settings: given = {} }: AgentConfig,
): SettingValues<S> {
  const read = Object.entries(settings).flatMap(([name, setting]) =>
    setting.kind === "model" ? [] : [[name, given[name] ?? assumedOf(setting)] as const],
  );
  // The configuration has checked each of them by the same table.
  return Object.fromEntries(read) as SettingValues<S>;
}

function assumedOf(setting: Setting): unknown {
  if ("assumed" in setting) return setting.assumed;
  return setting.kind === "text" ? undefined : [];
}
