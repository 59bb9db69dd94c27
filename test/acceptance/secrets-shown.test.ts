// An agent reads a secret that no one has used yet, as every program of the same account can, and
// says it wherever it can. None of what Pawl shows or keeps in its own log repeats it.
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sessionFactory } from "../support/sessions.ts";

const SECRET = 'dk-9f8e7d6c5b4a39281706"\\x';
const TOKEN = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;

const AGENT = `
key=$(cat "$PAWL_HOME/.env"); key=\${key#DEPLOY_KEY=}
echo "on the terminal: $key ${TOKEN} end"
json=$(printf '%s' "$key" | sed 's/[\\\\"]/\\\\&/g')
spool "{\\"v\\":1,\\"kind\\":\\"hook\\",\\"summary\\":\\"key $json\\"}"
spool "{\\"v\\":1,\\"kind\\":\\"help\\",\\"text\\":\\"key $json\\"}"
spool "not json at all $key"
echo "$key" > leak.txt && git add -A && git commit -qm "has $key"
printf 'PHASE:escalate\\nReason: what about %s and ${TOKEN}?\\n' "$key" > "$PAWL_PHASE_FILE"
note told
await finish
`;

test("a secret that was never used is shown nowhere", async () => {
  await using factory = await sessionFactory(AGENT, {
    more: '[vault]\nsecrets = ["DEPLOY_KEY"]\n',
  });
  writeFileSync(join(factory.home, ".env"), `DEPLOY_KEY=${SECRET}\n`, { mode: 0o600 });
  await factory.ok("issue", "add", "--title", "Leak it");
  const daemon = await factory.daemon();
  await factory.until("it asks", async () => (await factory.status()).waits.length > 0);
  await factory.until("its hook is known", async () =>
    (await factory.ok("hook", "show", "1", "--json")).includes("[redacted]"),
  );
  const commands = [
    ["status"],
    ["status", "--json"],
    ["why", "1"],
    ["agents", "--json"],
    ["escalation", "list", "--json"],
    ["escalation", "show", "1", "--json"],
    ["escalation", "show", "1"],
    ["hook", "show", "1", "--json"],
    ["signals", "--json"],
    ["logs", "1"],
    ["logs", "1", "--json"],
    ["issue", "show", "1", "--json"],
    ["diff", "1"],
  ];
  const shown = async (): Promise<void> => {
    for (const argv of commands) {
      const { code, stdout, stderr } = await factory.pawl(...argv);
      expect([argv, code]).toEqual([argv, 0]);
      expectClean(argv.join(" "), stdout + stderr);
    }
  };
  await shown();
  expect(await factory.ok("logs", "1")).toContain("on the terminal: [redacted] [redacted] end");
  expect(await factory.ok("status")).toContain("what about [redacted] and [redacted]?");
  const kept = globSync(join(factory.projectDir, "state/**/*.json")).concat(
    join(factory.home, "daemon.log"),
  );
  expect(kept.length).toBeGreaterThan(2);
  for (const file of kept) expectClean(file, readFileSync(file, "utf8"));

  // The same without a daemon, which answers from the journal.
  daemon.kill("SIGTERM");
  await daemon.ended;
  await shown();
});

function expectClean(where: string, text: string): void {
  expect([where, text.includes("9f8e7d6c5b4a"), text.includes(TOKEN)]).toEqual([
    where,
    false,
    false,
  ]);
}
