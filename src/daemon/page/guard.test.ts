import { expect, test } from "vitest";
import { refusal } from "./guard.ts";
import { bodyFor, mayUse, scopeNeeded } from "./rights.ts";

const ORIGIN = "http://127.0.0.1:4321";
/** As factory.toml allows it, for a proxy with TLS. */
const ELSEWHERE = "https://box.example.ts.net";

type Given = { method?: string; url?: string; headers?: Record<string, string> };

const codeFor = ({ method = "GET", url = "/v1/status", headers = {} }: Given) => {
  const all: Record<string, string> = { host: "127.0.0.1:4321", ...headers };
  return refusal({ method, url, header: (name) => all[name] }, [ORIGIN, ELSEWHERE])?.code;
};
const post = (headers: Record<string, string>): Given => ({
  method: "POST",
  headers: { origin: ORIGIN, "content-type": "application/json", ...headers },
});

test("the page's own requests pass", () => {
  expect(codeFor({})).toBeUndefined();
  expect(codeFor(post({ "sec-fetch-site": "same-origin" }))).toBeUndefined();
  expect(codeFor({ headers: { "sec-fetch-site": "same-origin", origin: ORIGIN } })).toBeUndefined();
});

test("requests through a proxy that factory.toml names pass at exactly that origin", () => {
  const host = "box.example.ts.net";
  expect(codeFor({ headers: { host } })).toBeUndefined();
  expect(codeFor(post({ host, origin: ELSEWHERE }))).toBeUndefined();
  const socket = { host, origin: ELSEWHERE, "sec-fetch-site": "same-origin" };
  expect(codeFor({ url: "/terminal", headers: socket })).toBeUndefined();
});

test("the page may be opened from the address bar and from a link on another site", () => {
  for (const site of ["none", "cross-site"]) {
    const headers = {
      "sec-fetch-site": site,
      "sec-fetch-mode": "navigate",
      "sec-fetch-dest": "document",
    };
    expect(codeFor({ url: "/", headers })).toBeUndefined();
    expect(codeFor({ url: "/v1/status", headers })).toBe("wrong-site");
  }
});

const HOSTILE: [string, Given, string][] = [
  ["a rebound name", { headers: { host: "evil.example:4321" } }, "wrong-host"],
  ["localhost instead of the address", { headers: { host: "localhost:4321" } }, "wrong-host"],
  ["another port", { headers: { host: "127.0.0.1:4322" } }, "wrong-host"],
  ["no port", { headers: { host: "127.0.0.1" } }, "wrong-host"],
  ["an empty host", { headers: { host: "" } }, "wrong-host"],
  ["two hosts", { headers: { host: "127.0.0.1:4321, evil.example" } }, "wrong-host"],
  ["a name below the proxy's", { headers: { host: "x.box.example.ts.net" } }, "wrong-host"],
  ["the proxy's name with a port", { headers: { host: "box.example.ts.net:80" } }, "wrong-host"],
  [
    "the proxy's host without TLS",
    { headers: { host: "box.example.ts.net", origin: "http://box.example.ts.net" } },
    "wrong-origin",
  ],
  [
    "the proxy's host with the local origin",
    post({ host: "box.example.ts.net", origin: ORIGIN }),
    "wrong-origin",
  ],
  ["the local host with the proxy's origin", post({ origin: ELSEWHERE }), "wrong-origin"],
  [
    "a write through the proxy without origin",
    { method: "POST", headers: { host: "box.example.ts.net" } },
    "no-origin",
  ],
  ["a foreign origin", { headers: { origin: "https://evil.example" } }, "wrong-origin"],
  ["an origin of another port", { headers: { origin: "http://127.0.0.1:3000" } }, "wrong-origin"],
  ["https instead of http", { headers: { origin: "https://127.0.0.1:4321" } }, "wrong-origin"],
  ["the origin null", { headers: { origin: "null" } }, "wrong-origin"],
  ["an origin that begins like ours", { headers: { origin: `${ORIGIN}.evil` } }, "wrong-origin"],
  ["a write without origin", { method: "POST" }, "no-origin"],
  ["a form", post({ "content-type": "application/x-www-form-urlencoded" }), "wrong-type"],
  ["plain text", post({ "content-type": "text/plain" }), "wrong-type"],
  ["a write without type", post({ "content-type": "" }), "wrong-type"],
  ["a request of another site", { headers: { "sec-fetch-site": "cross-site" } }, "wrong-site"],
  ["one of another port here", { headers: { "sec-fetch-site": "same-site" } }, "wrong-site"],
  ["a write of another port here", post({ "sec-fetch-site": "same-site" }), "wrong-site"],
  ["PUT", { method: "PUT" }, "wrong-method"],
  ["DELETE", { method: "DELETE" }, "wrong-method"],
  ["OPTIONS, which asks for CORS", { method: "OPTIONS" }, "wrong-method"],
  ["CONNECT", { method: "CONNECT" }, "wrong-method"],
  ["a path that climbs", { url: "/../etc/passwd" }, "wrong-path"],
  ["a path that climbs encoded", { url: "/v1/%2e%2e%2fstatus" }, "wrong-path"],
  ["an encoded backslash", { url: "/v1/..%5cstatus" }, "wrong-path"],
  ["a zero byte", { url: "/v1/status%00" }, "wrong-path"],
  ["an empty part", { url: "//evil.example/v1/status" }, "wrong-path"],
  ["a whole address", { url: "http://evil.example/v1/status" }, "wrong-path"],
  ["a backslash", { url: "/v1\\status" }, "wrong-path"],
  ["a very long address", { url: `/v1/status?${"a".repeat(3000)}` }, "long-url"],
  [
    "a frame",
    {
      url: "/",
      headers: {
        "sec-fetch-site": "cross-site",
        "sec-fetch-mode": "navigate",
        "sec-fetch-dest": "iframe",
      },
    },
    "wrong-site",
  ],
];

test.for(HOSTILE)("%s is refused", ([, given, code]) => {
  expect(codeFor(given)).toBe(code);
});

test("a device may call what its scope includes, and nothing that is not listed", () => {
  expect(scopeNeeded("GET", "/v1/status")).toBe("view");
  expect(scopeNeeded("POST", "/v1/runs/1.1/answer")).toBe("answer");
  expect(scopeNeeded("POST", "/v1/runs/1.1/stop")).toBe("operate");
  for (const path of ["/v1/daemon/stop", "/v1/projects", "/v1/page/links", "/v1/runs/a/b/stop"]) {
    expect(scopeNeeded("POST", path)).toBeUndefined();
  }
  expect(scopeNeeded("GET", "/v1/page/devices")).toBeUndefined();
  expect(mayUse("view", "answer")).toBe(false);
  expect(mayUse("operate", "view")).toBe(true);
});

test("a browser cannot choose where a checkpoint is restored to", () => {
  const hostile = { to: "/root/.ssh", into_workspace: true };
  expect(bodyFor("/v1/checkpoints/dev-1/3/restore", hostile)).toEqual({});
  expect(bodyFor("/v1/queue/pause", { why: "a look" })).toEqual({ why: "a look" });
});
