/** An id that says its number. */
export const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** A track as the portal gives it, but for its title, its list and where it comes from. */
export const trackOf = (number: number) => ({
  ...{ _id: idOf(number), artist: 'Amelia', url: null, artwork: '/favicon.svg', image: '/favicon.svg' },
  ...{ loudness: null, duration: 100, progress: 0, like: false },
  ...{ kind: 'article', language: 'en', level: 'B1', topic: 'travel' },
});
