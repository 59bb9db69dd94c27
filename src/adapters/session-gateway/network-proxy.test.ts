import { once } from "node:events";
import { createServer, request, type IncomingMessage } from "node:http";
import { connect, createServer as createTcpServer, type AddressInfo, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
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

test("a client that hangs up while the proxy connects leaves no connection open", async () => {
  const outside = createTcpServer().listen(0, "127.0.0.1");
  await once(outside, "listening");
  onTestFinished(() => void outside.close());
  const target = `localhost:${(outside.address() as AddressInfo).port}`;
  const resolving = Promise.withResolvers<void>();
  const hungUp = Promise.withResolvers<void>();
  const resolve = async (): Promise<string[]> => {
    resolving.resolve();
    await hungUp.promise;
    return ["127.0.0.1"];
  };
  const proxy = createProxy({ hosts: () => [target], onRefused: () => {}, resolve });
  proxy.on("connect", (_request: IncomingMessage, socket: Duplex) => {
    socket.on("close", () => hungUp.resolve());
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  onTestFinished(() => void proxy.close());
  const reached = once(outside, "connection") as Promise<[Socket]>;
  const asked = connect((proxy.address() as AddressInfo).port, "127.0.0.1");
  asked.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`);
  await resolving.promise;
  asked.resetAndDestroy();
  const [left] = await reached;
  left.resume();
  await once(left, "close");
  expect(left.destroyed).toBe(true);
});
