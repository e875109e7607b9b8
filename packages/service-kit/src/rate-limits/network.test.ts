import { expect, it } from 'vitest';
import { toNetwork } from './routes.ts';

it.each([
  ['127.0.0.1', 'loopback'],
  ['127.8.8.8', 'loopback'],
  ['::1', 'loopback'],
  ['::ffff:127.0.0.1', 'loopback'],
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:DB8::5', '2001:db8:0:0'],
  ['2001:db8:1::', '2001:db8:1:0'],
  ['::2:3:4:5', '0:0:0:0'],
  ['203.0.113.9:50000', '203.0.113.9'],
  ['[2001:db8:1:2::5]:50000', '2001:db8:1:2'],
  ['[2001:db8:1:2::5]', '2001:db8:1:2'],
  ['127.0.0.1:50000', 'loopback'],
  ['2001:0db8:0001::5', '2001:db8:1:0'],
  ['unknown', 'unknown'],
])('callers at %s are counted as %s', (address, network) => {
  expect(toNetwork(address)).toBe(network);
});
