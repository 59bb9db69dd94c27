// `pawl hook show|set`: the durable record of what an agent is working on and how to resume. Agents
// set their own without waiting for the daemon; everyone may read.
import type { HookView } from "../../api/hooks.ts";
import { TESTS_WORDS, WORK_PHASE_WORDS } from "../../api/words.ts";
import type { AddCommand } from "../command.ts";
import type { Deps } from "../deps.ts";
import { collect, usage } from "../options.ts";
import { printDocument } from "../output/document.ts";
import { printJson } from "../output/rows.ts";
import { when } from "../output/text.ts";
import { spool } from "../own-session.ts";

const EXAMPLES = `
Examples:
  pawl hook show 7
  pawl hook set --phase implementation --summary "the parser's error messages"
  pawl hook set --instructions "Run make fixtures before the tests."

Inside a session you can leave out the reference to use the session's own hook.`;

type SetOptions = {
  phase?: string | undefined;
  summary?: string | undefined;
  instructions?: string | undefined;
  tests?: string | undefined;
  file?: string[] | undefined;
};

export const addHook: AddCommand = (program, { deps }) => {
  const hook = program
    .command("hook")
    .description("show what an agent is working on, and how to resume it")
    .addHelpText("after", EXAMPLES);
  hook
    .command("show")
    .description("show the hook of an identity")
    .argument("[ref]", "an issue, a PR, a branch, a run or an identity")
    .option("--json", "print JSON with all fields")
    .action((ref, options) => showHook(deps(), ref, options));
  hook
    .command("set", { hidden: true })
    .description("for agents: report what you are working on")
    .option("--phase <phase>", WORK_PHASE_WORDS.join(", "))
    .option("--summary <text>", "what you are working on, in a sentence")
    .option("--instructions <text>", "what your successor must know")
    .option("--tests <status>", TESTS_WORDS.join(", "))
    .option("--file <path>", "a file you have changed; may be repeated", collect)
    .action((options) => setHook(deps(), options));
};

async function showHook(
  deps: Deps,
  ref: string | undefined,
  options: { json?: true | undefined },
): Promise<void> {
  const hook = await readHook(deps, ref);
  if (options.json === true) {
    printJson(deps, hook);
    return;
  }
  printDocument(deps, {
    title: hook.identity_name,
    facts: [
      { name: "issue", value: `#${hook.current_bead}` },
      { name: "phase", value: hook.work_phase },
      { name: "tests", value: hook.tests_status },
      { name: "status", value: hook.status },
      {
        name: "saved",
        value: hook.last_checkpoint_at === null ? "" : when(deps, hook.last_checkpoint_at),
      },
      { name: "files", value: hook.files_modified.join(" ") },
      { name: "resume", value: hook.resumption_instructions },
    ],
    text: hook.work_summary,
    said: [],
  });
}

/** An agent's own hook is a file beside it: reading it needs no daemon. */
async function readHook(deps: Deps, ref: string | undefined): Promise<HookView> {
  const own = deps.env["PAWL_HOOK_FILE"];
  if (ref === undefined && own !== undefined)
    return JSON.parse(await deps.readText(own)) as HookView;
  if (ref === undefined) throw usage("whose hook?", "name an issue, a run or an identity");
  return deps.client.get<HookView>(`/v1/runs/${encodeURIComponent(ref)}/hook`);
}

async function setHook(deps: Deps, options: SetOptions): Promise<void> {
  const { phase, summary, instructions, tests, file: files } = options;
  checkWord(phase, WORK_PHASE_WORDS, "phase of work");
  checkWord(tests, TESTS_WORDS, "status of tests");
  if (Object.keys(options).length === 0) {
    throw usage("nothing to set", "give --phase, --summary, --instructions, --tests or --file");
  }
  const tests_status = tests;
  await spool(deps, {
    kind: "hook",
    work_phase: phase,
    summary,
    instructions,
    tests_status,
    files,
  });
  deps.stderr("noted\n");
}

function checkWord(word: string | undefined, words: readonly string[], what: string): void {
  if (word === undefined || words.includes(word)) return;
  throw usage(`"${word}" is not a ${what}`, `one of: ${words.join(", ")}`);
}
