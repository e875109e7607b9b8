/** What was heard, and listening in figures. */
export const history = {
  title: 'History',
  empty: 'What you have heard will stand here.',
  failed: 'Your history did not load.',
  showMore: 'Show more',
  clear: 'Clear history',
  clearTitle: 'Clear your history?',
  clearText: 'It does not come back. Your places and your figures stay.',
  cleared: 'Your history is empty',
  remove: 'Take {title} out of your history',
  removed: '{title} was taken out',
  play: 'Play {title}',
  playLocked: 'Play {title}, needs a subscription',
  pause: 'Pause {title}',
} as const;
