// Answers a command where no daemon runs: reads need no lock; whatever writes takes the lock and
// runs the same engine for as long as it needs, without starting agents on the side.
import { noLog } from "../daemon/log.ts";
import { everyProject, openFactory, openForReading, type FactoryPlace } from "../daemon/factory.ts";
import type { Answer, SentCall } from "./client.ts";

export async function answerInProcess(call: SentCall, place: FactoryPlace): Promise<Answer> {
  const opened =
    call.method === "GET"
      ? await openForReading({ ...place, log: noLog })
      : await openFactory({
          ...place,
          log: noLog,
          crash: () => undefined,
          scope: everyProject,
          wants: () => false,
          daemon: null,
        });
  try {
    const response = await opened.app.request(call.path, {
      method: call.method,
      headers: call.headers,
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
    });
    return { status: response.status, body: await response.json() };
  } finally {
    await opened.close();
  }
}
