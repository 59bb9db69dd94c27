import { sessionFilesContract } from "../../src/ports/session-files.contract.ts";
import { Life } from "../life.ts";
import { optionsFrom } from "../options.ts";
import { folderChanged, moveMessage, World } from "../world.ts";
import { createFakeSessionFiles } from "./session-files.ts";

sessionFilesContract("the simulated session files", async () => {
  const world = new World(1, { ...optionsFrom(1), projects: 1 });
  world.faults.on = false;
  const files = createFakeSessionFiles(new Life(world, 1));
  const dir = { path: "/sim/1.1/1" };
  const phaseLink = "/sim/phase";
  await files.prepare({ dir, prompt: "work", phaseLink });
  const folder = world.folder(dir.path);
  return {
    files,
    dir,
    phaseLink,
    async writePhase(text) {
      folder.phase = { stamp: world.stamp(), text };
      folderChanged(folder, false);
    },
    spool: async (name, text) => void folder.spool.set(name, text),
    async take(id) {
      const taken = moveMessage(id, folder.inboxNew, folder.inboxCur);
      if (taken === undefined) throw new Error(`${id} is not in new/`);
    },
    unread: async () => [...folder.inboxNew.keys()],
    finish: (work) => world.clock.until(work),
    close: async () => undefined,
  };
});
