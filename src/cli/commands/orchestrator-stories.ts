// `pawl orchestrator-helper`: small questions about stories. Answers are one line of JSON.
import type { Command } from "@commander-js/extra-typings";
import type { Finish } from "../command.ts";
import { EXIT, type Deps } from "../deps.ts";
import { aboutStories, openPlaceFor } from "../monitoring-door.ts";
import { usage } from "../options.ts";

type Context = { deps: () => Deps; finish: Finish };

export function addStories(group: Command, { deps, finish }: Context): void {
  const say = (answer: Record<string, unknown>): void => {
    deps().stdout(`${JSON.stringify(answer)}\n`);
    if (answer["ok"] === false) finish(EXIT.failed);
  };
  const root = async (): Promise<string> => (await openPlaceFor(deps())).root;
  group
    .command("normalize-key")
    .description("all the ways a story is named")
    .argument("<story>")
    .option("--to <form>", "id, key, prefix or json", "json")
    .action(async (story, { to }) => {
      const answer = await (await aboutStories()).normalizeKey(await root(), story);
      const form = answer[to];
      if (to === "json" || !answer.ok) say(answer);
      else if (typeof form === "string") deps().stdout(`${form}\n`);
      else throw usage(`--to is id, key, prefix or json, not "${to}"`);
    });
  group
    .command("story-file-status")
    .description("status and title of a story's file")
    .argument("<story>")
    .action(async (story) =>
      say(await (await aboutStories()).storyFileStatus(await root(), story)),
    );
  group
    .command("commit-ready")
    .description("whether a story is done and there is something to commit")
    .argument("<story>")
    .action(async (story) => say(await (await aboutStories()).commitReady(await root(), story)));
  group
    .command("get-epic-stories")
    .description("the stories of an epic, in order")
    .argument("<epic>")
    .action(async (epic) => say(await (await aboutStories()).epicStories(await root(), epic)));
  group
    .command("check-epic-complete")
    .description("whether a story is the last of its epic")
    .argument("<epic>")
    .argument("<story>")
    .action(async (epic, story) =>
      say(await (await aboutStories()).epicComplete(await root(), epic, story)),
    );
}
