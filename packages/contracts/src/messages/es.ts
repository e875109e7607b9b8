import type { errorMessages as errorsEn, validationMessages as validationEn } from './en.ts';

/** Spanish messages by error code. */
export const errorMessages: Record<keyof typeof errorsEn, string> = {
  invalid_request: 'Hay algo en la solicitud que no está bien.',
  unauthorized: 'Inicia sesión para continuar.',
  token_expired: 'Tu sesión terminó. Vuelve a iniciar sesión.',
  reauthentication_required: 'Vuelve a iniciar sesión para confirmar que eres tú.',
  operator_plan_ended: 'Tu plan con tu operador terminó. Renuévalo y vuelve a iniciar sesión.',
  subscription_required: 'Esto requiere una suscripción activa.',
  forbidden: 'No puedes hacer esto.',
  link_expired: 'Este enlace venció.',
  not_found: 'No pudimos encontrarlo.',
  method_not_allowed: 'Esta dirección no admite ese método.',
  conflict: 'Esto cambió en otro lugar mientras tanto.',
  limit_reached: 'No hay espacio para más. Quita algo antes.',
  payload_too_large: 'Es demasiado grande.',
  unsupported_media_type: 'Este formato no se entiende aquí.',
  precondition_failed: 'El archivo ya no es el mismo.',
  range_not_satisfiable: 'Esa parte del archivo no existe.',
  too_many_requests: 'Demasiados intentos. Espera un momento.',
  internal: 'Ocurrió un error inesperado',
  unavailable: 'El servicio no está disponible ahora. Inténtalo de nuevo en un momento.',
};

/** Spanish messages of field errors. */
export const validationMessages: Record<keyof typeof validationEn, string> = {
  field_invalid: 'Este valor no es válido.',
  field_required: 'Este campo es obligatorio',
  field_too_long: 'Es demasiado largo.',
  field_control_characters: 'No se permiten caracteres de control.',
  playlist_name_characters: 'Solo se permiten letras y números',
  playlist_name_min: 'Debe tener más de 5 caracteres',
  playlist_name_reserved: 'Este nombre está reservado. Elige otro.',
  playlist_limit: 'Ya tienes todas las listas que se pueden tener (500). Elimina una antes.',
  playlist_full: 'Una lista admite como máximo 20 000 pistas.',
  playlist_too_many: 'Como máximo 500 pistas a la vez.',
  playlist_added_and_removed: 'Una pista no se puede agregar y quitar a la vez.',
  first_name_required: 'El nombre es obligatorio',
  last_name_required: 'El apellido es obligatorio',
  name_min: 'El nombre debe tener al menos 2 caracteres',
  name_max: 'El nombre puede tener como máximo 60 caracteres',
  email_required: 'El correo es obligatorio',
  email_invalid: 'Escribe un correo electrónico válido.',
  password_required: 'La contraseña es obligatoria',
  password_length: 'Mínimo 8 caracteres.',
  password_uppercase: 'Debe contener una mayúscula.',
  password_lowercase: 'Debe contener una minúscula.',
  password_numbers: 'Debe contener números.',
  password_spaces: 'Sin espacios al principio ni al final.',
  code_required: 'El código de confirmación es obligatorio.',
  reset_code_required: 'El código de confirmación es obligatorio',
};

/** The messages of error codes and field errors. */
export const es = { ...errorMessages, ...validationMessages };
