import type { validationMessages as en } from './validation-en.ts';

/** Spanish messages of field errors. */
export const validationMessages: Record<keyof typeof en, string> = {
  field_invalid: 'Este valor no es válido.',
  field_required: 'Este campo es obligatorio',
  field_too_long: 'Es demasiado largo.',
  field_control_characters: 'No se permiten caracteres de control.',
  playlist_name_characters: 'Solo se permiten letras y números',
  playlist_name_min: 'Debe tener más de 5 caracteres',
  playlist_name_reserved: 'Este nombre está reservado. Elige otro.',
  playlist_limit: 'Ya tienes todas las listas que se pueden tener (500).',
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
  code_required: 'El código de confirmación es obligatorio.',
  reset_code_required: 'El código de confirmación es obligatorio',
};
