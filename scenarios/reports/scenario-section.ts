import { html, type SafeHtml } from '#core/html/html.ts'
import type { Attachment, Failure, ScenarioResult } from '#scenarios/harness/z-results.ts'
import { createSequenceDiagram } from './create-sequence-diagram.ts'
import { formatDuration } from './format-duration.ts'
import { groupHops } from './group-hops.ts'
import { hopSection } from './hop-section.ts'
import { renderJson } from './render-json.ts'
import { renderMarkdown } from './render-markdown.ts'

export const verdictNames = {
  passed: 'passed',
  failed: 'failed',
  interrupted: 'interrupted',
  'not-run': 'not run',
} as const

const slugOf = (id: string) => id.replace(/[^A-Za-z0-9]+/g, '-')

function renderFailure({ code, message, step, expected, actual, stack }: Failure): SafeHtml {
  const compared = expected !== undefined && actual !== undefined
  return html`<section class="failure" aria-label="Failure"><h4>${step === undefined ? 'It failed' : html`Failed at: ${step}`}</h4><p class="said">${message}</p><p class="faint">${code}</p>
  ${compared && html`<div class="messages"><div><p class="part">Expected</p>${renderJson(expected)}</div><div><p class="part">Found</p>${renderJson(actual)}</div></div>`}
  ${stack && html`<details><summary>Where in the code</summary><pre>${stack}</pre></details>`}</section>`
}

function renderSteps({ steps, durationMilliseconds }: ScenarioResult): SafeHtml | undefined {
  if (steps.length === 0) return undefined
  const percent = (part: number) => ((100 * part) / Math.max(durationMilliseconds, 1)).toFixed(2)
  const rows = steps.map(
    ({ title, verdict, beganAt, durationMilliseconds: duration }) =>
      html`<li class="${verdict}"><span class="sign" role="img" aria-label="${verdict}"></span><span class="step-title">${title}</span><span class="bar" aria-hidden="true"><i style="left:${percent(beganAt)}%;width:${percent(duration)}%"></i></span><span class="time">${formatDuration(duration)}</span></li>`,
  )
  return html`<h4>Steps</h4><ol class="steps">${rows}</ol>`
}

function renderAttachment({ name, mimeType, base64, step }: Attachment): SafeHtml {
  const caption = html`<figcaption>${name}${step > 0 && html` <span class="faint">step ${step}</span>`}</figcaption>`
  if (!/^image\/(png|jpeg|webp)$/.test(mimeType)) {
    const text = Buffer.from(base64, 'base64').toString('utf8')
    return html`<figure class="text"><pre>${text}</pre>${caption}</figure>`
  }
  const source = `data:${mimeType};base64,${base64}`
  return html`<figure><label><input class="hidden" type="checkbox" aria-label="Full size: ${name}"><img src="${source}" alt="${name}" loading="lazy"></label>${caption}</figure>`
}

function renderHops(result: ScenarioResult): SafeHtml | undefined {
  const groups = groupHops(result.hops)
  if (groups.length === 0) return undefined
  const idOf = (number: number) => `${slugOf(result.id)}-${number}`
  const diagram = createSequenceDiagram({
    groups,
    steps: result.steps,
    hrefOf: ({ number }) => `#${idOf(number)}`,
  })
  const sections = groups.map((group) => hopSection(group, idOf(group.number)))
  return html`<h4>Sequence</h4>${diagram}<h4>Exchanges <span class="faint">${result.hops.length}, secrets masked, signatures cut</span></h4><div class="exchange-list">${sections}</div>`
}

/** One scenario: a line with verdict, title and time that opens to its whole story. */
export function scenarioSection(result: ScenarioResult): SafeHtml {
  const { id, verdict, title, algorithm, suite, name, attachments, failure, references } = result
  const open = verdict === 'failed' ? html` open` : undefined
  const seeking = `${id} ${title} ${verdict}`.toLowerCase()
  return html`<details class="scenario ${verdict}" id="${slugOf(id)}" data-text="${seeking}"${open}>
<summary><span class="sign" role="img" aria-label="${verdictNames[verdict]}"></span><span class="title">${title}</span><span class="tag">${algorithm}</span><code>${suite}/${name}</code><span class="time">${formatDuration(result.durationMilliseconds)}</span></summary>
<div class="story">
<div class="description">${renderMarkdown(result.description)}</div>
<ul class="references" aria-label="References">${references.map(({ document, section }) => html`<li>${document}, ${section}</li>`)}</ul>
${failure && renderFailure(failure)}
${renderSteps(result)}
${attachments.length > 0 && html`<h4>Images and documents</h4><div class="attachments">${attachments.map(renderAttachment)}</div>`}
${renderHops(result)}
<p class="repeat">Again alone: <code>${result.repeat}</code></p>
</div></details>\n`
}
