import { expect, test } from "vitest";
import { causeIn } from "./crash-cause.ts";

test("the last line that names a failure is the cause", () => {
  expect(causeIn("sh: 0: cannot open /home/ada/agent.sh: No such file\n")).toBe(
    "sh: 0: cannot open /home/ada/agent.sh: No such file",
  );
  const claude = `╭──────────────╮
│ Welcome      │
╰──────────────╯
 Unable to connect to Anthropic services
 Failed to connect to api.anthropic.com: ENOTFOUND
 Please check your internet connection and network settings.`;
  expect(causeIn(claude)).toBe("Failed to connect to api.anthropic.com: ENOTFOUND");
  const python = "Traceback:\n  import x\nModuleNotFoundError: No module named 'x'\n";
  expect(causeIn(python)).toBe("ModuleNotFoundError: No module named 'x'");
});

test("without such a line the last words count, and frames are no words", () => {
  expect(causeIn("begin\nno key for the model\n────\n\n")).toBe("no key for the model");
  expect(causeIn("│ sign in first │\n")).toBe("sign in first");
  expect(causeIn("────\n\n > \n")).toBeUndefined();
});

test("a long line is cut", () => {
  expect(causeIn(`Error: ${"x".repeat(500)}`)).toHaveLength(200);
});
