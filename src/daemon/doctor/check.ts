// The shape of a check: it looks and names what is wrong with its evidence; whoever wants it mended
// sees first what would be done. A look changes nothing, a mend loses nothing, and both may be
// repeated.
import type { Patient } from "./patient.ts";

export type Mend = {
  /** What would be done, as a sentence; shown before anything is. */
  plan: string;
  apply: () => Promise<void>;
};

export type Trouble = {
  /** Names the same trouble in two looks; without figures that change. */
  key: string;
  /** What is wrong, and by which evidence. */
  what: string;
  /** What a person can do where nothing mends it. */
  hint?: string;
  mend?: Mend;
};

export type Check = {
  id: string;
  title: string;
  run: (patient: Patient) => Promise<Trouble[]>;
};
