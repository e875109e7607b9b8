import { api, type Track } from '@escucho/contracts';
import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { PlayerBar } from '#features/player/components/player-bar.tsx';
import { usePlayer } from '#features/player/engine/store.ts';
import { NextTrack, play, switchListeningUser } from '#features/player/player.ts';
import {
  buildArticle,
  buildEntry,
  buildTrack,
  latestSource,
  listSource,
  toId,
} from '#features/player/testing/fixtures.ts';
import { renderPlayer, runPlayer } from '#features/player/testing/run-player.tsx';
import { buildSystemPlaylist } from '#testing/builders.ts';
import { mockEndpoint } from '#testing/server.ts';
import { Suggestion } from './suggestion.tsx';

const latest = buildSystemPlaylist(901, latestSource.name);

beforeEach(() => {
  // Discover clears the player of another user; nobody is signed in here.
  switchListeningUser('');
  mockEndpoint(api.catalogue.findArticle, buildArticle(1));
  mockEndpoint(api.bookmarks.findBookmarks, { docs: [] });
});

/** Plays the only track of a queue to its end. */
function playToEnd(related: Track[], { isSubscribed = true, discover = [] as Track[] } = {}) {
  const played = { ...buildEntry(2), listenedAt: '2026-11-01T00:00:00.000Z' };
  mockEndpoint(api.listening.findHistory, { docs: [played], totalDocs: 1 });
  mockEndpoint(api.catalogue.readArticle, { article: buildArticle(1), track: buildTrack(1), related });
  mockEndpoint(api.catalogue.discover, {
    continueListening: [],
    rows: [{ playlist: latest, tracks: discover }],
  });
  const { audio } = runPlayer({ isSubscribed: () => isSubscribed });
  const user = renderPlayer(
    <NextTrack value={Suggestion}>
      <PlayerBar />
    </NextTrack>,
  );
  act(() => {
    play(isSubscribed ? listSource : { name: 'Track 1', playlist: null }, [buildTrack(1)], 0);
    audio.startPlaying();
  });
  expect(screen.queryByRole('region', { name: 'Listen next' })).toBeNull();
  act(() => audio.emit({ type: 'ended' }));
  return user;
}

const findNext = async () => within(await screen.findByRole('region', { name: 'Listen next' }));

it('at the end of the queue offers what is like it and new, and plays it', async () => {
  const user = playToEnd([buildTrack(2), buildTrack(3)]);
  await user.click((await findNext()).getByRole('button', { name: 'Play Track 3' }));
  await waitFor(() => expect(usePlayer.getState().activeTrack?._id).toBe(toId(3)));
  expect(screen.queryByRole('region', { name: 'Listen next' })).toBeNull();
});

it('offers what is new on Discover before what is like it and was played', async () => {
  playToEnd([buildTrack(2)], { discover: [buildTrack(4)] });
  const button = (await findNext()).findByRole('button', { name: 'Play Track 4' });
  expect(await button).toBeInTheDocument();
});

it('[PLAY-04] offers users without a subscription what they may play, from its list', async () => {
  const user = playToEnd([buildTrack(3, { url: null })], { isSubscribed: false, discover: [buildTrack(4)] });
  const button = (await findNext()).findByRole('button', { name: 'Play Track 4' });
  await user.click(await button);
  await waitFor(() =>
    expect(usePlayer.getState().activeTrack).toMatchObject({ _id: toId(4), playlist: latest._id }),
  );
});

it('[PLAY-04] offers what needs a subscription where nothing else is left', async () => {
  playToEnd([buildTrack(3, { url: null })], { isSubscribed: false });
  const button = (await findNext()).getByRole('button', { name: 'Play Track 3, needs a subscription' });
  expect(button).toBeInTheDocument();
});
