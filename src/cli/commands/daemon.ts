// `pawl daemon`: the daemon itself, in this process. `pawl up` starts it under its keeper; a
// systemd unit calls it directly.
import process from "node:process";
import { OperationError } from "../../lib/operation-error.ts";
import type { AddCommand } from "../command.ts";

export const addDaemon: AddCommand = (program, { deps }) => {
  program
    .command("daemon")
    .description("run the daemon in this process (what `pawl up` starts under its keeper)")
    .action(async () => {
      const { env, version } = deps();
      const { EXIT_BUSY, runDaemon } = await import("../daemon-main.ts");
      try {
        const code = await runDaemon({ env, version });
        // The program would end with 0, and the keeper knows the daemon's own codes.
        if (code !== 0) process.exit(code);
      } catch (error) {
        if (!(error instanceof OperationError) || error.code !== "daemon-running") throw error;
        process.stderr.write(`pawl: ${error.message}\n`);
        process.exit(EXIT_BUSY);
      }
    });
};
