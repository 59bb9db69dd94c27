// Draws a recording as one SVG that plays by itself: CSS shows every line at its time and scrolls.
// What does not play CSS, and people who asked for less motion, see the end. Light and dark follow
// the reader's setting.
import type { Line, Recording, Span, Version } from "./screen.ts";

const CELL = { width: 8.4, height: 19, size: 14 };
const EDGE = 16;
const BAR = 34;
/** How long the end is shown before it begins again. */
const END_MS = 6_000;

const THEMES = {
  light: `--back:#ffffff;--edge:#d0d7de;--text:#1f2328;--dim:#59636e;--red:#cf222e;--green:#1a7f37;--yellow:#8a5a00;--cyan:#0a6a74;--blue:#0550ae;--magenta:#8250df`,
  dark: `--back:#0d1117;--edge:#3d444d;--text:#e6edf3;--dim:#9198a1;--red:#ff7b72;--green:#3fb950;--yellow:#d29922;--cyan:#56d4dd;--blue:#79c0ff;--magenta:#d2a8ff`,
};

export function drawRecording(recording: Recording): string {
  const { columns, rows } = recording.size;
  const inner = { width: Math.ceil(columns * CELL.width), height: rows * CELL.height };
  const width = inner.width + 2 * EDGE;
  const height = inner.height + EDGE + BAR;
  const total = recording.ms + END_MS;
  const motion = new Motion(total);
  const texts = recording.lines.flatMap((line, index) => drawLine(line, index, motion));
  const top = recording.scrolls.at(-1)?.top ?? 0;
  motion.scroll(recording);
  const dots = ["--red", "--yellow", "--green"]
    .map((name, index) => `<circle cx="${20 + index * 18}" cy="17" r="5.5" fill="var(${name})"/>`)
    .join("");
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title">
<title id="title">A recording of pawl demo: eight issues, three agents, a green main</title>
<!-- Made by \`npm run pictures\`; test/acceptance/demo.test.ts compares it with what the demo prints. -->
<style>
svg{${THEMES.light}}
@media (prefers-color-scheme:dark){svg{${THEMES.dark}}}
text{font:${CELL.size}px ui-monospace,SFMono-Regular,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono","Liberation Mono",monospace;fill:var(--text);white-space:pre}
.bold{font-weight:700}.dim{fill:var(--dim)}.red{fill:var(--red)}.green{fill:var(--green)}.yellow{fill:var(--yellow)}.blue{fill:var(--blue)}.magenta{fill:var(--magenta)}.cyan{fill:var(--cyan)}
.gone{visibility:hidden}
#lines{transform:translateY(${-top * CELL.height}px)}
${motion.css()}
</style>
<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="9" fill="var(--back)" stroke="var(--edge)"/>
${dots}
<svg x="${EDGE}" y="${BAR}" width="${inner.width}" height="${inner.height}">
<g id="lines">
${texts.join("\n")}
</g>
</svg>
</svg>
`;
}

function drawLine(line: Line, index: number, motion: Motion): string[] {
  return line.flatMap((version) => {
    if (version.spans.length === 0) return [];
    const classes = [version.toMs === undefined ? "" : "gone", motion.show(version)];
    const named = classes.filter((name) => name !== "").join(" ");
    const y = (index + 0.75) * CELL.height;
    return [
      `<text${named === "" ? "" : ` class="${named}"`} y="${tidy(y)}">${version.spans.map(drawSpan).join("")}</text>`,
    ];
  });
}

const drawSpan = ({ column, text, style }: Span): string => {
  const indent = text.length - text.trimStart().length;
  const named = style === "" ? "" : ` class="${style}"`;
  return `<tspan${named} x="${tidy((column + indent) * CELL.width)}">${escaped(text.trimStart())}</tspan>`;
};

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const tidy = (value: number): string => String(Math.round(value * 100) / 100);

/** The animations: lines that come and go at the same moments share one. */
class Motion {
  readonly #total: number;
  readonly #shown = new Map<string, string>();
  #scrolling = "";

  constructor(total: number) {
    this.#total = total;
  }

  show({ fromMs, toMs }: Version): string {
    if (fromMs === 0 && toMs === undefined) return "";
    const frames = [
      fromMs === 0 ? "" : `0%{visibility:hidden}`,
      `${this.#share(fromMs)}{visibility:visible}`,
      toMs === undefined ? "" : `${this.#share(toMs)}{visibility:hidden}`,
      `to{visibility:${toMs === undefined ? "visible" : "hidden"}}`,
    ].join("");
    const name = this.#shown.get(frames) ?? `v${this.#shown.size}`;
    this.#shown.set(frames, name);
    return name;
  }

  scroll({ scrolls }: Recording): void {
    const at = (top: number): string => `{transform:translateY(${-top * CELL.height}px)}`;
    const frames = scrolls.map(({ atMs, top }) => this.#share(atMs) + at(top)).join("");
    this.#scrolling = `@keyframes scroll{${frames}to${at(scrolls.at(-1)?.top ?? 0)}}`;
  }

  css(): string {
    const played = `${this.#total}ms step-end infinite`;
    const shown = [...this.#shown].map(
      ([frames, name]) => `@keyframes ${name}{${frames}}.${name}{animation:${name} ${played}}`,
    );
    const all = [`${this.#scrolling}#lines{animation:scroll ${played}}`, ...shown].join("\n");
    return `@media (prefers-reduced-motion:no-preference){\n${all}\n}`;
  }

  #share(ms: number): string {
    return `${tidy((ms / this.#total) * 100)}%`;
  }
}
