// Rates that are raised where something is part of the world that would hardly ever have an occasion.
import type { FaultRates, Options } from "./options.ts";

/** A resolver is seen at work only where many change the same, and most of it where it does not help. */
export const overlapping = (rates: FaultRates): FaultRates => ({
  ...rates,
  overlap: Math.max(rates.overlap, 0.6),
  resolverMarks: Math.max(rates.resolverMarks, 0.4),
});

/** Without it a target is seldom red while work waits to be started. */
export const withRedTarget = (options: Options): Options => ({
  ...options,
  redTarget: true,
  rates: {
    ...options.rates,
    otherPush: Math.max(options.rates.otherPush, 0.3),
    otherRed: Math.max(options.rates.otherRed, 0.4),
  },
});
