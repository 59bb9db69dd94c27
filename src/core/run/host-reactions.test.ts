import { expect, test } from "vitest";
import { contextAt, escalated, testRun, testSession } from "../../../test/support/run.ts";
import { answered } from "./escalate.ts";
import { hostRefused, raiseHost } from "./host-reactions.ts";
import { allowedHosts } from "./refused-hosts.ts";
import type { Run } from "./run.ts";

const refused = (host: string) => ({ kind: "refused-host", host, why: "not in hosts" }) as const;
const live = (changes: Partial<Run> = {}): Run =>
  testRun({ session: testSession(), stage: { kind: "working" }, ...changes });

test("a person is asked about a refused host once per run, however often it is tried", () => {
  const context = contextAt(5);
  const run = hostRefused(live(), refused("pypi.org"), context);
  expect(run.stage).toMatchObject({ kind: "escalated", escalation: { host: "pypi.org" } });
  expect(run.hosts).toEqual([{ host: "pypi.org", why: "not in hosts", at: 5, status: "asked" }]);
  const back: Run = { ...run, stage: { kind: "working" } };
  expect(hostRefused(back, refused("pypi.org"), contextAt(6))).toBe(back);
  expect(raiseHost(back, contextAt(7))).toBe(back);
});

test("a host that is refused while another question is open is asked about afterwards", () => {
  const busy = hostRefused(live({ stage: escalated() }), refused("pypi.org"), contextAt());
  expect(busy.hosts).toMatchObject([{ status: "open" }]);
  const free = raiseHost({ ...busy, stage: { kind: "working" } }, contextAt());
  expect(free.stage).toMatchObject({ kind: "escalated", escalation: { host: "pypi.org" } });
});

test.each([
  "192.0.2.1",
  "[2001:db8::1]:8443",
  "2130706433",
  "localhost",
  "leads.test",
  "below.leads.test",
])("no person is asked about %s, because no answer can allow it", (host) => {
  const run = live();
  const isolation = {
    mode: "bwrap",
    network: "hosts",
    hosts: ["leads.test", "*.leads.test"],
    read: [],
    write: [],
    devices: [],
    tmpMb: 1,
  } as const;
  const walled = { ...run, config: { ...run.config, isolation } } as unknown as Run;
  const refusedOnce = hostRefused(walled, refused(host), contextAt());
  expect(refusedOnce.hosts).toMatchObject([{ host, status: "never" }]);
  expect(refusedOnce.stage).toEqual({ kind: "working" });
});

test.each(["allow", "Allow it", " yes"])("the answer %j opens the host for the run", (text) => {
  const asked = hostRefused(live(), refused("pypi.org:8443"), contextAt());
  const run = answered(asked, { by: "ada", text }, contextAt());
  expect(allowedHosts(run)).toEqual(["pypi.org:8443"]);
  expect(run.stage.kind).toBe("working");
  expect(run.messages.at(-1)?.text).toContain("You may reach pypi.org:8443 now");
});

test("any other answer keeps it closed, and its words reach the agent", () => {
  const asked = hostRefused(live(), refused("pypi.org"), contextAt());
  const run = answered(asked, { by: "ada", text: "Use the vendored copy." }, contextAt());
  expect(allowedHosts(run)).toEqual([]);
  expect(run.messages.at(-1)?.text).toMatch(/may not reach pypi\.org.*Use the vendored copy\./s);
});

test("a session that tries many names fills no journal", () => {
  let run = live();
  for (let number = 0; number < 80; number += 1) {
    run = hostRefused(run, refused(`h${number}.test`), contextAt());
  }
  expect(run.hosts).toHaveLength(50);
});
