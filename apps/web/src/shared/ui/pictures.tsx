const bars = [10, 22, 38, 58, 30, 46, 72, 50, 26, 40, 60, 34, 18, 28, 12];

/** A small drawing for empty and broken states: a spoken line, or one with its middle missing. */
export const EchoPicture = ({ broken = false }: { broken?: boolean }) => (
  <svg viewBox="0 0 180 80" width="180" height="80" aria-hidden="true" fill="currentColor">
    {bars.map((height, index) => (
      <rect
        // biome-ignore lint/suspicious/noArrayIndexKey: the bars never change
        key={index}
        x={index * 12 + 3}
        y={broken && index > 5 && index < 9 ? 38 : 40 - height / 2}
        width="5"
        height={broken && index > 5 && index < 9 ? 4 : height}
        rx="2.5"
        opacity={broken && index > 5 && index < 9 ? 0.35 : 0.35 + (index % 4) * 0.2}
      />
    ))}
  </svg>
);
