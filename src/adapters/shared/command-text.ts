// How a command and what it said are shown in an error: short, and without passwords.

const COMMAND_MAX_CHARS = 300;
const STDERR_MAX_CHARS = 2_000;

/** The command as one would type it; passwords inside URLs are left out. */
export function commandText(argv: readonly string[]): string {
  const text = argv.map((part) => (/^[\w@%+=:,./-]+$/.test(part) ? part : quoted(part))).join(" ");
  const shown = withoutPasswords(text);
  return shown.length > COMMAND_MAX_CHARS ? `${shown.slice(0, COMMAND_MAX_CHARS)}…` : shown;
}

/** The end of what a program wrote to stderr: there the reason is. */
export function endOf(stderr: string): string {
  const text = withoutPasswords(stderr).trim();
  return text.length > STDERR_MAX_CHARS ? `…${text.slice(-STDERR_MAX_CHARS)}` : text;
}

const quoted = (part: string): string => `'${part.replaceAll("'", String.raw`'\''`)}'`;

const withoutPasswords = (text: string): string =>
  text.replaceAll(/(?<scheme>[a-z][a-z0-9+.-]*:\/\/)[^\s/@']+@/gi, "$<scheme>***@");
