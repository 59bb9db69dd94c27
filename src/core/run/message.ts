// A message from Pawl to an agent. It has an id, is sent in order, and is acknowledged or visibly
// undelivered; it is shown at most once per epoch.
//
//   queued ──> delivered ──> acknowledged
//      └─────> told (in a prompt) ──^
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
  | "notice";

export type Message = {
  id: string;
  kind: MessageKind;
  text: string;
  at: number;
  status: "queued" | "delivered" | "told" | "acknowledged" | "unconfirmed";
  /** The life it was last shown to. */
  epoch: number | undefined;
};

/** News that asks the agent to do something: worth starting a new life for. */
const ACTIONABLE: ReadonlySet<MessageKind> = new Set<MessageKind>([
  "ci-failed",
  "conflict",
  "tests-failed",
  "review-changes",
  "nudge",
  "answer",
  "notice",
]);

export const isActionable = (message: Message): boolean => ACTIONABLE.has(message.kind);

/** Not yet known to be read: goes into the next life's prompt. */
export const isOpen = (message: Message): boolean =>
  message.status === "queued" || message.status === "delivered" || message.status === "told";

/** The file an agent finds in its inbox. */
export const messageFile = (message: Pick<Message, "id" | "kind" | "text">): string =>
  `Id: ${message.id}\nKind: ${message.kind}\n\n${message.text}\n`;
