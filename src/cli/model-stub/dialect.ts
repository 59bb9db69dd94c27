// What the APIs of models differ in: where they are asked, how a conversation is written down, how a
// reply and an error look. What is answered is the same for all (script.ts).
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import type { ModelRequest } from "./conversation.ts";
import type { Failure, Reply } from "./script.ts";

export type Dialect = {
  /** Whether a POST to this path asks the model for a reply. */
  isAsked(path: string): boolean;
  read(text: string, path: string): ModelRequest;
  send(response: ServerResponse, reply: Reply, request: ModelRequest): Promise<void>;
  fail(response: ServerResponse, failure: Failure): void;
};

export const newId = (prefix: string): string => `${prefix}_${randomUUID().replaceAll("-", "")}`;

const STEP_MS = 500;

/** As long as a slow model thinks; `beat` meanwhile. Ends early where the program hangs up. */
export async function think(
  response: ServerResponse,
  { slowMs, slowUntil }: Reply,
  beat: () => void = () => {},
): Promise<void> {
  const isHeld = (): boolean => slowUntil !== undefined && !existsSync(slowUntil);
  for (let left = slowMs; (left > 0 || isHeld()) && !response.destroyed; left -= STEP_MS) {
    beat();
    await wait(left > 0 ? Math.min(STEP_MS, left) : STEP_MS);
  }
}

export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { "content-type": "application/json", "request-id": newId("req") });
  response.end(JSON.stringify(value));
}
