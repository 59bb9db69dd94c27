// Opens an address in the user's browser, where there is one.
import { spawn } from "node:child_process";
import type { Deps } from "./deps.ts";

/** Where there is no screen, no program that opens or no person, the printed link is enough. */
export function openBrowser({ env, isTty }: Pick<Deps, "env" | "isTty">, url: string): void {
  const isMac = process.platform === "darwin";
  if (!isTty) return;
  if (!isMac && env["DISPLAY"] === undefined && env["WAYLAND_DISPLAY"] === undefined) return;
  const child = spawn(isMac ? "open" : "xdg-open", [url], { stdio: "ignore", detached: true });
  child.on("error", () => undefined);
  child.unref();
}
