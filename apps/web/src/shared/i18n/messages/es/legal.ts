import type { Translation } from '../../translate.ts';
import type { messages as en } from '../en/legal.ts';

export const messages: Translation<typeof en> = {
  legal: {
    lead: 'Estos términos se aplican a quienes usan Escucho con una cuenta propia. Quien llega por un operador móvil encuentra los términos del operador en el menú.',
    title_service: 'Qué incluye',
    text_service:
      'Con un plan puedes escuchar y leer todo en Escucho: artículos, audiolibros y libros visuales, en todos tus dispositivos. Sin un plan, el artículo más reciente y uno de tu nivel son gratis.',
    title_payment: 'Precio y pago',
    text_payment:
      'El precio, el periodo y la prueba gratis, si la hay, se muestran antes de comprar, con lo que se cobra hoy y la fecha del primer cobro. Pagas con tarjeta, al inicio de cada periodo. Durante una prueba gratis no se cobra nada.',
    title_renewal: 'Renovación y cancelación',
    text_renewal:
      'Un plan se renueva al final de cada periodo hasta que lo canceles. Puedes cancelar cuando quieras en Ajustes, en Suscripción; conservas el acceso a todo hasta el final del tiempo que pagaste.',
    title_refund: 'Reembolsos',
    text_refund:
      'Si cobramos algo por error, escríbenos y te lo devolvemos. Los derechos que la ley de tu país te da como consumidor no cambian.',
    title_use: 'Qué puedes hacer con él',
    text_use:
      'Los textos, las voces y las imágenes son para tu propio aprendizaje. No se pueden copiar, vender ni mostrar en público. Un plan es para una persona, en todos los dispositivos que use.',
    title_changes: 'Cambios',
    text_changes:
      'Antes de que cambien los precios o los términos para ti, te escribimos, y puedes cancelar antes de que entren en vigor.',
    title_questions: 'Preguntas',
    text_questions: 'Escribe a {email}.',
    privacyLead: 'Qué sabe Escucho de ti, para qué, y cómo te lo llevas o lo borras.',
    title_stored: 'Qué guardamos',
    text_stored:
      'Tu nombre y tu correo electrónico; lo que escuchas y hasta dónde; tus listas, favoritos, marcadores y ajustes; los dispositivos donde tienes la sesión abierta, y eventos de seguridad como inicios de sesión y cambios de contraseña.',
    title_reason: 'Para qué',
    text_reason:
      'Para que encuentres tu progreso y tus listas en cada dispositivo, y para que nadie más use tu cuenta. No vendemos tus datos ni mostramos publicidad.',
    title_card: 'Tarjetas y pagos',
    text_card:
      'El número de tu tarjeta va solo al proveedor de pagos. Guardamos qué compraste, cuándo y si se pagó.',
    title_others: 'Quién más ve algo',
    text_others:
      'El proveedor de pagos, el proveedor con el que eliges iniciar sesión, como Google o Facebook, y el servicio que entrega nuestros correos: cada uno solo lo que necesita. Si llegas por un operador móvil, este nos dice si tu plan está activo.',
    title_device: 'En tu dispositivo',
    text_device:
      'Tu navegador guarda tu sesión, tus ajustes y lo que aún no se envió, para que Escucho funcione sin conexión. Nada de eso te sigue en otros sitios.',
    title_control: 'Tus datos son tuyos',
    text_control:
      'En Ajustes, en Perfil, puedes descargar todo lo que guardamos sobre ti y eliminar tu cuenta con todo ello. Los recibos se conservan el tiempo que exige la ley.',
  },
};
