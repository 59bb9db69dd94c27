// The web server that forges send their deliveries to: POST /hooks/{project}, signed with the
// secret. Everything else is refused before it costs anything: no body is kept, only its HMAC.
import { createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { deliveryId, hintOf, isSigned, SeenDeliveries, type Hint } from "./delivery.ts";

/** As much as GitHub sends at most. */
const BODY_MAX_BYTES = 25 * 1024 * 1024;
const REQUEST_MAX_MS = 10_000;
const CONNECTIONS_MAX = 50;
const SEEN_MAX = 5000;

export type Listener = {
  /** Which projects are listened for here. */
  projects: Set<string>;
  close(): Promise<void>;
};

export type ListenerOptions = {
  host: string;
  port: number;
  secret: string;
  delivered: (project: string, hint: Hint) => void;
};

export async function startListener(options: ListenerOptions): Promise<Listener> {
  const projects = new Set<string>();
  const seen = new SeenDeliveries(SEEN_MAX);
  const server: Server = createServer({ requestTimeout: REQUEST_MAX_MS }, (request, response) => {
    take(request, { ...options, projects, seen }).then(
      (status) => answer(response, status),
      () => response.destroy(),
    );
  });
  server.maxConnections = CONNECTIONS_MAX;
  server.headersTimeout = REQUEST_MAX_MS;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.host, resolve);
  });
  return {
    projects,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

type Place = ListenerOptions & { projects: Set<string>; seen: SeenDeliveries };

/** The status to answer with. */
async function take(request: IncomingMessage, place: Place): Promise<number> {
  const project = /^\/hooks\/([a-z0-9-]+)\/?$/.exec(request.url?.split("?")[0] ?? "")?.[1];
  if (project === undefined || !place.projects.has(project)) return refuse(request, 404);
  if (request.method !== "POST") return refuse(request, 405);
  const digest = await digestOf(request, place.secret);
  if (digest === undefined) return refuse(request, 413);
  if (!isSigned(request.headers, digest)) return 401;
  // The signature is of the body, so that a changed id does not make an old delivery a new one.
  const id = `${project} ${digest.toString("hex")}`;
  const delivery = deliveryId(request.headers);
  const isNew = place.seen.take(id);
  if (delivery !== undefined && !place.seen.take(`${project} ${delivery}`)) return 200;
  if (!isNew) return 200;
  place.delivered(project, hintOf(request.headers));
  return 202;
}

function refuse(request: IncomingMessage, status: number): number {
  request.resume();
  return status;
}

/** Undefined where it is longer than any forge sends. */
async function digestOf(request: IncomingMessage, secret: string): Promise<Buffer | undefined> {
  const hmac = createHmac("sha256", secret);
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BODY_MAX_BYTES) return undefined;
    hmac.update(chunk);
  }
  return hmac.digest();
}

function answer(response: ServerResponse, status: number): void {
  // The connection of a refused sender is closed.
  const headers = status >= 400 ? { connection: "close" } : {};
  response.writeHead(status, { "content-type": "text/plain", ...headers });
  response.end(status < 300 ? "ok\n" : "refused\n");
}
