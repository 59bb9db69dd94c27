// The body of an HTTP/1.1 answer that comes in chunks and does not end, as text, piece by piece. What
// is not a 200 with chunks has no text: the connection is then closed by the daemon.
import { StringDecoder } from "node:string_decoder";

export function createChunkReader(onText: (text: string) => void): (part: Buffer) => void {
  let rest = Buffer.alloc(0);
  let state: "head" | "size" | "data" | "ignored" = "head";
  let missing = 0;
  const decoder = new StringDecoder("utf8");

  /** True when something was read and there may be more. */
  function step(): boolean {
    if (state === "head") return readHead();
    if (state === "size") return readSize();
    return state === "data" && readData();
  }

  function readHead(): boolean {
    const end = rest.indexOf("\r\n\r\n");
    if (end === -1) return false;
    const head = rest.toString("latin1", 0, end);
    const isStream =
      head.startsWith("HTTP/1.1 200 ") && /^transfer-encoding: *chunked/im.test(head);
    state = isStream ? "size" : "ignored";
    rest = rest.subarray(end + 4);
    return true;
  }

  function readSize(): boolean {
    const end = rest.indexOf("\r\n");
    if (end === -1) return false;
    missing = Number.parseInt(rest.toString("latin1", 0, end), 16);
    rest = rest.subarray(end + 2);
    state = missing > 0 ? "data" : "ignored";
    return true;
  }

  function readData(): boolean {
    // A chunk ends with an empty line; it is read whole, because one event is one chunk.
    if (rest.length < missing + 2) return false;
    onText(decoder.write(rest.subarray(0, missing)));
    rest = rest.subarray(missing + 2);
    state = "size";
    return true;
  }

  return (part) => {
    if (state === "ignored") return;
    rest = Buffer.concat([rest, part]);
    while (step());
  };
}
