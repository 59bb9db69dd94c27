// What Pawl says about items of the vault, to operators and to the requester.
import { canonicalJson } from "../../lib/canonical-json.ts";
import { typeOf } from "../vault/vault-action.ts";
import type { VaultEnd, VaultItem, VaultRequest } from "../vault/item.ts";
import { fenced } from "./messages.ts";

const PAYLOAD_SHOWN = 4_000;

/** The payload as it would be sent, secrets by name only. */
export const vaultPayload = ({ action }: VaultRequest): string =>
  canonicalJson(action).slice(0, PAYLOAD_SHOWN);

export const vaultAsks = (
  { id, hash }: VaultItem,
  request: VaultRequest,
): { title: string; body: string; byComment: string } => ({
  title: `vault ${id}: ${request.by} requests a ${typeOf(request.action)}`,
  body: [
    request.what,
    "",
    `Risk: ${request.risk}. Reversible: ${request.reversible ? "yes" : "no"}. Payload (sha256 ${hash.slice(0, 12)}):`,
    fenced(vaultPayload(request)),
    "",
    `Run \`pawl vault approve ${id}\` or \`pawl vault reject ${id}\`.`,
  ].join("\n"),
  byComment: `Or answer with a comment: \`APPROVE ${id}\` or \`REJECT ${id}: why\`.`,
});

/** The same where operators are: on the issue it is about. */
export const vaultAsksOnForge = (
  { title, body, byComment }: { title: string; body: string; byComment: string },
  operators: string[],
): string =>
  `${operators.map((login) => `@${login}`).join(", ")}: ${title}\n\n${body} ${byComment}`;

export const vaultUnsure = ({ id }: VaultItem, why: string): { title: string; body: string } => ({
  title: `vault ${id} may have been carried out`,
  body: [
    `Pawl does not know whether the action was carried out: ${why}`,
    "",
    `Check whether it happened, then run \`pawl vault confirm ${id} --happened\`, or \`--did-not\`. \`pawl vault approve ${id}\` carries it out once more, \`pawl vault reject ${id}\` ends it as rejected.`,
  ].join("\n"),
});

/** What a person saw who looked. */
export const vaultLooked = (happened: boolean, note: string): string =>
  [happened ? "it did happen" : "it did not happen", ...(note === "" ? [] : [note])].join(": ");

const ENDS: Record<VaultEnd, string> = {
  fired: "was carried out",
  rejected: "was rejected",
  denied: "is not allowed here",
  expired: "was not decided in time, and counts as rejected",
  failed: "could not be carried out",
};

/** To an agent that used an id a second time. */
export const vaultRefused = ({
  id,
  request,
  stage,
}: VaultItem): { subject: string; body: string } => ({
  subject: `vault ${id}: your request was refused`,
  body: `The id ${id} is taken by an earlier request (${request?.what ?? id})${stage.kind === "ended" ? `, which ${ENDS[stage.end]}` : ""}. Nothing was done for your new request. Request it again with another \`--id\`, or without one.`,
});

export const vaultEnded = (
  { id, request }: VaultItem,
  { end, by, text }: { end: VaultEnd; by: string; text: string },
): { subject: string; body: string } => ({
  subject: `vault ${id} ${ENDS[end]}`,
  body: `${request?.what ?? id}\n\nvault ${id} ${ENDS[end]} (${by})${text === "" ? "" : `: ${text}`}`,
});
