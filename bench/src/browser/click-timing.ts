import type { BrowserContext, Page } from 'playwright-core';

declare global {
  interface Window {
    /** Resolves to the milliseconds from the last click to playing audio. */
    clickToAudioMs?: Promise<number>;
  }
}

/**
 * Measures, in the pages of a context, the time from a click to the first frame in which the audio position has
 * advanced.
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
      let startPosition: number | undefined;
      const checkPosition = () => {
        startPosition ??= this.currentTime;
        if (!this.paused && this.currentTime > startPosition) resolveTime(performance.now() - clickedAt);
        else requestAnimationFrame(checkPosition);
      };
      this.addEventListener('playing', checkPosition, { once: true });
      return play.call(this);
    };
  });
}

/** Returns the milliseconds from the last click to playing audio. */
export const getClickToAudio = (page: Page) =>
  page.evaluate(() => window.clickToAudioMs ?? Promise.reject(new Error('no click')));
