// Dangerous actions wait in the vault: agents ask, the policy or an operator decides, an approval
// is good for one payload and fires once, and only their receiver sees the secrets.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { VaultView } from "../../src/api/vault.ts";
import { startReceiver } from "../support/receiver.ts";
import { sessionFactory } from "../support/sessions.ts";

/** Asks for two actions, tries to decide by itself, and waits for the operator's letter. */
const AGENT = `
pawl vault request --id release --what "Tell the world" --webhook "$URL/hook" \\
  --header "Authorization: Bearer {{secret:HOOK_TOKEN}}" --body '{"version":"1.2"}' > "$SEEN/asked" 2>&1
pawl vault request --id release --what "Tell the world" --webhook "$URL/evil" --body 'evil' >> "$SEEN/asked" 2>&1
pawl vault approve release > "$SEEN/tried" 2>&1; echo "exit $?" >> "$SEEN/tried"
pawl vault request --id note --what "Leave a note" --forge comment --issue 1 --body "Done by hand" >> "$SEEN/asked" 2>&1
note asked
first=$(message mail) && second=$(message mail) && third=$(message mail) && cat "$first" "$second" "$third" > "$SEEN/letters"
note read
await finish
`;

const VAULT = `
[vault]
secrets = ["HOOK_TOKEN"]
[[vault.policy]]
type = "forge"
risk = "low"
decide = "allow"
[[vault.policy]]
type = "dns-change"
decide = "deny"
`;

type Factory = Awaited<ReturnType<typeof sessionFactory>>;

async function vaultFactory(url: string) {
  const factory = await sessionFactory(`URL=${url}\n${AGENT}`, { more: VAULT });
  factory.env["HOOK_TOKEN"] = "s3cret";
  return factory;
}

const item = async (factory: Factory, id: string): Promise<VaultView> =>
  JSON.parse(await factory.ok("vault", "show", id, "--json")) as VaultView;

const ends = (factory: Factory, id: string, status: string): Promise<VaultView> =>
  factory.until(`${id} is ${status}`, async () => {
    const found = await item(factory, id);
    return found.status === status && found;
  });

test("an agent asks and cannot decide; the operator's approval fires that payload once", async () => {
  await using receiver = await startReceiver();
  await using factory = await vaultFactory(receiver.url);
  await factory.ok("issue", "add", "--title", "Release it");
  await factory.daemon();
  await factory.until("the agent has asked", async () => factory.seen("asked-1-1"));
  expect(factory.left("asked")).toMatch(/^release\n/);
  expect(factory.left("tried")).toContain("not allowed inside a session");
  expect(factory.left("tried")).toContain("exit 4");

  // The policy lets low risks on the forge through.
  await ends(factory, "note", "fired");
  expect(await factory.ok("issue", "show", "1")).toContain("Done by hand");

  // It is undecided: nothing was sent, and the second payload under the same id changed nothing.
  const asked = await ends(factory, "release", "waiting");
  expect(asked).toMatchObject({ risk: "high", by: "dev-1", issue: 1, type: "webhook" });
  expect(JSON.stringify(asked.payload)).toContain("/hook");
  expect(receiver.received).toEqual([]);
  expect((await factory.status()).waits.map(({ about }) => about)).toContain("vault release");
  const wrong = await factory.pawl("vault", "approve", "release", "--hash", "0".repeat(64));
  expect(wrong.stderr).toContain("for another payload");
  expect((await item(factory, "release")).status).toBe("waiting");

  await factory.ok("vault", "approve", "release", "--hash", asked.sha256.slice(0, 12));
  const fired = await ends(factory, "release", "fired");
  const again = await factory.pawl("vault", "approve", "release");
  expect(again.code).toBe(1);
  expect(again.stderr).toContain("it is fired");
  expect(receiver.received).toHaveLength(1);
  expect(receiver.received[0]).toMatchObject({
    method: "POST",
    path: "/hook",
    text: '{"version":"1.2"}',
    headers: {
      authorization: "Bearer s3cret",
      "idempotency-key": `pawl-${factory.project}-release`,
    },
  });
  await factory.until("the agent reads of it", async () => factory.seen("read-1-1"));
  expect(factory.left("letters")).toContain("vault release was carried out");
  expect(factory.left("letters")).toContain("vault release: your request was refused");

  const said = [
    JSON.stringify(fired),
    await factory.ok("vault", "log"),
    readFileSync(join(factory.home, "daemon.log"), "utf8"),
    readFileSync(join(factory.home, "pawl.db"), "latin1"),
  ];
  for (const text of said) expect(text).not.toContain("s3cret");
  expect(await factory.ok("vault", "log", "release")).toMatch(/approved by .*\n.*fired/s);
  factory.allow("finish");
});

test("people ask too: commands, own programs of the target, and what the policy denies", async () => {
  await using receiver = await startReceiver((path) => (path === "/500" ? 500 : 200));
  await using factory = await vaultFactory(receiver.url);
  const program = '#!/bin/sh\ncat > "$HOME/posted"\necho posted\n';
  factory.commit({ "vault/handlers/blog-post": program }, "Add the program");
  await factory.daemon();

  const request = (...args: string[]): Promise<string> => factory.ok("vault", "request", ...args);
  await request("--id", "post", "--what", "Post", "--type", "blog-post", "--body", "hello");
  await factory.ok("vault", "approve", "post");
  expect((await ends(factory, "post", "fired")).log.at(-1)?.text).toContain("posted");
  expect(readFileSync(join(factory.root, "user", "posted"), "utf8")).toBe("hello");

  // An id is used once: neither another payload nor the same one is taken for it again.
  for (const body of ["hello 2", "hello"]) {
    const again = ["--id", "post", "--what", "Post 2", "--type", "blog-post", "--body", body];
    const refused = await factory.pawl("vault", "request", ...again);
    expect([refused.code, refused.stdout]).toEqual([1, ""]);
    expect(refused.stderr).toContain(
      "cannot request post: an earlier request has this id and is fired (Post)",
    );
  }

  // A gate that waits for an item closes with its end.
  await factory.ok("gate", "create", "--type", "vault", "--await-id", "gated");
  const gated = ["--id", "gated", "--what", "Gated", "--webhook", `${receiver.url}/gated`];
  await request(...gated);
  await request(...gated); // the same request, as long as it waits
  expect(await factory.ok("gate", "list")).toContain("gated");
  await factory.ok("vault", "approve", "gated");
  await factory.until("the gate is closed", async () => (await factory.ok("gate", "list")) === "");

  await request("--id", "dns", "--what", "Move", "--type", "dns-change");
  expect((await item(factory, "dns")).status).toBe("denied");

  await request("--id", "run", "--what", "Run", "--command", "--", "sh", "-c", "exit 3");
  await factory.ok("vault", "approve", "run");
  const unsure = await ends(factory, "run", "unsure");
  expect(unsure.needs_you).toBe(true);
  await factory.ok("vault", "reject", "run", "--reason", "looked, it did not");
  expect((await item(factory, "run")).status).toBe("rejected");

  // Received and refused: it may have happened, so that it is not sent again by itself.
  await request("--id", "half", "--what", "Half", "--webhook", `${receiver.url}/500`);
  await factory.ok("vault", "approve", "half");
  await ends(factory, "half", "unsure");
  expect(receiver.received.filter(({ path }) => path === "/500")).toHaveLength(1);

  // An operator who looked confirms it, and its waiters continue; an outcome that is known is not
  // confirmed.
  await factory.ok("gate", "create", "--type", "vault", "--await-id", "half");
  const sure = await factory.pawl("vault", "confirm", "post", "--did-not");
  expect([sure.code, sure.stderr]).toEqual([1, expect.stringContaining("it is fired")]);
  const word = ["--happened", "--reason", "it is in their log"];
  const confirmed = await factory.ok("vault", "confirm", "half", ...word, "--json");
  expect(JSON.parse(confirmed)).toMatchObject({ status: "fired", needs_you: false });
  expect(await factory.ok("gate", "list"), "closed in the same transaction").toBe("");
  await request("--id", "cut", "--what", "Cut", "--webhook", `${receiver.url}/500`);
  await factory.ok("vault", "approve", "cut");
  await ends(factory, "cut", "unsure");

  // No server listens there: provably unsent, and tried again with the same approval.
  await request("--id", "none", "--what", "None", "--webhook", "http://127.0.0.1:9/");
  await factory.ok("vault", "approve", "none");
  await ends(factory, "none", "resting");
  expect((await factory.pawl("vault", "request", "--what", "Nothing")).code).toBe(2);
  const listed = await factory.ok("vault", "list", "--status", "unsure");
  expect(listed.split("\n").map((line) => line.split("\t")[0])).toEqual(["cut"]);
  await factory.ok("vault", "confirm", "cut", "--did-not");
  expect((await item(factory, "cut")).status).toBe("failed");
});

test("without a daemon, an approval that comes too late says so", async () => {
  await using factory = await sessionFactory("", { more: '[vault]\nexpires = "1 s"\n' });
  await factory.ok("up");
  await factory.register();
  await factory.ok("down");
  const ask = ["--id", "late", "--what", "Late", "--type", "blog-post", "--json"];
  const asked = JSON.parse(await factory.ok("vault", "request", ...ask)) as VaultView;
  const deadline = Date.parse(asked.deadline ?? "");
  await factory.until("its time is over", async () => Date.now() > deadline);
  const { code, stderr } = await factory.pawl("vault", "approve", "late");
  expect([code, stderr]).toEqual([1, expect.stringContaining("it is expired")]);
  expect(stderr).not.toContain("approved");
  expect((await item(factory, "late")).status).toBe("expired");
});
