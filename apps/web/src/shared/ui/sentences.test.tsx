import { render } from '@testing-library/react';
import { expect, it } from 'vitest';
import { isActiveSentence, Sentences, toParagraphs } from './sentences.tsx';

it('[CAT-04] a new text leaves no sentence that started with another', () => {
  const draw = (...sentences: [text: string, start: number][]) => (
    <Sentences
      sentences={sentences.map(([text, start], paragraph) => ({
        text,
        translation: null,
        start,
        end: start,
        paragraph,
        chapter: null,
        page: null,
      }))}
      position={null}
      onSeek={() => undefined}
    />
  );
  const { container, rerender } = render(draw(['One.', 0], ['Two.', 60], ['Three.', 60]));
  rerender(draw(['Four.', 3]));
  expect(container).toHaveTextContent(/^Four\.$/);
});

it.each([
  [null, false],
  [0.9, false],
  [1, true],
  [1.9, true],
  [2, false],
])('[PLAY-08] at %s a sentence from 1 to 2 s is spoken: %s', (position, spoken) => {
  expect(isActiveSentence({ start: 1, end: 2 }, position)).toBe(spoken);
});

it.each([
  ['a new paragraph', { paragraph: 1 }],
  ['[CAT-04] a new chapter', { paragraph: 0, chapter: 0 }],
  ['[CAT-06] a new page', { paragraph: 0, page: 2 }],
])('toParagraphs starts a paragraph at %s', (_, place) => {
  const start = { paragraph: 0, chapter: null, page: 1 };
  const [one, two, three] = [{ ...start }, { ...start }, { ...start, ...place }];
  expect(toParagraphs([one, two, three])).toEqual([[one, two], [three]]);
});
