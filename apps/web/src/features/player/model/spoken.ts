import { memoize } from '#shared/i18n/format.ts';

const createUnitFormat = (language: string, name: 'hour' | 'minute' | 'second') =>
  memoize(() => new Intl.NumberFormat(language, { style: 'unit', unit: name, unitDisplay: 'long' }));

function createDurationFormatter(language: string): (seconds: number) => string {
  const [hour, minute, second] = [
    createUnitFormat(language, 'hour'),
    createUnitFormat(language, 'minute'),
    createUnitFormat(language, 'second'),
  ];
  const list = new Intl.ListFormat(language, { type: 'unit' });
  return (seconds) => {
    const whole = Math.max(0, Math.floor(seconds));
    const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60];
    const parts = [
      hours > 0 ? hour().format(hours) : '',
      minutes > 0 ? minute().format(minutes) : '',
      rest > 0 || whole === 0 ? second().format(rest) : '',
    ];
    return list.format(parts.filter(Boolean));
  };
}

const formatters = {
  en: memoize(() => createDurationFormatter('en')),
  es: memoize(() => createDurationFormatter('es')),
};

/** Returns a duration in words for assistive technology, such as "4 minutes, 37 seconds". */
export const formatSpokenDuration = (language: keyof typeof formatters, seconds: number): string =>
  formatters[language]()(seconds);
