// The user's own plugins, beside those of projects: $XDG_CONFIG_HOME/pawl/plugins. Only read.
// Contract: one entry per folder that has a plugin.md, in the order of names; bounded; no folder is
// no failure.
export type UserPluginFile = {
  name: string;
  text: string;
  /** Absolute, where it has one. */
  script: string | undefined;
};

export type UserPlugins = { files(): Promise<UserPluginFile[]> };
