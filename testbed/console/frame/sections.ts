import type { Texts } from '#kit/language.ts'
import { programCommand } from '#scenarios/harness/command-line.ts'

/** The pages of the menu, in its order; the group is the use that they serve. */
export const sections = [
  { name: 'home', path: '/', group: 'show' },
  { name: 'tour', path: '/tour', group: 'show' },
  { name: 'portal', path: '/portal', group: 'show' },
  { name: 'wallets', path: '/wallets', group: 'show' },
  { name: 'relying-party', path: '/relying-party', group: 'show' },
  { name: 'exchanges', path: '/exchanges', group: 'look' },
  { name: 'explain', path: '/explain', group: 'look' },
  { name: 'sessions', path: '/sessions', group: 'look' },
  { name: 'registries', path: '/registries', group: 'look' },
  { name: 'inbox', path: '/inbox', group: 'look' },
  { name: 'conformance', path: '/conformance', group: 'test' },
  { name: 'suites', path: '/suites', group: 'test' },
  { name: 'qr-codes', path: '/qr-codes', group: 'test' },
  { name: 'controls', path: '/controls', group: 'test' },
] as const

export type SectionName = (typeof sections)[number]['name']
export type SectionGroup = (typeof sections)[number]['group']

const english = {
  product: 'LEAR testbed',
  skip: 'Skip to content',
  menu: 'Menu',
  sections: {
    home: 'Home',
    tour: 'Tour',
    portal: 'Issuance portal',
    wallets: 'Wallets',
    'relying-party': 'Relying party',
    exchanges: 'Live exchanges',
    explain: 'Explain',
    sessions: 'Logins',
    registries: 'Registries',
    inbox: 'Inbox',
    conformance: 'Conformance',
    suites: 'Suites',
    'qr-codes': 'Test QR codes',
    controls: 'Clock and faults',
  } satisfies Record<SectionName, string>,
  groups: { show: 'Demo', look: 'Inspect', test: 'Test' } satisfies Record<SectionGroup, string>,
  environment: 'Environment',
  documentation: 'Documentation',
  language: 'Language',
  theme: 'Theme',
  themes: { light: 'Light', dark: 'Dark', system: 'System' },
  copy: 'Copy',
  copied: 'Copied',
  failed: 'This did not work',
  /** A script of the page is missing. */
  incomplete: 'This page did not load completely, so nothing was sent. Reload it.',
  /** What a call says without an answer, and after the session has ended. */
  calls: {
    unreachable: 'No response from the testbed. Check that it is running, then try again.',
    ended: `Your session has ended, for example because the testbed was restarted. Open the console again: ${programCommand} open`,
  },
  /** Labels of a broken rule. */
  refusal: {
    expected: 'Expected',
    found: 'Found',
    rule: 'Rule',
    fix: 'How to fix it',
    paragraph: 'Paragraph',
  },
  back: 'Back',
  /** At an address without a page. */
  unknown: {
    title: 'Page not found',
    text: 'The console has no page at this address.',
    home: 'To the home page',
  },
  closed: {
    title: 'Testbed console',
    unopened: 'Open the console with the link that the testbed prints when it starts.',
    used: 'This link has already been used.',
    otherBrowser: 'For a new link, run this in the folder of the testbed:',
    withoutProgram: 'Or request one without the command line:',
    token: 'control.token of testbed.json',
    address: 'this address',
  },
}

export const frameTexts: Texts<typeof english> = {
  en: english,
  es: {
    product: 'Banco de pruebas LEAR',
    skip: 'Ir al contenido',
    menu: 'Menú',
    sections: {
      home: 'Inicio',
      tour: 'Recorrido',
      portal: 'Portal de emisión',
      wallets: 'Carteras',
      'relying-party': 'Parte usuaria',
      exchanges: 'Intercambios en vivo',
      explain: 'Explicar',
      sessions: 'Inicios de sesión',
      registries: 'Registros',
      inbox: 'Correo',
      conformance: 'Conformidad',
      suites: 'Suites',
      'qr-codes': 'Códigos QR de prueba',
      controls: 'Reloj y fallos',
    },
    groups: { show: 'Demostración', look: 'Inspeccionar', test: 'Probar' },
    environment: 'Entorno',
    documentation: 'Documentación',
    language: 'Idioma',
    theme: 'Tema',
    themes: { light: 'Claro', dark: 'Oscuro', system: 'Sistema' },
    copy: 'Copiar',
    copied: 'Copiado',
    failed: 'No ha funcionado',
    incomplete:
      'Esta página no se ha cargado por completo, así que no se ha enviado nada. Vuelve a cargarla.',
    calls: {
      unreachable:
        'Sin respuesta del banco de pruebas. Comprueba que está en marcha e inténtalo de nuevo.',
      ended: `Tu sesión ha terminado, por ejemplo porque el banco de pruebas se reinició. Vuelve a abrir la consola: ${programCommand} open`,
    },
    refusal: {
      expected: 'Esperado',
      found: 'Encontrado',
      rule: 'Regla',
      fix: 'Cómo corregirlo',
      paragraph: 'Párrafo',
    },
    back: 'Volver',
    unknown: {
      title: 'Página no encontrada',
      text: 'La consola no tiene ninguna página en esta dirección.',
      home: 'Ir al inicio',
    },
    closed: {
      title: 'Consola del banco de pruebas',
      unopened: 'Abre la consola con el enlace que el banco de pruebas muestra al arrancar.',
      used: 'Este enlace ya se ha usado.',
      otherBrowser:
        'Para obtener un enlace nuevo, ejecuta esto en la carpeta del banco de pruebas:',
      withoutProgram: 'O pide uno sin la línea de comandos:',
      token: 'control.token de testbed.json',
      address: 'esta dirección',
    },
  },
}
