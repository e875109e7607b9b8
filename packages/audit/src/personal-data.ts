import type { Device } from '@escucho/contracts';
import Bowser from 'bowser';
import ipaddr from 'ipaddr.js';

const MAX_DETAIL_LENGTH = 300;
const MAX_USER_AGENT_LENGTH = 300;

/** The browsers that Bowser recognizes. Its map lacks three of its names. */
const knownBrowsers = new Set([
  ...Object.values<string>(Bowser.BROWSER_MAP),
  'Miui',
  'Opera Touch',
  'PlayStation 4',
]);

/** The network that remains of an address, in bits. */
const PREFIX_LENGTHS = { ipv4: 24, ipv6: 48 } as const;

/** Masks an email address: `ana@example.org` becomes `a***@e***`. */
export function maskEmail(email: string): string {
  const [local = '', domain = ''] = email.split('@');
  // Whole characters, also those that take two units of UTF-16.
  const [localStart = ''] = local;
  const [domainStart = ''] = domain;
  return `${localStart}***@${domainStart}***`;
}

/**
 * Parses the IP address of a client. IPv4 in IPv6 is IPv4, and a port is ignored: some load balancers add it to an address
 * in X-Forwarded-For, as `203.0.113.9:50000` and `[2001:db8::1]:50000`. Returns null for anything else.
 */
export function parseAddress(clientAddress: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const address = clientAddress.replace(/^(?:(\d+(?:\.\d+){3})|\[([^\]]*)\])(?::\d+)?$/, '$1$2');
  return ipaddr.isValid(address) ? ipaddr.process(address) : null;
}

/**
 * Shortens an IP address to its network: the /24 of an IPv4 address, the /48 of an IPv6 address. Returns null for anything
 * else. The address may have a port.
 */
export function shortenNetwork(clientAddress: string): string | null {
  const address = parseAddress(clientAddress);
  if (!address) return null;
  const bits = PREFIX_LENGTHS[address.kind()];
  const kind = address.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
  return `${kind.networkAddressFromCIDR(`${address.toString()}/${bits}`).toString()}/${bits}`;
}

/**
 * Returns the names of the browser and the operating system of a User-Agent header, or of the iPhone or iPad; null where
 * either is unknown. Of an unknown browser Bowser returns the client's own text, which must not be shown to the users it
 * attacks.
 */
export function parseDevice(userAgent: string | null | undefined): Device {
  if (!userAgent) return null;
  const { browser, os, platform } = Bowser.parse(userAgent.slice(0, MAX_USER_AGENT_LENGTH));
  if (!browser.name || !knownBrowsers.has(browser.name) || !os.name) return null;
  const system = os.name === 'iOS' ? (platform.model ?? os.name) : os.name;
  return { browser: browser.name.replace(/ for Android$/, ''), system };
}

/** Removes what may be personal or secret from a text: email addresses, and credentials and queries of URLs. */
export const redactText = (text: string): string =>
  text
    .replace(/(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@]*@/gi, '$1')
    .replace(/(\b[a-z][a-z0-9+.-]*:\/\/[^\s?#]*)[?#]\S*/gi, '$1')
    .replace(/[^\s@<>"']+@[^\s@<>"']+/g, maskEmail)
    .replace(/AGE-SECRET-KEY-\S+/gi, '***')
    .slice(0, MAX_DETAIL_LENGTH)
    .replace(/[\p{Cc}\p{Cs}]+/gu, ' ');
