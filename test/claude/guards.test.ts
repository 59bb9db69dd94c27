// What Claude Code may and may not do. Nothing here looks at the text of a command (defect 26: any
// quote defeats that): rules are checked on parsed input, and what must not happen has no way to.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startClaude } from "../support/claude-life.ts";
import {
  COMMIT,
  conversationOf,
  makeClaudeFactory,
  noClaude,
  workToIdle,
} from "../support/claude.ts";

test.skipIf(noClaude)(
  "a file outside the workspace is refused, and the model is told why",
  async () => {
    await using claude = await startClaude({ prompt: "wait" });
    const outside = join(tmpdir(), `pawl-outside-${process.pid}.txt`);
    const inside = join(claude.workspace, "inside.txt");
    const write = (path: string): string =>
      `[[tool: Write ${JSON.stringify({ file_path: path, content: "x" })}]]`;
    await claude.until("a stop", async () => (await claude.payloads("Stop")).length > 0);
    await claude.send("m1", `Id: m1\nKind: notice\n\n${write(inside)} ${write(outside)}\n`);
    await claude.until("both calls", async () => {
      const text = conversationOf(claude.stub.requests.at(-1));
      return text.includes("Permission to use Write has been denied");
    });
    expect(existsSync(inside)).toBe(true);
    expect(existsSync(outside)).toBe(false);
  },
);

test.skipIf(noClaude)(
  "Pawl's own files are refused even where everything is allowed, and the model is told why",
  async () => {
    await using claude = await startClaude({
      prompt: "wait",
      claude: { permissionMode: "bypassPermissions" },
    });
    const own = join(claude.world.root, "pawl.db");
    const inside = join(claude.workspace, "inside.txt");
    const write = (path: string): string =>
      `[[tool: Write ${JSON.stringify({ file_path: path, content: `"file_path":"${inside}"` })}]]`;
    await claude.until("a stop", async () => (await claude.payloads("Stop")).length > 0);
    await claude.send("m1", `Id: m1\nKind: notice\n\n${write(inside)} ${write(own)}\n`);
    await claude.until("the model hears of it", async () =>
      conversationOf(claude.stub.requests.at(-1)).includes(
        `Pawl refuses this: ${own} belongs to the factory that runs you`,
      ),
    );
    expect(existsSync(inside)).toBe(true);
    expect(existsSync(own)).toBe(false);
  },
);

test.skipIf(noClaude)("no spelling of a push moves the target", async () => {
  await using factory = await makeClaudeFactory();
  const before = factory.git("rev-parse", "main");
  const hub = join(factory.home, "projects", factory.project, "hub.git");
  const pushes = [
    "git push origin HEAD:main",
    `g"i"t 'pu'sh -f origin HEAD:refs/heads/main`,
    `$(printf 'g%s' it) -c protocol.file.allow=always push origin HEAD:main`,
  ];
  await factory.addIssue({
    title: "Disobey",
    body: `${pushes.map((push) => `[[bash: git commit -q --allow-empty -m evil; ${push}; true]]`).join(" ")} [[bash: printf 'PHASE:failed\\nReason: tried\\n' > "$PAWL_PHASE_FILE"]]`,
  });
  await workToIdle(factory);
  expect(factory.git("rev-parse", "main")).toBe(before);
  expect(
    factory.gitIn(hub, "for-each-ref", "--format=%(subject)", "refs/heads/main"),
  ).not.toContain("evil");
});

test.skipIf(noClaude)(
  "the user's own settings and the project's are left as they are",
  async () => {
    const own = '{"env":{"MINE":"1"}}';
    await using factory = await makeClaudeFactory({ files: { ".claude/settings.json": own } });
    const home = join(factory.env["HOME"] ?? "", ".claude");
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, "settings.json"), own);
    await factory.addIssue({ title: "Work", body: `[[bash: echo $MINE > mine.txt && ${COMMIT}]]` });
    await workToIdle(factory);
    expect(readFileSync(join(home, "settings.json"), "utf8")).toBe(own);
    expect(factory.git("show", "main:.claude/settings.json")).toBe(own);
    expect(factory.git("diff", "--stat", "HEAD~1", "HEAD", "--", ".claude")).toBe("");
    expect(readdirSync(home)).not.toContain("settings.local.json");
    // The user's own settings are in force: only what Pawl needs is added.
    expect(factory.git("show", "main:mine.txt")).toBe("1");
  },
);

test.skipIf(noClaude)("skipping permissions is a choice that is warned about", async () => {
  await using factory = await makeClaudeFactory({
    claude: 'permission_mode = "bypassPermissions"\n',
  });
  const issue = await factory.addIssue({
    title: "Do anything",
    body: `[[bash: echo any > any.txt && ${COMMIT}]]`,
  });
  await workToIdle(factory);
  const run = await factory.runOf(issue);
  expect(run.outcome).toBe("landed");
  expect(JSON.stringify(run.warnings)).toContain("skips all permissions");
});
