import type { Texts } from '#kit/language.ts'
import type { FaultName } from '#kit/runtime.ts'
import type { Failure } from '#services/management/domain/failures.ts'

export type TimeUnit = 'minutes' | 'hours' | 'days'

export interface ControlsTexts {
  readonly lead: string
  readonly foreignChain: string
  readonly clock: {
    readonly title: string
    readonly about: string
    readonly now: string
    readonly real: string
    readonly ahead: (duration: string) => string
    readonly forward: string
    readonly amount: string
    readonly unit: string
    readonly units: Readonly<Record<TimeUnit, string>>
    readonly move: string
    readonly reset: string
    readonly resetAbout: string
  }
  readonly faults: {
    readonly title: string
    readonly about: string
    readonly on: string
    readonly off: string
    readonly start: string
    readonly end: string
    readonly names: Readonly<Record<FaultName, string>>
  }
  readonly management: {
    readonly title: string
    readonly about: string
    readonly foreign: string
    readonly failure: string
    readonly organization: string
    readonly all: string
    readonly seconds: string
    readonly start: string
    readonly end: string
    readonly active: (failure: string, organization: string) => string
    readonly none: string
    readonly names: Readonly<Record<Failure['failure'], string>>
  }
  readonly mining: {
    readonly title: string
    readonly about: string
    readonly auto: string
    readonly manual: string
    readonly interval: (milliseconds: number) => string
    readonly block: (number: number) => string
    readonly hold: string
    readonly release: string
    readonly mine: string
  }
  readonly snapshots: {
    readonly title: string
    readonly about: string
    readonly create: string
    readonly none: string
    readonly name: (time: string) => string
    readonly restore: string
    readonly restoreAbout: string
    readonly remove: string
  }
}

export const controlsTexts: Texts<ControlsTexts> = {
  en: {
    lead: 'Change the conditions under which the services run. A notice on every page shows what is changed and undoes it.',
    foreignChain: 'This environment uses a chain that the testbed does not control.',
    clock: {
      title: 'Clock',
      about: 'Moves the time of all services and chains, for example to let a credential expire.',
      now: 'Time of the testbed',
      real: 'Real time',
      ahead: (duration) => `${duration} ahead`,
      forward: 'Move forward',
      amount: 'Amount',
      unit: 'Unit',
      units: { minutes: 'minutes', hours: 'hours', days: 'days' },
      move: 'Move the clock',
      reset: 'Return to real time',
      resetAbout: 'The time of the chain does not advance until real time has caught up.',
    },
    faults: {
      title: 'Dependency faults',
      about: 'Each fault makes one dependency fail for the services that use it.',
      on: 'On',
      off: 'Off',
      start: 'Switch on',
      end: 'Switch off',
      names: {
        'tir-down': 'The trusted issuers registry does not respond.',
        'tir-slow': 'The trusted issuers registry responds too late.',
        'did-registry-down': 'The DID registry does not respond.',
        'mail-down': 'The mail server accepts no emails.',
        'database-down': 'The databases of the services do not respond.',
        'management-down': 'The management API does not respond.',
        'connector-down': 'The connector does not respond to the issuer.',
        'notification-lost': 'The connector’s notification does not reach the issuer.',
        'verifier-down': 'The verifier does not respond to the identity provider.',
        'chain-down': 'The chain does not respond.',
        'status-list-down': 'The status list of credentials is not available.',
        'api-keys-down': 'The API key service does not respond.',
        'idp-down': 'The identity provider does not respond.',
      },
    },
    management: {
      title: 'Management API',
      about: 'Simulates failures of the API that says what an organization may grant.',
      foreign: 'This environment uses a management API that the testbed does not control.',
      failure: 'Failure',
      organization: 'Organization',
      all: 'All organizations',
      seconds: 'Delay in seconds (late response)',
      start: 'Start the failure',
      end: 'End the failure',
      active: (failure, organization) => `Active: ${failure}. ${organization}.`,
      none: 'No failure',
      names: {
        slow: 'Late response',
        down: 'Closed connection',
        error: 'Error 500',
        'not-found': 'Unknown organization (404)',
        malformed: 'Invalid JSON',
        'wrong-shape': 'Wrong members',
        'wrong-organization': 'Data of another organization',
      },
    },
    mining: {
      title: 'Mining',
      about: 'While mining is on hold, transactions stay pending until you mine a block.',
      auto: 'Transactions are mined when they arrive',
      manual: 'On hold',
      interval: (milliseconds) => `A block every ${milliseconds} ms`,
      block: (number) => `Last block: ${number}`,
      hold: 'Hold',
      release: 'Release',
      mine: 'Mine one block',
    },
    snapshots: {
      title: 'Snapshots',
      about:
        'A snapshot contains the whole state: chains, databases, clock, faults and mining of all environments. It is lost when the testbed stops.',
      create: 'Create a snapshot',
      none: 'No snapshots',
      name: (time) => `State of ${time}`,
      restore: 'Restore',
      restoreAbout: 'Everything that happened since then is lost, including later snapshots.',
      remove: 'Delete',
    },
  },
  es: {
    lead: 'Cambia las condiciones en las que funcionan los servicios. Un aviso en cada página muestra lo que está cambiado y lo deshace.',
    foreignChain: 'Este entorno usa una cadena que el banco de pruebas no controla.',
    clock: {
      title: 'Reloj',
      about:
        'Mueve la hora de todos los servicios y cadenas, por ejemplo para que caduque una credencial.',
      now: 'Hora del banco de pruebas',
      real: 'Hora real',
      ahead: (duration) => `${duration} de adelanto`,
      forward: 'Adelantar',
      amount: 'Cantidad',
      unit: 'Unidad',
      units: { minutes: 'minutos', hours: 'horas', days: 'días' },
      move: 'Mover el reloj',
      reset: 'Volver a la hora real',
      resetAbout: 'La hora de la cadena no avanza hasta que la hora real la alcanza.',
    },
    faults: {
      title: 'Fallos de dependencias',
      about: 'Cada fallo inutiliza una dependencia para los servicios que la usan.',
      on: 'Activo',
      off: 'Inactivo',
      start: 'Activar',
      end: 'Desactivar',
      names: {
        'tir-down': 'El registro de emisores de confianza no responde.',
        'tir-slow': 'El registro de emisores de confianza responde demasiado tarde.',
        'did-registry-down': 'El registro de DID no responde.',
        'mail-down': 'El servidor de correo no acepta mensajes.',
        'database-down': 'Las bases de datos de los servicios no responden.',
        'management-down': 'La API de gestión no responde.',
        'connector-down': 'El conector no responde al emisor.',
        'notification-lost': 'La notificación del conector no llega al emisor.',
        'verifier-down': 'El verificador no responde al proveedor de identidad.',
        'chain-down': 'La cadena no responde.',
        'status-list-down': 'La lista de estado de las credenciales no está disponible.',
        'api-keys-down': 'El servicio de claves de API no responde.',
        'idp-down': 'El proveedor de identidad no responde.',
      },
    },
    management: {
      title: 'API de gestión',
      about: 'Simula fallos de la API que dice qué puede otorgar una organización.',
      foreign: 'Este entorno usa una API de gestión que el banco de pruebas no controla.',
      failure: 'Fallo',
      organization: 'Organización',
      all: 'Todas las organizaciones',
      seconds: 'Retraso en segundos (respuesta tardía)',
      start: 'Activar el fallo',
      end: 'Terminar el fallo',
      active: (failure, organization) => `Activo: ${failure}. ${organization}.`,
      none: 'Sin fallo',
      names: {
        slow: 'Respuesta tardía',
        down: 'Conexión cerrada',
        error: 'Error 500',
        'not-found': 'Organización desconocida (404)',
        malformed: 'JSON no válido',
        'wrong-shape': 'Miembros incorrectos',
        'wrong-organization': 'Datos de otra organización',
      },
    },
    mining: {
      title: 'Minería',
      about:
        'Mientras la minería está retenida, las transacciones esperan hasta que mines un bloque.',
      auto: 'Las transacciones se minan al llegar',
      manual: 'Retenida',
      interval: (milliseconds) => `Un bloque cada ${milliseconds} ms`,
      block: (number) => `Último bloque: ${number}`,
      hold: 'Retener',
      release: 'Reanudar',
      mine: 'Minar un bloque',
    },
    snapshots: {
      title: 'Instantáneas',
      about:
        'Una instantánea contiene todo el estado: cadenas, bases de datos, reloj, fallos y minería de todos los entornos. Se pierde al parar el banco de pruebas.',
      create: 'Crear una instantánea',
      none: 'No hay instantáneas',
      name: (time) => `Estado de ${time}`,
      restore: 'Restaurar',
      restoreAbout: 'Se pierde todo lo que ha pasado desde entonces, también las posteriores.',
      remove: 'Eliminar',
    },
  },
}
