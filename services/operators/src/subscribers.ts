import { type Platform, platforms } from '@escucho/contracts';

/** What a test subscriber is there to show. `unknown`: the operator has never heard of the number. */
export const kinds = ['active', 'expired', 'unknown', 'slow', 'failing'] as const;
export type Kind = (typeof kinds)[number];

/** Somebody whom the simulated operator serves, or does not. */
export interface Subscriber {
  platform: Platform;
  kind: Kind;
  msisdn: string;
  firstName: string;
  lastName: string;
}

/** Numbers of each country that are in nobody's hands; the last digit is the kind's. */
const numbers: Record<Platform, string> = {
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

function subscriber(platform: Platform, kind: Kind): Subscriber {
  const [firstName = '', lastName = ''] = names[platform][kind].split(' ');
  return { platform, kind, msisdn: `${numbers[platform]}${kinds.indexOf(kind) + 1}`, firstName, lastName };
}

/** An operator's test subscribers, one of each kind. */
export const subscribersOf = (platform: Platform): Subscriber[] =>
  kinds.map((kind) => subscriber(platform, kind));

/** The operator of that name in an address. */
export const platformOf = (text: string): Platform | undefined =>
  platforms.find((platform) => platform === text);
