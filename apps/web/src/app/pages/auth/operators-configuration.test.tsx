import { api } from '@escucho/contracts';
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { ana, getCurrentUrl, mockPortal, renderApp } from '#testing/app.tsx';
import { createDeferred } from '#testing/deferred.ts';
import { createToken } from '#testing/identity.ts';
import { mockEndpoint, testConfig } from '#testing/server.ts';

const page = 'https://entel.example/escucho';
// Only Entel is configured, with a tag manager.
testConfig.operators = [{ platform: 'entel', page, tagManagerId: 'GTM-ABC1234' }];

const getFrames = () => [...document.querySelectorAll('iframe')];
beforeEach(() => getFrames().forEach((frame) => void frame.remove()));

it('[AUTH-01] operators that are not configured are listed without a button', async () => {
  await renderApp('/auth/sign-in');
  expect(await screen.findByText('Not set up here: Bitel, CNT, Antel.')).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Sign in with Entel' })).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Sign in with Bitel' })).not.toBeInTheDocument();
});

it('[EXT-04] loads Entel’s tag manager, isolated, once the token has left the address', async () => {
  const user = { ...ana, platform: 'entel', isExternal: true } as const;
  const { promise: pending, resolve: release } = createDeferred();
  mockEndpoint(api.operators.signInThirdParties, { accessToken: createToken(), user }, pending);
  mockPortal(user);
  const urls: string[] = [];
  vi.spyOn(document.body, 'append').mockImplementation((...nodes) => {
    if (nodes.some((node) => node instanceof HTMLIFrameElement)) urls.push(getCurrentUrl());
    return Element.prototype.append.apply(document.body, nodes);
  });
  await renderApp('/auth-external?msfw=a-token-of-entel');
  await waitFor(() => expect(getFrames()).toHaveLength(1));
  const [frame] = getFrames();
  expect(frame).toHaveAttribute('src', '/tag-manager');
  expect(frame).toHaveAttribute('sandbox', 'allow-scripts');
  expect(frame).toHaveProperty('referrerPolicy', 'no-referrer');
  expect(urls).toEqual(['/auth-external']);
  release();
  await waitFor(() => expect(getCurrentUrl()).toBe('/discover'));
});

it('[EXT-04] does not load the tag manager for other operators', async () => {
  mockEndpoint(api.operators.signInThirdParties, 'unavailable');
  await renderApp('/auth-external?msisdn=51930000001');
  await screen.findByRole('alert');
  expect(getFrames()).toEqual([]);
});
