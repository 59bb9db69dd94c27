import { expect, test } from "vitest";
import { broken, task, unheard } from "./plugin.ts";

test("an agent is told the prompt, what to leave and whose it is", () => {
  const text = task("sweep", "Sweep the floor.\n");
  expect(text.startsWith("Sweep the floor.\n")).toBe(true);
  expect(text).toContain("PAWL_RESULT_FILE");
  expect(text).toContain("`sweep`");
  expect(broken("sweep")).toBe("plugin sweep cannot be used");
  expect(unheard("deployed", "ci").subject).toBe("TRIGGER: deployed");
});
