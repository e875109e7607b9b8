import type { errorMessages as en } from './errors-en.ts';

/** Spanish messages by error code. */
export const errorMessages: Record<keyof typeof en, string> = {
  invalid_request: 'Hay algo en la solicitud que no está bien.',
  unauthorized: 'Inicia sesión para continuar.',
  token_expired: 'Tu sesión terminó. Vuelve a iniciar sesión.',
  reauthentication_required: 'Vuelve a iniciar sesión para confirmar que eres tú.',
  operator_plan_ended: 'Tu plan con tu operadora terminó. Renuévalo y vuelve a iniciar sesión.',
  subscription_required: 'Esto requiere una suscripción activa.',
  forbidden: 'No puedes hacer esto.',
  link_expired: 'Este enlace venció.',
  not_found: 'No pudimos encontrarlo.',
  method_not_allowed: 'Esta dirección no admite ese método.',
  conflict: 'Esto cambió en otro lugar mientras tanto.',
  limit_reached: 'No hay espacio para más.',
  payload_too_large: 'Es demasiado grande.',
  unsupported_media_type: 'Este formato no se entiende aquí.',
  range_not_satisfiable: 'Esa parte del archivo no existe.',
  too_many_requests: 'Demasiados intentos. Espera un momento.',
  internal: 'Ocurrió un error inesperado',
  unavailable: 'El servicio no está disponible ahora. Inténtalo de nuevo en un momento.',
};
