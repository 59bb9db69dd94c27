// Who signs what: the name on Pawl's own commits, and the name agents commit under.
import type { GitContext } from "./context.ts";

export type Author = { name: string; email: string };

const PAWL: Author = { name: "Pawl", email: "pawl@localhost" };
const AGENT: Author = { name: "Pawl agent", email: "pawl-agent@localhost" };

/** The committer of merges, replays and checkpoints. */
export const committerOf = (context: GitContext): Author => context.config.author ?? PAWL;

/** For agents: as configured, else the user's own identity, else one that says what it is. */
export async function agentAuthor(context: GitContext): Promise<Author> {
  if (context.config.author !== undefined) return context.config.author;
  const [name, email] = await Promise.all([
    userSetting(context, "user.name"),
    userSetting(context, "user.email"),
  ]);
  return name === "" || email === "" ? AGENT : { name, email };
}

async function userSetting(context: GitContext, key: string): Promise<string> {
  const cwd = context.upstream.path;
  const result = await context.git({
    args: ["config", "--get", key],
    cwd,
    reach: "user",
    expect: [0, 1],
  });
  return result.stdout;
}
