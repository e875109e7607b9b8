import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';

/** A link above a page's title to the page that lists it. */
export const BackLink = ({ to, children }: { to: string; children: ReactNode }) => (
  <Link
    to={to}
    className="-mt-3 -ml-2 flex min-h-11 w-fit items-center gap-2 rounded-full px-2 text-sm text-muted hover:text-ink"
  >
    <ArrowLeft aria-hidden className="size-4" />
    {children}
  </Link>
);
