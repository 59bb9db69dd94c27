// The entry of `pawl`.
import { COMMANDS } from "./registry.ts";
import { runMain } from "./run-main.ts";

await runMain(COMMANDS);
