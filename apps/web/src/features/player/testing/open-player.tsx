import { api } from '@escucho/contracts';
import { screen } from '@testing-library/react';
import { Toasts } from '#shared/ui/toast.tsx';
import { mockEndpoint } from '#testing/server.ts';
import { PlayerEffects } from '../effects/player-effects.tsx';
import { buildArticle, buildBookmark, buildTrack } from './fixtures.ts';
import { renderPlaying } from './run-player.tsx';

/** An article with chapters and translations. */
const article = {
  ...buildArticle(1),
  translationLanguage: 'es' as const,
  chapters: [
    { title: 'The harbour', start: 0 },
    { title: 'The boat', start: 10 },
  ],
  sentences: buildArticle(1).sentences.map((sentence) => ({
    ...sentence,
    translation: `≈ ${sentence.text}`,
  })),
};

/** Mocks the text of the playing track, and a bookmark in it. */
export function mockArticle(): void {
  mockEndpoint(api.articles.findArticle, article);
  mockEndpoint(api.bookmarks.findBookmarks, { docs: [buildBookmark(1, 12, 'a boat')] });
}

/** Renders the player with a playing track and clicks buttons by name. */
export async function openPlaying(...presses: (string | RegExp)[]) {
  const { user, ...running } = renderPlaying(
    [buildTrack(1), buildTrack(2)],
    <>
      <PlayerEffects />
      <Toasts />
    </>,
  );
  for (const name of presses) {
    const found = await screen.findAllByRole('button', { name });
    await user.click(found.at(-1) ?? document.body);
  }
  return { ...running, user };
}

/** The name of the button that opens the full player. */
export const openPlayer = /^Open the player/;
