// The picture of the demo that the README opens with, as text, and what two demos have in common:
// neither their times nor how the three agents get in each other's way.
import { readFileSync } from "node:fs";

const PICTURE = new URL("../../docs/pictures/demo.svg", import.meta.url);

/** What stands in the end, without the command that was typed. */
export function lastFrame(): string {
  const svg = readFileSync(PICTURE, "utf8");
  const lines = [...svg.matchAll(/<text(?: class="([^"]*)")? y="[^"]*">(.*)<\/text>/g)]
    .filter(([, names = ""]) => !names.split(" ").includes("gone"))
    .map(([, , spans = ""]) =>
      spans
        .replaceAll("</tspan>", " ")
        .replaceAll(/<[^>]*>/g, "")
        .replaceAll("&lt;", "<")
        .replaceAll("&gt;", ">")
        .replaceAll("&amp;", "&"),
    );
  return lines.slice(1).join("\n");
}

/** Which lines there are, in no order. */
export function shapesOf(text: string): string[] {
  const lines = text
    .split("\n")
    .map(shapeOf)
    .filter((line) => line !== "" && !/sent back|CI is running| at work · /.test(line));
  return [...new Set(lines)].toSorted();
}

const shapeOf = (line: string): string =>
  line
    .trim()
    .replace(/^\d\d:\d\d:\d\d/, "TIME")
    // The issues that get in each other's way may fail their checks, too.
    .replace(/#\d .*(?=✗ CI failed)/, "")
    .replace(/(?<=^CI failed on )#\d/, "ISSUE")
    .replace(/as [0-9a-f]{10}$/, "as COMMIT")
    .replace(/crashed \([^)]*\)/, "crashed")
    .replace(/in [\d.]+ s\./, "in SECONDS.")
    .replaceAll(/\/\S*pawl-demo-\w{6}/g, "FOLDER")
    // From a package that is not on the PATH, the whole path of the program.
    .replace(/\S+(?= init$| demo --clean$)/, "PAWL")
    .replaceAll(/\s+/g, " ");
