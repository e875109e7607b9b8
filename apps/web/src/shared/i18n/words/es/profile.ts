import type { profile as en } from '../en/profile.ts';

export const profile: Record<keyof typeof en, string> = {
  save: 'Guardar',
  saved: 'Guardado',
  failed: 'Tus ajustes no se cargaron.',
  learning: 'Aprendizaje',
  learningLanguage: 'Idioma que aprendes',
  level: 'Tu nivel',
  notChosen: 'Sin elegir',
  english: 'Inglés',
  spanish: 'Español',
  look: 'En este dispositivo',
  lookHint: 'Los dispositivos nuevos empiezan con lo que elijas aquí.',
};
