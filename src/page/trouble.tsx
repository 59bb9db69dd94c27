// What went wrong with something that a person did, said where it was done.
import type { Act } from "./act.ts";

/** What went wrong with the last thing that was done here. */
export const Trouble = ({ of: { trouble } }: { of: Pick<Act, "trouble"> }) =>
  trouble.value === undefined ? null : <p role="alert">{trouble.value}</p>;
