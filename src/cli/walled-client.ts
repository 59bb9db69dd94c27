// Inside walls there is no socket of the daemon and no journal. A question goes through the spool of
// this life, and its answer comes as a file of the session's folder. Only questions are carried: what
// a person decides cannot be sent from here at all.
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { hasCode } from "../lib/error-code.ts";
import { OperationError } from "../lib/operation-error.ts";
import type { Client, SentCall } from "./client.ts";
import type { Follower } from "./follow-changes.ts";
import type { Answer } from "./over-socket.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** Longer than a daemon takes to start again. */
const ANSWER_MAX_MS = 60_000;
/** Between two looks of a command that follows: no news reach a session by themselves. */
const FOLLOW_MS = 2000;

/** The spool of this session, where walls are around it. */
export const walledSpool = (env: Env): string | undefined =>
  env["PAWL_ISOLATION"] === undefined ? undefined : env["PAWL_SPOOL"];

/** `read`: what the daemon's answer means to a caller. */
export function createWalledClient(
  spool: string,
  { named, read }: { named: (path: string) => SentCall; read: ReadAnswer },
): Client {
  const get = async <T>(path: string): Promise<T> => {
    const call = named(path);
    return (await read(await ask(spool, call.path), call)) as T;
  };
  return {
    get,
    post: refused,
    patch: refused,
    daemonRuns: async () => true,
    follow: async () => lookingAgain(),
    queueAtWork: refused,
    formulaAtWork: refused,
  };
}

export type ReadAnswer = (answer: Answer, call: SentCall) => Promise<unknown>;

async function refused(): Promise<never> {
  throw new OperationError("cannot do this inside a session with walls: only people may decide", {
    code: "auth",
    hint: "write `PHASE:escalate` with a reason, or `pawl mail send operator`, and wait for the answer in your inbox",
  });
}

async function ask(spool: string, path: string): Promise<Answer> {
  // Loaded here: a command outside of walls should not pay for them at its start.
  const { putText } = await import("./put-text.ts");
  const { watchFolders } = await import("./folder-watch.ts");
  const id = randomUUID();
  const folder = dirname(spool);
  const answerFile = join(folder, `answer-${id}.json`);
  const watched = watchFolders([folder]);
  try {
    await putText({
      temporary: join(spool, "tmp", `ask-${id}`),
      path: join(spool, "new", `ask-${id}.json`),
      text: `${JSON.stringify({ v: 1, kind: "ask", id, path })}\n`,
    });
    const deadline = Date.now() + ANSWER_MAX_MS;
    for (;;) {
      const text = readIfThere(answerFile);
      if (text !== undefined) return JSON.parse(text) as Answer;
      if (Date.now() > deadline) throw unanswered(path);
      await watched.changed();
    }
  } finally {
    watched.close();
    await rm(answerFile, { force: true });
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (hasCode(error, ["ENOENT"])) return undefined;
    throw error;
  }
}

const unanswered = (path: string): OperationError =>
  new OperationError(`the daemon has not answered ${path} within ${ANSWER_MAX_MS / 1000} s`, {
    code: "unreachable",
    hint: "it may be stopped; what you write into your phase file and your spool is read later",
  });

/** Resolves again and again, so that a command that follows looks once in a while. */
function lookingAgain(): Follower {
  let timer: NodeJS.Timeout | undefined;
  let end = (): void => undefined;
  let isClosed = false;
  return {
    changed: () =>
      new Promise((resolve) => {
        end = () => resolve(false);
        if (isClosed) end();
        else timer = setTimeout(() => resolve(true), FOLLOW_MS);
      }),
    close: () => {
      isClosed = true;
      clearTimeout(timer);
      end();
    },
  };
}
