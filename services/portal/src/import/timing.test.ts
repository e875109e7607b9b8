import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import {
  type Cue,
  parseBlocks,
  parseText,
  parseTranscript,
  rejectScripts,
  splitSentences,
  type WrittenSentence,
} from './text.ts';
import { alignSentences, estimateTimes, type Silence, toTimedSentences } from './timing.ts';

const toSentences = (...texts: string[]): WrittenSentence[] =>
  texts.map((text) => ({ text, translation: null, paragraph: 0, chapter: null }));
const createCue = (start: number, end: number, text: string): Cue => ({ start, end, text });
const toTuples = (timed: readonly { text: string; start: number; end: number }[] | undefined) =>
  timed?.map(({ text, start, end }) => [text, start, end]);

describe('[CAT-10] sentences of a transcript', () => {
  it.each<[string, Cue[], [string, number, number][]]>([
    [
      'one in each cue',
      [createCue(0, 1, 'One.'), createCue(2, 3, 'Two.')],
      [
        ['One.', 0, 1],
        ['Two.', 2, 3],
      ],
    ],
    [
      'one over several cues',
      [createCue(0, 1, 'One goes'), createCue(1, 2, 'on and on.')],
      [['One goes on and on.', 0, 2]],
    ],
    [
      'a title before a name at the end of a cue',
      [createCue(0, 1, 'Yesterday I met Mr.'), createCue(1, 2, 'Smith at the station.')],
      [['Yesterday I met Mr. Smith at the station.', 0, 2]],
    ],
    [
      'an initial and a Spanish title at the end of a cue',
      [createCue(0, 1, 'Con J.'), createCue(1, 2, 'Ruiz y la Sra.'), createCue(2, 3, 'Paz. Sí.')],
      [
        ['Con J. Ruiz y la Sra. Paz.', 0, 2.5],
        ['Sí.', 2.625, 3],
      ],
    ],
    [
      'a long pause after a title',
      [createCue(0, 1, 'Ask Mr.'), createCue(5, 6, 'Begin.')],
      [
        ['Ask Mr.', 0, 1],
        ['Begin.', 5, 6],
      ],
    ],
    [
      'several in a cue',
      [createCue(0, 10, 'Four. Four.')],
      [
        ['Four.', 0, 4.545],
        ['Four.', 5.455, 10],
      ],
    ],
    [
      'a long pause ends one without a full stop',
      [createCue(0, 1, 'no end'), createCue(5, 6, 'begins')],
      [
        ['no end', 0, 1],
        ['begins', 5, 6],
      ],
    ],
    [
      'Spanish marks',
      [createCue(0, 1, '¿Qué? ¡Nada!')],
      [
        ['¿Qué?', 0, 0.417],
        ['¡Nada!', 0.5, 1],
      ],
    ],
    [
      'cues of two speakers overlap',
      [createCue(0, 1.5, 'Good evening. And welcome.'), createCue(0.6, 2.8, 'Thank you. It is good.')],
      [
        ['Good evening.', 0, 0.75],
        ['And welcome.', 0.808, 1.5],
        ['Thank you.', 0.808, 1.6],
        ['It is good.', 1.7, 2.8],
      ],
    ],
  ])('%s', (_name, cues, expected) => {
    expect(toTuples(toTimedSentences(cues, 'es'))).toEqual(expected);
  });

  it('start a paragraph after a long pause', () => {
    const timed = toTimedSentences(
      [createCue(0, 1, 'One.'), createCue(1.1, 2, 'Two.'), createCue(4, 5, 'Three.')],
      'en',
    );
    expect(timed.map(({ paragraph }) => paragraph)).toEqual([0, 0, 1]);
  });

  it('are split without full stops', () => {
    const cues = Array.from({ length: 200 }, (_, index) =>
      createCue(index, index + 1, 'and then another word'),
    );
    const timed = toTimedSentences(cues, 'en');
    expect(timed.length).toBeGreaterThan(10);
    expect(Math.max(...timed.map(({ text }) => text.length))).toBeLessThan(330);
  });
});

describe('[CAT-10] a text and its transcript', () => {
  const cues = [
    createCue(1, 2, 'this is the first'),
    createCue(3, 4, 'sentense and the'),
    createCue(5, 6, 'SECOND one'),
  ];
  it('are aligned although the transcript misheard some words', () => {
    const timed = alignSentences(toSentences('This is the first sentence!', 'And the second one.'), cues);
    expect(timed?.map(({ start }) => start)).toEqual([1, expect.any(Number)]);
    expect(timed?.[1]?.start).toBeGreaterThan(3);
    expect(timed?.[1]?.end).toBe(6);
  });

  it('are not aligned when they differ', () => {
    expect(
      alignSentences(toSentences('Nothing of it was ever said aloud.', 'Nor will be.'), cues),
    ).toBeUndefined();
  });

  it('are aligned for 20,000 sentences within the timeout, also those that are not spoken', () => {
    const words = (index: number) =>
      Array.from({ length: 17 }, (_, word) => `w${(17 * index + word) % 4001}`);
    const sentences = toSentences(
      ...Array.from({ length: 20_000 }, (_, index) => `${words(index).join(' ')}.`),
    );
    const cues = sentences.map(({ text }, index) => createCue(index, index + 1, text));
    const spoken = cues.filter((_, index) => index % 100 !== 1);
    expect(toTuples(alignSentences(sentences, spoken))).toEqual(toTuples(cues));
  });
});

describe('[CAT-10] sentences without times', () => {
  it.each<[string, Silence[]]>([
    ['no pauses known', []],
    ['one long silence', [{ start: 0, end: 60 }]],
    [
      'pauses at the ends only',
      [
        { start: 0, end: 1 },
        { start: 59, end: 60 },
      ],
    ],
    [
      'a pause every tenth of a second',
      Array.from({ length: 500 }, (_, n) => ({ start: n / 10, end: n / 10 + 0.05 })),
    ],
  ])('rise and lie within the audio: %s', (_name, silences) => {
    const timed = estimateTimes(
      toSentences(...Array.from({ length: 40 }, (_, n) => `Sentence ${'long '.repeat(n % 7)}.`)),
      silences,
      60,
    );
    expect(timed).toHaveLength(40);
    timed.forEach(({ start, end }, index) => {
      expect(end).toBeGreaterThanOrEqual(start);
      expect(start).toBeGreaterThanOrEqual(timed[index - 1]?.start ?? 0);
      expect(end).toBeLessThanOrEqual(60);
    });
  });

  it('are empty without sentences', () => {
    expect(estimateTimes([], [{ start: 1, end: 2 }], 60)).toEqual([]);
  });

  it('a transcript of 60,000 cues is parsed within the timeout', async () => {
    const at = (second: number) => new Date(second * 1000).toISOString().slice(11, 23);
    const toVtt = (_: unknown, n: number) => `${at(n)} --> ${at(n + 0.9)}\n<i>Line</i> ${n}.\n`;
    const all = ['WEBVTT\n', ...Array.from({ length: 60_000 }, toVtt)].join('\n');
    const cues = await parseTranscript(all, 'vtt');
    expect([cues.length, cues[59_999]]).toEqual([
      60_000,
      { text: 'Line 59999.', start: 59_999, end: 59_999.9 },
    ]);
  });

  it('are computed for 5,000 sentences and 12,000 pauses within the timeout', () => {
    const book = toSentences(
      ...Array.from({ length: 5000 }, (_, n) => `A sentence of some length, number ${n}.`),
    );
    const pauses = Array.from({ length: 12_000 }, (_, n) => ({ start: n * 2.5, end: n * 2.5 + 0.3 }));
    expect(estimateTimes(book, pauses, 30_000)).toHaveLength(5000);
  });

  // Measurements of two narrated articles of the library, whose true times are known.
  const narratedSchema = z.array(
    z.object({
      slug: z.string(),
      duration: z.number(),
      silences: z.array(z.object({ start: z.number(), end: z.number() })),
      sentences: z.array(z.object({ text: z.string(), start: z.number() })),
    }),
  );
  const articles = narratedSchema.parse(
    JSON.parse(readFileSync(new URL('../testing/recordings/narrated.json', import.meta.url), 'utf8')),
  );
  it.each(articles)(
    'start within half a second of the true time for nine in ten of $slug',
    ({ duration, silences, sentences }) => {
      const timed = estimateTimes(toSentences(...sentences.map(({ text }) => text)), silences, duration);
      const near = timed.filter(({ start }, index) => Math.abs(start - (sentences[index]?.start ?? 0)) < 0.5);
      expect(near.length / sentences.length).toBeGreaterThan(0.9);
    },
  );
});

describe('[CAT-10] a text', () => {
  it.each([
    ['abbreviations in numbers', 'It costs 3.50 a piece. Really.', ['It costs 3.50 a piece.', 'Really.']],
    ['line ends within', 'One\nline. And\nanother.', ['One line.', 'And another.']],
    ['nothing', '   ', []],
    [
      'titles',
      'Mr. Smith met Dr. Jones. Sr. García y la Sra. Ruiz.',
      ['Mr. Smith met Dr. Jones.', 'Sr. García y la Sra. Ruiz.'],
    ],
    ['initials', 'By J. R. R. Tolkien. He wrote.', ['By J. R. R. Tolkien.', 'He wrote.']],
    ['an abbreviation at an end', 'Pens, etc. Then I left.', ['Pens, etc.', 'Then I left.']],
    ['a pronoun at an end', 'So do I. Me too.', ['So do I.', 'Me too.']],
    ['an abbreviation at the end of the text', 'Ask Mr.', ['Ask Mr.']],
  ])('is split into sentences: %s', (_name, text, sentences) => {
    expect(splitSentences(text, 'en')).toEqual(sentences);
    expect(splitSentences(text, 'es')).toEqual(sentences);
  });

  it.each([
    ['Let us learn JavaScript: a language of the web.', false],
    ['[Here](javascript:alert)', false],
    ['<a href="javascript:alert(1)">Here</a>', true],
    ['<a href=" JAVASCRIPT:alert(1)', true],
  ])('holds a script: %s', (text, expected) => {
    const reject = () => rejectScripts(text, 'its text');
    if (expected) expect(reject).toThrow('holds a script');
    else expect(reject).not.toThrow();
  });

  it.each([
    [
      'inline marks',
      'Hello **bold** _and_ [linked](http://x.example) `code` &amp; ![a](b.png) end.',
      ['Hello bold and linked code & end.'],
    ],
    ['a list', '- One.\n- Two.', ['One.', 'Two.']],
    ['a list with empty lines', '- One.\n\n- More.', ['One.', 'More.']],
    ['a nested list', '- Fruits\n  - Apple\n  - Pear', ['Fruits', 'Apple', 'Pear']],
    ['a quote of two paragraphs', '> First para.\n>\n> Second para.', ['First para.', 'Second para.']],
    ['a line break in HTML', 'One line<br>two line.', ['One line two line.']],
    ['a table', '| one | *uno* |\n|---|---|\n| two | dos |', ['one uno', 'two dos']],
    ['an empty heading', '##\n\nText.', ['Text.']],
  ])('is converted from Markdown to plain text: %s', (_name, markdown, expected) => {
    const { sentences, chapters } = parseText(parseBlocks(markdown, 'markdown'), 'en');
    expect(sentences.map(({ text }) => text)).toEqual(expected);
    expect(chapters).toEqual([]);
  });

  it('is split into sentences of at most 2,000 characters', () => {
    expect(
      Math.max(...splitSentences('word '.repeat(5000), 'en').map(({ length }) => length)),
    ).toBeLessThanOrEqual(2000);
    expect(splitSentences('x'.repeat(5000), 'en')).toHaveLength(3);
  });
});
