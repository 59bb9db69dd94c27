// What the schema cannot say: rules that span several keys of pawl.toml. They look at the file as
// it was written, also where the schema found errors, so that all problems are listed at once.
import { isObject } from "../lib/json-object.ts";
import type { Finding } from "./explain-errors.ts";
import { checkAgents } from "./agent-rules.ts";
import { checkIsolation } from "./isolation-rules.ts";
import { checkSchedules } from "./schedule-rules.ts";

type Table = Record<string, unknown>;

export function checkRules(root: Table): Finding[] {
  return [
    ...checkAgents(tableAt(root, "agent")),
    ...checkCi(tableAt(root, "ci")),
    ...checkIsolation(tableAt(root, "isolation")),
    ...checkForge(tableAt(root, "forge")),
    ...checkPorts(tableAt(root, "workspace")),
    ...checkSchedules(tableAt(root, "schedule")),
    ...checkNotify(root["notify"]),
  ];
}

function checkCi(ci: Table | undefined): Finding[] {
  if (ci === undefined) return [];
  const stated = ["command", "gates"].filter((key) => ci[key] !== undefined);
  const server = checkServer(ci);
  if (server.length > 0) return server;
  if (ci["none"] !== undefined) return checkNone(ci);
  if (stated.length === 0 && hasServer(ci)) return [];
  if (stated.length === 0) {
    const message =
      'ci has no gate. Write command = "…" (your tests) or [[ci.gates]] below [ci], or none = true if nothing is to be checked.';
    return [{ path: ["ci"], message }];
  }
  if (stated.length === 2) {
    const message =
      "ci.command and [[ci.gates]] cannot be used together. Make the command a gate of its own, or remove one of them.";
    return [{ path: ["ci", "command"], message }];
  }
  return checkGateNames(ci["gates"]);
}

const hasServer = (ci: Table): boolean => ci["server"] === "forge" || ci["server"] === "woodpecker";

/** What belongs to one server is refused for another one. */
function checkServer(ci: Table): Finding[] {
  const owners = [
    ["contexts", "forge"],
    ["woodpecker", "woodpecker"],
  ] as const;
  return owners.flatMap(([key, owner]) => {
    if (ci[key] === undefined || ci["server"] === owner) return [];
    const message = `ci.${key} is for server = "${owner}". Write that, or remove it.`;
    return [{ path: ["ci", key], message }];
  });
}

function checkNone(ci: Table): Finding[] {
  const servers = hasServer(ci) ? ["server"] : [];
  const keys = ["command", "gates", "setup"].filter((key) => ci[key] !== undefined);
  const others = [...keys, ...servers];
  return others.map((key) => ({
    path: ["ci", key],
    message: `ci.${key} and ci.none cannot be used together. Remove ci.none to have checks.`,
  }));
}

function checkGateNames(gates: unknown): Finding[] {
  if (!Array.isArray(gates)) return [];
  const names = gates.map((gate: unknown) => (isObject(gate) ? gate["name"] : undefined));
  return names.flatMap((name, index) => {
    if (typeof name !== "string" || names.indexOf(name) === index) return [];
    const path = ["ci", "gates", index, "name"];
    return [
      {
        path,
        message: `ci.gates[${index}].name is "${name}" for the second time. Use different names.`,
      },
    ];
  });
}

function checkForge(forge: Table | undefined): Finding[] {
  const kind = forge?.["kind"];
  if (forge === undefined || (kind !== "gitea" && kind !== "github")) return [];
  const needed = kind === "gitea" ? ["url", "repo"] : ["repo"];
  const examples: Record<string, string> = { url: "https://codeberg.org", repo: "team/project" };
  return needed
    .filter((key) => forge[key] === undefined)
    .map((key) => ({
      path: ["forge", key],
      message: `forge.${key} is missing: kind "${kind}" needs it. Write ${key} = "${examples[key]}" below [forge].`,
    }));
}

function checkPorts(workspace: Table | undefined): Finding[] {
  const [first, count] = [workspace?.["ports_first"], workspace?.["ports_count"]];
  if ((first === undefined) === (count === undefined)) return [];
  const [there, missing] = first === undefined ? ["count", "first"] : ["first", "count"];
  const message = `workspace.ports_${there} needs ports_${missing} beside it, e.g. ports_${missing} = ${missing === "first" ? 20_000 : 10}.`;
  return [{ path: ["workspace", `ports_${there}`], message }];
}

/** What a channel of each kind cannot do without, and how it is written. */
const CHANNEL_NEEDS: Record<string, [key: string, example: string]> = {
  webhook: ["url_env", 'url_env = "NEWS_URL"'],
  slack: ["url_env", 'url_env = "SLACK_WEBHOOK_URL"'],
  ntfy: ["url_env", 'url_env = "NTFY_URL"'],
  command: ["command", 'command = ["program", "argument"]'],
};

function checkNotify(channels: unknown): Finding[] {
  if (!Array.isArray(channels)) return [];
  const tables = channels.map((one: unknown) => (isObject(one) ? one : {}));
  const names = tables.map((one) => one["name"] ?? one["kind"]);
  return tables.flatMap((channel, index) => {
    const kind = String(channel["kind"]);
    const at = `notify[${index}]`;
    const [key, example] = CHANNEL_NEEDS[kind] ?? [];
    if (key !== undefined && channel[key] === undefined) {
      const message = `${at}.${key} is missing: kind "${kind}" needs it. Write ${example}.`;
      return [{ path: ["notify", index, "kind"], message }];
    }
    if (names.indexOf(names[index]) === index) return [];
    const message = `${at} is called "${String(names[index])}" like another. Give it a name = "…" of its own.`;
    return [{ path: ["notify", index, channel["name"] === undefined ? "kind" : "name"], message }];
  });
}

function tableAt(root: Table, key: string): Table | undefined {
  const value = root[key];
  return isObject(value) ? value : undefined;
}
