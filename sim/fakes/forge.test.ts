import { commitId } from "../../src/core/ids.ts";
import { forgeContract } from "../../src/ports/forge.contract.ts";
import { ForgeRecords } from "./forge-records.ts";

forgeContract("the simulated forge", async () => {
  let commits = 0;
  let now = 0;
  const records = new ForgeRecords(() => (now += 1));
  return {
    forge: records.forge(),
    push: async () => commitId(`commit-${(commits += 1)}`),
    land: async () => undefined,
    close: async () => undefined,
  };
});
