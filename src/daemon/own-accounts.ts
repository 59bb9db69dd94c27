// The accounts that Pawl itself speaks with: what they wrote is no stranger's text.
import type { Forge } from "../ports/forge.ts";

export async function ownAccounts(forge: Pick<Forge, "account">): Promise<Set<string>> {
  const account = await forge.account();
  const own = account === undefined ? [] : [account.login, account.reviewer];
  return new Set(["pawl", "pawl-review", ...own]);
}
