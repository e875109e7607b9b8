import { clsx } from 'clsx';
import {
  type ChangeEvent,
  type ComponentProps,
  type FocusEvent,
  type ReactNode,
  type SubmitEvent,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type * as z from 'zod/mini';
import { getT, type MessageKey, useT } from './i18n/i18n.ts';

type Schema<Values> = z.ZodMiniType<Values, Values>;

function findFieldErrors(schema: z.ZodMiniType, values: unknown): Map<string, MessageKey> {
  const errors = new Map<string, MessageKey>();
  for (const { path, message } of schema.safeParse(values).error?.issues ?? []) {
    const name = String(path[0]);
    if (!errors.has(name)) errors.set(name, getT().has(message) ? message : 'field_invalid');
  }
  return errors;
}

/** Shows an error at a field. */
export type RejectField = (name: string, text: string) => void;

/**
 * The state of a form of text fields, validated by a schema of the contracts (AUTH-02). A field shows its error once it was
 * left with a value or submitted, and from then on while typing.
 *
 * - `field(name)` returns the props of an input, with its error message.
 * - `submit(onValid, onError)` returns the props of the form, which focuses the first invalid field, or calls `onValid`, once
 *   at a time, and `onError` with the error and `reject` if that rejects. `busy` is true until it settles.
 * - `check(name)` shows the error of a field, focuses it, and returns whether it is valid.
 * - `reject(name, text)` shows an error that only the server can find, and focuses the field. It is shown until the value
 *   changes. Ignored for a field that the form does not have.
 * - `fill(values)` sets values; the other fields follow `initial`.
 *
 * @param initial the values in the order of the fields
 * @param takesFocus whether the first field takes the focus, because the user has just opened the form
 */
export function useForm<Values extends Record<string, string>>(
  schema: Schema<Values>,
  initial: Values,
  { takesFocus = false } = {},
) {
  const t = useT();
  // Fields that were not edited follow `initial`: after hydration, it has the values of the query.
  const [edits, setEdits] = useState<Partial<Values>>({});
  const values: Values = { ...initial, ...edits };
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [busy, setBusy] = useState(false);
  const [rejected, setRejected] = useState<{ name: string; value: unknown; text: string } | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const errors = findFieldErrors(schema, values);

  const touch = (...names: string[]) => setTouched((before) => new Set([...before, ...names]));
  const focus = (name: string) => form.current?.querySelector<HTMLElement>(`[name="${name}"]`)?.focus();

  // A prerendered form may have been filled in before hydration, by the user or by the browser.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, at the first render
  useLayoutEffect(() => {
    for (const [name, value] of new FormData(form.current ?? undefined))
      if (name in initial && value !== '' && value !== initial[name])
        setEdits((before) => ({ ...before, [name]: value }));
  }, []);

  // In a passive effect, because a dialog focuses its close button when it opens, in a layout effect.
  useEffect(() => {
    if (takesFocus) form.current?.querySelector<HTMLInputElement>('input:not([hidden])')?.focus();
  }, [takesFocus]);

  // In an effect, because the form may be rendered again only now.
  useLayoutEffect(() => {
    if (rejected) form.current?.querySelector<HTMLElement>(`[name="${rejected.name}"]`)?.focus();
  }, [rejected]);

  const field = (name: keyof Values & string) => {
    const error = touched.has(name) ? errors.get(name) : undefined;
    const isRejected = rejected?.name === name && rejected.value === values[name];
    return {
      name,
      value: values[name],
      error: error ? t(error) : isRejected ? rejected.text : undefined,
      onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement>) =>
        setEdits((before) => ({ ...before, [name]: currentTarget.value })),
      onBlur: ({ currentTarget, relatedTarget }: FocusEvent<HTMLInputElement>) => {
        const isSubmitting = relatedTarget instanceof HTMLButtonElement && relatedTarget.type === 'submit';
        if (currentTarget.value !== '' && !isSubmitting) touch(name);
      },
    };
  };

  const submit = (
    onValid: (values: Values) => Promise<void>,
    onError: (error: unknown, reject: RejectField) => void = () => undefined,
  ) => {
    const onSubmit = (event: SubmitEvent) => {
      event.preventDefault();
      if (busy) return;
      touch(...Object.keys(initial));
      const parsed = schema.safeParse(values);
      const first = Object.keys(initial).find((name) => errors.has(name));
      if (!parsed.success) return first && focus(first);
      setBusy(true);
      void onValid(parsed.data)
        .catch((error: unknown) => onError(error, reject))
        .finally(() => setBusy(false));
    };
    // Sent before hydration, a form must not put its values into the address.
    return { ref: form, noValidate: true, method: 'post', onSubmit };
  };

  const check = (name: keyof Values & string): boolean => {
    touch(name);
    if (errors.has(name)) focus(name);
    return !errors.has(name);
  };

  const reject: RejectField = (name, text) => {
    if (name in values) setRejected({ name, value: values[name], text });
  };

  return { field, submit, check, reject, fill: setEdits, values, busy };
}

interface FieldProps extends ComponentProps<'input'> {
  label: string;
  /** Shown under the field and announced. */
  error?: string | undefined;
  /** Secondary text under the field. */
  hint?: ReactNode;
  /** Rendered inside the field at its end, e.g. a button that shows the password. */
  end?: ReactNode;
}

/** A labelled input with its error. */
export function Field({ label, error, hint, end, className, ...input }: FieldProps) {
  const id = useId();
  const describedBy = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ');
  return (
    <div className={clsx('grid gap-1.5 wrap-anywhere', className)}>
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <div className="relative">
        <input
          id={id}
          aria-invalid={Boolean(error)}
          aria-describedby={describedBy || undefined}
          {...input}
          className={clsx('field', end && 'pr-12')}
        />
        {end && <div className="absolute inset-y-0 right-1 grid place-items-center">{end}</div>}
      </div>
      {hint && (
        <div id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </div>
      )}
      <p id={`${id}-error`} role="alert" className="text-sm text-danger empty:hidden">
        {error}
      </p>
    </div>
  );
}
