// A look at a forge before a project is set up there: may the accounts do what Pawl will do? Only
// reads; nothing on the forge changes.
import type { ForgeSettings } from "../core/forge-settings.ts";

export type ForgeInspection = {
  login: string | undefined;
  reviewer: string | undefined;
  labelsMissing: string[];
  /** Undefined where it could not be seen. */
  merges: ForgeSettings["merges"] | undefined;
  /** What keeps Pawl from working there, each with its next step. */
  problems: string[];
  /** What works, and would work better. */
  advice: string[];
};
