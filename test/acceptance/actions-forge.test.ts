// Operations on a forge: what their agents ask is asked and answered on their issue, and one whose
// record was lost is not carried out a second time by itself.
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeForgeFactory } from "../support/forge-factory.ts";
import { shellAgent } from "../support/pawl.ts";

const AGENT = `
if grep -q 'never ends' "$PAWL_PROMPT_FILE"; then while :; do sleep 0.1; done; fi
printf 'PHASE:escalate\\nReason: which colour?\\n' > "$PAWL_PHASE_FILE"
while :; do
  for message in "$PAWL_INBOX"/new/*.md; do
    [ -e "$message" ] || continue
    cp "$message" "$PAWL_RESULT_FILE" && mv "$message" "$PAWL_INBOX/cur/"
    echo PHASE:done > "$PAWL_PHASE_FILE"
  done
  sleep 0.1
done
`;

test("an operation asks on its issue and is answered there; a lost one is left to a person", async () => {
  await using factory = await makeForgeFactory({
    agent: shellAgent(),
    files: { "agent.sh": AGENT },
    forge: 'operators = ["team"]\n',
  });
  const { state } = factory.fake;
  const action = await factory.post("/labels", { name: "action", color: "#000000" });
  const file = async (title: string, body: string): Promise<number> =>
    (await factory.post("/issues", { title, body, labels: [action.id] })).number;
  const [first, second] = [await file("Paint", "Ask first."), await file("Wait", "never ends")];
  const saidOn = (issue: number): string =>
    state.comments
      .filter((one) => one.issue === issue)
      .map(({ body }) => body)
      .join("\n");
  const labels = (issue: number): string =>
    (state.issue(issue)?.labels ?? []).map(({ name }) => name).join();
  await factory.ok("up");
  await factory.register();
  await factory.until("it asks there", async () => saidOn(first).includes("which colour?"));
  await factory.post(`/issues/${first}/comments`, { body: "blue" });
  // Any change that is made through Pawl has it look at once.
  await factory.ok("issue", "comment", String(second), "--body", "Noted.");
  await factory.until("it is done", async () => state.issue(first)?.state === "closed");
  expect(saidOn(first)).toContain("Thank you, @team");
  expect(saidOn(first)).toContain("The action is done.");
  await factory.until("the other is under way", async () => labels(second).includes("in-progress"));

  await factory.ok("down", "--kill-agents");
  for (const name of readdirSync(factory.home)) {
    if (name.startsWith("pawl.db")) rmSync(join(factory.home, name));
  }
  await factory.ok("up");
  await factory.until("it is left to a person", async () => {
    await factory.ok("patrol", "run", "deacon");
    return labels(second) === "action,blocked";
  });
  expect(saidOn(second)).toContain("It is unknown how far this operation got");
  expect((await factory.status()).runs).toEqual([]);
});
