import type { common as en } from '../en/common.ts';

export const common: Record<keyof typeof en, string> = {
  appName: 'Escucho',
  loading: 'Cargando...',
  retry: 'Reintentar',
  close: 'Cerrar',
  cancel: 'Cancelar',
  ok: 'Aceptar',
  undo: 'Deshacer',
  network: 'La red no respondió. Revisa tu conexión e inténtalo de nuevo.',
  failedTitle: 'No se pudo cargar',
  failedText: 'Algo falló en el camino. Tu progreso y tus listas están a salvo.',
  offline: 'No tienes conexión. Lo que tienes abierto sigue funcionando.',
};
