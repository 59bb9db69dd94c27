// Preloaded by tests (`--import`): appends the address of every module that a program loads to the
// file that PAWL_TEST_MODULES names.
import { appendFileSync } from "node:fs";
import { registerHooks } from "node:module";

const list = process.env["PAWL_TEST_MODULES"] ?? "/dev/null";

registerHooks({
  load: (url, context, next) => {
    appendFileSync(list, `${url}\n`);
    return next(url, context);
  },
});
