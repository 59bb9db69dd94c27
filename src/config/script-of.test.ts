import { expect, test } from "vitest";
import { scriptOf } from "./script-of.ts";

test.each([
  [["sh", "agent.sh"], "agent.sh"],
  [["python3", "./tools/agent.py", "--work"], "tools/agent.py"],
  [["./agent", "now"], "agent"],
  [["sh", "-c", "echo one"], undefined],
  [["sh", "/opt/agent.sh"], undefined],
  [["sh", "~/agent.sh"], undefined],
  [["my-agent", "agent.sh"], undefined],
  [["/opt/agent"], undefined],
  [[], undefined],
])("the command %j runs the file %s of the repository", (command, file) => {
  expect(scriptOf(command)).toBe(file);
});
