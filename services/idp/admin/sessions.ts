import { z } from 'zod'
import { html, type SafeHtml } from '#core/html/html.ts'
import { paragraphAddress } from '#core/profile/paragraph.ts'
import { paragraphOfRule } from '#core/profile/rule-paragraphs.ts'
import type { Login } from '../adapters/login-store.ts'
import type { Explanation } from '../adapters/verifier-client.ts'
import { accountRule, type Failures } from '../domain/login.ts'
import { unknownLogin } from '../errors.ts'
import {
  describeLogin,
  describeLogins,
  type LoginDescription,
  readClientNames,
} from '../operations/describe-login.ts'
import type { AdminSession } from './admin-session.ts'
import { defineAdminPage } from './define-admin-route.ts'
import { panelPage, timeOf } from './panel-page.ts'

const zQuery = z.object({
  status: z.enum(['PENDING', 'SUCCESS', 'FAILED']).optional().catch(undefined),
  page: z.coerce.number().int().min(0).max(10_000).catch(0).default(0),
})

/** The verification sessions. */
export const showSessions = defineAdminPage({
  path: '/admin/sessions',
  summary: 'Verification sessions',
  async handle({ session, query }, dependencies) {
    const { status, page } = zQuery.parse(query)
    const { logins, hasMore } = await dependencies.logins.list(page, status)
    return sessionListPage({
      session,
      logins: await describeLogins(logins, dependencies),
      hasMore,
      status,
      page,
    })
  },
})

/** One verification session with the basis of its verdict. */
export const showSession = defineAdminPage({
  path: '/admin/sessions/:code',
  summary: 'A verification session',
  async handle({ session, params }, dependencies) {
    const { config, logins, verifier, runtime } = dependencies
    const code = params.code ?? ''
    const login = /^[\w-]{1,128}$/.test(code) ? await logins.findByCode(code) : undefined
    if (login === undefined) throw unknownLogin()
    const explanation = await verifier.explain(login.verifier_session_id)
    const clientNames = await readClientNames(dependencies)
    const now = runtime.clock.seconds()
    return sessionPage({
      session,
      login,
      description: describeLogin(login, { clientNames, explanation, now }),
      explanation,
      documentationUrl: config.documentationUrl,
    })
  },
})

export interface SessionListOptions {
  readonly session: AdminSession
  readonly logins: readonly LoginDescription[]
  readonly hasMore: boolean
  readonly status: string | undefined
  /** From 0. */
  readonly page: number
}

/** The verification sessions, newest first: who presented what, and why it was rejected. */
function sessionListPage({ session, logins, hasMore, status, page }: SessionListOptions) {
  const filter = (value: string | undefined, label: string) =>
    html`<li><a href="${addressOf(value, 0)}"${value === status && html` aria-current="true"`}>${label}</a></li>`
  return panelPage({
    title: 'Verification sessions',
    session,
    section: 'sessions',
    body: html`<ul class="filters" aria-label="Status">
${filter(undefined, 'All')}${filter('PENDING', 'Pending')}${filter('SUCCESS', 'Success')}${filter('FAILED', 'Failed')}
</ul>
${logins.length === 0 && html`<p class="soft">No sessions.</p>`}
<ul class="list">${logins.map(sessionEntry)}</ul>
<p class="actions">
${page > 0 && html`<a class="button" href="${addressOf(status, page - 1)}">Newer</a>`}
${hasMore && html`<a class="button" href="${addressOf(status, page + 1)}">Older</a>`}
</p>`,
  })
}

function sessionEntry(login: LoginDescription): SafeHtml {
  const { code, client, person, organization, failures, createdAt } = login
  const [cause] = failures.broken
  const [silent] = failures.unavailable
  return html`<li class="card">
<div class="row apart">
<p>${statusBadge(login)} <a href="/admin/sessions/${code}">${timeOf(createdAt)}</a></p>
<p>${client ?? 'unknown client'}</p>
</div>
${(person ?? organization) !== undefined && html`<p><strong>${person}</strong> <span class="soft">${organization}</span></p>`}
${cause && html`<p class="fault"><b class="code">${cause.rule}</b> ${cause.reason}</p>`}
${silent && html`<p class="fault">No response from ${silent}.</p>`}
</li>`
}

function addressOf(status: string | undefined, page: number): string {
  const query = new URLSearchParams()
  if (status !== undefined) query.set('status', status)
  if (page > 0) query.set('page', String(page))
  return `/admin/sessions${query.size === 0 ? '' : `?${query}`}`
}

export interface SessionPageOptions {
  readonly session: AdminSession
  readonly login: Login
  readonly description: LoginDescription
  readonly explanation: Explanation | undefined | 'unavailable'
  readonly documentationUrl: string | undefined
}

/** One verification session: its outcome and, rule by rule, the reasons. */
function sessionPage(options: SessionPageOptions) {
  const { session, login, description, explanation, documentationUrl } = options
  const { client, person, organization } = description
  return panelPage({
    title: 'Verification session',
    session,
    section: 'sessions',
    body: html`<p><a href="/admin/sessions">All sessions</a></p>
<dl class="card">
<dt>Status</dt><dd>${statusBadge(description)}</dd>
<dt>Client</dt><dd>${client ?? 'unknown client'}</dd>
${person && html`<dt>Person</dt><dd>${person}</dd>`}
${organization && html`<dt>Organization</dt><dd>${organization}</dd>`}
<dt>Started</dt><dd>${timeOf(login.created_at)}, QR code ${login.attempt} of this login</dd>
<dt>Valid until</dt><dd>${timeOf(login.expires_at)}</dd>
<dt>Decided</dt><dd>${login.decided_at === null ? 'not yet' : timeOf(login.decided_at)}</dd>
</dl>
${ownFailures(login)}
${explained(explanation, documentationUrl)}`,
  })
}

/** The IDP's own record of a failure, in case the verification service has deleted the session. */
function ownFailures({ failures }: Login): SafeHtml | undefined {
  if (failures === null) return undefined
  const { broken, unavailable }: Failures = JSON.parse(failures)
  if (broken.length === 0 && unavailable.length === 0) return undefined
  return html`<section class="card"><h2>Why it failed</h2>
<ul class="problems">
${unavailable.map((service) => html`<li>No response from ${service}.</li>`)}
${broken.map(({ rule, reason }) => html`<li><b class="code">${rule}</b> ${reason}${rule === accountRule.rule && html` <b>Fix:</b> ${accountRule.fix}`}</li>`)}
</ul></section>`
}

function explained(
  explanation: SessionPageOptions['explanation'],
  documentationUrl: string | undefined,
): SafeHtml {
  if (explanation === 'unavailable') {
    return html`<p class="alert" role="alert">The verification service did not return an explanation. Try again later.</p>`
  }
  if (explanation === undefined) {
    return html`<p class="soft">No explanation, because nothing has been presented.</p>`
  }
  const { lookups, trust_chain: steps, holder_did: holder } = explanation
  return html`${ruleSection(explanation, documentationUrl)}
<section class="card"><h2>Lookups</h2>
${lookups.length === 0 && html`<p class="soft">None.</p>`}
<ul class="entries" id="lookups">${lookups.map(
    ({ service, what, found, unavailable, reason, milliseconds }) => html`<li>
<strong class="badge" data-status="${found ? 'SUCCESS' : 'FAILED'}">${found ? 'found' : unavailable ? 'no response' : 'not found'}</strong>
<b>${service}</b> <span class="soft">${Math.round(milliseconds)} ms</span>
<p class="code">${what}</p>${reason && html`<p>${reason}</p>`}</li>`,
  )}</ul></section>
<section class="card"><h2>Chain of trust</h2>
${steps.length === 0 && html`<p class="soft">The chain could not be determined.</p>`}
<ol id="trust-chain">${steps.map(
    ({ did, attribute_id: attribute, issuer_type: type, tao }) => html`<li><b>${type}</b>
<p class="code">${did}</p><p class="code soft">attribute ${attribute}</p><p class="code soft">accredited by ${tao}</p></li>`,
  )}</ol></section>
<section class="card"><h2>Presented data</h2>
<p>Holder: <span class="code">${holder ?? 'unknown'}</span></p>
${json('Presentation without signature', explanation.presentation)}
${json('Credential without signature', explanation.credential)}
</section>`
}

/** The broken rules, then the passed ones, each in the order of their evaluation. */
function ruleSection(explanation: Explanation, documentationUrl: string | undefined): SafeHtml {
  const { checked } = explanation
  const broken = checked.filter(({ passed }) => !passed)
  const holding = Map.groupBy(
    checked.filter(({ passed }) => passed),
    subjectOf,
  )
  const list = (rules: Explanation['checked']) =>
    html`<ul class="entries">${rules.map((each) => ruleEntry(each, explanation, documentationUrl))}</ul>`
  return html`<section class="card" id="rules"><h2>Rules</h2>
<p>${checked.length} rules evaluated, ${broken.length} failed.</p>
${broken.length > 0 && list(broken)}
<details${broken.length === 0 && html` open`}><summary>Passed rules</summary>
${[...holding].map(([subject, rules]) => html`<h3>${subject}</h3>${list(rules)}`)}
</details></section>`
}

const subjects: Readonly<Record<string, string>> = {
  presentation: 'Presentation',
  submission: 'presentation_submission',
  response: 'Response',
  credential: 'Credential',
  trust: 'Chain of trust',
}

/** The subject of a rule, as a heading. */
function subjectOf({ rule, path }: Explanation['checked'][number]): string {
  const hop = /^hops\[(\d+)\]/.exec(path)?.[1]
  if (hop !== undefined) return `Accreditation ${Number(hop) + 1} above the issuer`
  const name = rule.split('.')[0] ?? ''
  return subjects[name] ?? name
}

function ruleEntry(
  { rule, statement, fix, path, passed, notes }: Explanation['checked'][number],
  { failures }: Explanation,
  documentationUrl: string | undefined,
): SafeHtml {
  const faults = passed
    ? []
    : failures.filter((each) => each.rule === rule && each.path.startsWith(path))
  return html`<li data-rule="${rule}" data-passed="${String(passed)}">
<strong class="badge" data-status="${passed ? 'SUCCESS' : 'FAILED'}">${passed ? 'passed' : 'failed'}</strong>
${statement}
<p class="code soft">${rule}${path !== '' && html` at ${path}`}</p>
${faults.map(
  ({
    reason,
    path: place,
    got,
  }) => html`<p class="fault">${reason}${place !== '' && html` <span class="code">${place}</span>`}
${got !== undefined && html`<span class="code">got ${typeof got === 'string' ? got : JSON.stringify(got)}</span>`}</p>`,
)}
${fix !== undefined && html`<p><b>Fix:</b> ${fix}</p>`}
${!passed && paragraphEntry(rule, documentationUrl)}
${notes.map((note) => html`<p class="soft">${note}</p>`)}</li>`
}

/** Where the profile describes a rule: a link if the documentation has an address. */
function paragraphEntry(rule: string, documentationUrl: string | undefined): SafeHtml | undefined {
  const paragraph = paragraphOfRule(rule)
  if (paragraph === undefined) return undefined
  if (documentationUrl === undefined) return html`<p class="code soft">See ${paragraph}</p>`
  const address = paragraphAddress(documentationUrl, paragraph)
  return html`<p class="code soft">See <a href="${address}">${paragraph}</a></p>`
}

function json(label: string, value: unknown): SafeHtml | undefined {
  if (value === undefined || value === null) return undefined
  return html`<details><summary>${label}</summary>
<pre tabindex="0" aria-label="${label}">${JSON.stringify(value, null, 2)}</pre></details>`
}

/** The status of a session as text, not only as a colour. */
function statusBadge({ status, isExpired }: Pick<LoginDescription, 'status' | 'isExpired'>) {
  return html`<strong class="badge" data-status="${status}">${isExpired ? 'FAILED (expired)' : status}</strong>`
}
