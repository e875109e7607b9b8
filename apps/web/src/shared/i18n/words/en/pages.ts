/** Pages that are small, or not open yet. */
export const pages = {
  notFoundTitle: 'There is nothing at this address',
  notFoundText: 'The page may have moved, or the address has a slip in it.',
  toHome: 'Go to Discover',
  soon: 'Opens in a later release',

  searchTitle: 'Search',
  searchText: 'Browse by topic, level and language, or find any story by a word of its title.',
  searchFor: 'You looked for “{term}”. Search opens in a later release.',
  articlesTitle: 'Articles',
  articlesText: 'Lists by topic, level and narrator, and every article with its text.',
  visualBookTitle: 'Visual books',
  visualBookText: 'Illustrated books, narrated page by page.',

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
