// What plugins want done.
export type PluginEffect =
  /** → plugin-finished. One that is under way already, or has ended, is not started again. */
  | {
      kind: "run-plugin";
      name: string;
      key: string;
      number: number;
      argv: string[];
      timeoutMs: number;
    };
