// The shape of a check: it looks for problems and names them with their evidence. What a fix would
// do is shown before it is done. A look changes nothing, a fix loses nothing, and both may be
// repeated.
import type { Inspection } from "./inspection.ts";

export type Fix = {
  /** What would be done, as a sentence; shown before anything is. */
  plan: string;
  apply: () => Promise<void>;
};

export type Trouble = {
  /** Names the same trouble in two looks; without figures that change. */
  key: string;
  /** What is wrong, and by which evidence. */
  what: string;
  /** What a person can do where there is no fix. */
  hint?: string;
  fix?: Fix;
  /** Nothing is wrong, but a person may wonder: it does not count against the health. */
  isNote?: true;
  /** The check did not answer in time: whether all is well there is unknown. */
  isUnanswered?: true;
};

export type Check = {
  id: string;
  title: string;
  run: (inspection: Inspection) => Promise<Trouble[]>;
};
