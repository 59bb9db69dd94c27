// SHA-256 without Node, so that the core can compare payloads. For texts of a few kilobytes; files
// are hashed with node:crypto.

/** Fractions of square and cube roots of primes, as the standard defines them. */
const ROOTS = rootsOfPrimes();

export function sha256(text: string): string {
  const blocks = padded(new TextEncoder().encode(text));
  const state = Uint32Array.from(ROOTS.square);
  const schedule = new Uint32Array(64);
  for (let start = 0; start < blocks.length; start += 16) {
    schedule.set(blocks.subarray(start, start + 16));
    extend(schedule);
    compress(state, schedule);
  }
  return Array.from(state, (word) => word.toString(16).padStart(8, "0")).join("");
}

/** The bytes, a one, zeros, and the length in bits: as big-endian words, whole blocks. */
function padded(bytes: Uint8Array): Uint32Array {
  const size = Math.ceil((bytes.length + 9) / 64) * 64;
  const view = new DataView(new ArrayBuffer(size));
  for (const [index, byte] of bytes.entries()) view.setUint8(index, byte);
  view.setUint8(bytes.length, 0x80);
  view.setBigUint64(size - 8, BigInt(bytes.length) * 8n);
  return Uint32Array.from({ length: size / 4 }, (_, index) => view.getUint32(index * 4));
}

const rotate = (word: number, by: number): number => (word >>> by) | (word << (32 - by));
const at = (words: Uint32Array, index: number): number => words[index] ?? 0;

function extend(w: Uint32Array): void {
  for (let index = 16; index < 64; index += 1) {
    const a = at(w, index - 15);
    const b = at(w, index - 2);
    const s0 = rotate(a, 7) ^ rotate(a, 18) ^ (a >>> 3);
    const s1 = rotate(b, 17) ^ rotate(b, 19) ^ (b >>> 10);
    w[index] = at(w, index - 16) + s0 + at(w, index - 7) + s1;
  }
}

function compress(state: Uint32Array, w: Uint32Array): void {
  const now = Uint32Array.from(state);
  for (let index = 0; index < 64; index += 1) {
    const [a, b, c, e, f, g] = [0, 1, 2, 4, 5, 6].map((place) => at(now, place)) as Six;
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const choice = (e & f) ^ (~e & g);
    const first = (at(now, 7) + s1 + choice + at(ROOTS.cube, index) + at(w, index)) | 0;
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    now.copyWithin(1, 0, 7);
    now[4] = at(now, 4) + first;
    now[0] = first + s0 + majority;
  }
  for (let index = 0; index < 8; index += 1) state[index] = at(state, index) + at(now, index);
}

type Six = [number, number, number, number, number, number];

function rootsOfPrimes(): { square: Uint32Array; cube: Uint32Array } {
  const primes: number[] = [];
  for (let candidate = 2; primes.length < 64; candidate += 1) {
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  }
  const fraction = (root: number): number => Math.floor((root % 1) * 2 ** 32);
  return {
    square: Uint32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime))),
    cube: Uint32Array.from(primes, (prime) => fraction(Math.cbrt(prime))),
  };
}
