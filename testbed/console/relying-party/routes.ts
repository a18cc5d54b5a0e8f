import { z } from 'zod'
import { parseJws } from '#core/crypto/jws.ts'
import { html, type SafeHtml } from '#core/html/html.ts'
import { paragraphOfRule } from '#core/profile/rule-paragraphs.ts'
import type { AnyRoute, Reply } from '#kit/define-route.ts'
import { seeOther } from '#kit/page.ts'
import type { Hop } from '#kit/traces.ts'
import { readOwnPowers } from '#services/issuer/domain/bearer-claims.ts'
import { relyingPartyOf } from '#testbed/services/environment-context.ts'
import type { RunningEnvironment } from '#testbed/services/start-environment.ts'
import { explainClaims } from '../claims.ts'
import { type ConsoleDependencies, sessionOf } from '../dependencies.ts'
import { asSentence } from '../frame/as-sentence.ts'
import { definePage } from '../frame/define-page.ts'
import { consolePage, type Frame, paragraphRow, shortened } from '../frame/page.ts'
import { frameTexts } from '../frame/sections.ts'
import { createNames, didName, isDid, type Names, namesOfWallets } from '../names.ts'
import type { FailedSignIn, SignedIn } from '../sign-in/create-sign-ins.ts'
import { requireOwnPage } from '../sign-in/routes.ts'
import { relyingPartyTexts } from './texts.ts'

const client = 'relying-party'

/** The demo relying party. */
const showRelyingParty = definePage({
  path: '/relying-party',
  section: 'relying-party',
  summary: 'The demo relying party',
  async render({ frame, running, request }, dependencies) {
    const { context, environment } = running
    const { signIns, traces, wallets } = dependencies
    const holders = await namesOfWallets(wallets, environment)
    const names = createNames(frame.language, context, holders)
    const session = sessionOf(request, dependencies) ?? ''
    const result = signIns.read({ client, running, session })
    const state = result?.outcome === 'failed' ? result.state : undefined
    if (state !== undefined) await running.collectHops()
    const refusal = state === undefined ? undefined : findRefusal(traces.since(0), state)
    return relyingPartyPage(frame, { running, result, refusal, names })
  },
})

/** Starts a login: redirects the browser to the IDP. */
const startLogin = definePage({
  path: '/relying-party/login',
  section: 'relying-party',
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

interface PageContent {
  readonly running: RunningEnvironment
  readonly result: SignedIn | FailedSignIn | undefined
  /** Why the login failed. */
  readonly refusal: Refusal | undefined
  readonly names: Names
}

/** The demo relying party: the invitation to log in, the greeting, or why the login failed. */
function relyingPartyPage(frame: Frame, { running, result, refusal, names }: PageContent): Reply {
  const content =
    result?.outcome === 'signed-in'
      ? greeting(frame, result, names)
      : html`${result && failure(frame, result, refusal)}${invitation(frame, running)}`
  return consolePage(frame, {
    title: frameTexts[frame.language].sections['relying-party'],
    section: 'relying-party',
    style: 'relying-party.css',
    body: content,
  })
}

const isRandom = (value: string) => /^[\w-]{30,}$/.test(value)

const logInAddress = ({ environment }: Frame) => `/relying-party/login?env=${environment}`

function invitation(frame: Frame, { context }: RunningEnvironment): SafeHtml {
  const texts = relyingPartyTexts[frame.language]
  const { clientId, redirectUri } = relyingPartyOf(context)
  return html`<p class="lead">${texts.lead}</p>
<p class="actions"><a class="button primary" id="log-in" href="${logInAddress(frame)}">${texts.logIn}</a></p>
${
  frame.built.has('/portal') &&
  html`<p class="soft">${texts.needsCredential} <a href="/portal?env=${frame.environment}">${texts.toPortal}</a></p>`
}
<div class="columns explained">
<section class="card"><h2>${texts.how}</h2>
<ol class="what-happens">${texts.steps.map((step) => html`<li>${step}</li>`)}</ol>
</section>
<section class="card"><h2>${texts.facts}</h2>
<dl class="stacked">
<dt>${texts.client}</dt><dd><code>${clientId}</code></dd>
<dt>${texts.provider}</dt><dd><code>${context.urls.idp}</code></dd>
<dt>${texts.redirectAddress}</dt><dd><code>${redirectUri}</code></dd>
</dl>
</section>
</div>`
}

function failure(
  frame: Frame,
  { code, description }: FailedSignIn,
  refusal: Refusal | undefined,
): SafeHtml {
  const { language, environment, built } = frame
  const texts = relyingPartyTexts[language]
  const known = Object.hasOwn(texts.reasons, code) ? texts.reasons[code] : undefined
  const unavailable = refusal?.unavailable.map(
    (service) => html`<li>${texts.unavailable} <b>${service}</b></li>`,
  )
  const labels = frameTexts[frame.language].refusal
  const broken = refusal?.broken.map(
    ({ rule, reason }) => html`<dl class="refusal" data-rule="${rule}">
<dt>${labels.rule}</dt><dd><code>${rule}</code></dd>
<dt>${labels.found}</dt><dd lang="en" class="fault">${asSentence(reason)}</dd>
${paragraphRow(frame, paragraphOfRule(rule))}
</dl>`,
  )
  const sessionsAddress = refusal
    ? `/sessions/${environment}/${refusal.sessionId}`
    : `/sessions?env=${environment}&status=FAILED`
  return html`<section class="card" id="failure">
<h2>${texts.failed}</h2>
<p class="alert" role="alert">${refusal ? texts.refused : (known ?? texts.reason)}</p>
${unavailable !== undefined && unavailable.length > 0 && html`<ul class="what-happens">${unavailable}</ul>`}
${broken}
<p class="code" lang="en">${code}${description !== '' && html`: ${description}`}</p>
<p class="row"><a href="${sessionsAddress}">${refusal ? texts.session : texts.sessions}</a>
${built.has('/exchanges') && html`<a href="/exchanges?env=${environment}">${texts.toExchanges}</a>`}</p>
</section>`
}

function greeting(frame: Frame, { claims, idToken }: SignedIn, names: Names): SafeHtml {
  const texts = relyingPartyTexts[frame.language]
  const { name, organization, organization_identifier: identifier } = claims
  return html`<section class="card greeting">
<div>
<p class="row"><span class="badge good">${texts.signedIn}</span> <span class="soft">${texts.verified}</span></p>
<h2 id="greeting">${texts.hello} ${name}</h2>
<p>${texts.actsFor} <strong>${organization}</strong> <span class="soft">${identifier}</span></p>
</div>
<form class="actions" data-call="DELETE /console/sign-ins/${frame.environment}/relying-party">
<button class="button" id="sign-out">${texts.signOut}</button>
<a class="button quiet" href="${logInAddress(frame)}">${texts.logInAgain}</a>
</form>
</section>
${powerSection(frame, claims)}
<section class="card">
<h2>${texts.idToken}</h2>
<p class="soft">${texts.idTokenLead}</p>
${claimList(frame, claims, names)}
${tokenDetails(frame, idToken)}
</section>
<p class="soft">${texts.noSession} ${
    frame.built.has('/exchanges') &&
    html`<a href="/exchanges?env=${frame.environment}">${texts.toExchanges}</a>`
  }</p>`
}

function powerSection({ language }: Frame, claims: Readonly<Record<string, unknown>>): SafeHtml {
  const texts = relyingPartyTexts[language]
  const powers = readOwnPowers(claims)
  if (powers.length === 0) {
    return html`<section class="card"><h2>${texts.powers}</h2><p>${texts.noPowers}</p></section>`
  }
  return html`<section class="card">
<h2>${texts.powers}</h2>
<p class="soft">${texts.powersLead}</p>
<table class="powers">
<thead><tr><th scope="col">${texts.powerFunction}</th><th scope="col">${texts.actions}</th><th scope="col">${texts.domain}</th></tr></thead>
<tbody>${powers.map(
    (power) => html`<tr><th scope="row">${power.function}</th>
<td>${power.action.map((action) => html`<span class="badge">${action}</span> `)}</td>
<td>${power.domain}</td></tr>`,
  )}</tbody>
</table>
</section>`
}

function claimList(
  frame: Frame,
  claims: Readonly<Record<string, unknown>>,
  names: Names,
): SafeHtml {
  const { language } = frame
  const shown = (value: string) =>
    isDid(value)
      ? didName(frame, names, value)
      : isRandom(value)
        ? shortened(language, value)
        : value
  return html`<dl class="claims">${explainClaims(claims, language).map(
    ({ path, value, explanation }) => html`<div>
<dt><code>${path}</code></dt>
<dd>${shown(value)}</dd>
<dd class="soft">${explanation ?? relyingPartyTexts[language].ownClaim}</dd>
</div>`,
  )}</dl>`
}

function tokenDetails({ language }: Frame, idToken: string): SafeHtml {
  const texts = relyingPartyTexts[language]
  const parsed = parseJws(idToken)
  return html`<details><summary>${texts.encoded}</summary>
${parsed.ok && html`<p>${texts.header}: <code>${JSON.stringify(parsed.header)}</code></p>`}
<p>${shortened(language, idToken, 24, 12)}</p>
<pre tabindex="0">${idToken}</pre>
</details>`
}

/** Why the IDP did not confirm a login: the verdict of the verifier on the presentation. */
interface Refusal {
  /** Id of the session at the verifier. */
  readonly sessionId: string
  readonly broken: readonly { readonly rule: string; readonly reason: string }[]
  /** Services that did not respond. */
  readonly unavailable: readonly string[]
}

const zSession = z.object({ session_id: z.string() })
const zRedirect = z.object({ redirect_uri: z.string() })
const zVerdict = z.object({
  session_id: z.string(),
  status: z.literal('FAILED'),
  failures: z.array(z.object({ rule: z.string(), reason: z.string() })).default([]),
  unavailable: z.array(z.string()).default([]),
})

/**
 * Finds the last rejected presentation of a login in the recorded exchanges: the request with this
 * `state`, the IDP's sessions at the verifier for it, then their verdicts. Undefined if nothing was
 * rejected, or if the exchanges are no longer kept.
 */
function findRefusal(hops: readonly Hop[], state: string): Refusal | undefined {
  const request = hops.find(({ to, url }) => to === 'idp' && stateOf(url) === state)
  const page = request?.responseHeaders?.location
  if (page === undefined) return undefined
  const sessions = hops.flatMap(({ from, to, requestBody, responseBody }) => {
    const redirect = zRedirect.safeParse(requestBody).data?.redirect_uri
    const isOfLogin = from === 'idp' && to === 'verifier' && redirect?.includes(`${page}/`)
    return isOfLogin ? (zSession.safeParse(responseBody).data?.session_id ?? []) : []
  })
  const verdicts = hops.flatMap(({ from, to, requestBody }) =>
    from === 'verifier' && to === 'idp' ? (zVerdict.safeParse(requestBody).data ?? []) : [],
  )
  const last = verdicts.findLast((verdict) => sessions.includes(verdict.session_id))
  return (
    last && { sessionId: last.session_id, broken: last.failures, unavailable: last.unavailable }
  )
}

const stateOf = (url: string): string | null =>
  new URL(url, 'http://idp.invalid').searchParams.get('state')
