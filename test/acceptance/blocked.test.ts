// An issue that Pawl gave up on needs a person: it is shown where people look, and one command tries
// it again.
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LIMITS, makeFactory, SCRIPT_AGENT, shellAgent, TEST_GATE } from "../support/pawl.ts";

const gate = (command: string): string => `${SCRIPT_AGENT}${LIMITS}[ci]\ncommand = "${command}"\n`;

test("an issue that was given up is under `needs you`, `run --until-idle` exits 8, and `retry` lands it", async () => {
  await using factory = await makeFactory({ config: gate("test ! -e made") });
  await factory.addIssue({ title: "Make it", body: "```sh\ntouch made\n```\n" });
  await factory.addIssue({ title: "Wait on purpose", body: "Later.\n" });
  await factory.ok("issue", "edit", "2", "--add-label", "blocked");

  const { code, stderr } = await factory.pawl("run", "--until-idle");
  expect([code, stderr]).toEqual([8, expect.stringContaining("pawl retry 1")]);
  const { waits } = await factory.status();
  expect(waits).toMatchObject([{ about: "#1 Make it", needs_you: true, command: "pawl retry 1" }]);
  const why = await factory.ok("why", "1");
  expect(why).toContain("`pawl ci failures 1` shows what failed");
  expect(why).toContain("`pawl retry 1` removes the label");
  expect((await factory.pawl("ci", "failures", "1")).code).toBe(0);
  // What an agent is told to do about it is not for the person who reads the issue.
  const shown = await factory.pawl("issue", "show", "1");
  expect(shown.stdout).toContain("CI failed in the step test (exit code 1).");
  expect(shown.stdout).not.toContain("PHASE:");
  expect(shown.stderr).toBe("`pawl retry 1` does that\n");

  factory.commit({ "pawl.toml": factory.config(gate("true")) }, "Allow the file");
  await factory.ok("retry", "1");
  expect((await factory.pawl("run", "--until-idle")).code).toBe(0);
  expect(factory.subjects()).toContainEqual(expect.stringContaining("Make it"));
  expect((await factory.status()).waits).toEqual([]);
});

test("`retry` tries an issue again whose run ended when a person labelled it, also when asked twice", async () => {
  await using factory = await makeFactory({ config: gate("true") });
  const go = join(factory.root, "go");
  const body = `\`\`\`sh\nuntil test -e ${go}; do sleep 0.05; done\ntouch made\n\`\`\`\n`;
  await factory.addIssue({ title: "Make it", body });
  await factory.ok("up");
  await factory.until("the agent works", async () => (await factory.runOf(1))?.alive === true);
  await factory.ok("issue", "edit", "1", "--add-label", "blocked");
  const isOver = async () => (await factory.runOf(1))?.outcome === "closed";
  await factory.until("the run is over", isOver);
  // As after an agent that called it too large.
  await factory.ok("issue", "edit", "1", "--remove-label", "backlog");
  await factory.ok("issue", "edit", "1", "--add-label", "underspecified");

  await factory.ok("issue", "close", "1");
  const closed = await factory.pawl("retry", "1");
  expect([closed.code, closed.stderr]).toEqual([1, expect.stringContaining("pawl issue reopen 1")]);
  await factory.ok("issue", "reopen", "1");
  const again = [await factory.pawl("retry", "1"), await factory.pawl("retry", "1")];
  expect(again.map(({ code }) => code)).toEqual([0, 0]);
  writeFileSync(go, "");
  await factory.until("it landed", async () =>
    factory.subjects().some((subject) => subject.includes("Make it")),
  );
});

test("after `retry`, the prompt of the new run says how the earlier one ended and what CI said", async () => {
  await using factory = await makeFactory({
    files: {
      "agent.sh": `cp "$PAWL_PROMPT_FILE" "$SEEN/prompt-$PAWL_RUN-$PAWL_EPOCH"
if grep -q 'CI failed' "$PAWL_PROMPT_FILE"; then
  printf 'PHASE:failed\\nReason: no such table\\n' > "$PAWL_PHASE_FILE"
else
  echo 1 > made && git add made && git commit -qm Make
  echo PHASE:awaiting_ci > "$PAWL_PHASE_FILE"
fi
`,
      "test.sh": "test ! -e made || { echo one too many; exit 3; }\n",
    },
  });
  const agent = shellAgent(`env = { SEEN = "${factory.root}" }\n`);
  factory.commit({ "pawl.toml": factory.config(`${agent}${TEST_GATE}${LIMITS}`) }, "Configure");
  await factory.addIssue({ title: "Make it" });
  expect((await factory.pawl("run", "--until-idle")).code).toBe(8);
  await factory.ok("retry", "1");
  expect((await factory.pawl("run", "--until-idle")).code).toBe(8);
  const [name = ""] = readdirSync(factory.root).filter((one) => one.startsWith("prompt-1.2-"));
  const prompt = factory.read(name);
  expect(prompt).toMatch(/^The earlier attempt \(run 1\.1\) ended: blocked: .*no such table/m);
  expect(prompt).toContain("; CI failed in step test.\n");
  expect(prompt).toContain("The last phase it wrote: PHASE:failed.");
  expect(prompt).toContain("one too many");
  expect(prompt).not.toContain("none written yet");
});
