// Which HTTP status an error has. The code in the body says more; the status is for programs and
// proxies that know nothing of Pawl.

const BY_CODE: Record<string, number> = {
  usage: 400,
  "config-invalid": 400,
  "formula-invalid": 400,
  "front-matter": 400,
  auth: 403,
  "not-found": 404,
  "branch-missing": 404,
  "commit-missing": 404,
  "read-only": 409,
  "name-taken": 409,
  "branch-owned": 409,
  "run-over": 409,
  "pr-over": 409,
  "gate-closed": 409,
  "not-waiting": 409,
  "other-payload": 409,
  "nothing-to-approve": 409,
  landed: 409,
  busy: 409,
  "daemon-running": 409,
  "no-daemon": 503,
  "store-busy": 503,
  "store-overloaded": 503,
  "store-full": 507,
  "disk-full": 507,
  unexpected: 500,
  "store-corrupt": 500,
  "store-io": 500,
  "no-token": 502,
  "http-timeout": 504,
};

/** What was asked for does not exist; `no-token`, `no-daemon` and programs that are missing are others. */
const MISSING =
  /^no-(?:project|run|route|entry|letter|escalation|item|plugin|schedule|formula|checkpoints?|channel|session)$/;
/** A forge, a CI server or a remote failed. */
const UPSTREAM = /^http-|unreachable$/;
/** It was understood and cannot be carried out. */
const OTHERWISE = 422;

export function httpStatus(code: string): number {
  const known = BY_CODE[code];
  if (known !== undefined) return known;
  if (MISSING.test(code)) return 404;
  return UPSTREAM.test(code) ? 502 : OTHERWISE;
}
