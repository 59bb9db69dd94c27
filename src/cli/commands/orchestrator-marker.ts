// `pawl orchestrator-helper marker`: says that an orchestration is under way in this project.
import type { Command } from "@commander-js/extra-typings";
import type { Finish } from "../command.ts";
import { EXIT, type Deps } from "../deps.ts";
import { marking, openPlaceFor } from "../monitoring-door.ts";
import { integer } from "../options.ts";

export function addMarker(group: Command, context: { deps: () => Deps; finish: Finish }): void {
  const marker = group.command("marker").description("an orchestration is under way here");
  addCreate(marker as unknown as Command, context);
  addRest(marker as unknown as Command, context);
}

function addCreate(marker: Command, { deps }: { deps: () => Deps }): void {
  marker
    .command("create")
    .requiredOption("--epic <epic>")
    .requiredOption("--story <story>")
    .requiredOption("--remaining <n>", "stories left", integer)
    .option("--state-file <file>", "", "")
    .option("--project-slug <slug>")
    .option("--pid <pid>", "of the orchestrator", integer)
    .option("--heartbeat <time>")
    .action(async (options) => {
      const at = deps();
      const { root, slug } = await openPlaceFor(at);
      const now = new Date(at.now()).toISOString();
      const { markerPath, writeMarker } = await marking();
      await writeMarker(root, {
        epic: options.epic,
        currentStory: options.story,
        storiesRemaining: options.remaining,
        stateFile: options.stateFile,
        createdAt: now,
        heartbeat: options.heartbeat ?? now,
        pid: options.pid ?? 0,
        projectSlug: options.projectSlug ?? slug,
      });
      at.stdout(`${JSON.stringify({ ok: true, file: markerPath(root) })}\n`);
    });
}

function addRest(marker: Command, context: { deps: () => Deps; finish: Finish }): void {
  const { deps, finish } = context;
  marker.command("check").action(async () => {
    const at = deps();
    const { root } = await openPlaceFor(at);
    const { markerPath, readMarker } = await marking();
    const text = await readMarker(root);
    const found = { exists: true, file: markerPath(root) };
    if (text === undefined) at.stdout('{"exists":false}\n');
    else at.stdout(`${JSON.stringify(found)}\n${text}`);
  });
  marker.command("heartbeat").action(async () => {
    const at = deps();
    const { root } = await openPlaceFor(at);
    const beaten = await (await marking()).beatMarker(root, new Date(at.now()).toISOString());
    at.stdout(`${JSON.stringify({ ok: beaten })}\n`);
    if (!beaten) finish(EXIT.failed);
  });
  marker.command("remove").action(async () => {
    const at = deps();
    const { root } = await openPlaceFor(at);
    await (await marking()).removeMarker(root);
    at.stdout('{"ok":true}\n');
  });
}
