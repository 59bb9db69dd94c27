// Tells a repository that is not there from something in it that is not there. A repository that is
// renamed, moved or made private answers like an issue that was deleted; it may be back in a moment,
// so that nothing is concluded from its silence and everything is tried again.
import { OperationError } from "../../../lib/operation-error.ts";
import type { HttpClient } from "../http-client.ts";
import { anything } from "./shapes.ts";

/** `root`: the path of the repository; `name`: how errors call it. */
export function requiringRepository(
  client: HttpClient,
  { root, name }: { root: string; name: string },
): HttpClient {
  const isInside = (path: string): boolean => path.startsWith(`${root}/`);

  async function requireThere(): Promise<void> {
    const what = `look for the repository ${name}`;
    const found = await client.ask({ what, path: root, schema: anything, accept: [404] });
    if (found.kind === "refused") throw absent(name);
  }

  async function guarded<T>(path: string, call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      if (error.code === "http-moved") throw moved(error);
      if (error.code === "not-found" && isInside(path)) {
        await guarded(root, requireThere);
      }
      throw error;
    }
  }

  return {
    ask: (request) =>
      guarded(request.path, async () => {
        const answer = await client.ask(request);
        const isGone = answer.kind === "refused" && answer.status === 404;
        if (isGone && isInside(request.path)) await requireThere();
        return answer;
      }),
    get: (request) => guarded(request.path, () => client.get(request)),
    list: (request) => guarded(request.path, () => client.list(request)),
    spent: () => client.spent(),
  };
}

const absent = (name: string): OperationError =>
  new OperationError(`the repository ${name} does not exist`, {
    code: "repository-missing",
    hint: "was it renamed or moved, or can the token no longer see it? Correct [forge] repo in pawl.toml; Pawl tries again by itself",
    retryable: true,
  });

const moved = (error: OperationError): OperationError =>
  new OperationError(error.message, {
    code: error.code,
    ...(error.hint === undefined ? {} : { hint: error.hint }),
    retryable: true,
    cause: error,
  });
