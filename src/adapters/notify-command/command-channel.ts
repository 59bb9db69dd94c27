// Brings news by a program of this machine: the user's own command, which reads it as JSON, or the
// desktop's notifications. Texts are arguments or input, never part of a shell's line.
import { OperationError } from "../../lib/operation-error.ts";
import type { Channel, News } from "../../ports/notifier.ts";
import { run } from "../shared/run.ts";

const OUTPUT_MAX_BYTES = 64 * 1024;

type Options = {
  env: Readonly<Record<string, string>>;
  timeoutMs: number;
};

export const createCommandChannel = (options: Options & { command: string[] }): Channel => ({
  send: (news) => start({ ...options, argv: options.command, stdin: `${JSON.stringify(news)}\n` }),
});

export const createDesktopChannel = (options: Options & { platform: string }): Channel => ({
  send: (news) => start({ ...options, argv: desktopArgv(news, options.platform), stdin: "" }),
});

const URGENCIES = { info: "low", warning: "normal", urgent: "critical" } as const;

export function desktopArgv(news: News, platform: string): string[] {
  const { severity, title, body, project } = news;
  const head = `${project}: ${title}`;
  if (platform !== "darwin") {
    return ["notify-send", "--app-name=Pawl", `--urgency=${URGENCIES[severity]}`, "--", head, body];
  }
  const show = "display notification (item 2 of argv) with title (item 1 of argv)";
  return ["osascript", "-e", "on run argv", "-e", show, "-e", "end run", head, body];
}

async function start(options: Options & { argv: string[]; stdin: string }): Promise<void> {
  const [program = "", ...rest] = options.argv;
  try {
    await run({
      argv: [program, ...rest],
      cwd: "/",
      env: options.env,
      timeoutMs: options.timeoutMs,
      maxBytes: OUTPUT_MAX_BYTES,
      overflow: "truncate",
      stdin: options.stdin,
      what: "bring news",
    });
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    // A program that is not there will not come by itself; one that failed may not fail again.
    const { code, message, hint } = error;
    throw new OperationError(message, {
      code,
      hint,
      retryable: code !== "command-missing",
      cause: error,
    });
  }
}
