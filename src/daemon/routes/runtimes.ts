// The agent programs that Pawl knows.
import type { Hono } from "hono";
import { runtimesView } from "../views/runtimes.ts";
import type { Routes } from "./context.ts";

export function addRuntimes(app: Hono, { ports }: Routes): void {
  app.get("/v1/runtimes", async (context) => context.json(await runtimesView(ports)));
}
