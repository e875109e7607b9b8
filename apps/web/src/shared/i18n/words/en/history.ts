/** What was heard, and listening in figures. */
export const history = {
  title: 'History',
  empty: 'What you listen to will appear here.',
  failed: 'Your history did not load.',
  showMore: 'Show more',
  clear: 'Clear history',
  clearTitle: 'Clear your history?',
  clearText: 'This cannot be undone. Your progress and figures stay.',
  cleared: 'Your history is empty',
  remove: 'Remove {title} from your history',
  removed: '{title} was removed',
  play: 'Play {title}',
  playLocked: 'Play {title}, needs a subscription',
  pause: 'Pause {title}',
} as const;
