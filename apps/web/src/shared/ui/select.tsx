import { clsx } from 'clsx';
import { ChevronDown } from 'lucide-react';
import { type ComponentProps, type ReactNode, useId } from 'react';

/** A select with an arrow of the app's icons; `className` sets its shape and colours. */
export const Select = ({ className, ...select }: ComponentProps<'select'>) => (
  <span className="relative inline-grid max-w-full">
    <select
      {...select}
      className={clsx('max-w-full cursor-pointer appearance-none truncate pr-10', className)}
    />
    <ChevronDown
      aria-hidden
      className="pointer-events-none absolute top-1/2 right-4 size-4 -translate-y-1/2 text-muted"
    />
  </span>
);

/** One of several options. */
export interface Choice<Id extends string> {
  /** `lang`: the language of the label, where it is not that of the page. */
  options: readonly { id: Id; label: ReactNode; lang?: string }[];
  value: Id | null;
  onChoose: (id: Id) => void;
}

/** The radio buttons of a group, of which only the labels are visible; `className` is that of an option. */
export function Radios<Id extends string>(props: Choice<Id> & { className?: string }) {
  const { options, value, onChoose, className = 'choice' } = props;
  const name = useId();
  return options.map(({ id, label, lang }) => (
    <label key={id} className={className}>
      <input
        type="radio"
        className="sr-only"
        name={name}
        checked={id === value}
        onChange={() => onChoose(id)}
      />
      <span lang={lang} className="contents">
        {label}
      </span>
    </label>
  ));
}
