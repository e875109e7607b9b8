import type { MessageKey, T } from '#shared/i18n/i18n.ts';
import type { FilterName } from './model/filters.ts';

const topicKeys: Record<string, MessageKey> = {
  culture: 'articles.topic_culture',
  'daily-life': 'articles.topic_daily_life',
  food: 'articles.topic_food',
  history: 'articles.topic_history',
  nature: 'articles.topic_nature',
  science: 'articles.topic_science',
  stories: 'articles.topic_stories',
  technology: 'articles.topic_technology',
  travel: 'articles.topic_travel',
};

const valueKeys: Record<string, MessageKey> = {
  en: 'discover.languageEn',
  es: 'discover.languageEs',
  article: 'articles.kindArticle',
  audiobook: 'articles.kindAudiobook',
  'visual-book': 'articles.kindVisualBook',
  short: 'articles.short',
  medium: 'articles.medium',
  long: 'articles.long',
};

/** Returns a topic's name in the user's language; a topic without a message is shown as it is written, capitalised. */
export function getTopicName(t: T, topic: string): string {
  const key = topicKeys[topic];
  if (key) return t(key);
  const text = topic.replaceAll('-', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Returns the name of a filter's value in the user's language. */
export function getFilterValueName(t: T, name: FilterName, value: string): string {
  if (name === 'topic') return getTopicName(t, value);
  const key = valueKeys[value];
  return key && name !== 'level' ? t(key) : value;
}
