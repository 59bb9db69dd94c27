// Where things are in an epoch's folder. The names are the contract with agents.
import { join } from "node:path";
import { INPUTS_FOLDER, RESULT_FILE, TYPED_FOLDER } from "../../ports/session-files.ts";

export const layoutOf = (dir: string) => ({
  dir,
  prompt: join(dir, "prompt.md"),
  phase: join(dir, "phase"),
  result: join(dir, RESULT_FILE),
  inputs: join(dir, INPUTS_FOLDER),
  inboxTmp: join(dir, "inbox", "tmp"),
  inboxNew: join(dir, "inbox", "new"),
  inboxCur: join(dir, "inbox", "cur"),
  /** Made with the hook that knows it; where it is missing, the life has an older one. */
  inboxTyped: join(dir, ...TYPED_FOLDER.split("/")),
  spoolTmp: join(dir, "spool", "tmp"),
  spoolNew: join(dir, "spool", "new"),
});

export type Layout = ReturnType<typeof layoutOf>;
