import { once } from "node:events";
import { createServer, request, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { createProxy } from "./network-proxy.ts";

test("a host that takes no connection is answered with 502, not with a broken connection", async () => {
  const closed = createServer().listen(0, "127.0.0.1");
  await once(closed, "listening");
  const target = `localhost:${(closed.address() as AddressInfo).port}`;
  closed.close();
  const resolve = async (): Promise<string[]> => ["127.0.0.1"];
  const proxy = createProxy({ hosts: () => [target], onRefused: () => {}, resolve });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const { port } = proxy.address() as AddressInfo;
  const asked = request({ host: "127.0.0.1", port, method: "CONNECT", path: target }).end();
  const [answer] = (await once(asked, "connect")) as [IncomingMessage];
  expect(answer.statusCode).toBe(502);
  asked.destroy();
  proxy.close();
});
