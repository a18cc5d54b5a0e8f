import { posix } from 'node:path'

/** The folders with the code of the product. */
export const productFolders = [
  'core',
  'services',
  'contracts',
  'wallet-emulator',
  'scenarios',
  'conformance',
  'testbed',
  'containers',
] as const

/** A part of the repository and the other parts that it may import. */
interface Area {
  readonly name: string
  readonly mayImport: readonly string[]
}

/**
 * The allowed imports. `services/*` stands for each single service. Parts that are not listed may
 * import everything; only tests and measurements may import `test`.
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
 * The layers of `testbed`, from the bottom up: a file imports its own layer and those below.
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

/** The number of the layer of a file of `testbed`; -1 without a layer. */
export const layerOf = (file: string): number =>
  testbedLayers.findIndex((rooms) => rooms.includes(file.split('/')[1] ?? ''))

/** Folders whose files must follow the rules. */
export const checkedFolders = [
  'core',
  'services',
  'wallet-emulator',
  'scenarios',
  'conformance',
  'testbed',
]

/** The folder of each `#` prefix in package.json. */
const importPrefixes: Readonly<Record<string, string>> = {
  '#core/': 'core/',
  '#kit/': 'services/kit/',
  '#services/': 'services/',
  '#wallet-emulator/': 'wallet-emulator/',
  '#scenarios/': 'scenarios/',
  '#conformance/': 'conformance/',
  '#testbed/': 'testbed/',
  '#test/': 'test/',
}

/** The file of a relative or `#` import; undefined for a package. */
export function resolveImport(file: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(file), specifier)
  const prefix = Object.keys(importPrefixes).find((each) => specifier.startsWith(each))
  return prefix && `${importPrefixes[prefix]}${specifier.slice(prefix.length)}`
}

/** Parts whose folders import each other by their `#` name, as parts do. */
const partsOfFolders = ['core', 'scenarios', 'testbed']

/**
 * Whether a file imports its own folder by a relative path, and other folders by their `#` name. A
 * folder is a part, or a folder in one of {@link partsOfFolders}. A file directly in one of these
 * imports the part's folders by a relative path too.
 */
export function hasUsualForm(file: string, specifier: string, target: string): boolean {
  const [part = '', folder, name] = file.split('/')
  const isOwn = !partsOfFolders.includes(part) || target.startsWith(`${part}/${folder}/`)
  return specifier.startsWith('.') === (isOwn || name === undefined)
}

/** Modules of Node that compute without side effects. */
export const pureModules = ['node:buffer', 'node:crypto', 'node:url', 'node:util', 'node:zlib']

/** Packages that do input or output. */
export const impurePackages = [
  '@nomicfoundation/edr',
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

/** Globals that do input or output or read the time, with what to do instead. */
export const impureGlobals: Readonly<Record<string, string>> = {
  fetch: 'take a callback that fetches',
  process: 'take the value as an argument',
  console: 'return the text',
  performance: 'take the time as an argument',
  setTimeout: 'let the caller wait',
  setInterval: 'let the caller wait',
  'Date.now': 'take `now` (Unix seconds) as an argument',
  'new Date()': 'take `now` (Unix seconds) as an argument',
  'Math.random': 'take the randomness as an argument',
}

/** The area of a file: `core`, `services/issuer`, `testbed`, … */
export function areaOf(file: string): string {
  const [first = '', second = ''] = file.split('/')
  return first === 'services' ? `services/${second}` : first
}

/** Core and the domain of every service do no input and output. */
export const isPure = (file: string): boolean =>
  file.startsWith('core/') || /^services\/[^/]+\/domain\//.test(file)

/** Programs that start something read the environment, and their replacements in tests. */
export const mayReadEnvironment = (file: string): boolean =>
  /(^|\/)main\.ts$/.test(file) || /^testbed\/(command-line|library)\//.test(file)

/** The allowed names at the top level of a service, in addition to `create-<name>-service.ts`. */
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
 * The layers of a service, from the bottom up: a file imports its own layer and those below. Every
 * layer may import `config.ts`, `dependencies.ts`, `errors.ts` and `tables.ts`.
 */
const serviceLayers: readonly (readonly string[])[] = [
  ['domain'],
  ['pages'],
  ['adapters'],
  ['operations'],
  ['routes', 'admin'],
]

/** HTTP modules, which only routes may import. */
const httpModules = ['express', '#kit/define-route.ts', '#kit/register-route.ts']

/**
 * Modules that a route, which only translates, must not import: they belong to an operation or an
 * adapter.
 */
const storageModules = ['kysely', '#kit/database.ts']

/** Why a file of a service may not import another file or a module; undefined if it may. */
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
    return `${room} imports ${specifier}: only routes translate HTTP`
  }
  return ['routes', 'admin'].includes(room) && storageModules.includes(specifier)
    ? `${room} imports ${specifier}: orchestration belongs in operations`
    : undefined
}

/** The kind of an adapter, the last word of its name. */
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

/** Why a file does not match the shape of a service; undefined if it does. */
export function findMisplacement(file: string): string | undefined {
  const [folder, service = '', part = '', name] = file.split('/')
  if (folder !== 'services' || service === 'kit') return undefined
  if (part !== `create-${service}-service.ts` && !serviceParts.includes(part)) {
    return `${part} is not a part of a service`
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
