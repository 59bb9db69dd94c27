import { expect, test } from "vitest";
import type { LaunchRequest } from "../../ports/agent.ts";
import { threadSettings } from "./codex-agent.ts";

const sandboxOf = (sandbox: string, env: Record<string, string>) =>
  threadSettings({
    agent: {
      runtime: "codex",
      command: [],
      passEnv: [],
      env: {},
      settings: { sandbox, approval: "never", network: "off", writable: [], args: [] },
    },
    workspace: "/w",
    dir: "/ep",
    protocol: "",
    env,
  } as unknown as LaunchRequest).sandbox;

test("Codex builds no sandbox of its own inside walls", () => {
  expect(sandboxOf("workspace-write", {})).toBe("workspace-write");
  expect(sandboxOf("workspace-write", { PAWL_ISOLATION: "bwrap" })).toBe("danger-full-access");
});

test("Codex that may change nothing may not do so inside walls either", () => {
  expect(sandboxOf("read-only", { PAWL_ISOLATION: "bwrap" })).toBe("read-only");
});
