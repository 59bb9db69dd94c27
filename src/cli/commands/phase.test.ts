import { expect, test } from "vitest";
import { pawl } from "../../../test/support/pawl-cli.ts";

const env = { PAWL_PHASE_FILE: "/h/1/phase" };

test("a phase is written whole into the session's own file, without the daemon", async () => {
  expect(await pawl(["phase", "awaiting_ci"], { env })).toMatchObject({
    code: 0,
    stderr: "PHASE:awaiting_ci\n",
    calls: [],
    written: { "/h/1/phase": "PHASE:awaiting_ci\n" },
  });
  const failed = await pawl(["phase", "PHASE:failed", "--reason", "no such call"], { env });
  expect(failed.written).toEqual({ "/h/1/phase": "PHASE:failed\nReason: no such call\n" });
});

test("what is no phase is refused, and so is a phase outside a session", async () => {
  const wrong = await pawl(["phase", "finished"], { env });
  expect(wrong).toMatchObject({ code: 2, written: {} });
  expect(wrong.stderr).toContain(
    "awaiting_ci, awaiting_review, escalate, done, failed, needs_human",
  );
  expect(await pawl(["phase", "done"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("PAWL_PHASE_FILE is not set"),
  });
});

test("a refusal is written as the result, before the phase", async () => {
  const own = { ...env, PAWL_RESULT_FILE: "/h/1/result.json" };
  const refused = ["phase", "failed", "--refused", "unmet_dependency", "--blocked-by", "12"];
  const { written, code } = await pawl([...refused, "--reason", "start there"], { env: own });
  expect(code).toBe(0);
  expect(Object.keys(written)).toEqual(["/h/1/result.json", "/h/1/phase"]);
  expect(written["/h/1/phase"]).toBe("PHASE:failed\nReason: refused\n");
  expect(JSON.parse(written["/h/1/result.json"] ?? "")).toMatchObject({
    kind: "unmet_dependency",
    blocked_by: ["12"],
    suggestion: "start there",
  });
  const without = ["phase", "failed", "--refused", "unmet_dependency"];
  expect((await pawl(without, { env: own })).code).toBe(2);
  expect((await pawl(["phase", "done", "--refused", "too_large"], { env: own })).code).toBe(2);
});
