// The adapters that are loaded when they are first used, by name. A daemon lives for weeks and loads
// all of them when it starts: an update of its program's files in the meantime must not give it an
// adapter of another version.

export const ADAPTERS = {
  firing: () => import("../../adapters/vault-firing/vault-firing.ts"),
  ci: () => import("../../adapters/ci-builtin/builtin-ci.ts"),
  commands: () => import("../../adapters/commands-local/local-commands.ts"),
  gateway: () => import("../../adapters/session-gateway/session-gateway.ts"),
  git: () => import("../../adapters/git-cli/git.ts"),
  publisher: () => import("../../adapters/publish-files/file-publisher.ts"),
  terminalLog: () => import("../../adapters/session-files/terminal-log.ts"),
  terminal: () => import("../../adapters/terminal-tmux/terminal.ts"),
  userPlugins: () => import("../../adapters/plugins-user/user-plugins.ts"),
  walls: () => import("../../adapters/walls-bwrap/bwrap-walls.ts"),
  workspaces: () => import("../../adapters/workspace-setup/workspace-setup.ts"),
};

export async function loadAdapters(): Promise<void> {
  await Promise.all(Object.values(ADAPTERS).map((load) => load()));
}
