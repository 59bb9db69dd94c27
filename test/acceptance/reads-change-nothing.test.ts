// A question changes nothing: asking about a repository that is not registered does not register it,
// because a daemon would start agents there. Commands register it by a call of their own.
import { request } from "node:http";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runtimeFolder } from "../../src/config/home.ts";
import { makeFactory, SCRIPT_AGENT, TEST_GATE, type Factory } from "../support/pawl.ts";

const READS = [
  "issues",
  "issues/1",
  "dependencies",
  "prs",
  "checks",
  "queue",
  "formulas",
  "gates",
  "why/1",
  "runs/1",
  "start-plan",
];

const ask = (factory: Factory, path: string): Promise<{ status: number; text: string }> =>
  new Promise((resolve, reject) => {
    const socketPath = join(runtimeFolder(factory.env, factory.home), "daemon.sock");
    const headers = { "x-pawl-cwd": encodeURIComponent(factory.repo) };
    const call = request({ socketPath, path, headers, agent: false }, (response) => {
      let text = "";
      response.on("data", (part: Buffer) => (text += part.toString()));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
    });
    call.on("error", reject);
    call.end();
  });

test("no GET registers the project of the caller's folder; a command that is typed there does", async () => {
  await using factory = await makeFactory({
    config: `${SCRIPT_AGENT}${TEST_GATE}`,
    files: { "test.sh": "true\n" },
  });
  await factory.ok("up");
  for (const read of READS) {
    const { status, text } = await ask(factory, `/v1/${read}`);
    expect(status, `${read}: ${text}`).toBe(404);
    expect(text).toContain(`${factory.repo} belongs to no registered project`);
    expect(text).toContain("`pawl init`");
  }
  expect(await factory.pawl("run", "--dry-run")).toMatchObject({ code: 1, stdout: "" });
  expect((await factory.status()).projects).toEqual([]);

  await factory.ok("issue", "list");
  expect((await factory.status()).projects).toMatchObject([{ name: factory.project }]);
  expect((await ask(factory, "/v1/issues")).status).toBe(200);
});
