// Rates that are raised where something is part of the world that would hardly ever have an occasion.
import type { FaultRates } from "./fault-rates.ts";
import type { Options } from "./options.ts";

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

/** A fetch is under way when a landing ends only where both take their time. */
export const withRepeats = (rates: FaultRates): FaultRates =>
  rates.agentRepeats < 0.1
    ? rates
    : {
        ...rates,
        landSlow: Math.max(rates.landSlow, 0.8),
        fetchSlow: Math.max(rates.fetchSlow, 0.5),
      };

/** Accounts are limited, and models silent, often enough that it matters in every simulation. */
export const withAgents = (options: Options): Options => ({
  ...options,
  agents: true,
  rates: {
    ...options.rates,
    agentLimit: Math.max(options.rates.agentLimit, 0.15),
    agentMissing: Math.max(options.rates.agentMissing, 0.03),
    modelSilent: Math.max(options.rates.modelSilent, 0.05),
  },
});

/** A key is limited while sessions ask with it. */
export const withGateway = (options: Options): Options => ({
  ...options,
  gateway: true,
  rates: { ...options.rates, agentLimit: Math.max(options.rates.agentLimit, 0.15) },
});

/** Much work at once, in little time. */
export const RUSH = {
  rush: true,
  projects: 1,
  issues: 12,
  parallel: 8,
  workMinutes: 1,
  reviewRequired: false,
  safetyHours: 4,
} as const;
