// Why an agent cannot work before a person has acted, in words that say what to do.
import { PROTOCOL_VERSION, RequestError, type InitializeResponse } from "@agentclientprotocol/sdk";
import { oneLine } from "../../../lib/one-line.ts";
import { olderThan } from "../program-version.ts";
import type { AcpSettings } from "./acp-settings.ts";

/** JSON-RPC's code of ACP for an agent that is not signed in. */
const AUTH_REQUIRED = -32_000;
const SAID_MAX = 300;

export const isSignedOut = (error: unknown): error is RequestError =>
  error instanceof RequestError && error.code === AUTH_REQUIRED;

/** Where the runtime does not know how to sign in, the agent itself says which ways it offers. */
export function signedOutText(
  settings: AcpSettings,
  said: { message: string; started: InitializeResponse | undefined },
): string {
  const { tested, signIn } = settings;
  const offered = (said.started?.authMethods ?? []).map(({ name, description }) =>
    oneLine(description ?? name),
  );
  const how =
    signIn ??
    (offered.length === 0 ? "sign in with the agent's own program" : offered.join(", or "));
  const message = oneLine(said.message).slice(0, SAID_MAX);
  return `${tested?.title ?? "the agent"} is not signed in (${message}): ${how}; then answer this question`;
}

/** Undefined where both speak the same version. */
export function protocolProblem(
  { tested }: AcpSettings,
  { protocolVersion }: InitializeResponse,
): string | undefined {
  if (protocolVersion === PROTOCOL_VERSION) return undefined;
  const what = `${tested?.title ?? "the agent"} speaks version ${protocolVersion} of the Agent Client Protocol, and Pawl speaks version ${PROTOCOL_VERSION}`;
  return `${what}: install another version of it${tested === undefined ? "" : ` (\`${tested.install}\`)`}`;
}

/** None where the agent does not say its version. */
export function versionWarnings(
  { tested }: AcpSettings,
  { agentInfo }: InitializeResponse,
): string[] {
  const version = agentInfo?.version;
  return tested === undefined || version === undefined ? [] : olderThan(version, tested);
}
