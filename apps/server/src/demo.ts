/** The accounts of the embedded default, for whoever tries the product. */
export const demoAccounts = [
  {
    email: 'demo@escucho.test',
    password: 'Escucho2026',
    firstName: 'Demo',
    lastName: 'Lima',
    subscribed: true,
  },
  {
    email: 'free@escucho.test',
    password: 'Escucho2026',
    firstName: 'Free',
    lastName: 'Quito',
    subscribed: false,
  },
] as const;
