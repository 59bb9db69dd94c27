// Where a factory listens for webhooks, and when it does.
import type { makeFactory } from "./pawl.ts";

/** It listens for the project and has looked once: what is new from now on, it is told of. */
export async function untilListening(
  factory: Awaited<ReturnType<typeof makeFactory>>,
  url: string,
): Promise<void> {
  await factory.until("it listens", async () => {
    const isKnown = (await fetch(url)).status === 405;
    const [project] = (await factory.status()).projects;
    return isKnown && typeof project?.forge?.looked_at === "string";
  });
}
