// A name for the text of a pawl.toml, by which two copies are compared without starting git.
import { sha256 } from "../lib/sha256.ts";

/** Git may have written the checkout with other line ends. */
export const configHash = (text: string): string => sha256(text.replaceAll("\r\n", "\n").trimEnd());
