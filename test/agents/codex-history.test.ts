// What a conversation of Codex holds after its server was killed: its model must not be told again
// what it knows, and must be told what it does not.
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { CodexDriver } from "../../src/adapters/agent-codex/codex-driver.ts";
import { startModelStub } from "../../src/cli/model-stub/server.ts";
import { agentProgram, STUBBED } from "../support/agent-programs.ts";

const codex = agentProgram("codex");
/** A guard only: a busy machine takes its time. */
const WAIT = { timeout: 240_000 };

/** Its screen would take the terminal of the person who runs this. */
const WITHOUT_SCREEN = ["sh", "-c", 'test "$1" = app-server && exec "$0" "$@"'];

/** One life of Codex in a home of its own. */
async function makePlace() {
  const stub = await startModelStub();
  const home = mkdtempSync("/tmp/pawl-codex-");
  const place = { home, stub: stub.url };
  for (const [path, text] of Object.entries(STUBBED.codex.files(place))) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  onTestFinished(async () => {
    await stub.close();
    rmSync(home, { recursive: true, force: true });
  });
  const open = (): CodexDriver =>
    new CodexDriver({
      argv: [...WITHOUT_SCREEN, codex ?? ""],
      env: { HOME: home, PATH: "/usr/bin:/bin", ...STUBBED.codex.env(place) },
      workspace: home,
      dir: home,
      model: undefined,
      settings: { sandbox: "danger-full-access", approvalPolicy: "never", config: {} },
      onEvent: () => {},
    });
  const kept = (): string => {
    const [path] = globSync(join(home, ".codex/sessions/**/*.jsonl"));
    if (path === undefined) throw new Error("Codex has kept no conversation");
    return path;
  };
  const forgetList = (): void => {
    for (const path of globSync(join(home, ".codex/thread_history_*"))) rmSync(path);
  };
  /** Without its errands, which have no tools. */
  const asked = (): string[] =>
    stub.requests
      .filter(({ body }) => (body.tools ?? []).length > 0)
      .map(({ body }) => JSON.stringify(body));
  return { asked, open, kept, forgetList };
}

/** Codex keeps what its model is told, and lists it later; the file may also lack what it has listed. */
test.skipIf(codex === undefined).each([
  { killed: "before it listed it", isKept: true },
  { killed: "before it kept it", isKept: false },
])("a message counts as said if its model knows it: Codex killed $killed", async ({ isKept }) => {
  const { asked, open, kept, forgetList } = await makePlace();
  const first = open();
  const { conversation } = await first.open({ resume: undefined, history: false });
  await first.prompt("Begin.", () => {});
  await first.prompt("Id: m1\nKind: nudge\n\nN-1;", () => {});
  await first.close();
  const lines = readFileSync(kept(), "utf8").split("\n");
  const place = lines.findIndex((line) => line.includes("response_item") && line.includes("N-1;"));
  writeFileSync(kept(), `${lines.slice(0, isKept ? place + 1 : place).join("\n")}\n`);
  if (isKept) forgetList();
  const next = open();
  const { said } = await next.open({ resume: conversation, history: true });
  await next.prompt("Go on.", () => {});
  await next.close();
  expect(asked().at(-1)?.includes("N-1;")).toBe(isKept);
  expect(JSON.stringify(said).includes("N-1;")).toBe(isKept);
});

test.skipIf(codex === undefined)(
  "a message that joined a turn reaches its model once, where the turn is interrupted before it did",
  async () => {
    const { asked, open } = await makePlace();
    const driver = open();
    await driver.open({ resume: undefined, history: false });
    const turn = driver.prompt("Begin. [[slow: 600000]]", () => {});
    await vi.waitFor(() => expect(asked()).toHaveLength(1), WAIT);
    // Refused until Codex has said which turn it has begun.
    const steered = async () =>
      expect(await driver.steer("Id: m1\nKind: nudge\n\nN-1; [[text: ready]]")).toBe(true);
    await vi.waitFor(steered, WAIT);
    await driver.interrupt();
    // Codex drops it, or has put it into the conversation just before: then the next prompt tells it.
    await turn;
    await driver.prompt("Go on. [[text: ready]]", () => {});
    await driver.close();
    expect(asked().at(-1)?.split("N-1;")).toHaveLength(2);
  },
);
