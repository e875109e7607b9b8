/** Pages that are small, or not open yet. */
export const pages = {
  notFoundTitle: 'There is nothing at this address',
  notFoundText: 'The page may have moved, or the address may be mistyped.',
  toHome: 'Go to Discover',
  settingsTitle: 'Settings',
  profile: 'Profile',
  subscription: 'Subscription',
  support: 'Support',
  appearance: 'Appearance',
  dark: 'Dark',
  light: 'Light',
  newVersion: 'A new version of Escucho is ready.',
  update: 'Update',
} as const;
