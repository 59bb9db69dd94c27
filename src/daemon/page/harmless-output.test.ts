import fc from "fast-check";
import { expect, test } from "vitest";
import { HarmlessOutput } from "./harmless-output.ts";

const passed = (...pieces: (string | Uint8Array)[]): string => {
  const filter = new HarmlessOutput();
  const parts = pieces.map((piece) =>
    Buffer.from(filter.pass(typeof piece === "string" ? Buffer.from(piece) : piece)),
  );
  return Buffer.concat(parts).toString();
};

const E = "\u001b";

test.for([
  ["the clipboard is written", `a${E}]52;c;ZXZpbA==\u0007b`],
  ["the clipboard is written, ended by ST", `a${E}]52;c;ZXZpbA==${E}\\b`],
  ["the clipboard is asked for", `a${E}]52;c;?\u0007b`],
  ["a title is set", `a${E}]0;owned\u0007b`],
  ["an icon name is set", `a${E}]1;owned\u0007${E}]2;owned\u0007b`],
  ["colours are asked for", `a${E}]10;?\u0007${E}]4;1;?\u0007b`],
  ["the terminal is asked what it is", `a${E}[c${E}[>c${E}[=c${E}[0c${E}Zb`],
  ["the cursor is asked for", `a${E}[6n${E}[?6n${E}[5nb`],
  ["a mode is asked for", `a${E}[?2026$p${E}[4$pb`],
  ["the version is asked for", `a${E}[>q${E}[>0qb`],
  ["the keyboard's protocol is asked for or changed", `a${E}[?u${E}[>1ub`],
  ["the window is resized or asked", `a${E}[8;10;10t${E}[21tb`],
  ["a setting is asked for", `a${E}P$qm${E}\\b`],
  ["a picture is shown", `a${E}P0;0q#0~~${E}\\${E}_Gf=100;AAAA${E}\\b`],
  ["a privacy message is sent", `a${E}^x${E}\\${E}Xy${E}\\b`],
  ["the mouse is taken", `a${E}[?1000h${E}[?1002;1006h${E}[?1003hb`],
  ["the focus is asked for", `a${E}[?1004hb`],
  ["an enquiry is made", "a\u0005b"],
  ["a hole is read", "a\0\0b"],
] as const)("nothing of it reaches the browser when %s", ([, hostile]) => {
  expect(passed(hostile)).toBe("ab");
  expect(passed(...Array.from(hostile))).toBe("ab");
});

test("text, colours and moves pass as they are, also in pieces", () => {
  const text = `ä ✻ ${E}[1;31mred${E}[m${E}[2J${E}[3;4H${E}[?25l${E}[?1049h${E}[?2026h${E}(B${E}7${E}8ü\r\n`;
  expect(passed(text)).toBe(text);
  expect(passed(...Array.from(Buffer.from(text), (byte) => Uint8Array.of(byte)))).toBe(text);
});

test("control characters of eight bits begin nothing: what follows them is text", () => {
  expect(passed("a\u009d0;owned\u009cb")).toBe("a0;ownedb");
  expect(passed("a\u009bcb")).toBe("acb");
});

test.for([
  ["the mouse is taken", "\u009b?1000h\u009b?1002;1006h\u009b?1003h", "?1000h?1002;1006h?1003h"],
  ["the focus is asked for", "\u009b?1004h", "?1004h"],
  ["a picture is shown", "\u0090q#0~~\u009c\u009fGf=100;AAAA\u009c", "q#0~~Gf=100;AAAA"],
  ["a privacy message is sent", "\u009ex\u009c\u0098y\u009c", "xy"],
] as const)("in eight bits, only its text reaches the browser when %s", ([, hostile, text]) => {
  expect(passed(`a${hostile}b`)).toBe(`a${text}b`);
  expect(passed("a", ...Array.from(hostile), "b")).toBe(`a${text}b`);
  // One byte each, as a terminal without UTF-8 would read it: no browser takes that for a control.
  const bytes = Buffer.from(hostile, "latin1");
  expect(passed(bytes)).not.toMatch(/[\u0080-\u009f]/);
});

test("a link to the web passes, and any other is only its text", () => {
  const web = `${E}]8;;https://pawl.example/a?b=1${E}\\x${E}]8;;${E}\\`;
  expect(passed(web)).toBe(web);
  for (const target of ["javascript:alert(1)", "file:///etc/passwd", "ssh://x", "data:text/html,x"])
    expect(passed(`${E}]8;id=1;${target}\u0007x`)).toBe(`${E}]8;;${E}\\x`);
});

test("whatever comes, only text and known sequences go out, and pieces make no difference", () => {
  const part = fc.constantFrom(
    E,
    "]",
    "[",
    "52;c;",
    "\u0007",
    "\\",
    "?",
    "1000",
    "h",
    "c",
    "n",
    "P",
  );
  const noise = fc.array(fc.oneof(part, fc.string({ unit: "binary", maxLength: 3 })), {
    maxLength: 30,
  });
  fc.assert(
    fc.property(noise, fc.nat(20), (parts, at) => {
      const text = parts.join("");
      const out = passed(text);
      const bytes = Buffer.from(text);
      expect(passed(bytes.subarray(0, at), bytes.subarray(at))).toBe(out);
      expect(out).not.toMatch(
        // oxlint-disable-next-line no-control-regex
        /\u001b\](?!8;;)|\u001b[PX^_]|[\u0080-\u009f]|\u001b\[[\d;?>=]*[cnt]/,
      );
    }),
  );
});
