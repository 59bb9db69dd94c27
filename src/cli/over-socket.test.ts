import { createServer } from "node:net";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { overSocket, readAnswer } from "./over-socket.ts";

const answer = (text: string) => readAnswer(Buffer.from(text.replaceAll("\n", "\r\n")));

test("an answer is read by its length or in chunks, in any encoding of its words", () => {
  const body = JSON.stringify({ word: "naïve 🪝" });
  const length = Buffer.byteLength(body);
  expect(answer(`HTTP/1.1 200 OK\nContent-Length: ${length}\n\n${body}`)).toEqual({
    status: 200,
    body: { word: "naïve 🪝" },
  });
  const chunked = 'HTTP/1.1 404 Not Found\nTransfer-Encoding: chunked\n\n3\n{"a\n4\n":1}\n0\n\n';
  expect(answer(chunked)).toEqual({ status: 404, body: { a: 1 } });
});

test.each([
  ["nothing at all", ""],
  ["half of the head", "HTTP/1.1 200 OK\nContent-Le"],
  ["half of the body", 'HTTP/1.1 200 OK\nContent-Length: 20\n\n{"a":1}'],
  ["half of a chunk", 'HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n9\n{"a"'],
  ["no last chunk", "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n1\n1\n"],
])("%s is a daemon that closed the connection", (_, text) => {
  expect(() => answer(text)).toThrow("closed the connection");
});

test("what is not JSON is said", () => {
  expect(() => answer("HTTP/1.1 500 Oops\n\n<html>")).toThrow("not JSON: <html>");
});

test("a body is sent with its length in bytes, and a socket without a server is no daemon", async () => {
  const dir = mkdtempSync(join(tmpdir(), "pawl-socket-"));
  const path = join(dir, "s");
  const call = { method: "POST", path: "/v1/x", headers: { "x-a": "b" }, body: { word: "é" } };
  expect(await overSocket(path, call)).toBeUndefined();
  let seen = "";
  const server = createServer((socket) => {
    socket.on("data", (part) => {
      seen += part.toString();
      socket.end("HTTP/1.1 200 OK\r\n\r\n[]");
    });
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  expect(await overSocket(path, call)).toEqual({ status: 200, body: [] });
  expect(seen).toMatch(
    /^POST \/v1\/x HTTP\/1\.1\r\n[^]*x-a: b\r\ncontent-length: 13\r\n\r\n\{"word":"é"\}$/,
  );
  server.close();
  rmSync(dir, { recursive: true });
});
