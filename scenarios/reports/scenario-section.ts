import type { Attachment, Failure, ScenarioResult } from '#scenarios/harness/z-results.ts'
import { createSequenceDiagram } from './create-sequence-diagram.ts'
import { formatDuration } from './format-duration.ts'
import { groupHops } from './group-hops.ts'
import { hopSection } from './hop-section.ts'
import { type Markup, markup } from './markup.ts'
import { renderJson } from './render-json.ts'
import { renderMarkdown } from './render-markdown.ts'

export const verdictNames = {
  passed: 'passed',
  failed: 'failed',
  interrupted: 'interrupted',
  'not-run': 'not run',
} as const

const slugOf = (id: string) => id.replace(/[^A-Za-z0-9]+/g, '-')

function renderFailure({ code, message, step, expected, actual, stack }: Failure): Markup {
  const compared = expected !== undefined && actual !== undefined
  return markup`<section class="failure" aria-label="Failure"><h4>${step === undefined ? 'It failed' : markup`Failed at: ${step}`}</h4><p class="said">${message}</p><p class="faint">${code}</p>
  ${compared && markup`<div class="messages"><div><p class="part">Expected</p>${renderJson(expected)}</div><div><p class="part">Found</p>${renderJson(actual)}</div></div>`}
  ${stack && markup`<details><summary>Where in the code</summary><pre>${stack}</pre></details>`}</section>`
}

function renderSteps({ steps, durationMilliseconds }: ScenarioResult): Markup | undefined {
  if (steps.length === 0) return undefined
  const percent = (part: number) => ((100 * part) / Math.max(durationMilliseconds, 1)).toFixed(2)
  const rows = steps.map(
    ({ title, verdict, beganAt, durationMilliseconds: duration }) =>
      markup`<li class="${verdict}"><span class="sign" role="img" aria-label="${verdict}"></span><span class="step-title">${title}</span><span class="bar" aria-hidden="true"><i style="left:${percent(beganAt)}%;width:${percent(duration)}%"></i></span><span class="time">${formatDuration(duration)}</span></li>`,
  )
  return markup`<h4>Steps</h4><ol class="steps">${rows}</ol>`
}

function renderAttachment({ name, mimeType, base64, step }: Attachment): Markup {
  const caption = markup`<figcaption>${name}${step > 0 && markup` <span class="faint">step ${step}</span>`}</figcaption>`
  if (!/^image\/(png|jpeg|webp)$/.test(mimeType)) {
    const text = Buffer.from(base64, 'base64').toString('utf8')
    return markup`<figure class="text"><pre>${text}</pre>${caption}</figure>`
  }
  const source = `data:${mimeType};base64,${base64}`
  return markup`<figure><label><input class="hidden" type="checkbox" aria-label="Full size: ${name}"><img src="${source}" alt="${name}" loading="lazy"></label>${caption}</figure>`
}

function renderHops(result: ScenarioResult): Markup | undefined {
  const groups = groupHops(result.hops)
  if (groups.length === 0) return undefined
  const idOf = (number: number) => `${slugOf(result.id)}-${number}`
  const diagram = createSequenceDiagram({
    groups,
    steps: result.steps,
    hrefOf: ({ number }) => `#${idOf(number)}`,
  })
  const sections = groups.map((group) => hopSection(group, idOf(group.number)))
  return markup`<h4>Sequence</h4>${diagram}<h4>Exchanges <span class="faint">${result.hops.length}, secrets masked, signatures cut</span></h4><div class="exchange-list">${sections}</div>`
}

/** One scenario: a line with verdict, title and time that opens to its whole story. */
export function scenarioSection(result: ScenarioResult): Markup {
  const { id, verdict, title, algorithm, suite, name, attachments, failure, references } = result
  const open = verdict === 'failed' ? markup` open` : undefined
  const seeking = `${id} ${title} ${verdict}`.toLowerCase()
  return markup`<details class="scenario ${verdict}" id="${slugOf(id)}" data-text="${seeking}"${open}>
<summary><span class="sign" role="img" aria-label="${verdictNames[verdict]}"></span><span class="title">${title}</span><span class="tag">${algorithm}</span><code>${suite}/${name}</code><span class="time">${formatDuration(result.durationMilliseconds)}</span></summary>
<div class="story">
<div class="description">${renderMarkdown(result.description)}</div>
<ul class="references" aria-label="References">${references.map(({ document, section }) => markup`<li>${document}, ${section}</li>`)}</ul>
${failure && renderFailure(failure)}
${renderSteps(result)}
${attachments.length > 0 && markup`<h4>Images and documents</h4><div class="attachments">${attachments.map(renderAttachment)}</div>`}
${renderHops(result)}
<p class="repeat">Again alone: <code>${result.repeat}</code></p>
</div></details>\n`
}
