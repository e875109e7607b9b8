import { clsx } from 'clsx';
import type { CSSProperties, ReactNode } from 'react';

interface Props {
  label: string;
  value: number;
  max: number;
  min?: number;
  step?: number | 'any';
  onChange: (value: number) => void;
  /** Called on pointer up and key up. */
  onCommit?: (value: number) => void;
  /** Returns the value's text for screen readers. */
  text?: (value: number) => string;
  /** The end of the buffered range, in the unit of `value`. */
  buffered?: number;
  /** Decoration of the track, e.g. a tick for each sentence. */
  ticks?: ReactNode;
  disabled?: boolean;
  className?: string;
}

const percent = (value: number, min: number, max: number) =>
  `${max > min ? Math.min(100, Math.max(0, ((value - min) / (max - min)) * 100)) : 0}%`;

/** A native range input with a styled track. */
export function Slider(props: Props) {
  const {
    label,
    value,
    max,
    min = 0,
    step = 1,
    onChange,
    onCommit,
    text,
    buffered = min,
    ticks,
    className,
  } = props;
  const track: CSSProperties & Record<`--${string}`, string> = {
    '--fill': percent(value, min, max),
    '--buffered': percent(buffered, min, max),
  };
  return (
    <span className={clsx('slider', className)} style={track}>
      {ticks}
      <input
        type="range"
        aria-label={label}
        aria-valuetext={text?.(value)}
        min={min}
        max={max}
        step={step}
        value={Math.min(value, max)}
        disabled={props.disabled}
        onChange={(event) => onChange(event.currentTarget.valueAsNumber)}
        onPointerUp={(event) => onCommit?.(event.currentTarget.valueAsNumber)}
        onKeyUp={(event) => onCommit?.(event.currentTarget.valueAsNumber)}
      />
    </span>
  );
}
