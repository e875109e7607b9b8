import type { ReactNode } from 'react';

interface Props {
  title: string;
  text?: string;
  children: ReactNode;
  /** The way to the neighbouring page, under the form. */
  foot?: ReactNode;
}

/** The sheet an auth form lies on. */
export const AuthCard = ({ title, text, children, foot }: Props) => (
  <section className="w-full max-w-md rounded-[1.25rem] border border-line bg-surface p-6 shadow-pop sm:p-9">
    <h1 className="font-serif text-xl font-semibold tracking-tight text-balance">{title}</h1>
    {text && <p className="mt-1.5 text-muted text-pretty">{text}</p>}
    <div className="mt-6">{children}</div>
    {foot && <p className="mt-6 text-center text-sm text-muted">{foot}</p>}
  </section>
);
