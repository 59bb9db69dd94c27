// A session inside walls, of which one part is killed while it works: the process with its proxy and
// its gateway to the model, the forwarder that leads to them, or bubblewrap itself. The session ends
// with all that it started, it never works on unprotected, and its work goes on in a new one.
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startModelStub } from "../../src/cli/model-stub/server.ts";
import { panePid, processTree } from "../support/agent-factory.ts";
import { isRunning, LIMITS, makeFactory, shellAgent, TEST_GATE } from "../support/pawl.ts";
import { noWalls, WALLS } from "../support/walls.ts";

const SECRET = "key-of-the-owner-0123456789";

/** In its first session it works, with a helper beside it that no signal ends, until it is killed. */
const AGENT = `
code() { curl -s -m 20 -o /dev/null -w '%{http_code}' "$@" || true; }
by_proxy() { code --noproxy none.test "http://localhost:$PORT/"; }
past_it() { code --noproxy '*' "http://127.0.0.1:$PORT/"; }
model() { code -H "x-api-key: $ANTHROPIC_AUTH_TOKEN" -d '{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"hello"}]}' "$ANTHROPIC_BASE_URL/v1/messages"; }
reached() { echo "by the proxy $(by_proxy), past it $(past_it), the model $(model)"; }
if [ "$PAWL_EPOCH" = 1 ]; then
  echo half > "half-$PAWL_NAME"
  (trap '' HUP INT TERM; exec setsid sleep 1000) &
  reached > "$NOTES/first-$PAWL_NAME"; : > "$NOTES/begun-$PAWL_NAME"
  sleep 1000
fi
reached > "second-$PAWL_NAME"
git add -A && git commit -qm "Work on $PAWL_NAME" && echo PHASE:done > "$PAWL_PHASE_FILE"
`;

const isProgram = (pid: number, name: string): boolean =>
  readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(name);

test.skipIf(noWalls)(
  "a session whose proxy and gateway, forwarder or walls are killed ends, and its work lands from a new session",
  async () => {
    await using stub = await startModelStub().then((started) => ({
      ...started,
      [Symbol.asyncDispose]: () => started.close(),
    }));
    await using factory = await makeFactory({ files: { "agent.sh": AGENT } });
    const notes = join(factory.root, "notes");
    mkdirSync(notes);
    const { port } = new URL(stub.url);
    const walls = `${WALLS}network = "hosts"\nhosts = ["localhost:${port}"]\nwrite = ["${notes}"]\n[gateway]\nkeys = ["work"]\n`;
    const agent = shellAgent(`[agent.env]\nNOTES = "${notes}"\nPORT = "${port}"\n`);
    factory.commit({ "pawl.toml": factory.config(`${agent}${TEST_GATE}${LIMITS}${walls}`) });
    writeFileSync(
      join(factory.home, "factory.toml"),
      `[gateway.keys.work]\nprovider = "anthropic"\nvariable = "WORK_KEY"\nurl = "${stub.url}"\n`,
    );
    writeFileSync(join(factory.home, ".env"), `WORK_KEY=${SECRET}\n`);
    chmodSync(join(factory.home, ".env"), 0o600);
    const parts = ["gateway-main", "inside-main", "/bwrap\0"];
    for (const part of parts) await factory.addIssue({ title: `Survive without ${part.trim()}` });
    const running = factory.background("run", "--until-idle");
    for (const [index, part] of parts.entries()) {
      const issue = index + 1;
      await factory.until(`agent ${issue} works`, async () =>
        existsSync(join(notes, `begun-${issue}`)),
      );
      const session = processTree(panePid(await factory.runOf(issue)));
      process.kill(session.find((pid) => isProgram(pid, part)) ?? NaN, "SIGKILL");
      await factory.until(`all of session ${issue} has ended`, async () =>
        session.every((pid) => !isRunning(pid)),
      );
    }
    const { code, stdout, stderr } = await running.ended;
    expect([code, stderr]).toEqual([0, expect.any(String)]);
    // The person who looks on is told of each.
    expect(`${stdout}${stderr}`.match(/ crashed/g)).toHaveLength(parts.length);
    expect((await factory.ok("signals")).match(/AGENT_CRASHED/g)).toHaveLength(parts.length);
    for (const issue of [1, 2, 3]) {
      const reached = "by the proxy 404, past it 000, the model 200";
      expect(readFileSync(join(notes, `first-${issue}`), "utf8").trim()).toBe(reached);
      expect(factory.git("show", `main:second-${issue}`)).toBe(reached);
      expect(factory.git("show", `main:half-${issue}`)).toBe("half");
      expect(await factory.runOf(issue)).toMatchObject({ epoch: 2, outcome: "landed" });
    }
  },
);
