import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { endedIn, uncertainIn } from "./deliveries.ts";
import {
  NeedsPerson,
  ProgramEnded,
  type Driver,
  type DriverEvent,
  type OpenRequest,
  type TurnEnd,
} from "./driver.ts";
import { Host, type HostOptions } from "./host.ts";
import { EXIT_NOT_RESUMED } from "./open-session.ts";
import { createSpool } from "./spool-writer.ts";
import { Transcript } from "./transcript.ts";

/** A second, as is usual, is too short on a busy machine. */
const seen = <T>(look: () => T | Promise<T>): Promise<T> => vi.waitFor(look, { timeout: 20_000 });

/** A driver whose program does what the test says, when the test says it. */
function fakeDriver(
  options: {
    said?: string[];
    refuses?: string;
    needs?: string;
    dies?: true;
    /** Whether it takes a message during a turn; undefined: it cannot be steered. */
    steers?: boolean;
  } = {},
) {
  const exited = Promise.withResolvers<{ code: number | undefined; reason: string }>();
  const prompts: { text: string; accept: () => void; end: (end: TurnEnd) => void }[] = [];
  const calls: string[] = [];
  const opens: OpenRequest[] = [];
  const driver: Driver = {
    open: async (request) => {
      opens.push(request);
      if (options.dies === true) throw new ProgramEnded("killed");
      if (options.needs !== undefined) throw new NeedsPerson(options.needs);
      if (options.refuses !== undefined) throw new Error(options.refuses);
      return { conversation: request.resume ?? "c1", said: options.said };
    },
    prompt: (text, onAccepted) => {
      const turn = Promise.withResolvers<TurnEnd>();
      prompts.push({ text, accept: onAccepted, end: turn.resolve });
      return turn.promise;
    },
    interrupt: async () => {
      calls.push("interrupt");
      prompts.at(-1)?.end({ kind: "interrupted" });
    },
    answer: async (id, choice) => void calls.push(`answer ${id} ${choice}`),
    close: async () => exited.resolve({ code: 0, reason: "closed" }),
    exited: exited.promise,
    ...(options.steers === undefined
      ? {}
      : {
          steer: async (text: string) => {
            calls.push(`steer ${text.slice(0, 6)}`);
            return options.steers === true;
          },
        }),
  };
  return {
    driver,
    prompts,
    calls,
    opens,
    die: () => exited.resolve({ code: 137, reason: "killed" }),
  };
}

function begin(
  fake: ReturnType<typeof fakeDriver>,
  options: Partial<Pick<HostOptions, "resume" | "silenceMs">> & { prompt?: string } = {},
) {
  const dir = mkdtempSync(join(tmpdir(), "pawl-host-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  for (const name of ["inbox/new", "inbox/cur", "spool/tmp", "spool/new"]) {
    mkdirSync(join(dir, name), { recursive: true });
  }
  writeFileSync(join(dir, "prompt.md"), options.prompt ?? "# dev-1: issue #1\n\nDo it.\n");
  let shown = "";
  const host = new Host({
    dir,
    driver: fake.driver,
    resume: options.resume,
    spool: createSpool(dir),
    transcript: new Transcript((text) => (shown += text)),
    silenceMs: options.silenceMs ?? 60_000,
  });
  const code = host.run();
  onTestFinished(async () => {
    host.leave(0);
    await code;
  });
  const post = (id: string, head: string, body = "text"): void =>
    writeFileSync(join(dir, "inbox/new", `${id}.md`), `Id: ${id}\n${head}\n\n${body}\n`);
  const spool = (): Record<string, unknown>[] =>
    readdirSync(join(dir, "spool/new"))
      .toSorted()
      .map((name) => JSON.parse(readFileSync(join(dir, "spool/new", name), "utf8")));
  const kinds = (): unknown[] =>
    spool().map(({ kind, id }) => (id === undefined ? kind : [kind, id].join(" ")));
  const isTaken = (id: string): boolean => existsSync(join(dir, "inbox/cur", `${id}.md`));
  const event = (said: DriverEvent): void => host.onEvent(said);
  return { dir, host, code, post, spool, kinds, isTaken, event, shown: () => shown };
}

test("a message is acknowledged only when the program has accepted it", async () => {
  const fake = fakeDriver();
  const { post, kinds, isTaken } = begin(fake);
  await seen(() => expect(fake.prompts).toHaveLength(1));
  fake.prompts[0]?.accept();
  fake.prompts[0]?.end({ kind: "ended" });
  await seen(() => expect(kinds()).toEqual(["started", "prompt", "stop"]));
  post("m1", "Kind: ci-failed");
  await seen(() => expect(fake.prompts).toHaveLength(2));
  expect(isTaken("m1")).toBe(false);
  fake.prompts[1]?.accept();
  await seen(() => expect(isTaken("m1")).toBe(true));
  await seen(() => expect(kinds()).toContain("prompt m1"));
});

test("a message that comes during a turn waits for its end, and an urgent one ends it", async () => {
  const fake = fakeDriver();
  const { post } = begin(fake);
  await seen(() => expect(fake.prompts).toHaveLength(1));
  fake.prompts[0]?.accept();
  post("m1", "Kind: notice");
  expect(fake.calls).toEqual([]);
  post("m2", "Kind: hand-off\nUrgent: yes");
  await seen(() => expect(fake.prompts[1]?.text).toContain("Id: m2"));
  expect(fake.calls).toEqual(["interrupt"]);
  fake.prompts[1]?.end({ kind: "ended" });
  await seen(() => expect(fake.prompts[2]?.text).toContain("Id: m1"));
});

test("a program that can be steered gets a message within its turn", async () => {
  const fake = fakeDriver({ steers: true });
  const { post, isTaken, dir } = begin(fake);
  await seen(() => expect(fake.prompts).toHaveLength(1));
  fake.prompts[0]?.accept();
  post("m1", "Kind: notice");
  await seen(() => expect(isTaken("m1")).toBe(true));
  expect(fake.calls).toEqual(["steer Id: m1"]);
  fake.prompts[0]?.end({ kind: "ended" });
  await seen(async () => expect(await uncertainIn(dir)).toEqual([]));
});

test("a question is asked through the spool, and the answer that is one of its choices closes it", async () => {
  const fake = fakeDriver();
  const { post, event, kinds, isTaken, host } = begin(fake);
  await seen(() => expect(fake.prompts).toHaveLength(1));
  event({ kind: "question", id: "q1", text: "May I?", choices: ["Allow", "Reject"] });
  post("m1", "Kind: answer", "op answers:\n\nReject\n\nContinue the work.");
  await seen(() => expect(isTaken("m1")).toBe(true));
  expect(fake.calls).toEqual(["answer q1 1"]);
  await seen(() => expect(kinds()).toEqual(expect.arrayContaining(["question q1", "answered q1"])));
  event({ kind: "question", id: "q2", text: "And that?", choices: ["Allow", "Reject"] });
  host.typed("1");
  await seen(() => expect(fake.calls).toContain("answer q2 0"));
});

test("an answer to a question that another one came after does not answer that one", async () => {
  const fake = fakeDriver();
  const { post, event, isTaken } = begin(fake);
  await seen(() => expect(fake.prompts).toHaveLength(1));
  const choices = ["Allow", "Reject"];
  event({ kind: "question", id: "q1", text: "Read it?", choices });
  event({ kind: "answered", id: "q1" });
  event({ kind: "question", id: "q2", text: "Delete it?", choices });
  post("m1", "Kind: answer\nQuestion: q1", "op answers:\n\nAllow\n\nContinue the work.");
  post("m2", "Kind: answer\nQuestion: q2", "op answers:\n\nReject\n\nContinue the work.");
  await seen(() => expect(isTaken("m2")).toBe(true));
  expect(fake.calls).toEqual(["answer q2 1"]);
  expect(isTaken("m1")).toBe(false);
  fake.prompts[0]?.end({ kind: "ended" });
  await seen(() => expect(fake.prompts[1]?.text).toContain("Question: q1"));
});

test("how a turn ends is told in the words of the spool", async () => {
  const ends: [TurnEnd, Record<string, unknown>][] = [
    [
      { kind: "limited", until: 5_000, reason: "429" },
      { kind: "limit", until: 5_000, reason: "429" },
    ],
    [
      { kind: "failed", reason: "no login" },
      { kind: "help", text: "no login" },
    ],
    [{ kind: "interrupted" }, { kind: "stop", background: 0 }],
  ];
  for (const [end, told] of ends) {
    const fake = fakeDriver();
    const { spool } = begin(fake);
    await seen(() => expect(fake.prompts).toHaveLength(1));
    fake.prompts[0]?.end(end);
    await seen(() => expect(spool().at(-1)).toMatchObject(told));
  }
});

test("what was under way when the program died is uncertain, and the host ends with it", async () => {
  const fake = fakeDriver();
  const { code, dir, post, isTaken } = begin(fake);
  await seen(() => expect(fake.prompts).toHaveLength(1));
  fake.prompts[0]?.end({ kind: "ended" });
  post("m1", "Kind: ci-failed");
  await seen(() => expect(fake.prompts).toHaveLength(2));
  fake.prompts[1]?.accept();
  await seen(() => expect(isTaken("m1")).toBe(true));
  fake.prompts[1]?.end({ kind: "gone" });
  fake.die();
  expect(await code).toBe(137);
  expect(await uncertainIn(dir)).toMatchObject([{ id: "m1", accepted: true }]);
});

test("a conversation that cannot be resumed is never replaced in silence", async () => {
  const fake = fakeDriver({ refuses: "no such session" });
  const { code, spool, dir } = begin(fake, { resume: { conversation: "c9", uncertain: [] } });
  expect(await code).toBe(EXIT_NOT_RESUMED);
  expect(spool()).toMatchObject([
    { kind: "warning", text: expect.stringContaining("cannot be resumed (no such session)") },
  ]);
  expect(fake.prompts).toEqual([]);
  expect(readFileSync(join(dir, "conversation"), "utf8")).toBe("{}\n");
});

test("a model that says nothing is waited for, unless a tool runs", async () => {
  const fake = fakeDriver();
  const { kinds, event } = begin(fake, { silenceMs: 5 });
  await seen(() => expect(fake.prompts).toHaveLength(1));
  await seen(() => expect(kinds()).toContain("waiting"));
  event({
    kind: "tool",
    id: "t1",
    name: "sh",
    title: "sh test.sh",
    status: "begun",
    file: undefined,
  });
  const told = kinds().filter((kind) => kind === "waiting").length;
  event({
    kind: "tool",
    id: "t1",
    name: "sh",
    title: "sh test.sh",
    status: "ended",
    file: undefined,
  });
  await seen(() =>
    expect(kinds().filter((kind) => kind === "waiting").length).toBeGreaterThan(told),
  );
});

test("the pane shows what is said, without control characters, and a person's line is a prompt", async () => {
  const fake = fakeDriver();
  const { event, shown, host } = begin(fake);
  await seen(() => expect(fake.prompts).toHaveLength(1));
  event({ kind: "text", text: "Look\u001b[2J at\nthis" });
  event({
    kind: "tool",
    id: "t1",
    name: "sh",
    title: "git status",
    status: "begun",
    file: undefined,
  });
  expect(shown()).toContain("Look[2J at\r\nthis\r\n⏺ git status\r\n");
  host.typed("What are you doing?");
  fake.prompts[0]?.end({ kind: "ended" });
  await seen(() => expect(fake.prompts[1]?.text).toBe("What are you doing?"));
});

test("once the work has landed the host leaves", async () => {
  const fake = fakeDriver();
  const { code, post, isTaken } = begin(fake);
  await seen(() => expect(fake.prompts).toHaveLength(1));
  fake.prompts[0]?.end({ kind: "ended" });
  post("m1", "Kind: landed");
  expect(await code).toBe(0);
  expect(isTaken("m1")).toBe(true);
});

test("once the work has landed the turn under way may end, and what it used is told", async () => {
  const fake = fakeDriver({ steers: true });
  const close = vi.spyOn(fake.driver, "close");
  const { host, code, post, isTaken, spool, shown } = begin(fake);
  await seen(() => expect(fake.prompts).toHaveLength(1));
  post("m1", "Kind: landed");
  await seen(() => expect(shown()).toContain("landed"));
  post("m2", "Kind: nudge");
  expect(close).not.toHaveBeenCalled();
  host.onEvent({ kind: "usage", tokens: 2000, usd: undefined });
  fake.prompts[0]?.end({ kind: "ended" });
  expect(await code).toBe(0);
  expect(spool()).toContainEqual(expect.objectContaining({ kind: "usage", tokens: 2000 }));
  expect([isTaken("m2"), fake.calls]).toEqual([false, []]);
});

test("once the work has landed no answer to an open question is waited for", async () => {
  const fake = fakeDriver();
  const { host, code, post } = begin(fake);
  await seen(() => expect(fake.prompts).toHaveLength(1));
  host.onEvent({ kind: "question", id: "q1", text: "Which?", choices: ["Red"] });
  post("m1", "Kind: landed");
  expect(await code).toBe(0);
});

test("a program that is killed while it opens has not lost its conversation", async () => {
  const fake = fakeDriver({ dies: true });
  const { code, dir } = begin(fake, { resume: { conversation: "c1", uncertain: [] } });
  expect(await code).toBe(1);
  expect(existsSync(join(dir, "conversation"))).toBe(false);
});

test("messages that a life's own prompt repeats are acknowledged with it", async () => {
  const fake = fakeDriver();
  const prompt =
    "# dev-1\n\n## Messages for you, oldest first\n\n### m7\n\nN.\n\n## More\n\n### Of it\n\n### m8\n";
  const { kinds } = begin(fake, { prompt });
  await seen(() => expect(fake.prompts).toHaveLength(1));
  fake.prompts[0]?.accept();
  await seen(() => expect(kinds()).toEqual(["started", "prompt", "prompt m7", "prompt m8"]));
});

test("an agent that needs a person asks once, and its life ends without a crash", async () => {
  const fake = fakeDriver({ needs: "Gem is not signed in: run `gem`" });
  const { code, spool } = begin(fake);
  expect(await code).toBe(0);
  expect(spool()).toEqual([
    expect.objectContaining({
      kind: "help",
      text: "Gem is not signed in: run `gem`",
      unusable: true,
    }),
  ]);
});

test("a prompt that was refused is not recorded as said, and the next life says it", async () => {
  const fake = fakeDriver();
  const { code, kinds, post, dir } = begin(fake);
  await seen(() => expect(fake.prompts).toHaveLength(1));
  fake.prompts[0]?.accept();
  fake.prompts[0]?.end({ kind: "ended" });
  post("m1", "Kind: ci-failed");
  post("m2", "Kind: notice");
  await seen(() => expect(fake.prompts).toHaveLength(2));
  fake.prompts[1]?.accept();
  fake.prompts[1]?.end({ kind: "refused", reason: "no such session" });
  expect(await code).toBe(0);
  expect(fake.prompts).toHaveLength(2);
  expect(kinds().filter((kind) => kind === "help")).toHaveLength(1);
  expect(await uncertainIn(dir)).toMatchObject([{ id: "m1", accepted: false }]);
});

test("a program that refuses to be steered gets the message with the next turn", async () => {
  const fake = fakeDriver({ steers: false });
  const { post, isTaken } = begin(fake);
  await seen(() => expect(fake.prompts).toHaveLength(1));
  fake.prompts[0]?.accept();
  post("m1", "Kind: notice");
  await seen(() => expect(fake.calls).toContain("steer Id: m1"));
  expect(isTaken("m1")).toBe(false);
  fake.prompts[0]?.end({ kind: "ended" });
  await seen(() => expect(fake.prompts[1]?.text).toContain("Id: m1"));
});

test("the record of a life names its prompt as it was said, without what the conversation held", async () => {
  const told = `# dev-1\n\nGo on.\n\n## Messages for you, oldest first\n\n### m1\n\ntext\n`;
  const uncertain = [{ id: "m1", file: "/1/inbox/cur/m1.md", accepted: false }];
  const fake = fakeDriver({ said: ["Id: m1\nKind: notice\n\ntext"] });
  const { dir } = begin(fake, { resume: { conversation: "c1", uncertain }, prompt: told });
  await seen(() => expect(fake.prompts).toHaveLength(1));
  const [item] = (await uncertainIn(dir)) ?? [];
  expect(readFileSync(item?.file ?? "", "utf8")).toContain("Go on.");
  expect(readFileSync(item?.file ?? "", "utf8")).not.toContain("m1");
});

test("a message that a prompt leaves out because it was said is acknowledged with it: its successor repeated it", async () => {
  const told = `# dev-1\n\nGo on.\n\n## Messages for you, oldest first\n\n### m1\n\ntext\n\n### m2\n\nmore\n`;
  const uncertain = [{ id: "m1", file: "/1/inbox/cur/m1.md", accepted: false }];
  const fake = fakeDriver({ said: ["Id: m1\nKind: notice\n\ntext"] });
  const resume = { conversation: "c1", uncertain, ended: ["m2"] };
  const { kinds } = begin(fake, { resume, prompt: told });
  await seen(() => expect(fake.prompts).toHaveLength(1));
  expect(fake.prompts[0]?.text).not.toMatch(/m[12]/);
  fake.prompts[0]?.accept();
  await seen(() => expect(kinds()).toEqual(["started", "prompt", "prompt m1", "prompt m2"]));
});

test("what a life has found in the conversation is known to the next one, even if it says nothing itself", async () => {
  const told = `# dev-1\n\nGo on.\n\n## Messages for you, oldest first\n\n### m1\n\ntext\n`;
  const uncertain = [{ id: "m1", file: "/1/inbox/cur/m1.md", accepted: false }];
  const fake = fakeDriver({ said: ["Id: m1\nKind: notice\n\ntext"] });
  const { dir } = begin(fake, { resume: { conversation: "c1", uncertain }, prompt: told });
  await seen(async () => expect(await uncertainIn(dir)).toMatchObject([{ id: "prompt" }]));
  expect(await endedIn(dir)).toMatchObject([{ id: "m1" }]);
});
