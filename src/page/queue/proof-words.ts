// What the page says of tests: of those that ran, and of how many are expected to fail.
import type { QueueView } from "../../api/queue.ts";
import { span } from "../time.ts";

type Proven = NonNullable<QueueView["picture"]>["proven"][number];

/** As `pawl merge-queue explain` calls it. */
export const REMEMBERED = "known from an earlier test";

/** Of a result that is known from an earlier test nothing ran: it took no time. */
export function tookText({ took_seconds: seconds, remembered }: Proven): string {
  if (seconds === null || remembered) return "";
  return `took ${seconds < 1 ? "less than a second" : span(seconds * 1000)} · `;
}

/** It is an estimate: said only where tests failed and a branch that was sent back is listed. */
export function failingText({ picture, past, failure_rate: rate }: QueueView): string | undefined {
  const hasFailed = picture?.proven.some(({ result }) => result === "failed") === true;
  const isBack = past.some(({ status }) => status === "returned");
  return hasFailed && isBack ? `Pawl expects about ${Math.round(rate * 100)} % to fail` : undefined;
}
