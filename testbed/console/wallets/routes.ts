import { z } from 'zod'
import { holderCurves } from '#core/crypto/suites.ts'
import { TestbedError } from '#core/errors/testbed-error.ts'
import { html } from '#core/html/html.ts'
import { type AnyRoute, defineRoute, type Reply } from '#kit/define-route.ts'
import { sendEvents } from '#kit/event-stream.ts'
import { languageOf } from '#kit/language.ts'
import { findEnvironment } from '#testbed/control/dependencies.ts'
import { holderSuitesOf } from '#testbed/services/environment-context.ts'
import type { RunningEnvironment } from '#testbed/services/start-environment.ts'
import type { ConsoleDependencies } from '../dependencies.ts'
import { definePage } from '../frame/define-page.ts'
import { consolePage, type Frame } from '../frame/page.ts'
import { frameTexts } from '../frame/sections.ts'
import { findMailedOffers } from '../inbox/read-mails.ts'
import { clientNamesOf, createNames, type Names, namesOfWallets } from '../names.ts'
import { type ConsoleWallet, decodeCredential, describeConsoleWallet } from './console-wallets.ts'
import { findPendingLogins } from './pending-logins.ts'
import { walletTexts } from './texts.ts'

const zWalletPath = z.object({ id: z.uuid() })
const zCredentialPath = zWalletPath.extend({ credential: z.string().max(64) })
const zEnvironmentQuery = z.object({ env: z.string().max(64) })
const zFaults = z.array(z.string().max(64)).max(8)

const showWallets = definePage({
  path: '/wallets',
  section: 'wallets',
  summary: 'The wallets of the console',
  async render({ frame, running }, { wallets, ownDids }) {
    const { context, environment } = running
    const held = await Promise.all(wallets.list(environment).map(describeConsoleWallet))
    const holders = await namesOfWallets(wallets, environment)
    const names = createNames(frame.language, context, holders, ownDids.names(environment))
    return walletsPage(frame, running, held, names)
  },
})

const listWallets = defineRoute<ConsoleDependencies>()({
  method: 'get',
  path: '/console/wallets',
  summary: 'The wallets of an environment',
  auth: 'control',
  documented: false,
  request: { query: zEnvironmentQuery },
  responses: { 200: { description: 'The wallets, oldest first' } },
  async handle({ query }, dependencies) {
    const { environment } = findEnvironment(dependencies, query.env)
    const held = await Promise.all(
      dependencies.wallets.list(environment).map(describeConsoleWallet),
    )
    return { status: 200, body: { wallets: held } }
  },
})

const createConsoleWallet = defineRoute<ConsoleDependencies>()({
  method: 'post',
  path: '/console/wallets',
  summary: 'Create a wallet',
  auth: 'control',
  documented: false,
  request: {
    body: z.strictObject({
      env: z.string().max(64),
      name: z.string().trim().min(1).max(64),
      faults: zFaults.optional(),
      curve: z.enum(holderCurves).optional(),
      did_method: z.enum(['key', 'jwk']).optional(),
    }),
  },
  responses: { 201: { description: 'The wallet' } },
  async handle({ body }, dependencies) {
    const { environment } = findEnvironment(dependencies, body.env)
    const { name, faults, curve, did_method: didMethod } = body
    const created = await dependencies.wallets.create({
      environment,
      name,
      ...(faults && { faults }),
      ...(curve && { curve }),
      ...(didMethod && { didMethod }),
    })
    return { status: 201, body: await describeConsoleWallet(created) }
  },
})

const setWalletFaults = defineRoute<ConsoleDependencies>()({
  method: 'put',
  path: '/console/wallets/:id/faults',
  summary: 'Choose how a wallet deviates',
  auth: 'control',
  documented: false,
  request: { params: zWalletPath, body: z.strictObject({ faults: zFaults }) },
  responses: { 200: { description: 'The wallet' } },
  handle: async ({ params, body }, { wallets }) => ({
    status: 200,
    body: await describeConsoleWallet(await wallets.setFaults(params.id, body.faults)),
  }),
})

const deleteWallet = defineRoute<ConsoleDependencies>()({
  method: 'delete',
  path: '/console/wallets/:id',
  summary: 'Delete a wallet',
  auth: 'control',
  documented: false,
  request: { params: zWalletPath },
  responses: { 204: { description: 'Deleted' } },
  handle({ params }, { wallets }) {
    wallets.remove(params.id)
    return { status: 204 }
  },
})

const deleteCredential = defineRoute<ConsoleDependencies>()({
  method: 'delete',
  path: '/console/wallets/:id/credentials/:credential',
  summary: 'Delete a credential from a wallet',
  auth: 'control',
  documented: false,
  request: { params: zCredentialPath },
  responses: { 204: { description: 'Deleted' } },
  async handle({ params }, { wallets }) {
    await wallets.removeCredential(params.id, params.credential)
    return { status: 204 }
  },
})

const readCredential = defineRoute<ConsoleDependencies>()({
  method: 'get',
  path: '/console/wallets/:id/credentials/:credential',
  summary: 'A credential, decoded',
  auth: 'control',
  documented: false,
  request: { params: zCredentialPath },
  responses: { 200: { description: 'The token, its header and its payload' } },
  async handle({ params, request }, { wallets }) {
    const credentials = await wallets.find(params.id).store.listCredentials()
    const found = credentials.find(({ id }) => id === params.credential)
    if (found === undefined) {
      const message = 'This wallet does not have that credential.'
      throw new TestbedError({ code: 'unknown_credential', status: 404, message })
    }
    return { status: 200, body: decodeCredential(found, languageOf(request)) }
  },
})

const readWalletStatuses = defineRoute<ConsoleDependencies>()({
  method: 'get',
  path: '/console/wallets/:id/statuses',
  summary: 'Whether each credential of a wallet is revoked',
  auth: 'control',
  documented: false,
  request: { params: zWalletPath },
  responses: { 200: { description: 'The published status by the id of the credential' } },
  handle: async ({ params }, { wallets }) => ({
    status: 200,
    body: { statuses: Object.fromEntries(await wallets.readStatuses(params.id)) },
  }),
})

/** The text of a link, from one of both sources. */
async function readLinkOf({
  link,
  image,
}: {
  readonly link?: string | undefined
  readonly image?: string | undefined
}): Promise<string> {
  const unreadable = (message: string) =>
    new TestbedError({ code: 'unreadable_link', status: 400, message })
  if ((link === undefined) === (image === undefined)) {
    throw unreadable('Specify either a link or an image with a QR code.')
  }
  if (image === undefined) return link ?? ''
  const { readQrImage } = await import('#wallet-emulator/qr/read-qr-code.ts')
  const bytes = Buffer.from(image, 'base64')
  const read = readQrImage(bytes, { timeLimitMilliseconds: 2000 })
  if (read.ok) return read.text
  throw unreadable(`Could not read a link from the image: ${read.reason}.`)
}

const scanWithWallet = defineRoute<ConsoleDependencies>()({
  method: 'post',
  path: '/console/wallets/:id/scan',
  summary: 'Answer an offer or a presentation request',
  auth: 'control',
  documented: false,
  request: {
    limit: 12_000_000,
    params: zWalletPath,
    body: z.strictObject({
      link: z.string().min(1).max(100_000).optional(),
      image: z.string().max(8_000_000).optional().describe('Base64 of a PNG or JPEG'),
      pin: z.string().max(256).optional(),
      credential_id: z.string().max(64).optional(),
    }),
  },
  responses: { 200: { description: 'The steps and the result, even if the wallet stopped' } },
  async handle({ params, body }, { wallets }) {
    wallets.find(params.id)
    const link = await readLinkOf(body)
    const { pin, credential_id: credentialId } = body
    const activity = await wallets.answer(params.id, { link, pin, credentialId })
    return { status: 200, body: { activity } }
  },
})

const listPendingLogins = defineRoute<ConsoleDependencies>()({
  method: 'get',
  path: '/console/pending-logins',
  summary: 'Login pages that wait for a wallet',
  auth: 'control',
  documented: false,
  request: { query: zEnvironmentQuery },
  responses: { 200: { description: 'The logins, newest first' } },
  async handle({ query }, dependencies) {
    const { collectHops, context } = findEnvironment(dependencies, query.env)
    await collectHops()
    const { traces, runtime } = dependencies
    const now = runtime.clock.seconds()
    const logins = findPendingLogins(traces.since(0), now, context.urls.verifier)
    return { status: 200, body: { logins } }
  },
})

const listMailedOffers = defineRoute<ConsoleDependencies>()({
  method: 'get',
  path: '/console/mailed-offers',
  summary: 'Offers in the last emails',
  auth: 'control',
  documented: false,
  responses: { 200: { description: 'The offers, newest first' } },
  async handle(_input, { runtime, addresses }) {
    const mail = addresses.find(({ name }) => name.startsWith('mail (inbox'))
    const offers = mail === undefined ? [] : await findMailedOffers(runtime, mail.url)
    return { status: 200, body: { offers } }
  },
})

/** The named deviations of wallets, with what a conformant counterpart does. */
const listWalletFaults = defineRoute<ConsoleDependencies>()({
  method: 'get',
  path: '/console/wallet-faults',
  summary: 'The deviations of wallets',
  auth: 'control',
  documented: false,
  responses: { 200: { description: 'Those at an issuer, and those at a verifier' } },
  async handle() {
    const { issuanceFaults, presentationFaults } = await import(
      '#wallet-emulator/faults/find-faults.ts'
    )
    const shown = (faults: typeof issuanceFaults) =>
      faults.map(({ name, description, needs = [], expected }) => ({
        name,
        description,
        needs,
        expected,
      }))
    return {
      status: 200,
      body: { issuance: shown(issuanceFaults), presentation: shown(presentationFaults) },
    }
  },
})

const streamWallets = defineRoute<ConsoleDependencies>()({
  method: 'get',
  path: '/console/wallet-stream',
  summary: 'Wallets and login pages as they change, as server-sent events',
  auth: 'control',
  documented: false,
  request: { query: zEnvironmentQuery },
  responses: {
    200: { description: 'Events of type `wallet` and `logins`', contentType: 'text/event-stream' },
  },
  async handle({ query, response }, { wallets, traces, stopping }) {
    const changed = new Set<ConsoleWallet>()
    let hasLogins = false
    await sendEvents(response, {
      stopping,
      // One stream for both: browsers limit the connections to a server.
      subscribe(notify) {
        const unsubscribe = wallets.subscribe((wallet) => {
          if (wallet.environment !== query.env) return
          changed.add(wallet)
          notify()
        })
        const unfollow = traces.subscribe(({ to, method }) => {
          if (to !== 'verifier' || method !== 'POST') return
          hasLogins = true
          notify()
        })
        return () => {
          unsubscribe()
          unfollow()
        }
      },
      async *read() {
        if (hasLogins) yield 'event: logins\ndata:\n\n'
        hasLogins = false
        for (const wallet of changed) {
          changed.delete(wallet)
          const described = await describeConsoleWallet(wallet)
          yield `event: wallet\ndata: ${JSON.stringify(described)}\n\n`
        }
      },
    })
    return { status: 200 }
  },
})

export const walletRoutes: readonly AnyRoute<ConsoleDependencies>[] = [
  showWallets,
  listWallets,
  createConsoleWallet,
  setWalletFaults,
  deleteWallet,
  readCredential,
  deleteCredential,
  readWalletStatuses,
  scanWithWallet,
  listPendingLogins,
  listMailedOffers,
  listWalletFaults,
  streamWallets,
]

type ShownWallet = Awaited<ReturnType<typeof describeConsoleWallet>>

/** The wallets of an environment; the module draws them and follows their changes. */
function walletsPage(
  frame: Frame,
  { context }: RunningEnvironment,
  wallets: readonly ShownWallet[],
  names: Names,
): Reply {
  const texts = walletTexts[frame.language]
  const { organizations } = context
  return consolePage(frame, {
    title: frameTexts[frame.language].sections.wallets,
    section: 'wallets',
    script: 'wallets.js',
    style: 'wallets.css',
    data: {
      texts,
      copy: frameTexts[frame.language].copy,
      language: frame.language,
      wallets,
      names: names.byDid,
      clients: clientNamesOf(frame.language, context),
      people: organizations.map(({ organizationIdentifier, organization, representative }) => ({
        organizationIdentifier,
        organization,
        name: [representative.givenName, representative.familyName].filter(Boolean).join(' '),
      })),
      keys: holderSuitesOf(context),
      loginUrl: `/relying-party/login?env=${frame.environment}`,
    },
    body: html`<p class="lead">${texts.lead}</p>
<div id="wallets"></div>`,
  })
}
