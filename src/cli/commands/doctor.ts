// `pawl doctor`: finds problems, says what would fix them, and fixes them with --fix.
import type { DoctorCheckView, DoctorView } from "../../api/doctor.ts";
import type { NotifyTestView } from "../../api/notify.ts";
import type { AddCommand, Finish } from "../command.ts";
import { EXIT, type Deps } from "../deps.ts";
import { OperationError } from "../../lib/operation-error.ts";
import { formatTsv } from "../../lib/table.ts";
import { sayNotInForce } from "../output/ignored-config.ts";
import { wrapped } from "../output/wrap.ts";
import { printJson } from "../output/rows.ts";
import { count, harmless, paint } from "../output/text.ts";

const EXAMPLES = `
Examples:
  pawl doctor
  pawl doctor --fix --dry-run      what the fixes would do
  pawl doctor --fix
  pawl doctor --notify             also send a test message through every channel
  pawl doctor --json | jq '.checks[] | select(.troubles != [])'

Works with and without a daemon. Before it removes files, it saves their content. Exits 0 if no
problem is left, 1 otherwise.`;

type Options = {
  fix?: true | undefined;
  notify?: true | undefined;
  dryRun?: true | undefined;
  json?: true | undefined;
  verbose?: true | undefined;
};

export const addDoctor: AddCommand = (program, { deps, finish }) => {
  program
    .command("doctor")
    .description("find problems and fix them")
    .option("--fix", "fix what can be fixed, then check again")
    .option("--dry-run", "only show what the fixes would do")
    .option("--notify", "also send a test message through every notification channel")
    .option("--json", "print JSON with all fields")
    .option("-v, --verbose", "also list the checks that pass")
    .action((options) => examine(deps(), { ...options, finish }))
    .addHelpText("after", EXAMPLES);
};

async function examine(deps: Deps, options: Options & { finish: Finish }): Promise<void> {
  const fixes = options.fix === true && options.dryRun !== true;
  const examined = fixes
    ? await deps.client.post<DoctorView>("/v1/doctor/fix", {})
    : await deps.client.get<DoctorView>("/v1/doctor");
  const found = options.notify === true ? await withMessages(deps, examined) : examined;
  if (options.json === true) printJson(deps, found);
  else {
    deps.stdout(
      deps.isTty ? wrapped(deps, forPeople(deps, found, options)) : forPipes(found, options),
    );
    await sayNotInForce(deps);
  }
  if (!found.healthy) options.finish(EXIT.failed);
}

/** Whether news arrives is only known by a message that arrived: one is sent where it is asked for. */
async function withMessages(deps: Deps, found: DoctorView): Promise<DoctorView> {
  const began = deps.now();
  const troubles = await sendMessages(deps);
  const check = {
    id: "messages",
    title: "test messages through every notification channel",
    took_ms: deps.now() - began,
    troubles,
  };
  const isHealthy = troubles.every(isNote);
  return { ...found, healthy: found.healthy && isHealthy, checks: [...found.checks, check] };
}

async function sendMessages(deps: Deps): Promise<Found[]> {
  const told = { fix: null, fixed: null, failed: null };
  try {
    const sent = await deps.client.post<NotifyTestView[]>("/v1/notify/test", {});
    return sent.map(({ project, name, trouble }) =>
      trouble === null
        ? {
            ...told,
            what: `${project}: sent through ${name}; check whether it arrived`,
            hint: null,
            note: true,
          }
        : {
            ...told,
            what: `${project}: ${name} failed: ${trouble}`,
            hint: "fix [[notify]] in pawl.toml, then run `pawl notify test`",
          },
    );
  } catch (error) {
    if (!(error instanceof OperationError && error.code === "no-channel")) throw error;
    const hint = "write [[notify]] into pawl.toml: `pawl config explain notify` shows how";
    return [{ ...told, what: error.message, hint, note: true }];
  }
}

type Found = DoctorCheckView["troubles"][number];

const isFixed = ({ fixed }: Found): boolean => fixed === true;
const isNote = ({ note }: Found): boolean => note === true;
const isUnanswered = ({ unanswered, fixed }: Found): boolean =>
  unanswered === true && fixed !== true;

function forPeople(deps: Deps, found: DoctorView, options: Options): string {
  const late = found.checks.filter(({ troubles }) => isLate(troubles));
  const shown = found.checks.filter(
    ({ troubles }) => !isLate(troubles) && (options.verbose === true || troubles.length > 0),
  );
  const lines = shown.flatMap(({ title, troubles }) => [
    `${markOf(deps, troubles)} ${title}`,
    ...troubles.flatMap((trouble) => troubleLines(deps, trouble)),
  ]);
  const left = found.checks.flatMap(({ troubles }) =>
    troubles.filter((one) => !isFixed(one) && !isNote(one) && !isUnanswered(one)),
  );
  const took = `${count(found.checks.length, "check")} in ${(found.took_ms / 1000).toFixed(1)} s`;
  const verdict = found.healthy
    ? paint(deps, "green", "healthy")
    : left.length > 0
      ? paint(deps, "red", count(left.length, "problem"))
      : paint(deps, "yellow", "no problem found by the checks that answered");
  const canFix = left.some(({ fix, fixed }) => fix !== null && fixed === null);
  const next = canFix
    ? [`${paint(deps, "cyan", "pawl doctor --fix")} fixes what can be fixed`]
    : [];
  return `${[...lines, ...lateLines(deps, late), ...sizeLine(found), `${verdict} (${took})`, ...next].join("\n")}\n`;
}

/** Its only finding is that it did not answer. */
const isLate = (troubles: readonly Found[]): boolean =>
  troubles.length > 0 && troubles.every(isUnanswered);

/** Said once: on a busy machine it can be most of the checks, and none of them found a problem. */
function lateLines(deps: Deps, late: DoctorView["checks"]): string[] {
  const [first] = late.flatMap(({ troubles }) => troubles);
  if (first === undefined) return [];
  const ids = late.map(({ id }) => id).join(", ");
  return [
    `${paint(deps, "yellow", "unknown")} ${count(late.length, "check")}: ${harmless(first.what)}`,
    `  not checked: ${ids}`,
    ...(first.hint === null ? [] : [paint(deps, "dim", `    hint: ${harmless(first.hint)}`)]),
  ];
}

function sizeLine({ sizes = [], max_bytes: max }: DoctorView): string[] {
  if (sizes.length === 0) return [];
  const whole = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  const parts = sizes
    .filter(({ bytes }) => bytes >= SEEN_BYTES)
    .map(({ part, bytes }) => `${part} ${megabytes(bytes)}`);
  const bound = max === null || max === undefined ? "" : ` of at most ${megabytes(max)}`;
  const each = parts.length === 0 ? "" : ` (${parts.join(", ")})`;
  return [`on disk: ${megabytes(whole)}${bound}${each}`];
}

/** Less would be shown as 0.0 MB. */
const SEEN_BYTES = 50_000;

const megabytes = (bytes: number): string =>
  bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${(bytes / 1e6).toFixed(1)} MB`;

function markOf(deps: Deps, troubles: DoctorCheckView["troubles"]): string {
  if (troubles.length === 0) return paint(deps, "green", "ok     ");
  if (troubles.every(isNote)) return paint(deps, "yellow", "note   ");
  return troubles.every(isFixed) ? paint(deps, "yellow", "fixed  ") : paint(deps, "red", "problem");
}

function troubleLines(deps: Deps, one: Found): string[] {
  const lines = [`  ${harmless(one.what).replaceAll("\n", "\n  ")}`];
  if (one.fix !== null) lines.push(paint(deps, "dim", `    fix: ${harmless(one.fix)}`));
  if (one.fixed === false)
    lines.push(`    not fixed${one.failed === null ? "" : `: ${harmless(one.failed)}`}`);
  if (one.hint !== null) lines.push(paint(deps, "dim", `    hint: ${harmless(one.hint)}`));
  return lines;
}

/** One line per problem: check, state, what, its fix; then sizes and their bound in bytes, and last the verdict. */
function forPipes(found: DoctorView, { verbose }: Options): string {
  return formatTsv([
    ...found.checks.flatMap(({ id, troubles }) => {
      if (troubles.length === 0) return verbose === true ? [[id, "ok", "", ""]] : [];
      return troubles.map((one) => [id, stateOf(one), one.what, one.fix ?? one.hint ?? ""]);
    }),
    ...(found.sizes ?? []).map(({ part, bytes }) => ["size", part, String(bytes), ""]),
    ...(typeof found.max_bytes === "number" ? [["bound", "", String(found.max_bytes), ""]] : []),
    ["doctor", found.healthy ? "healthy" : "trouble", `${found.took_ms} ms`, ""],
  ]);
}

function stateOf(one: Found): string {
  if (isFixed(one)) return "fixed";
  if (isNote(one)) return "note";
  return isUnanswered(one) ? "unknown" : "trouble";
}
