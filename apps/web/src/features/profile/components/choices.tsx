import { type ReactNode, useId } from 'react';

interface Option {
  id: string;
  label: string;
}

interface ChoiceProps {
  label: string;
  value: string;
  options: readonly Option[];
  onChoose: (id: string) => void;
}

const Row = ({ label, children }: { label: ReactNode; children: ReactNode }) => (
  <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3">
    {label}
    {children}
  </div>
);

/** A setting with a few options, shown as radio buttons. */
export function RadioRow({ label, value, options, onChoose }: ChoiceProps) {
  const name = useId();
  return (
    <Row
      label={
        <span id={name} className="text-sm text-muted">
          {label}
        </span>
      }
    >
      <div
        role="radiogroup"
        aria-labelledby={name}
        className="flex flex-wrap rounded-lg border border-line p-1 text-sm"
      >
        {options.map((option) => (
          <label key={option.id} className="choice">
            <input
              type="radio"
              className="sr-only"
              name={name}
              checked={option.id === value}
              onChange={() => onChoose(option.id)}
            />
            {option.label}
          </label>
        ))}
      </div>
    </Row>
  );
}

/** A setting with many options, shown as a select. */
export function SelectRow({ label, value, options, onChoose }: ChoiceProps) {
  const id = useId();
  return (
    <Row
      label={
        <label htmlFor={id} className="min-w-24 flex-1 text-sm text-muted">
          {label}
        </label>
      }
    >
      <select
        id={id}
        value={value}
        onChange={({ currentTarget }) => onChoose(currentTarget.value)}
        className="field w-36"
      >
        {options.map((option) => (
          <option key={option.id} value={option.id}>
            {option.label}
          </option>
        ))}
      </select>
    </Row>
  );
}
