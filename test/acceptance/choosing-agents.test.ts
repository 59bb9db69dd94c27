// Several agents in one project: which one works on what, and which one continues where the first is
// limited or cannot start. Through the commands that a user types, with agents that are scripts.
import { expect, test } from "vitest";
import { sessionFactory } from "../support/sessions.ts";

/** `WHO` is set by the account; the first one begins the work of #1 and meets its limit. */
const AGENT = `
if [ "$PAWL_NAME" = 1 ] && [ "$WHO" = own ]; then
  echo begun > begun.txt && git add -A && git commit -qm "Begin" && echo more > unsaved.txt
  spool '{"v":1,"kind":"limit","until":4102444800,"reason":"the five-hour limit"}'
  while :; do sleep 1; done
fi
echo "$WHO \${MODEL:-}" > "done-$PAWL_NAME" && git add -A && git commit -qm "Work of $WHO" && phase done
`;

const account = (name: string, command = '["sh", "agent.sh"]'): string =>
  `[[agent.account]]\nname = "${name}"\nruntime = "command"\ncommand = ${command}\nenv = { WHO = "${name}" }\n`;

test("the next agent continues what a limited one began, and new work starts with one that is free", async () => {
  const first = AGENT.replaceAll("$WHO", "${WHO:-own}");
  await using factory = await sessionFactory(first, {
    agent: `fallback = ["gone", "second"]\n${account("gone", '["no-such-agent"]')}${account("second")}`,
  });
  await factory.daemon();
  await factory.addIssue({ title: "Begun by the first" });
  await factory.until("it has landed", async () => (await factory.runOf(1)).outcome === "landed");
  // Nothing of the first is lost: neither its commit nor the file it had not committed.
  expect(factory.git("show", "main:begun.txt")).toBe("begun");
  expect(factory.git("show", "main:unsaved.txt")).toBe("more");
  expect(factory.git("show", "main:done-1")).toBe("second");
  const run = await factory.runOf(1);
  expect(run.agent).toBe("second");
  expect(run.warnings).toContain(
    "command cannot continue (the five-hour limit): gone continues in the same workspace",
  );
  expect(run.warnings.join("\n")).toContain('its program "no-such-agent" is not found');
  expect(factory.left("prompt-1-3")).toContain("You are a continuation of");
  const shown = await factory.ok("issue", "show", "1");
  expect(shown).toContain("second continues in the same workspace");
  // The account of the first is limited: the next issue begins with the one that is free.
  const next = await factory.addIssue({ title: "While it is limited" });
  await factory.until(
    "it has landed",
    async () => (await factory.runOf(next)).outcome === "landed",
  );
  expect(factory.git("show", `main:done-${next}`)).toBe("second");
});

test("labels, roles and trusted issues choose an agent, and every command says which and why", async () => {
  const script = AGENT.replaceAll("$WHO", "${WHO:-first}");
  await using factory = await sessionFactory(script, {
    agent: `[[agent.for]]\nlabel = "docs"\naccount = "writer"\nmodel = "small"\n${account("writer")}${account("asked")}`,
  });
  await factory.ok(
    "issue",
    "add",
    "--title",
    "Write a page",
    "--label",
    "backlog",
    "--label",
    "docs",
  );
  await factory.ok(
    "issue",
    "add",
    "--title",
    "Ask for one",
    "--body",
    "---\nagent: asked\n---\nDo it.",
  );
  await factory.ok(
    "issue",
    "add",
    "--title",
    "Ask for none",
    "--body",
    "---\nagent: nobody\n---\nDo it.",
  );
  const plan = await factory.ok("run", "--dry-run");
  expect(plan).toContain("agent for label docs: writer, model small");
  expect(plan).toContain("agent: writer, model small: [[agent.for]] label docs");
  expect(plan).toContain("agent: asked: the issue asks for it");
  expect(await factory.ok("why", "3")).toContain(
    "its front matter asks for agent: nobody, which pawl.toml does not name",
  );
  await factory.ok("run", "--until-idle");
  expect(factory.git("show", "main:done-1")).toBe("writer");
  expect(factory.git("show", "main:done-2")).toBe("asked");
  expect(factory.git("show", "main:done-3")).toBe("first");
  const agents = await factory.agents("?all=true");
  expect(agents.find(({ identity }) => identity === "dev-1")?.agent).toBe("writer");
});

test("pawl agent list and check say which agents there are, and that the built-in one works", async () => {
  await using factory = await sessionFactory("exit 0");
  const listed = JSON.parse(await factory.ok("agent", "list", "--json"));
  expect(listed).toContainEqual(expect.objectContaining({ name: "script", installed: true }));
  expect(listed).toContainEqual(expect.objectContaining({ name: "claude", tested: "2.1.325" }));
  const cases = JSON.parse(await factory.ok("agent", "check", "script", "--stub", "--json"));
  const passed = cases.filter(({ result }: Record<string, string>) => result === "passed");
  expect(passed.map(({ name }: Record<string, string>) => name)).toEqual([
    "start",
    "acknowledged prompt",
    "tool",
    "steer",
    "orphans ended",
  ]);
  expect(cases).toHaveLength(16);
  expect(cases).toContainEqual({
    name: "429",
    result: "left out",
    detail: "the script agent has no account",
  });
  const unknown = await factory.pawl("agent", "check", "nobody");
  expect(unknown.stderr).toContain('cannot check "nobody"');
});
