// The shape of a command file: it adds itself to the program, and acts with injected dependencies.
import type { Command } from "@commander-js/extra-typings";
import type { Deps, ExitCode } from "./deps.ts";

/** Sets the exit code; commander itself knows only success and failure. */
export type Finish = (code: ExitCode) => void;

export type AddCommand = (program: Command, context: { deps: () => Deps; finish: Finish }) => void;
