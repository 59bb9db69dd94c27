// What of a workspace is not saved: said in a warning while the run works, and at its end a reason to
// keep the workspace.
import type { Context } from "../context.ts";
import { workspaceNotRemoved } from "../words/messages.ts";
import { cleared } from "./clear.ts";
import { notify } from "./escalate.ts";
import type { Run } from "./run.ts";
import { warn } from "./warn.ts";

/** Something in it cannot be saved: it stays, the run ends without it, and a person decides. */
export function workspaceKept(run: Run, unsaved: string[], context: Context): Run {
  const about = workspaceNotRemoved(run.identity, unsaved);
  notify(run, { severity: "urgent", about, round: "workspace" }, context);
  const kept: Run = { ...run, kept: { at: context.at, why: about } };
  return cleared(warn(kept, about, context), "workspaceGone", context);
}

/** Said once for the same paths: it is asked with every checkpoint. */
export function noteUnsaved(run: Run, about: string | undefined, context: Context): Run {
  if (about === run.unsaved) return run;
  const noted: Run = { ...run, unsaved: about };
  return about === undefined ? noted : warn(noted, about, context);
}
