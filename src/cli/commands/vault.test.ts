import { expect, test } from "vitest";
import { ago, pawl, pawlOnTty } from "../../../test/support/pawl-cli.ts";
import type { VaultView } from "../../api/vault.ts";

const HASH = "ab".repeat(32);
const ITEM: VaultView = {
  id: "v-1",
  project: "toy",
  what: "Tell the world",
  type: "webhook",
  risk: "high",
  reversible: false,
  status: "waiting",
  needs_you: true,
  by: "dev-1",
  run: "1.1",
  issue: 1,
  requested_at: ago(5),
  deadline: ago(-60),
  sha256: HASH,
  payload: { kind: "webhook", endpoint: "https://example.org" },
  log: [{ at: ago(5), text: "requested by dev-1: Tell the world" }],
};

test("the list is a table for people and tab-separated for pipes", async () => {
  const answers = { "GET /v1/vault": [ITEM, { ...ITEM, id: "v-2", status: "fired" }] };
  const piped = await pawl(["vault", "list", "--status", "waiting"], { answers });
  expect(piped.stdout).toBe(`v-1\twaiting\twebhook\thigh\tdev-1\t${ago(5)}\tTell the world\n`);
  const shown = await pawlOnTty(["vault", "list"], { answers });
  expect(shown.stdout).toMatch(/id +status +type +risk/i);
  const empty = await pawl(["vault", "list"], { answers: { "GET /v1/vault": [] } });
  expect(empty).toMatchObject({ code: 0, stdout: "", stderr: "the vault is empty\n" });
});

test("an item is shown with its whole payload, its hash, and how to decide", async () => {
  const answers = { "GET /v1/vault/v-1": ITEM };
  const { stdout, stderr } = await pawlOnTty(["vault", "show", "v-1"], { answers });
  expect(stdout).toContain('"endpoint": "https://example.org"');
  expect(stdout).toContain(HASH);
  expect(stderr).toContain("pawl vault approve v-1");
});

test("approving is bound to the payload that is there, or to the one that was read", async () => {
  const answers = {
    "GET /v1/vault/v-1": ITEM,
    "POST /v1/vault/v-1/approve": { ...ITEM, status: "firing" },
  };
  const plain = await pawl(["vault", "approve", "v-1"], { answers });
  expect(plain.calls.at(-1)).toEqual(["POST /v1/vault/v-1/approve", { by: "ada", hash: HASH }]);
  expect(plain.stderr).toBe("approved v-1: Tell the world (sha256 abababababab)\n");
  const named = await pawl(["vault", "approve", "v-1", "--hash", "abababab"], { answers });
  expect(named.calls).toEqual([["POST /v1/vault/v-1/approve", { by: "ada", hash: "abababab" }]]);
});

test("who looked says whether it happened, and must say which", async () => {
  const unsure = { ...ITEM, status: "unsure" };
  const answers = {
    "GET /v1/vault/v-1": unsure,
    "POST /v1/vault/v-1/confirm": { ...ITEM, status: "fired" },
  };
  const shown = await pawlOnTty(["vault", "show", "v-1"], { answers });
  expect(shown.stderr).toContain("pawl vault confirm v-1 --happened");
  const done = await pawl(["vault", "confirm", "v-1", "--happened", "--note", "seen"], { answers });
  const word = { by: "ada", happened: true, note: "seen" };
  expect(done.calls).toEqual([["POST /v1/vault/v-1/confirm", word]]);
  expect(done.stderr).toBe("v-1 is fired: Tell the world\n");
  for (const both of [[], ["--happened", "--did-not"]]) {
    const unclear = await pawl(["vault", "confirm", "v-1", ...both], { answers });
    expect(unclear).toMatchObject({ code: 2, calls: [] });
  }
});

test.each(["approve", "reject", "confirm"])(
  "an agent cannot %s: nothing is asked of the daemon",
  async (verb) => {
    for (const name of ["PAWL_SPOOL", "PAWL_RUN", "PAWL_PHASE_FILE"]) {
      const result = await pawl(["vault", verb, "v-1"], { env: { [name]: "/x" } });
      expect(result).toMatchObject({ code: 4, calls: [] });
      expect(result.stderr).toContain(`\`pawl vault ${verb}\` is not allowed inside a session`);
    }
  },
);

test("rejecting sends the reason", async () => {
  const answers = { "POST /v1/vault/v-1/reject": { ...ITEM, status: "rejected" } };
  const { calls } = await pawl(["vault", "reject", "v-1", "--reason", "no"], { answers });
  expect(calls).toEqual([["POST /v1/vault/v-1/reject", { by: "ada", reason: "no" }]]);
});

test("the log of all items is one story, oldest first", async () => {
  const later = { ...ITEM, id: "v-0", log: [{ at: ago(1), text: "approved by ada" }] };
  const { stdout } = await pawl(["vault", "log"], { answers: { "GET /v1/vault": [later, ITEM] } });
  expect(stdout.split("\n").map((line) => line.split("\t")[1])).toEqual(["v-1", "v-0", undefined]);
});

const asked = (args: string[], env: Record<string, string> = {}) =>
  pawl(["vault", "request", "--what", "It", "--id", "v-9", ...args], {
    answers: { "POST /v1/vault": ITEM },
    env,
    files: { "news.json": "{}" },
  });

test("each kind is asked for with its own words, and exactly one of them", async () => {
  const action = async (...args: string[]): Promise<unknown> => {
    const { calls, stderr } = await asked(args);
    const body = calls[0]?.[1] as { action?: unknown } | undefined;
    return body?.action ?? stderr;
  };
  expect(
    await action("--webhook", "https://e.org", "--header", "A: b:c", "--body-file", "news.json"),
  ).toEqual({
    kind: "webhook",
    endpoint: "https://e.org",
    method: "POST",
    headers: { A: "b:c" },
    body: "{}",
  });
  expect(await action("--env", "T={{secret:X}}", "--command", "--", "sh", "-c", "exit 0")).toEqual({
    kind: "command",
    argv: ["sh", "-c", "exit 0"],
    env: { T: "{{secret:X}}" },
    input: "",
  });
  expect(await action("--forge", "label", "--issue", "7", "--label", "a")).toEqual({
    kind: "forge",
    issue: 7,
    act: { kind: "label", add: ["a"], remove: [] },
  });
  expect(await action("--type", "blog-post", "--body", "x", "--secret", "T")).toEqual({
    kind: "program",
    type: "blog-post",
    payload: "x",
    secrets: ["T"],
  });
  expect(await action()).toContain("say what to do");
  expect(await action("--command")).toContain("--command needs a program");
  expect(await action("--forge", "close")).toContain("--forge needs --issue");
  expect(await action("--command", "--type", "x", "--", "y")).toContain("say what to do");
});

test("inside a session it goes to the spool, and the command returns at once", async () => {
  const { calls, written, stdout } = await asked(["--webhook", "https://e.org"], {
    PAWL_SPOOL: "/spool",
  });
  expect(calls).toEqual([]);
  expect(stdout).toBe("v-9\n");
  const [text = "{}"] = Object.values(written);
  expect(JSON.parse(text)).toMatchObject({
    v: 1,
    kind: "vault",
    id: "v-9",
    what: "It",
    action: { kind: "webhook" },
  });
});
