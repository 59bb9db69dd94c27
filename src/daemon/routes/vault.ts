// Routes about the vault: what waits there, and what people decide.
import type { Hono } from "hono";
import {
  vaultApproveSchema,
  vaultConfirmSchema,
  vaultRejectSchema,
  vaultRequestSchema,
  type VaultView,
} from "../../api/vault.ts";
import type { Event } from "../../core/event.ts";
import { projectAggregate, vaultAggregate } from "../../core/ids.ts";
import { readAsk } from "../../core/vault/ask.ts";
import type { VaultItem } from "../../core/vault/item.ts";
import { isRefused } from "../../core/vault/step-vault.ts";
import { payloadHash } from "../../core/vault/payload-hash.ts";
import { OperationError } from "../../lib/operation-error.ts";
import { vaultView } from "../views/vault.ts";
import { bodyOf, engineOf, projectFor, scopeOf, type Request, type Routes } from "./context.ts";
import { page } from "./paging.ts";

/** So many of those that ended last are listed. */
const ENDED_MAX = 200;

export function addVault(app: Hono, routes: Routes): void {
  const { store, ports } = routes;

  app.get("/v1/vault", async (context) => {
    const isWanted = await scopeOf(routes, context);
    const ended = await store.history({ kind: "vault", limit: ENDED_MAX });
    const past = await Promise.all(ended.map(({ id }) => store.load(id)));
    const alive = await store.aggregates({ kind: "vault" });
    const stored = [...alive, ...past.flatMap((one) => one ?? [])];
    const views = stored.flatMap(({ state }): VaultView[] => {
      const view = state.kind === "vault" && isWanted(state.project) ? vaultView(state) : undefined;
      return view === undefined ? [] : [view];
    });
    const rows = views.toSorted((a, b) => a.requested_at.localeCompare(b.requested_at));
    return page(context, rows, ({ project, id }) => `${project}/${id}`);
  });

  app.get("/v1/vault/:id", async (context) => context.json(viewOf(await itemFor(routes, context))));

  app.post("/v1/vault", async (context) => context.json(await request(routes, context)));

  app.post("/v1/vault/:id/approve", async (context) => {
    const item = await itemFor(routes, context);
    const { by, hash } = await bodyOf(context, vaultApproveSchema);
    if (!/^[0-9a-f]{8,64}$/.test(hash) || !item.hash.startsWith(hash)) throw otherPayload(item);
    const at = ports.clock.now();
    const full = item.hash;
    const view = await decide(routes, item, { kind: "vault-approved", at, by, hash: full });
    if (isTooLate(item, at) && UNAPPROVED.has(view.status)) throw notWaiting(view);
    return context.json(view);
  });

  app.post("/v1/vault/:id/confirm", async (context) => {
    const item = await itemFor(routes, context);
    const word = await bodyOf(context, vaultConfirmSchema);
    const at = ports.clock.now();
    return context.json(await decide(routes, item, { kind: "vault-confirmed", at, ...word }));
  });

  app.post("/v1/vault/:id/reject", async (context) => {
    const item = await itemFor(routes, context);
    const { by, reason } = await bodyOf(context, vaultRejectSchema);
    return context.json(
      await decide(routes, item, { kind: "vault-rejected", at: ports.clock.now(), by, reason }),
    );
  });
}

async function request(routes: Routes, context: Request): Promise<VaultView> {
  const { store, ports } = routes;
  const project = await projectFor(routes, context);
  const { by, ...fields } = await bodyOf(context, vaultRequestSchema);
  const ask = readAsk(fields);
  if (ask === undefined) throw unreadable();
  const at = ports.clock.now();
  const event = { kind: "vault-requested", at, request: { ...ask, by } } as const;
  const id = vaultAggregate(project.name, ask.id);
  const hash = payloadHash(ask.action);
  const before = (await store.load(id))?.state;
  await engineOf(routes).loop.submit({ to: projectAggregate(project.name), event });
  const after = (await store.load(id))?.state;
  if (after?.kind !== "vault") throw unreadable();
  const wasTaken = before?.kind === "vault" && before.request !== undefined;
  if (after.hash !== hash || (wasTaken && isRefused(before, hash))) throw taken(after);
  return viewOf(after);
}

async function itemFor(routes: Routes, context: Request): Promise<VaultItem> {
  const project = await projectFor(routes, context);
  const id = context.req.param("id") ?? "";
  const state = (await routes.store.load(vaultAggregate(project.name, id)))?.state;
  if (state?.kind === "vault" && state.request !== undefined) return state;
  throw new OperationError(`there is no item "${id}" in the vault of ${project.name}`, {
    code: "no-item",
    hint: "see `pawl vault list`",
  });
}

/** A decision that changes nothing would be lost in silence: it is refused instead. */
async function decide(routes: Routes, item: VaultItem, event: Event): Promise<VaultView> {
  const to = vaultAggregate(item.project, item.id);
  await engineOf(routes).loop.submit({ to, event });
  const after = (await routes.store.load(to))?.state;
  if (after?.kind !== "vault") throw unreadable();
  if (after.stage === item.stage || after.stage.kind === item.stage.kind) {
    throw notWaiting(viewOf(item));
  }
  return viewOf(after);
}

/** As what an item ends whose time was over, unseen because no daemon ran, when it was approved. */
const UNAPPROVED: ReadonlySet<string> = new Set(["expired", "failed"]);

/** A machine that slept may still give it the time back: only its new status tells. */
const isTooLate = ({ stage }: VaultItem, at: number): boolean =>
  (stage.kind === "waiting" || stage.kind === "unsure") && stage.deadline <= at;

const notWaiting = ({ id, status }: VaultView): OperationError =>
  new OperationError(`cannot decide about ${id}: it is ${status}`, {
    code: "not-waiting",
    hint: `see \`pawl vault show ${id}\``,
  });

function taken(item: VaultItem): OperationError {
  const { id, status, what } = viewOf(item);
  return new OperationError(
    `cannot request ${id}: an earlier request has this id and is ${status} (${what})`,
    { code: "name-taken", hint: "give another --id, or none: Pawl then chooses one" },
  );
}

function viewOf(item: VaultItem): VaultView {
  const view = vaultView(item);
  if (view === undefined) throw unreadable();
  return view;
}

const unreadable = (): OperationError =>
  new OperationError("the request is not one that the vault knows: a field is missing or wrong", {
    code: "usage",
    hint: "see `pawl vault request --help` and docs/vault.md",
  });

const otherPayload = ({ id, hash }: VaultItem): OperationError =>
  new OperationError(
    `the approval is for another payload than ${id} has now (${hash.slice(0, 12)})`,
    {
      code: "other-payload",
      hint: `read it again with \`pawl vault show ${id}\``,
    },
  );
