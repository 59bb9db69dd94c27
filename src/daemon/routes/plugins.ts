// Routes about plugins: which there are, one now, and how their runs ended.
import type { Hono } from "hono";
import { runPluginSchema } from "../../api/plugins.ts";
import { pluginAggregate, type ProjectName } from "../../core/ids.ts";
import { newPlugins, type Plugins } from "../../core/plugin/plugin.ts";
import { OperationError } from "../../lib/operation-error.ts";
import { livingRuns } from "../views/find-runs.ts";
import { pluginRuns, pluginViews, type Begun } from "../views/plugins.ts";
import { bodyOf, engineOf, projectFor, scopeOf, type Request, type Routes } from "./context.ts";
import { page } from "./paging.ts";

export function addPlugins(app: Hono, routes: Routes): void {
  const wanted = async (context: Request): Promise<Plugins[]> => {
    const isWanted = await scopeOf(routes, context);
    return (await routes.store.aggregates({ kind: "plugin" })).flatMap(({ state }) =>
      state.kind === "plugin" && isWanted(state.project) ? [state] : [],
    );
  };

  app.get("/v1/plugins", async (context) =>
    context.json(await viewsOf(routes, await wanted(context), pluginViews)),
  );

  app.get("/v1/plugins/log", async (context) => {
    const named = context.req.query("plugin");
    const runs = await viewsOf(routes, await wanted(context), pluginRuns);
    const shown = runs.filter(({ plugin }) => named === undefined || plugin === named);
    return page(context, shown, ({ project, plugin, number }) => `${project}/${plugin}/${number}`);
  });

  app.post("/v1/plugins/:name/run", async (context) => {
    const name = context.req.param("name");
    const { by } = await bodyOf(context, runPluginSchema);
    const { name: project } = await projectFor(routes, context);
    const { loop, patrols } = engineOf(routes);
    // What has landed since the last look counts.
    await (await routes.ports.project(project)).git.fetchTarget();
    await patrols.round(project, "deacon");
    const known = (await load(routes, project)).entries;
    const entry = known.find((one) => one.name === name);
    if (entry?.plugin === undefined)
      throw unusable(
        name,
        entry?.problem,
        known.map((one) => one.name),
      );
    const event = {
      kind: "plugin-requested",
      at: routes.ports.clock.now(),
      project,
      name,
      by,
    } as const;
    await loop.submit({ to: pluginAggregate(project), event });
    const views = await viewsOf(routes, [await load(routes, project)], pluginViews);
    return context.json(views.find((one) => one.plugin === name));
  });
}

async function viewsOf<View>(
  routes: Routes,
  all: Plugins[],
  viewOf: (plugins: Plugins, begun: Begun) => View[],
): Promise<View[]> {
  const views = await Promise.all(
    all.map(async (plugins) => {
      const open = await notBegun(routes, plugins);
      return viewOf(plugins, ({ plugin, number }) => !open.has(`${plugin} ${number}`));
    }),
  );
  return views.flat();
}

/** Without a daemon, a run that is recorded begins later, and one that was begun lives on. */
async function notBegun(routes: Routes, { project, entries }: Plugins): Promise<Set<string>> {
  const { ports, paths, daemon } = routes;
  if (daemon !== null) return new Set();
  const found = await Promise.all(
    entries.map(async ({ name, running, plugin }) => {
      if (running === undefined) return [];
      const isBegun =
        plugin?.work.kind === "prompt"
          ? await hasAgent(routes, project, running.key)
          : await ports.commands.isBegun(`${paths.plugin(project, name)}/${running.number}/run`);
      return isBegun ? [] : [`${name} ${running.number}`];
    }),
  );
  return new Set(found.flat());
}

/** A prompt is a task: it has begun when an agent of its run was started. */
async function hasAgent({ store }: Routes, project: ProjectName, key: string): Promise<boolean> {
  const runs = await livingRuns(store, project);
  return runs.some(
    ({ work, session }) =>
      work.kind === "task" &&
      work.task.key === key &&
      (session?.pane !== undefined || session?.predecessor !== undefined),
  );
}

async function load(routes: Routes, project: ProjectName): Promise<Plugins> {
  const stored = (await routes.store.load(pluginAggregate(project)))?.state;
  return stored?.kind === "plugin" ? stored : newPlugins(project);
}

function unusable(name: string, problem: string | undefined, known: string[]): OperationError {
  if (problem !== undefined) {
    return new OperationError(`plugin ${name} cannot be used: ${problem}`, {
      code: "plugin-broken",
    });
  }
  return new OperationError(`there is no plugin "${name}"`, {
    code: "no-plugin",
    hint:
      known.length === 0
        ? "land plugins/NAME/plugin.md on the target first"
        : `known: ${known.join(", ")}`,
  });
}
