/** A part of the house and the parts that it may import besides itself. */
interface Area {
  readonly name: string
  readonly mayImport: readonly string[]
}

/**
 * The arrows: who may import whom. `services/*` stands for each single service. Whatever is not
 * listed may import everything; nothing but tests and measurements may import `test`.
 */
const areas: readonly Area[] = [
  { name: 'core', mayImport: [] },
  { name: 'services/kit', mayImport: ['core'] },
  { name: 'services/*', mayImport: ['core', 'services/kit'] },
  { name: 'wallet-emulator', mayImport: ['core'] },
  { name: 'scenarios', mayImport: ['core', 'wallet-emulator'] },
  { name: 'conformance', mayImport: ['core', 'wallet-emulator', 'scenarios'] },
  {
    name: 'testbed',
    mayImport: [
      'core',
      'services/kit',
      'services/*',
      'wallet-emulator',
      'scenarios',
      'conformance',
    ],
  },
]

/**
 * The layers of `testbed`, from the bottom up: what is in one imports its own layer and those below.
 * Nothing imports the command line.
 */
const testbedLayers: readonly (readonly string[])[] = [
  ['errors.ts'],
  ['process', 'data-folder'],
  ['chain'],
  ['registries'],
  ['services'],
  ['control'],
  ['console'],
  ['start-testbed.ts', 'runs', 'wallet-server', 'conformance', 'library'],
  ['command-line'],
]

/** The number of the layer that a file of `testbed` is in; -1 for one that is in none. */
export const layerOf = (file: string): number =>
  testbedLayers.findIndex((rooms) => rooms.includes(file.split('/')[1] ?? ''))

/** Folders whose files are held against the rules. */
export const checkedFolders = [
  'core',
  'services',
  'wallet-emulator',
  'scenarios',
  'conformance',
  'testbed',
]

/** What each `#` prefix of package.json stands for. */
export const importPrefixes: Readonly<Record<string, string>> = {
  '#core/': 'core/',
  '#kit/': 'services/kit/',
  '#services/': 'services/',
  '#wallet-emulator/': 'wallet-emulator/',
  '#scenarios/': 'scenarios/',
  '#conformance/': 'conformance/',
  '#testbed/': 'testbed/',
  '#test/': 'test/',
}

/** Modules of Node that compute and touch nothing outside. */
export const pureModules = ['node:buffer', 'node:crypto', 'node:url', 'node:util', 'node:zlib']

/** Packages that reach outside. */
export const impurePackages = [
  'express',
  'hardhat',
  'kysely',
  'nodemailer',
  'oidc-provider',
  'openid-client',
  'pg',
  'pino',
  'puppeteer-core',
  'smtp-server',
]

/** Globals that reach outside or tell the time, with what to do instead. */
export const impureGlobals: Readonly<Record<string, string>> = {
  fetch: 'take a callback that fetches',
  process: 'take the value as an argument',
  console: 'return what is to be said',
  performance: 'take the time as an argument',
  setTimeout: 'leave waiting to the caller',
  setInterval: 'leave waiting to the caller',
  'Date.now': 'take `now` (Unix seconds) as an argument',
  'new Date()': 'take `now` (Unix seconds) as an argument',
  'Math.random': 'take the randomness as an argument',
}

/** The area a file belongs to: `core`, `services/issuer`, `testbed`, … */
export function areaOf(file: string): string {
  const [first = '', second = ''] = file.split('/')
  return first === 'services' ? `services/${second}` : first
}

/** Core and the domain of every service are free of input and output. */
export const isPure = (file: string): boolean =>
  file.startsWith('core/') || /^services\/[^/]+\/domain\//.test(file)

/** Programs that start something, and what stands for one below a test runner, read the environment. */
export const mayReadEnvironment = (file: string): boolean =>
  /(^|\/)main\.ts$/.test(file) || /^testbed\/(command-line|library)\//.test(file)

/** What a service may have on its top level, besides `create-<name>-service.ts`. */
const serviceParts = [
  'main.ts',
  'config.ts',
  'dependencies.ts',
  'errors.ts',
  'tables.ts',
  'routes',
  'operations',
  'domain',
  'adapters',
  'pages',
  'admin',
]

/**
 * The layers of a service, from the bottom up: what is in one imports its own layer and those below.
 * Beside them lie `config.ts`, `dependencies.ts`, `errors.ts` and `tables.ts`, which all may import.
 */
const serviceLayers: readonly (readonly string[])[] = [
  ['domain'],
  ['pages'],
  ['adapters'],
  ['operations'],
  ['routes', 'admin'],
]

/** What speaks HTTP, and is left to the routes. */
const httpModules = ['express', '#kit/define-route.ts', '#kit/register-route.ts']

/** What a route that only translates has no use for: it belongs to an operation or an adapter. */
const storageModules = ['kysely', '#kit/database.ts']

/** Why a file of a service may not import another one of it, or a module; undefined if it may. */
export function findLayerBreach(
  file: string,
  { target, specifier }: { readonly target?: string; readonly specifier: string },
): string | undefined {
  const [folder, service = '', room = ''] = file.split('/')
  if (folder !== 'services' || service === 'kit') return undefined
  const layerOfRoom = (name: string) => serviceLayers.findIndex((rooms) => rooms.includes(name))
  const [, otherService, otherRoom = ''] = target?.split('/') ?? []
  if (otherService === service && layerOfRoom(room) !== -1) {
    if (layerOfRoom(room) < layerOfRoom(otherRoom)) return `${room} imports ${otherRoom}`
  }
  if (['domain', 'operations'].includes(room) && httpModules.includes(specifier)) {
    return `${room} imports ${specifier}: routes translate HTTP`
  }
  return ['routes', 'admin'].includes(room) && storageModules.includes(specifier)
    ? `${room} imports ${specifier}: orchestration belongs into operations`
    : undefined
}

/** What an adapter is, the last word of its name. */
const adapterKinds = [
  'client',
  'clients',
  'contract',
  'outbox',
  'provider',
  'proxy',
  'server',
  'source',
  'store',
]

/** Why a file does not fit into the one shape that all services have; undefined where it fits. */
export function findMisplacement(file: string): string | undefined {
  const [folder, service = '', part = '', name] = file.split('/')
  if (folder !== 'services' || service === 'kit') return undefined
  if (part !== `create-${service}-service.ts` && !serviceParts.includes(part)) {
    return `${part} is no part of a service`
  }
  const kind = name?.replace(/\.ts$/, '').split('-').at(-1) ?? ''
  return part === 'adapters' && !adapterKinds.includes(kind)
    ? `the name of an adapter ends in ${adapterKinds.join(', ')}`
    : undefined
}

/** Whether a file of one area may import a file of another. */
export function mayImport(from: string, to: string): boolean {
  if (from === to) return true
  const matches = (name: string, area: string) =>
    name === area ||
    (name === 'services/*' && area.startsWith('services/') && area !== 'services/kit')
  const rule = areas.find(({ name }) => matches(name, from))
  return rule?.mayImport.some((name) => matches(name, to)) ?? false
}
