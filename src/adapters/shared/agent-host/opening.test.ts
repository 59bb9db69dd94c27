import { expect, test } from "vitest";
import { composePrompt } from "../../../core/words/prompt.ts";
import { testRun } from "../../../../test/support/run.ts";
import { composeOpening, messagesIn, withoutMessage } from "./opening.ts";

const MESSAGE = "Id: m2\nKind: ci-failed\n\nCI failed.\n";
const PROMPT = "# dev-1: issue #1, epoch 2\n\nThis conversation continues.";
const TOLD = `${PROMPT}\n\n## Messages for you, oldest first\n\n### m2\n\nCI failed.\n\n### m3\n\nMore.\n`;
const own = (text: string) => ({ text, file: "/2/prompt.md" });
const uncertain = (accepted: boolean) => [
  { id: "m2", file: "/1/inbox/cur/m2.md", accepted, text: MESSAGE },
];

test("a message that the conversation lacks is said again, once", () => {
  const opening = composeOpening({
    prompt: own(PROMPT),
    ended: [],
    uncertain: uncertain(true),
    said: ["# dev-1"],
  });
  expect(opening.text).toBe(`${MESSAGE.trimEnd()}\n\n${PROMPT}`);
  expect(opening.items.map(({ id }) => id)).toEqual(["m2", "prompt"]);
  const told = composeOpening({
    prompt: own(TOLD),
    ended: [],
    uncertain: uncertain(false),
    said: [],
  });
  expect(told.text).toBe(TOLD);
});

test("a message that the conversation holds is not said again", () => {
  const said = ["# dev-1", "Id: m2\nKind: ci-failed\n\nCI failed."];
  const opening = composeOpening({
    prompt: own(TOLD),
    ended: [],
    uncertain: uncertain(false),
    said,
  });
  expect(opening.text).not.toContain("m2");
  expect(opening.text).toContain("### m3\n\nMore.");
  const one = `${PROMPT}\n\n## Messages for you, oldest first\n\n### m2\n\nCI failed.\n`;
  const alone = composeOpening({ prompt: own(one), ended: [], uncertain: uncertain(false), said });
  expect(alone.text).not.toContain("Messages for you");
});

test("m2 is not found in what was said about m21", () => {
  const said = ["Id: m21\nKind: ci-failed\n\nCI failed otherwise."];
  const opening = composeOpening({
    prompt: own(PROMPT),
    ended: [],
    uncertain: uncertain(true),
    said,
  });
  expect(opening.text).toContain("Id: m2\n");
});

test("where the conversation cannot be read, the program's word that it has a message counts", () => {
  const taken = composeOpening({
    prompt: own(TOLD),
    ended: [],
    uncertain: uncertain(true),
    said: undefined,
  });
  expect(taken.text).not.toContain("m2");
  const sent = composeOpening({
    prompt: own(TOLD),
    ended: [],
    uncertain: uncertain(false),
    said: undefined,
  });
  expect(sent.text).toContain("### m2");
});

test("a life whose first prompt never arrived gets it from its successor", () => {
  const first = {
    id: "prompt",
    file: "/1/prompt.md",
    accepted: true,
    text: "# dev-1: issue #1\n\nDo it.",
  };
  const opening = composeOpening({ prompt: own(PROMPT), ended: [], uncertain: [first], said: [] });
  expect(opening.text).toBe(`${first.text}\n\n${PROMPT}`);
  expect(opening.items).toEqual([
    { id: "/1/prompt.md", file: "/1/prompt.md" },
    { id: "prompt", file: "/2/prompt.md" },
  ]);
});

test("the prompt of a life that follows repeats nothing that an earlier, unsaid prompt says", () => {
  const file = "/2/opening.md";
  const before = { id: file, file, accepted: false, text: TOLD };
  const opening = composeOpening({ prompt: own(TOLD), ended: [], uncertain: [before], said: [] });
  expect(opening.text.split("### m2")).toHaveLength(2);
  expect(opening.text.split("### m3")).toHaveLength(2);
});

test("what is left of a prompt is told apart from what is said before it", () => {
  const said = ["Id: m2\nKind: ci-failed\n\nCI failed."];
  const lost = { id: "m4", file: "/1/inbox/cur/m4.md", accepted: false, text: "Id: m4\n\nFour." };
  const both = [...uncertain(false), lost];
  const opening = composeOpening({ prompt: own(TOLD), ended: [], uncertain: both, said });
  expect(opening.own).not.toContain("m2");
  expect(opening.own).not.toContain("Four");
  expect(opening.text).toBe(`Id: m4\n\nFour.\n\n${opening.own}`);
});

test("what the life before has said for certain is not said again, though the daemon has not heard of it", () => {
  const opening = composeOpening({
    prompt: own(TOLD),
    ended: ["m2"],
    uncertain: [],
    said: undefined,
  });
  expect(opening.text).not.toContain("### m2");
  expect(opening.text).toContain("### m3");
});

const REVIEW =
  "Changes requested by ada:\n\n### Summary\n\nAlmost.\n\n## Issues\n\n### m\n\nName it.";

/** As the core writes it, for a new conversation and for one that goes on. */
const promptWith = (resumed: boolean, texts: string[]): string =>
  composePrompt({
    run: testRun(),
    tell: texts.map((text, index) => ({ id: `m${index + 7}`, text })),
    workspace: "/w",
    phaseFile: "/p",
    resumed,
  });

test.each([true, false])("a heading within a message is no message (resumed: %s)", (resumed) => {
  const prompt = promptWith(resumed, [REVIEW, "CI failed."]);
  expect(messagesIn(prompt)).toEqual(["m7", "m8"]);
  for (const word of ["Summary", "m", "Issues"]) expect(withoutMessage(prompt, word)).toBe(prompt);
  const said = composeOpening({ prompt: own(prompt), ended: ["Summary"], uncertain: [], said: [] });
  expect(said.own).toBe(prompt);
});

test.each([true, false])(
  "a message is taken out whole, and nothing else (resumed: %s)",
  (resumed) => {
    const texts = [REVIEW, "CI failed.", REVIEW];
    const without = (ids: string[]) =>
      ids.reduce(withoutMessage, promptWith(resumed, texts)).trimEnd();
    const rest = promptWith(resumed, ["CI failed."]).replace("### m7", "### m8").trimEnd();
    expect(without(["m7", "m9"])).toBe(rest);
    expect(without(["m9", "m8", "m7"])).toBe(promptWith(resumed, []).trimEnd());
  },
);
