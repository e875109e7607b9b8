import type { history as en } from '../en/history.ts';

export const history: Record<keyof typeof en, string> = {
  title: 'Historial',
  empty: 'Aquí aparecerá lo que escuches.',
  failed: 'Tu historial no se cargó.',
  showMore: 'Ver más',
  clear: 'Borrar historial',
  clearTitle: '¿Borrar tu historial?',
  clearText: 'No se puede deshacer. Tu progreso y tus estadísticas se conservan.',
  cleared: 'Tu historial está vacío',
  remove: 'Quitar {title} de tu historial',
  removed: 'Se quitó {title}',
  play: 'Reproducir {title}',
  playLocked: 'Reproducir {title}, requiere suscripción',
  pause: 'Pausar {title}',
};
