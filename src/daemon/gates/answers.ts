// What the routes about gates answer. Loaded when one of them is asked.
import type { z } from "zod";
import type { GateView, closeGateSchema, newGateSchema } from "../../api/gates.ts";
import { readGate } from "../../config/formula/read-gate.ts";
import { ROOT, Table, type Finding } from "../../config/formula/table.ts";
import { isObserved, isOpen, type Gate, type Waiter } from "../../core/gate/gate.ts";
import type { GateEvent } from "../../core/gate/gate-event.ts";
import type { GateSpec } from "../../core/gate/spec.ts";
import { NUMBERED_GATES, requestName } from "../../core/history-names.ts";
import { gateAggregate, type ProjectName } from "../../core/ids.ts";
import { ADDRESS_HINT, addressOf } from "../../core/mail/address.ts";
import type { Project } from "../../core/project/project.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { StoredAggregate, StoreReader } from "../../ports/store.ts";
import { compareKeys } from "../../store/key-order.ts";
import { engineOf, type Routes } from "../routes/context.ts";
import { gateView } from "../views/gates.ts";
import { observeGate } from "./observe-gate.ts";

const TRIES_MAX = 100;
/** So many of those that closed last are listed. */
const CLOSED_MAX = 200;

export async function allGates(
  { store }: Routes,
  { name: project }: Project,
  { isClosedToo }: { isClosedToo: boolean },
): Promise<GateView[]> {
  const closed = isClosedToo
    ? await Promise.all(
        (await store.history({ kind: "gate", project, limit: CLOSED_MAX })).map(({ id }) =>
          store.load(id),
        ),
      )
    : [];
  return gatesIn([...(await gatesOf(store, project)), ...closed.flatMap((one) => one ?? [])])
    .toSorted((a, b) => compareKeys(a.id, b.id))
    .map(gateView);
}

export async function created(
  routes: Routes,
  { name: project }: Project,
  wish: z.output<typeof newGateSchema>,
): Promise<GateView> {
  const { title, by, key } = wish;
  const { spec, escalateMs } = specOf(wish.gate, title);
  const waiters = wish.waiters.map(waiterFrom);
  const before = gatesIn(await gatesOf(routes.store, project));
  const known =
    before.find((gate) => gate.key === key) ??
    (await lastNamed(routes.store, project, requestName(key)));
  if (known !== undefined) return gateView(known);
  const last = await lastNamed(routes.store, project, NUMBERED_GATES);
  let number = 1 + Math.max(0, ...[...before, ...(last === undefined ? [] : [last])].map(numberOf));
  for (let tries = 0; tries < TRIES_MAX; tries += 1, number += 1) {
    const id = `g${number}`;
    if ((await routes.store.load(gateAggregate(project, id))) !== undefined) continue;
    const about = { project, id, key, spec, title, by, waiters, escalateMs };
    const at = routes.ports.clock.now();
    const gate = await submitted(routes, { project, id }, { kind: "gate-requested", at, ...about });
    if (gate?.key === key) return gateView(gate);
  }
  throw new OperationError("cannot find a free number for a gate", { code: "busy" });
}

/**
 * Refused now: when the gate closes, no caller is left that could be told of an invalid address.
 */
function waiterFrom(identity: string): Waiter {
  if (addressOf(identity)?.kind === "identity") return { kind: "identity", identity };
  throw new OperationError(`"${identity}" is not an identity, so there is no agent to notify`, {
    code: "usage",
    hint: ADDRESS_HINT,
  });
}

function specOf(
  values: Record<string, unknown>,
  title: string,
): { spec: GateSpec; escalateMs: number } {
  const findings: Finding[] = [];
  const read = readGate(new Table(values, ROOT, findings), title);
  if (read !== undefined && findings.length === 0) {
    return { spec: read.gate, escalateMs: read.escalateMs };
  }
  throw new OperationError(findings.map(({ message }) => message).join("\n"), { code: "usage" });
}

export async function closed(
  routes: Routes,
  project: Project,
  wish: z.output<typeof closeGateSchema> & { id: string },
): Promise<GateView> {
  const gate = await gateNamed(routes, project.name, wish.id);
  if (!isOpen(gate)) {
    throw new OperationError(`gate ${gate.id} is closed already: ${gate.closed?.reason}`, {
      code: "gate-closed",
    });
  }
  const { by, met, reason } = wish;
  const at = routes.ports.clock.now();
  const place = { project: project.name, id: gate.id };
  const after = await submitted(routes, place, { kind: "gate-closed", at, by, met, reason });
  return gateView(after ?? gate);
}

/** Looks at once at everything that has to be looked at, or at the one that is named. */
export async function checked(
  routes: Routes,
  { name: project }: Project,
  named: string | undefined,
): Promise<GateView[]> {
  const gates =
    named === undefined
      ? gatesIn(await gatesOf(routes.store, project)).filter(isOpen)
      : [await gateNamed(routes, project, named)];
  const views: GateView[] = [];
  for (const gate of gates) views.push(gateView(await lookedAt(routes, gate)));
  return views;
}

async function lookedAt(routes: Routes, gate: Gate): Promise<Gate> {
  const { ports, paths, store } = routes;
  const { project, id } = gate;
  const at = ports.clock.now();
  if (!isOpen(gate)) return gate;
  if (!isObserved(gate.spec)) {
    // A timer that was due while no daemon ran.
    return (await submitted(routes, { project, id }, { kind: "deadline-passed", at })) ?? gate;
  }
  const own = await ports.project(project);
  const look = `asked-${at}`;
  const { signal } = new AbortController();
  const place = { project, gate: id, look, ports, own, paths, store, signal };
  const sight = await observeGate(gate.spec, place);
  // Beside the numbered looks: it does not put them off.
  const event = { kind: "gate-observed", at: ports.clock.now(), look: 0, ...sight } as const;
  return (await submitted(routes, { project, id }, event)) ?? gate;
}

async function submitted(
  routes: Routes,
  { project, id }: { project: ProjectName; id: string },
  event: GateEvent | { kind: "deadline-passed"; at: number },
): Promise<Gate | undefined> {
  const to = gateAggregate(project, id);
  await engineOf(routes).loop.submit({ to, event });
  const stored = (await routes.store.load(to))?.state;
  return stored?.kind === "gate" ? stored : undefined;
}

/** Those that are open. */
const gatesOf = (store: StoreReader, project: ProjectName): Promise<StoredAggregate[]> =>
  store.aggregates({ project, kind: "gate" });

const gatesIn = (stored: readonly StoredAggregate[]): Gate[] =>
  stored.flatMap(({ state }) => (state.kind === "gate" ? [state] : []));

async function lastNamed(
  store: StoreReader,
  project: ProjectName,
  name: string,
): Promise<Gate | undefined> {
  return gatesIn(await store.named({ kind: "gate", project, name, limit: 1 })).at(0);
}

const numberOf = ({ id }: Gate): number => Number(/^g(\d+)$/.exec(id)?.[1] ?? 0);

async function gateNamed(routes: Routes, project: ProjectName, id: string): Promise<Gate> {
  const stored = (await routes.store.load(gateAggregate(project, id)))?.state;
  if (stored?.kind === "gate") return stored;
  throw new OperationError(`there is no gate "${id}" in project ${project}`, {
    code: "not-found",
    hint: "see `pawl gate list --state all`",
  });
}
