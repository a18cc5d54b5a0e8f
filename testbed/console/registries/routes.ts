import { z } from 'zod'
import { parseDidOrg } from '#core/did/did-org.ts'
import { TestbedError } from '#core/errors/testbed-error.ts'
import { zHash } from '#core/ethereum/account.ts'
import { type AnyRoute, defineRoute, type Reply } from '#kit/define-route.ts'
import { findEnvironment } from '#testbed/control/dependencies.ts'
import { credentialTypesOf } from '#testbed/services/environment-context.ts'
import type { RunningEnvironment } from '#testbed/services/start-environment.ts'
import type { ConsoleDependencies } from '../dependencies.ts'
import { definePage } from '../frame/define-page.ts'
import type { Frame } from '../frame/page.ts'
import { createNames, type Names, namesOfWallets } from '../names.ts'
import { chainPage, transactionPage } from './chain-page.ts'
import { changeRoutes, changesPage } from './change-routes.ts'
import { identifierPage } from './identifier-page.ts'
import { registriesPage } from './page.ts'
import { createChainReader } from './read-chain.ts'
import { createRegistriesReader } from './read-registries.ts'
import { listSigners } from './write-changes.ts'

/** The page number in an address; the first page if it is invalid. */
const zPage = z.coerce.number().int().min(1).max(1_000_000).catch(1)
/** The environment that the menu chooses, which may differ from that of the path. */
const zEnv = z.string().max(64).optional().catch(undefined)

const openRegistries = (environment: string, path = ''): Reply => ({
  status: 303,
  headers: { location: `/registries/${environment}${path}` },
})

interface Opened {
  readonly found: RunningEnvironment
  readonly frame: Frame
  readonly names: Names
}

/** The environment of a path, the frame for it, and what its identifiers are called. */
async function openEnvironment(
  frame: Frame,
  environment: string,
  dependencies: ConsoleDependencies,
): Promise<Opened> {
  const found = findEnvironment(dependencies, environment)
  const wallets = await namesOfWallets(dependencies.wallets, environment)
  const names = createNames(
    frame.language,
    found.context,
    wallets,
    dependencies.ownDids.names(environment),
  )
  return { found, frame: { ...frame, environment }, names }
}

/** The trusted issuers of an environment and the latest events of its DID registry. */
const showRegistries = definePage({
  path: '/registries/:env',
  section: 'registries',
  summary: 'The registries of an environment',
  params: z.object({ env: z.string() }),
  query: z.object({ events: zPage, issuers: zPage, env: zEnv }),
  async render({ frame: bare, params, query }, dependencies) {
    if ((query.env ?? params.env) !== params.env) return openRegistries(bare.environment)
    const { found, frame, names } = await openEnvironment(bare, params.env, dependencies)
    const reader = createRegistriesReader(dependencies.runtime, found)
    const [issuers, events] = await Promise.all([
      reader.issuers(query.issuers),
      reader.events(query.events),
    ])
    const expiries = issuers && (await reader.expiries(issuers))
    const now = dependencies.runtime.clock.seconds()
    return registriesPage(frame, { names, issuers, events, expiries, now })
  },
})

/** The history of a DID. */
const showIdentifier = definePage({
  path: '/registries/:env/identifiers/:did',
  section: 'registries',
  summary: 'The history of a DID',
  params: z.object({ env: z.string(), did: z.string().max(200) }),
  query: z.object({ events: zPage, env: zEnv }),
  async render({ frame: bare, params: { env, did }, query }, dependencies) {
    if ((query.env ?? env) !== env) return openRegistries(bare.environment)
    const { found, frame, names } = await openEnvironment(bare, env, dependencies)
    const reader = createRegistriesReader(dependencies.runtime, found)
    const events = await reader.eventsOf(did)
    const now = dependencies.runtime.clock.seconds()
    const isOwn = dependencies.ownDids.find(did) !== undefined
    return identifierPage(frame, { names, did, events, page: query.events, now, isOwn })
  },
})

const readDocumentAt = defineRoute<ConsoleDependencies>()({
  method: 'get',
  path: '/console/registries/:env/identifiers/:did',
  summary: 'The document of a DID at a time',
  auth: 'control',
  documented: false,
  request: {
    params: z.object({ env: z.string().max(64), did: z.string().max(200) }),
    query: z.object({ valid_at: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER) }),
  },
  responses: { 200: { description: 'The document; null before the registration' } },
  async handle({ params: { env, did }, query }, dependencies) {
    const running = findEnvironment(dependencies, env)
    if (parseDidOrg(did)?.environment !== running.environment) {
      const message = `${env} has only DIDs of the registry ${env}.`
      throw new TestbedError({ code: 'unknown_did', status: 404, message })
    }
    const reader = createRegistriesReader(dependencies.runtime, running)
    return { status: 200, body: await reader.documentAt(did, query.valid_at) }
  },
})

const showChain = definePage({
  path: '/registries/:env/chain',
  section: 'registries',
  summary: 'The blocks of the chain',
  params: z.object({ env: z.string() }),
  query: z.object({
    last: z.coerce.number().int().min(0).optional().catch(undefined),
    env: zEnv,
  }),
  async render({ frame: bare, params, query }, dependencies) {
    if ((query.env ?? params.env) !== params.env) return openRegistries(bare.environment, '/chain')
    const { found, frame, names } = await openEnvironment(bare, params.env, dependencies)
    const chain = await createChainReader(dependencies.runtime, found).blocks(query.last)
    return chainPage(frame, { names, chain })
  },
})

const showTransaction = definePage({
  path: '/registries/:env/transactions/:hash',
  section: 'registries',
  summary: 'A transaction of the chain',
  params: z.object({ env: z.string(), hash: z.string().max(200) }),
  query: z.object({ env: zEnv }),
  async render({ frame: bare, params: { env, hash }, query }, dependencies) {
    if ((query.env ?? env) !== env) return openRegistries(bare.environment, '/chain')
    const { found, frame, names } = await openEnvironment(bare, env, dependencies)
    const isHash = zHash.safeParse(hash).success
    const reader = createChainReader(dependencies.runtime, found)
    const transaction = isHash ? await reader.transaction(hash) : undefined
    return transactionPage(frame, { names, hash, transaction })
  },
})

const showChanges = definePage({
  path: '/registries/:env/changes',
  section: 'registries',
  summary: 'Forms that change the registries',
  params: z.object({ env: z.string() }),
  query: z.object({ env: zEnv }),
  async render({ frame: bare, params, query }, dependencies) {
    if ((query.env ?? params.env) !== params.env) {
      return openRegistries(bare.environment, '/changes')
    }
    const { found, frame, names } = await openEnvironment(bare, params.env, dependencies)
    const { ownDids, runtime, wallets } = dependencies
    return changesPage(frame, {
      names,
      issuers: await createRegistriesReader(runtime, found).issuers(1),
      signers: listSigners(found, dependencies).map(({ did }) => did),
      credentialTypes: credentialTypesOf(found.context),
      subjects: ownDids.list(found.environment).map(({ did }) => did),
      wallets: wallets
        .list(found.environment)
        .filter(({ account }) => account.privateKey.crv === 'secp256k1'),
    })
  },
})

/** The registries of the chosen environment. */
const showChosen = definePage({
  path: '/registries',
  section: 'registries',
  summary: 'The registries',
  render: ({ frame }) => openRegistries(frame.environment),
})

export const registriesRoutes: readonly AnyRoute<ConsoleDependencies>[] = [
  showChosen,
  showRegistries,
  showIdentifier,
  readDocumentAt,
  showChain,
  showTransaction,
  showChanges,
  ...changeRoutes,
]
