// SHA-256 of a text as hex digits: Node's own, here so that the core needs no import of Node.
import { createHash } from "node:crypto";

export const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
