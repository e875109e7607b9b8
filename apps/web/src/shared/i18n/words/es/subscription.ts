import type { subscription as en } from '../en/subscription.ts';

export const subscription: Record<keyof typeof en, string> = {
  headline: 'Escúchalo todo',
  lead: 'Esto es para suscriptores. El artículo más reciente puedes oírlo gratis cuantas veces quieras.',
  featureAll: 'Todos los artículos, audiolibros y libros visuales',
  featureText: 'El texto junto a la voz, frase a frase',
  featurePlace: 'Tu punto guardado en todos tus dispositivos',
  soon: 'El pago se abrirá en una próxima versión. Aún no se puede comprar nada ni se cobra nada.',
  close: 'Seguir explorando',
};
