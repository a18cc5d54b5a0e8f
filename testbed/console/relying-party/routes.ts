import type { AnyRoute } from '#kit/define-route.ts'
import { seeOther } from '#kit/page.ts'
import { type ConsoleDependencies, sessionOf } from '../dependencies.ts'
import { definePage } from '../frame/define-page.ts'
import { findRefusal } from './find-refusal.ts'
import { relyingPartyPage } from './page.ts'

const client = 'relying-party'

/** The demo relying party. */
const showRelyingParty = definePage({
  path: '/relying-party',
  room: 'relying-party',
  summary: 'The demo relying party',
  async render({ frame, running, request }, dependencies) {
    const session = sessionOf(request, dependencies) ?? ''
    const result = dependencies.signIns.read({ client, running, session })
    const state = result?.outcome === 'failed' ? result.state : undefined
    if (state === undefined) return relyingPartyPage(frame, running, result, undefined)
    await running.collectHops()
    const refusal = findRefusal(dependencies.traces.since(0), state)
    return relyingPartyPage(frame, running, result, refusal)
  },
})

/** Starts a login: redirects the browser to the IDP. */
const startLogin = definePage({
  path: '/relying-party/login',
  room: 'relying-party',
  summary: 'Log in at the demo relying party',
  async render({ language, running, request }, dependencies) {
    const session = sessionOf(request, dependencies) ?? ''
    const address = await dependencies.signIns.begin({ client, running, session }, { language })
    return seeOther(address ?? `/relying-party?env=${running.environment}`)
  },
})

export const relyingPartyRoutes: readonly AnyRoute<ConsoleDependencies>[] = [
  showRelyingParty,
  startLogin,
]
