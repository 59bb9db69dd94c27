// The vault's hands with real programs and connections: what an outcome proves, and that secrets are
// in nothing but what they were meant for.
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createFiring } from "../../src/adapters/vault-firing/vault-firing.ts";
import type { FiringRequest } from "../../src/ports/firing.ts";
import { startReceiver } from "../support/receiver.ts";

const folder = mkdtempSync(join(tmpdir(), "pawl-vault-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SECRETS: Record<string, string> = { TOKEN: "s3cret", EMPTY: "" };
const firing = createFiring({
  secret: async (name) => SECRETS[name],
  environment: { PATH: process.env["PATH"] ?? "/usr/bin:/bin" },
});

const carry = (action: FiringRequest["action"], secrets = ["TOKEN", "EMPTY", "MISSING"]) =>
  firing.carryOut({ key: "pawl-toy-v1", folder: join(folder, "v1"), secrets, action });

const command = (script: string, env: Record<string, string> = {}): FiringRequest["action"] => ({
  kind: "command",
  argv: ["sh", "-c", script],
  env,
  input: "in: {{secret:TOKEN}}",
});

test("secrets reach the receiver, and no outcome", async () => {
  await using receiver = await startReceiver((path) => (path.startsWith("/no") ? 403 : 200));
  const webhook = (path: string): FiringRequest["action"] => ({
    kind: "webhook",
    endpoint: `${receiver.url}${path}?t={{secret:TOKEN}}`,
    method: "PUT",
    headers: { Authorization: "Bearer {{secret:TOKEN}}", "Content-Type": "text/plain" },
    body: "hello {{secret:TOKEN}}",
  });
  expect(await carry(webhook("/yes"))).toEqual({ kind: "done", detail: "answered 200" });
  expect(receiver.received[0]).toMatchObject({
    method: "PUT",
    path: "/yes?t=s3cret",
    text: "hello s3cret",
    headers: {
      authorization: "Bearer s3cret",
      "content-type": "text/plain",
      "idempotency-key": "pawl-toy-v1",
    },
  });
  // Received and refused: it cannot be called unsent.
  expect(await carry(webhook("/no"))).toEqual({ kind: "unknown", why: "answered 403: said 403" });
  const shown = await carry(command('cat; echo "$T"', { T: "{{secret:TOKEN}}" }));
  expect(shown).toEqual({ kind: "done", detail: "in: ******" });
});

test("a secret that is not allowed, not set or empty is found before anything is done", async () => {
  const named = (name: string) => carry(command("exit 0", { X: `{{secret:${name}}}` }));
  expect(await named("MISSING")).toEqual({ kind: "unsent", why: "the secret MISSING is not set" });
  expect((await named("EMPTY")).kind).toBe("unsent");
  const refused = await carry(command("exit 0"), []);
  expect(refused).toEqual({
    kind: "unsent",
    why: "the secret TOKEN is not among [vault] secrets",
  });
});

test("a program that is not there never began; one that failed may have done something", async () => {
  const missing = await carry({ kind: "command", argv: ["/no/such"], env: {}, input: "" });
  expect(missing.kind).toBe("unsent");
  const failed = await carry(command('echo "$T" >&2; exit 3', { T: "{{secret:TOKEN}}" }));
  expect(failed.kind).toBe("unknown");
  expect(JSON.stringify(failed)).toContain("exit code 3");
  expect(JSON.stringify(failed)).not.toContain("s3cret");
});

test("a program of the target gets its payload and its secrets, and leaves nothing behind", async () => {
  const script = '#!/bin/sh\necho "$(cat) $TOKEN $HOME"\n';
  const action = {
    kind: "program",
    type: "post",
    payload: "hi",
    secrets: ["TOKEN"],
    script,
  } as const;
  expect(await carry({ ...action, secrets: ["TOKEN"] })).toEqual({
    kind: "done",
    detail: "hi ***",
  });
  expect(existsSync(join(folder, "v1", "program"))).toBe(false);
  expect(readdirSync(join(folder, "v1"))).toEqual([]);
});

test("where its folder cannot be made or written, as on a full disk, nothing has begun", async () => {
  const began = join(folder, "began");
  const inTheWay = join(folder, "in-the-way");
  writeFileSync(inTheWay, "");
  const script = `#!/bin/sh\ntouch ${began}\n`;
  const actions: FiringRequest["action"][] = [
    { kind: "program", type: "deploy", payload: "", secrets: [], script },
    { kind: "command", argv: ["touch", began], env: {}, input: "" },
  ];
  for (const action of actions) {
    const request = { key: "pawl-toy-v2", folder: join(inTheWay, "v2"), secrets: [], action };
    expect(await firing.carryOut(request)).toMatchObject({
      kind: "unsent",
      why: expect.stringContaining("in-the-way") as string,
    });
  }
  expect(existsSync(began)).toBe(false);
});
