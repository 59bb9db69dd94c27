import { describe, expect, test } from "vitest";
import {
  hostName,
  isAllowed,
  isReachable,
  parseAuthority,
  parseHostRule,
  shownTarget,
  type HostRule,
} from "./host-rules.ts";

const rule = (text: string): HostRule => {
  const parsed = parseHostRule(text);
  if (parsed.kind === "wrong") throw new Error(parsed.what);
  return parsed.rule;
};

const RULES = ["registry.npmjs.org", "*.example.com", "git.example.net:2222", "localhost:4873"].map(
  rule,
);

describe("what a rule may be", () => {
  test.each([
    ["registry.npmjs.org", { host: "registry.npmjs.org", below: false, port: undefined }],
    ["Registry.NPMJS.org.", { host: "registry.npmjs.org", below: false, port: undefined }],
    ["*.example.com", { host: "example.com", below: true, port: undefined }],
    ["git.example.net:2222", { host: "git.example.net", below: false, port: 2222 }],
  ])("%s is a rule", (text, expected) => {
    expect(rule(text)).toEqual(expected);
  });

  test.each([
    ["", "not a host name"],
    ["*", "not a host name"],
    ["*.com", "every host of a top-level domain"],
    ["a.*.com", "not a host name"],
    ["https://example.com", "not a host name"],
    ["user@example.com", "not a host name"],
    ["example.com/path", "not a host name"],
    ["example.com:0", "invalid port"],
    ["example.com:65536", "invalid port"],
    ["10.0.0.1", "addresses cannot be allowed"],
    ["0x7f.1", "addresses cannot be allowed"],
    ["2130706433", "addresses cannot be allowed"],
    ["[::1]:80", "not a host name"],
    ["localhost", "needs a port"],
    ["exa mple.com", "not a host name"],
    ["exämple.com", "addresses cannot be allowed"],
  ])("%s is refused: %s", (text, what) => {
    expect(parseHostRule(text)).toEqual({ kind: "wrong", what: expect.stringContaining(what) });
  });
});

describe("what is allowed", () => {
  test.each([
    ["registry.npmjs.org", 443],
    ["REGISTRY.npmjs.org.", 80],
    ["a.example.com", 443],
    ["a.b.example.com", 443],
    ["git.example.net", 2222],
    ["localhost", 4873],
  ])("%s:%d", (host, port) => {
    expect(isAllowed(RULES, { host, port })).toBe(true);
  });

  test.each([
    ["the host above a star", "example.com", 443],
    ["a name that only ends alike", "evilexample.com", 443],
    ["a name that only begins alike", "registry.npmjs.org.evil.test", 443],
    ["another port", "registry.npmjs.org", 22],
    ["the usual port, where another is allowed", "git.example.net", 443],
    ["another port of this machine", "localhost", 80],
    ["IPv4", "104.16.0.1", 443],
    ["IPv4 as one number", "1745879041", 443],
    ["IPv4 in hexadecimal", "0x68100001", 443],
    ["IPv4 with few parts", "104.1048577", 443],
    ["IPv4 in octal", "0150.020.0.01", 443],
    ["IPv6", "[::1]", 443],
    ["a name with a NUL", "registry.npmjs.org\0.example.com", 443],
    ["an empty label", "..example.com", 443],
    ["white space", " a.example.com", 443],
    ["a percent escape", "a%2eexample.com", 443],
    ["a full-width dot", "a。example.com", 443],
    ["nothing", "", 443],
  ])("not %s (%j:%d)", (_, host, port) => {
    expect(isAllowed(RULES, { host, port })).toBe(false);
  });

  test("nothing, where no rule is there", () => {
    expect(isAllowed([], { host: "example.com", port: 443 })).toBe(false);
  });
});

describe("what CONNECT may name", () => {
  test.each([
    ["Example.com:443", { host: "example.com", port: 443 }],
    ["10.0.0.1:80", { host: "10.0.0.1", port: 80 }],
    ["[::1]:80", { host: "[::1]", port: 80 }],
  ])("%s", (text, expected) => {
    expect(parseAuthority(text)).toEqual(expected);
  });

  test.each([
    "example.com",
    "example.com:",
    "example.com:0",
    "example.com:99999",
    "a@b:443",
    "a:80:443",
    "http://a:80",
    ":443",
    "",
    "a b:80",
  ])("not %j", (text) => {
    expect(parseAuthority(text)).toBeUndefined();
  });
});

describe("where a name may lead", () => {
  const own = ["192.0.2.7", "2001:db8::7"];
  test.each(["192.0.2.8", "10.1.2.3", "2001:db8::8", "172.16.0.1"])("to %s", (address) => {
    expect(isReachable(address, { host: "a.example.com", own })).toBe(true);
  });

  test.each([
    "127.0.0.1",
    "127.9.9.9",
    "0.0.0.0",
    "169.254.169.254",
    "224.0.0.1",
    "255.255.255.255",
    "192.0.2.7",
    "2001:db8::7",
    "::",
    "::1",
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "::127.0.0.1",
    "fe80::1%eth0",
    "ff02::1",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
  ])("not to %s", (address) => {
    expect(isReachable(address, { host: "a.example.com", own })).toBe(false);
  });

  test("localhost leads to this machine only", () => {
    expect(isReachable("127.0.0.1", { host: "localhost", own })).toBe(true);
    expect(isReachable("::1", { host: "localhost", own })).toBe(true);
    expect(isReachable("192.0.2.8", { host: "localhost", own })).toBe(false);
  });
});

test("targets are shown as they are written in a rule", () => {
  expect(shownTarget({ host: "a.test", port: 443 })).toBe("a.test");
  expect(shownTarget({ host: "a.test", port: 8443 })).toBe("a.test:8443");
  expect(shownTarget({ host: "localhost", port: 80 })).toBe("localhost:80");
  expect(hostName("A.Test.")).toBe("a.test");
});
