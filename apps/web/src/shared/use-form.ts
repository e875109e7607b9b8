import { type ChangeEvent, type FocusEvent, type FormEvent, useRef, useState } from 'react';
import type * as z from 'zod/mini';
import { getT, type MessageKey, useT } from './i18n/i18n.ts';

/** What is wrong with a form. In: its schema and values. Out: the key of the first fault of each field. */
export function findFieldErrors(schema: z.ZodMiniType, values: unknown): Map<string, MessageKey> {
  const faults = new Map<string, MessageKey>();
  for (const { path, message } of schema.safeParse(values).error?.issues ?? []) {
    const name = String(path[0]);
    if (!faults.has(name)) faults.set(name, getT().has(message) ? message : 'field_invalid');
  }
  return faults;
}

/**
 * A form of text fields whose rules and words come from a schema of the contracts (AUTH-02). A field is judged when
 * it is left with something in it, all of them on submit, and from then on as one types. In: schema, first values
 * (their order is the order of the fields). Out:
 * `field(name)`: the attributes of an input and its fault in words; `values`; `busy` while submitting;
 * `submit(work, failed)`: the form's onSubmit: with faults it focuses the first, else it does the work, once at a time,
 * and hands on what the work throws;
 * `check(name)`: judges one field now and says whether it is right; `fill(values)`: writes them into the fields.
 */
export function useForm<Values extends Record<string, string>>(
  schema: z.ZodMiniType<Values, Values>,
  initial: Values,
) {
  const t = useT();
  const [values, setValues] = useState(initial);
  const [judged, setJudged] = useState<ReadonlySet<string>>(new Set());
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const faults = findFieldErrors(schema, values);

  const judge = (...names: string[]) => setJudged((before) => new Set([...before, ...names]));
  const focus = (name: string) => form.current?.querySelector<HTMLElement>(`[name="${name}"]`)?.focus();

  const field = (name: keyof Values & string) => {
    const fault = judged.has(name) ? faults.get(name) : undefined;
    return {
      name,
      value: values[name],
      error: fault && t(fault),
      onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement>) =>
        setValues((before) => ({ ...before, [name]: currentTarget.value })),
      onBlur: ({ currentTarget, relatedTarget }: FocusEvent<HTMLInputElement>) => {
        const isSending = relatedTarget instanceof HTMLButtonElement && relatedTarget.type === 'submit';
        if (currentTarget.value !== '' && !isSending) judge(name);
      },
    };
  };

  const submit =
    (work: (values: Values) => Promise<void>, failed: (error: unknown) => void) => (event: FormEvent) => {
      event.preventDefault();
      if (busy) return;
      judge(...Object.keys(initial));
      const parsed = schema.safeParse(values);
      const first = Object.keys(initial).find((name) => faults.has(name));
      if (!parsed.success) return first && focus(first);
      setBusy(true);
      void work(parsed.data)
        .catch(failed)
        .finally(() => setBusy(false));
    };

  const check = (name: keyof Values & string): boolean => {
    judge(name);
    if (faults.has(name)) focus(name);
    return !faults.has(name);
  };

  const fill = (given: Values): void => setValues(given);

  return { form, field, submit, check, fill, values, busy };
}
