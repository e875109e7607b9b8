import type { ReactNode } from 'react';

const Frame = ({ children }: { children: ReactNode }) => (
  <svg
    viewBox="0 0 240 160"
    width="240"
    height="160"
    aria-hidden="true"
    fill="currentColor"
    className="max-w-full"
  >
    {children}
  </svg>
);

/** A thread of sound that ends in nothing. */
export const LostPicture = () => (
  <Frame>
    <g fill="none" stroke="currentColor" strokeWidth="4" strokeLinecap="round">
      <path d="M10 84c18-50 34-50 46 0s26 52 40 6 22-34 30-8" />
      <path d="M140 80h6M160 80h5M179 80h4M196 80h3M212 80h2" opacity="0.5" />
    </g>
    <circle cx="228" cy="80" r="3" opacity="0.5" />
  </Frame>
);
