import { api } from '@escucho/contracts';
import { act, fireEvent, screen } from '@testing-library/react';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { useReadingPreferences } from '#shared/preferences.ts';
import { mockEndpoint } from '#testing/server.ts';
import { buildArticle, buildTrack } from '../testing/fixtures.ts';
import { mockArticle, renderPlaying } from '../testing/run-player.tsx';

beforeEach(mockArticle);

const tracks = [buildTrack(1), buildTrack(2), buildTrack(3)];

const button = (name: string | RegExp) => screen.getByRole('button', { name });

describe('the text', () => {
  async function open() {
    const { audio, user } = renderPlaying(tracks);
    await user.click(button(/^Open the player/));
    return { audio, user };
  }
  const sentence = (name: string) => screen.findByRole('button', { name });

  it('[PLAY-08] is shown again where it was shown the last time', async () => {
    onTestFinished(() => act(() => void useReadingPreferences.setState({ isReading: false })));
    const { user } = await open();
    await user.click(await screen.findByRole('button', { name: 'Text of Track 1' }));
    await user.click(button('Close'));
    await user.click(button(/^Open the player/));
    const toggle = await screen.findByRole('button', { name: 'Text of Track 1' });
    expect(toggle).toHaveAttribute('aria-pressed', 'true');
    expect(localStorage.getItem('reading-storage')).toContain('"isReading":true');
  });

  it('[PLAY-08] opens at the current sentence', async () => {
    onTestFinished(() => act(() => void useReadingPreferences.setState({ isReading: false })));
    const scroll = vi.spyOn(Element.prototype, 'scrollIntoView');
    const { audio, user } = await open();
    act(() => audio.advanceTo(12));
    const current = await sentence('A boat came in.');
    scroll.mockClear();
    await user.click(button('Text of Track 1'));
    expect(scroll.mock.contexts).toEqual([current]);
  });

  it('[PLAY-08] highlights the current sentence', async () => {
    const { audio } = await open();
    expect(await sentence('The sea was calm.')).toHaveAttribute('aria-current', 'true');
    act(() => audio.advanceTo(12));
    expect(await sentence('The sea was calm.')).not.toHaveAttribute('aria-current');
    expect(await sentence('A boat came in.')).toHaveAttribute('aria-current', 'true');
  });

  it('[PLAY-08] does not follow the voice while the scrollbar is dragged', async () => {
    const scroll = vi.spyOn(Element.prototype, 'scrollIntoView');
    const { audio, user } = await open();
    const container = (await sentence('The sea was calm.')).closest('section')?.parentElement;
    scroll.mockClear();
    // Browsers dispatch presses on a scrollbar to its container.
    fireEvent.pointerDown(container ?? document, { buttons: 1 });
    act(() => audio.advanceTo(12));
    fireEvent.scroll(container ?? document);
    scroll.mockClear();
    act(() => audio.advanceTo(22));
    expect(scroll).not.toHaveBeenCalled();
    fireEvent.pointerMove(document, { buttons: 0 });
    await user.click(await screen.findByRole('button', { name: 'Back to the voice' }));
    expect(scroll.mock.contexts).toEqual([await sentence('Nobody saw it.')]);
    scroll.mockClear();
    fireEvent.scroll(container ?? document);
    act(() => audio.advanceTo(12));
    expect(scroll.mock.contexts).toEqual([await sentence('A boat came in.')]);
  });

  it('[PLAY-08] a click on a sentence seeks there', async () => {
    const { audio, user } = await open();
    await user.click(await sentence('Nobody saw it.'));
    expect(audio.currentTime).toBe(20);
  });

  it('[PLAY-08] arrow keys move between sentences; Enter and space seek there', async () => {
    const { audio, user } = await open();
    act(() => {
      screen.getByRole('button', { name: 'Close' }).focus();
    });
    (await sentence('The sea was calm.')).focus();
    await user.keyboard('{ArrowDown}{Enter}');
    expect(audio.currentTime).toBe(10);
    await user.keyboard('{ArrowDown} ');
    expect(audio.currentTime).toBe(20);
  });

  it('[CAT-09] shows an error when the text fails to load, with a retry', async () => {
    mockEndpoint(api.catalogue.findArticle, 'unavailable');
    const { user } = await open();
    expect(await screen.findByText('The text did not load.')).toBeInTheDocument();
    mockEndpoint(api.catalogue.findArticle, buildArticle(1));
    await user.click(button('Try again'));
    expect(await sentence('The sea was calm.')).toBeInTheDocument();
  });

  it('[PLAY-08] states that the times are estimated', async () => {
    mockEndpoint(api.catalogue.findArticle, { ...buildArticle(1), estimated: true });
    await open();
    expect(await screen.findByText('The times of the sentences are estimated.')).toBeInTheDocument();
    expect(await sentence('The sea was calm.')).toBeInTheDocument();
  });

  it('states that there is no text', async () => {
    mockEndpoint(api.catalogue.findArticle, { ...buildArticle(1), sentences: [] });
    await open();
    expect(await screen.findByText('This recording has no text.')).toBeInTheDocument();
  });
});
