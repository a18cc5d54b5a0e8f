import { html, type SafeHtml, trustedHtml } from '#core/html/html.ts'
import {
  type Attachment,
  type CheckResult,
  type Failure,
  isKitFault,
  type Results,
  type ScenarioResult,
  type Verdict,
} from '#scenarios/harness/z-results.ts'
import { type Change, changeNames, type Difference, describeChange } from './create-difference.ts'
import { type DiffLine, describeFailure } from './describe-failure.ts'
import { formatDuration, slugOf } from './formatting.ts'
import { packRun } from './pack-run.ts'
import {
  checkMeanings,
  checkOrder,
  checkWords,
  describeCheck,
  describeFixes,
  tallyResults,
  verdictNames,
} from './verdicts.ts'

export interface PageOptions {
  readonly difference?: Difference | undefined
  /** The address of a page of the profile, relative to this one, with `{page}` as its name. */
  readonly profile?: string | undefined
}

// Each open one is drawn immediately: many would make the page slow to open.
const mostOpen = 3

/**
 * All scenarios by suite, or all checks by verdict, and the data from which the page's script draws
 * them. The first failures are open, then the first warnings.
 */
export function resultSections(results: Results, { difference, profile }: PageOptions): SafeHtml[] {
  const { scenarios } = results
  const packed = packRun(scenarios)
  const images = createImageTable(scenarios)
  const changes = new Map(difference?.changes.map((change) => [change.id, change]))
  const urgent = (['failed', 'warned'] as const).flatMap((wanted) =>
    scenarios.filter(({ verdict }) => verdict === wanted),
  )
  const open = new Set(urgent.slice(0, mostOpen))
  const firstWith = new Map<string, string>()
  const sections = new Map(
    scenarios.map((result, index) => {
      const own = packed.scenarios[index] ?? ''
      const isOpen = open.has(result)
      const change = changes.get(result.id)
      const sameAs = findSameReason(result, firstWith)
      const options = { result, images, packed: own, isOpen, change, sameAs, profile }
      return [result, scenarioSection(options)]
    }),
  )
  const data = [
    html`<script type="application/octet-stream" id="shared-values">${packed.shared}</script>`,
    ...images.images.map(
      (image, number) =>
        html`<script type="application/octet-stream" id="image-${number}">${image}</script>`,
    ),
  ]
  const sectionOf = (result: ScenarioResult) => sections.get(result)
  const groups = results.conformance
    ? renderVerdicts(scenarios, sectionOf)
    : renderSuites(scenarios, sectionOf)
  return [...groups, ...data]
}

/**
 * The first check that is inconclusive for the same reason: one missing answer can leave most
 * checks undecided.
 */
function findSameReason(
  { verdict, check }: ScenarioResult,
  firstWith: Map<string, string>,
): string | undefined {
  if (verdict !== 'inconclusive' || check === undefined) return undefined
  const first = firstWith.get(check.reason)
  if (first === undefined) firstWith.set(check.reason, check.id)
  return first
}

type SectionOf = (result: ScenarioResult) => SafeHtml | undefined

const renderSuites = (scenarios: readonly ScenarioResult[], sectionOf: SectionOf): SafeHtml[] =>
  [...Map.groupBy(scenarios, ({ suite }) => suite)].map(
    ([suite, members]) =>
      html`<section class="suite"><h2>${suite} <span class="faint">${tallyResults({ scenarios: members }).passed} of ${members.length} passed</span></h2>${members.map(sectionOf)}</section>`,
  )

/** Checks by verdict, the most important at the top and passed checks folded. */
function renderVerdicts(scenarios: readonly ScenarioResult[], sectionOf: SectionOf): SafeHtml[] {
  const byVerdict = Map.groupBy(scenarios, ({ verdict }) => verdict)
  const render = (verdict: Verdict) => {
    const members = byVerdict.get(verdict) ?? []
    if (members.length === 0) return []
    const name = html`${checkWords[verdict]} <span class="faint">${members.length}</span>`
    const cards = members.map(sectionOf)
    return verdict === 'passed'
      ? html`<section class="suite"><details class="fold"><summary><h2>${name}</h2></summary>${cards}</details></section>`
      : html`<section class="suite"><h2>${name}</h2>${cards}</section>`
  }
  return checkOrder.flatMap(render)
}

interface ScenarioSectionOptions {
  readonly result: ScenarioResult
  readonly images: ImageTable
  /** Compressed hops; empty if there are none. */
  readonly packed: string
  readonly isOpen: boolean
  /** The change since an earlier run. */
  readonly change: Change | undefined
  /** Id of the first check that is inconclusive for the same reason. */
  readonly sameAs: string | undefined
  readonly profile: string | undefined
}

/** One scenario: a line with verdict, title and time that expands to its whole story. */
function scenarioSection(options: ScenarioSectionOptions): SafeHtml {
  const { result, images, packed, isOpen, change, profile } = options
  const { id, verdict, title, algorithm, suite, attachments, references } = result
  const { category, failure, hops, check } = result
  // The statements of the profile are quoted in full above.
  const isQuoted = (section: string) => check?.rules.some((rule) => rule.id === section) ?? false
  const cited = references.filter(({ section }) => !isQuoted(section))
  const texts = [id, title, verdict, category, failure?.message, check?.reason]
  const searchText = [...texts, ...brokenRulesOf(hops)].join(' ')
  return html`<details class="scenario ${verdict}" id="${slugOf(id)}" data-suite="${suite}" data-algorithm="${algorithm}"${check && html` data-level="${check.level}"`}${change && html` data-change="${change.kind}"`} data-text="${searchText.toLowerCase()}"${isOpen && html` open`}>
${renderLine(options)}
<div class="story">
${check ? checkSection(check, result, profile) : failureSection(result)}
<div class="description">${renderMarkdown(result.description)}</div>
${cited.length > 0 && html`<ul class="references" aria-label="References">${cited.map(({ document, section }) => html`<li>${document}, ${section}</li>`)}</ul>`}
${renderSteps(result)}
${attachments.length > 0 && html`<h3>Images and documents</h3><div class="attachments">${attachments.map((each) => renderAttachment(each, images))}</div>`}
${renderHops(result, packed)}
${check === undefined && verdict !== 'failed' && html`<p class="again">Repeat: <code>${result.repeat}</code></p>`}
</div></details>\n`
}

/** The line that opens a scenario, or a check, whose verdict is shown as a word. */
function renderLine({ result, change, sameAs }: ScenarioSectionOptions): SafeHtml {
  const { verdict, title, algorithm, suite, name, check } = result
  const time = html`<span class="time">${formatDuration(result.durationMilliseconds)}</span>`
  if (check === undefined) {
    return html`<summary><span class="sign" role="img" aria-label="${verdictNames[verdict]}"></span><span class="title">${title}</span><span class="tag">${algorithm}</span>${renderChange(change)}<code>${suite}/${name}</code>${time}</summary>`
  }
  const reason = sameAs === undefined ? check.reason : `For the same reason as ${sameAs}.`
  const why = verdict !== 'passed' && html`<span class="why">${reason}</span>`
  return html`<summary><span class="sign" aria-hidden="true"></span><span class="title"><span class="word">${checkWords[verdict]}</span> ${title}</span><span class="tag">${check.level}</span>${renderChange(change)}<code>${check.id}</code>${time}${why}</summary>`
}

function renderSteps({ steps, durationMilliseconds, check }: ScenarioResult): SafeHtml | undefined {
  if (steps.length === 0) return undefined
  const percent = (part: number) => ((100 * part) / Math.max(durationMilliseconds, 1)).toFixed(2)
  const rows = steps.map(
    ({ title, verdict, beganAt, durationMilliseconds: duration }) =>
      html`<li class="${verdict}"><span class="sign" role="img" aria-label="${verdict}"></span><span class="step-title">${title}</span><svg class="bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true"><rect x="${percent(beganAt)}" width="${Math.max(Number(percent(duration)), 0.5)}" height="6"/></svg><span class="time">${formatDuration(duration)}</span></li>`,
  )
  return html`<h3>${check ? 'Attempts' : 'Steps'}</h3><ol class="steps">${rows}</ol>`
}

function renderAttachment(attachment: Attachment, images: ImageTable): SafeHtml {
  const { name, mimeType, base64, step } = attachment
  const caption = html`<figcaption>${name}${step > 0 && html` <span class="faint">step ${step}</span>`}</figcaption>`
  if (!isImage(attachment)) {
    const text = Buffer.from(base64, 'base64').toString('utf8')
    return html`<figure class="text"><pre tabindex="0" role="group" aria-label="${name}">${text}</pre>${caption}</figure>`
  }
  const number = images.numberOf(attachment)
  const shown =
    number === undefined
      ? html`<p class="faint">Omitted to keep this page small. See results.json.</p>`
      : html`<label><input class="hidden" type="checkbox" aria-label="Full size: ${name}"><img data-image="image-${number}" data-mime="${mimeType}" alt="${name}"></label>`
  return html`<figure>${shown}${caption}</figure>`
}

function renderHops({ id, hops }: ScenarioResult, packed: string): SafeHtml | undefined {
  if (packed === '') return undefined
  return html`<div class="hops"><p class="faint">The sequence diagram of ${hops.length} exchanges requires JavaScript. results.json in the same folder has all of them.</p></div><script type="application/octet-stream" id="data-${slugOf(id)}">${packed}</script>`
}

function renderChange(change: Change | undefined): SafeHtml | undefined {
  if (change === undefined) return undefined
  const said = describeChange(change)
  return html`<span class="change ${change.kind}">${changeNames[change.kind]}${said !== '' && html`<span class="hidden">: ${said}</span>`}</span>`
}

/** Names of the broken rules: a reader who has the name of a rule finds its exchange. */
function brokenRulesOf(hops: ScenarioResult['hops']): Set<string> {
  const rules = hops.flatMap((hop) => hop.rules ?? [])
  return new Set(rules.filter(({ passed }) => !passed).map(({ rule }) => rule))
}

const imageTypes = /^image\/(png|jpeg|webp)$/

// A larger page opens slowly; all images are in results.json anyway.
const mostImageCharacters = 4 * 1024 * 1024

const isImage = ({ mimeType }: Pick<Attachment, 'mimeType'>): boolean => imageTypes.test(mimeType)

/** Images of a run, each distinct one once. */
interface ImageTable {
  /** Number of an image in `images`; undefined if the page has no room for it. */
  numberOf(attachment: Attachment): number | undefined
  /** In base64. */
  readonly images: readonly string[]
}

/** Picks the images that a page shows, those of failed scenarios first, within the size limit. */
export function createImageTable(scenarios: readonly ScenarioResult[]): ImageTable {
  const numbers = new Map<string, number>()
  let room = mostImageCharacters
  const isFailed = ({ verdict }: ScenarioResult) => verdict === 'failed'
  const ordered = [
    ...scenarios.filter(isFailed),
    ...scenarios.filter((scenario) => !isFailed(scenario)),
  ]
  for (const { base64 } of ordered.flatMap(({ attachments }) => attachments.filter(isImage))) {
    if (numbers.has(base64) || base64.length > room) continue
    room -= base64.length
    numbers.set(base64, numbers.size)
  }
  return { numberOf: ({ base64 }) => numbers.get(base64), images: [...numbers.keys()] }
}

const lineNames = { expected: 'only expected', found: 'only found', both: '' } as const

function renderDiffLine({ kind, text }: DiffLine): SafeHtml {
  const said = kind === 'both' ? undefined : html`<span class="hidden">${lineNames[kind]}: </span>`
  return html`<span class="${kind}">${said}${text}\n</span>`
}

/** Expected against found, line by line; undefined if the failure has neither. */
function differenceBlock(failure: Failure): SafeHtml | undefined {
  const difference = describeFailure(failure)
  const legend =
    failure.expected === undefined
      ? 'Found'
      : html`<span class="expected">− expected</span> <span class="found">+ found</span>`
  return (
    difference &&
    html`<p class="part">${legend}</p><pre class="diff" tabindex="0" role="group" aria-label="Difference">${difference.map(renderDiffLine)}</pre>`
  )
}

/** Where in the code it failed, folded. */
const stackBlock = ({ stack }: Failure): SafeHtml | undefined =>
  stack === undefined
    ? undefined
    : html`<details><summary>Where in the code</summary><pre tabindex="0" role="group" aria-label="Stack">${stack}</pre></details>`

/** A paragraph of the profile, as a link if the page can reach it. */
function linkTo(profile: string | undefined, paragraph: string | undefined): SafeHtml | undefined {
  if (paragraph === undefined) return undefined
  const [, page = '', anchor = ''] = /([\w-]+)\.md(#.*)?$/.exec(paragraph) ?? []
  const href = profile && `${profile.replace('{page}', page)}${anchor}`
  return href === undefined ? html`${paragraph}` : html`<a href="${href}">${paragraph}</a>`
}

/** The finding of a check, its rule, and how to repeat it. */
function checkSection(
  check: CheckResult,
  result: ScenarioResult,
  profile: string | undefined,
): SafeHtml {
  const { verdict, failure, repeat } = result
  const word = checkWords[verdict]
  const meaning = isKitFault(result)
    ? 'Internal error in the conformance kit.'
    : checkMeanings[verdict]
  const own = failure && failure.message !== check.reason ? failure.message : undefined
  return html`<div class="finding"><h3>${word}: ${meaning}</h3><p class="said">${check.reason}</p>
${own !== undefined && html`<p class="said">${own}</p>`}${failure && differenceBlock(failure)}
${describeFixes(result).map((line) => html`<p class="${line.startsWith('Fix: ') ? 'fix' : 'said'}">${line}</p>`)}
${failure && stackBlock(failure)}
<p class="again">Repeat: <code>${repeat}</code></p></div>
${check.rules.map(({ id, text, paragraph }) => html`<blockquote class="rule"><p>${text}</p><code>${linkTo(profile, paragraph) ?? id}</code></blockquote>`)}
<dl class="about">${describeCheck(check).map(([name, text]) => html`<dt>${name}</dt><dd>${text}</dd>`)}</dl>`
}

/**
 * Why a scenario failed: its message, expected against found, where in the code, how to repeat it.
 */
function failureSection({ failure, repeat }: ScenarioResult): SafeHtml | undefined {
  if (failure === undefined) return undefined
  const { code, message, step } = failure
  return html`<div class="failure"><h3>${step === undefined ? 'Failed' : html`Failed at: ${step}`}</h3><p class="said">${message}</p>
${differenceBlock(failure)}
<p class="faint">${code}</p>
<p class="again">Repeat: <code>${repeat}</code></p>
${stackBlock(failure)}</div>`
}

const inlineForms = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*]+)\*|\[([^\]]+)\]\((https?:[^)\s]+)\)/g

function renderInline(text: string): SafeHtml {
  const parts: SafeHtml[] = []
  let end = 0
  for (const match of text.matchAll(inlineForms)) {
    const [whole, code, strong, emphasis, label, address] = match
    parts.push(html`${text.slice(end, match.index)}`)
    if (code !== undefined) parts.push(html`<code>${code}</code>`)
    else if (strong !== undefined) parts.push(html`<strong>${strong}</strong>`)
    else if (emphasis !== undefined) parts.push(html`<em>${emphasis}</em>`)
    else parts.push(html`<a href="${address}">${label}</a>`)
    end = match.index + whole.length
  }
  return html`${parts}${text.slice(end)}`
}

function renderBlock(block: string): SafeHtml {
  const lines = block.split('\n')
  for (const [marker, tag] of [
    [/^\s*[-*] +/, 'ul'],
    [/^\s*\d+\. +/, 'ol'],
  ] as const) {
    if (!marker.test(lines[0] ?? '')) continue
    const items = block.split(new RegExp(`\\n(?=${marker.source.slice(1)})`))
    const list = items.map((item) => html`<li>${renderInline(item.replace(marker, ''))}</li>`)
    return html`${trustedHtml(`<${tag}>`)}${list}${trustedHtml(`</${tag}>`)}`
  }
  return html`<p>${renderInline(block)}</p>`
}

/** The subset of Markdown in descriptions: paragraphs, lists, code, emphasis and links. */
export function renderMarkdown(text: string): SafeHtml {
  const blocks = text.trim().split(/\n\s*\n/)
  return html`${blocks.map((block) => renderBlock(block.trim()))}`
}
