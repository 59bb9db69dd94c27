// The gateway to the model, through the commands a user types: the key stays outside the session,
// every request is counted, a budget stops the next one, and a 429 pauses the key for all sessions.
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { CostsView } from "../../src/api/costs.ts";
import { startModelStub, type ModelStub } from "../../src/cli/model-stub/server.ts";
import { LIMITS, makeFactory, shellAgent, TEST_GATE, type Factory } from "../support/pawl.ts";
import { WALLS } from "../support/walls.ts";

const SECRET = "key-of-the-owner-0123456789";

/** Asks its model by the variables that it was given, as every client does. */
const ASK = `import { appendFileSync } from "node:fs";
const { ANTHROPIC_BASE_URL: url, ANTHROPIC_AUTH_TOKEN: token } = process.env;
const [text, times = "1", way = "streamed"] = process.argv.slice(2);
for (let number = 0; number < Number(times); number += 1) {
  const response = await fetch(\`\${url}/v1/messages\`, {
    method: "POST",
    headers: { authorization: \`Bearer \${token}\`, "content-type": "application/json" },
    body: JSON.stringify({
      model: "claude-sonnet-4-5",
      max_tokens: 100,
      stream: way === "streamed",
      tools: [{ name: "Bash", input_schema: {} }],
      messages: [{ role: "user", content: text }],
    }),
  });
  const body = await response.text();
  appendFileSync(process.env.ANSWERS, \`\${response.status} \${body.replaceAll("\\n", " ")}\\n\`);
}
`;

const PREPARED = `spool() { printf '%s' "$1" > "$PAWL_SPOOL/tmp/$$" && mv "$PAWL_SPOOL/tmp/$$" "$PAWL_SPOOL/new/$$-$(date +%s%N).json"; }
land() { echo "$PAWL_NAME" > "work-$PAWL_NAME" && git add "work-$PAWL_NAME" && git commit -qm "Work on $PAWL_NAME" && echo PHASE:done > "$PAWL_PHASE_FILE"; }
`;

type World = { factory: Factory; stub: ModelStub; answers: () => string[] };

async function makeGateway(script: string, config = ""): Promise<World & AsyncDisposable> {
  const stub = await startModelStub();
  const factory = await makeFactory({
    config: `${shellAgent(`[agent.env]\nANSWERS = "ANSWERS_FILE"\n`)}[gateway]\nkeys = ["work"]\n${TEST_GATE}${LIMITS}${config}`,
    files: { "agent.sh": `${PREPARED}${script}`, "ask.mjs": ASK, "test.sh": "true\n" },
  });
  const file = join(factory.root, "answers");
  factory.commit({
    "pawl.toml": factory.read("repo", "pawl.toml").replace("ANSWERS_FILE", file),
  });
  writeFileSync(
    join(factory.home, "factory.toml"),
    `[gateway.keys.work]\nprovider = "anthropic"\nvariable = "WORK_KEY"\nurl = "${stub.url}"\n`,
  );
  const secrets = join(factory.home, ".env");
  writeFileSync(secrets, `WORK_KEY=${SECRET}\n`);
  chmodSync(secrets, 0o600);
  return {
    factory,
    stub,
    answers: () => readFileSync(file, "utf8").trim().split("\n"),
    [Symbol.asyncDispose]: async () => {
      await factory[Symbol.asyncDispose]();
      await stub.close();
    },
  };
}

test("an agent asks through the gateway without ever having the key, and what it used is exact", async () => {
  await using world = await makeGateway(
    'env > "$ANSWERS.env"; node ask.mjs "[[usage: 30000 40]] [[text: hello]]" 2; land',
  );
  const { factory, stub } = world;
  await factory.addIssue({ title: "Ask" });
  await factory.ok("run", "--until-idle");
  expect(world.answers()).toEqual([
    expect.stringMatching(/^200 .*hello/),
    expect.stringMatching(/^200 /),
  ]);
  expect(stub.keys).toEqual([SECRET, SECRET]);
  expect(factory.read("answers.env")).not.toContain(SECRET);
  const { rows, total } = JSON.parse(
    await factory.ok("costs", "--by", "model", "--json"),
  ) as CostsView;
  expect(total).toMatchObject({ input_tokens: 60_000, output_tokens: 80 });
  expect(rows).toMatchObject([{ key: "claude-sonnet-4-5" }]);
  expect(total.cost_usd).toBeCloseTo((60_000 * 3 + 80 * 15) / 1e6);
  expect(factory.subjects()).toContain("Work on 1");
  // Neither keys nor sockets outlive the session.
  expect(readdirSync(join(dirname(factory.socket), "s"))).toEqual([]);
  const found = spawnSync("grep", ["-rl", SECRET, factory.home], { encoding: "utf8" });
  expect(found.stdout.trim().split("\n")).toEqual([join(factory.home, ".env")]);
});

test("a request that the end of its session cuts off is counted, because the provider may charge for it", async () => {
  await using world = await makeGateway(
    'node ask.mjs "[[slow-until: $ANSWERS.never]] a question that is never answered" 1 whole',
  );
  const { factory, stub } = world;
  await factory.addIssue({ title: "Ask" });
  await factory.ok("up");
  await factory.until("the model is asked", async () => stub.requests.length === 1);
  await factory.ok("stop", "1");
  await factory.until("its agent has ended", async () => !(await factory.runOf(1)).alive);
  const { total } = JSON.parse(await factory.ok("costs", "--json")) as CostsView;
  expect(total.input_tokens).toBeGreaterThan(0);
});

test("a budget stops the request after the one that spent it, and a person is asked", async () => {
  await using world = await makeGateway(
    // It goes when it is asked to hand over, so that every request of its own has been answered.
    'node ask.mjs "[[usage: 6000 0]]" 6; until ls "$PAWL_INBOX"/new/*.md > /dev/null 2>&1; do sleep 0.05; done',
    "[budget]\nrun = { tokens = 10_000 }\n",
  );
  const { factory, stub } = world;
  await factory.addIssue({ title: "Spend" });
  const { code, stderr } = await factory.pawl("run", "--until-idle");
  expect([code, stderr]).toEqual([
    8,
    expect.stringMatching(/budget: run spent 12,0\d\d of 10,000/),
  ]);
  expect(stub.requests).toHaveLength(2);
  const refused = world.answers().slice(2);
  expect(refused).toHaveLength(4);
  expect(refused.every((one) => /^403 .*Pawl stopped this request/.test(one))).toBe(true);
});

test("a budget in dollars counts by the prices that the user wrote", async () => {
  await using world = await makeGateway(
    'node ask.mjs "[[usage: 6000 0]]" 4; sleep 1000',
    'hand_off = "1 s"\n[budget]\nrun = { usd = 10 }\n[[price]]\nmodel = "claude-sonnet-4-5"\ninput = 1_000\noutput = 0\n',
  );
  const { factory, stub } = world;
  await factory.addIssue({ title: "Spend" });
  expect(await factory.pawl("run", "--until-idle")).toMatchObject({
    code: 8,
    stderr: expect.stringMatching(/budget: run spent .*12/),
  });
  expect(stub.requests).toHaveLength(2);
});

test("a 429 of one session keeps every session of the key from asking, and resumes by itself", async () => {
  await using world = await makeGateway(
    // No agent is started while the key is limited: the other one has begun before it is.
    `if [ "$PAWL_NAME" = 1 ]; then
       until [ -e "$ANSWERS.begun" ]; do sleep 0.05; done
       node ask.mjs "[[error-once: 429 rate_limit_error slow down]][[header: retry-after 15]]"; touch "$ANSWERS.limited"
     else
       touch "$ANSWERS.begun"
       until [ -e "$ANSWERS.limited" ]; do sleep 0.05; done
     fi
     node ask.mjs "asked by $PAWL_NAME while it is limited"
     sleep 16
     node ask.mjs "asked by $PAWL_NAME afterwards"; land`,
  );
  const { factory, stub } = world;
  for (const title of ["One", "Two"]) await factory.addIssue({ title });
  await factory.ok("run", "--until-idle");
  const asked = stub.requests.map(({ body }) => JSON.stringify(body.messages));
  expect(asked.filter((text) => text.includes("while it is limited"))).toEqual([]);
  expect(asked.filter((text) => text.includes("afterwards"))).toHaveLength(2);
  expect(world.answers().filter((one) => one.startsWith("429 "))).toHaveLength(3);
  // Both runs know of it, also the one that met the limit of the other.
  for (const number of [1, 2]) {
    const { warnings } = await factory.runOf(number);
    expect(warnings.join("\n")).toContain("key work: 429: slow down");
  }
});

test("a session's gateway refuses requests without its token, and everything but questions to models", async () => {
  await using world = await makeGateway(
    `base=$ANTHROPIC_BASE_URL
     for path in v1/messages/batches v1/files; do
       curl -s -o /dev/null -w '%{http_code}\\n' -H "x-api-key: $ANTHROPIC_AUTH_TOKEN" -d '{}' "$base/$path" >> "$ANSWERS"
     done
     curl -s -o /dev/null -w '%{http_code}\\n' -H "x-api-key: guessed" -d '{}' "$base/v1/messages" >> "$ANSWERS"
     land`,
  );
  await world.factory.addIssue({ title: "Try" });
  await world.factory.ok("run", "--until-idle");
  expect(world.answers()).toEqual(["404", "404", "401"]);
  expect(world.stub.requests).toEqual([]);
});

test("the gateway of another run is closed: each token opens the gateway of its own session alone", async () => {
  await using world = await makeGateway(
    `code() { curl -s -o /dev/null -w '%{http_code}\\n' -H "x-api-key: $ANTHROPIC_AUTH_TOKEN" -d '{"model":"m","max_tokens":9,"messages":[]}' "$1/v1/messages"; }
     if [ "$PAWL_NAME" = 1 ]; then
       echo "$ANTHROPIC_BASE_URL" > "$ANSWERS.address"
       until [ -e "$ANSWERS" ]; do sleep 0.05; done
     else
       until [ -s "$ANSWERS.address" ]; do sleep 0.05; done
       { code "$(cat "$ANSWERS.address")"; code "$ANTHROPIC_BASE_URL"; } > "$ANSWERS.new"; mv "$ANSWERS.new" "$ANSWERS"
     fi
     land`,
  );
  for (const title of ["One", "Two"]) await world.factory.addIssue({ title });
  await world.factory.ok("run", "--until-idle");
  expect(world.answers()).toEqual(["401", "200"]);
  expect(world.stub.requests).toHaveLength(1);
});

test("requests whose cost could not be seen are refused", async () => {
  await using world = await makeGateway(
    `ask() { curl -s -o /dev/null -w '%{http_code}\\n' -H "x-api-key: $ANTHROPIC_AUTH_TOKEN" "$@" "$ANTHROPIC_BASE_URL/v1/messages" >> "$ANSWERS"; }
     ask -d '{"model":"m","max_tokens":9,"background":true,"messages":[]}'
     echo '{"model":"m","max_tokens":9,"messages":[]}' | gzip > asked.gz
     ask -H 'content-encoding: gzip' --data-binary @asked.gz
     ask -d 'not json'
     rm asked.gz; land`,
  );
  await world.factory.addIssue({ title: "Hide" });
  await world.factory.ok("run", "--until-idle");
  expect(world.answers()).toEqual(["403", "403", "403"]);
  expect(world.stub.requests).toEqual([]);
});

test("a key that is missing starts no agent, and the person is told which variable to set", async () => {
  await using world = await makeGateway("touch started; land");
  const { factory } = world;
  writeFileSync(join(factory.home, ".env"), "");
  await factory.addIssue({ title: "Start" });
  const { code, stderr } = await factory.pawl("run", "--until-idle");
  expect([code, stderr]).toEqual([8, expect.stringContaining("WORK_KEY is not set")]);
  expect(factory.subjects()).not.toContain("Work on 1");
});

test("where a session cannot start no key is left on the disk", async () => {
  await using world = await makeGateway("land", WALLS);
  const { factory } = world;
  const bin = join(factory.root, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "bwrap"), "#!/bin/sh\necho refused >&2\nexit 1\n", { mode: 0o755 });
  factory.env["PATH"] = `${bin}:${factory.env["PATH"]}`;
  await factory.addIssue({ title: "Start" });
  expect(await factory.pawl("run", "--until-idle")).toMatchObject({ code: 8 });
  const found = spawnSync("grep", ["-rl", SECRET, factory.home], { encoding: "utf8" });
  expect(found.stdout.trim().split("\n")).toEqual([join(factory.home, ".env")]);
});

test("a gateway that is killed ends its session, and the work goes on in the next life", async () => {
  await using world = await makeGateway(
    `if [ "$PAWL_EPOCH" = 1 ]; then echo half > half.txt; touch "$ANSWERS.begun"; sleep 1000; fi
     node ask.mjs "asked in life $PAWL_EPOCH"; test -e half.txt && land`,
  );
  const { factory, stub } = world;
  await factory.addIssue({ title: "Survive" });
  const running = factory.background("run", "--until-idle");
  await factory.until(
    "the agent works",
    async () => factory.shell('[ -e "$1" ]', join(factory.root, "answers.begun")) === 0,
  );
  const run = await factory.runOf(1);
  const record = readFileSync(join(dirname(run.log_path), "1", "process"), "utf8");
  process.kill(Number(/^agent (\d+) /m.exec(record)?.[1]), "SIGKILL");
  expect((await running.ended).code).toBe(0);
  expect(stub.requests.map(({ body }) => JSON.stringify(body.messages))).toEqual([
    expect.stringContaining("asked in life 2"),
  ]);
  expect(factory.subjects()).toContain("Work on 1");
});
