import { expect, test } from "vitest";
import { infraCause, type FailedStep } from "./ci-failure.ts";

const step = (name: string, exitCode: number | null, log = ""): FailedStep => ({
  name,
  exitCode,
  log,
});

const INFRASTRUCTURE: [string, FailedStep][] = [
  ["the clone step cannot fetch", step("clone", 128)],
  ["a git step cannot fetch", step("git-fetch", 128)],
  ["a step that is killed", step("test", 137)],
  ["curl cannot connect", step("deps", 7, "curl: (7) Failed to connect to example.org port 443")],
  ["git cannot connect", step("deps", 1, "fatal: unable to access: Could not connect to server")],
  ["a name is unknown", step("deps", 1, "fatal: Could not resolve host: example.org")],
  ["a connection times out", step("deps", 1, "dial tcp 10.0.0.1:443: Connection timed out\nbye")],
  ["a handshake times out", step("deps", 1, "net/http: TLS handshake timeout")],
  ["docker pull times out", step("build", 1, "docker pull node:24: i/o timeout")],
  ["an image cannot be had", step("build", 1, "Error: failed to pull image registry/app:1")],
];

test.each(INFRASTRUCTURE)("the CI infrastructure is to blame where %s", (_, failed) => {
  expect(infraCause([failed])?.message).toContain(`step ${failed.name}`);
});

const CODE: [string, FailedStep][] = [
  ["a test fails", step("test", 1, "1 of 40 tests failed")],
  ["a test exits 128", step("test", 128, "fatal: not a git repository")],
  ["a test ends by another signal", step("test", 139, "segmentation fault")],
  ["a test of timeouts fails", step("test", 1, "expected timeout of 5 s, got 6 s")],
  ["a word only looks alike", step("test", 1, "reconnection timed outside of the window")],
  ["the exit code is unknown", step("test", null)],
  ["trouble was long ago", step("test", 1, `connection timed out\n${"x\n".repeat(300)}`)],
];

test.each(CODE)("the code is to blame where %s", (_, failed) => {
  expect(infraCause([failed])).toBeUndefined();
});

test("only a failure that no change of the code can fix is certain", () => {
  expect(infraCause([step("clone", 128)])?.certain).toBe(true);
  expect(infraCause([step("test", 137)])?.certain).toBe(false);
});

test("one failed step of the CI infrastructure is enough", () => {
  expect(infraCause([step("test", 1), step("clone", 128)])?.message).toContain("clone");
  expect(infraCause([])).toBeUndefined();
});
