// Adds the issues of a file. Each is made under the hash of what it says, so that importing a file
// again, or after a crash half way, adds only what is new.
import { createHash } from "node:crypto";
import type { IssueView, NewIssueRequest } from "../../../api/issues.ts";
import { OperationError } from "../../../lib/operation-error.ts";
import type { Deps } from "../../deps.ts";
import { printJson } from "../../output/rows.ts";
import { count } from "../../output/text.ts";
import { noteWhoActs } from "../../output/who-acts.ts";
import { usage } from "../../options.ts";
import { parseImport, type Imported } from "./import-file.ts";

export async function importIssues(
  deps: Deps,
  file: string,
  { json }: { json?: true | undefined } = {},
): Promise<void> {
  const items = parseImport(await deps.readText(file), file);
  if (items.length === 0) {
    throw usage(
      `${file} contains no issues`,
      'write each as a "# " heading with its text below, or as an object of a JSON array',
    );
  }
  const before = await deps.client.get<IssueView[]>("/v1/issues?state=all").catch(noneYet);
  const known = new Set(before.map(({ number }) => number));
  const added: IssueView[] = [];
  for (const item of items) {
    const issue = await deps.client.post<IssueView>("/v1/issues", requestOf(deps, item));
    if (known.has(issue.number)) continue;
    known.add(issue.number);
    added.push(issue);
    if (json !== true) deps.stdout(`${issue.number}\n`);
  }
  if (json === true) printJson(deps, added);
  const old = items.length - added.length;
  deps.stderr(
    `added ${count(added.length, "issue")}${old === 0 ? "" : `; ${old} already existed`}\n`,
  );
  await noteWhoActs(deps);
}

/** A project that is registered by its first issue has none before. */
function noneYet(error: unknown): IssueView[] {
  if (error instanceof OperationError && error.code === "no-project") return [];
  throw error;
}

const requestOf = (deps: Deps, item: Imported): NewIssueRequest => ({
  ...item,
  key: `import ${createHash("sha256").update(JSON.stringify(item)).digest("hex")}`,
  author: deps.user,
});
