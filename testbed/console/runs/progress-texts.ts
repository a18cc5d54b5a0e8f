import { taskWords } from '#conformance/targets/adapters/person/tasks.ts'
import type { Texts } from '#kit/language.ts'
import type { Verdict } from '#scenarios/harness/z-results.ts'

/** The texts of the module of a run. */
interface ProgressTexts {
  readonly title: string
  /** With `{done}` and `{total}`. */
  readonly count: string
  readonly starting: string
  readonly stop: string
  readonly stopping: string
  readonly lost: string
  readonly results: string
  readonly nothingYet: string
  readonly showAll: string
  readonly showOpen: string
  readonly noneOpen: string
  readonly underWay: string
  readonly fix: string
  /** By the verb of a question. */
  readonly tasks: typeof taskWords
  /** With `{number}`. */
  readonly step: string
  readonly waiting: string
  readonly waitingAbout: string
  readonly whatDidItDo: string
  readonly pin: string
  readonly code: string
  readonly tooLong: string
  readonly sameDevice: string
  readonly evidence: string
  readonly note: string
  readonly noteAbout: string
  readonly screenshot: string
  readonly screenshotAbout: string
  readonly removeScreenshot: string
  readonly notAnImage: string
  /** With `{minutes}` or `{seconds}`. */
  readonly waitsMinutes: string
  readonly waitsSeconds: string
  readonly personTitle: string
  readonly personAbout: string
  readonly personOpen: string
  readonly verdicts: Readonly<Record<Verdict, string>>
  readonly details: string
  readonly failedStep: string
  readonly expected: string
  readonly found: string
  readonly difference: string
  readonly rules: string
  readonly clauses: string
  readonly inReport: string
}

export const progressTexts: Texts<ProgressTexts> = {
  en: {
    title: 'Progress',
    count: '{done} of {total}',
    starting: 'Starting…',
    stop: 'Stop',
    stopping: 'Stopping…',
    lost: 'The testbed does not respond.',
    results: 'Results',
    nothingYet: 'No results yet',
    showAll: 'All',
    showOpen: 'Not passed',
    noneOpen: 'Everything passed so far.',
    underWay: 'In progress',
    fix: 'How to fix it',
    tasks: taskWords,
    step: 'Step {number}',
    waiting: 'Waiting for the next task',
    waitingAbout: 'It appears here automatically. Keep the wallet ready.',
    whatDidItDo: 'What happened?',
    pin: 'If the wallet asks for a PIN:',
    code: 'QR code with the link for the wallet',
    tooLong: 'The link is too long for a QR code.',
    sameDevice: 'Open in a wallet on this device',
    evidence: 'Add a note or a screenshot',
    note: 'Note',
    noteAbout: 'For example what the wallet said when it refused.',
    screenshot: 'Screenshot',
    screenshotAbout: 'Choose, paste or drop a PNG or JPEG image. It becomes part of the report.',
    removeScreenshot: 'Remove the screenshot',
    notAnImage: 'This file is not a PNG or JPEG image.',
    waitsMinutes: 'The kit waits {minutes} minutes for an answer, then continues without one.',
    waitsSeconds: 'The kit waits {seconds} seconds for an answer, then continues without one.',
    personTitle: 'Set up the wallet',
    personAbout:
      'The wallet must trust the registries of the kit. The tasks appear on this page. A phone that reaches the last address shows the same tasks.',
    personOpen: 'Open the tasks as a separate page',
    verdicts: {
      passed: 'Passed',
      failed: 'Failed',
      warned: 'Warning',
      inconclusive: 'Inconclusive',
      interrupted: 'Interrupted',
      'not-run': 'Not run',
    },
    details: 'Expected, found and rule',
    failedStep: 'Failed at',
    expected: 'Expected',
    found: 'Found',
    difference: 'Difference between expected and found',
    rules: 'Rules',
    clauses: 'Standards',
    inReport: 'See all messages in the report',
  },
  es: {
    title: 'Progreso',
    count: '{done} de {total}',
    starting: 'Arrancando…',
    stop: 'Detener',
    stopping: 'Deteniendo…',
    lost: 'El banco de pruebas no responde.',
    results: 'Resultados',
    nothingYet: 'Todavía no hay resultados',
    showAll: 'Todos',
    showOpen: 'No superados',
    noneOpen: 'Hasta ahora todo es correcto.',
    underWay: 'En curso',
    fix: 'Cómo corregirlo',
    tasks: {
      'accept-offer': {
        title: 'Acepta una credencial',
        about:
          'Escanea el código con la cartera e intenta obtener la credencial, hasta donde la cartera lo permita.',
        answers: {
          accepted: 'Ha aceptado la credencial',
          refused: 'La ha rechazado',
          nothing: 'No ha pasado nada',
          skipped: 'Saltar este paso',
        },
      },
      present: {
        title: 'Presenta una credencial',
        about:
          'Escanea el código con la cartera e intenta presentar una credencial, hasta donde la cartera lo permita.',
        answers: {
          accepted: 'Ha presentado una credencial',
          refused: 'Lo ha rechazado',
          nothing: 'No ha pasado nada',
          skipped: 'Saltar este paso',
        },
      },
      watch: {
        title: 'Mira el verificador',
        about: 'El kit ha enviado una presentación. Mira qué muestra el verificador.',
        answers: {
          accepted: 'Ha aceptado la presentación',
          refused: 'La ha rechazado',
          nothing: 'No ha pasado nada',
          skipped: 'Saltar este paso',
        },
      },
    },
    step: 'Paso {number}',
    waiting: 'Esperando la siguiente tarea',
    waitingAbout: 'Aparece aquí sola. Ten la cartera a mano.',
    whatDidItDo: '¿Qué ha pasado?',
    pin: 'Si la cartera pide un PIN:',
    code: 'Código QR con el enlace para la cartera',
    tooLong: 'El enlace es demasiado largo para un código QR.',
    sameDevice: 'Abrir en una cartera de este dispositivo',
    evidence: 'Añadir una nota o una captura',
    note: 'Nota',
    noteAbout: 'Por ejemplo, qué dijo la cartera al rechazarla.',
    screenshot: 'Captura de pantalla',
    screenshotAbout: 'Elige, pega o suelta una imagen PNG o JPEG. Formará parte del informe.',
    removeScreenshot: 'Quitar la captura',
    notAnImage: 'Este archivo no es una imagen PNG ni JPEG.',
    waitsMinutes: 'El kit espera la respuesta {minutes} minutos; después sigue sin ella.',
    waitsSeconds: 'El kit espera la respuesta {seconds} segundos; después sigue sin ella.',
    personTitle: 'Prepara la cartera',
    personAbout:
      'La cartera debe confiar en los registros del kit. Las tareas aparecen en esta página. Un móvil que alcance la última dirección muestra las mismas tareas.',
    personOpen: 'Abrir las tareas en otra página',
    verdicts: {
      passed: 'Correcta',
      failed: 'Fallida',
      warned: 'Aviso',
      inconclusive: 'Sin resultado',
      interrupted: 'Interrumpida',
      'not-run': 'No ejecutada',
    },
    details: 'Esperado, encontrado y regla',
    failedStep: 'Falló en',
    expected: 'Esperado',
    found: 'Encontrado',
    difference: 'Diferencia entre lo esperado y lo encontrado',
    rules: 'Reglas',
    clauses: 'Normas',
    inReport: 'Ver todos los mensajes en el informe',
  },
}
