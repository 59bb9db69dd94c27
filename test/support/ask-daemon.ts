// A question to a factory's daemon as a program asks it: plain HTTP over its socket.
import { request, type IncomingHttpHeaders } from "node:http";
import { join } from "node:path";
import { runtimeFolder } from "../../src/config/home.ts";
import type { Factory } from "./pawl.ts";

export type HttpAnswer = { status: number; headers: IncomingHttpHeaders; text: string };

export const daemonSocketOf = (factory: Pick<Factory, "env" | "home">): string =>
  join(runtimeFolder(factory.env, factory.home), "daemon.sock");

export const askDaemon = (factory: Factory, path: string): Promise<HttpAnswer> =>
  new Promise((resolve, reject) => {
    const socketPath = daemonSocketOf(factory);
    const headers = { "x-pawl-cwd": encodeURIComponent(factory.repo) };
    const call = request({ socketPath, path, headers, agent: false }, (response) => {
      let text = "";
      response.on("data", (part: Buffer) => (text += part.toString()));
      response.on("end", () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      });
    });
    call.on("error", reject);
    call.end();
  });
