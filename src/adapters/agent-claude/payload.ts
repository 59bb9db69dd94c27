// The fields of Claude Code's hook payloads that Pawl uses. Every process in the session can write
// the file they come from, so each field is checked.
import { isObject } from "../../lib/json-object.ts";

export type Payload = Record<string, unknown>;

export function parsePayload(text: string): Payload | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return headOf(text);
    throw error;
  }
}

/** Cut at the spool's size limit: the fields before the long ones are still there. */
function headOf(text: string): Payload | undefined {
  const head = text.slice(0, 4096);
  const field = (name: string): string | undefined =>
    new RegExp(`"${name}":"([A-Za-z0-9_-]{1,100})"`).exec(head)?.[1];
  const event = field("hook_event_name");
  if (event === undefined) return undefined;
  return { hook_event_name: event, tool_name: field("tool_name") };
}

export const textIn = (payload: Payload, name: string): string | undefined => {
  const value = payload[name];
  return typeof value === "string" ? value : undefined;
};

export const numberIn = (payload: Payload, name: string): number | undefined => {
  const value = payload[name];
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
};

export const objectIn = (payload: Payload, name: string): Payload => {
  const value = payload[name];
  return isObject(value) ? value : {};
};

export const listIn = (payload: Payload, name: string): unknown[] => {
  const value = payload[name];
  return Array.isArray(value) ? value : [];
};
