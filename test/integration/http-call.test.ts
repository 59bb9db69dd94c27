// What is known of a request's effect, by real connections: only a connection that never came about
// proves that nothing was done.
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { httpCall } from "../../src/adapters/shared/http-call.ts";
import { startReceiver } from "../support/receiver.ts";

const REQUEST = { method: "POST", headers: { "x-one": "1" }, body: "hällo", timeoutMs: 2000 };

test("every status is an answer, and redirects are not followed", async () => {
  await using receiver = await startReceiver((path) => Number(path.slice(1)));
  for (const status of [200, 302, 404, 503]) {
    const outcome = await httpCall({ ...REQUEST, url: `${receiver.url}/${status}` });
    expect(outcome).toEqual({ kind: "answered", status, text: `said ${status}` });
  }
  expect(receiver.received).toHaveLength(4);
  expect(receiver.received[0]).toMatchObject({ text: "hällo", headers: { "x-one": "1" } });
});

test("a refused connection, an unknown host, a bad address or header is provably unsent", async () => {
  const free = createServer();
  await new Promise<void>((resolve) => free.listen(0, "127.0.0.1", resolve));
  const { port } = free.address() as AddressInfo;
  await new Promise((resolve) => free.close(resolve));
  const urls = [`http://127.0.0.1:${port}/`, "http://nowhere.invalid/", "ftp://example.org/", "no"];
  for (const url of urls) expect((await httpCall({ ...REQUEST, url })).kind).toBe("unsent");
  const url = `http://127.0.0.1:${port}/`;
  expect((await httpCall({ ...REQUEST, url, headers: { "x\n": "1" } })).kind).toBe("unsent");
});

test("once connected, silence and a hang-up leave it open whether it was done", async () => {
  await using receiver = await startReceiver(() => "hang-up");
  expect((await httpCall({ ...REQUEST, url: receiver.url })).kind).toBe("unknown");
  const mute = createServer((socket) => socket.resume());
  await new Promise<void>((resolve) => mute.listen(0, "127.0.0.1", resolve));
  const { port } = mute.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/`;
  const silent = await httpCall({ ...REQUEST, url, timeoutMs: 50 });
  expect(silent).toEqual({ kind: "unknown", why: "no answer after 50 ms" });
  await new Promise((resolve) => mute.close(resolve));
});
