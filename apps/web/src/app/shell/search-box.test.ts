import { expect, it } from 'vitest';
import { getSearchTerm, getSearchUrl } from './search-box.tsx';

it.each([
  ['a word elsewhere', 'lighthouse', '/discover', '/articles/search/lighthouse'],
  ['a word on the search page', 'lighthouse', '/articles/search', '/articles/search/lighthouse'],
  ['another word', 'lighthouses', '/articles/search/lighthouse', '/articles/search/lighthouses'],
  ['a word with space around it', '  la voz ', '/library', '/articles/search/la%20voz'],
  ['an accent', 'árbol', '/discover', '/articles/search/%C3%A1rbol'],
  ['a slash', 'A1/A2', '/discover', '/articles/search/A1%2FA2'],
  ['a question mark and a hash', 'why? #1', '/discover', '/articles/search/why%3F%20%231'],
  ['a percent sign', '100%', '/discover', '/articles/search/100%25'],
  ['a long text', 'x'.repeat(200), '/discover', `/articles/search/${'x'.repeat(120)}`],
  ['half a character', 'a\ud800b', '/discover', '/articles/search/ab'],
  ['an emoji', '🎧', '/discover', '/articles/search/%F0%9F%8E%A7'],
  ['the same word', 'la voz', '/articles/search/la%20voz', null],
  ['the same word with a space typed after it', 'la voz ', '/articles/search/la%20voz', null],
  ['clearing a search', '', '/articles/search/lighthouse', '/articles/search'],
  ['clearing by spaces', '   ', '/articles/search/lighthouse', '/articles/search'],
  ['clearing a search in other letters', '', '/Articles/Search/x', '/articles/search'],
  ['clearing where nothing is looked for', '', '/articles/search', null],
  ['clearing elsewhere', '', '/discover', null],
  ['clearing on another list', '', '/articles/topic/travel', null],
  ['a dot', '.', '/discover', null],
  ['two dots', '..', '/discover', null],
  ['three dots', '...', '/discover', '/articles/search/...'],
])('[SHELL-04] %s', (_title, text, pathname, to) => {
  expect(getSearchUrl(text, pathname)).toBe(to);
});

it.each([
  ['/articles/search/la%20voz', 'la voz'],
  ['/articles/search/x/', 'x'],
  ['/articles/search', ''],
  ['/articles/search/%E0%A4%A', '%E0%A4%A'],
  ['/articles/topic/x', ''],
  ['/discover', ''],
])('[SHELL-04] the box on %s holds “%s”', (pathname, term) => {
  expect(getSearchTerm(pathname)).toBe(term);
});

it.each([
  ['as long as the server accepts', 'x'.repeat(120), 'x'.repeat(120)],
  ['longer', 'x'.repeat(200), 'x'.repeat(120)],
  ['cut within an emoji', `${'x'.repeat(119)}🎧`, 'x'.repeat(119)],
  ['of two lines', 'la\nvoz\n', 'la voz'],
])('[SHELL-04] the box holds what is searched for: a text %s', (_title, text, term) => {
  expect(getSearchTerm(`/articles/search/${encodeURIComponent(text)}`)).toBe(term);
});
