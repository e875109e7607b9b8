import type { BrowserContext, Page } from 'playwright-core';

declare global {
  interface Window {
    /** Resolves to the milliseconds from the last click to playing audio. */
    clickToAudioMs?: Promise<number>;
  }
}

/**
 * Measures, in the pages of a context, the time from a click to the start of the sound. The start follows from the
 * position at the first `timeupdate` half a second after it, since a busy page notices it late.
 */
export async function recordClickToAudio(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const play = HTMLMediaElement.prototype.play;
    let clickedAt = 0;
    let resolveTime: (milliseconds: number) => void = () => {};
    addEventListener(
      'click',
      ({ timeStamp }) => {
        clickedAt = timeStamp;
        window.clickToAudioMs = new Promise((resolve) => {
          resolveTime = resolve;
        });
      },
      { capture: true },
    );
    HTMLMediaElement.prototype.play = function (this: HTMLMediaElement) {
      const measureStart = () => {
        const startPosition = this.currentTime;
        const checkPosition = () => {
          const milliseconds = ((this.currentTime - startPosition) / this.playbackRate) * 1000;
          if (this.paused || milliseconds < 500) return;
          this.removeEventListener('timeupdate', checkPosition);
          resolveTime(performance.now() - milliseconds - clickedAt);
        };
        this.addEventListener('timeupdate', checkPosition);
      };
      this.addEventListener('playing', measureStart, { once: true });
      return play.call(this);
    };
  });
}

/** Returns the milliseconds from the last click to playing audio. */
export const getClickToAudio = (page: Page) =>
  page.evaluate(() => window.clickToAudioMs ?? Promise.reject(new Error('no click')));
