import type { books as en } from '../en/books.ts';

export const books: Record<keyof typeof en, string> = {
  title: 'Libros visuales',
  text: 'Libros con ilustraciones, narrados página a página.',
  all: 'Todos los libros visuales',
  page: 'Página {page} de {pages}',
  toPage: 'Página {page}: {title}',
  previous: 'Página anterior',
  next: 'Página siguiente',
  listen: 'Escuchar',
  pause: 'Pausa',
  more: 'Ver más',
  noneTitle: 'Aún no hay libros visuales',
  noneText: 'Los primeros estarán aquí en cuanto se publiquen.',
};
