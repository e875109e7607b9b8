/** The bell and its list. */
export const notifications = {
  title: 'Notifications',
  bell: 'Notifications',
  bellNew: 'Notifications, there is something new',
  arrived: 'New notification: {title}',
  empty: 'No news yet. New stories and messages will appear here.',
  failed: 'The notifications did not load.',
} as const;
