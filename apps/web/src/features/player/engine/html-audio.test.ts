import { waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { type AudioReport, createHtmlAudio } from './html-audio.ts';

/** Creates the port of an element that loads nothing; the test dispatches its events. */
function setUp() {
  const element = document.createElement('audio');
  const play = vi.spyOn(element, 'play').mockResolvedValue();
  vi.spyOn(element, 'load').mockReturnValue();
  vi.spyOn(element, 'pause').mockReturnValue();
  const audio = createHtmlAudio(element);
  const reports: AudioReport[] = [];
  const unlisten = audio.listen((report) => reports.push(report));
  const emit = (name: string) => element.dispatchEvent(new Event(name));
  const setProperty = (property: string, value: unknown) =>
    Object.defineProperty(element, property, { value, configurable: true });
  return { element, audio, play, reports, emit, setProperty, unlisten };
}

describe('the audio element', () => {
  it('[PLAY-05] starts at the position once its metadata is loaded', () => {
    const { element, audio, reports, emit } = setUp();
    audio.load('/a.mp3', 42);
    emit('timeupdate');
    expect(element.currentTime).toBe(0);
    expect(audio.position()).toBe(42);
    emit('loadedmetadata');
    expect(element.currentTime).toBe(42);
    expect(reports).toEqual([{ type: 'ready' }]);
  });

  it('a seek before the metadata is loaded changes the start position', () => {
    const { element, audio, emit } = setUp();
    audio.load('/a.mp3', 42);
    audio.seek(70);
    emit('loadedmetadata');
    expect(element.currentTime).toBe(70);
  });

  it('[PLAY-06] a seek after the metadata is loaded sets the current time', () => {
    const { element, audio, emit } = setUp();
    audio.load('/a.mp3', 0);
    emit('loadedmetadata');
    audio.seek(33);
    expect(element.currentTime).toBe(33);
  });

  it('[PLAY-08] reports the position of a seek, which browsers round down', () => {
    const { element, audio, reports, emit } = setUp();
    audio.load('/a.mp3', 8.29);
    emit('loadedmetadata');
    for (const [target, current] of [
      [8.29, 8.289999],
      [16.4, 16.399],
    ] as const) {
      audio.seek(target);
      element.currentTime = current;
      emit('timeupdate');
      expect(reports.at(-1)).toEqual({ type: 'time', position: target });
      expect(audio.position()).toBe(target);
    }
    element.currentTime = 16.42;
    expect(audio.position()).toBe(16.42);
  });

  it.each([
    ['playing', { type: 'started' }],
    ['waiting', { type: 'stalled' }],
    ['pause', { type: 'elementPaused' }],
    ['ended', { type: 'ended' }],
    ['timeupdate', { type: 'time', position: 0 }],
  ] as const)('%s is reported', (name, report) => {
    const { reports, emit, setProperty } = setUp();
    setProperty('paused', name !== 'playing');
    emit(name);
    expect(reports).toEqual([report]);
  });

  it.each([
    ['playing', true],
    ['pause', false],
  ])('%s is not reported where the element has been paused or played since', (name, paused) => {
    const { reports, emit, setProperty } = setUp();
    setProperty('paused', paused);
    emit(name);
    expect(reports).toEqual([]);
  });

  it.each([
    [
      'audio that plays on is reported',
      { readyState: 3, seeking: false, paused: false },
      ['started', 'time'],
    ],
    ['audio without data is not', { readyState: 2, seeking: false, paused: false }, ['time']],
    ['audio that seeks is not', { readyState: 3, seeking: true, paused: false }, ['time']],
    ['paused audio is not', { readyState: 3, seeking: false, paused: true }, ['time']],
  ])('after waiting without playing, %s', (_, properties, expected) => {
    const { reports, emit, setProperty } = setUp();
    emit('timeupdate');
    emit('waiting');
    for (const [name, value] of Object.entries(properties)) setProperty(name, value);
    emit('timeupdate');
    expect(reports.map(({ type }) => type)).toEqual(['time', 'stalled', ...expected]);
  });

  it('the pause at the end is not reported', () => {
    const { reports, emit, setProperty } = setUp();
    setProperty('ended', true);
    emit('pause');
    emit('ended');
    expect(reports).toEqual([{ type: 'ended' }]);
  });

  it.each([
    [1, []],
    [2, [{ type: 'failed', error: 'network' }]],
    [3, [{ type: 'failed', error: 'unavailable' }]],
    [4, [{ type: 'failed', error: 'unavailable' }]],
  ])('error code %d', (code, expected) => {
    const { reports, emit, setProperty } = setUp();
    setProperty('error', { code });
    emit('error');
    expect(reports).toEqual(expected);
  });

  it('reports autoplay blocked by the browser, but not an aborted play', async () => {
    const { audio, play, reports } = setUp();
    play.mockRejectedValueOnce(new DOMException('', 'AbortError'));
    audio.play();
    play.mockRejectedValueOnce(new DOMException('', 'NotAllowedError'));
    audio.play();
    await waitFor(() => expect(reports).toEqual([{ type: 'failed', error: 'blocked' }]));
  });

  it('reports the end of the buffered range at the position', () => {
    const { element, reports, emit, setProperty } = setUp();
    const ranges = [
      [0, 10],
      [30, 80],
    ];
    setProperty('buffered', {
      length: 2,
      start: (at: number) => ranges[at]?.[0],
      end: (at: number) => ranges[at]?.[1],
    });
    for (const at of [5, 40, 20]) {
      element.currentTime = at;
      emit('progress');
    }
    expect(reports).toEqual([10, 80, 20].map((to) => ({ type: 'buffered', to })));
  });

  it('[PLAY-06] sets speed and pitch for the next load too', () => {
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

  it('removes the audio and the listener', () => {
    const { element, audio, reports, emit, unlisten } = setUp();
    audio.load('/a.mp3', 0);
    audio.unload();
    expect(element.hasAttribute('src')).toBe(false);
    unlisten();
    emit('playing');
    expect(reports).toEqual([]);
  });
});
