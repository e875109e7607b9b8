const rings = Array.from({ length: 17 }, (_, index) => 60 + index * 46);
const bars = Array.from({ length: 72 }, (_, index) => {
  const swell = Math.sin(index / 3.1) * Math.sin(index / 11) * Math.cos(index / 5.3);
  return Math.round(14 + Math.abs(swell) * 190);
});

const toOpacity = (min: number, value: number) => Math.max(min, value).toFixed(2);

/** The decorative drawing behind the pages before sign-in: sound waves and a line of text. */
export const ListeningArt = () => (
  <svg
    aria-hidden="true"
    viewBox="0 0 1440 900"
    preserveAspectRatio="xMidYMid slice"
    className="absolute inset-0 size-full"
    fill="none"
  >
    <g className="art-rings" strokeWidth="1.5">
      {rings.map((radius, index) => (
        <circle
          key={radius}
          cx="250"
          cy="640"
          r={radius}
          opacity={toOpacity(0.05, 0.62 - index * 0.036)}
          strokeDasharray={
            index % 3 === 1 ? `${Math.round(radius * 0.7)} ${Math.round(radius * 0.16)}` : undefined
          }
        />
      ))}
    </g>
    <circle cx="250" cy="640" r="26" className="fill-accent" />
    <g className="art-bars">
      {bars.map((height, index) => (
        <rect
          // biome-ignore lint/suspicious/noArrayIndexKey: the bars never change
          key={index}
          x={330 + index * 18}
          y={640 - height / 2}
          width="6"
          height={height}
          rx="3"
          opacity={toOpacity(0.06, 0.5 - index * 0.007)}
        />
      ))}
    </g>
  </svg>
);
