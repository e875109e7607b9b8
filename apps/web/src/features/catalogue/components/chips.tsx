import type { Track } from '@escucho/contracts';
import { useT } from '#shared/i18n/i18n.ts';

const look = 'rounded-full border border-line px-2 py-px text-[0.6875rem] font-medium text-muted';

/** Level and language, quietly. */
export function Chips({ level, language }: Pick<Track, 'level' | 'language'>) {
  const t = useT();
  return (
    <>
      <span className={look}>{level}</span>
      <span className={look}>{t(language === 'en' ? 'discover.languageEn' : 'discover.languageEs')}</span>
    </>
  );
}
