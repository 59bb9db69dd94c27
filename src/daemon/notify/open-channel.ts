// Makes a configured channel ready to bring news: its address and token are looked up now, and held
// no longer than it takes.
import {
  createCommandChannel,
  createDesktopChannel,
} from "../../adapters/notify-command/command-channel.ts";
import { createHttpChannel } from "../../adapters/notify-http/http-channel.ts";
import type { ChannelConfig } from "../../core/channel.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { Forge } from "../../ports/forge.ts";
import type { Channel } from "../../ports/notifier.ts";
import { passEnvironment, toolEnvironment } from "../host/environment.ts";
import type { Secrets } from "../host/secrets.ts";

/** What a notification on the screen needs to find the screen. */
const DESKTOP = ["DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"];

export async function openChannel(
  config: ChannelConfig,
  from: { secrets: Secrets; forge: () => Promise<Forge> },
): Promise<Channel> {
  const { timeoutMs } = config;
  switch (config.kind) {
    case "webhook":
    case "slack":
    case "ntfy": {
      const url = await named(config, { variable: config.urlEnv, secrets: from.secrets });
      const token =
        config.tokenEnv === undefined
          ? undefined
          : await named(config, { variable: config.tokenEnv, secrets: from.secrets });
      return createHttpChannel({ kind: config.kind, url, token, timeoutMs });
    }
    case "desktop": {
      const env = { ...toolEnvironment(), ...passEnvironment(DESKTOP) };
      return createDesktopChannel({ env, timeoutMs, platform: process.platform });
    }
    case "command":
      return createCommandChannel({
        env: toolEnvironment(),
        timeoutMs,
        command: config.command ?? [],
      });
    case "forge":
      return forgeChannel(await from.forge());
  }
}

async function named(
  { kind, name }: ChannelConfig,
  { variable, secrets }: { variable: string | undefined; secrets: Secrets },
): Promise<string> {
  const value = variable === undefined ? undefined : await secrets(variable);
  if (value !== undefined && value !== "") return value;
  throw new OperationError(
    `cannot send notifications by ${name} (${kind}): ${variable} is not set`,
    {
      code: "notify-unset",
      hint: `set ${variable} where the daemon is started, or write it into .env in PAWL_HOME (mode 600)`,
      retryable: false,
    },
  );
}

/** A comment on the issue that the news is about; what is about none is said elsewhere. */
const forgeChannel = (forge: Forge): Channel => ({
  send: async ({ issue, title, body, key }) => {
    if (issue === undefined) return;
    const text = body.trim() === "" ? title : body;
    await forge.comment({ issue, body: text, author: "pawl", key: `${key}:news` });
  },
});
