// Mail through the commands a person and an agent type: to an identity, a role and the operator.
import { expect, test } from "vitest";
import type { LetterView, ThreadView } from "../../src/api/mail.ts";
import { sessionFactory } from "../support/sessions.ts";

test("letters reach an agent, a role that comes later and the operator, are answered and acknowledged, and survive a kill", async () => {
  await using factory = await sessionFactory(
    `
pawl mail send operator --subject "HELLO from $PAWL_NAME" --body "Which port?" --priority high
pawl mail send mallory --subject "To an unknown address"
cp "$(message notice)" "$SEEN/notice-$PAWL_NAME"
cp "$(message mail)" "$SEEN/mail-$PAWL_NAME"
id=$(sed -n 's/^Mail \\([0-9]*\\) from.*/\\1/p' "$SEEN/mail-$PAWL_NAME")
pawl mail inbox --closed --json > "$SEEN/inbox-$PAWL_NAME"
pawl mail read "$id" > "$SEEN/read-$PAWL_NAME"
pawl mail reply "$id" --body "understood"
phase awaiting_ci
await never
`,
    { parallel: 1 },
  );
  await factory.addIssue({ title: "Write letters" });
  // No agent is there yet: they wait, and the command says so.
  const toRole = await factory.ok("mail", "send", "dev", "--subject", "For the first dev");
  const waiting = JSON.parse(
    await factory.ok("mail", "inbox", "--for", "dev", "--json"),
  ) as LetterView[];
  expect(waiting).toMatchObject([{ id: toRole, status: "waiting" }]);
  const daemon = await factory.daemon();
  const asked = await factory.until("the operator has mail", async () => {
    const inbox = JSON.parse(await factory.ok("mail", "inbox", "--json")) as LetterView[];
    return inbox.find(({ subject }) => subject === "HELLO from 1");
  });
  expect(asked).toMatchObject({ from: "dev-1", priority: "high", status: "waiting" });
  expect(await factory.ok("status")).toContain("dev-1 writes: HELLO from 1");
  daemon.kill("SIGKILL");
  await daemon.ended;
  // Sent while no daemon runs: accepted by the command itself.
  const answer = await factory.ok("mail", "reply", asked.id, "--body", "8081");
  await factory.daemon();
  await factory.until("both were acknowledged", async () => {
    const box = await factory.client.get<LetterView[]>("/v1/mail?for=dev-1&closed=true");
    const role = await factory.client.get<LetterView[]>("/v1/mail?for=dev&closed=true");
    return [...box, ...role].filter(({ status }) => status === "acknowledged").length === 2;
  });
  // The first came before the agent did and was part of its prompt; the second lay in its inbox.
  const shown = [factory.left("prompt-1-1"), factory.left("mail-1")].join("\n");
  expect(shown.match(/For the first dev/g)).toHaveLength(1);
  expect(shown.match(/8081/g)).toHaveLength(1);
  const thread = await factory.client.get<ThreadView>(`/v1/mail/${answer}`);
  expect(thread).toMatchObject({ letter: { thread: asked.id, to: "dev-1" } });
  await factory.until("the agent is told that mallory is not an address", async () =>
    factory.seen("notice-1"),
  );
  expect(factory.left("notice-1")).toContain('"mallory" is not an address');
  await factory.until("the agent's answer is in the thread", async () => {
    const { thread: all } = await factory.client.get<ThreadView>(`/v1/mail/${asked.id}`);
    return all.some(({ body }) => body === "understood");
  });
  // Inside the session: its own letters, from this factory's journal and no other's.
  const own = JSON.parse(factory.left("inbox-1")) as LetterView[];
  expect(own).toMatchObject([{ id: answer, to: "dev-1", body: "8081" }]);
  expect(factory.left("read-1")).toContain("8081");
  await factory.ok("mail", "read", asked.id);
  await factory.ok("mail", "ack", asked.id);
  const closed = JSON.parse(
    await factory.ok("mail", "inbox", "--closed", "--json"),
  ) as LetterView[];
  expect(closed.find(({ id }) => id === asked.id)).toMatchObject({ status: "acknowledged" });
});
