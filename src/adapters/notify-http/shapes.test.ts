import { expect, test } from "vitest";
import type { News } from "../../ports/notifier.ts";
import { ntfyShape, slackShape, webhookShape } from "./shapes.ts";

const NEWS: News = {
  key: "k1",
  severity: "urgent",
  title: "#7 Parse <b> & more",
  body: "the agent asks: which?",
  project: "toy",
  issue: 7,
};

test("a webhook gets every field, and the key twice: for itself and for its proxy", () => {
  const { url, headers, body } = webhookShape(NEWS, "https://example.org/hook");
  expect(url).toBe("https://example.org/hook");
  expect(headers["idempotency-key"]).toBe("k1");
  expect(JSON.parse(body)).toEqual({
    source: "pawl",
    key: "k1",
    project: "toy",
    issue: 7,
    severity: "urgent",
    title: "#7 Parse <b> & more",
    body: "the agent asks: which?",
  });
});

test("Slack gets one text in which nothing is taken for markup", () => {
  const { text } = JSON.parse(slackShape(NEWS, "https://hooks.example.org/x").body) as {
    text: string;
  };
  expect(text).toBe("🚨 *toy*: #7 Parse &lt;b&gt; &amp; more\nthe agent asks: which?");
});

test("ntfy gets the topic of its address in the message, at the root", () => {
  const { url, body } = ntfyShape(NEWS, "https://ntfy.example.org/my-topic");
  expect(url).toBe("https://ntfy.example.org/");
  expect(JSON.parse(body)).toMatchObject({
    topic: "my-topic",
    priority: 5,
    tags: ["rotating_light"],
    title: "toy: #7 Parse <b> & more",
    message: "the agent asks: which?",
  });
  expect(ntfyShape(NEWS, "https://example.org/ntfy/topic/").url).toBe("https://example.org/ntfy/");
});

test("no news is longer than receivers take", () => {
  const long = { ...NEWS, body: "x".repeat(100_000) };
  expect(slackShape(long, "https://example.org").body.length).toBeLessThan(3_500);
  expect(ntfyShape(long, "https://example.org/t").body.length).toBeLessThan(3_500);
});
