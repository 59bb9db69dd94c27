// The mode and the model of a session, where they are chosen through the protocol. What the agent
// does not offer is an error before the first prompt, never a silent default.
import {
  RequestError,
  type ClientContext,
  type SessionConfigOption,
  type SessionModeState,
} from "@agentclientprotocol/sdk";
import { NeedsPerson, type DriverOptions } from "../agent-host/driver.ts";
import type { AcpSettings } from "./acp-settings.ts";

/** As session/new, session/load and session/resume answer. */
export type SessionState = {
  modes?: SessionModeState | null;
  configOptions?: SessionConfigOption[] | null;
};

/** The model that a session has unless another is chosen; undefined where its agent does not tell. */
export function chosenModel({ configOptions }: SessionState): string | undefined {
  const option = configOptions?.find(({ category }) => category === "model");
  return option?.type === "select" ? option.currentValue : undefined;
}

export async function applyChoices(
  agent: ClientContext,
  request: { session: string; state: SessionState } & Pick<DriverOptions, "model" | "settings">,
): Promise<void> {
  const { session: sessionId, state, model } = request;
  const { mode, chooseModel }: AcpSettings = request.settings;
  if (mode !== undefined && mode !== state.modes?.currentModeId) {
    const offered = state.modes?.availableModes.map(({ id }) => id) ?? [];
    if (!offered.includes(mode)) throw notOffered(`mode ${mode}`, offered);
    await agent.request("session/set_mode", { sessionId, modeId: mode });
  }
  if (chooseModel !== true || model === undefined) return;
  const option = state.configOptions?.find(({ category }) => category === "model");
  if (option === undefined) throw notOffered(`model ${model}`, []);
  try {
    const configId = option.id;
    await agent.request("session/set_config_option", { sessionId, configId, value: model });
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    throw notOffered(`model ${model}`, []);
  }
}

const notOffered = (what: string, offered: string[]): Error =>
  new NeedsPerson(
    `the agent does not offer ${what}${offered.length === 0 ? "" : ` (it offers ${offered.join(", ")})`}: change it in pawl.toml`,
  );
