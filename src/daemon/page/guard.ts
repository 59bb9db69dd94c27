// Which requests reach the page at all. A loopback port is open to every web page that the user
// visits and to everything that agents serve, so each request must name this exact host and origin, or
// those that factory.toml allows for a proxy with TLS.
export type PageRequest = {
  method: string;
  /** As sent: path and query. */
  url: string;
  header: (name: string) => string | undefined;
};

export type Refusal = { status: number; code: string; message: string };

const URL_MAX_CHARS = 2000;

/** Undefined where nothing speaks against the request. The host says which of the origins must be named. */
export function refusal(request: PageRequest, origins: readonly string[]): Refusal | undefined {
  const origin = originOf(request, origins);
  if (origin === undefined) {
    return refuse(421, "wrong-host", `this page is served only at ${origins.join(", ")}`);
  }
  return badAddress(request) ?? badSender(request, origin);
}

export const originOf = (
  { header }: Pick<PageRequest, "header">,
  origins: readonly string[],
): string | undefined => origins.find((one) => new URL(one).host === header("host"));

function badAddress({ method, url }: PageRequest): Refusal | undefined {
  if (method !== "GET" && method !== "HEAD" && method !== "POST") {
    return refuse(405, "wrong-method", `${method} is not used by the page`);
  }
  if (url.length > URL_MAX_CHARS) return refuse(414, "long-url", "the address is too long");
  // Percent signs, empty parts and dots could mean another path to the next reader.
  const [path = ""] = url.split("?");
  if (!/^\/[\w.\-~/%:@]*$/.test(path) || /%2f|%5c|%00|\/\/|\/\.{1,2}(?:\/|$)/i.test(path)) {
    return refuse(400, "wrong-path", "the path is not one of the page");
  }
  return undefined;
}

function badSender({ method, url, header }: PageRequest, origin: string): Refusal | undefined {
  const from = header("origin");
  if (from !== undefined && from !== origin) {
    return refuse(403, "wrong-origin", `requests from ${from} are refused`);
  }
  const isWrite = method === "POST";
  if (isWrite && from === undefined) {
    return refuse(403, "no-origin", "a request that changes something must name its origin");
  }
  if (isWrite && header("content-type")?.split(";")[0]?.trim() !== "application/json") {
    return refuse(415, "wrong-type", "only application/json is accepted");
  }
  const site = header("sec-fetch-site");
  // Opening the page itself from a link or the address bar is harmless: it holds no data.
  if (site === undefined || site === "same-origin" || opensPage(url, header)) return undefined;
  return refuse(403, "wrong-site", "requests from other sites are refused");
}

const opensPage = (url: string, header: PageRequest["header"]): boolean =>
  url === "/" && header("sec-fetch-mode") === "navigate" && header("sec-fetch-dest") === "document";

const refuse = (status: number, code: string, message: string): Refusal => ({
  status,
  code,
  message,
});
