// The part of Codex's app-server protocol that Pawl speaks: methods, and of their values the fields
// that are read. `codex app-server generate-ts` has the whole; test/agents/codex-protocol.test.ts
// compares the two for the pinned version.

export type RequestId = string | number;

export type TextInput = { type: "text"; text: string; text_elements: never[] };

export type ErrorReason = string | { [kind: string]: unknown } | null;

export type TurnError = { message: string; codexErrorInfo: ErrorReason };

export type Turn = {
  id: string;
  status: "completed" | "interrupted" | "failed" | "inProgress";
  error: TurnError | null;
  items: Item[];
};

/** What a thread holds, by `type`; kinds that are not named here are passed over. */
export type Item =
  | {
      type: "userMessage";
      id: string;
      /** As its sender has named it. */
      clientId: string | null;
      content: { type: string; text?: string }[];
    }
  | { type: "commandExecution"; id: string; command: string; status: string }
  | { type: "fileChange"; id: string; changes: { path: string }[]; status: string }
  | { type: "mcpToolCall"; id: string; server: string; tool: string; status: string }
  | { type: "contextCompaction"; id: string }
  | { type: "other"; id: string };

/** `path`: of the file in which it is kept. */
export type Thread = { id: string; path: string | null };

/** Cached tokens are input, too; those of reasoning are output. */
export type ThreadTokens = {
  totalTokens: number;
  inputTokens: number;
  cachedInputTokens: number;
  outputTokens: number;
};

export type TokenUsage = {
  total: ThreadTokens;
  last: { totalTokens: number };
  modelContextWindow: number | null;
};

type LimitWindow = { usedPercent: number; resetsAt: number | null };
export type RateLimits = { primary: LimitWindow | null; secondary: LimitWindow | null };

export type Question = {
  id: string;
  question: string;
  options: { label: string }[] | null;
};

/** Requests of Pawl and their answers. */
export type Calls = {
  initialize: { asked: InitializeParams; answer: { userAgent: string } };
  "thread/start": { asked: ThreadSettings; answer: { thread: Thread; model: string } };
  "thread/resume": {
    asked: ThreadSettings & { threadId: string; excludeTurns: true };
    answer: { thread: Thread; model: string };
  };
  "thread/turns/list": {
    asked: { threadId: string; itemsView: "full"; cursor: string | null };
    answer: { data: Turn[]; nextCursor: string | null };
  };
  "turn/start": {
    asked: { threadId: string; input: TextInput[] };
    answer: { turn: { id: string } };
  };
  "turn/steer": {
    asked: {
      threadId: string;
      input: TextInput[];
      expectedTurnId: string;
      clientUserMessageId: string;
    };
    answer: { turnId: string };
  };
  "turn/interrupt": { asked: { threadId: string; turnId: string }; answer: unknown };
};

export type InitializeParams = {
  clientInfo: { name: string; title: string | null; version: string };
  capabilities: { experimentalApi: boolean; requestAttestation: boolean };
};

export type ThreadSettings = {
  cwd: string;
  model?: string | null;
  approvalPolicy: "never" | "on-request" | "untrusted";
  sandbox: "read-only" | "workspace-write" | "danger-full-access";
  config: { [key: string]: string | boolean | string[] };
  developerInstructions: string;
};

type OfTurn = { threadId: string; turnId: string };

/** What the server says without being asked. */
export type Notifications = {
  "turn/started": { threadId: string; turn: { id: string } };
  "turn/completed": { threadId: string; turn: Turn };
  "turn/plan/updated": OfTurn & { plan: { step: string; status: string }[] };
  "item/started": OfTurn & { item: Item };
  "item/completed": OfTurn & { item: Item };
  "item/agentMessage/delta": OfTurn & { delta: string };
  "item/reasoning/textDelta": OfTurn;
  "item/reasoning/summaryTextDelta": OfTurn;
  "thread/tokenUsage/updated": OfTurn & { tokenUsage: TokenUsage };
  "account/rateLimits/updated": { rateLimits: RateLimits };
  "serverRequest/resolved": { threadId: string; requestId: RequestId };
};

/** What the server asks of its clients, of which the first answer counts. */
export type Asked = {
  "item/commandExecution/requestApproval": OfTurn & {
    command?: string | null;
    reason?: string | null;
  };
  "item/fileChange/requestApproval": OfTurn & { reason?: string | null; grantRoot?: string | null };
  "item/permissions/requestApproval": OfTurn & { reason: string | null; permissions: object };
  "item/tool/requestUserInput": OfTurn & { questions: Question[] };
  "mcpServer/elicitation/request": { threadId: string; serverName: string; message: string };
};
