import { expect, test } from "vitest";
import { unitText } from "./systemd-unit.ts";

test("the unit has a watchdog, leaves agents alone, and does not start what was told to stop", () => {
  const text = unitText({
    command: ["/usr/bin/node", "/opt/pa wl/main.js", "daemon"],
    home: "/home/ada/100%",
    path: "/usr/bin:/bin",
  });
  expect(text).toContain('ExecStart="/usr/bin/node" "/opt/pa wl/main.js" "daemon"');
  expect(text).toContain("ConditionPathExists=!/home/ada/100%%/stopped");
  expect(text).toContain('Environment="PAWL_HOME=/home/ada/100%%" "PATH=/usr/bin:/bin"');
  for (const line of ["KillMode=process", "WatchdogSec=180", "Restart=on-failure", "Type=notify"]) {
    expect(text.split("\n")).toContain(line);
  }
});
