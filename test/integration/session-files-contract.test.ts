import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSessionFiles } from "../../src/adapters/session-files/session-files.ts";
import { noCrash } from "../../src/lib/crash-point.ts";
import { TYPED_FOLDER } from "../../src/ports/session-files.ts";
import { sessionFilesContract } from "../../src/ports/session-files.contract.ts";

sessionFilesContract("session files on disk", async () => {
  const root = await mkdtemp(join(tmpdir(), "pawl-files-"));
  const files = createSessionFiles({ crash: noCrash });
  const path = join(root, "runs", "1.1", "1");
  const phaseLink = join(root, "phase-link");
  await files.prepare({ dir: { path }, prompt: "work", phaseLink });
  // As the start of an agent does whose hook knows it.
  await mkdir(join(path, TYPED_FOLDER));
  return {
    files,
    dir: { path },
    phaseLink,
    writePhase: async (text) => {
      await writeFile(join(path, "phase.new"), `${text}\n`);
      await rename(join(path, "phase.new"), join(path, "phase"));
    },
    spool: async (name, text) => {
      await writeFile(join(path, "spool", "tmp", name), text);
      await rename(join(path, "spool", "tmp", name), join(path, "spool", "new", name));
    },
    take: (id) =>
      rename(join(path, "inbox", "new", `${id}.md`), join(path, "inbox", "cur", `${id}.md`)),
    unread: async () =>
      (await readdir(join(path, "inbox", "new"))).map((name) => name.replace(/\.md$/, "")),
    finish: (work) => work,
    close: () => rm(root, { recursive: true, force: true }),
  };
});
