import type { Texts } from '#kit/language.ts'
import type { KeyOperation } from './write-changes.ts'

/** The texts of the forms that change the registries. Names in braces are values. */
const english = {
  title: 'Make changes: {environment}',
  lead: 'Each form signs transactions and sends them through the public APIs of the registries.',
  register: {
    title: 'Register a DID',
    about: 'The onboarding node of the testbed signs the registration.',
    name: 'Name in the console',
    alsoKnownAs: 'Also known as',
    key: 'Key',
    newKey: 'a new key',
    walletKey: 'the key of the wallet {name}',
    days: 'Validity in days',
    assertionMethod: 'Authorize the key to issue credentials (assertionMethod)',
    submit: 'Register',
  },
  accredit: {
    title: 'Accredit a DID',
    about:
      'The contract rejects an organization without the right to accredit: try it, and the result shows the reason.',
    did: 'DID',
    accreditor: 'Accredited by',
    role: 'Role',
    roles: { TI: 'TI: issues credentials', TAO: 'TAO: accredits issuers' },
    types: 'Credential types, separated by commas',
    submit: 'Accredit',
  },
  revoke: {
    title: 'Revoke an accreditation',
    about:
      'Revocation is permanent. Every credential of the issuer depends on the three seeded accreditations.',
    accreditation: 'Accreditation',
    choose: 'Choose…',
    none: 'There is no active accreditation.',
    submit: 'Revoke permanently',
  },
  keys: {
    title: 'Change the keys',
    about: 'The console registered this DID and holds its key.',
    operation: 'Operation',
    operations: {
      roll: 'Roll: a new key replaces it, and both are valid for one day',
      add: 'Add a new key for assertionMethod',
      expire: 'Expire now',
      revoke: 'Revoke now: the key is compromised',
    } satisfies Record<KeyOperation, string>,
    key: 'Key to change',
    submit: 'Change',
  },
  /** Used by the module. */
  result: {
    working: 'Waiting for the chain…',
    held: 'Waiting for a block: mining is on hold.',
    release: 'Release mining',
    done: 'On the chain.',
    reverted: 'The contract rejected the transaction:',
    block: 'block {block}',
    gas: '{gas} gas',
    did: 'Show the history of the DID',
    privateKey: 'Private key',
    privateKeyAbout: 'Shown only now. The console keeps it in memory until the testbed stops.',
  },
}

export const changesTexts: Texts<typeof english> = {
  en: english,
  es: {
    title: 'Hacer cambios: {environment}',
    lead: 'Cada formulario firma transacciones y las envía por las API públicas de los registros.',
    register: {
      title: 'Dar de alta un DID',
      about: 'El nodo de alta del banco de pruebas firma el alta.',
      name: 'Nombre en la consola',
      alsoKnownAs: 'También conocido como',
      key: 'Clave',
      newKey: 'una clave nueva',
      walletKey: 'la clave de la cartera {name}',
      days: 'Validez en días',
      assertionMethod: 'Autorizar la clave para emitir credenciales (assertionMethod)',
      submit: 'Dar de alta',
    },
    accredit: {
      title: 'Acreditar un DID',
      about:
        'El contrato rechaza a una organización sin derecho a acreditar: pruébalo y verás el motivo en el resultado.',
      did: 'DID',
      accreditor: 'Acreditado por',
      role: 'Función',
      roles: { TI: 'TI: emite credenciales', TAO: 'TAO: acredita emisores' },
      types: 'Tipos de credencial, separados por comas',
      submit: 'Acreditar',
    },
    revoke: {
      title: 'Revocar una acreditación',
      about:
        'La revocación es definitiva. Todas las credenciales del emisor dependen de las tres acreditaciones iniciales.',
      accreditation: 'Acreditación',
      choose: 'Elegir…',
      none: 'No hay ninguna acreditación activa.',
      submit: 'Revocar definitivamente',
    },
    keys: {
      title: 'Cambiar las claves',
      about: 'La consola ha dado de alta este DID y tiene su clave.',
      operation: 'Operación',
      operations: {
        roll: 'Rotar: una clave nueva la sustituye y ambas son válidas durante un día',
        add: 'Añadir una clave nueva para assertionMethod',
        expire: 'Caducar ahora',
        revoke: 'Revocar ahora: la clave está comprometida',
      },
      key: 'Clave que se cambia',
      submit: 'Cambiar',
    },
    result: {
      working: 'Esperando a la cadena de bloques…',
      held: 'Esperando un bloque: la minería está retenida.',
      release: 'Liberar la minería',
      done: 'En la cadena de bloques.',
      reverted: 'El contrato ha rechazado la transacción:',
      block: 'bloque {block}',
      gas: '{gas} de gas',
      did: 'Ver el historial del DID',
      privateKey: 'Clave privada',
      privateKeyAbout:
        'Solo se muestra ahora. La consola la guarda en memoria hasta que se detenga el banco de pruebas.',
    },
  },
}
