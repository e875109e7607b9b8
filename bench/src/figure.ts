/** One figure: what was measured, and the same of the barest thing that could do it, taken in the same rounds. */
export interface Figure {
  what: string;
  unit: string;
  ours: readonly number[];
  /** What nothing of this kind can beat; absent where there is a budget only. */
  ceiling?: readonly number[];
  budget?: number;
}

/** A measurement: its name on the command line, what it shows, and how it is taken. */
export interface Measurement {
  name: string;
  title: string;
  /** What was done and what the ceiling is, in a sentence or two. */
  how: string;
  measure: (open: OpenBench, options: Options) => Promise<Figure[]>;
  /** It takes so long that it is taken only by its name. */
  onlyNamed?: boolean;
}

/**
 * What the command line says; `items`: how large a library; `data`: the folder in which libraries are kept; `minutes`: how
 * long is played.
 */
export interface Options {
  items?: number | undefined;
  data?: string | undefined;
  minutes?: number | undefined;
}

/** What measurements share: the product running on fresh data, and a subscriber's signed-in browser. */
export interface Bench {
  origin: string;
  dataDir: string;
  /** The server's process. */
  pid: number;
  bearer: string;
  /** Playwright's storage state of the signed-in subscriber. */
  state: string;
}

/** Opens what measurements share, at its first call. In: a data directory that is kept; else one that goes with the measurement. */
export type OpenBench = (dataDir?: string) => Promise<Bench>;

/** The middle of some numbers; NaN of none. */
export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low = Number.NaN, high = Number.NaN] = [
    sorted[sorted.length % 2 ? middle : middle - 1],
    sorted[middle],
  ];
  return (low + high) / 2;
}

/** A number in as many digits as it bears. */
const short = (value: number) =>
  Number.isNaN(value) ? '–' : value.toLocaleString('en', { maximumSignificantDigits: value < 1000 ? 3 : 4 });

const spread = (numbers: readonly number[]) =>
  `${short(Math.min(...numbers))}…${short(Math.max(...numbers))}`;

function row({ what, unit, ours, ceiling, budget }: Figure): string {
  const middle = median(ours);
  const bare = ceiling && median(ceiling);
  const cells = [
    what,
    `${short(middle)} ${unit}`,
    spread(ours),
    bare === undefined ? '–' : `${short(bare)} ${unit}`,
    bare ? (middle / bare).toFixed(2) : '–',
    budget === undefined ? '–' : `${short(budget)} ${unit}`,
  ];
  return `| ${cells.join(' | ')} |`;
}

/** Figures as a table in Markdown: median, least and most, the ceiling's median, ours divided by it. */
export const tableOf = (figures: readonly Figure[]): string =>
  [
    '| | median | min…max | ceiling | ratio | budget |',
    '| --- | ---: | ---: | ---: | ---: | ---: |',
    ...figures.map(row),
  ].join('\n');
