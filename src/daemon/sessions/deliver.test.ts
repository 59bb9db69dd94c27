import { expect, test } from "vitest";
import { oneLine } from "../../lib/one-line.ts";
import type { Agent, Screen } from "../../ports/agent.ts";
import type { SessionFiles, SessionSnapshot } from "../../ports/session-files.ts";
import type { Terminal } from "../../ports/terminal.ts";
import type { Question } from "../../core/session/evidence.ts";
import { deliver, type Delivery } from "./deliver.ts";

const TEXT = "Id: m1\nKind: notice\n\nnews\n";
const DIALOG = "1. Yes 2. No";

type Box = { text: string; pasted: string | undefined };

/** A session whose terminal does with a paste or Enter what `on` says; time passes by itself. */
function session(on: { paste?: (box: Box) => void; enter?: (box: Box) => void }) {
  const box: Box = { text: "", pasted: undefined };
  const calls: string[] = [];
  const files = {
    deliver: async () => "delivered",
    hold: async ({ isSent = false }) => {
      calls.push(isSent ? "held as sent" : "held");
      return "held";
    },
    release: async () => void calls.push("released"),
    read: async () => ({ acknowledged: [] as string[] }) as SessionSnapshot,
  } as unknown as SessionFiles;
  const terminal = {
    capture: async () => ({ ...box }),
    type: async ({ as, mark }: { as: string; mark?: string }) => {
      calls.push(as);
      if (as === "paste") box.pasted = mark;
      if (as === "paste") on.paste?.(box);
      else on.enter?.(box);
      return "typed";
    },
  } as unknown as Terminal;
  const time = { now: 0 };
  const clock = {
    now: () => time.now,
    after: (durationMs: number, run: () => void) => {
      time.now += durationMs;
      queueMicrotask(run);
      return { cancel: () => undefined };
    },
  };
  const place = { pane: "%1", process: { pid: 1, startTime: "1" } };
  const send = (given: Partial<Delivery> = {}): Promise<unknown> =>
    deliver(
      {
        agent: agent as Agent,
        dir: { path: "/runs/1.1/1" },
        id: "m1",
        text: TEXT,
        place: async () => place,
        isReported: async () => true,
        asks: async () => undefined,
        ...given,
      },
      { terminal, sessionFiles: files, clock, signal: new AbortController().signal },
    );
  return { box, calls, send };
}

const agent: Partial<Agent> = {
  confirms: true,
  readScreen: (text): Screen =>
    text === ""
      ? { kind: "free" }
      : text === DIALOG
        ? { kind: "dialog", choices: ["Yes", "No"] }
        : { kind: "half-typed", line: text },
  showsPaste: ({ line, text }) => line === oneLine(text),
};

test("a message whose paste never came joins the next prompt as mail", async () => {
  const { calls, send } = session({});
  await expect(send()).rejects.toMatchObject({ code: "message-unconfirmed" });
  expect(calls.at(-1)).toBe("released");
  expect(calls.filter((call) => call === "released")).toHaveLength(1);
});

test("a message that a dialog came before joins the next prompt as mail", async () => {
  const { calls, send } = session({ paste: (box) => (box.text = DIALOG) });
  await expect(send()).rejects.toMatchObject({ code: "terminal-occupied" });
  expect(calls).toEqual(["held", "paste", "released"]);
});

test("a message that was not pasted because of a person's line is mail", async () => {
  const { box, calls, send } = session({});
  box.text = "a line of a person";
  await expect(send()).rejects.toMatchObject({ code: "terminal-occupied" });
  expect(calls).toEqual(["released"]);
});

test("a message that may still lie in the prompt box is no mail", async () => {
  const { calls, send } = session({ paste: (box) => (box.text = "[a new kind of placeholder]") });
  await expect(send()).rejects.toMatchObject({ code: "terminal-occupied" });
  expect(calls).toEqual(["held", "paste"]);
});

test("a message is noted as sent before Enter: the agent may have it without saying so", async () => {
  const { calls, send } = session({
    paste: (box) => (box.text = oneLine(TEXT)),
    enter: (box) => (box.text = ""),
  });
  await expect(send()).rejects.toMatchObject({ code: "message-unconfirmed" });
  expect(calls.slice(0, 4)).toEqual(["held", "paste", "held as sent", "enter"]);
});

const ANSWER = "Id: m1\nKind: answer\n\nann answers:\n\nYes\n\nContinue the work.\n";
const ASKED: Question = { id: "q1", text: "Run the tests?", choices: ["Yes", "No"] };

function atDialog(): ReturnType<typeof session> {
  const made = session({});
  made.box.text = DIALOG;
  return made;
}

test("an answer is the key of the dialog that it is for", async () => {
  const { calls, send } = atDialog();
  expect(await send({ text: ANSWER, question: ASKED })).toBe("answered");
  expect(calls).toEqual(["key"]);
});

test("an answer of an earlier version is the key of the dialog that is open", async () => {
  const { calls, send } = atDialog();
  const other = { ...ASKED, id: "q2" };
  expect(await send({ text: ANSWER, asks: async () => other })).toBe("answered");
  expect(calls).toEqual(["key"]);
});

test("an answer to a question that another one came after is mail, and keeps nothing back", async () => {
  const { calls, send } = atDialog();
  const asks = async (): Promise<Question> => ({ ...ASKED, id: "q2", text: "Delete all?" });
  expect(await send({ text: ANSWER, question: ASKED, asks })).toBe("left");
  expect(calls).toEqual([]);
});

test.each<[string, Partial<Delivery>]>([
  ["no dialog", { question: "none" }],
  ["one with other choices", { question: { ...ASKED, choices: ["Yes", "Later"] } }],
  [
    "one whose words are not on the screen",
    { question: ASKED, agent: { ...(agent as Agent), showsQuestion: () => false } },
  ],
])("an answer to %s presses no key of the dialog that is open", async (_, given) => {
  const { calls, send } = atDialog();
  const sent = send({ text: ANSWER, ...given });
  await expect(sent).rejects.toMatchObject({ code: "terminal-occupied" });
  expect(calls).toEqual(["released"]);
});
