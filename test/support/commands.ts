// All commands as a program that only describes them: tests read its help, options and examples.
import { loadProgram } from "../../src/cli/program.ts";
import { COMMANDS } from "../../src/cli/registry.ts";

export const describedCommands = (): ReturnType<typeof loadProgram> =>
  loadProgram({
    version: "0",
    commands: COMMANDS,
    stdout: () => undefined,
    stderr: () => undefined,
    deps: () => {
      throw new Error("nothing is run here");
    },
  });
