// What the tests of every store write: small stand-ins for states, events and effects.
import type { Effect } from "../core/effect.ts";
import type { Event } from "../core/event.ts";
import { type AggregateId, projectName } from "../core/ids.ts";
import type { Signal, SignalKind } from "../core/signal.ts";
import type { AggregateState } from "../core/step.ts";
import type { NewOutboxRow, Transaction } from "../ports/store.ts";

/** Does all of `work` in a transaction that fails at the end. */
export type Failing = (work: (tx: Transaction) => Promise<unknown>) => Promise<void>;

// The store looks at nothing but `kind` and `at`, so that small stand-ins will do.
export const state = (value: unknown): AggregateState => ({ kind: "queue", value }) as never;
export const event = (at: number, note = ""): Event =>
  ({ kind: "deadline-passed", at, note }) as never;
export const effect = (issue: number): Effect => ({ kind: "claim-issue", issue }) as never;

export const A: AggregateId = "run:demo/2.1";
export const B: AggregateId = "run:demo/10.1";
export const C: AggregateId = "queue:other";

export const signal = (at: number, kind: SignalKind = "MERGE_READY"): Signal => ({
  kind,
  at,
  project: projectName("demo"),
  identity: "dev-42",
  run: undefined,
  detail: { text: 'quotes " and\nlines and 🪝' },
});

export const row = (key: string): NewOutboxRow => ({
  key,
  aggregate: A,
  lane: "git",
  effect: effect(1),
});
