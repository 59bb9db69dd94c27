// Brings news by one POST: a webhook, Slack, ntfy. The address and the token are secrets: they are
// in no message of an error.
import { OperationError } from "../../lib/operation-error.ts";
import type { Channel, News } from "../../ports/notifier.ts";
import { httpCall } from "../shared/http-call.ts";
import { ntfyShape, slackShape, webhookShape, type Sent } from "./shapes.ts";

const SHAPES = { webhook: webhookShape, slack: slackShape, ntfy: ntfyShape } as const;

export type HttpChannelOptions = {
  kind: keyof typeof SHAPES;
  url: string;
  token: string | undefined;
  timeoutMs: number;
};

export const createHttpChannel = (options: HttpChannelOptions): Channel => ({
  send: async (news) => {
    const outcome = await httpCall(requestOf(news, options));
    if (outcome.kind !== "answered") throw failure(options, outcome.why, true);
    const { status, text } = outcome;
    if (status >= 200 && status < 300) return;
    const said = text.trim().slice(0, 200);
    // Too many requests and errors of theirs pass; everything else would be refused again.
    const retryable = status === 408 || status === 429 || status >= 500;
    throw failure(options, `answered ${status}${said === "" ? "" : `: ${said}`}`, retryable);
  },
});

function requestOf(news: News, { kind, url, token, timeoutMs }: HttpChannelOptions) {
  const sent: Sent = URL.canParse(url) ? SHAPES[kind](news, url) : { url, headers: {}, body: "" };
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const headers = { ...sent.headers, ...authorization };
  return { url: sent.url, method: "POST", headers, body: sent.body, timeoutMs };
}

function failure(
  { kind, url, token }: HttpChannelOptions,
  why: string,
  retryable: boolean,
): OperationError {
  let said = why.replaceAll(url, "***");
  if (token !== undefined && token !== "") said = said.replaceAll(token, "***");
  return new OperationError(`cannot send notifications by ${kind}: ${said}`, {
    code: "notify-failed",
    retryable,
  });
}
