import type { BrowserContext, Page } from 'playwright-core';

declare global {
  interface Window {
    /** Resolves to the milliseconds from the next click to sound that moves on. */
    clickToSound?: Promise<number>;
  }
}

/** Makes the pages of a context take the time from a click to the first frame in which the audio has moved on. */
export async function timeClicks(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const play = HTMLMediaElement.prototype.play;
    let clicked = 0;
    let settle: (milliseconds: number) => void = () => {};
    addEventListener(
      'click',
      ({ timeStamp }) => {
        clicked = timeStamp;
        window.clickToSound = new Promise((resolve) => {
          settle = resolve;
        });
      },
      { capture: true },
    );
    HTMLMediaElement.prototype.play = function (this: HTMLMediaElement) {
      let place: number | undefined;
      const look = () => {
        place ??= this.currentTime;
        if (!this.paused && this.currentTime > place) settle(performance.now() - clicked);
        else requestAnimationFrame(look);
      };
      this.addEventListener('playing', look, { once: true });
      return play.call(this);
    };
  });
}

/** Milliseconds from the last click to sound. */
export const heardAfter = (page: Page) =>
  page.evaluate(() => window.clickToSound ?? Promise.reject(new Error('no click')));
