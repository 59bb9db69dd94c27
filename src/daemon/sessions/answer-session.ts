// Questions of a session inside walls, which come through its spool because it has no socket. Whose
// question it is follows from the folder it lies in, never from what it says; and it can only be a
// question: what the daemon is asked is always a GET that a session may send.
import { SESSION_HEADER } from "../../api/session-rights.ts";
import type { Run } from "../../core/run/run.ts";
import { parseObject } from "../../lib/json-object.ts";

export type SessionQuestion = { id: string; path: string };

/** The daemon's own API. */
export type AnswerCall = (call: {
  path: string;
  headers: Record<string, string>;
}) => Promise<{ status: number; body: unknown }>;

const ID = /^[A-Za-z0-9-]{1,64}$/;
const PATH_MAX = 2000;
const ANSWER_MAX_BYTES = 8 * 1024 * 1024;

export function readQuestion(text: string): SessionQuestion | undefined {
  if (!text.includes('"ask"')) return undefined;
  const all = parseObject(text);
  if (all?.["v"] !== 1 || all["kind"] !== "ask") return undefined;
  const { id, path } = all;
  if (typeof id !== "string" || !ID.test(id)) return undefined;
  if (typeof path !== "string" || path.length > PATH_MAX || !path.startsWith("/v1/")) {
    return undefined;
  }
  return { id, path };
}

/** A stream of changes would be read for ever, and no later question answered. */
const isEndless = (path: string): boolean =>
  new URL(path, "http://pawl").pathname.replace(/\/+$/, "") === "/v1/changes";

/** The text of the file that the session waits for. */
export async function answerTo(
  { path }: SessionQuestion,
  { run, workspace, call }: { run: Run; workspace: string; call: AnswerCall },
): Promise<string> {
  if (isEndless(path)) return JSON.stringify(ENDLESS);
  const headers = {
    [SESSION_HEADER]: encodeURIComponent(`${run.project}/${run.id}`),
    "x-pawl-cwd": encodeURIComponent(workspace),
  };
  const text = JSON.stringify(await call({ path, headers }));
  return Buffer.byteLength(text) <= ANSWER_MAX_BYTES ? text : JSON.stringify(TOO_LARGE);
}

const TOO_LARGE = {
  status: 413,
  body: { error: { code: "too-large", message: "the answer is larger than 8 MB" } },
};

const ENDLESS = {
  status: 400,
  body: { error: { code: "usage", message: "a session inside walls cannot follow changes" } },
};
