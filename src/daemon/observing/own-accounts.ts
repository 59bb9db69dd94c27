// The accounts that Pawl itself speaks with: what they wrote is no stranger's text.
import type { Forge } from "../../ports/forge.ts";

/** Where authors can be chosen. */
const BUILT_IN = ["pawl", "pawl-review"];

export async function ownAccounts(forge: Pick<Forge, "account">): Promise<Set<string>> {
  const account = await forge.account();
  // On a forge, any person could have an account called pawl.
  return new Set(account === undefined ? BUILT_IN : [account.login, account.reviewer]);
}
