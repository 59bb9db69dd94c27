// Whatever reaches the address for deliveries: it is answered, never taken without the secret, and a
// signed one always leads to a look, also where its event is not known.
import { createHmac } from "node:crypto";
import { request } from "node:http";
import fc from "fast-check";
import { expect, test } from "vitest";
import { freePort } from "../../adapters/shared/free-port.ts";
import { startListener } from "./listener.ts";

const RUNS = 120;
const SECRET = "secret";
const CUT_OFF = 0;

const header = fc
  .string({ minLength: 0, maxLength: 300 })
  .map((text) => text.replaceAll(/[^ -~]/g, "").trim());
const sent = fc.record({
  path: fc.oneof(fc.constant("/hooks/toy"), fc.webPath()),
  method: fc.constantFrom("POST", "POST", "POST", "GET", "PUT"),
  event: fc.oneof(fc.constantFrom("push", "issues", "status", "a-new-event"), header),
  delivery: header,
  body: fc.oneof(fc.string({ unit: "binary" }), fc.json(), fc.constant("x".repeat(300_000))),
  isSigned: fc.boolean(),
  signature: fc.oneof(header, fc.constant("sha256="), fc.constant("0".repeat(64))),
});

type Sent = typeof sent extends fc.Arbitrary<infer T> ? T : never;

function send(port: number, { path, method, event, delivery, body, ...rest }: Sent) {
  const right = createHmac("sha256", SECRET).update(body).digest("hex");
  const headers = {
    "x-gitea-event": event,
    "x-gitea-delivery": delivery,
    "x-gitea-signature": rest.isSigned ? right : rest.signature,
  };
  const to = { host: "127.0.0.1", port, path, method, headers };
  return new Promise<number>((resolve) => {
    const asked = request(to, (answer) => {
      answer.resume();
      answer.on("end", () => resolve(answer.statusCode ?? 0));
    });
    // A sender that is refused may be cut off while it still sends.
    asked.on("error", () => resolve(CUT_OFF));
    asked.end(body);
  });
}

test("anything that is sent is answered, and every delivery that is signed and new has its project looked at", async () => {
  const told: string[] = [];
  const port = await freePort();
  const options = { host: "127.0.0.1", port, secret: SECRET };
  const listener = await startListener({ ...options, delivered: (project) => told.push(project) });
  listener.projects.add("toy");
  const known = new Set<string>();
  try {
    const holds = async (one: Sent): Promise<void> => {
      const before = told.length;
      const status = await send(port, one);
      const isRight = one.path === "/hooks/toy" && one.method === "POST" && one.isSigned;
      const ids = [`body ${one.body}`, ...(one.delivery === "" ? [] : [`id ${one.delivery}`])];
      const isNew = !ids.some((id) => known.has(id));
      if (isRight) for (const id of ids) known.add(id);
      expect(told.length - before).toBe(isRight && isNew ? 1 : 0);
      expect(isRight ? [200, 202] : [CUT_OFF, 400, 401, 404, 405]).toContain(status);
    };
    await fc.assert(fc.asyncProperty(sent, holds), { numRuns: RUNS });
  } finally {
    await listener.close();
  }
});
