import type { operator as en } from '../en/operator.ts';

export const operator: Record<keyof typeof en, string> = {
  title: 'Inicia sesión con tu operador',
  working: 'Iniciando tu sesión con {operator}…',
  dataError: 'No se pudo identificar la plataforma de inicio de sesión.',
  serverError:
    'Lo sentimos, hubo un problema al procesar tu solicitud de autenticación. Vuelve a intentarlo más tarde.',
  unsigned: 'Este enlace no viene de {operator}. Abre Escucho desde la página de tu operador.',
  used: 'Este enlace ya se usó o es demasiado antiguo: cada uno sirve una sola vez, durante unos minutos. Pide uno nuevo a {operator}.',
  unsubscribed: '{operator} indica que este número no tiene una suscripción activa.',
  toOperator: 'Ir a {operator}',
  toSignIn: 'Otras formas de iniciar sesión',
  openInApp: 'Abrir en la aplicación',
  openInAppText:
    'Si tienes la aplicación de Escucho, puedes abrir este enlace en ella. O continúa aquí, en el navegador.',
  continueInBrowser: 'Continuar en el navegador',

  servedBy: 'Servicio de {operator}',
  active: 'Tu suscripción está activa',
  renews: '{operator} la renueva automáticamente hasta que la canceles. Aquí no se cobra nada.',
  lasts: 'Dura lo que dure tu plan con {operator}. Aquí no se cobra nada.',
  ended: 'Tu suscripción terminó',
  endedText: '{operator} nos lo comunicó el {date}. Suscríbete allí de nuevo y todo volverá a sonar.',
  needed: '{operator} indica que tu plan terminó. Suscríbete allí de nuevo y esto sonará.',
  howToCancel: 'Cómo cancelar',
  cancelSalir: 'Envía la palabra SALIR por SMS al {number}.',
  cancelNumber: 'Suscríbete o cancela por SMS al {number}.',
  cancelOperator: 'Cancela con {operator}, de la misma forma en que te suscribiste.',
  readTerms: 'Términos y condiciones',
};
