import { isTestbedError, type TestbedError } from '#core/errors/testbed-error.ts'
import { describeFileError } from '#kit/files.ts'
import { createLog, type Log } from '#kit/log.ts'
import { isHostName } from '#kit/origins.ts'
import type { Runtime } from '#kit/runtime.ts'
import type { Hop } from '#kit/traces.ts'
import { isPostgresUrl, zBaseUrl } from '#kit/z-fields.ts'
import type { TestbedFile } from '#scenarios/harness/z-testbed-file.ts'
import { createLazyConsole } from './console/create-lazy-console.ts'
import { createConsoleSessions } from './control/authentication.ts'
import { createSnapshotStore } from './control/create-snapshot-store.ts'
import { type FolderLock, lockDataFolder } from './data-folder/lock-data-folder.ts'
import type { DatabaseLock } from './data-folder/lock-database.ts'
import { type Manifest, openManifest } from './data-folder/manifest.ts'
import { openSecrets } from './data-folder/secrets.ts'
import { fileRefused, tooFewFiles, unfitOptions } from './errors.ts'
import { installMovableClock } from './process/clock.ts'
import { createFaultSwitchboard } from './process/faults.ts'
import {
  cannotListen,
  createPublicUrl,
  type Listener,
  listen,
  localHostOf,
} from './process/listen.ts'
import { portOfPart } from './process/ports.ts'
import {
  createGate,
  createKeeperRegistry,
  createProcessState,
  isInsideRequest,
} from './process/process-state.ts'
import { canOpenFiles, createResources, type Resources } from './process/resources.ts'
import { createTraceBuffer } from './process/traces.ts'
import { type Address, checkHealth, listAddresses } from './services/addresses.ts'
import type { Shared } from './services/host-services.ts'
import {
  databaseUrlOf,
  type ResolvedOptions,
  resolveOptions,
  stateFolderOf,
  type TestbedOptions,
} from './services/options.ts'
import { type RunningEnvironment, startEnvironment } from './services/start-environment.ts'
import { describeEnvironment, writeTestbedFile } from './services/testbed-file.ts'

/**
 * Starts the mail server that all environments share; resolves with its SMTP address.
 * @throws TestbedError `port_taken`
 */
async function startMail(
  listener: Listener,
  baseUrl: string,
  { options, runtime, resources, gate }: Omit<Shared, 'smtpUrl'>,
): Promise<string> {
  const { portBase, bind, settings } = options
  const { createMailService } = await import('#services/mail/create-mail-service.ts')
  const smtpPort = portOfPart(portBase, 'smtp')
  const databaseUrl = databaseUrlOf(options, 'mail')
  const config = { baseUrl, smtpHost: bind, smtpPort, databaseUrl, ...settings.mail }
  const mail = await createMailService(config, runtime).catch((error) => {
    throw error?.code === 'EADDRINUSE'
      ? cannotListen(smtpPort, 'the mail server (SMTP)', error)
      : error
  })
  resources.add('services', () => mail.close())
  listener.serve(gate.guard(mail.app))
  return `smtp://${localHostOf(bind)}:${new URL(mail.smtpUrl).port}`
}

/** A running testbed: every service healthy, the accreditations written to the chain. */
export interface Testbed {
  /** The content of `testbed.json`. */
  readonly file: TestbedFile
  readonly addresses: readonly Address[]
  /** The recorded hops with an id above `since`, in the form of the control interface. */
  readTraces(since: number): Promise<readonly Hop[]>
  /** Creates an address that opens the console once. */
  createConsoleLink(path?: string): string
  /** Resolves with the cause if a part ends unexpectedly. */
  readonly broken: Promise<TestbedError>
  /** Stops everything and frees the ports. Can be called twice. */
  close(): Promise<void>
}

function refuseCombination(options: TestbedOptions): void {
  const { databaseUrl, environments, chainRpcUrl, mining, openRpc } = options
  const wrongHost = options.allowedHosts?.find((name) => !isHostName(name))
  if (wrongHost !== undefined) {
    const hint = 'Use names such as testbed.example, without scheme and path.'
    throw unfitOptions(`--allowed-hosts contains "${wrongHost}", which is not a host name.`, hint)
  }
  if (chainRpcUrl !== undefined && !zBaseUrl.safeParse(chainRpcUrl).success) {
    const hint = 'Use the http or https address of an Ethereum JSON-RPC endpoint.'
    throw unfitOptions('--chain-rpc is not a valid address.', hint)
  }
  // No error repeats the URL, which may contain a password.
  if (databaseUrl !== undefined && !isPostgresUrl(databaseUrl)) {
    const hint = 'Use an address such as postgres://USER:PASSWORD@HOST/DATABASE.'
    throw unfitOptions('--database-url is not a valid address of a PostgreSQL database.', hint)
  }
  if (databaseUrl !== undefined && environments && environments.length > 1) {
    const hint = 'Omit --database-url, or start one environment at a time.'
    throw unfitOptions('One PostgreSQL database holds one environment.', hint)
  }
  if (chainRpcUrl !== undefined && openRpc) {
    const hint = 'Omit --open-rpc or --chain-rpc.'
    throw unfitOptions(
      'The chain at --chain-rpc controls access to its own RPC, so --open-rpc has no effect.',
      hint,
    )
  }
  if (chainRpcUrl !== undefined && mining !== undefined) {
    const hint = 'Omit --mining or --chain-rpc.'
    throw unfitOptions(
      'The chain at --chain-rpc controls its own mining, so --mining has no effect.',
      hint,
    )
  }
}

/** Names the file that could not be read or written, and suggests a solution. */
function explainFileError(error: unknown): unknown {
  const { code, path } = (error ?? {}) as NodeJS.ErrnoException
  if (isTestbedError(error) || code === undefined || path === undefined) return error
  return fileRefused(error as NodeJS.ErrnoException, describeFileError(error) ?? code)
}

const folderDeleted =
  'The data folder was deleted. The testbed still works, but loses everything when it stops. Stop it and start it again.'

/** The same port on this machine: a public address may not be reachable from here. */
const localOrigin = (bind: string, url: string) =>
  `http://${localHostOf(bind)}:${new URL(url).port}`

/** What every step of a start uses. */
interface StartContext {
  readonly options: ResolvedOptions
  readonly publicUrl: Shared['publicUrl']
  readonly startedAt: string
  readonly log: Log
  readonly resources: Resources
}

/** Takes the data folder and the database of a testbed, so that no other one can use them. */
async function takeState({ options, startedAt, log, resources }: StartContext) {
  const { dataFolder, databaseUrl } = options
  const folder = stateFolderOf(options)
  let manifest: Manifest | undefined
  let lock: FolderLock | undefined
  if (dataFolder !== undefined) {
    const held = lockDataFolder(dataFolder, () => log.error({ dataFolder }, folderDeleted))
    lock = held
    resources.add('process', () => {
      try {
        // Otherwise the folder has no other files, or those of another testbed.
        if (held.isHeld()) manifest?.close()
      } finally {
        held.release()
      }
    })
  }
  if (folder !== undefined) manifest = openManifest(folder, options)
  let database: DatabaseLock | undefined
  if (databaseUrl !== undefined) {
    const { lockDatabase } = await import('./data-folder/lock-database.ts')
    const folderId = manifest?.id
    database = await lockDatabase(databaseUrl, { dataFolder: folder, folderId, startedAt, log })
    resources.add('process', database.release)
    manifest?.checkDatabase(database.owner)
  }
  return { folder, manifest, lock, database }
}

/** Opens the ports of console and mail server, and what all parts of this process share. */
async function openShared(
  { options, publicUrl, log, resources }: StartContext,
  folder: string | undefined,
) {
  const { portBase, bind } = options
  const clock = installMovableClock()
  resources.add('process', clock.uninstall)
  const traces = createTraceBuffer()
  const keepers = createKeeperRegistry()
  const secrets = openSecrets({
    ...(folder !== undefined && { folder }),
    ...(options.seed !== undefined && { seed: options.seed }),
  })
  // The seed must be on disk before the chain contains DIDs derived from it.
  secrets.save()

  const openPart = async (part: 'console' | 'mail') => {
    const listener = await listen(bind, portOfPart(portBase, part), `the ${part}`)
    resources.add('listeners', listener.close)
    return listener
  }
  const [consoleListener, mailListener] = await Promise.all([openPart('console'), openPart('mail')])
  const consoleUrl = publicUrl(consoleListener.port)
  const runtime: Runtime = {
    clock,
    log,
    traces,
    faults: createFaultSwitchboard(),
    snapshots: keepers,
    allowedHosts: options.allowedHosts,
    consoleUrl,
  }
  const { documentationPath, findDocumentation } = await import('./console/frame/documentation.ts')
  const parts: Omit<Shared, 'smtpUrl'> = {
    options,
    secrets,
    clock,
    runtime,
    resources,
    gate: createGate(isInsideRequest),
    publicUrl,
    consoleUrl,
    documentationUrl: findDocumentation() && `${consoleUrl}${documentationPath}`,
  }
  const mailUrl = publicUrl(mailListener.port)
  return { parts, traces, keepers, consoleListener, mailListener, mailUrl }
}

type OpenedShared = Awaited<ReturnType<typeof openShared>>

/** Starts the environments and, at the same time, the mail server. */
async function startEnvironments({ parts, traces, mailListener, mailUrl }: OpenedShared) {
  // Nothing is awaited until the environments have started: their chains would wait for the modules
  // of the mail server.
  const smtpUrl = startMail(mailListener, mailUrl, parts)
  smtpUrl.catch(() => {})
  const { environments } = parts.options
  const starting = environments.map((each) => startEnvironment(each, { ...parts, smtpUrl }))
  // Everything must have settled before anything is closed.
  await Promise.allSettled(starting)
  const running = await Promise.all(starting)
  traces.onFollowed((isFollowed) => {
    for (const { followHops } of running) followHops(isFollowed).catch(() => {})
  })
  return { running, smtpUrl: await smtpUrl }
}

interface ConsoleParts {
  readonly running: readonly RunningEnvironment[]
  readonly addresses: readonly Address[]
  readonly folder: string | undefined
  readonly testbedFile: () => TestbedFile
}

/** Serves the console, with sessions that `testbed open` creates. */
function serveConsole(
  { parts, traces, keepers, consoleListener, mailUrl }: OpenedShared,
  { running, addresses, folder, testbedFile }: ConsoleParts,
) {
  const { options, gate, clock, runtime, resources, consoleUrl, secrets } = parts
  const states = [createProcessState(gate, keepers), ...running.flatMap((each) => each.states)]
  const sessions = createConsoleSessions(consoleUrl)
  const service = createLazyConsole(gate, {
    environments: running,
    addresses,
    clock,
    traces,
    snapshots: createSnapshotStore({ environments: running, states, clock }),
    runtime,
    token: secrets.get('control/token'),
    sessions,
    consoleUrl,
    mail: { url: mailUrl, localUrl: localOrigin(options.bind, mailUrl) },
    stateFolder: folder,
    startedAt: clock.milliseconds(),
    testbedFile,
  })
  consoleListener.serve(service.handle)
  resources.add('announcement', service.close)
  return { createLink: sessions.createLink, loadSoon: service.loadSoon }
}

async function startParts(context: StartContext): Promise<Testbed> {
  const { options, startedAt, resources } = context
  const { bind, dataFolder } = options
  const { folder, manifest, lock, database } = await takeState(context)
  const opened = await openShared(context, folder)
  const { mailUrl, parts, traces } = opened
  const { consoleUrl, secrets } = parts
  const { running, smtpUrl } = await startEnvironments(opened)
  const addresses = listAddresses(running, { consoleUrl, mailUrl, smtpUrl })
  const consoleService = serveConsole(opened, {
    running,
    addresses,
    folder,
    testbedFile: () => file,
  })
  const file: TestbedFile = {
    schemaVersion: 1,
    pid: process.pid,
    startedAt,
    control: { url: `${consoleUrl}/control`, token: secrets.get('control/token') },
    consoleUrl,
    mail: { smtpUrl, apiUrl: mailUrl },
    environments: Object.fromEntries(
      running.map((each) => [each.environment, describeEnvironment(each)]),
    ),
  }
  // The contents of the file must be the same after a restart.
  secrets.save()
  // Its code is loaded next, and has no dependencies.
  const services = addresses.filter(({ url }) => url !== consoleUrl)
  await checkHealth(services, (url) => url.replace(new URL(url).origin, localOrigin(bind, url)))
  options.onStep('health')
  await manifest?.complete(database?.setOwner)
  if (dataFolder !== undefined) {
    const remove = writeTestbedFile(dataFolder, file)
    resources.add('announcement', () => {
      if (lock?.isHeld()) remove()
    })
  }
  return {
    file,
    addresses,
    async readTraces(since) {
      await Promise.all(running.map((each) => each.collectHops()))
      return traces.since(since)
    },
    createConsoleLink: consoleService.createLink,
    broken: Promise.race([
      consoleService.loadSoon(),
      ...running.map(({ broken }) => broken),
      ...(database === undefined ? [] : [database.lost]),
    ]),
    close: resources.close,
  }
}

/**
 * Starts a whole testbed in this process (the chains run in separate processes), in memory or on a
 * data folder, on free ports unless a port base is given. Resolves when every service is healthy.
 * @throws TestbedError `port_taken`, `data_folder_in_use`, or another error of a part that could
 * not be started
 */
export async function startTestbed(given: TestbedOptions = {}): Promise<Testbed> {
  refuseCombination(given)
  const options = resolveOptions(given)
  const publicUrl = createPublicUrl(options.bind, options.publicUrl)
  const startedAt = new Date().toISOString()
  const log = options.log ?? createLog({ level: 'warn' })
  const resources = createResources((err) => log.warn({ err }, 'while stopping'))
  try {
    return await startParts({ options, publicUrl, startedAt, log, resources })
  } catch (error) {
    // Each part names it differently, SQLite not at all.
    const explained = canOpenFiles() ? explainFileError(error) : tooFewFiles(error)
    await resources.close()
    throw explained
  }
}
