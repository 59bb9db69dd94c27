// `network = "hosts"` inside the walls, through the commands a user types: named hosts are reached
// through the session's proxy, everything else is refused, and a person's answer opens a host.
import { mkdtempSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { startModelStub } from "../../src/cli/model-stub/server.ts";
import { makeOtherHosts, noOtherHosts } from "../support/other-hosts.ts";
import { HOST_ESCAPES } from "../support/escapes.ts";
import { LIMITS, makeFactory, shellAgent, TEST_GATE } from "../support/pawl.ts";

const AGENT = `
code() { curl -s -m 10 -o /dev/null -w '%{http_code}' "$@" || true; }
try() { name=$1; shift; printf '%s: %s\\n' "$name" "$(code "$@")" >> results.txt; }
raw() { node -e 'const { hostname, port } = new URL(process.env.http_proxy); let said = ""; const socket = require("net").connect(Number(port), hostname, () => socket.write(process.argv[1].replaceAll("\\\\r\\\\n", "\\r\\n"))); const end = () => { console.log([...said.matchAll(/HTTP\\/1.1 (\\d+)/g)].map(([, code]) => code).join(" ") || "000"); process.exit(); }; socket.on("data", (chunk) => (said += chunk)).on("close", end).on("error", end)' "$1"; }
try_raw() { printf '%s: %s\\n' "$1" "$(raw "$2")" >> results.txt; }
land() { git add -A && git commit -qm "Work on $PAWL_NAME" && echo PHASE:done > "$PAWL_PHASE_FILE"; }
case $PAWL_NAME in
1)
  try allowed http://allowed.test/
  try "below a star" http://a.b.stars.test/
  try "allowed by CONNECT" -p http://allowed.test/
  try "in capitals, with a final dot" http://Allowed.TEST./
${HOST_ESCAPES.map(({ name, asks, isRaw }) =>
  isRaw === true ? `  try_raw "${name}" '${asks}'` : `  try "${name}" ${asks}`,
).join("\n")}
  land ;;
*)
  until [ "$(code http://late.test/)" = 200 ]; do sleep 0.1; done
  curl -s http://late.test/ > late.txt; land ;;
esac
`;

test.skipIf(noOtherHosts !== undefined)(
  'with network = "hosts", agents reach the named hosts alone; an answer opens another',
  async () => {
    const root = mkdtempSync("/tmp/pawl-net-");
    await using stub = await closing();
    await using hosts = await makeOtherHosts(
      root,
      ["allowed.test", "other.test", "a.b.stars.test", "late.test"],
      { "rebinding.test": "127.0.0.1" },
    );
    const other = hosts.addressOf("other.test");
    const number = other.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
    const agent = AGENT.replaceAll("OTHER.test", "Other.TEST")
      .replaceAll("OTHER", other)
      .replaceAll("NUMBER", String(number))
      .replaceAll("ALLOWED", hosts.addressOf("allowed.test"))
      .replaceAll("PORT", new URL(stub.url).port);
    await using factory = await makeFactory({
      config: `${shellAgent()}[isolation]\nmode = "bwrap"\nnetwork = "hosts"\nhosts = ["allowed.test", "*.stars.test", "rebinding.test"]\n${TEST_GATE}${LIMITS}`,
      files: { "agent.sh": agent, "test.sh": "true\n" },
      env: { PATH: `${hosts.path}:${dirname(process.execPath)}:${process.env["PATH"] ?? ""}` },
    });
    await factory.register();
    factory.background("daemon");
    await factory.until("the daemon serves", async () => (await factory.status()).daemon !== null);
    await factory.addIssue({ title: "Try everything" });
    await factory.until("it has landed", async () => factory.subjects().includes("Work on 1"));
    expect(factory.git("show", "main:results.txt").split("\n")).toEqual([
      "allowed: 200",
      "below a star: 200",
      "allowed by CONNECT: 200",
      "in capitals, with a final dot: 200",
      ...HOST_ESCAPES.map(({ name, answer }) => `${name}: ${answer}`),
    ]);

    const late = await factory.addIssue({ title: "Ask for one more" });
    await factory.until("a person is asked", async () => {
      const { needs_you: asked } = await factory.runOf(late);
      return asked?.includes("tried to reach late.test") === true;
    });
    expect(await factory.ok("why", String(late))).toContain(
      "host late.test: refused; you have not answered yet",
    );
    await factory.ok("escalation", "answer", String(late), "allow");
    await factory.until("it has landed", async () =>
      factory.subjects().includes(`Work on ${late}`),
    );
    expect(factory.git("show", "main:late.txt")).toBe("this is late.test for late.test");
    rmSync(root, { recursive: true, force: true });
  },
);

/** A service of this machine, which no session may reach. */
async function closing() {
  const stub = await startModelStub();
  return { url: stub.url, [Symbol.asyncDispose]: () => stub.close() };
}
