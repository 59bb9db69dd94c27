// Requests that an agent hides behind another one, written to its gateway byte for byte: none reaches the
// model unseen, and an address or a Host header leads nowhere else.
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startModelStub } from "../../src/cli/model-stub/server.ts";
import { LIMITS, makeFactory, shellAgent, TEST_GATE } from "../support/pawl.ts";

/** Each way prints every status that comes back; 000 where the connection is closed without one. */
const HIDE = `import { connect } from "node:net";
const { ANTHROPIC_BASE_URL: base, ANTHROPIC_AUTH_TOKEN: token } = process.env;
const { hostname, port, pathname } = new URL(base);
const path = \`\${pathname.replace(/\\/$/, "")}/v1/messages\`;
const body = JSON.stringify({ model: "claude-sonnet-4-5", max_tokens: 9, messages: [{ role: "user", content: "SEEN" }] });
const own = \`authorization: Bearer \${token}\\r\\ncontent-type: application/json\\r\\n\`;
const hidden = \`POST \${path} HTTP/1.1\\r\\nhost: model\\r\\n\${own}content-length: \${body.length}\\r\\n\\r\\n\${body.replace("SEEN", "HIDDEN")}\`;
const ways = {
  "two ways to say a length": \`POST \${path} HTTP/1.1\\r\\nhost: model\\r\\n\${own}content-length: 5\\r\\ntransfer-encoding: chunked\\r\\n\\r\\n0\\r\\n\\r\\n\${hidden}\`,
  "two lengths": \`POST \${path} HTTP/1.1\\r\\nhost: model\\r\\n\${own}content-length: 0\\r\\ncontent-length: \${hidden.length}\\r\\n\\r\\n\${hidden}\`,
  "another server in the address": \`POST http://elsewhere.test\${path} HTTP/1.1\\r\\nhost: elsewhere.test\\r\\n\${own}connection: close\\r\\ncontent-length: \${body.length}\\r\\n\\r\\n\${body}\`,
};
for (const [name, text] of Object.entries(ways)) {
  const said = await new Promise((resolve) => {
    let all = "";
    const socket = connect(Number(port), hostname, () => socket.write(text));
    socket.on("data", (chunk) => (all += chunk)).on("error", () => {}).on("close", () => resolve(all));
  });
  const codes = [...said.matchAll(/HTTP\\/1.1 (\\d+)/g)].map(([, code]) => code);
  console.log(\`\${name}: \${codes.join(" ") || "000"}\`);
}
`;

const AGENT = `node hide.mjs > said.txt 2>&1
git add -A && git commit -qm Hide && echo PHASE:done > "$PAWL_PHASE_FILE"
`;

test("no request that is hidden behind another one reaches the model, and no address leads past the gateway", async () => {
  await using stub = await startModelStub().then((started) => ({
    ...started,
    [Symbol.asyncDispose]: () => started.close(),
  }));
  await using factory = await makeFactory({
    config: `${shellAgent()}[gateway]\nkeys = ["work"]\n${TEST_GATE}${LIMITS}`,
    files: { "agent.sh": AGENT, "hide.mjs": HIDE, "test.sh": "true\n" },
  });
  writeFileSync(
    join(factory.home, "factory.toml"),
    `[gateway.keys.work]\nprovider = "anthropic"\nvariable = "WORK_KEY"\nurl = "${stub.url}"\n`,
  );
  const secrets = join(factory.home, ".env");
  writeFileSync(secrets, "WORK_KEY=key-of-the-owner-0123456789\n");
  chmodSync(secrets, 0o600);
  await factory.addIssue({ title: "Hide" });
  await factory.ok("run", "--until-idle");
  // A parser that refuses what it cannot read says 400, or nothing; the last one goes to the model's own server.
  expect(factory.git("show", "main:said.txt")).toMatch(
    /^two ways to say a length: (?:400|000)\ntwo lengths: (?:400|000)\nanother server in the address: 200$/,
  );
  const asked = stub.requests.map(({ body }) => JSON.stringify(body.messages));
  expect(asked).toHaveLength(1);
  expect(asked[0]).toContain("SEEN");
});
