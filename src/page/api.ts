// Calls to the daemon. The cookie goes along by itself; the key is kept by this origin.
import type { DeviceView, PairedView } from "../api/page.ts";

const KEY = "pawl-key";
const KEY_HEADER = "x-pawl-page-key";

export class CallError extends Error {
  readonly code: string;
  readonly hint: string | undefined;

  constructor({ code, message, hint }: { code: string; message: string; hint?: string }) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}

export const isPaired = (): boolean => localStorage.getItem(KEY) !== null;

export const forgetPairing = (): void => localStorage.removeItem(KEY);

export async function pair(code: string): Promise<DeviceView> {
  const { key, device } = await call<PairedView>("POST", "/pair", { body: { code } });
  localStorage.setItem(KEY, key);
  return device;
}

export const get = <T>(path: string): Promise<T> => call<T>("GET", path);

export const post = <T>(path: string, body: object): Promise<T> => call<T>("POST", path, { body });

/** The stream of changes after a number. */
export async function openChanges(
  after: number | undefined,
  { query, signal }: { query?: string; signal: AbortSignal },
): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  const headers =
    after === undefined ? keyHeader() : { ...keyHeader(), "last-event-id": `${after}` };
  const answer = await fetch(`/v1/changes${query ?? ""}`, { headers, signal });
  if (!answer.ok || answer.body === null) throw await errorOf(answer);
  return answer.body;
}

async function call<T>(method: string, path: string, { body }: { body?: object } = {}): Promise<T> {
  const headers = { ...keyHeader(), ...(body && { "content-type": "application/json" }) };
  const request = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await fetch(path, { method, headers, ...request });
  if (!answer.ok) throw await errorOf(answer);
  return (await answer.json()) as T;
}

const keyHeader = (): Record<string, string> => {
  const key = localStorage.getItem(KEY);
  return key === null ? {} : { [KEY_HEADER]: key };
};

async function errorOf(answer: Response): Promise<CallError> {
  try {
    const { error } = (await answer.json()) as { error: { code: string; message: string } };
    return new CallError(error);
  } catch {
    return new CallError({ code: "no-answer", message: `the daemon answered ${answer.status}` });
  }
}

/** One part of a path. */
export const part = (text: string | number): string => encodeURIComponent(String(text));

export const inProject = (path: string, project: string): string =>
  `${path}${path.includes("?") ? "&" : "?"}project=${part(project)}`;
