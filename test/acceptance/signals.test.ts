// `pawl signals`, and plugins that wait for a signal, where several projects share a factory.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import type { PluginRunView } from "../../src/api/plugins.ts";
import { makeFactory, shellAgent, type Factory } from "../support/pawl.ts";

/** More than one answer of the daemon holds. */
const FOREIGN = 1001;
/** The daemon writes meanwhile, and on a busy machine it may hold the journal for a while. */
const LOCKED_MAX_MS = 60_000;

/** Writes signals as a daemon does: those of one project after many of another. */
function journalOf(factory: Factory) {
  const db = new DatabaseSync(join(factory.home, "pawl.db"), { timeout: LOCKED_MAX_MS });
  const insert = db.prepare("INSERT INTO signals (kind, at, signal) VALUES (?, ?, ?)");
  const emit = (project: string, at: number): void => {
    const signal = { kind: "WITNESS_PING", at, project, detail: {} };
    insert.run(signal.kind, at, JSON.stringify(signal));
  };
  return {
    emit,
    /** So many of others, then one of the factory's own project. */
    emitBehind(count: number, at: number): void {
      db.exec("BEGIN");
      for (let index = 0; index < count; index += 1) emit("other", at);
      emit(factory.project, at);
      db.exec("COMMIT");
    },
    [Symbol.dispose]: () => db.close(),
  };
}

const timesIn = (output: string): number[] =>
  output
    .trim()
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => Date.parse((JSON.parse(line) as { at: string }).at));

const CONFIG = `${shellAgent()}[ci]\nnone = true\n`;

test("`pawl signals --project` shows the project's own behind any number of others'", async () => {
  await using factory = await makeFactory({ config: CONFIG });
  await factory.addIssue({ title: "One" });
  using journal = journalOf(factory);
  journal.emit(factory.project, 1);
  journal.emitBehind(FOREIGN, 5000);
  const own = await factory.ok("signals", "--project", factory.project, "--json");
  expect(timesIn(own)).toEqual([1, 5000]);
});

test("`pawl signals --follow --project` hears the project's own behind any number of others'", async () => {
  await using factory = await makeFactory({ config: CONFIG });
  await factory.addIssue({ title: "One" });
  using journal = journalOf(factory);
  journal.emit(factory.project, 1);
  const follower = factory.background(
    "signals",
    "--follow",
    "--project",
    factory.project,
    "--json",
  );
  await factory.until("it follows", async () => timesIn(follower.output()).length === 1);
  journal.emitBehind(FOREIGN, 5000);
  await factory.until("it hears the next one", async () => timesIn(follower.output()).length > 1);
  journal.emitBehind(FOREIGN, 6000);
  await factory.until("it hears on", async () => timesIn(follower.output()).length > 2);
  expect(timesIn(follower.output())).toEqual([1, 5000, 6000]);
  follower.kill("SIGKILL");
});

test("a plugin that waits for a signal runs although others' signals follow it", async () => {
  await using factory = await makeFactory({
    config: `${CONFIG}[patrol]\ndeacon = "1 h"\nwitness = "1 h"\n`,
    files: {
      "plugins/ping/plugin.md":
        "---\ngate: {type: event, on: WITNESS_PING}\nrun: echo pinged\n---\n",
    },
  });
  await factory.ok("init");
  await factory.ok("up");
  const runs = async (): Promise<PluginRunView[]> =>
    JSON.parse(await factory.ok("plugin", "log", "ping", "--json")) as PluginRunView[];
  // From its first round on the deacon knows the plugin.
  await factory.ok("patrol", "run", "deacon");
  expect(await runs()).toEqual([]);
  using journal = journalOf(factory);
  const at = Date.now();
  journal.emit(factory.project, at);
  for (let index = 1; index <= 100; index += 1) journal.emit("other", at + index);
  await factory.ok("patrol", "run", "deacon");
  await factory.until("it has run", async () =>
    (await runs()).some(({ result, note }) => result === "succeeded" && note.includes("pinged")),
  );
});
