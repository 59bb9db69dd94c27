// Journals of other versions: an older one is upgraded with its sessions alive, a newer one is
// refused with the way back, and an unknown state becomes a question to a person.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { isRunning, LIMITS, makeFactory, shellAgent, type Factory } from "../support/pawl.ts";

const AGENT = `
echo work > work.txt; git add -A; git commit -q -m work
while [ ! -e "$HOME/go" ]; do sleep 0.1; done
echo PHASE:awaiting_ci > "$PAWL_PHASE_FILE"
while [ ! -e "$PAWL_INBOX/new/m2.md" ]; do sleep 0.1; done
`;

type State = Record<string, unknown> & {
  session?: Record<string, unknown>;
  counts?: Record<string, unknown>;
  stage?: unknown;
};

const NEWS = `[[notify]]\nkind = "command"\ncommand = ["sh", "-c", "cat >> $HOME/news"]\n`;

/** A run whose agent lives while no daemon does. */
async function abandoned(): Promise<{ factory: Factory; pid: number }> {
  const config = `${shellAgent()}[ci]\nnone = true\n${LIMITS}${NEWS}`;
  const factory = await makeFactory({ config, files: { "agent.sh": AGENT } });
  await factory.addIssue({ title: "One" });
  const daemon = factory.background("daemon");
  const pid = await factory.until("the agent lives", async () => {
    const run = await factory.runOf(1);
    return run.stage === "working" && run.alive ? (run.pid ?? undefined) : undefined;
  });
  daemon.kill("SIGKILL");
  await daemon.ended;
  return { factory, pid };
}

/** Rewrites every state of a kind, as another version of Pawl would have left it. */
function rewrite(factory: Factory, family: string, change: (state: State) => void): void {
  const db = new DatabaseSync(join(factory.home, "pawl.db"));
  const rows = db.prepare("SELECT id, state FROM aggregates WHERE id LIKE ?").all(`${family}:%`);
  for (const { id, state } of rows) {
    const parsed = JSON.parse(String(state)) as State;
    change(parsed);
    db.prepare("UPDATE aggregates SET state = ? WHERE id = ?").run(
      JSON.stringify(parsed),
      id ?? null,
    );
  }
  db.close();
}

test("a journal of an older version is upgraded, and its living session goes on in the same life", async () => {
  const { factory, pid } = await abandoned();
  await using _closing = factory;
  rewrite(factory, "run", (state) => {
    delete state["hook"];
    delete state["longestPauseMs"];
    delete state.counts?.["stuck"];
    delete state.session?.["evidence"];
    delete state.session?.["unended"];
  });
  rewrite(factory, "queue", (state) => {
    for (const key of ["stack", "conflicts", "rate", "records", "nextRef"]) delete state[key];
  });
  const daemon = factory.background("daemon");
  const run = await factory.until("the daemon serves", () => factory.runOf(1));
  expect({ epoch: run.epoch, pid: run.pid }).toEqual({ epoch: 1, pid });
  expect(isRunning(pid)).toBe(true);
  factory.shell('touch "$HOME/go"');
  await factory.until("it lands", async () => (await factory.runOf(1)).outcome === "landed");
  expect((await factory.runOf(1)).epoch).toBe(1);
  daemon.kill("SIGTERM");
  await daemon.ended;
});

/** A whole aggregate, overdue, and an obligation, of kinds that only another version knows. */
function dream({ home, project }: Factory): void {
  const db = new DatabaseSync(join(home, "pawl.db"));
  db.prepare(
    "INSERT INTO aggregates (id, project, version, state, wake_at) VALUES (?, ?, 1, ?, 1)",
  ).run(`dream:${project}/1`, project, JSON.stringify({ kind: "dream", project }));
  db.prepare(
    "INSERT INTO outbox (key, aggregate, lane, effect, attempts, not_before) VALUES ('d', ?, 'd', ?, 0, 0)",
  ).run(`queue:${project}`, JSON.stringify({ kind: "dream-on" }));
  db.close();
}

test("what this version does not know is put before a person, with the agent left alive", async () => {
  const { factory, pid } = await abandoned();
  await using _closing = factory;
  rewrite(factory, "run", (state) => {
    state.stage = { kind: "dreaming" };
  });
  dream(factory);
  const daemon = factory.background("daemon");
  await factory.until("a person is asked", async () =>
    (await factory.runOf(1)).needs_you?.includes("dreaming"),
  );
  // Quietly: grep's exit code is the answer.
  const isTold = (text: string) =>
    factory.shell('grep -qF "$1" "$HOME/news" 2> /dev/null', text) === 0;
  await factory.until("a person hears of the rest", async () =>
    ["this version of Pawl does not know", "dream:", "dream-on"].every(isTold),
  );
  expect(isRunning(pid)).toBe(true);
  daemon.kill("SIGTERM");
  await daemon.ended;
});

test("a journal of a newer version is refused, with the way back", async () => {
  const { factory } = await abandoned();
  await using _closing = factory;
  const path = join(factory.home, "pawl.db");
  const version = (value: number): void => {
    const db = new DatabaseSync(path);
    db.exec(`PRAGMA user_version = ${value}`);
    db.close();
  };
  const db = new DatabaseSync(path);
  const known = Number(db.prepare("PRAGMA user_version").get()?.["user_version"]);
  db.close();
  version(known + 1);
  const { code, stderr } = await factory.pawl("run", "--until-idle");
  expect(code).toBe(1);
  expect(stderr).toContain(`it has version ${known + 1}, this Pawl knows ${known}`);
  expect(stderr).toContain("hint: upgrade Pawl, or");
  version(known);
});
