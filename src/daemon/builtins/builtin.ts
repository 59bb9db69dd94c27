// A step that Pawl implements: code with the ports at hand, and no model.
import type { ProjectName } from "../../core/ids.ts";
import type { FormulaRun } from "../../core/formula/run.ts";
import type { Store } from "../../ports/store.ts";
import type { Input } from "../engine/loop.ts";
import type { Ports, ProjectPorts } from "../engine/ports.ts";
import type { Paths } from "../host/paths.ts";
import type { Fixed } from "../patrol/doctor.ts";

export type BuiltinContext = {
  /** Unique per attempt: everything it makes outside carries it, and is made once. */
  key: string;
  project: ProjectName;
  /** The run as it was when the step began: the results of earlier steps are in it. */
  run: FormulaRun;
  step: string;
  with: Readonly<Record<string, string>>;
  ports: Ports;
  own: ProjectPorts;
  paths: Paths;
  store: Store;
  now: () => number;
  submit: (input: Input) => Promise<boolean>;
  /** Lets the doctor clean up. */
  fix: () => Promise<Fixed>;
  /** The formulas that this project can run. */
  formulas: () => Promise<{ name: string; description: string }[]>;
  /** Aborted when the attempt is cancelled. */
  signal: AbortSignal;
};

export type BuiltinOutcome =
  | { kind: "done"; output: string }
  | { kind: "failed"; problem: string; output: string };

export type Builtin = {
  /** One line, for people who write formulas. */
  summary: string;
  /** A crash may come before its outcome is written down: then it is called again with the same key. */
  run(context: BuiltinContext): Promise<BuiltinOutcome>;
};
