// Rules that span several keys of [agent]: which runtimes and accounts are named where, and whether
// each of them can be started.
import { RUNTIMES, runtimeNamed } from "../adapters/runtimes.ts";
import { isObject } from "../lib/json-object.ts";
import type { Finding } from "./explain-errors.ts";
import { nearest } from "./nearest.ts";
import { settingsProblem } from "./schema-agent.ts";

type Table = Record<string, unknown>;

export function checkAgents(agent: Table | undefined): Finding[] {
  if (agent === undefined) return [];
  const found = [...checkAccounts(agent), ...checkFor(agent), ...checkFallback(agent)];
  return [...checkTables(agent), ...checkCommand(agent), ...found];
}

const listOf = (agent: Table, key: string): Table[] => {
  const list = agent[key];
  return Array.isArray(list) ? list.map((one: unknown) => (isObject(one) ? one : {})) : [];
};

const accountNames = (agent: Table): string[] =>
  listOf(agent, "account").flatMap(({ name }) => (typeof name === "string" ? [name] : []));

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];

/** A table of a runtime that nothing here uses is a mistake more often than a plan. */
function checkTables(agent: Table): Finding[] {
  const used = new Set<unknown>([
    agent["runtime"],
    ...textsOf(agent["fallback"]),
    ...listOf(agent, "for").map(({ runtime }) => runtime),
    ...listOf(agent, "account").map(({ runtime }) => runtime),
  ]);
  const other = RUNTIMES.find(({ name, settings }) => settings && !used.has(name) && agent[name]);
  if (other === undefined) return [];
  const message = `[agent.${other.name}] is for runtime "${other.name}"; this is "${String(agent["runtime"])}". Remove it, change the runtime, or name "${other.name}" in fallback, [[agent.for]] or [[agent.account]].`;
  return [{ path: ["agent", other.name], message }];
}

/** Pawl knows no program for it: [agent] command says which. */
const needsCommand = (runtime: unknown): boolean =>
  typeof runtime === "string" && runtimeNamed(runtime)?.needsCommand === true;

function checkCommand(agent: Table): Finding[] {
  const runtime = agent["runtime"];
  if (!needsCommand(runtime) || agent["command"] !== undefined) return [];
  const message = `agent.command is missing: runtime "${String(runtime)}" needs the program to start. Write command = ["program", "argument"].`;
  return [{ path: ["agent", "command"], message }];
}

function checkAccounts(agent: Table): Finding[] {
  const names = accountNames(agent);
  return listOf(agent, "account").flatMap(({ name, runtime, command, settings }, index) => {
    const at = `agent.account[${index}]`;
    const path = ["agent", "account", index, "name"];
    if (typeof name === "string" && runtimeNamed(name) !== undefined) {
      return [{ path, message: `${at}.name is "${name}", which is a runtime. Use another name.` }];
    }
    if (typeof name === "string" && names.indexOf(name) !== index && names.length > index) {
      return [
        { path, message: `${at}.name is "${name}" for the second time. Use different names.` },
      ];
    }
    const wrong = settingsProblem(String(runtime), settings);
    if (wrong !== undefined) {
      const place = ["agent", "account", index, "settings"];
      return [{ path: place, message: `${at}.settings${wrong}` }];
    }
    if (!needsCommand(runtime) || command !== undefined) return [];
    const message = `${at}.command is missing: runtime "${String(runtime)}" needs the program to start. Write command = ["program", "argument"].`;
    return [{ path: ["agent", "account", index, "runtime"], message }];
  });
}

function checkFor(agent: Table): Finding[] {
  return listOf(agent, "for").flatMap(({ label, role, runtime, account, settings }, index) => {
    const at = `agent.for[${index}]`;
    const path = ["agent", "for", index];
    if (label === undefined && role === undefined) {
      const message = `${at} says neither label nor role. Write label = "docs" or role = "review".`;
      return [{ path, message }];
    }
    if (runtime !== undefined && account !== undefined) {
      const message = `${at} has a runtime and an account. Remove one of them: an account has its runtime.`;
      return [{ path: [...path, "account"], message }];
    }
    if (typeof account === "string" && !accountNames(agent).includes(account)) {
      const known = unknownName(account, accountNames(agent));
      return [{ path: [...path, "account"], message: `${at}.account ${known}` }];
    }
    const ofAccount = listOf(agent, "account").find(({ name }) => name === account)?.["runtime"];
    const own = account === undefined ? (runtime ?? agent["runtime"]) : ofAccount;
    const wrong = settingsProblem(String(own), settings);
    if (wrong !== undefined) {
      return [{ path: [...path, "settings"], message: `${at}.settings${wrong}` }];
    }
    return startable(agent, runtime, { key: `${at}.runtime`, path: [...path, "runtime"] });
  });
}

function checkFallback(agent: Table): Finding[] {
  const names = textsOf(agent["fallback"]);
  if (names.length > 0 && agent["after_limit"] === "ask") {
    const message =
      'agent.fallback and after_limit = "ask" exclude each other: with a fallback, another agent continues. Remove one of them.';
    return [{ path: ["agent", "fallback"], message }];
  }
  const known = [...accountNames(agent), ...RUNTIMES.map(({ name }) => name)];
  return names.flatMap((name, index) => {
    const path = ["agent", "fallback", index];
    if (!known.includes(name)) {
      return [{ path, message: `agent.fallback[${index}] ${unknownName(name, known)}` }];
    }
    return startable(agent, name, { key: `agent.fallback[${index}]`, path });
  });
}

/** A runtime whose program only [agent] command knows is named as an account of its own. */
function startable(
  agent: Table,
  runtime: unknown,
  { key, path }: { key: string; path: (string | number)[] },
): Finding[] {
  if (!needsCommand(runtime) || runtime === agent["runtime"]) return [];
  const message = `${key} is "${String(runtime)}", which needs a program. Write it as [[agent.account]] with a name, this runtime and command = ["program"], and use that name.`;
  return [{ path, message }];
}

function unknownName(name: string, known: readonly string[]): string {
  const meant = nearest(name, [...known]);
  const guess = meant === undefined ? "" : ` Did you mean "${meant}"?`;
  const list = known.length === 0 ? "none" : known.map((one) => `"${one}"`).join(", ");
  return `is "${name}", which is not known. There are: ${list}.${guess}`;
}
