import { z } from 'zod'
import { html, jsonDetails, type SafeHtml } from '#core/html/html.ts'
import { paragraphAddress } from '#core/profile/paragraph.ts'
import { paragraphOfRule } from '#core/profile/rule-paragraphs.ts'
import type { Language } from '#kit/language.ts'
import type { Login } from '../adapters/login-store.ts'
import type { Explanation } from '../adapters/verifier-client.ts'
import type { IdpConfig } from '../config.ts'
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
import { panelTexts } from './texts.ts'

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
      config,
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
  const { language } = session
  const { sessions: texts } = panelTexts[language]
  const filter = (value: string | undefined, label: string) =>
    html`<li><a href="${addressOf(value, 0)}"${value === status && html` aria-current="true"`}>${label}</a></li>`
  return panelPage({
    title: texts.title,
    session,
    section: 'sessions',
    body: html`<ul class="filters" aria-label="${texts.status}">
${filter(undefined, texts.all)}${filter('PENDING', texts.pending)}${filter('SUCCESS', texts.success)}${filter('FAILED', texts.failed)}
</ul>
${logins.length === 0 && html`<p class="soft">${texts.none}</p>`}
<ul class="list">${logins.map((login) => sessionEntry(login, language))}</ul>
<p class="actions">
${page > 0 && html`<a class="button" href="${addressOf(status, page - 1)}">${texts.newer}</a>`}
${hasMore && html`<a class="button" href="${addressOf(status, page + 1)}">${texts.older}</a>`}
</p>`,
  })
}

function sessionEntry(login: LoginDescription, language: Language): SafeHtml {
  const { sessions: texts } = panelTexts[language]
  const { code, client, person, organization, failures, createdAt } = login
  const [cause] = failures.broken
  const [silent] = failures.unavailable
  return html`<li class="card">
<div class="row apart">
<p>${statusBadge(login, language)} <a href="/admin/sessions/${code}">${timeOf(createdAt)}</a></p>
<p>${client ?? texts.unknownClient}</p>
</div>
${(person ?? organization) !== undefined && html`<p><strong>${person}</strong> <span class="soft">${organization}</span></p>`}
${cause && html`<p class="fault" lang="en"><b class="code">${cause.rule}</b> ${cause.reason}</p>`}
${silent && html`<p class="fault">${texts.noResponse} ${silent}.</p>`}
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
  readonly config: Pick<IdpConfig, 'didNames' | 'documentationUrl'>
}

/** One verification session: its outcome and, rule by rule, the reasons. */
function sessionPage(options: SessionPageOptions) {
  const { session, login, description } = options
  const { language } = session
  const { sessions: texts } = panelTexts[language]
  const { client, person, organization } = description
  return panelPage({
    title: texts.one,
    session,
    section: 'sessions',
    body: html`<p><a href="/admin/sessions">${texts.back}</a></p>
<dl class="card">
<dt>${texts.status}</dt><dd>${statusBadge(description, language)}</dd>
<dt>${texts.client}</dt><dd>${client ?? texts.unknownClient}</dd>
${person && html`<dt>${texts.person}</dt><dd>${person}</dd>`}
${organization && html`<dt>${texts.organization}</dt><dd>${organization}</dd>`}
<dt>${texts.started}</dt><dd>${timeOf(login.created_at)}, ${texts.attempt(login.attempt)}</dd>
<dt>${texts.validUntil}</dt><dd>${timeOf(login.expires_at)}</dd>
<dt>${texts.decided}</dt><dd>${login.decided_at === null ? texts.notYet : timeOf(login.decided_at)}</dd>
</dl>
${ownFailures(login, language)}
${explained(options)}`,
  })
}

/** The IDP's own record of a failure, in case the verification service has deleted the session. */
function ownFailures({ failures }: Login, language: Language): SafeHtml | undefined {
  const { sessions: texts, refusal } = panelTexts[language]
  if (failures === null) return undefined
  const { broken, unavailable }: Failures = JSON.parse(failures)
  if (broken.length === 0 && unavailable.length === 0) return undefined
  return html`<section class="card"><h2>${texts.whyFailed}</h2>
<ul class="problems">
${unavailable.map((service) => html`<li>${texts.noResponse} ${service}.</li>`)}
${broken.map(({ rule, reason }) => html`<li><b class="code">${rule}</b> <span lang="en">${reason}</span>${rule === accountRule.rule && html` <b>${refusal.fix}:</b> <span lang="en">${accountRule.fix}</span>`}</li>`)}
</ul></section>`
}

function explained(options: SessionPageOptions): SafeHtml {
  const { session, description, explanation, config } = options
  const { language } = session
  const { sessions: texts } = panelTexts[language]
  if (explanation === 'unavailable') {
    return html`<p class="alert" role="alert">${texts.noExplanation}</p>`
  }
  if (explanation === undefined) {
    return html`<p class="soft">${texts.nothingPresented}</p>`
  }
  const { lookups, trust_chain: steps, holder_did: holder } = explanation
  const named = (did: string, name = config.didNames[did]) =>
    html`${name !== undefined && html`${name} `}<span class="code">${did}</span>`
  return html`${ruleSection(explanation, options)}
<section class="card"><h2>${texts.lookups}</h2>
${lookups.length === 0 && html`<p class="soft">${texts.noLookups}</p>`}
<ul class="entries" id="lookups">${lookups.map(
    ({ service, what, found, unavailable, reason, milliseconds }) => html`<li>
<strong class="badge" data-status="${found ? 'SUCCESS' : 'FAILED'}">${found ? texts.found : unavailable ? texts.silent : texts.notFound}</strong>
<b>${service}</b> <span class="soft">${Math.round(milliseconds)} ms</span>
<p class="code">${what}</p>${reason && html`<p lang="en">${reason}</p>`}</li>`,
  )}</ul></section>
<section class="card"><h2>${texts.chain}</h2>
${steps.length === 0 && html`<p class="soft">${texts.noChain}</p>`}
<ol id="trust-chain">${steps.map(
    ({ did, attribute_id: attribute, issuer_type: type, tao }) => html`<li><b>${type}</b>
<p>${named(did)}</p><p class="soft">${texts.attribute} <span class="code">${attribute}</span></p><p class="soft">${texts.accreditedBy} ${named(tao)}</p></li>`,
  )}</ol></section>
<section class="card"><h2>${texts.data}</h2>
<p>${texts.holder}: ${holder === undefined ? texts.unknown : named(holder, description.person)}</p>
${jsonDetails(texts.presentation, explanation.presentation)}
${jsonDetails(texts.credential, explanation.credential)}
</section>`
}

/** The broken rules, then the passed ones, each in the order of their evaluation. */
function ruleSection(explanation: Explanation, options: SessionPageOptions): SafeHtml {
  const { checked } = explanation
  const { sessions: texts } = panelTexts[options.session.language]
  const broken = checked.filter(({ passed }) => !passed)
  const holding = Map.groupBy(
    checked.filter(({ passed }) => passed),
    (rule) => subjectOf(rule, texts),
  )
  const list = (rules: Explanation['checked']) =>
    html`<ul class="entries">${rules.map((each) => ruleEntry(each, explanation, options))}</ul>`
  return html`<section class="card" id="rules"><h2>${texts.rules}</h2>
<p>${texts.summary(checked.length, broken.length)}</p>
${broken.length > 0 && list(broken)}
<details${broken.length === 0 && html` open`}><summary>${texts.passedRules}</summary>
${[...holding].map(([subject, rules]) => html`<h3>${subject}</h3>${list(rules)}`)}
</details></section>`
}

/** The subject of a rule, as a heading. */
function subjectOf(
  { rule, path }: Explanation['checked'][number],
  texts: (typeof panelTexts)[Language]['sessions'],
): string {
  const hop = /^hops\[(\d+)\]/.exec(path)?.[1]
  if (hop !== undefined) return texts.hop(Number(hop) + 1)
  const name = rule.split('.')[0] ?? ''
  return new Map(Object.entries(texts.subjects)).get(name) ?? name
}

function ruleEntry(
  { rule, statement, fix, path, passed, notes }: Explanation['checked'][number],
  { failures }: Explanation,
  { session, config }: SessionPageOptions,
): SafeHtml {
  const { sessions: texts, refusal } = panelTexts[session.language]
  const faults = passed
    ? []
    : failures.filter((each) => each.rule === rule && each.path.startsWith(path))
  return html`<li data-rule="${rule}" data-passed="${String(passed)}">
<strong class="badge" data-status="${passed ? 'SUCCESS' : 'FAILED'}">${passed ? texts.passed : texts.broken}</strong>
<span lang="en">${statement}</span>
<p class="code soft">${rule}${path !== '' && html` at ${path}`}</p>
${faults.map(
  ({
    reason,
    path: place,
    got,
  }) => html`<p class="fault" lang="en">${reason}${place !== '' && html` <span class="code">${place}</span>`}
${got !== undefined && html`<span class="code">${refusal.found}: ${typeof got === 'string' ? got : JSON.stringify(got)}</span>`}</p>`,
)}
${fix !== undefined && html`<p><b>${refusal.fix}:</b> <span lang="en">${fix}</span></p>`}
${!passed && paragraphEntry(rule, refusal.paragraph, config.documentationUrl)}
${notes.map((note) => html`<p class="soft" lang="en">${note}</p>`)}</li>`
}

/** Where the profile describes a rule: a link if the documentation has an address. */
function paragraphEntry(
  rule: string,
  label: string,
  documentationUrl: string | undefined,
): SafeHtml | undefined {
  const paragraph = paragraphOfRule(rule)
  if (paragraph === undefined) return undefined
  if (documentationUrl === undefined)
    return html`<p><b>${label}:</b> <span class="code">${paragraph}</span></p>`
  const address = paragraphAddress(documentationUrl, paragraph)
  return html`<p><b>${label}:</b> <a href="${address}">${paragraph}</a></p>`
}

/** The status of a session as text, not only as a colour. */
function statusBadge(
  { status, ending }: Pick<LoginDescription, 'status' | 'ending'>,
  language: Language,
) {
  const how = ending && ` (${panelTexts[language].sessions[ending]})`
  return html`<strong class="badge" data-status="${status}">${status}${how}</strong>`
}
