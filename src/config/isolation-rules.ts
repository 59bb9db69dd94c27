// Rules of [isolation] that span several keys: what only walls can hold is refused without them, because
// a setting that nothing enforces would be taken for protection.
import { isObject } from "../lib/json-object.ts";
import type { Finding } from "./explain-errors.ts";

type Table = Record<string, unknown>;

export function checkIsolation(isolation: Table | undefined): Finding[] {
  if (isolation === undefined) return [];
  if (isolation["mode"] === "podman") {
    const message =
      'isolation.mode "podman" is not offered. Write mode = "bwrap": it uses the same namespaces of the kernel, and needs no image.';
    return [{ path: ["isolation", "mode"], message }];
  }
  if (isolation["mode"] !== "none") return [];
  return HELD_BY_WALLS.filter((key) => isWanted(key, isolation[key])).map((key) => ({
    path: ["isolation", key],
    message: `isolation.${key} needs walls, and mode is "none": nothing would enforce it. Write mode = "bwrap", or remove ${key}.`,
  }));
}

const HELD_BY_WALLS = ["network", "limits"] as const;

function isWanted(key: (typeof HELD_BY_WALLS)[number], value: unknown): boolean {
  if (key === "network") return value === "hosts" || value === "none";
  return isObject(value) && Object.keys(value).length > 0;
}
