/** Visual books. */
export const books = {
  title: 'Visual books',
  text: 'Illustrated books, narrated page by page.',
  all: 'All visual books',
  page: 'Page {page} of {pages}',
  toPage: 'Page {page}: {title}',
  previous: 'Previous page',
  next: 'Next page',
  listen: 'Listen',
  pause: 'Pause',
  more: 'Show more',
  noneTitle: 'No visual books yet',
  noneText: 'The first ones will be here as soon as they are published.',
} as const;
