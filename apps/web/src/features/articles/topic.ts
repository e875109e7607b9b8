import type { MessageKey, T } from '#shared/i18n/i18n.ts';

/** The topics we have words for. */
const known: Record<string, MessageKey> = {
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

/** A topic's name in the reader's language; one we have no word for as it was given. In: the reader's words, the topic. */
export function topicName(t: T, topic: string): string {
  const key = known[topic];
  if (key) return t(key);
  const text = topic.replaceAll('-', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
