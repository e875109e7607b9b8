import type { ReactNode } from 'react';

const Frame = ({ children }: { children: ReactNode }) => (
  <svg
    viewBox="0 0 240 160"
    width="240"
    height="160"
    aria-hidden="true"
    fill="currentColor"
    className="max-w-full"
  >
    {children}
  </svg>
);

interface BarsProps {
  heights: readonly number[];
  x: number;
  step: number;
  width: number;
  /** How much of a bar lies above the line: 1 stands on it, 0.5 is centred. */
  above: number;
  line: number;
}

/** A row of bars, as a sound is drawn. */
const Bars = ({ heights, x, step, width, above, line }: BarsProps) =>
  heights.map((height, index) => (
    <rect
      // biome-ignore lint/suspicious/noArrayIndexKey: a drawing's bars never change
      key={index}
      x={x + index * step}
      y={line - height * above}
      width={width}
      height={height}
      rx="3"
      opacity={0.35 + (index % 3) * 0.25}
    />
  ));

/** A sound that goes out in rings and finds something. */
export const EchoRingsPicture = () => (
  <Frame>
    <g fill="none" stroke="currentColor" strokeWidth="3">
      {[22, 40, 58, 76].map((radius, index) => (
        <circle
          key={radius}
          cx="104"
          cy="80"
          r={radius}
          opacity={0.9 - index * 0.2}
          strokeDasharray={index % 2 ? '40 14' : undefined}
        />
      ))}
      <path d="M160 128l34 26" strokeWidth="9" strokeLinecap="round" />
    </g>
    <circle cx="104" cy="80" r="8" />
  </Frame>
);

/** An open book whose right page is a voice. */
export const BookPicture = () => (
  <Frame>
    <path d="M118 30C92 12 54 12 26 24v104c28-12 66-12 92 6z" opacity="0.3" />
    <g opacity="0.85">
      {[46, 62, 78, 94].map((y) => (
        <rect key={y} x="44" y={y} width={y === 94 ? 34 : 56} height="5" rx="2.5" />
      ))}
    </g>
    <Bars heights={[20, 44, 70, 92, 58, 76, 36, 18]} x={128} step={12} width={6} above={0.5} line={76} />
  </Frame>
);

/** A thread of sound that ends in nothing. */
export const LostPicture = () => (
  <Frame>
    <g fill="none" stroke="currentColor" strokeWidth="4" strokeLinecap="round">
      <path d="M10 84c18-50 34-50 46 0s26 52 40 6 22-34 30-8" />
      <path d="M140 80h6M160 80h5M179 80h4M196 80h3M212 80h2" opacity="0.5" />
    </g>
    <circle cx="228" cy="80" r="3" opacity="0.5" />
  </Frame>
);
