// The ways to people that a project has configured, and which news goes which way. Plain data:
// addresses and tokens are named here, never held.

export const CHANNEL_KINDS = ["webhook", "slack", "ntfy", "desktop", "command", "forge"] as const;
export const SEVERITIES = ["info", "warning", "urgent"] as const;

export type Severity = (typeof SEVERITIES)[number];

export type ChannelConfig = {
  kind: (typeof CHANNEL_KINDS)[number];
  /** Told apart in `status` and `notify list`. */
  name: string;
  /** Nothing below it is brought this way. */
  severity: Severity;
  /** Names of variables that hold the address and the token. */
  urlEnv?: string;
  tokenEnv?: string;
  command?: string[];
  /** News with the same title within this time becomes one, with a count. */
  foldMs: number;
  timeoutMs: number;
  /** Minutes after midnight UTC at which the day is summed up. */
  summaryAt?: number;
};

export const isAtLeast = (severity: Severity, least: Severity): boolean =>
  SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(least);
