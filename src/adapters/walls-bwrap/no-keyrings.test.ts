// The filter that is shipped, written down so that it can be read. `PAWL_REWRITE=1` writes it again.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const FILTER = join(import.meta.dirname, "no-keyrings.bpf");

/** From linux/bpf_common.h, linux/seccomp.h and linux/audit.h. */
const LOAD = 0x20;
const AND = 0x54;
const JUMP = 0x05;
const IF_EQUAL = 0x15;
const IF_AT_LEAST = 0x35;
const IF_ABOVE = 0x25;
const RETURN = 0x06;
const ALLOW = 0x7fff0000;
/** The call fails with EPERM. */
const REFUSE = 0x00050001;
const NUMBER = 0;
const ARCHITECTURE = 4;
/** The calls of x32 are those of x86-64 with this bit. */
const WITHOUT_X32 = 0xbfffffff;

/** `add_key`; `request_key` and `keyctl` are the next two. */
const CALLS = [
  { name: "x86-64", architecture: 0xc000003e, first: 248 },
  { name: "i386", architecture: 0x40000003, first: 286 },
  { name: "arm", architecture: 0x40000028, first: 309 },
];
/** Of arm64, and of every newer architecture. */
const GENERIC = { first: 217 };

type Step = [code: number, whenTrue: number, whenFalse: number, value: number];

/** Steps from the start of a block to its end: each block decides by itself. */
const BLOCK: (first: number) => Step[] = (first) => [
  [LOAD, 0, 0, NUMBER],
  [AND, 0, 0, WITHOUT_X32],
  [IF_AT_LEAST, 0, 1, first],
  [IF_ABOVE, 0, 1, first + 2],
  [RETURN, 0, 0, ALLOW],
  [RETURN, 0, 0, REFUSE],
];

function program(): Step[] {
  const blocks = [...CALLS, GENERIC].map(({ first }) => BLOCK(first));
  const length = BLOCK(0).length;
  const choices = CALLS.length + 1;
  // Behind the last comparison comes the jump to the generic block.
  const chosen = CALLS.map(({ architecture }, index): Step => [
    IF_EQUAL,
    choices - 1 - index + index * length,
    0,
    architecture,
  ]);
  return [
    [LOAD, 0, 0, ARCHITECTURE],
    ...chosen,
    [JUMP, 0, 0, CALLS.length * length],
    ...blocks.flat(),
  ];
}

function encoded(): Buffer {
  return Buffer.concat(
    program().map(([code, whenTrue, whenFalse, value]) => {
      const step = Buffer.alloc(8);
      step.writeUInt16LE(code, 0);
      step.writeUInt8(whenTrue, 2);
      step.writeUInt8(whenFalse, 3);
      step.writeUInt32LE(value, 4);
      return step;
    }),
  );
}

/** As the kernel runs it. */
function decide(call: { number: number; architecture: number }): number {
  const steps = program();
  let held = 0;
  for (let at = 0; at < steps.length; at += 1) {
    const [code, whenTrue, whenFalse, value] = steps[at] ?? [RETURN, 0, 0, 0];
    if (code === RETURN) return value;
    if (code === LOAD) held = value === NUMBER ? call.number : call.architecture;
    else if (code === AND) held = (held & value) >>> 0;
    else if (code === JUMP) at += value;
    else if (code === IF_EQUAL) at += held === value ? whenTrue : whenFalse;
    else if (code === IF_AT_LEAST) at += held >= value ? whenTrue : whenFalse;
    else if (code === IF_ABOVE) at += held > value ? whenTrue : whenFalse;
    else throw new Error(`an unknown step: ${code}`);
  }
  throw new Error("the filter has no end");
}

test("the filter that is shipped is this program", () => {
  if (process.env["PAWL_REWRITE"] === "1") writeFileSync(FILTER, encoded());
  expect(readFileSync(FILTER).equals(encoded())).toBe(true);
});

test("it refuses the three calls to keyrings on every architecture, and nothing else", () => {
  const arm64 = { name: "arm64", architecture: 0xc00000b7, ...GENERIC };
  const riscv = { name: "riscv64", architecture: 0xc00000f3, ...GENERIC };
  for (const { architecture, first } of [...CALLS, arm64, riscv]) {
    const refused = Array.from({ length: 500 }, (_, number) => number).filter(
      (number) => decide({ number, architecture }) === REFUSE,
    );
    expect(refused).toEqual([first, first + 1, first + 2]);
  }
  expect(decide({ number: 0x40000000 + 250, architecture: 0xc000003e })).toBe(REFUSE);
  expect(decide({ number: 0x40000000 + 251, architecture: 0xc000003e })).toBe(ALLOW);
});
