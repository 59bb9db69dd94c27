// Inside a session a command is refused unless it is listed: the walk takes every command there is,
// so that a new one is refused until it is listed.
import { readFileSync } from "node:fs";
import type { Command } from "@commander-js/extra-typings";
import { describe, expect, test } from "vitest";
import { mayCall, SESSION_HEADER, SESSION_RIGHTS } from "../api/session-rights.ts";
import { describedCommands } from "../../test/support/commands.ts";
import { createApp } from "../daemon/routes/app.ts";
import { pawl } from "../../test/support/pawl-cli.ts";

const LISTED = new Set(SESSION_RIGHTS.map(({ command }) => command));
const SESSION = { PAWL_PROJECT: "toy", PAWL_RUN: "7.1", PAWL_SPOOL: "/s", PAWL_PHASE_FILE: "/p" };

type Leaf = { path: string; argv: string[] };

function leaves(command: Command, above: string[]): Leaf[] {
  const words = [...above, command.name()];
  if (command.commands.length > 0) {
    return command.commands.flatMap((one) => leaves(one as unknown as Command, words));
  }
  const values = command.registeredArguments.flatMap(({ required }) => (required ? ["1"] : []));
  const options = command.options.flatMap(({ mandatory, long }) =>
    mandatory ? [String(long), "1"] : [],
  );
  return [{ path: words.join(" "), argv: [...words, ...values, ...options] }];
}

const program = await describedCommands();
const all = program.commands.flatMap((one) => leaves(one as unknown as Command, []));

test("the list names only commands that exist", () => {
  const known = new Set(all.map(({ path }) => path));
  expect([...LISTED].filter((command) => !known.has(command))).toEqual([]);
});

describe("a session may not run", () => {
  const denied = all.filter(({ path }) => !LISTED.has(path));
  test.each(denied)("$path", async ({ path, argv }) => {
    const refused = await pawl(argv, { env: SESSION, isTty: true });
    expect(refused).toMatchObject({ code: 4, stdout: "", calls: [], started: [], written: {} });
    expect(refused.stderr).toContain(`\`pawl ${path}\` is not allowed inside a session (toy/7.1)`);
  });

  test("doctor --fix, though it may look", async () => {
    const refused = await pawl(["doctor", "--fix"], { env: SESSION });
    expect(refused).toMatchObject({ code: 4, calls: [] });
    expect(refused.stderr).toContain("`pawl doctor --fix` is not allowed");
    const looked = await pawl(["doctor"], { env: SESSION });
    expect(looked.calls).toEqual([["GET /v1/doctor"]]);
  });
});

test("one mark of a session is enough", async () => {
  for (const [name, value] of Object.entries(SESSION)) {
    if (name === "PAWL_PROJECT") continue;
    const refused = await pawl(["merge-queue", "approve", "1"], { env: { [name]: value } });
    expect(refused).toMatchObject({ code: 4, calls: [] });
  }
});

test("what decides is never on the list", () => {
  const words = ["approve", "answer", "close", "restore", "pause", "resume", "remove", "init"];
  expect([...LISTED].filter((command) => words.includes(command.split(" ").at(-1) ?? ""))).toEqual(
    [],
  );
  expect(
    SESSION_RIGHTS.flatMap(({ calls }) => calls).filter((one) => !one.startsWith("GET ")),
  ).toEqual([]);
});

test("the daemon refuses every route to a session but those of the list", async () => {
  const app = createApp({ ports: { redact: (text: string) => text } } as never);
  const routes = app.routes.filter(({ path }) => path.startsWith("/v1/"));
  expect(routes.length).toBeGreaterThan(60);
  for (const { method, path } of routes) {
    const url = path.replaceAll(/:\w+/g, "1");
    if (mayCall(method, url)) continue;
    const answer = await app.request(url, { method, headers: { [SESSION_HEADER]: "toy/7.1" } });
    expect([method, url, answer.status]).toEqual([method, url, 403]);
    expect(await answer.json()).toMatchObject({ error: { code: "auth" } });
  }
  const open = routes.filter(({ method, path }) => mayCall(method, path.replaceAll(/:\w+/g, "1")));
  expect(open.every(({ method }) => method === "GET")).toBe(true);
  expect(open.map(({ path }) => path)).not.toContain("/v1/runs/:ref/attach");
});

test("docs/agents.md lists exactly what a session may do", () => {
  const text = readFileSync("docs/agents.md", "utf8");
  const section =
    text.split("\n## ").find((part) => part.startsWith("What a session may do")) ?? "";
  const rows = section.split("\n").filter((line) => line.startsWith("|"));
  const named = rows.flatMap((row) => [...row.matchAll(/`pawl ([^`]+)`/g)].map(([, it]) => it));
  expect(new Set(named)).toEqual(LISTED);
  expect(named).toHaveLength(LISTED.size);
});
