// What a terminal's bytes say, without how they were drawn: escape sequences go, and a line that
// was written over (progress bars, spinners) keeps its last version.

/* oxlint-disable no-control-regex */
/** OSC, DCS, SOS, PM and APC strings, up to their end or, where that is cut off, the end of line. */
const STRINGS = /\u001b[\]PX^_][^\u0007\u001b\n]*(?:\u0007|\u001b\\)?/g;
/** Moves to another row: what follows is another line. */
const ROW_MOVES = /\u001b\[[0-9;]*[ABEFHdf]/g;
const FORWARD = /\u001b\[(\d*)C/g;
const CSI = /\u001b\[[0-?]*[ -/]*[@-~]?/g;
/** Charsets (ESC ( B) and all other short ones. */
const SHORT = /\u001b[ -/]*[0-~]?/g;
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;
/* oxlint-enable no-control-regex */

const FORWARD_MAX = 200;

export function plainText(raw: string): string {
  return raw
    .replaceAll(STRINGS, "")
    .replaceAll(ROW_MOVES, "\n")
    .replaceAll(FORWARD, (_, count: string) =>
      " ".repeat(Math.min(Number(count === "" ? 1 : count), FORWARD_MAX)),
    )
    .replaceAll(CSI, "")
    .replaceAll(SHORT, "")
    .replaceAll(CONTROL, "")
    .split("\n")
    .map(lastVersion)
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n");
}

function lastVersion(line: string): string {
  const versions = line.split("\r").filter((version) => version.trim() !== "");
  return (versions.at(-1) ?? "").trimEnd();
}
