import type { pages as en } from '../en/pages.ts';

export const pages: Record<keyof typeof en, string> = {
  notFoundTitle: 'No hay nada en esta dirección',
  notFoundText: 'Quizá la página se movió o la dirección tiene un error.',
  toHome: 'Ir a Descubrir',
  soon: 'Se abre en una próxima versión',

  searchTitle: 'Buscar',
  searchText: 'Explora por tema, nivel e idioma, o encuentra una historia por una palabra de su título.',
  searchFor: 'Buscaste «{term}». La búsqueda se abre en una próxima versión.',
  articlesTitle: 'Artículos',
  articlesText: 'Listas por tema, nivel y narrador, y cada artículo con su texto.',
  visualBookTitle: 'Libros ilustrados',
  visualBookText: 'Libros con ilustraciones, narrados página a página.',

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
