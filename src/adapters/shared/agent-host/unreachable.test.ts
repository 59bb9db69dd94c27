import { expect, test } from "vitest";
import { isUnreachable } from "./unreachable.ts";

test.each([
  "TypeError: fetch failed",
  "Connection error.",
  "getaddrinfo ENOTFOUND api.openai.com",
  "getaddrinfo EAI_AGAIN api.openai.com",
  "socket hang up",
  "read ECONNRESET",
  "TypeError: terminated",
  "terminated",
  "Invalid response body: Premature close",
  "Cannot connect to API: Was there a typo in the url or port?",
  "Unable to connect. Is the computer able to access the url?",
  "The socket connection was closed unexpectedly.",
])("%j is a network that is away", (said) => {
  expect(isUnreachable(said)).toBe(true);
});

test.each([
  "your account was terminated for abuse",
  "the subscription is terminated",
  "no such model",
  "invalid request: connection_id is missing",
])("%j is not", (said) => {
  expect(isUnreachable(said)).toBe(false);
});
