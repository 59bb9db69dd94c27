// The names that an aggregate is found by once it is over. Apart from the history itself, so that a
// command that only asks by name does not load the whole core.

/** A formula, a gate or a task by the key it was asked for under, also after it is over. */
export const requestName = (key: string): string => `request ${key}`;

/** What all gates with a number as their id (`g7`) are found by. */
export const NUMBERED_GATES = "gates";

/** What all runs are found by whose workspace stayed because something in it cannot be saved. */
export const KEPT_WORKSPACE = "kept workspace";
