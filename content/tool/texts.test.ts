import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parseText } from './texts.ts';

const front = (changes: Record<string, string> = {}): string => {
  const values = {
    title: 'The Night Ferry: a crossing',
    language: 'en',
    level: 'B1',
    kind: 'article',
    topic: 'travel',
    narrator: 'Amelia',
    summary: 'A crossing in the dark.',
    published: '2026-09-14',
    ...changes,
  };
  return `---\n${Object.entries(values)
    .map(([key, value]) => `${key}: ${value}`)
    .join('\n')}\n---\n`;
};
const two = 'The ferry leaves at nine.\n= El barco sale a las nueve.\nIt is late.\n= Es tarde.\n';

describe('parseText', () => {
  it('parses front matter, sentences, translations and paragraphs', () => {
    const text = parseText('the-night-ferry', `${front()}${two}\n\nNobody waits.\n= Nadie espera.\n`);
    expect(text).toMatchObject({
      slug: 'the-night-ferry',
      title: 'The Night Ferry: a crossing',
      language: 'en',
      translationLanguage: 'es',
      sections: [],
    });
    expect(text.sentences).toEqual([
      {
        text: 'The ferry leaves at nine.',
        translation: 'El barco sale a las nueve.',
        paragraph: 0,
        section: null,
      },
      { text: 'It is late.', translation: 'Es tarde.', paragraph: 0, section: null },
      { text: 'Nobody waits.', translation: 'Nadie espera.', paragraph: 1, section: null },
    ]);
  });

  it('parses the bit rate and the words that are respelled for the synthesizer', () => {
    const text = parseText('a', `${front({ bitrate: '32', pronounce: 'Ruiz=Roo eess, lead=led' })}${two}`);
    expect(text).toMatchObject({ bitrate: 32, respellings: { Ruiz: 'Roo eess', lead: 'led' } });
  });

  it('parses chapters of an audiobook, each with a new paragraph', () => {
    const text = parseText(
      'a',
      `${front({ kind: 'audiobook' })}## One\n${two}## Two\nGood night.\n= Buenas noches.\n`,
    );
    expect(text.sections).toEqual([
      { title: 'One', alt: null },
      { title: 'Two', alt: null },
    ]);
    expect(text.sentences.map((s) => [s.section, s.paragraph])).toEqual([
      [0, 0],
      [0, 0],
      [1, 1],
    ]);
  });

  it('parses pages of a visual book with their alt texts', () => {
    const text = parseText('a', `${front({ kind: 'visual-book' })}## The pier\n! A pier at night.\n\n${two}`);
    expect(text.sections).toEqual([{ title: 'The pier', alt: 'A pier at night.' }]);
  });

  it('accepts CRLF line ends and a byte order mark', () => {
    const text = parseText('a', `\uFEFF${`${front()}${two}`.replaceAll('\n', '\r\n')}`);
    expect(text.sentences).toHaveLength(2);
    expect(text.title).toBe('The Night Ferry: a crossing');
  });

  it.each([
    ['a sentence without a translation', `${front()}One.\nTwo.\n= Dos.\n`, /a\.md:11: .*no translation/],
    ['a last sentence without a translation', `${front()}One.`, /a\.md:11: .*no translation/],
    ['a translation without a sentence', `${front()}= Uno.\n`, /without its sentence/],
    ['a list', `${front()}- One.\n= Uno.\n`, /neither a sentence/],
    ['an empty text', front(), /not one sentence/],
    ['a heading in an article', `${front()}## One\n${two}`, /no headings/],
    ['an audiobook without chapters', `${front({ kind: 'audiobook' })}${two}`, /without a heading/],
    [
      'an empty chapter',
      `${front({ kind: 'audiobook' })}## One\n## Two\n${two}`,
      /nothing is read under "One"/,
    ],
    ['a page without alt text', `${front({ kind: 'visual-book' })}## One\n${two}`, /lacks its alt/],
    ['alt text after a sentence', `${front({ kind: 'visual-book' })}## One\n${two}! Late.\n`, /right after/],
    ['a narrator of the other language', `${front({ narrator: 'Diego' })}${two}`, /narrator is "Diego"/],
    ['an unknown level', `${front({ level: 'D1' })}${two}`, /level is "D1"/],
    ['a day that is not in the calendar', `${front({ published: '2026-02-30' })}${two}`, /not a date/],
    ['an unknown field', `${front({ author: 'me' })}${two}`, /unknown field author/],
    ['an unknown bit rate', `${front({ bitrate: '64' })}${two}`, /bitrate is "64"/],
    ['a respelling without its word', `${front({ pronounce: 'lead' })}${two}`, /not word=respelling/],
    ['no front matter', two, /begin with ---/],
  ])('refuses %s', (_name, markdown, message) => {
    expect(() => parseText('a', markdown)).toThrow(message);
  });

  it('refuses a slug that is not kebab-case ascii', () => {
    expect(() => parseText('La Niña', front() + two)).toThrow(/kebab-case/);
  });
});

it.each(['narrate', 'pronunciation', 'render'])('%s names an unknown slug in one line', async (tool) => {
  const command = ['--import', 'tsx', join(import.meta.dirname, `${tool}.ts`), 'nothing'];
  await expect(promisify(execFile)(process.execPath, command)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^There is no (?:text|folder) nothing in .*\n$/),
  });
});
