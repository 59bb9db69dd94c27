// A proxy on loopback that leads every request and every tunnel to one server, whatever host is named.
import { createServer, request } from "node:http";
import { connect, type AddressInfo } from "node:net";

export async function startProxy(to: string) {
  const { hostname, port } = new URL(to);
  const hosts = new Set<string>();
  const server = createServer((got, answer) => {
    const url = new URL(got.url ?? "");
    hosts.add(url.host);
    const { method, headers } = got;
    const path = url.pathname + url.search;
    const there = request({ hostname, port, path, method, headers }, (said) => {
      answer.writeHead(said.statusCode ?? 502, said.headers);
      said.pipe(answer);
    });
    there.on("error", () => answer.destroy());
    got.pipe(there);
  });
  server.on("connect", (got, socket, head) => {
    hosts.add(got.url ?? "");
    const there = connect(Number(port), hostname, () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      there.write(head);
      there.pipe(socket);
      socket.pipe(there);
    });
    there.on("error", () => socket.destroy());
    socket.on("error", () => there.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Which hosts were asked for. */
    hosts,
    [Symbol.asyncDispose]: async (): Promise<void> => {
      server.closeAllConnections();
      server.close();
    },
  };
}
