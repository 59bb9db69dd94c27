import { expect, test } from "vitest";
import { ago, pawl, pawlOnTty } from "../../../test/support/pawl-cli.ts";

const LETTER = {
  id: "3",
  project: "toy",
  thread: "3",
  from: "dev-4",
  to: "operator",
  subject: "Which port?",
  body: "8080 is taken.",
  priority: "high",
  at: ago(5),
  status: "waiting",
  detail: "",
};
const SESSION = { PAWL_ROLE: "dev", PAWL_NAME: "4", PAWL_SPOOL: "/s" };

test("the inbox is the operator's, or the agent's own inside a session", async () => {
  const answers = {
    "GET /v1/mail?for=operator": [LETTER],
    "GET /v1/mail?for=dev-4&closed=true": [],
  };
  const people = await pawlOnTty(["mail", "inbox"], { answers });
  expect(people.stdout).toMatchInlineSnapshot(`
    "MAIL  PRIORITY  STATUS   FROM   SUBJECT      AT         PROJECT
    3     high      waiting  dev-4  Which port?  5 min ago  toy
    "
  `);
  const agent = await pawl(["mail", "inbox", "--closed"], { answers, env: SESSION });
  expect(agent).toMatchObject({ code: 0, stdout: "", stderr: "no mail\n" });
});

test("reading shows the letter with its thread, and says so to who wrote", async () => {
  const thread = { letter: LETTER, thread: [{ ...LETTER, id: "2", body: "Earlier." }] };
  const answers = { "GET /v1/mail/3": thread, "POST /v1/mail/3/read": thread };
  const { stdout, calls } = await pawl(["mail", "read", "3"], { answers });
  expect(stdout).toContain("title:\tWhich port?");
  expect(stdout).toContain("8080 is taken.");
  expect(stdout).toContain("Earlier.");
  expect(calls[1]).toEqual(["POST /v1/mail/3/read", { by: "ada" }]);
  const json = await pawl(["mail", "read", "3", "--json"], { answers });
  expect(JSON.parse(json.stdout)).toEqual(thread);
});

test("a person's letter goes to the daemon, and its number is the result", async () => {
  const answers = { "POST /v1/mail": { ...LETTER, to: "dev-4", id: "9" } };
  const args = ["mail", "send", "dev-4", "--subject", "Stop", "--priority", "urgent"];
  const { stdout, calls, stderr } = await pawl([...args, "--body", "now"], { answers });
  expect(stdout).toBe("9\n");
  expect(stderr).toContain("sent 9 to dev-4");
  expect(calls[0]?.[1]).toEqual({
    to: "dev-4",
    subject: "Stop",
    body: "now",
    priority: "urgent",
    by: "ada",
    key: "cli key-1",
  });
});

test("an agent's letters and acknowledgements go into its spool, whether a daemon runs or not", async () => {
  const sent = await pawl(["mail", "send", "operator", "--subject", "Hi", "--body-file", "x.md"], {
    env: SESSION,
    files: { "x.md": "text" },
    daemonRuns: false,
  });
  expect(sent.calls).toEqual([]);
  expect(JSON.parse(Object.values(sent.written)[0] ?? "")).toMatchObject({
    v: 1,
    kind: "mail",
    to: "operator",
    subject: "Hi",
    body: "text",
    priority: "normal",
  });
  const answer = await pawl(["mail", "reply", "3", "--body", "yes"], { env: SESSION });
  expect(JSON.parse(Object.values(answer.written)[0] ?? "")).toMatchObject({
    kind: "mail",
    reply_to: "3",
    subject: "Re: mail 3",
  });
  const acked = await pawl(["mail", "ack", "3"], { env: SESSION });
  expect(JSON.parse(Object.values(acked.written)[0] ?? "")).toMatchObject({
    kind: "mail-ack",
    id: "3",
  });
});

test("what cannot be sent is refused before anything is asked", async () => {
  const wrong = await pawl(["mail", "send", "dev", "--subject", "x", "--priority", "asap"]);
  expect(wrong).toMatchObject({ code: 2, calls: [] });
  expect(wrong.stderr).toContain("low, normal, high, urgent");
  const empty = await pawl(["mail", "reply", "3"]);
  expect(empty).toMatchObject({ code: 2, calls: [] });
});
