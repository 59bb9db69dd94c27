// The first thing that the published package runs. npm only warns about `engines`, and an older Node
// would fail inside Pawl with a stack trace. It imports nothing: an import that an older Node lacks
// fails before any code runs.
const NEEDED = 24;

const running = process.versions.node;
if (Number.parseInt(running, 10) < NEEDED) {
  process.stderr.write(
    `pawl: cannot start with Node ${running} (${process.execPath}): this package needs Node ${NEEDED} or newer\n` +
      `hint: install Node ${NEEDED} with your version manager or from nodejs.org, put it first on PATH, and install the package again; or run ./pawl in a checkout, which fetches Node ${NEEDED} itself\n`,
  );
  process.exit(1);
}
