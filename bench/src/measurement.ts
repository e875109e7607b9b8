/** One measured quantity, with the ceiling measured in the same rounds. */
export interface Result {
  label: string;
  unit: string;
  values: readonly number[];
  /** The values of a minimal implementation; missing where there is only a budget. */
  ceiling?: readonly number[];
  budget?: number;
}

/** A benchmark. `name` selects it on the command line and its section in bench/README.md. */
export interface Measurement {
  name: string;
  title: string;
  /** Describes the measurement and its ceiling. */
  method: string;
  measure: (open: OpenEnvironment, options: Options) => Promise<Result[]>;
  /** Runs only when it is named, since it takes long. */
  explicitOnly?: boolean;
  /** Runs on the source files, without a build of the product. */
  needsNoBuild?: boolean;
}

/** Command-line options: number of generated articles and of sentences in each, folder that stores catalogues, minutes of playback, random requests, listeners. */
export interface Options {
  items?: number | undefined;
  sentences?: number | undefined;
  listeners?: number | undefined;
  data?: string | undefined;
  minutes?: number | undefined;
  /** Rounds of the first load or of a catalogue, e.g. 1 to try it out. */
  rounds?: number | undefined;
  /** Random requests to each operation. */
  requests?: number | undefined;
}

/** A running product and a signed-in subscriber. */
export interface Environment {
  origin: string;
  dataDir: string;
  /** The server's process. */
  pid: number;
  bearer: string;
  /** Playwright's storage state of the subscriber, as JSON. */
  state: string;
}

/** Starts the environment of a data directory once; without a directory, a temporary one shared by all measurements. */
export type OpenEnvironment = (dataDir?: string) => Promise<Environment>;

/** Returns the median, or NaN for an empty list. */
export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low = Number.NaN, high = Number.NaN] = [
    sorted[sorted.length % 2 ? middle : middle - 1],
    sorted[middle],
  ];
  return (low + high) / 2;
}

const formatNumber = (value: number) =>
  Number.isNaN(value) ? '–' : value.toLocaleString('en', { maximumSignificantDigits: value < 1000 ? 3 : 4 });

const formatRange = (numbers: readonly number[]) =>
  `${formatNumber(Math.min(...numbers))}…${formatNumber(Math.max(...numbers))}`;

function toRow({ label, unit, values, ceiling, budget }: Result): string {
  const resultMedian = median(values);
  const ceilingMedian = ceiling && median(ceiling);
  const cells = [
    label,
    `${formatNumber(resultMedian)} ${unit}`,
    formatRange(values),
    ceilingMedian === undefined ? '–' : `${formatNumber(ceilingMedian)} ${unit}`,
    ceilingMedian ? (resultMedian / ceilingMedian).toFixed(2) : '–',
    budget === undefined ? '–' : `${formatNumber(budget)} ${unit}`,
  ];
  return `| ${cells.join(' | ')} |`;
}

/** Formats results as a Markdown table. */
export const toMarkdownTable = (results: readonly Result[]): string =>
  [
    '| | median | min…max | ceiling | ratio | budget |',
    '| --- | ---: | ---: | ---: | ---: | ---: |',
    ...results.map(toRow),
  ].join('\n');
