// Upgrades the journal that is named, as every start does, and kills itself with SIGKILL right before
// or right after the transaction with this number; without one it comes to its end.
import { upgradeJournal } from "../../../src/daemon/host/upgrade-journal.ts";
import { openSqliteStore } from "../../../src/store/sqlite/open.ts";

const [path = "", moment = "", number = "0"] = process.argv.slice(2);
const store = await openSqliteStore(path);
let count = 0;

const die = (when: string): void => {
  if (moment === when && count === Number(number)) process.kill(process.pid, "SIGKILL");
};

await upgradeJournal(
  {
    ...store,
    transaction: async (work) => {
      count += 1;
      const result = await store.transaction(async (tx) => {
        const done = await work(tx);
        die("before");
        return done;
      });
      die("after");
      return result;
    },
  },
  Date.now(),
);
await store.close();
