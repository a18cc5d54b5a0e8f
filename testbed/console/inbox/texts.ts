import type { Texts } from '#kit/language.ts'

export interface InboxTexts {
  readonly lead: string
  readonly empty: string
  readonly shown: (first: number, last: number, total: number) => string
  readonly newer: string
  readonly older: string
  readonly server: string
  readonly noSubject: string
  readonly to: string
  readonly from: string
  readonly received: string
  readonly removeAll: string
  readonly removeAllAbout: string
  readonly remove: string
  readonly back: string
  readonly message: string
  readonly plain: string
  readonly noContent: string
  readonly qrCodes: string
  readonly kinds: Readonly<Record<'offer' | 'request' | 'other', string>>
  readonly openInWallet: string
  readonly source: string
  readonly notFound: string
  readonly silent: string
}

export const inboxTexts: Texts<InboxTexts> = {
  en: {
    lead: 'The testbed delivers every email here, for any recipient. Nothing leaves this machine.',
    empty: 'No emails yet. Request a credential for an employee, and the offer arrives here.',
    shown: (first, last, total) => `Emails ${first} to ${last} of ${total}, the newest first`,
    newer: 'Newer',
    older: 'Older',
    server: 'All emails on the mail server',
    noSubject: '(no subject)',
    to: 'To',
    from: 'From',
    received: 'Received',
    removeAll: 'Delete all emails',
    removeAllAbout: 'Deletes every email of the mail server.',
    remove: 'Delete this email',
    back: 'Inbox',
    message: 'Email',
    plain: 'Text',
    noContent: 'The email has no content.',
    qrCodes: 'QR codes in this email',
    kinds: { offer: 'Credential offer', request: 'Presentation request', other: 'Other content' },
    openInWallet: 'Open in wallet',
    source: 'Source',
    notFound: 'There is no such email. It may have been deleted.',
    silent: 'The mail server does not respond.',
  },
  es: {
    lead: 'El banco de pruebas entrega aquí todos los correos, sea quien sea el destinatario. Nada sale de este equipo.',
    empty: 'Todavía no hay correos. Pide una credencial para un empleado y la oferta llegará aquí.',
    shown: (first, last, total) =>
      `Correos ${first} a ${last} de ${total}, los más recientes primero`,
    newer: 'Más recientes',
    older: 'Más antiguos',
    server: 'Todos los correos en el servidor de correo',
    noSubject: '(sin asunto)',
    to: 'Para',
    from: 'De',
    received: 'Recibido',
    removeAll: 'Eliminar todos los correos',
    removeAllAbout: 'Elimina todos los correos del servidor de correo.',
    remove: 'Eliminar este correo',
    back: 'Correo',
    message: 'Mensaje',
    plain: 'Texto',
    noContent: 'El correo no tiene contenido.',
    qrCodes: 'Códigos QR de este correo',
    kinds: {
      offer: 'Oferta de credencial',
      request: 'Petición de presentación',
      other: 'Otro contenido',
    },
    openInWallet: 'Abrir en la cartera',
    source: 'Original',
    notFound: 'No existe ese correo. Puede que se haya eliminado.',
    silent: 'El servidor de correo no responde.',
  },
}
