// `pawl signals` where several projects share a factory.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { makeFactory, shellAgent } from "../support/pawl.ts";

/** More than one answer of the daemon holds. */
const FOREIGN = 1001;

test("`pawl signals --project` shows the project's own behind any number of others'", async () => {
  await using factory = await makeFactory({ config: `${shellAgent()}[ci]\nnone = true\n` });
  await factory.addIssue({ title: "One" });
  const db = new DatabaseSync(join(factory.home, "pawl.db"));
  const insert = db.prepare("INSERT INTO signals (kind, at, signal) VALUES (?, ?, ?)");
  const emit = (project: string, at: number): void => {
    const signal = { kind: "WITNESS_PING", at, project, detail: {} };
    insert.run(signal.kind, at, JSON.stringify(signal));
  };
  db.exec("BEGIN");
  emit(factory.project, 1);
  for (let at = 2; at < 2 + FOREIGN; at += 1) emit("other", at);
  emit(factory.project, 5000);
  db.exec("COMMIT");
  db.close();
  const own = await factory.ok("signals", "--project", factory.project, "--json");
  const times = own
    .trim()
    .split("\n")
    .map((line) => Date.parse((JSON.parse(line) as { at: string }).at));
  expect(times).toEqual([1, 5000]);
});
