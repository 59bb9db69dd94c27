// `pawl stop|retry|hold|release REF`: what a person may wish of a run.
import type { RunView } from "../../api/runs.ts";
import type { AddCommand } from "../command.ts";
import type { Deps } from "../deps.ts";
import { harmless } from "../output/text.ts";
import { noteWhoActs } from "../output/who-acts.ts";
import { shownRef } from "../output/shown-ref.ts";

type Wish = { verb: string; summary: string; done: string; example: string };

function addWish(wish: Wish): AddCommand {
  return (program, { deps }) => {
    program
      .command(wish.verb)
      .description(wish.summary)
      .argument("<ref>", "an issue, a PR, a branch, a run or an identity")
      .action((ref) => sendWish(deps(), ref, wish))
      .addHelpText("after", `\nExample:\n  ${wish.example}`);
  };
}

async function sendWish(deps: Deps, ref: string, { verb, done }: Wish): Promise<void> {
  const path = `/v1/runs/${encodeURIComponent(ref)}/${verb}`;
  const run = await deps.client.post<RunView>(path, { by: deps.user });
  deps.stderr(`${done} ${shownRef(run)} (run ${run.run}): ${harmless(run.doing)}\n`);
  await noteWhoActs(deps);
}

export const addStop = addWish({
  verb: "stop",
  summary: "end an agent; it is not started again until retried",
  done: "stopped",
  example: "pawl stop 7                its work is saved; `pawl retry 7` goes on",
});

export const addRetry = addWish({
  verb: "retry",
  summary: "let a stopped or escalated run go on",
  done: "going on with",
  example: "pawl retry 7",
});

export const addHold = addWish({
  verb: "hold",
  summary: "leave a session alone while a person works in it",
  done: "holding",
  example: "pawl hold 7 && pawl attach 7",
});

export const addRelease = addWish({
  verb: "release",
  summary: "give a held session back to Pawl",
  done: "released",
  example: "pawl release 7",
});
