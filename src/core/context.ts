// What every part of a step has at hand: the time of the event, and where to put what must be done.
import type { Output } from "./effect.ts";

export type Context = { at: number; output: Output };
