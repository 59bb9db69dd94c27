// `builtin = "say"`: its text is its output. For notes in a run, and for later steps to read.
import type { Builtin } from "./builtin.ts";

export const say: Builtin = {
  summary: "its `text` becomes the step's output",
  run: async ({ with: inputs }) => ({ kind: "done", output: inputs["text"] ?? "" }),
};
