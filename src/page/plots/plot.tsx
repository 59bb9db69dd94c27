// One plot: uPlot on a canvas that is as wide as its figure, in the colours of the page. What it
// shows is said in words too, for those who cannot see it.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";

export type Line = {
  label: string;
  /** A name of style.css, as in "--good". */
  colour: string;
  values: (number | null)[];
  kind: "bars" | "line" | "steps";
};

type PlotProps = {
  title: string;
  words: string;
  /** Seconds since 1970. */
  times: number[];
  lines: Line[];
  /** Of what is counted, the axis has no halves. */
  unit: "count" | ((value: number) => string);
  /** Each line's bar stands on the one before. */
  isStacked?: boolean;
  /** What must not be exceeded, drawn across. */
  limit?: number | undefined;
};

const HEIGHT = 190;
const HALF_DAY = 43_200;
const WHOLE_STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000];

export function Plot(props: PlotProps) {
  const { title, words, times, lines, isStacked = false, limit } = props;
  const place = useRef<HTMLDivElement>(null);
  /** The point that the mouse or a finger is at. */
  const at = useSignal<number | undefined>(undefined);
  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    const point = (index: number | undefined): void => {
      at.value = index;
    };
    let plot = draw(element, props, point);
    const again = (): void => {
      plot.destroy();
      plot = draw(element, props, point);
    };
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    scheme.addEventListener("change", again);
    const size = new ResizeObserver(() => {
      plot.setSize({ width: element.clientWidth, height: HEIGHT });
    });
    size.observe(element);
    return () => {
      scheme.removeEventListener("change", again);
      size.disconnect();
      plot.destroy();
    };
  }, [JSON.stringify([times, lines, isStacked, limit])]);
  const moment = at.value === undefined ? undefined : times[at.value];
  return (
    <figure class="card plot">
      <figcaption>
        <h2>{title}</h2>
        <p class="meta">{words}</p>
      </figcaption>
      <div ref={place} class="canvas" role="img" aria-label={`${title}: ${words}`} />
      <p class="legend">
        {lines.map(({ label, colour, values }) => (
          <span key={label}>
            <i class={`swatch ${colour.slice(2)}`} /> {label}
            {at.value !== undefined && <b> {saidOf(props, values[at.value])}</b>}
          </span>
        ))}
        {limit !== undefined && (
          <span>
            <i class="swatch limit" /> budget
          </span>
        )}
        {moment !== undefined && <span class="moment">{dayOf(moment)}</span>}
      </p>
    </figure>
  );
}

const saidOf = ({ unit }: PlotProps, value: number | null | undefined): string =>
  value === null || value === undefined ? "–" : unit === "count" ? String(value) : unit(value);

function draw(
  element: HTMLElement,
  { times, lines, unit, isStacked = false, limit }: PlotProps,
  point: (index: number | undefined) => void,
): uPlot {
  const shown = [
    ...(isStacked ? stacked(lines) : lines),
    ...(limit === undefined ? [] : [limitLine(limit, times)]),
  ];
  const said = unit === "count" ? String : unit;
  const isBars = lines.some(({ kind }) => kind === "bars");
  const axis = colourOf(element, "--dim");
  const grid = { stroke: colourOf(element, "--line"), width: 1 };
  const axes: uPlot.Axis[] = [
    { stroke: axis, grid: { show: false }, ticks: grid, values: (_, ticks) => ticks.map(dayOf) },
    {
      stroke: axis,
      grid,
      ticks: { show: false },
      size: 62,
      values: (_, ticks) => ticks.map(said),
      ...(unit === "count" && { incrs: WHOLE_STEPS }),
    },
  ];
  const series = shown.map(({ label, colour, kind }): uPlot.Series => {
    const stroke = colourOf(element, colour);
    const paths = {
      bars: uPlot.paths.bars?.({ size: [0.7, 40] }),
      steps: uPlot.paths.stepped?.({ align: 1 }),
      line: undefined,
    }[kind];
    return {
      label,
      stroke,
      width: kind === "bars" ? 0 : 2,
      ...(kind === "bars" ? { fill: stroke } : {}),
      ...(paths === undefined ? {} : { paths }),
      ...(colour === LIMIT_COLOUR && { dash: [6, 4] }),
      points: { show: kind === "line" && times.length < 40 && colour !== LIMIT_COLOUR },
    };
  });
  const options: uPlot.Options = {
    width: element.clientWidth,
    height: HEIGHT,
    axes,
    series: [{}, ...series],
    legend: { show: false },
    cursor: { drag: { x: false, y: false } },
    hooks: { setCursor: [({ cursor }) => point(cursor.idx ?? undefined)] },
    scales: {
      // The first and the last bar have their whole width.
      x: { range: (_, low, high) => (isBars ? [low - HALF_DAY, high + HALF_DAY] : [low, high]) },
      y: { range: (_, _low, high) => [0, Math.max(high, 1) * 1.08] },
    },
  };
  return new uPlot(options, [times, ...shown.map(({ values }) => values)], element);
}

const LIMIT_COLOUR = "--bad";

const limitLine = (limit: number, times: number[]): Line => ({
  label: "budget",
  colour: LIMIT_COLOUR,
  kind: "line",
  values: times.map(() => limit),
});

const dayOf = (seconds: number): string =>
  new Date(seconds * 1000).toLocaleDateString(undefined, { month: "short", day: "numeric" });

/** The highest sum is drawn first, so that each smaller one covers its lower part. */
function stacked(lines: Line[]): Line[] {
  const sums: Line[] = [];
  for (const line of lines) {
    const below = sums.at(-1)?.values;
    const values = line.values.map((value, at) => (value ?? 0) + (below?.[at] ?? 0));
    sums.push({ ...line, values });
  }
  return sums.toReversed();
}

/** As the browser has resolved it for light or dark. */
function colourOf(element: HTMLElement, name: string): string {
  element.style.color = `var(${name})`;
  const { color } = getComputedStyle(element);
  element.style.color = "";
  return color;
}
