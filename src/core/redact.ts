// Takes secrets out of text that is shown to agents, posted or logged: those that Pawl itself holds,
// and what looks like one wherever it comes from. What is left says that something was there.
const GONE = "[redacted]";
/** Shorter values would take ordinary words out. */
const SECRET_MIN = 8;

/** Tokens that carry their kind in their first letters, keys, and passwords in addresses. */
const PATTERNS: readonly [RegExp, string][] = [
  [/\b(?:gh[pousr]_\w{20,255}|github_pat_\w{20,255}|glpat-[\w-]{20,64})/g, GONE],
  [/\b(?:sk-ant-[\w-]{20,200}|sk-(?:proj-)?[A-Za-z0-9_-]{32,200})/g, GONE],
  [/\bxox[abposr]-[\w-]{10,200}/g, GONE],
  [/\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g, GONE],
  [/\beyJ[\w-]{10,2000}\.eyJ[\w-]{10,4000}\.[\w-]{10,2000}/g, GONE],
  [
    /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[\s\S]{0,20000}?(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|$)/g,
    GONE,
  ],
  [/(\bhttps?:\/\/[^\s/:@]{1,100}):[^\s/@]{1,200}@/g, `$1:${GONE}@`],
  [/(\bAuthorization:\s*(?:Bearer|Basic|token)\s+)\S{8,2000}/gi, `$1${GONE}`],
];

export function redact(text: string, secrets: readonly string[] = []): string {
  const held = secrets.filter((secret) => secret.length >= SECRET_MIN);
  const clean = held.reduce((rest, secret) => rest.replaceAll(secret, GONE), text);
  return PATTERNS.reduce((rest, [pattern, by]) => rest.replaceAll(pattern, by), clean);
}
