// Gemini CLI reads the nearest .env in its workspace or above it. Above it is Pawl's own, with keys
// that are not for agents; its switch `--ignore-env` is refused by its own command line (seen in
// 0.61.0). One that is nearer ends its search: the user's own, or an empty one.
import { randomUUID } from "node:crypto";
import { access, mkdir, rename, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { LaunchRequest } from "../../ports/agent.ts";
import { ifThere } from "../../lib/if-there.ts";
import { writeWhole } from "../shared/write-whole.ts";

/** In the project's folder, which holds the workspaces. Safe to repeat. */
export async function hideKeys({ workspace, env }: LaunchRequest): Promise<void> {
  const folder = join(dirname(dirname(workspace)), ".gemini");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, ".env");
  const own = await usersFile(env["GEMINI_CLI_HOME"] ?? env["HOME"] ?? "/");
  if (own === undefined) return writeWhole(file, "");
  const link = `${file}.${randomUUID()}`;
  await symlink(own, link);
  await rename(link, file);
}

/** In the order in which it looks for them itself. */
async function usersFile(home: string): Promise<string | undefined> {
  for (const path of [join(home, ".gemini", ".env"), join(home, ".env")]) {
    if ((await ifThere(access(path).then(() => true))) === true) return path;
  }
  return undefined;
}
