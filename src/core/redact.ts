// Takes secrets out of text that is shown to agents, posted or logged: those that Pawl itself holds,
// and what looks like one wherever it comes from. What is left says that something was there.
const GONE = "[redacted]";
/** Shorter values would take ordinary words out. */
const SECRET_MIN = 8;

/** Tokens that carry their kind in their first letters, keys, and passwords in addresses. */
const PATTERNS: readonly [RegExp, string][] = [
  [/\b(?:gh[pousr]_\w{20,255}|github_pat_\w{20,255}|glpat-[\w-]{20,64})/g, GONE],
  [/\b(?:sk-ant-[\w-]{20,200}|sk-(?:proj-)?[A-Za-z0-9_-]{32,200})/g, GONE],
  [/\b(?:xox[abposr]|xapp)-[\w-]{10,200}/g, GONE],
  [/\b(?:sk|rk|whsec)_(?:live_|test_)?[A-Za-z0-9]{20,200}/g, GONE],
  [/\b(?:npm_[A-Za-z0-9]{36}|hf_[A-Za-z0-9]{30,60}|pypi-[\w-]{40,300}|dop_v1_[0-9a-f]{64})/g, GONE],
  [/\bAIza[\w-]{35}/g, GONE],
  [/\bSG\.[\w-]{16,64}\.[\w-]{16,128}/g, GONE],
  [
    /(\bhttps:\/\/(?:hooks\.slack\.com\/services|discord(?:app)?\.com\/api\/webhooks))\/[\w/-]{8,300}/g,
    `$1/${GONE}`,
  ],
  [/\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g, GONE],
  [/\beyJ[\w-]{10,2000}\.eyJ[\w-]{10,4000}\.[\w-]{10,2000}/g, GONE],
  [
    /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[\s\S]{0,20000}?(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|$)/g,
    GONE,
  ],
  [/(\bhttps?:\/\/[^\s/:@]{1,100}):[^\s/@]{1,200}@/g, `$1:${GONE}@`],
  [/(\bAuthorization:\s*(?:Bearer|Basic|token)\s+)\S{8,2000}/gi, `$1${GONE}`],
];

/** `secrets` as `spellings` gives them. */
export function redact(text: string, secrets: readonly string[] = []): string {
  const held = secrets.filter((secret) => secret.length >= SECRET_MIN);
  const clean = held.reduce((rest, secret) => rest.replaceAll(secret, GONE), text);
  return PATTERNS.reduce((rest, [pattern, by]) => rest.replaceAll(pattern, by), clean);
}

/** An address without a path or a password is a place, not a secret. */
const PLACE = /^https?:\/\/[^/@?#]+\/?$/;
/** Of a secret of several lines, such as a key, a line that is long enough to be one alone. */
const LINE_MIN = 16;

/** Every way in which these secrets are written down: as they are, in JSON, in an address. Longest first. */
export function spellings(secrets: readonly string[]): readonly string[] {
  const all = secrets
    .map((secret) => secret.trim())
    .filter((secret) => secret.length >= SECRET_MIN && !PLACE.test(secret))
    .flatMap((secret) => [secret, ...longLines(secret)])
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), inAddress(secret)]);
  return [...new Set(all)].toSorted((a, b) => b.length - a.length);
}

const longLines = (secret: string): string[] =>
  secret
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line.length >= LINE_MIN && line !== secret);

/** Half a surrogate pair has no spelling in an address. */
const inAddress = (secret: string): string => encodeURIComponent(secret.toWellFormed());

/** The same in every string of a value, at any depth; names of fields stay as they are. */
export function redactDeep(value: unknown, clean: (text: string) => string): unknown {
  if (typeof value === "string") return clean(value);
  if (Array.isArray(value)) return value.map((one) => redactDeep(one, clean));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, redactDeep(one, clean)]),
  );
}

/** Text that may be JSON: it stays JSON, because only its strings are changed. */
export function redactText(text: string, clean: (text: string) => string): string {
  if (clean(text) === text) return text;
  try {
    return JSON.stringify(redactDeep(JSON.parse(text), clean), null, text.includes("\n") ? 2 : 0);
  } catch {
    return clean(text);
  }
}
