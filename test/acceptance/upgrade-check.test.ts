// `pawl upgrade-check` says which build runs, which version the journal has and whether the daemon is
// of the same build, before anything is upgraded.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { makeFactory, SCRIPT_AGENT, TEST_GATE, type Factory } from "../support/pawl.ts";

type Facts = {
  program: { build: string };
  journal: { version: number | null; known: number | null; state: string };
  daemon: { pid: number; same_build: boolean; build: string } | null;
  next: string[];
};

const look = async (factory: Factory): Promise<{ code: number; facts: Facts }> => {
  const { code, stdout } = await factory.pawl("upgrade-check", "--json");
  return { code, facts: JSON.parse(stdout) as Facts };
};

function setVersion({ home }: Factory, version: number): void {
  const db = new DatabaseSync(join(home, "pawl.db"));
  db.exec(`PRAGMA user_version = ${version}`);
  db.close();
}

test("upgrade-check names the version of the journal and what to do about another one", async () => {
  await using factory = await makeFactory({ config: `${SCRIPT_AGENT}${TEST_GATE}` });
  const fresh = await look(factory);
  expect(fresh).toMatchObject({ code: 0, facts: { journal: { state: "none" }, next: [] } });
  await factory.register();
  const { code, facts } = await look(factory);
  expect([code, facts.journal.state, facts.daemon]).toEqual([0, "current", null]);
  const known = facts.journal.known ?? 0;

  setVersion(factory, known - 1);
  const older = await factory.pawl("upgrade-check");
  expect(older.code).toBe(8);
  expect(older.stdout).toContain(
    `journal\tversion ${known - 1}; this Pawl writes version ${known}, so an upgrade is pending\n`,
  );
  expect(older.stdout).toContain("next\t`pawl up` upgrades the journal");

  setVersion(factory, known + 1);
  const newer = await look(factory);
  expect(newer).toMatchObject({ code: 1, facts: { journal: { state: "newer" } } });
  expect(newer.facts.next).toEqual(["install the Pawl that wrote this journal, or a newer one"]);
});

test("upgrade-check knows the build of the daemon that runs", async () => {
  await using factory = await makeFactory({ config: `${SCRIPT_AGENT}${TEST_GATE}` });
  const daemon = factory.background("daemon");
  await factory.until("it serves", () => factory.client.daemonRuns());
  const { code, facts } = await look(factory);
  expect([code, facts.daemon?.same_build]).toEqual([0, true]);
  expect(facts.daemon?.build).toBe(facts.program.build);
  const up = JSON.parse(await factory.ok("up", "--json")) as { started: boolean };
  expect(up).toMatchObject({ started: false, daemon: { pid: facts.daemon?.pid } });
  const down = JSON.parse(await factory.ok("down", "--json")) as unknown;
  expect(down).toEqual({ was_running: true, agents_ended: false });
  await daemon.ended;
});
