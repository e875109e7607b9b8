import type { figures as en } from '../en/figures.ts';

export const figures: Record<keyof typeof en, string> = {
  title: 'Tu tiempo de escucha',
  week: 'en los últimos 7 días',
  row_one: 'día seguido',
  row_other: 'días seguidos',
  finished_one: 'pieza terminada',
  finished_other: 'piezas terminadas',
  keep_one: 'Escucha hoy y serán dos días seguidos.',
  keep_other: 'Escucha hoy para mantener tus {n} días seguidos.',
  chart: 'Minutos al día, los últimos 30 días',
  day: 'Día',
  listened: 'Escuchado',
  today: 'Hoy',
  silent: 'nada',
  emptyTitle: 'Tus primeros minutos te esperan',
  emptyText: 'Escucha algo hoy y aquí empezarán tus días seguidos.',
  emptyAction: 'Buscar algo que oír',
  failed: 'Tus estadísticas no se cargaron.',
};
