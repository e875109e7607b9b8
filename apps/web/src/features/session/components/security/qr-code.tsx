import { encode } from 'uqr';

/** Modules of quiet zone that scanners need on each side (ISO/IEC 18004). */
const QUIET_ZONE = 4;

/** A QR code: dark on light in both themes, because many apps cannot read an inverted one. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: QUIET_ZONE, ecc: 'M' });
  const modules = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      data-theme="light"
      className="mx-auto size-48 rounded-md bg-overlay fill-ink"
    >
      <path d={modules.join('')} />
    </svg>
  );
}
