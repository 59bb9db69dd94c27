// Whether the next request of a session may go to its model. Pure: the gateway beside the session
// (adapters/session-gateway) asks before every request and says what each has used; it has no rules of
// its own. A budget that is spent stops the next request, so that it is exceeded by at most one.
import { overspent, plus, type Allowance, type Spent } from "../budget.ts";

/** What the daemon says of the run, and says again where it has changed. */
export type Terms = {
  /** Of the run. */
  budget: Allowance | undefined;
  /** What the run had spent when this budget began. */
  from: Spent;
  /** A budget of the day or of the role is spent. */
  closed: { until: number; reason: string } | undefined;
};

export type AccountLimit = { until: number; reason: string };

export type Meter = {
  /** By all lives of the run, as far as answers have said it. */
  spent: Spent;
  /** What requests that are under way may use at most, by their numbers. */
  underWay: Readonly<Record<number, Spent>>;
  /** How many have been passed on; the number of the last one. */
  requests: number;
};

export type Admission =
  | { kind: "passed"; number: number; meter: Meter }
  /** Others are under way that may spend all that is left: it is asked again when one has ended. */
  | { kind: "waits" }
  | { kind: "spent"; reason: string }
  | { kind: "limited"; limit: AccountLimit };

export const newMeter = (spent: Spent): Meter => ({ spent, underWay: {}, requests: 0 });

/** `most`: what the request may use at most. `limit`: of the account that it would use. */
export function admit(
  meter: Meter,
  request: { most: Spent; limit: AccountLimit | undefined; terms: Terms; at: number },
): Admission {
  const { most, limit, terms, at } = request;
  if (limit !== undefined && limit.until > at) return { kind: "limited", limit };
  const { closed } = terms;
  if (closed !== undefined && closed.until > at) return { kind: "spent", reason: closed.reason };
  const reached = overspent(terms.budget, meter.spent, terms.from);
  if (reached !== undefined) return { kind: "spent", reason: `the run has ${reached}` };
  const others = Object.values(meter.underWay);
  const atMost = others.reduce(plus, meter.spent);
  if (others.length > 0 && overspent(terms.budget, atMost, terms.from) !== undefined) {
    return { kind: "waits" };
  }
  const number = meter.requests + 1;
  const underWay = { ...meter.underWay, [number]: most };
  return { kind: "passed", number, meter: { ...meter, underWay, requests: number } };
}

/** `used`: by this request since it was last said; it stays under way. */
export const used = (meter: Meter, more: Spent): Meter => ({
  ...meter,
  spent: plus(meter.spent, more),
});

export function ended(meter: Meter, number: number): Meter {
  const { [number]: _, ...underWay } = meter.underWay;
  return { ...meter, underWay };
}
