import { expect, test } from "vitest";
import { plainText } from "./plain-text.ts";

const CASES: [claim: string, raw: string, plain: string][] = [
  ["colours go", "\u001b[1;31mred\u001b[0m text", "red text"],
  ["private modes go", "\u001b[?25l\u001b[?2004hx\u001b[?25h", "x"],
  ["titles ended by BEL go", "\u001b]0;my title\u0007x", "x"],
  ["links ended by ST go", "\u001b]8;;https://x.y\u001b\\name\u001b]8;;\u001b\\", "name"],
  ["device strings go", "\u001bP1$r0m\u001b\\x\u001b_app\u001b\\y", "xy"],
  ["charsets and keypad modes go", "\u001b(B\u001b=\u001b>x\u001b)0", "x"],
  ["a line written over keeps its last version", "10%\r50%\r100%\r\nnext", "100%\nnext"],
  ["a return before the line break is no rewriting", "the result\r\n", "the result\n"],
  ["moves to another row are line breaks", "a\u001b[5;1Hb", "a\nb"],
  ["moves to the right are spaces", "a\u001b[3Cb", "a   b"],
  ["bells and other control characters go, tabs stay", "a\u0007b\u0008\tc", "ab\tc"],
  ["a sequence that was cut off goes", "done\u001b[3", "done"],
  ["text beyond ASCII stays", "é 🙂 日本", "é 🙂 日本"],
];

test.each(CASES)("%s", (_claim, raw, plain) => {
  expect(plainText(raw)).toBe(plain);
});
