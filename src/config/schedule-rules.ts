// What the schema cannot say about schedules: one way to say when, one thing to start, and a
// pattern and a zone that exist.
import { Cron } from "croner";
import { isObject } from "../lib/json-object.ts";
import type { Finding } from "./explain-errors.ts";

type Table = Record<string, unknown>;

export function checkSchedules(schedules: Table | undefined): Finding[] {
  return Object.entries(schedules ?? {}).flatMap(([name, value]) =>
    isObject(value) ? checkSchedule(name, value) : [],
  );
}

function checkSchedule(name: string, schedule: Table): Finding[] {
  const path = ["schedule", name];
  return [
    ...oneOf(schedule, path, ["cron", "every"]),
    ...oneOf(schedule, path, ["role", "formula"]),
    ...checkPattern(schedule, path),
  ];
}

function oneOf(schedule: Table, path: string[], keys: [string, string]): Finding[] {
  const given = keys.filter((key) => schedule[key] !== undefined);
  if (given.length === 1) return [];
  const [first, second] = keys;
  const at = path.join(".");
  const message =
    given.length === 0
      ? `${at} has neither ${first} nor ${second}. Write one of them.`
      : `${at}.${first} and ${second} cannot be used together. Remove one of them.`;
  return [{ path: given.length === 0 ? path : [...path, first], message }];
}

function checkPattern(schedule: Table, path: string[]): Finding[] {
  const { cron, tz } = schedule;
  if (typeof cron !== "string") return [];
  const timezone = typeof tz === "string" ? tz : "UTC";
  if (!isZone(timezone)) {
    const message = `${path.join(".")}.tz is "${timezone}", which is not a time zone. Write e.g. "Europe/Berlin".`;
    return [{ path: [...path, "tz"], message }];
  }
  try {
    new Cron(cron, { timezone, paused: true });
    return [];
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    const message = `${path.join(".")}.cron is "${cron}": ${said} Write five fields, e.g. "0 6 * * *".`;
    return [{ path: [...path, "cron"], message }];
  }
}

function isZone(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone });
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
