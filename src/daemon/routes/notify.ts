// Routes about the ways to people: how they are, and whether they work.
import type { Hono } from "hono";
import { notifyTestSchema, type NotifyTestView } from "../../api/notify.ts";
import { describeError, OperationError } from "../../lib/operation-error.ts";
import { openChannel } from "../notify/open-channel.ts";
import { allWays, type Way } from "../notify/records.ts";
import { createSecrets, type Secrets } from "../host/secrets.ts";
import { channelView } from "../views/channels.ts";
import { bodyOf, scopeOf, type Request, type Routes } from "./context.ts";

export function addNotify(app: Hono, routes: Routes): void {
  const { store, paths } = routes;
  const ways = async (request: Request): Promise<Way[]> => {
    const isWanted = await scopeOf(routes, request);
    return (await allWays(store)).filter(({ project }) => isWanted(project));
  };

  app.get("/v1/notify", async (context) => {
    const found = await ways(context);
    return context.json(await Promise.all(found.map((way) => channelView(store, way))));
  });

  app.post("/v1/notify/test", async (context) => {
    const { kind } = await bodyOf(context, notifyTestSchema);
    const wanted = (await ways(context)).filter(
      ({ channel }) => kind === undefined || channel.kind === kind,
    );
    if (wanted.length === 0) throw noChannel(kind);
    const secrets = createSecrets(paths.home, process.env);
    return context.json(await Promise.all(wanted.map((way) => tryOut(routes, { way, secrets }))));
  });
}

const noChannel = (kind: string | undefined): OperationError =>
  new OperationError(
    kind === undefined ? "no channel is configured" : `no channel of kind "${kind}" is configured`,
    { code: "no-channel", hint: "write [[notify]] into pawl.toml: see docs/notifications.md" },
  );

async function tryOut(
  { ports }: Routes,
  { way, secrets }: { way: Way; secrets: Secrets },
): Promise<NotifyTestView> {
  const { project, channel } = way;
  const { name, kind } = channel;
  const news = {
    key: `notify-test:${project}:${name}:${ports.clock.now()}`,
    severity: "info",
    title: "a test message from Pawl",
    body: `Notifications about ${project} reach you here.`,
    project,
  } as const;
  try {
    const forge = async () => (await ports.project(project)).forge;
    await (await openChannel(channel, { secrets, forge })).send(news);
    return { project, name, kind, trouble: null };
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    const { message, hint } = describeError(error);
    return { project, name, kind, trouble: hint === undefined ? message : `${message} (${hint})` };
  }
}
