import { expect, test } from "vitest";
import { projectName } from "../../core/ids.ts";
import { WebhookHealth } from "./webhook-health.ts";

const TOY = projectName("toy");

function at(start: number) {
  const clock = { now: start };
  return { clock, webhooks: new WebhookHealth(() => clock.now) };
}

test("a forge is polled often until its first delivery", () => {
  const { webhooks } = at(100);
  expect(webhooks.source(TOY).kind).toBe("polling");
  webhooks.delivered(TOY);
  expect(webhooks.source(TOY).kind).toBe("polling");
  webhooks.listens(TOY, undefined);
  expect(webhooks.source(TOY).kind).toBe("polling");
  webhooks.delivered(TOY);
  expect(webhooks.source(TOY)).toEqual({ kind: "webhook", deliveredAt: 100 });
});

test("unreported news means that a delivery was missed, until the next delivery", () => {
  const { webhooks } = at(100);
  webhooks.listens(TOY, 50);
  expect(webhooks.source(TOY).kind).toBe("webhook");
  webhooks.missed(TOY);
  expect(webhooks.source(TOY)).toMatchObject({
    kind: "polling",
    trouble: expect.stringContaining("did not report"),
  });
  webhooks.delivered(TOY);
  expect(webhooks.source(TOY).kind).toBe("webhook");
});

test("a delivery of long ago does not count any more", () => {
  const { webhooks, clock } = at(100);
  webhooks.listens(TOY, 100);
  clock.now += 8 * 24 * 3_600_000;
  expect(webhooks.source(TOY).kind).toBe("polling");
});

test("without a listener the reason is given", () => {
  const { webhooks } = at(100);
  webhooks.cannotListen(TOY, "the port is taken");
  expect(webhooks.source(TOY)).toMatchObject({ kind: "polling", trouble: "the port is taken" });
  webhooks.forget(TOY);
  expect(webhooks.source(TOY)).toMatchObject({ trouble: undefined });
});
