/** The demo accounts of the embedded default. */
export const demoAccounts = [
  {
    email: 'demo@escucho.test',
    password: 'Escucho2026',
    firstName: 'Ana',
    lastName: 'Torres',
    subscribed: true,
  },
  {
    email: 'free@escucho.test',
    password: 'Escucho2026',
    firstName: 'Luis',
    lastName: 'Quispe',
    subscribed: false,
  },
] as const;
