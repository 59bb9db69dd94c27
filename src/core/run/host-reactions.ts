// Hosts that the session's proxy refused: each is remembered, and a person is asked once per run about
// those that an answer can open. An answer that begins with "allow" opens the host for this run; any other keeps it closed, and
// its words go to the agent.
import type { Context } from "../context.ts";
import { isAllowed, parseHostRule } from "../network/host-rules.ts";
import type { SpoolEvent } from "../session/spool.ts";
import { hostRefused as refusedText } from "../words/network.ts";
import { escalate } from "./escalate.ts";
import { withStatus, type RefusedHost } from "./refused-hosts.ts";
import { isAtWork, warn, type Run } from "./run.ts";

/** A program that looks for a way out by trying names must not fill the journal. */
const HOSTS_MAX = 50;

type Refused = Extract<SpoolEvent, { kind: "refused-host" }>;

export function hostRefused(run: Run, { host, why }: Refused, context: Context): Run {
  const known = run.hosts ?? [];
  // After an answer it is refused again only until the proxy has read the answer.
  if (known.some((one) => one.host === host)) return run;
  if (known.length === HOSTS_MAX) return run;
  const status = canBeAllowed(run, host) ? "open" : "never";
  const hosts: RefusedHost[] = [...known, { host, why, at: context.at, status }];
  const noted = warn({ ...run, hosts }, `the network proxy refused ${host}: ${why}`, context);
  return raiseHost(noted, context);
}

/** An answer opens a name. An address, and a name that is allowed and leads to this machine, it cannot. */
function canBeAllowed(run: Run, host: string): boolean {
  const wanted = parseHostRule(host);
  if (wanted.kind === "wrong") return false;
  const { port = 443, ...rule } = wanted.rule;
  const rules = (run.config.isolation?.hosts ?? []).flatMap((text) => {
    const parsed = parseHostRule(text);
    return parsed.kind === "rule" ? [parsed.rule] : [];
  });
  return !isAllowed(rules, { host: rule.host, port });
}

/** Asked after every event: a host that was refused at a bad time is not forgotten. */
export function raiseHost(run: Run, context: Context): Run {
  const next = run.hosts?.find(({ status }) => status === "open");
  if (next === undefined || !isAtWork(run)) return run;
  const asked = withStatus(run, next.host, "asked");
  return escalate(asked, { reason: refusedText(next.host, next.why), host: next.host }, context);
}
