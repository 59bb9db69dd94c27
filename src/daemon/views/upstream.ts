// What is asked where the repository has another remote than the one that the operator agreed to.
import type { Upstream } from "../../core/config.ts";

export function askText(agreed: Upstream, asked: Upstream): string {
  const here =
    agreed.kind === "local"
      ? "work lands in your repository only"
      : `work goes to ${shownUrl(agreed.url)}`;
  return asked.kind === "local"
    ? `the remote origin is gone; ${here} until you agree to landing in your repository`
    : `the remote origin is ${shownUrl(asked.url)} now, and nothing is pushed there until you agree; ${here}`;
}

const shownUrl = (url: string): string => url.replace(/:\/\/[^/@]*@/, "://***@");
