// The gateway to the model: takes an agent's requests, asks whether each may go (core/gateway), puts
// the key in and passes the answer on byte for byte while it reads what was used. A provider's 429 is
// known to all sessions of the key before the agent hears of it.
import { mkdir } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { once } from "node:events";
import type { Spent } from "../../core/budget.ts";
import type { Prices } from "../../core/config.ts";
import { admit, ended, newMeter, used, type AccountLimit } from "../../core/gateway/meter.ts";
import type { Tokens } from "../../core/usage.ts";
import type { ModelKey } from "../../ports/session-gateway.ts";
import type { SpoolWriter } from "../shared/agent-host/spool-writer.ts";
import { writeWhole } from "../shared/write-whole.ts";
import { followLimit, limitFile, type FollowedFile, type Steering } from "./files.ts";
import { moreThan, type Ledger } from "./ledger.ts";
import { limitEnd, limitReason } from "./limit-in-answer.ts";
import {
  ask,
  beginningOf,
  bodyOf,
  fail,
  failLimited,
  guessed,
  hostOf,
  keptHeaders,
  eitherOf,
  reasonOf,
  spentText,
  STRANGER,
} from "./model-http.ts";
import { isOwn, readAsked, routeOf, unseen, type Asked, type Route } from "./model-request.ts";
import { AnswerReader } from "./used-in-answer.ts";

export type ModelGatewayOptions = {
  token: string;
  keys: readonly ModelKey[];
  /** Where the limits of keys are known to all sessions. */
  limits: string;
  retryMs: number;
  spent: Spent;
  /** The user's own. */
  prices: Prices;
  steering: FollowedFile<Steering>;
  ledger: Ledger;
  report: SpoolWriter;
  now: () => number;
};

type Exchange = { request: IncomingMessage; response: ServerResponse; route: Route };

export class ModelGateway {
  readonly #options: ModelGatewayOptions;
  readonly #limits: ReadonlyMap<string, FollowedFile<AccountLimit | undefined>>;
  #meter;
  /** The end of each key's limit that this session has reported. */
  readonly #reported = new Map<string, number>();
  /** Those that wait until another request has ended. */
  #waiting: (() => void)[] = [];
  readonly #open = new Map<ServerResponse, Promise<void>>();

  constructor(options: ModelGatewayOptions) {
    this.#options = options;
    this.#meter = newMeter(options.spent);
    const { keys, limits } = options;
    this.#limits = new Map(keys.map(({ name }) => [name, followLimit(limits, name)]));
  }

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const served = this.#serve(request, response);
    this.#open.set(response, served);
    try {
      await served;
    } finally {
      this.#open.delete(response);
    }
  }

  /** The agent is gone: what it still asks is cut off, and counted as far as it went. */
  async close(): Promise<void> {
    const served = [...this.#open.values()];
    for (const response of this.#open.keys()) response.destroy();
    await Promise.allSettled(served);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { token, keys } = this.#options;
    const url = new URL(request.url ?? "/", "http://gateway");
    if (!isOwn(url, request.headers, token)) {
      return fail(response, keys[0], { status: 401, type: "refused", message: STRANGER });
    }
    const route = routeOf(url, { method: request.method, keys });
    if (route === undefined) {
      const message = `Pawl's gateway passes on only requests to models, not ${url.pathname}`;
      return fail(response, keys[0], { status: 404, type: "unknown", message });
    }
    const body = await bodyOf(request);
    const message = route.asks ? unseen(request.headers, body) : undefined;
    if (message !== undefined) {
      return fail(response, route.key, { status: 403, type: "refused", message });
    }
    const asked = readAsked(route, body, this.#options.prices);
    const number = await this.#admitted({ request, response, route }, asked);
    if (number === undefined) return undefined;
    try {
      await this.#pass({ request, response, route }, asked);
    } finally {
      this.#meter = ended(this.#meter, number);
      for (const again of this.#waiting.splice(0)) again();
    }
  }

  /** The request's number; undefined where it was refused, and has been answered. */
  async #admitted({ response, route }: Exchange, asked: Asked): Promise<number | undefined> {
    const { steering, now, ledger } = this.#options;
    for (;;) {
      if (response.destroyed) return undefined;
      const limit = this.#limits.get(route.key.name)?.now();
      const { terms } = steering.now();
      const most = route.asks ? asked.most : { tokens: 0, usd: 0 };
      const admission = admit(this.#meter, { most, limit, terms, at: now() });
      switch (admission.kind) {
        case "passed":
          this.#meter = admission.meter;
          if (route.asks) ledger.begin();
          return admission.number;
        case "waits":
          await new Promise<void>((resolve) => this.#waiting.push(resolve));
          break;
        case "spent":
          fail(response, route.key, {
            status: 403,
            type: "refused",
            message: spentText(admission.reason),
          });
          return undefined;
        case "limited":
          await this.#report(route, admission.limit);
          failLimited(response, route.key, { limit: admission.limit, at: now() });
          return undefined;
      }
    }
  }

  async #pass({ request, response, route }: Exchange, asked: Asked): Promise<void> {
    const upstream = ask(route, request, asked.body);
    response.on("close", () => upstream.destroy());
    let answer: IncomingMessage;
    try {
      [answer] = (await once(upstream, "response")) as [IncomingMessage];
    } catch (error) {
      // The provider has it, and may charge for it, although the agent no longer waits.
      const isSent = response.destroyed && upstream.writableFinished;
      if (isSent && route.asks) await this.#bookUnanswered(asked);
      const message = `Pawl's gateway cannot reach ${hostOf(route.key)}: ${reasonOf(error)}`;
      return fail(response, route.key, { status: 502, type: "unknown", message });
    }
    if (answer.statusCode === 429) return this.#limited(answer, response, route);
    response.writeHead(answer.statusCode ?? 502, keptHeaders(answer));
    const isPaid = route.asks && (answer.statusCode ?? 500) < 300;
    await this.#stream(answer, response, isPaid ? { route, asked } : undefined);
  }

  async #bookUnanswered(asked: Asked): Promise<void> {
    const { ledger, now } = this.#options;
    const spent = ledger.add(asked.model, guessed(asked, 0), now());
    this.#meter = used(this.#meter, spent);
    await ledger.save();
  }

  /** Every byte as it comes; what is used is booked as soon as the answer says it. */
  async #stream(
    answer: IncomingMessage,
    response: ServerResponse,
    paid: { route: Route; asked: Asked } | undefined,
  ): Promise<void> {
    const reader =
      paid === undefined
        ? undefined
        : new AnswerReader(paid.route.key.provider, answer.headers["content-type"]);
    let booked: Tokens | undefined;
    const book = (counted: Tokens & { model?: string | undefined }): void => {
      const more = moreThan(booked, counted);
      booked = counted;
      const model = counted.model ?? paid?.asked.model ?? "unknown";
      const spent = this.#options.ledger.add(model, more, this.#options.now());
      this.#meter = used(this.#meter, spent);
    };
    const isWhole = await this.#copy(answer, response, async (chunk) => {
      reader?.push(chunk);
      const first = booked === undefined ? reader?.counted : undefined;
      if (first === undefined) return;
      book(first);
      await this.#options.ledger.save();
    });
    if (reader !== undefined && paid !== undefined) {
      reader.end();
      // A stream that ended before it said so has cost something all the same.
      const guess = guessed(paid.asked, reader.written);
      const counted = reader.counted ?? guess;
      book(isWhole ? counted : { ...counted, output: Math.max(counted.output, guess.output) });
      // Reported before the agent knows that the answer is over: what it says next comes later.
      await this.#options.ledger.save();
    }
    if (isWhole) response.end();
    else response.destroy();
  }

  /** False where the agent or the provider hung up: the agent sees a stream that breaks off. */
  async #copy(
    answer: IncomingMessage,
    response: ServerResponse,
    onChunk: (chunk: Buffer) => Promise<void>,
  ): Promise<boolean> {
    try {
      for await (const chunk of answer as AsyncIterable<Buffer>) {
        await onChunk(chunk);
        if (response.destroyed) return false;
        if (!response.write(chunk)) await eitherOf(response, ["drain", "close"]);
      }
      return true;
    } catch {
      return false;
    }
  }

  async #limited(answer: IncomingMessage, response: ServerResponse, route: Route): Promise<void> {
    const { now, retryMs, limits } = this.#options;
    const { name, provider } = route.key;
    const body = await beginningOf(answer);
    const at = now();
    const text = body.toString("utf8");
    const until = limitEnd(provider, { headers: answer.headers, body: text, at }) ?? at + retryMs;
    const reason = limitReason(text);
    const known = this.#limits.get(name)?.now();
    if (known === undefined || known.until < until) {
      await mkdir(limits, { recursive: true, mode: 0o700 });
      await writeWhole(limitFile(limits, name), JSON.stringify({ until, reason }));
      await this.#report(route, { until, reason });
    }
    response.writeHead(429, keptHeaders(answer));
    response.end(body);
  }

  /** Each session says it of itself, also where another one met the limit: its run waits as well. */
  async #report({ key }: Route, { until, reason }: AccountLimit): Promise<void> {
    if (this.#reported.get(key.name) === until) return;
    this.#reported.set(key.name, until);
    await this.#options.report({ kind: "limit", until, reason: `key ${key.name}: ${reason}` });
  }
}
