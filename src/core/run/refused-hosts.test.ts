import { expect, test } from "vitest";
import { testRun } from "../../../test/support/run.ts";
import { hostAnswered, withHost } from "./refused-hosts.ts";
import { allowedHosts } from "./run.ts";

const HOSTS = (["a.test", "b.test"] as const).map((host) => ({
  host,
  why: "not in hosts",
  at: 1,
  status: "asked" as const,
}));

test("only the host that was answered about changes", () => {
  const { run, told } = hostAnswered(testRun({ hosts: HOSTS }), { host: "b.test", text: "allow" });
  expect(run.hosts?.map(({ status }) => status)).toEqual(["asked", "allowed"]);
  expect(allowedHosts(run)).toEqual(["b.test"]);
  expect(told).toContain("b.test");
});

test("a run without refused hosts may reach none besides the configured ones", () => {
  expect(allowedHosts(testRun())).toEqual([]);
  expect(withHost(testRun(), "a.test", { status: "allowed" }).hosts).toEqual([]);
});
