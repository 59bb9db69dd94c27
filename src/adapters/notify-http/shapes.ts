// How news looks to those that receive it over HTTP: any webhook, Slack's incoming webhooks, and
// ntfy's JSON messages. Pure.
import type { News } from "../../ports/notifier.ts";

export type Sent = { url: string; headers: Record<string, string>; body: string };

const TEXT_MAX = 3_000;
const JSON_HEADERS = { "content-type": "application/json; charset=utf-8" };

export function webhookShape(news: News, url: string): Sent {
  const { key, severity, title, body, project, issue } = news;
  const fields = { source: "pawl", key, project, issue: issue ?? null, severity, title, body };
  return {
    url,
    headers: { ...JSON_HEADERS, "idempotency-key": key },
    body: JSON.stringify(fields),
  };
}

const MARKS = { info: "ℹ️", warning: "⚠️", urgent: "🚨" } as const;

/** Slack reads three characters as markup; everything else is text. */
export function slackShape({ severity, title, body, project }: News, url: string): Sent {
  const escaped = (text: string): string =>
    text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const head = `${MARKS[severity]} *${escaped(project)}*: ${escaped(title)}`;
  const text = cut(body.trim() === "" ? head : `${head}\n${escaped(body)}`);
  return { url, headers: JSON_HEADERS, body: JSON.stringify({ text }) };
}

const PRIORITIES = { info: 2, warning: 3, urgent: 5 } as const;
const TAGS = { info: "information_source", warning: "warning", urgent: "rotating_light" } as const;

/** ntfy's address is `https://host/topic`; as JSON, the topic travels in the message. */
export function ntfyShape({ severity, title, body, project }: News, url: string): Sent {
  const at = new URL(url);
  const topic = at.pathname.split("/").findLast((part) => part !== "") ?? "";
  const root = new URL(url);
  root.pathname = at.pathname.slice(0, at.pathname.lastIndexOf(topic));
  const fields = {
    topic,
    title: `${project}: ${title}`.slice(0, 200),
    message: cut(body.trim() === "" ? title : body),
    priority: PRIORITIES[severity],
    tags: [TAGS[severity]],
  };
  return { url: root.href, headers: JSON_HEADERS, body: JSON.stringify(fields) };
}

const cut = (text: string): string =>
  text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}…` : text;
