// What an approval is bound to. Apart from the actions themselves: the page reads those, and a browser
// has no such hash.
import { canonicalJson } from "../../lib/canonical-json.ts";
import { sha256 } from "../../lib/sha256.ts";
import type { VaultAction } from "./vault-action.ts";

export const payloadHash = (action: VaultAction): string => sha256(canonicalJson(action));
