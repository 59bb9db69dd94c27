// How busy something was, minute by minute, as small bars. They are one path, because a page has
// hundreds of these, and a browser lays out every element.
const HEIGHT = 18;
const BAR = 4;

export function Sparkline({ counts }: { counts: readonly number[] }) {
  const most = Math.max(...counts, 1);
  const sum = counts.reduce((total, count) => total + count, 0);
  const label = `${sum} events in the last ${counts.length} minutes`;
  const width = counts.length * BAR;
  const bars = counts.map((count, at) => {
    if (count === 0) return "";
    const height = Math.max(3, Math.round((count / most) * HEIGHT));
    return `M${at * BAR} ${HEIGHT}v${-height}h${BAR - 1}v${height}z`;
  });
  return (
    <svg
      class="sparkline"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      width={width}
      height={HEIGHT}
    >
      <path class="none" d={`M0 ${HEIGHT - 1}h${width}v1h${-width}z`} />
      <path class="some" d={bars.join("")} />
    </svg>
  );
}
