/** Words that any part of the app may use. */
export const common = {
  appName: 'Escucho',
  loading: 'Loading...',
  retry: 'Try again',
  close: 'Close',
  cancel: 'Cancel',
  ok: 'OK',
  undo: 'Undo',
  network: 'The network did not answer. Check your connection and try again.',
  failedTitle: 'This did not load',
  failedText: 'Something went wrong on the way. Your place and your lists are safe.',
  offline: 'You are offline. What you have open keeps working.',
} as const;
