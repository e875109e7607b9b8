import type { pages as en } from '../en/pages.ts';

export const pages: Record<keyof typeof en, string> = {
  notFoundTitle: 'No hay nada en esta dirección',
  notFoundText: 'Quizá la página se movió o la dirección tiene un error.',
  toHome: 'Ir a Descubrir',
  settingsTitle: 'Ajustes',
  profile: 'Perfil',
  subscription: 'Suscripción',
  support: 'Ayuda',
  appearance: 'Apariencia',
  dark: 'Oscura',
  light: 'Clara',
  newVersion: 'Hay una versión nueva de Escucho.',
  update: 'Actualizar',
};
