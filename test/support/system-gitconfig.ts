// Which configuration of the machine the gits of a test read: none, so that tests do not depend on it,
// or (PAWL_TEST_GITCONFIG=machine, the pass as an ordinary user) what is there.
export const SYSTEM_GITCONFIG: Record<string, string> =
  process.env["PAWL_TEST_GITCONFIG"] === "machine" ? {} : { GIT_CONFIG_SYSTEM: "/dev/null" };
