// What tools, gates and set-up commands may see of the user's environment: enough to run, no secret.
const PASSED = [
  "HOME",
  "LANG",
  "LC_ALL",
  "LC_CTYPE",
  "LOGNAME",
  "PATH",
  "SHELL",
  "TMPDIR",
  "TZ",
  "USER",
  // A package registry other than the public one is not a secret, and set-up needs it.
  "npm_config_registry",
  "GOPROXY",
  "PIP_INDEX_URL",
];

export function passEnvironment(names: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of names) {
    const value = process.env[name];
    if (value !== undefined) found[name] = value;
  }
  return found;
}

export const toolEnvironment = (): Record<string, string> => ({
  PATH: "/usr/local/bin:/usr/bin:/bin",
  ...passEnvironment(PASSED),
});

/** What it has when it works, as far as its own program asks for it. */
export function programEnvironment(passed: readonly string[]): Record<string, string> {
  const { PATH = "/usr/bin:/bin", HOME = "/" } = toolEnvironment();
  const own = passed.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(own), PATH, HOME };
}
