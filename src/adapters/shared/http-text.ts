// Reading what an HTTP server answers: its body up to a limit, and where the next page is.
import { OperationError } from "../../lib/operation-error.ts";

const BODY_MAX_BYTES = 32 * 1024 * 1024;

export async function bodyText(response: Response): Promise<string> {
  if (response.body === null) return "";
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.byteLength;
    if (size > BODY_MAX_BYTES) {
      throw new OperationError(`its answer is longer than ${BODY_MAX_BYTES} bytes`, {
        code: "http-too-much",
      });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/**
 * The query of the next page. Only the query: behind a proxy, servers name themselves by another
 * address, and a token must not follow a link to wherever it points.
 */
export function nextQuery(link: string | null): Record<string, string> | undefined {
  const next = link?.split(",").find((part) => /;\s*rel="?next"?/.test(part));
  const target = next === undefined ? undefined : /<([^>]*)>/.exec(next)?.[1];
  if (target === undefined) return undefined;
  const at = target.indexOf("?");
  return at < 0 ? undefined : Object.fromEntries(new URLSearchParams(target.slice(at + 1)));
}
