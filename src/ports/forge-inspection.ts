// A look at a forge before a project is set up there: may the accounts do what Pawl will do? Only
// reads; nothing on the forge changes.
export type ForgeInspection = {
  login: string | undefined;
  reviewer: string | undefined;
  labelsMissing: string[];
  /** What keeps Pawl from working there, each with its next step. */
  problems: string[];
  /** What works, and would work better. */
  advice: string[];
};
