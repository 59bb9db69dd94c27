// Who decides about an item: the first rule of the configuration that fits; where none does, a
// person. Never a model: what it says of the risk can only raise it.
import {
  isReversible,
  leastRisk,
  RISKS,
  typeOf,
  type Risk,
  type VaultAction,
} from "./vault-action.ts";

export type Decision = "allow" | "ask" | "deny";

export type VaultRule = {
  type?: string;
  /** The highest risk that it fits. */
  risk?: Risk;
  reversible?: boolean;
  decide: Decision;
};

export type VaultConfig = {
  expiresMs: number;
  /** The least risk of a type, instead of the built-in one; naming secrets stays high. */
  risk: Record<string, Risk>;
  /** Types whose actions can be undone. */
  reversible: string[];
  /** Names of secrets that may be named. */
  secrets: string[];
  policy: VaultRule[];
};

export const VAULT_DEFAULTS: VaultConfig = {
  expiresMs: 48 * 60 * 60_000,
  risk: {},
  reversible: [],
  secrets: [],
  policy: [],
};

const higher = (a: Risk, b: Risk): Risk => (RISKS.indexOf(a) >= RISKS.indexOf(b) ? a : b);

/** Its risk: a request may say that it is riskier than its kind, never safer. */
export function judge(
  action: VaultAction,
  claimed: { risk: Risk; reversible: boolean },
  config: VaultConfig,
): { risk: Risk; reversible: boolean } {
  const least = leastRisk(action);
  const own = Object.hasOwn(config.risk, typeOf(action)) ? config.risk[typeOf(action)] : undefined;
  const floor = least === "high" && namesSecret(action) ? least : (own ?? least);
  const reversible = claimed.reversible && isReversible(action, config.reversible);
  return { risk: higher(floor, claimed.risk), reversible };
}

const namesSecret = (action: VaultAction): boolean =>
  action.kind === "program"
    ? action.secrets.length > 0
    : JSON.stringify(action).includes("{{secret:");

export function decide(
  action: VaultAction,
  judged: { risk: Risk; reversible: boolean },
  { policy }: VaultConfig,
): Decision {
  const fits = ({ type, risk, reversible }: VaultRule): boolean =>
    (type === undefined || type === typeOf(action)) &&
    (risk === undefined || RISKS.indexOf(judged.risk) <= RISKS.indexOf(risk)) &&
    (reversible === undefined || reversible === judged.reversible);
  return policy.find(fits)?.decide ?? "ask";
}
