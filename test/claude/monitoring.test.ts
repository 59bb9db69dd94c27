// The five calls of an orchestrator's script, word for word, with the real Claude Code in the session and behind
// `parse-output`: nothing of it is scripted but what the model answers.
import { execFile } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { claudePath, makeClaudeFactory, noClaude } from "../support/claude.ts";
import { SEED_SCRIPT, SHIM } from "../support/seed-script.ts";

/** Never waited for in place: the stub answers in this very process. */
const run = promisify(execFile);
const ARTIFACTS = "_bmad-output/implementation-artifacts";
const STORY = "# Story\\n\\n## Story\\nx\\n\\n## Acceptance Criteria\\nx\\n\\n## Tasks\\nx\\n";
const WORK = `[[bash: mkdir -p ${ARTIFACTS} && printf '${STORY}' > ${ARTIFACTS}/5-3-login.md]]`;
const ANSWER = {
  status: "SUCCESS",
  summary: "one story file",
  next_action: "proceed",
  story_created: true,
  story_file: `${ARTIFACTS}/5-3-login.md`,
};

test.skipIf(noClaude)(
  "the seed's script drives Claude Code, and a small model reads what it left",
  async () => {
    await using factory = await makeClaudeFactory({
      config: `[ci]\nnone = true\n[monitoring]\nsmall_model = "sonnet"\n`,
      files: { "orchestration-5.md": "---\nstatus: READY\n---\n" },
      env: { CLAUDE_CODE_SANDBOXED: "1", CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1" },
    });
    const bin = join(factory.root, "bin");
    mkdirSync(bin);
    symlinkSync(claudePath, join(bin, "claude"));
    const env = { ...factory.env, PATH: `${bin}:${factory.env["PATH"]}` };
    // What the model does is said in the prompt, as everywhere with the stub.
    const script = SEED_SCRIPT.replace("build-cmd create 5.3", `build-cmd create 5.3 "$work"`);
    const whole = `scripts=$1; work=$2; state_file=orchestration-5.md\n${script}\nprintf '%s\\n' "$result" "$validation"`;
    const options = { cwd: factory.repo, env, timeout: 280_000 };
    const done = await run("bash", ["-eu", "-c", whole, "bash", SHIM, WORK], options);
    const [result = "", validation = ""] = done.stdout.split("\n");
    expect(JSON.parse(result), done.stderr).toMatchObject({
      final_state: "completed",
      output_verified: true,
    });
    expect(JSON.parse(validation)).toMatchObject({ verified: true });

    const output = join(factory.root, "output.txt");
    writeFileSync(output, `All done. [[text: ${JSON.stringify(ANSWER)}]]\n`);
    const ask = (more: Record<string, string> = {}) => {
      const words = ["orchestrator-helper", "parse-output", output, "create"];
      return run(SHIM, words, { ...options, env: { ...env, ...more } });
    };
    const before = factory.stub.requests.length;
    const parsed = await ask();
    expect(JSON.parse(parsed.stdout), parsed.stderr).toEqual(ANSWER);
    await ask({ PAWL_SMALL_MODEL: "opus" });
    const asked = factory.stub.requests.slice(before).map(({ body }) => body);
    expect(asked.map(({ model, tools }) => [model, tools?.length ?? 0])).toEqual([
      [expect.stringContaining("sonnet"), 0],
      [expect.stringContaining("opus"), 0],
    ]);
  },
);
