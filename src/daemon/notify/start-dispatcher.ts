// The dispatcher of a factory that is served: woken by news, closed with the factory.
import type { ProjectName } from "../../core/ids.ts";
import type { Factory } from "../host/factory.ts";
import type { Log } from "../host/log.ts";
import { createSecrets } from "../host/secrets.ts";
import { statusView } from "../views/status.ts";
import { Dispatcher } from "./dispatcher.ts";
import { openChannel } from "./open-channel.ts";

export function startDispatcher(
  { store, ports, paths }: Factory,
  { log, version }: { log: Log; version: string },
): { close(): Promise<void> } {
  const secrets = createSecrets(paths.home, process.env);
  const { clock } = ports;
  const dispatcher = new Dispatcher({
    store,
    clock,
    redact: (text) => ports.redact(text),
    open: ({ project, channel }) =>
      openChannel(channel, { secrets, forge: async () => (await ports.project(project)).forge }),
    status: (project: ProjectName) =>
      statusView({
        store,
        paths,
        version,
        daemon: null,
        now: clock.now(),
        project,
      }),
    onError: (error) => log.error({ error: String(error) }, "cannot send notifications"),
  });
  const stop = ports.notifier.onTaken(() => dispatcher.wake());
  dispatcher.wake();
  return {
    close: async () => {
      stop();
      await dispatcher.close();
    },
  };
}
