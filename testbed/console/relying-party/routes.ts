import type { AnyRoute } from '#kit/define-route.ts'
import { seeOther } from '#kit/page.ts'
import { type ConsoleDependencies, sessionOf } from '../dependencies.ts'
import { definePage } from '../frame/define-page.ts'
import { createNames, namesOfWallets } from '../names.ts'
import { requireOwnPage } from '../sign-in/require-own-page.ts'
import { findRefusal } from './find-refusal.ts'
import { relyingPartyPage } from './page.ts'

const client = 'relying-party'

/** The demo relying party. */
const showRelyingParty = definePage({
  path: '/relying-party',
  room: 'relying-party',
  summary: 'The demo relying party',
  async render({ frame, running, request }, dependencies) {
    const { context, environment } = running
    const { signIns, traces, wallets } = dependencies
    const holders = await namesOfWallets(wallets, environment)
    const names = createNames(frame.language, context, holders)
    const session = sessionOf(request, dependencies) ?? ''
    const result = signIns.read({ client, running, session })
    const state = result?.outcome === 'failed' ? result.state : undefined
    if (state === undefined) return relyingPartyPage(frame, running, result, undefined, names)
    await running.collectHops()
    const refusal = findRefusal(traces.since(0), state)
    return relyingPartyPage(frame, running, result, refusal, names)
  },
})

/** Starts a login: redirects the browser to the IDP. */
const startLogin = definePage({
  path: '/relying-party/login',
  room: 'relying-party',
  summary: 'Log in at the demo relying party',
  async render({ language, running, request }, dependencies) {
    requireOwnPage({ request, language })
    const session = sessionOf(request, dependencies) ?? ''
    const address = await dependencies.signIns.begin({ client, running, session }, { language })
    return seeOther(address ?? `/relying-party?env=${running.environment}`)
  },
})

export const relyingPartyRoutes: readonly AnyRoute<ConsoleDependencies>[] = [
  showRelyingParty,
  startLogin,
]
