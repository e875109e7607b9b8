import { waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import type { AudioReport } from './audio-port.ts';
import { createHtmlAudio } from './html-audio.ts';

/** A real media element of the page, whose player is not there: the test sends its events. */
function setUp() {
  const element = document.createElement('audio');
  const play = vi.spyOn(element, 'play').mockResolvedValue();
  vi.spyOn(element, 'load').mockReturnValue();
  vi.spyOn(element, 'pause').mockReturnValue();
  const audio = createHtmlAudio(element);
  const reports: AudioReport[] = [];
  const deafen = audio.listen((report) => reports.push(report));
  const happens = (name: string) => element.dispatchEvent(new Event(name));
  const has = (property: string, value: unknown) =>
    Object.defineProperty(element, property, { value, configurable: true });
  return { element, audio, play, reports, happens, has, deafen };
}

describe('the audio element', () => {
  it('[PLAY-05] begins at the place, once it knows its length', () => {
    const { element, audio, reports, happens } = setUp();
    audio.load('/a.mp3', 42);
    happens('timeupdate');
    expect(element.currentTime).toBe(0);
    expect(audio.position()).toBe(42);
    happens('loadedmetadata');
    expect(element.currentTime).toBe(42);
    expect(reports).toEqual([{ type: 'ready' }]);
  });

  it('a seek before that changes where it begins', () => {
    const { element, audio, happens } = setUp();
    audio.load('/a.mp3', 42);
    audio.seek(70);
    happens('loadedmetadata');
    expect(element.currentTime).toBe(70);
  });

  it('[PLAY-06] a seek after that sets the current time', () => {
    const { element, audio, happens } = setUp();
    audio.load('/a.mp3', 0);
    happens('loadedmetadata');
    audio.seek(33);
    expect(element.currentTime).toBe(33);
  });

  it.each([
    ['playing', { type: 'started' }],
    ['waiting', { type: 'stalled' }],
    ['pause', { type: 'elementPaused' }],
    ['ended', { type: 'ended' }],
    ['timeupdate', { type: 'time', position: 0 }],
  ] as const)('%s is reported', (name, report) => {
    const { reports, happens } = setUp();
    happens(name);
    expect(reports).toEqual([report]);
  });

  it('the pause that comes with the end is not one', () => {
    const { reports, happens, has } = setUp();
    has('ended', true);
    happens('pause');
    happens('ended');
    expect(reports).toEqual([{ type: 'ended' }]);
  });

  it.each([
    [1, []],
    [2, [{ type: 'failed', error: 'network' }]],
    [3, [{ type: 'failed', error: 'unavailable' }]],
    [4, [{ type: 'failed', error: 'unavailable' }]],
  ])('error code %d', (code, expected) => {
    const { reports, happens, has } = setUp();
    has('error', { code });
    happens('error');
    expect(reports).toEqual(expected);
  });

  it('a browser that wants a click first is reported; a play that another load cut short is not', async () => {
    const { audio, play, reports } = setUp();
    play.mockRejectedValueOnce(new DOMException('', 'AbortError'));
    audio.play();
    play.mockRejectedValueOnce(new DOMException('', 'NotAllowedError'));
    audio.play();
    await waitFor(() => expect(reports).toEqual([{ type: 'failed', error: 'blocked' }]));
  });

  it('reports how far it is loaded from where it is', () => {
    const { element, reports, happens, has } = setUp();
    const ranges = [
      [0, 10],
      [30, 80],
    ];
    has('buffered', {
      length: 2,
      start: (at: number) => ranges[at]?.[0],
      end: (at: number) => ranges[at]?.[1],
    });
    for (const at of [5, 40, 20]) {
      element.currentTime = at;
      happens('progress');
    }
    expect(reports).toEqual([10, 80, 20].map((to) => ({ type: 'buffered', to })));
  });

  it('[PLAY-06] keeps speed and pitch over the next load', () => {
    const { element, audio } = setUp();
    audio.setSpeed(1.5);
    audio.setVolume(0.3);
    expect(element).toMatchObject({
      playbackRate: 1.5,
      defaultPlaybackRate: 1.5,
      volume: 0.3,
      preservesPitch: true,
    });
  });

  it('lets go of the audio, and of the listener', () => {
    const { element, audio, reports, happens, deafen } = setUp();
    audio.load('/a.mp3', 0);
    audio.unload();
    expect(element.hasAttribute('src')).toBe(false);
    deafen();
    happens('playing');
    expect(reports).toEqual([]);
  });
});
