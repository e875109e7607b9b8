import { memoize } from '#shared/memoize.ts';

const unit = (language: string, name: 'hour' | 'minute' | 'second') =>
  memoize(() => new Intl.NumberFormat(language, { style: 'unit', unit: name, unitDisplay: 'long' }));

function voiceOf(language: string): (seconds: number) => string {
  const [hour, minute, second] = [unit(language, 'hour'), unit(language, 'minute'), unit(language, 'second')];
  const list = new Intl.ListFormat(language, { type: 'unit' });
  return (seconds) => {
    const whole = Math.max(0, Math.floor(seconds));
    const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60];
    const words = [
      hours > 0 ? hour().format(hours) : '',
      minutes > 0 ? minute().format(minutes) : '',
      rest > 0 || whole === 0 ? second().format(rest) : '',
    ];
    return list.format(words.filter(Boolean));
  };
}

const voices = { en: memoize(() => voiceOf('en')), es: memoize(() => voiceOf('es')) };

/** A place in a recording for a screen reader: 4 minutes, 37 seconds. In: the language, seconds. */
export const formatSpokenDuration = (language: keyof typeof voices, seconds: number): string =>
  voices[language]()(seconds);
