// The beginning of a host's life: its program is started, the conversation begun or resumed, and what
// is said first is composed. Where that fails, the exit code of the host says what the next life does.
import { join } from "node:path";
import { errorCode } from "../../../lib/error-code.ts";
import { readUntrusted } from "../untrusted-file.ts";
import { writeWhole } from "../write-whole.ts";
import type { Deliveries, Item, Uncertain } from "./deliveries.ts";
import { NeedsPerson, ProgramEnded, type Driver, type Opened } from "./driver.ts";
import { composeOpening, messagesIn } from "./opening.ts";
import { reportUnusable } from "./reports.ts";
import type { SpoolWriter } from "./spool-writer.ts";
import type { Transcript } from "./transcript.ts";
import { withText } from "./uncertain-text.ts";

/** By which a later life finds the conversation of this one. */
export const CONVERSATION = "conversation";
/** This life's prompt without the messages that the conversation held already. */
const OPENING = "opening.md";
const PROMPT_MAX_BYTES = 16 * 1024 * 1024;

/** The conversation could not be resumed: the next life begins another one, and says so. */
export const EXIT_NOT_RESUMED = 3;
/** As shells say it. */
const EXIT_NO_PROGRAM = 127;

export type SessionOptions = {
  dir: string;
  driver: Driver;
  /** The conversation of an earlier life, and what that life may not have said. */
  resume: { conversation: string; uncertain: Uncertain[]; ended?: string[] } | undefined;
  spool: SpoolWriter;
  transcript: Transcript;
};

/** `repeated`: messages that are known to the agent once it has accepted this. */
export type FirstPrompt = { text: string; items: Item[]; repeated: readonly string[] };

/** An exit code where there is no session. */
export async function openSession(
  options: SessionOptions,
  deliveries: Deliveries,
): Promise<FirstPrompt | number> {
  const { driver, resume } = options;
  const uncertain = resume?.uncertain ?? [];
  let opened: Opened;
  try {
    opened = await driver.open({ resume: resume?.conversation, history: uncertain.length > 0 });
  } catch (error) {
    return notOpened(error, options);
  }
  return compose(options, { opened, uncertain, deliveries });
}

async function compose(
  { dir, resume }: SessionOptions,
  session: { opened: Opened; uncertain: Uncertain[]; deliveries: Deliveries },
): Promise<FirstPrompt> {
  const { opened, uncertain, deliveries } = session;
  await writeWhole(join(dir, CONVERSATION), `${JSON.stringify({ id: opened.conversation })}\n`);
  const prompt = (await readUntrusted(join(dir, "prompt.md"), PROMPT_MAX_BYTES)) ?? "";
  const file = join(dir, OPENING);
  const { text, own, items, found } = composeOpening({
    prompt: { text: prompt, file },
    ended: resume?.ended ?? [],
    uncertain: await Promise.all(uncertain.map(withText)),
    said: opened.said,
  });
  // What a successor says in place of this life must not repeat what was left out here.
  await writeWhole(file, own);
  // The daemon may not know it yet: a life after this one must not say it again.
  if (found.length > 0) await deliveries.note("ended", found);
  // Also those that were left out: the daemon takes them for unread, and would have them said again.
  const repeated = [...new Set([...messagesIn(prompt), ...messagesIn(text)])];
  return { text, items, repeated };
}

async function notOpened(error: unknown, options: SessionOptions): Promise<number> {
  const { dir, driver, resume, spool, transcript } = options;
  const why = error instanceof Error ? error.message : String(error);
  if (error instanceof NeedsPerson) return unusable(why, options);
  const isMissing = errorCode(error) === "ENOENT";
  const isLost = resume !== undefined && !isMissing && !(error instanceof ProgramEnded);
  const what = isLost
    ? `its conversation cannot be resumed (${why}): the next session starts a new one`
    : `the agent cannot be started: ${why}`;
  transcript.note(what);
  await spool({ kind: "warning", text: what });
  if (isLost) await writeWhole(join(dir, CONVERSATION), "{}\n");
  await driver.close();
  if (isMissing) return EXIT_NO_PROGRAM;
  return isLost ? EXIT_NOT_RESUMED : 1;
}

/** No crash: starting it again would not help before a person has acted. */
async function unusable(
  why: string,
  { driver, spool, transcript }: SessionOptions,
): Promise<number> {
  transcript.note(`the agent cannot work: ${why}`);
  await reportUnusable(why, spool);
  await driver.close();
  return 0;
}
