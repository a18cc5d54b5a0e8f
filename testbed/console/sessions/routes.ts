import { z } from 'zod'
import { html, jsonDetails, type SafeHtml, timeElement } from '#core/html/html.ts'
import { paragraphOfRule } from '#core/profile/rule-paragraphs.ts'
import { type AnyRoute, defineRoute, type Reply } from '#kit/define-route.ts'
import { memberAt } from '#kit/openid-provider/claims.ts'
import { findEnvironment } from '#testbed/control/dependencies.ts'
import type { ConsoleDependencies } from '../dependencies.ts'
import { asSentence } from '../frame/as-sentence.ts'
import { definePage } from '../frame/define-page.ts'
import { consolePage, type Frame, paragraphRow, scrollable, shortened } from '../frame/page.ts'
import { frameTexts } from '../frame/sections.ts'
import { createNames, didName, isDid, type Names, namesOfWallets } from '../names.ts'
import {
  createAdminLink,
  type ExplainedSession,
  type Explanation,
  listSessions,
  type Rule,
  readSession,
  type Session,
} from './read-sessions.ts'
import { sessionTexts } from './texts.ts'

const zQuery = z.object({
  status: z.enum(['PENDING', 'SUCCESS', 'FAILED']).optional().catch(undefined),
  page: z.coerce.number().int().min(0).max(10_000).catch(0).default(0),
})

/** The logins at the IDP. */
const showSessions = definePage({
  path: '/sessions',
  section: 'sessions',
  summary: 'Verification sessions',
  query: zQuery,
  async render({ frame, running, query }) {
    const list = await listSessions(running, query)
    return sessionListPage(frame, { ...list, ...query })
  },
})

/**
 * One login with the basis of its verdict, by its code or its id at the verifier: the page to which
 * a failed login leads.
 */
const showSession = definePage({
  path: '/sessions/:env/:code',
  section: 'sessions',
  summary: 'A verification session, rule by rule',
  params: z.object({ env: z.string().max(64), code: z.string().max(128) }),
  async render({ frame, params: { env, code } }, dependencies) {
    const running = findEnvironment(dependencies, env)
    const { context, environment } = running
    const explained = await readSession(running, code)
    const wallets = await namesOfWallets(dependencies.wallets, environment)
    const names = createNames(frame.language, context, wallets)
    return sessionPage({ ...frame, environment }, { ...explained, names })
  },
})

/** Opens the IDP's admin panel without its password. */
const openAdminPanel = defineRoute<ConsoleDependencies>()({
  method: 'post',
  path: '/console/admin-links/:env',
  summary: 'A one-time link to the admin panel of the IDP',
  auth: 'control',
  documented: false,
  request: { params: z.object({ env: z.string().max(64) }) },
  responses: {
    201: {
      description: '`location` opens the panel once, within a minute, on this machine',
      body: z.object({ location: z.url() }),
    },
  },
  async handle({ params: { env } }, dependencies) {
    const location = await createAdminLink(findEnvironment(dependencies, env))
    return { status: 201, body: { location } }
  },
})

export const sessionRoutes: readonly AnyRoute<ConsoleDependencies>[] = [
  showSessions,
  showSession,
  openAdminPanel,
]

interface SessionListOptions {
  readonly sessions: readonly Session[]
  readonly hasMore: boolean
  readonly status?: Session['status'] | undefined
  /** From 0. */
  readonly page: number
}

/** The logins, newest first: who presented a credential, where, and why it was rejected. */
function sessionListPage(frame: Frame, options: SessionListOptions): Reply {
  const { sessions, hasMore, status, page } = options
  const texts = sessionTexts[frame.language]
  const address = (chosen: string | undefined, number: number) => {
    const query = new URLSearchParams({ env: frame.environment })
    if (chosen !== undefined) query.set('status', chosen)
    if (number > 0) query.set('page', String(number))
    return `/sessions?${query}`
  }
  const filter = (value: Session['status'] | undefined) =>
    html`<li><a href="${address(value, 0)}"${value === status && html` aria-current="true"`}>${texts.filters[value ?? 'ALL']}</a></li>`
  return consolePage(frame, {
    title: frameTexts[frame.language].sections.sessions,
    section: 'sessions',
    style: 'sessions.css',
    body: html`<p class="lead">${texts.lead}</p>
<div class="row apart">
<ul class="filters" aria-label="${texts.filter}">${filter(undefined)}${filter('SUCCESS')}${filter('FAILED')}${filter('PENDING')}</ul>
${adminPanelForm(frame)}
</div>
${sessions.length === 0 ? html`<p class="soft card">${status === undefined ? texts.none : texts.noneOfOutcome}</p>` : sessionTable(frame, sessions)}
<p class="actions">
${page > 0 && html`<a class="button" href="${address(status, page - 1)}">${texts.newer}</a>`}
${hasMore && html`<a class="button" href="${address(status, page + 1)}">${texts.older}</a>`}
</p>`,
  })
}

/** The way into the admin panel of the IDP, without its password. */
export function adminPanelForm({ language, environment }: Frame): SafeHtml {
  const { adminPanel, adminPanelHint } = sessionTexts[language]
  return html`<form data-call="POST /console/admin-links/${environment}">
<button class="button" id="admin-panel" title="${adminPanelHint}">${adminPanel}</button>
</form>`
}

function sessionTable(frame: Frame, sessions: readonly Session[]): SafeHtml {
  const texts = sessionTexts[frame.language]
  const heads = [
    texts.outcome,
    texts.time,
    texts.person,
    texts.organization,
    texts.client,
    texts.reason,
  ]
  return scrollable(
    texts.table,
    html`<table class="sessions">
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${sessions.map(
      (session) => html`<tr>
<td>${outcomeBadge(frame, session)}</td>
<td class="time"><a href="/sessions/${frame.environment}/${session.code}">${timeElement(session.createdAt)}</a></td>
<td>${session.person}</td>
<td>${session.organization}</td>
<td>${session.client}</td>
<td>${reasonOf(frame, session)}</td>
</tr>`,
    )}</tbody>
</table>`,
  )
}

function reasonOf({ language }: Frame, { failures }: Session): SafeHtml | undefined {
  const [silent] = failures.unavailable
  const [cause] = failures.broken
  if (silent !== undefined) return html`${sessionTexts[language].noResponse} ${silent}`
  return (
    cause &&
    html`<span lang="en">${asSentence(cause.reason)}</span><br><code class="soft">${cause.rule}</code>`
  )
}

/** The outcome as text and as a colour. */
function outcomeBadge({ language }: Frame, { status, ending }: Session): SafeHtml {
  const { states } = sessionTexts[language]
  const tone = status === 'SUCCESS' ? 'good' : status === 'FAILED' ? 'bad' : 'wait'
  return html`<strong class="badge ${ending ? 'wait' : tone}" data-status="${status}">${states[ending ?? status]}</strong>`
}

interface SessionPageOptions extends ExplainedSession {
  readonly names: Names
}

/** One login: its outcome, and the basis of its verdict. Rules and reasons are in English. */
function sessionPage(frame: Frame, options: SessionPageOptions): Reply {
  const { session, explanation } = options
  const { client, person, organization, status, createdAt } = session
  const texts = sessionTexts[frame.language]
  const isUnverified = status === 'FAILED' && (person ?? organization) !== undefined
  return consolePage(frame, {
    title: texts.title,
    section: 'sessions',
    style: 'sessions.css',
    body: html`<p><a href="/sessions?env=${frame.environment}">${texts.all}</a></p>
<dl class="card">
<dt>${texts.outcome}</dt><dd>${outcomeBadge(frame, session)}</dd>
${person && html`<dt>${texts.person}</dt><dd><strong>${person}</strong></dd>`}
${organization && html`<dt>${texts.organization}</dt><dd>${organization}</dd>`}
<dt>${texts.client}</dt><dd>${client}</dd>
<dt>${texts.time}</dt><dd>${timeElement(createdAt)}</dd>
</dl>
${isUnverified && html`<p class="soft">${texts.unverified}</p>`}
${whyRejected(frame, options)}
${typeof explanation === 'object' && explanation !== null && basis(frame, explanation, options)}`,
  })
}

/** Each broken rule with expected and actual value, the reason, the fix and the paragraph. */
function whyRejected(frame: Frame, { session, explanation, names }: SessionPageOptions) {
  const texts = sessionTexts[frame.language]
  const labels = frameTexts[frame.language].refusal
  const { broken, unavailable } = session.failures
  const checked = typeof explanation === 'object' ? (explanation?.checked ?? []) : []
  const explained = checked.filter(({ passed }) => !passed)
  const explainedNames = new Set(explained.map(({ rule }) => rule))
  // The IDP's own rules, and all of them if the verification service has deleted the session.
  const others = broken.filter(({ rule }) => !explainedNames.has(rule))
  const notes = [
    ...unavailable.map((service) => html`${texts.noResponse} ${service}.`),
    ...(explanation === null ? [html`${texts.noPresentation}`] : []),
    ...(explanation === 'unavailable' ? [html`${texts.noExplanation}`] : []),
  ]
  if (notes.length + explained.length + others.length === 0) return undefined
  // The cause comes first.
  const places = new Map(broken.map(({ rule }, index) => [rule, index]))
  const inOrder = explained.toSorted(
    (a, b) => (places.get(a.rule) ?? 0) - (places.get(b.rule) ?? 0),
  )
  return html`<section aria-labelledby="why">
<h2 id="why">${texts.whyRejected}</h2>
${notes.map((note) => html`<p class="warning">${note}</p>`)}
${typeof explanation === 'object' && explanation && inOrder.map((rule) => brokenRule(frame, rule, explanation, names))}
${others.map(
  ({ rule, reason }) => html`<article class="card" data-rule="${rule}"><h3><code>${rule}</code></h3>
<dl><dt>${labels.found}</dt><dd lang="en" class="fault">${asSentence(reason)}</dd>${paragraphRow(frame, paragraphOfRule(rule))}</dl></article>`,
)}
</section>`
}

function brokenRule(
  frame: Frame,
  { rule, statement, fix, path, notes }: Rule,
  explanation: Explanation,
  names: Names,
): SafeHtml {
  const texts = sessionTexts[frame.language]
  const labels = frameTexts[frame.language].refusal
  const own = explanation.failures.filter(
    (each) => each.rule === rule && each.path.startsWith(path),
  )
  return html`<article class="card broken" data-rule="${rule}" data-passed="false">
<h3 class="row"><strong class="badge bad">${texts.failed}</strong> <code>${rule}</code></h3>
<dl>
<dt>${labels.expected}</dt><dd lang="en"><strong>${statement}</strong></dd>
<dt>${labels.found}</dt><dd>${own.map(
    (failure) => html`<p lang="en" class="fault">${asSentence(failure.reason)}</p>
${actualValue(frame, failure, explanation, names)}`,
  )}</dd>
${fix && html`<dt>${labels.fix}</dt><dd lang="en">${fix}</dd>`}
${paragraphRow(frame, paragraphOfRule(rule))}
</dl>
${notes.map((note) => html`<p class="soft" lang="en">${note}</p>`)}
</article>`
}

/** The value that broke a rule: from the verdict, else at its place in the presented data. */
function actualValue(
  frame: Frame,
  { rule, path, got }: Explanation['failures'][number],
  { presentation, credential }: Explanation,
  names: Names,
): SafeHtml | undefined {
  if (got === undefined && path === '') return undefined
  const presented = rule.startsWith('presentation.') ? presentation : credential
  const places = path.split(/[.[\]]+/).filter((name) => name !== '')
  const value =
    got ?? ['payload', 'header'].flatMap((part) => memberAt(presented, [part, ...places]) ?? [])[0]
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const texts = sessionTexts[frame.language]
  const shown =
    text !== undefined && isDid(text)
      ? didName(frame, names, text)
      : html`<code class="got">${text?.slice(0, longestValue)}</code>`
  return html`<p>${text === undefined ? html`<em>${texts.noValue}</em>` : shown}
${path !== '' && html`<code class="soft">${path}</code>`}</p>`
}

const longestValue = 500

/** What the verdict relies on: passed rules, trust chain, lookups and the presented data. */
function basis(frame: Frame, explanation: Explanation, options: SessionPageOptions): SafeHtml {
  const texts = sessionTexts[frame.language]
  const { checked, presentation, credential, holder_did: holder } = explanation
  const passed = checked.filter((each) => each.passed)
  const groups = Map.groupBy(passed, (rule) => subjectOf(frame, rule))
  const summary = texts.summary
    .replace('{total}', String(checked.length))
    .replace('{broken}', String(checked.length - passed.length))
  return html`<p id="summary">${summary}</p>
<div class="columns">
${trustChain(frame, explanation, options)}
${lookups(frame, explanation)}
</div>
<details class="card"${passed.length === checked.length && html` open`}><summary>${texts.passedRules} (${passed.length})</summary>
${[...groups].map(
  ([subject, rules]) => html`<h3>${subject}</h3>
<ul class="entries">${rules.map(
    ({
      rule,
      statement,
      notes,
    }) => html`<li data-rule="${rule}" data-passed="true"><span class="badge good">${texts.passed}</span>
<span lang="en">${statement}</span> <code class="soft">${rule}</code>
${notes.map((note) => html`<p class="soft" lang="en">${note}</p>`)}</li>`,
  )}</ul>`,
)}
</details>
<section class="card">
<h2>${texts.data}</h2>
<p>${texts.holder}: ${holder === undefined ? '?' : didName(frame, options.names, holder)}</p>
${jsonDetails(texts.presentation, presentation)}
${jsonDetails(texts.credential, credential)}
</section>`
}

/** The subject of a rule, as a heading. */
function subjectOf({ language }: Frame, { rule, path }: Rule): string {
  const { hop, subjects } = sessionTexts[language]
  const place = /^hops\[(\d+)\]/.exec(path)?.[1]
  if (place !== undefined) return hop.replace('{n}', String(Number(place) + 1))
  const name = rule.split('.')[0] ?? ''
  return (Object.hasOwn(subjects, name) ? subjects[name] : undefined) ?? name
}

function trustChain(
  frame: Frame,
  { trust_chain: steps }: Explanation,
  { names }: Pick<SessionPageOptions, 'names'>,
): SafeHtml {
  const { language } = frame
  const texts = sessionTexts[language]
  return html`<section class="card"><h2>${texts.trustChain}</h2>
${steps.length === 0 && html`<p class="soft">${texts.noTrustChain}</p>`}
<ol class="entries" id="trust-chain">${steps.map(
    ({ did, attribute_id: attribute, issuer_type: type, tao }) => html`<li>
<p><span class="badge ${type === 'REVOKED' ? 'bad' : 'good'}">${type}</span> ${didName(frame, names, did)}</p>
<p class="soft">${texts.attribute} ${shortened(language, attribute)}</p>
<p class="soft">${texts.accreditedBy} ${didName(frame, names, tao)}</p>
</li>`,
  )}</ol></section>`
}

function lookups({ language }: Frame, { lookups: found }: Explanation): SafeHtml {
  const texts = sessionTexts[language]
  return html`<section class="card"><h2>${texts.lookups}</h2>
${found.length === 0 && html`<p class="soft">${texts.noLookups}</p>`}
<ul class="entries" id="lookups">${found.map((each) => {
    const state = each.found ? texts.found : each.unavailable ? texts.silent : texts.notFound
    return html`<li>
<p><span class="badge ${each.found ? 'good' : 'bad'}">${state}</span> <strong>${each.service}</strong> <span class="soft">${Math.round(each.milliseconds)} ms</span></p>
<p>${shortened(language, each.what, 36, 16)}</p>
${each.reason && html`<p lang="en">${each.reason}</p>`}
</li>`
  })}</ul></section>`
}
