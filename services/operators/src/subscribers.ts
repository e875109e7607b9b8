import type { Platform } from '@escucho/contracts';

/** The cases that test subscribers demonstrate; an `unknown` one is not a customer of the operator. */
export const kinds = ['active', 'expired', 'unknown', 'slow', 'failing'] as const;
export type Kind = (typeof kinds)[number];

/** A test subscriber of a simulated operator. */
export interface Subscriber {
  platform: Platform;
  kind: Kind;
  msisdn: string;
  firstName: string;
  lastName: string;
}

/** Prefixes of unassigned numbers; the last digit is the kind. */
const numberPrefixes: Record<Platform, string> = {
  bitel: '5193000000',
  entel: '5194000000',
  cnt: '59399000000',
  antel: '5989900000',
};

const names: Record<Platform, Record<Kind, string>> = {
  bitel: {
    active: 'Rosa Huamán',
    expired: 'Iván Rojas',
    unknown: 'Nadie Conocido',
    slow: 'Julia Mendoza',
    failing: 'Óscar Paz',
  },
  entel: {
    active: 'Diego Salas',
    expired: 'Carla Vidal',
    unknown: 'Nadie Conocido',
    slow: 'Hugo Linares',
    failing: 'Mónica Ríos',
  },
  cnt: {
    active: 'Valeria Andrade',
    expired: 'Pablo Cevallos',
    unknown: 'Nadie Conocido',
    slow: 'Elena Yánez',
    failing: 'Tomás Loor',
  },
  antel: {
    active: 'Martín Pereira',
    expired: 'Sofía Cabrera',
    unknown: 'Nadie Conocido',
    slow: 'Raúl Techera',
    failing: 'Inés Olivera',
  },
};

function createSubscriber(platform: Platform, kind: Kind): Subscriber {
  const [firstName = '', lastName = ''] = names[platform][kind].split(' ');
  return {
    platform,
    kind,
    msisdn: `${numberPrefixes[platform]}${kinds.indexOf(kind) + 1}`,
    firstName,
    lastName,
  };
}

/** Returns an operator's test subscribers, one of each kind. */
export const getSubscribers = (platform: Platform): Subscriber[] =>
  kinds.map((kind) => createSubscriber(platform, kind));
