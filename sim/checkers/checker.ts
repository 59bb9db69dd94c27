// What a checker is: it hears every fact of the world and of the journal, and says when an
// invariant is broken. One invariant per file.
import type { Fact } from "../fact.ts";

export type Checker = {
  name: string;
  hear(fact: Fact): void;
  /** When everything has come to an end. */
  atEnd?(): void | Promise<void>;
};
