import type { ProgressCause } from '@escucho/contracts';
import { describe, expect, it } from 'vitest';
import { createListener } from '../testing/listening.ts';
import { startPortal } from '../testing/portal.ts';

const portal = await startPortal();
const { articleId } = portal;

describe('progress of two devices', () => {
  // The entries of two devices in order of arrival, with the device's sequence number where it matters.
  type DeviceEntry = ['one' | 'two', ProgressCause, position: number, sequence?: number];
  it.each<[string, DeviceEntry[], number]>([
    [
      'the last entry wins',
      [
        ['one', 'tick', 100],
        ['two', 'tick', 200],
        ['one', 'tick', 105],
      ],
      105,
    ],
    [
      'a pause of one does not outweigh playback of the other',
      [
        ['one', 'pause', 300],
        ['two', 'tick', 310],
        ['two', 'tick', 315],
      ],
      315,
    ],
    [
      'a start at 0 does not overwrite the other’s position',
      [
        ['one', 'tick', 600],
        ['two', 'play', 0],
        ['two', 'tick', 4],
      ],
      600,
    ],
    [
      'a start at 0 overwrites it after some seconds of playback',
      [
        ['one', 'tick', 600],
        ['two', 'play', 0],
        ['two', 'tick', 4],
        ['two', 'tick', 8],
      ],
      8,
    ],
    [
      'one plays on after the other seeks to 0',
      [
        ['one', 'tick', 600],
        ['two', 'seek', 0],
        ['one', 'hide', 601],
      ],
      601,
    ],
    [
      'an older entry of a device that was offline is ignored',
      [
        ['one', 'tick', 50, 9],
        ['two', 'pause', 700],
        ['one', 'tick', 40, 8],
      ],
      700,
    ],
    [
      'only the newest entry of a device that was offline counts',
      [
        ['one', 'tick', 50, 7],
        ['two', 'pause', 700],
        ['one', 'pause', 90, 9],
        ['one', 'tick', 60, 8],
      ],
      90,
    ],
    [
      'a track that ended starts at 0 on both',
      [
        ['one', 'tick', 800],
        ['two', 'ended', 1000],
        ['two', 'tick', 3],
      ],
      3,
    ],
    [
      'one plays on after the track ended on the other',
      [
        ['one', 'tick', 800],
        ['two', 'ended', 1000],
        ['one', 'tick', 805],
      ],
      805,
    ],
    [
      'one plays on after the other skips',
      [
        ['one', 'tick', 80],
        ['two', 'skip', 90],
        ['one', 'tick', 85],
      ],
      85,
    ],
    [
      'an older entry that is sent twice is ignored',
      [
        ['one', 'tick', 80, 1],
        ['two', 'tick', 90],
        ['one', 'tick', 80, 1],
      ],
      90,
    ],
    [
      'positions far apart alternate',
      [
        ['one', 'tick', 500],
        ['two', 'tick', 100],
        ['one', 'tick', 505],
        ['two', 'tick', 105],
      ],
      105,
    ],
  ])('[PLAY-05] with two devices, %s', async (_name, entries, expected) => {
    const { device, createDevice, findStarted } = await createListener(portal);
    const devices = { one: device, two: createDevice() };
    for (const [name, cause, position, ...sequence] of entries)
      await devices[name].save('long-walk', position, cause, ...sequence);
    expect((await findStarted()).positions).toEqual([[articleId('long-walk'), expected]]);
  });
});
