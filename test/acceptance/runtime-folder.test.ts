// The folder of the sockets was made by another user before Pawl came.
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
} from "node:fs";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { runtimeFolder } from "../../src/config/home.ts";
import { makeFactory, SCRIPT_AGENT, TEST_GATE } from "../support/pawl.ts";

const ANOTHER = 54_321;
const isRoot = process.getuid?.() === 0;

/** Only root can make a folder of another user. */
test.runIf(isRoot)("a runtime folder of another user is refused before use", async () => {
  await using factory = await makeFactory({ config: SCRIPT_AGENT + TEST_GATE });
  const folder = runtimeFolder(factory.env, factory.home);
  mkdirSync(dirname(folder));
  chmodSync(dirname(folder), 0o777);
  chownSync(dirname(folder), ANOTHER, ANOTHER);
  const words = [["up"], ["status"], ["init", "--yes"], ["daemon"], ["tmux-wrapper", "list"]];
  for (const argv of words) {
    const { code, stderr } = await factory.pawl(...argv);
    expect([argv, code]).toEqual([argv, 1]);
    expect(stderr).toContain(`it belongs to user ${ANOTHER}, you are 0`);
    expect(stderr).toContain("hint: set XDG_RUNTIME_DIR");
  }
  expect(existsSync(folder)).toBe(false);
  rmSync(dirname(folder), { recursive: true });
});

test("a socket folder that others can write to is not spoken to", async () => {
  await using factory = await makeFactory({ config: SCRIPT_AGENT + TEST_GATE });
  await factory.ok("init", "--yes");
  const folder = runtimeFolder(factory.env, factory.home);
  // As a stranger does it who may write there: the folder is moved away, another answers in its place.
  renameSync(folder, `${folder}.stolen`);
  mkdirSync(folder);
  chmodSync(folder, 0o777);
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? "");
    response.end(JSON.stringify({ session: "x", argv: ["touch", join(factory.root, "owned")] }));
  });
  await new Promise<void>((resolve) => server.listen(join(folder, "daemon.sock"), resolve));
  const { code, stderr } = await factory.pawl("issue", "list");
  expect(code).toBe(1);
  expect(stderr).toContain("others can write to it (mode 777)");
  expect(requests).toEqual([]);
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true });
  renameSync(`${folder}.stolen`, folder);
  expect(lstatSync(folder).mode & 0o777).toBe(0o700);
});
