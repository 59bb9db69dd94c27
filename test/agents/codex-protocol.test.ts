// What Pawl takes for Codex's protocol is what the pinned version says of itself: the compiler
// compares the two, in both directions of the wire.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { agentProgram } from "../support/agent-programs.ts";

const ROOT = join(import.meta.dirname, "../..");
const OURS = join(ROOT, "src/adapters/agent-codex/protocol.ts");

/** Assigns what is received to what we read, and what we send to what is expected. */
const COMPARISON = `
import type { ClientRequest } from "./ClientRequest";
import type { ServerNotification } from "./ServerNotification";
import type { ServerRequest } from "./ServerRequest";
import type { InitializeResponse } from "./InitializeResponse";
import type { ThreadItem } from "./v2/ThreadItem";
import type { ThreadResumeResponse } from "./v2/ThreadResumeResponse";
import type { ThreadStartResponse } from "./v2/ThreadStartResponse";
import type { ThreadTurnsListResponse } from "./v2/ThreadTurnsListResponse";
import type { Turn as TheirTurn } from "./v2/Turn";
import type { TurnStartResponse } from "./v2/TurnStartResponse";
import type { TurnSteerResponse } from "./v2/TurnSteerResponse";
import type { Asked, Calls, Item, Notifications, Turn } from "${OURS}";

type Params<U, M> = Extract<U, { method: M }> extends { params: infer P } ? P : never;
/** Items are compared apart: there are kinds that we pass over. */
type Plain<P> = Omit<P, "item" | "turn">;

export const told = (theirs: { [M in keyof Notifications]: Plain<Params<ServerNotification, M>> }): {
  [M in keyof Notifications]: Plain<Notifications[M]>;
} => theirs;
export const asked = (theirs: { [M in keyof Asked]: Params<ServerRequest, M> }): Asked => theirs;
export const sent = (ours: { [M in keyof Calls]: Calls[M]["asked"] }): {
  [M in keyof Calls]: Params<ClientRequest, M>;
} => ours;
type Named = Exclude<Item["type"], "other">;
export const item = (theirs: Extract<ThreadItem, { type: Named }>): Item => theirs;
export const turn = (theirs: Omit<TheirTurn, "items">): Omit<Turn, "items"> => theirs;
export const begun = (theirs: ThreadStartResponse): Calls["thread/start"]["answer"] => theirs;
export const resumed = (theirs: ThreadResumeResponse): Calls["thread/resume"]["answer"] => theirs;
export const page = (theirs: ThreadTurnsListResponse): { nextCursor: string | null } => theirs;
export const started = (theirs: TurnStartResponse): Calls["turn/start"]["answer"] => theirs;
export const steered = (theirs: TurnSteerResponse): Calls["turn/steer"]["answer"] => theirs;
export const initialized = (theirs: InitializeResponse): Calls["initialize"]["answer"] => theirs;
`;

const OPTIONS = {
  compilerOptions: {
    module: "esnext",
    moduleResolution: "bundler",
    target: "es2024",
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    types: [],
  },
  files: ["comparison.ts"],
};

const codex = agentProgram("codex");

test.skipIf(codex === undefined)("Codex speaks the protocol that Pawl speaks", () => {
  const folder = mkdtempSync("/tmp/pawl-codex-protocol-");
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  execFileSync(codex ?? "", ["app-server", "generate-ts", "--out", folder], {
    env: { HOME: folder },
    stdio: "ignore",
  });
  writeFileSync(join(folder, "comparison.ts"), COMPARISON);
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(OPTIONS));
  const tsc = join(ROOT, "node_modules/.bin/tsc");
  const compared = spawnSync(tsc, ["-p", folder, "--pretty", "false"], { encoding: "utf8" });
  expect(compared.stdout).toBe("");
  expect(compared.status).toBe(0);
});
