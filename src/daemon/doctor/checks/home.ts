// PAWL_HOME takes no more room than factory.toml allows, and that file can be read.
import { homeOver } from "../../../core/words/home-size.ts";
import { boundHome, factorySettings } from "../../host/bound-home.ts";
import { homeProblem } from "../../host/home-problem.ts";
import type { Check, Fix } from "../check.ts";
import type { Inspection } from "../inspection.ts";
import { sizesOf } from "../sizes.ts";

export const homeCheck: Check = {
  id: "home",
  title: "size of the state folder (PAWL_HOME)",
  run: async (inspection) => {
    const { paths, store } = inspection;
    const read = await factorySettings(paths);
    if (read.kind === "invalid") {
      const hint = `correct factory.toml in ${paths.home}; until then there is no limit`;
      return [{ key: "settings", what: read.problem, hint }];
    }
    const { homeMaxBytes: maxBytes } = read.settings;
    if (maxBytes === undefined) return [];
    const parts = await sizesOf(paths);
    const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
    // A large home takes longer to measure than a person waits: then the daemon's last round counts.
    const isKnown = parts.length > 0;
    if (isKnown && bytes <= maxBytes) return [];
    const what = isKnown
      ? homeOver({ home: paths.home, bytes, maxBytes, parts })
      : await homeProblem(store);
    if (what === undefined) return [];
    return [{ key: "size", what, fix: fixOf(inspection) }];
  },
};

function fixOf({ writing, ...rest }: Inspection): Fix {
  return {
    plan: "remove logs of ended runs, checkpoints of landed work, caches and old backups, as far as needed",
    apply: async () => {
      if (writing !== undefined) await boundHome({ ...rest, engine: writing.engine });
    },
  };
}
