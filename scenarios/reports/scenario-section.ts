import { html, type SafeHtml } from '#core/html/html.ts'
import type { Attachment, ScenarioResult } from '#scenarios/harness/z-results.ts'
import { checkSection } from './check-section.ts'
import type { Change } from './create-difference.ts'
import { type ImageTable, isImage } from './create-image-table.ts'
import { changeNames, describeChange } from './describe-change.ts'
import { failureSection } from './failure-section.ts'
import { formatDuration } from './format-duration.ts'
import { renderMarkdown } from './render-markdown.ts'
import { slugOf } from './slug-of.ts'
import { checkWords, verdictNames } from './verdict-names.ts'

export interface ScenarioSectionOptions {
  readonly result: ScenarioResult
  readonly images: ImageTable
  /** Compressed hops; empty where there are none. */
  readonly packed: string
  readonly isOpen: boolean
  /** What became of it since an earlier run. */
  readonly change: Change | undefined
}

function renderSteps({ steps, durationMilliseconds }: ScenarioResult): SafeHtml | undefined {
  if (steps.length === 0) return undefined
  const percent = (part: number) => ((100 * part) / Math.max(durationMilliseconds, 1)).toFixed(2)
  const rows = steps.map(
    ({ title, verdict, beganAt, durationMilliseconds: duration }) =>
      html`<li class="${verdict}"><span class="sign" role="img" aria-label="${verdict}"></span><span class="step-title">${title}</span><svg class="bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true"><rect x="${percent(beganAt)}" width="${Math.max(Number(percent(duration)), 0.5)}" height="6"/></svg><span class="time">${formatDuration(duration)}</span></li>`,
  )
  return html`<h3>Steps</h3><ol class="steps">${rows}</ol>`
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
      ? html`<p class="faint">Left out to keep this page small; results.json has it.</p>`
      : html`<label><input class="hidden" type="checkbox" aria-label="Full size: ${name}"><img data-image="image-${number}" data-mime="${mimeType}" alt="${name}"></label>`
  return html`<figure>${shown}${caption}</figure>`
}

function renderHops({ id, hops }: ScenarioResult, packed: string): SafeHtml | undefined {
  if (packed === '') return undefined
  return html`<div class="hops"><p class="faint">The sequence diagram of ${hops.length} exchanges needs a script; results.json beside this page has them all.</p></div><script type="application/octet-stream" id="data-${slugOf(id)}">${packed}</script>`
}

function renderChange(change: Change | undefined): SafeHtml | undefined {
  if (change === undefined) return undefined
  const said = describeChange(change)
  return html`<span class="change ${change.kind}">${changeNames[change.kind]}${said !== '' && html`<span class="hidden">: ${said}</span>`}</span>`
}

/** Names of the rules that were broken in it: who has one in hand finds where it is told. */
function brokenRulesOf(hops: ScenarioResult['hops']): Set<string> {
  const rules = hops.flatMap((hop) => hop.rules ?? [])
  return new Set(rules.filter(({ passed }) => !passed).map(({ rule }) => rule))
}

/** The line that opens a scenario, or a check, whose verdict stands there as a word. */
function renderLine({ result, change }: ScenarioSectionOptions): SafeHtml {
  const { verdict, title, algorithm, suite, name, check } = result
  const time = html`<span class="time">${formatDuration(result.durationMilliseconds)}</span>`
  if (check === undefined) {
    return html`<summary><span class="sign" role="img" aria-label="${verdictNames[verdict]}"></span><span class="title">${title}</span><span class="tag">${algorithm}</span>${renderChange(change)}<code>${suite}/${name}</code>${time}</summary>`
  }
  const why = verdict !== 'passed' && html`<span class="why">${check.reason}</span>`
  return html`<summary><span class="sign" aria-hidden="true"></span><span class="title"><span class="word">${checkWords[verdict]}</span> ${title}</span><span class="tag">${check.level}</span>${renderChange(change)}<code>${check.id}</code>${time}${why}</summary>`
}

/** One scenario: a line with verdict, title and time that opens to its whole story. */
export function scenarioSection(options: ScenarioSectionOptions): SafeHtml {
  const { result, images, packed, isOpen, change } = options
  const { id, verdict, title, algorithm, suite, attachments, references } = result
  const { category, failure, hops, check } = result
  const told = [id, title, verdict, category, failure?.message, check?.reason]
  const seeking = [...told, ...brokenRulesOf(hops)].join(' ')
  return html`<details class="scenario ${verdict}" id="${slugOf(id)}" data-suite="${suite}" data-algorithm="${algorithm}"${check && html` data-level="${check.level}"`}${change && html` data-change="${change.kind}"`} data-text="${seeking.toLowerCase()}"${isOpen && html` open`}>
${renderLine(options)}
<div class="story">
${check ? checkSection(check, result) : failureSection(result)}
<div class="description">${renderMarkdown(result.description)}</div>
<ul class="references" aria-label="References">${references.map(({ document, section }) => html`<li>${document}, ${section}</li>`)}</ul>
${renderSteps(result)}
${attachments.length > 0 && html`<h3>Images and documents</h3><div class="attachments">${attachments.map((each) => renderAttachment(each, images))}</div>`}
${renderHops(result, packed)}
${check === undefined && verdict !== 'failed' && html`<p class="again">Again alone: <code>${result.repeat}</code></p>`}
</div></details>\n`
}
