// Plugins through the commands a person types: from the target's tip and the user's folder, behind
// their gates, without a model where there is a script.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { LetterView } from "../../src/api/mail.ts";
import type { PluginRunView, PluginView } from "../../src/api/plugins.ts";
import { makeFactory, shellAgent, writeFiles } from "../support/pawl.ts";

const NEWS = '[[notify]]\nkind = "command"\ncommand = ["sh", "-c", "cat >> $HOME/news"]\n';

/** An agent that answers a prompt. */
const LOOKS = `echo '"looked around"' > "$PAWL_RESULT_FILE" && printf 'PHASE:done\\n' > "$PAWL_PHASE_FILE"; sleep 60`;

const front = (lines: string, body = ""): string => `---\n${lines}\n---\n${body}\n`;

test("all five gates, a script and a prompt run; a broken one does not stop the others, an unlanded one never runs", async () => {
  await using factory = await makeFactory({
    files: {
      "agent.sh": LOOKS,
      "plugins/cool/plugin.md": front("gate: {type: cooldown, duration: 1 h}\nparallel: true"),
      "plugins/cool/run.sh": "echo cooled in $(pwd -P) for $PAWL_PROJECT\n",
      "plugins/minute/plugin.md": front(
        'gate: {type: cron, schedule: "* * * * * *"}\nrun: [echo, tick]',
      ),
      "plugins/cond/plugin.md": front(
        "gate: {type: condition, check: [test, -e, go.txt]}\nrun: echo went",
      ),
      "plugins/evt/plugin.md": front('gate: {type: event, on: "TRIGGER: deployed"}\nrun: exit 7'),
      "plugins/beat/plugin.md": front("gate: {type: event, on: heartbeat}\nrun: echo alive"),
      "plugins/typo/plugin.md": front("gate: {type: event, on: MERGE_COMPLETED}\nrun: echo no"),
      "plugins/look/plugin.md": front("gate: {type: manual}\ntimeout: 10 min", "Look around."),
      "plugins/bad/plugin.md": front("gate: {type: whenever}"),
    },
    config: `${shellAgent()}[ci]\nnone = true\n[patrol]\ndeacon = "1 h"\n${NEWS}`,
  });
  writeFiles(join(factory.root, "user"), {
    ".config/pawl/plugins/mine/plugin.md": front("gate: {type: manual}"),
    ".config/pawl/plugins/mine/run.sh": "echo mine\n",
  });
  await factory.ok("up");
  await factory.register();
  const round = (): Promise<string> => factory.ok("patrol", "run", "deacon");
  const log = async (...args: string[]): Promise<PluginRunView[]> =>
    JSON.parse(await factory.ok("plugin", "log", ...args, "--json")) as PluginRunView[];
  const ended = (plugin: string): Promise<PluginRunView> =>
    factory.until(`${plugin} has ended`, async () =>
      (await log(plugin)).findLast(({ result }) => result !== "running"),
    );
  await round();
  expect(await ended("cool")).toMatchObject({ result: "succeeded", why: "cooldown" });
  expect((await ended("cool")).note).toContain(`for ${factory.project}`);
  const listed = JSON.parse(await factory.ok("plugin", "list", "--json")) as PluginView[];
  expect(listed.map(({ plugin, from }) => `${from} ${plugin}`)).toEqual([
    "project bad",
    "project beat",
    "project cond",
    "project cool",
    "project evt",
    "project look",
    "project minute",
    "project typo",
    "user mine",
  ]);
  expect(listed[0]?.problem).toContain("gate");
  const inbox = JSON.parse(await factory.ok("mail", "inbox", "--json")) as LetterView[];
  expect(inbox.map(({ subject }) => subject).toSorted()).toEqual([
    "plugin bad cannot be used",
    "plugin typo cannot be used",
  ]);
  const typo = listed.find(({ plugin }) => plugin === "typo");
  expect(typo?.problem).toContain('"MERGE_COMPLETED" is not an event');
  // Every round is a heartbeat.
  await round();
  expect(await ended("beat")).toMatchObject({ result: "succeeded", why: "heartbeat" });

  // Written into the checkout, but not landed: it is none.
  factory.write({ "plugins/sneaky/plugin.md": front("gate: {type: manual}\nrun: echo sneaky") });
  expect((await factory.pawl("plugin", "run", "sneaky")).stderr).toContain('no plugin "sneaky"');

  await factory.ok("mail", "send", "deacon", "--subject", "TRIGGER: deployed");
  await round();
  expect(await ended("evt")).toMatchObject({ result: "failed", why: "deployed by operator" });
  expect((await ended("evt")).note).toContain("exit 7");
  const news = join(factory.root, "user", "news");
  await factory.until("a person hears of the failure", async () => {
    return existsSync(news) && readFileSync(news, "utf8").includes("plugin evt failed");
  });
  await factory.until("its minute has come", async () => {
    await round();
    return (await log("minute")).some(({ result }) => result === "succeeded");
  });
  expect(await log("cond")).toEqual([]);
  factory.commit({ "go.txt": "" }, "Open the gate");
  await round();
  expect(await ended("cond")).toMatchObject({ result: "succeeded", note: "went" });

  await factory.ok("plugin", "run", "mine");
  expect(await ended("mine")).toMatchObject({ result: "succeeded", note: "mine" });

  // One that was taken out and comes back really runs: the old output is not reported again.
  const at = join(factory.root, "user/.config/pawl/plugins/mine");
  rmSync(at, { recursive: true });
  await round();
  expect((await factory.pawl("plugin", "run", "mine")).stderr).toContain('no plugin "mine"');
  writeFiles(at, { "plugin.md": front("gate: {type: manual}"), "run.sh": "echo mine again\n" });
  await round();
  await factory.ok("plugin", "run", "mine");
  await factory.until("it has run again", async () =>
    (await log("mine")).some(({ note }) => note === "mine again"),
  );
  await factory.ok("plugin", "run", "look");
  expect(await ended("look")).toMatchObject({ result: "succeeded" });
  expect((await ended("look")).note).toContain("looked around");
  expect(await log("cool")).toHaveLength(1);
});

test("without a daemon a script or a prompt does not start, and says so; a failure names the folder", async () => {
  await using factory = await makeFactory({
    files: {
      "agent.sh": LOOKS,
      "plugins/look/plugin.md": front("gate: {type: manual}\nparallel: true", "Look around."),
      "plugins/count/plugin.md": front(
        "gate: {type: manual}\nparallel: true\nrun: [sh, scripts/count.sh]",
      ),
      "plugins/count/scripts/count.sh": "echo 3\n",
    },
    config: `${shellAgent()}[ci]\nnone = true\n`,
  });
  await factory.register();
  const run = await factory.pawl("plugin", "run", "count");
  expect(run.stderr).toContain("count: starts when a daemon runs");
  const log = async (): Promise<PluginRunView[]> =>
    JSON.parse(await factory.ok("plugin", "log", "--json")) as PluginRunView[];
  expect((await factory.pawl("plugin", "run", "look")).stderr).toContain(
    "look: starts when a daemon runs",
  );
  const waiting = { result: "running", begun: false };
  expect(await log()).toMatchObject([waiting, waiting]);
  await factory.ok("up");
  const ended = await factory.until("it has ended", async () =>
    (await log()).find(({ plugin, result }) => plugin === "count" && result === "failed"),
  );
  expect(ended.note).toMatch(/^exit \d+: .*scripts\/count\.sh[^]*\nit ran in \/.*\/work, a clean/);
});
