import { expect, test } from "vitest";
import { scriptLeftOut } from "./script-left-out.ts";

/** `files`: what each ref has. */
const portsOf = (files: Record<string, string[]>) => ({
  exists: async () => true,
  git: async ([verb, ...words]: string[]) => {
    const [ref = "", path = ""] = (words.at(-1) ?? "").replace(/\^\{commit\}$/, "").split(":");
    const isThere = verb === "rev-parse" ? ref in files : files[ref]?.includes(path) === true;
    return { exitCode: isThere ? 0 : 1, stdout: "" };
  },
});

const look = (files: Record<string, string[]>, target = "main") =>
  scriptLeftOut(portsOf(files), { root: "/toy", target, command: ["./agent.sh"] });

test("a script that only your own branch has is to be pushed, not committed", async () => {
  const remote = "refs/remotes/origin/main";
  const left = { script: "agent.sh", isInCheckout: true };
  expect(await look({ [remote]: [], "refs/heads/main": ["agent.sh"] })).toEqual({
    ...left,
    isCommitted: true,
  });
  expect(await look({ [remote]: [], "refs/heads/main": [] })).toEqual({
    ...left,
    isCommitted: false,
  });
  expect(await look({ "refs/heads/main": [] })).toEqual({ ...left, isCommitted: false });
  expect(await look({ [remote]: ["agent.sh"] })).toBeUndefined();
});
