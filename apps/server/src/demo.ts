/** The accounts of the embedded default, for whoever tries the product. */
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
