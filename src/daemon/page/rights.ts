// What a device may call, by its scope. A route that is not listed here does not exist for the page.
import { PAGE_SCOPES, type PageScope } from "../../api/page.ts";

type Right = { method: "GET" | "POST"; path: RegExp; scope: PageScope };

const part = "[^/]+";
const at = (method: Right["method"], scope: PageScope, path: string): Right => ({
  method,
  scope,
  path: new RegExp(`^/v1/${path.replaceAll("*", part)}$`),
});

const RIGHTS: Right[] = [
  at("GET", "view", "ping"),
  at("GET", "view", "status"),
  at("GET", "view", "changes"),
  at("GET", "view", "escalations"),
  at("GET", "view", "escalations/*"),
  at("GET", "view", "escalations/gate/*"),
  at("GET", "view", "history"),
  at("GET", "view", "runs/*"),
  at("GET", "view", "runs/*/log"),
  at("GET", "view", "runs/*/diff"),
  at("GET", "view", "runs/*/changes"),
  at("GET", "view", "runs/*/comments"),
  at("GET", "view", "runs/*/timeline"),
  at("GET", "view", "runs/*/prompt"),
  at("GET", "view", "checkpoints/*"),
  at("GET", "view", "checkpoints/*/*"),
  at("GET", "view", "checkpoints/*/*/diff"),
  at("GET", "view", "why/*"),
  at("GET", "view", "queue"),
  at("GET", "view", "queue/*/explain"),
  at("GET", "view", "checks/*/logs"),
  at("GET", "view", "costs"),
  at("GET", "view", "stats"),
  at("GET", "view", "formulas/runs"),
  at("GET", "view", "gates"),
  at("GET", "view", "schedules"),
  at("GET", "view", "patrols"),
  at("GET", "view", "mail"),
  at("GET", "view", "plugins"),
  at("GET", "view", "roles/log"),
  at("GET", "view", "doctor"),
  at("POST", "operate", "schedules/*/run"),
  at("POST", "operate", "doctor/fix"),
  at("GET", "view", "vault"),
  at("GET", "view", "vault/*"),
  at("POST", "answer", "runs/*/answer"),
  at("POST", "answer", "escalations/*/answer"),
  at("POST", "answer", "escalations/gate/*/answer"),
  at("POST", "answer", "mail/*/ack"),
  at("POST", "answer", "runs/*/nudge"),
  at("POST", "answer", "runs/*/comments"),
  at("POST", "operate", "runs/*/stop"),
  at("POST", "operate", "runs/*/retry"),
  at("POST", "operate", "runs/*/hold"),
  at("POST", "operate", "runs/*/release"),
  at("POST", "operate", "checkpoints/*/*/restore"),
  at("POST", "operate", "queue/pause"),
  at("POST", "operate", "queue/resume"),
  at("POST", "operate", "queue/approve"),
  at("POST", "operate", "queue/remove"),
  at("POST", "operate", "queue/priority"),
  at("POST", "operate", "vault/*/approve"),
  at("POST", "operate", "vault/*/reject"),
  at("POST", "operate", "vault/*/confirm"),
];

/** The scope that a call needs; undefined where the page has no such call. */
export const scopeNeeded = (method: string, path: string): PageScope | undefined =>
  RIGHTS.find((right) => right.method === method && right.path.test(path))?.scope;

/** A browser chooses no folder of this machine: a checkpoint is restored into one of Pawl's own. */
export const bodyFor = (path: string, sent: object): object =>
  /^\/v1\/checkpoints\/[^/]+\/[^/]+\/restore$/.test(path) ? {} : sent;

export const mayUse = (held: PageScope, needed: PageScope): boolean =>
  PAGE_SCOPES.indexOf(held) >= PAGE_SCOPES.indexOf(needed);
