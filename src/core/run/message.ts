// A message from Pawl to an agent. It has an id, is sent in order, and is acknowledged or visibly
// undelivered; it is shown at most once per epoch.
//
//   queued ──> delivered ──> acknowledged | unconfirmed (it went on without saying so)
//      └─────> told (in a prompt) ──^
//
// What only the life it was written to could do becomes void with that life.
import type { Priority } from "../mail/letter.ts";
import type { Context } from "../context.ts";
import { questionLine } from "../session/answer-key.ts";
import type { Question } from "../session/evidence.ts";
import type { Run } from "./run.ts";

export type MessageKind =
  | "ci-passed"
  | "ci-failed"
  | "ci-timeout"
  | "conflict"
  | "tests-failed"
  | "review-changes"
  | "review-timeout"
  | "approved"
  | "not-merged"
  | "landed"
  | "nudge"
  | "answer"
  | "refused"
  | "checkpoint-now"
  | "hand-off"
  | "notice"
  | "comment"
  | "mail";

/** What a person says about lines of a diff, with the lines as they were shown. */
export type LineComment = {
  path: string;
  /** Of the last line that it is about. */
  line: number;
  /** `old`: of lines that the agent has removed. */
  side: "old" | "new";
  code: string[];
  text: string;
  by: string;
};

export type Message = {
  id: string;
  kind: MessageKind;
  text: string;
  at: number;
  /** Interrupts what the agent is doing, where its runtime can. */
  urgent: boolean;
  status: "queued" | "delivered" | "told" | "acknowledged" | "unconfirmed" | "void";
  /** The life it was last shown to. */
  epoch: number | undefined;
  /** The letter it brings. */
  letter?: { id: string; priority: Priority };
  /** Only for a session that has not begun: void as soon as it has. */
  begin?: true;
  comment?: LineComment;
  /** Of the kind `answer`: a person asked the agent to continue, and answers nothing. */
  resumes?: true;
  /**
   * Of an answer: the question of the agent's own that it is for, or "none". Not there in an answer
   * of an earlier version: that is for the question that is open.
   */
  question?: Question | "none";
  /** When a comment was read, as far as that is known. */
  readAt?: number;
  /** It cannot be typed into the terminal, and why. */
  held?: { since: number; reason: string };
};

/** The code of a failed delivery that has left nothing where the agent looks. */
export const NEVER_SHOWN = "inbox-unwritable";

/** News that asks the agent to do something: worth starting a new life for. */
const ACTIONABLE: ReadonlySet<MessageKind> = new Set<MessageKind>([
  "ci-failed",
  "conflict",
  "tests-failed",
  "review-changes",
  "nudge",
  "answer",
  "refused",
  "notice",
  "comment",
  "mail",
]);

/** A letter of low priority waits for a life that comes anyway. */
export const isActionable = (message: Message): boolean =>
  ACTIONABLE.has(message.kind) && message.letter?.priority !== "low";

/** Not yet known to be read: goes into the next life's prompt. */
export const isOpen = (message: Message): boolean =>
  message.status === "queued" || message.status === "delivered" || message.status === "told";

/** The file an agent finds in its inbox. */
export function messageFile(
  message: Pick<Message, "id" | "kind" | "text" | "urgent" | "question">,
): string {
  const { id, kind, text, urgent, question } = message;
  const head = [
    `Id: ${id}`,
    `Kind: ${kind}`,
    ...(question === undefined ? [] : [questionLine(question)]),
    ...(urgent ? ["Urgent: yes"] : []),
  ];
  return `${head.join("\n")}\n\n${text}\n`;
}

const OF_ONE_LIFE: ReadonlySet<MessageKind> = new Set<MessageKind>(["checkpoint-now", "hand-off"]);

/** Its life is over: a successor must not do what was asked of its predecessor. */
export const outlived = (message: Message): Message =>
  isOpen(message) && OF_ONE_LIFE.has(message.kind) ? { ...message, status: "void" } : message;

/** Written for this long and still not known to be read: a person should see it. */
export const isOverdue = (message: Message, now: number, unreadMs: number): boolean =>
  (message.status === "queued" || message.status === "delivered") && now - message.at >= unreadMs;

// Sends messages to the agent of a run: written down first, delivered in order, shown once per epoch.

/** Acknowledged messages beyond this many are forgotten; open ones never are. */
const KEPT_MAX = 30;

export function post(
  run: Run,
  news: Pick<Message, "kind" | "text" | "letter" | "begin" | "comment" | "question" | "resumes"> & {
    urgent?: boolean;
  },
  context: Context,
): Run {
  const message: Message = {
    id: `m${run.nextMessage}`,
    kind: news.kind,
    text: news.text,
    at: context.at,
    urgent: news.urgent ?? false,
    status: "queued",
    epoch: undefined,
    ...(news.letter === undefined ? {} : { letter: news.letter }),
    ...(news.begin === undefined ? {} : { begin: news.begin }),
    ...(news.comment === undefined ? {} : { comment: news.comment }),
    ...(news.resumes === undefined ? {} : { resumes: news.resumes }),
    ...(news.kind === "answer" ? { question: news.question ?? "none" } : {}),
  };
  const next = {
    ...run,
    messages: bounded([...run.messages, message]),
    nextMessage: run.nextMessage + 1,
  };
  return deliverQueued(next);
}

/** Puts what is queued before the living session; a dead one's successor finds it in its prompt. */
export function deliverQueued(run: Run): Run {
  const { session } = run;
  if (session?.status !== "live") return run;
  return mapMessages(run, (message) =>
    message.status === "queued" && !isKept(run, message)
      ? { ...message, epoch: session.epoch }
      : message,
  );
}

/** What would begin a new turn waits while a budget is spent; an answer belongs to the turn that asked. */
const isKept = (run: Run, message: Message): boolean =>
  run.closed !== undefined && isActionable(message) && message.kind !== "answer";

export const openMessages = (run: Run): Message[] => run.messages.filter(isOpen);

export function mapMessages(run: Run, change: (message: Message) => Message): Run {
  return { ...run, messages: run.messages.map(change) };
}

/** It lies in the inbox; whether it was read only the agent can say. */
export const delivered = (run: Run, id: string): Run =>
  mapMessages(run, (message) => {
    if (message.id !== id || message.status !== "queued") return message;
    const { held: _, ...free } = message;
    return { ...free, status: "delivered" };
  });

/** It lies in the inbox, but typing it was given up: `held` stays, and so does a question about it. */
export const notTyped = (run: Run, id: string): Run =>
  mapMessages(run, (message) =>
    message.id === id && message.status === "queued"
      ? { ...message, status: "delivered" }
      : message,
  );

/** It never got there: it is sent again with the next message, or told to the next life. */
export const undelivered = (run: Run, id: string): Run =>
  mapMessages(run, (message) =>
    message.id === id && message.status === "queued" ? { ...message, epoch: undefined } : message,
  );

export const acknowledged = (run: Run, id: string): Run =>
  run.messages.some((message) => message.id === id && message.status !== "acknowledged")
    ? mapMessages(run, (message) =>
        message.id === id ? { ...message, status: "acknowledged" } : message,
      )
    : run;

function bounded(messages: Message[]): Message[] {
  const surplus = messages.length - KEPT_MAX;
  if (surplus <= 0) return messages;
  let dropped = 0;
  return messages.filter((message) => {
    if (dropped >= surplus || isOpen(message)) return true;
    dropped += 1;
    return false;
  });
}
