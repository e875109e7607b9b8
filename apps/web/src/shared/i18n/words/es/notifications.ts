import type { notifications as en } from '../en/notifications.ts';

export const notifications: Record<keyof typeof en, string> = {
  title: 'Notificaciones',
  bell: 'Notificaciones',
  bellNew: 'Notificaciones, hay algo nuevo',
  arrived: 'Notificación nueva: {title}',
  empty: 'Todavía no hay novedades. Aquí aparecerán las historias nuevas y los mensajes.',
  failed: 'Las notificaciones no se cargaron.',
};
