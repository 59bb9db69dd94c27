// The systemd user unit of a factory: it restarts the daemon when it dies or hangs, never when
// `pawl down` ended it, and leaves agents alone (KillMode=process). Pure text.
export type Unit = {
  /** Absolute: the program and its arguments. */
  command: string[];
  home: string;
  path: string;
};

/** The daemon says that it is well every minute; after three it is killed and started again. */
export const WATCHDOG_S = 180;

export const unitText = ({ command, home, path }: Unit): string => `[Unit]
Description=Pawl: a fleet of coding agents over your backlog (${home})
# \`pawl down\` creates this file, and \`pawl up\` removes it.
ConditionPathExists=!${escaped(home)}/stopped
StartLimitIntervalSec=0

[Service]
Type=notify
NotifyAccess=all
ExecStart=${command.map(quoted).join(" ")}
Environment=${homeSetting(home)} ${quoted(`PATH=${path}`)} PAWL_KEPT=1
WatchdogSec=${WATCHDOG_S}
Restart=on-failure
RestartSec=1
# The daemon used too much memory and restarts.
RestartForceExitStatus=76
# Another daemon has the factory.
RestartPreventExitStatus=75
# Agents outlive the daemon.
KillMode=process
TimeoutStartSec=120

[Install]
WantedBy=default.target
`;

/** What tells the unit of one home from that of another. */
export const homeSetting = (home: string): string => quoted(`PAWL_HOME=${home}`);

/** As systemd reads it: specifiers and quotes lose their meaning. */
const escaped = (text: string): string => text.replaceAll("%", "%%");
const quoted = (text: string): string =>
  `"${escaped(text).replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("$", "$$$$")}"`;
