// Routes of the doctor: a look, which only reads, and the fixes, which write.
import type { Hono } from "hono";
import type { DoctorView } from "../../api/doctor.ts";
import { agentCheckOf } from "../doctor/checks/agents.ts";
import { CHECKS } from "../doctor/checks/all.ts";
import { examine, fixAll } from "../doctor/examine.ts";
import type { InspectionFacts } from "../doctor/inspection.ts";
import { sizesOf } from "../doctor/sizes.ts";
import { factorySettings } from "../host/bound-home.ts";
import type { Paths } from "../host/paths.ts";
import { engineOf, type Request, type Routes } from "./context.ts";

/** What PAWL_HOME takes, and what it may take. */
async function use(paths: Paths): Promise<Pick<DoctorView, "sizes" | "max_bytes">> {
  const read = await factorySettings(paths);
  const max = read.kind === "valid" ? read.settings.homeMaxBytes : undefined;
  return { sizes: await sizesOf(paths), max_bytes: max ?? null };
}

export function addDoctor(app: Hono, routes: Routes): void {
  const { store, ports, paths, version, daemon } = routes;
  const facts: InspectionFacts = { store, ports, paths, version, daemon, writing: undefined };

  /** Of the command that asks: a daemon is as new as itself. */
  const asked = ({ req }: Request): InspectionFacts => {
    return { ...facts, version: req.header("x-pawl-version") ?? version };
  };

  app.get("/v1/doctor", async (context) => {
    const name = context.req.query("agent_of");
    if (name !== undefined)
      return context.json(await examine(asked(context), [agentCheckOf(name)]));
    const found = await examine(asked(context), CHECKS);
    return context.json({ ...found, ...(await use(paths)) });
  });

  app.post("/v1/doctor/fix", async (context) => {
    const engine = engineOf(routes);
    const writing = { engine, backup: (path: string) => engine.backup(path) };
    const found = await fixAll({ ...asked(context), writing }, CHECKS);
    return context.json({ ...found, ...(await use(paths)) });
  });
}
