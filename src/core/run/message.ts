// A message from Pawl to an agent. It has an id, is sent in order, and is acknowledged or visibly
// undelivered; it is shown at most once per epoch.
//
//   queued ──> delivered ──> acknowledged | unconfirmed (it went on without saying so)
//      └─────> told (in a prompt) ──^
//
// What only the life it was written to could do becomes void with that life.
import type { Priority } from "../mail/letter.ts";

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
  | "mail";

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
  "mail",
]);

/** A letter of low priority waits for a life that comes anyway. */
export const isActionable = (message: Message): boolean =>
  ACTIONABLE.has(message.kind) && message.letter?.priority !== "low";

/** Not yet known to be read: goes into the next life's prompt. */
export const isOpen = (message: Message): boolean =>
  message.status === "queued" || message.status === "delivered" || message.status === "told";

/** The file an agent finds in its inbox. */
export const messageFile = (message: Pick<Message, "id" | "kind" | "text" | "urgent">): string =>
  `Id: ${message.id}\nKind: ${message.kind}\n${message.urgent ? "Urgent: yes\n" : ""}\n${message.text}\n`;

const OF_ONE_LIFE: ReadonlySet<MessageKind> = new Set<MessageKind>(["checkpoint-now", "hand-off"]);

/** Its life is over: a successor must not do what was asked of its predecessor. */
export const outlived = (message: Message): Message =>
  isOpen(message) && OF_ONE_LIFE.has(message.kind) ? { ...message, status: "void" } : message;

/** Written for this long and still not known to be read: a person should see it. */
export const isOverdue = (message: Message, now: number, unreadMs: number): boolean =>
  (message.status === "queued" || message.status === "delivered") && now - message.at >= unreadMs;
