import type { Translation } from '../../translate.ts';
import type { messages as en } from '../en/operators.ts';

export const messages: Translation<typeof en> = {
  operator: {
    title: 'Inicia sesión con tu operador',
    working: 'Iniciando tu sesión con {operator}…',
    dataError: 'No se pudo identificar la plataforma de inicio de sesión.',
    serverError:
      'Lo sentimos, hubo un problema al procesar tu solicitud de autenticación. Vuelve a intentarlo más tarde.',
    linkUnsigned: 'Este enlace no viene de {operator}. Abre Escucho desde la página de tu operador.',
    linkUsed:
      'Este enlace ya se usó o es demasiado antiguo: cada uno sirve una sola vez, durante unos minutos. Pide uno nuevo a {operator}.',
    notSubscribed: '{operator} indica que este número no tiene una suscripción activa.',
    planEnded: 'Tu plan con {operator} terminó.',
    planEndedText:
      'Para seguir escuchando, suscríbete de nuevo con {operator} y abre Escucho desde allí. Para eliminar tu cuenta, abre Escucho también desde allí: no necesitas un plan.',
    deleteAccountText: 'Si ya escuchaste aquí, puedes eliminar tu cuenta sin tener un plan.',
    deleteAccount: 'Eliminar la cuenta',
    deleteAccountTitle: '¿Eliminar tu cuenta?',
    deleteAccountSubtitle:
      'Con ella se van tus listas, tu historial y tu progreso, en todos los dispositivos. Nadie puede recuperarlos.',
    accountDeleted: 'Tu cuenta fue eliminada.',
    noAccount:
      'No encontramos ninguna cuenta con este enlace. Si tienes una, pide un enlace nuevo a {operator} o escríbenos.',
    yourOperator: 'tu operador',
    toOperator: 'Ir a {operator}',
    toSignIn: 'Otras formas de iniciar sesión',
    linkReady: 'Tu enlace de {operator} está listo.',
    openInApp: 'Abrir en la aplicación',
    openInAppText:
      'Si tienes la aplicación de Escucho, puedes abrir este enlace en ella. O continúa aquí, en el navegador.',
    continueInBrowser: 'Continuar en el navegador',

    servedBy: 'Servicio de {operator}',
    active: 'Tu suscripción está activa',
    renews: '{operator} la renueva automáticamente hasta que la canceles. Aquí no se cobra nada.',
    lasts: 'Dura lo que dure tu plan con {operator}. Aquí no se cobra nada.',
    howToCancel: 'Cómo cancelar',
    cancelSalir: 'Envía la palabra SALIR por SMS al {number}.',
    cancelNumber: 'Suscríbete o cancela por SMS al {number}.',
    cancelOperator: 'Cancela con {operator}, de la misma forma en que te suscribiste.',
  },
  terms: {
    lead: 'Estos términos se aplican a quienes llegan a Escucho con su plan de {operator}.',
    serviceTitle: 'Qué incluye',
    service:
      'Más de 50 000 artículos, además de audiolibros y libros visuales, para leer y escuchar en el idioma que aprendes, en cualquier dispositivo con navegador.',
    access:
      'Entras con un enlace de {operator}. Es solo tuyo, sirve una vez y no necesita contraseña. Mientras {operator} nos indique que tu plan está activo, puedes escuchar todo el catálogo.',
    pricesTitle: 'Precios',
    daily: 'Diario',
    weekly: 'Semanal',
    monthly: 'Mensual',
    plusTax: '{price} más impuestos',
    taxIncluded: 'Los impuestos locales están incluidos.',
    taxOnTop: 'Los impuestos se suman al precio.',
    pricesOwn:
      '{operator} te informa del precio de cada plan, impuestos incluidos, antes de que te suscribas. Puede depender de tu línea y de las ofertas del momento.',
    charged:
      'El precio lo cobra {operator}, de tu saldo o en tu factura. Escucho no cobra nada y nunca pide una tarjeta. El uso de datos puede tener el costo que indique la tarifa de tu línea.',
    durationTitle: 'Cuánto dura',
    renews:
      'Tu plan se renueva automáticamente al final de cada periodo, al precio indicado, hasta que lo canceles.',
    lasts:
      'Tu plan dura el periodo que hayas elegido con {operator}. Preguntamos a {operator} si sigue vigente y nos guiamos por su respuesta.',
    afterCancel: 'Puedes cancelar en cualquier momento, sin dar explicaciones.',
    whoTitle: 'Quién puede usarlo',
    who: 'El servicio se ofrece solo en Ecuador. Es para personas adultas, y para menores con el consentimiento de su madre, su padre o su tutor.',
    useTitle: 'Qué puedes hacer con él',
    use: 'Los textos, las voces y las imágenes son para tu propio aprendizaje. No se pueden copiar, vender ni mostrar en público. Una suscripción es para una persona, en todos los dispositivos que use.',
    dataTitle: 'Qué sabemos de ti',
    data: 'Por {operator} sabemos si tu plan está activo y, si nos lo indica, tu nombre y tu correo electrónico. Guardamos lo que escuchas y tus listas para que encuentres de nuevo por dónde ibas. Puedes llevarte una copia, o borrarlo, en tus ajustes.',
    questionsTitle: 'Preguntas y cambios',
    questions:
      'Las preguntas sobre cobros son para {operator}. Cuando cambian los precios o los términos, {operator} te avisa antes de que entren en vigor para ti; si no estás de acuerdo, puedes cancelar en cualquier momento.',
  },
};
