// A project's ways to people, and how well they work.
import type { ChannelView } from "../../api/notify.ts";
import type { WaitView } from "../../api/runs.ts";
import type { StoreReader } from "../../ports/store.ts";
import { noticesOf, type Way } from "../notify/records.ts";
import { iso } from "./agents.ts";

export async function channelView(
  store: Pick<StoreReader, "records">,
  way: Way,
): Promise<ChannelView> {
  const { pending, trouble } = await noticesOf(store, way);
  const { name, kind, severity } = way.channel;
  return {
    project: way.project,
    name,
    kind,
    severity,
    pending: pending.length,
    trouble: trouble?.why ?? null,
    trouble_at: trouble === undefined ? null : iso(trouble.at),
    given_up: trouble?.givenUp ?? 0,
  };
}

/** A channel that fails is itself news, for those who look. */
export async function channelWaits(
  store: Pick<StoreReader, "records">,
  ways: Way[],
): Promise<WaitView[]> {
  const views = await Promise.all(ways.map((way) => channelView(store, way)));
  return views.flatMap(({ project, name, trouble, given_up: lost }) => {
    if (trouble === null) return [];
    const why = lost === 0 ? trouble : `${trouble}; ${lost} not sent`;
    const command = "pawl notify test";
    return [{ project, about: `notify ${name}`, why, needs_you: true, command }];
  });
}
