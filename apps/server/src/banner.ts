import { demoAccounts } from './demo.ts';
import { hasSimulator } from './operators.ts';
import { hasOutbox } from './public-config.ts';
import type { Settings } from './settings.ts';

/** Returns the text printed at start: the URL, demo accounts, and notes. */
export function banner(settings: Settings, notes: readonly string[]): string {
  const accounts = demoAccounts.map(({ email, password, subscribed }) => {
    const plan = subscribed ? 'with a subscription' : 'without one';
    return `    ${email.padEnd(20)} ${password}   ${plan}`;
  });
  const lines = [
    `  Escucho is ready: ${settings.publicUrl}`,
    ...(settings.demo ? ['', ...accounts] : []),
    ...(hasOutbox(settings) ? ['', `  Mail it would have sent: ${settings.publicUrl}/outbox`] : []),
    ...(hasSimulator(settings) ? ['', `  Mobile operators, simulated: ${settings.publicUrl}/operators`] : []),
    ...notes.map((note) => `\n  ${note}`),
  ];
  return `\n${lines.join('\n')}\n`;
}
