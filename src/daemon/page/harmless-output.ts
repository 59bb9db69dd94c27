// What a terminal shows is words of a model, and of everything that a model reads. A browser gets
// only text, moves, colours, and links to the web: no sequence that writes the clipboard, sets a title,
// asks the terminal something (the answer would be typed into the agent), takes the mouse, or
// is unknown. Only whole sequences that are known to be harmless pass, so that what a browser
// reads differently cannot begin in one of them.
const ESC = 0x1b;
const BEL = 0x07;
const SEQUENCE_MAX_BYTES = 256;
const STRING_MAX_BYTES = 4096;

type State = "text" | "two" | "escape" | "csi" | "string" | "string-escape";

/** Of one terminal: a sequence may come in pieces. */
export class HarmlessOutput {
  #state: State = "text";
  /** The sequence so far, without its first ESC. */
  #held: number[] = [];

  pass(chunk: Uint8Array): Uint8Array<ArrayBuffer> {
    const out = new Output(chunk.length);
    for (let at = 0; at < chunk.length;) {
      if (this.#state === "text") {
        const end = textEnd(chunk, at);
        out.copy(chunk.subarray(at, end));
        at = end;
        if (at === chunk.length) break;
      }
      if (this.#take(chunk[at] ?? 0, out)) at += 1;
    }
    return out.bytes();
  }

  /** False where this byte is to be looked at again, as text. */
  #take(byte: number, out: Output): boolean {
    switch (this.#state) {
      case "text":
        if (byte === ESC) this.#begin("escape");
        else if (byte === 0xc2) this.#begin("two");
        return true;
      case "two":
        // A control character of eight bits would begin a sequence, too.
        this.#begin("text");
        if (byte >= 0x80 && byte <= 0x9f) return true;
        out.push(0xc2);
        return false;
      case "escape":
        return this.#afterEscape(byte, out);
      case "csi":
        return this.#inCsi(byte, out);
      case "string":
        return this.#inString(byte, out);
      case "string-escape":
        if (byte === 0x5c) this.#endString(out);
        else {
          this.#begin("escape");
          return false;
        }
        return true;
    }
  }

  #begin(state: State): void {
    this.#state = state;
    this.#held = [];
  }

  #afterEscape(byte: number, out: Output): boolean {
    if (byte === 0x5b) this.#begin("csi");
    else if (byte === 0x5d || byte === 0x50 || byte === 0x58 || byte === 0x5e || byte === 0x5f) {
      this.#begin("string");
      this.#held.push(byte);
    } else if (byte >= 0x20 && byte <= 0x2f && this.#held.length < 4) this.#held.push(byte);
    else {
      // ESC Z asks what kind of terminal this is.
      const isHarmless = byte >= 0x30 && byte <= 0x7e && byte !== 0x5a;
      if (isHarmless) out.push(ESC, ...this.#held, byte);
      this.#begin("text");
      return isHarmless || byte === 0x5a;
    }
    return true;
  }

  #inCsi(byte: number, out: Output): boolean {
    if (byte >= 0x20 && byte <= 0x3f && this.#held.length < SEQUENCE_MAX_BYTES) {
      this.#held.push(byte);
      return true;
    }
    const isWhole = byte >= 0x40 && byte <= 0x7e;
    if (isWhole && isHarmlessCsi(String.fromCharCode(...this.#held), String.fromCharCode(byte))) {
      out.push(ESC, 0x5b, ...this.#held, byte);
    }
    this.#begin("text");
    return isWhole;
  }

  #inString(byte: number, out: Output): boolean {
    if (byte === ESC) this.#state = "string-escape";
    else if (byte === BEL) this.#endString(out);
    else if (byte === 0x18 || byte === 0x1a) this.#begin("text");
    else if (this.#held.length <= STRING_MAX_BYTES) this.#held.push(byte);
    return true;
  }

  /** Of all strings only links to the web pass; any other link ends the one before it. */
  #endString(out: Output): void {
    const text = String.fromCharCode(...this.#held.slice(0, STRING_MAX_BYTES));
    const isCut = this.#held.length > STRING_MAX_BYTES;
    this.#begin("text");
    if (!text.startsWith("]8;")) return;
    const target = /^\]8;[^;]*;(https?:\/\/[\u0021-\u007e]+)$/i.exec(text)?.[1] ?? "";
    out.push(...Buffer.from(`\u001b]8;;${isCut ? "" : target}\u001b\\`));
  }
}

/** Questions to the terminal, its window, and modes that take the mouse or tell of the focus. */
function isHarmlessCsi(parameters: string, final: string): boolean {
  if ("cntx".includes(final)) return false;
  // Which modes are set, the terminal's version, the keyboard's protocol.
  if (final === "p" && parameters.includes("$")) return false;
  if (final === "q" && parameters.startsWith(">")) return false;
  if (final === "u" && /^[?<>=]/.test(parameters)) return false;
  const isMode = (final === "h" || final === "l") && parameters.startsWith("?");
  return (
    !isMode ||
    !parameters
      .slice(1)
      .split(";")
      .some((mode) => MOUSE_MODES.test(mode))
  );
}

const MOUSE_MODES = /^0*(9|100[0-7]|1015|1016)$/;

/** Where text ends that can be passed on as it is. */
function textEnd(chunk: Uint8Array, from: number): number {
  let at = from;
  while (at < chunk.length && !isSpecial(chunk[at] ?? 0)) at += 1;
  return at;
}

/** NUL is a hole in the log, and ENQ asks the terminal for an answer. */
const isSpecial = (byte: number): boolean =>
  byte === ESC || byte === 0xc2 || byte === 0 || byte === 5;

class Output {
  #bytes: Uint8Array<ArrayBuffer>;
  #length = 0;

  constructor(size: number) {
    this.#bytes = new Uint8Array(size + SEQUENCE_MAX_BYTES);
  }

  push(...bytes: number[]): void {
    this.copy(Uint8Array.from(bytes));
  }

  copy(bytes: Uint8Array): void {
    const needed = this.#length + bytes.length;
    if (needed > this.#bytes.length) {
      const larger = new Uint8Array(needed * 2);
      larger.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = larger;
    }
    this.#bytes.set(bytes, this.#length);
    this.#length = needed;
  }

  bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length);
  }
}
