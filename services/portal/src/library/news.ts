/** What readers are told of new pieces. Pure. */
import type { NotificationText } from '../notifications/service.ts';

const MOST_TITLES = 3;

function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`;
}

/** A notification of new pieces in both languages: the one by its title, many by their number. In: titles, at least one. */
export function newsOf(titles: readonly string[]): { [Name in keyof NotificationText]: string } {
  const [first = ''] = titles;
  const some = titles.slice(0, MOST_TITLES).join(' · ');
  const more = titles.length > MOST_TITLES ? ' …' : '';
  const body = shortened(some, 490) + more;
  if (titles.length === 1) {
    return {
      ...{ titleEn: 'There is something new', bodyEn: shortened(first, 490) },
      ...{ titleEs: 'Hay algo nuevo', bodyEs: shortened(first, 490) },
    };
  }
  return {
    ...{ titleEn: `${titles.length} new pieces to listen to`, bodyEn: body },
    ...{ titleEs: `${titles.length} novedades para escuchar`, bodyEs: body },
  };
}
