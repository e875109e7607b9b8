/** The reader's own names and choices. */
export const profile = {
  save: 'Save',
  saved: 'Saved',
  failed: 'Your settings did not load.',
  learning: 'Learning',
  learningLanguage: 'Language you are learning',
  level: 'Your level',
  notChosen: 'Not chosen',
  english: 'English',
  spanish: 'Spanish',
  look: 'On this device',
  lookHint: 'New devices begin with what you choose here.',
} as const;
