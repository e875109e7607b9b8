import { describe, expect, it } from 'vitest';
import { isPublicAddress } from './downloader.ts';

describe('isPublicAddress', () => {
  const publicAddresses = ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'];
  const privateAddresses = [
    '127.0.0.1',
    '127.9.9.9',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    'fe80::1',
    'fd00::1',
    'x',
    '::ffff:10.0.0.1',
    '64:ff9b::7f00:1',
  ];
  it.each([...publicAddresses, ...privateAddresses])('classifies %s as public or private', (address) => {
    expect(isPublicAddress(address)).toBe(publicAddresses.includes(address));
  });
});
