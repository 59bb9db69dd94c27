// Which hosts a session may reach by name. Pure: names are judged here, addresses after they were
// resolved outside the session (adapters/session-gateway). An address that is written as a number in
// any notation is never a name, so that no rule can match it.

/** `below`: the hosts below it, and not the host itself. */
export type HostRule = {
  host: string;
  below: boolean;
  /** Undefined: 443 and 80. */
  port: number | undefined;
};

export type Target = { host: string; port: number };

/** `what` is wrong, as the end of a sentence about the rule. */
export type ParsedRule = { kind: "rule"; rule: HostRule } | { kind: "wrong"; what: string };

const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
const NAME_MAX = 253;
const PORTS_USUAL: readonly number[] = [443, 80];
const LOOPBACK_NAME = "localhost";

/** `registry.npmjs.org`, `*.example.com`, `git.example.com:2222`, `localhost:4873`. */
export function parseHostRule(text: string): ParsedRule {
  const parts = /^(?<star>\*\.)?(?<name>[^:*/@\s]+)(?::(?<port>\d{1,5}))?$/.exec(text.trim());
  if (parts?.groups === undefined) return wrong("is not a host name with an optional port");
  const { star, name = "", port } = parts.groups;
  const host = hostName(name);
  if (host === undefined) return wrong("is not a host name (IP addresses cannot be allowed)");
  const number = port === undefined ? undefined : portNumber(port);
  if (port !== undefined && number === undefined) return wrong("has an invalid port");
  if (star !== undefined && !host.includes(".")) {
    return wrong("would allow every host of a top-level domain");
  }
  if (isLoopbackName(host) && number === undefined) {
    return wrong("needs a port: it is a service of this machine");
  }
  return { kind: "rule", rule: { host, below: star !== undefined, port: number } };
}

const wrong = (what: string): ParsedRule => ({ kind: "wrong", what });

export function isAllowed(rules: readonly HostRule[], { host, port }: Target): boolean {
  const name = hostName(host);
  if (name === undefined) return false;
  return rules.some((rule) => {
    const isHost = rule.below ? name.endsWith(`.${rule.host}`) : name === rule.host;
    return isHost && (rule.port === undefined ? PORTS_USUAL.includes(port) : rule.port === port);
  });
}

/** In lower case and without the final dot; undefined where it is an address or no name at all. */
export function hostName(text: string): string | undefined {
  const name = text.toLowerCase().replace(/\.$/, "");
  const labels = name.split(".");
  if (name.length > NAME_MAX || !labels.every((label) => LABEL.test(label))) return undefined;
  // As URLs are read: a last part that is a number makes it an IPv4 address, however it is written.
  return /^(?:\d+|0x[0-9a-f]*)$/.test(labels.at(-1) ?? "") ? undefined : name;
}

/** `host:port`, as CONNECT names its target. An address is a target as well, and is never allowed. */
export function parseAuthority(text: string): Target | undefined {
  const parts = /^(?<host>\[[0-9a-f:.%]+\]|[a-z0-9._-]+):(?<port>\d{1,5})$/i.exec(text);
  const port = portNumber(parts?.groups?.["port"] ?? "");
  const host = parts?.groups?.["host"]?.toLowerCase().replace(/\.$/, "");
  return host === undefined || host === "" || port === undefined ? undefined : { host, port };
}

/** As people write it in a rule: the usual ports are left out, unless the rule would need one. */
export const shownTarget = ({ host, port }: Target): string =>
  PORTS_USUAL.includes(port) && !isLoopbackName(host) ? host : `${host}:${port}`;

/** What a rule of that name is allowed to resolve to, which no other name is: this machine itself. */
export const isLoopbackName = (host: string): boolean =>
  host === LOOPBACK_NAME || host.endsWith(`.${LOOPBACK_NAME}`);

function portNumber(text: string): number | undefined {
  const port = Number(text);
  return text !== "" && port >= 1 && port <= 65_535 ? port : undefined;
}

// Where a name leads. A name that is allowed may resolve to anything its owner likes: services of
// this machine and of the link are no part of what was allowed.

const NEVER_V4: readonly RegExp[] = [
  /^0\./,
  /^127\./,
  // Metadata services of clouds answer here.
  /^169\.254\./,
  /^(?:22[4-9]|23\d|24\d|25[0-5])\./,
];

/** `own`: the addresses of this machine. `host`: the name that was asked for. */
export function isReachable(
  address: string,
  { host, own }: { host: string; own: readonly string[] },
): boolean {
  const plain = address.toLowerCase().replace(/%.*$/, "");
  const inner = /^::(?:ffff:)?(?<v4>\d+\.\d+\.\d+\.\d+)$/.exec(plain)?.groups?.["v4"] ?? plain;
  if (isLoopbackName(host)) return inner === "::1" || inner.startsWith("127.");
  if (own.includes(inner) || own.includes(plain)) return false;
  if (!inner.includes(":")) return !NEVER_V4.some((range) => range.test(inner));
  // Loopback, unspecified, mapped in hexadecimal, link-local, multicast, and translated to IPv4.
  return !/^(?:::|fe[89ab]|ff|64:ff9b|2002:)/.test(inner);
}
