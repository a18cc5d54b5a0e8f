// A result of a run with everything that a reader needs to understand a failure.
import { html } from './lit-html/lit-html.js'
import { ruleView } from './refusal.js'

const tones = { passed: 'good', failed: 'bad', warned: 'wait' }
const signs = { expected: '−', found: '+', both: ' ' }

const differenceLines = (lines, texts) =>
  html`<pre class="difference" tabindex="0" role="group" aria-label=${texts.difference} lang="en">${lines.map(
    ({ kind, text }) => html`<span class=${kind}>${signs[kind]} ${text}\n</span>`,
  )}</pre>`

const rule = ({ name, text, ...rest }) =>
  html`<li>${ruleView({ rule: name, statement: text, ...rest })}</li>`

/** Expected, found, rules and their paragraphs of a result that did not pass. */
const details = ({ id: name, reason, detail }, { texts, reportPath }) => html`<details>
  <summary>${texts.details}<span class="hidden">: ${name}</span></summary>
  <dl>
    ${detail.step ? html`<dt>${texts.failedStep}</dt><dd lang="en">${detail.step}</dd>` : ''}
    <dt>${texts.expected}</dt><dd lang="en">${detail.expected}</dd>
    <dt>${texts.found}</dt><dd lang="en">${reason}</dd>
  </dl>
  ${detail.difference.length > 0 ? differenceLines(detail.difference, texts) : ''}
  ${
    detail.rules.length > 0
      ? html`<h3>${texts.rules}</h3><ul class="list rules">${detail.rules.map(rule)}</ul>`
      : ''
  }
  ${
    detail.clauses.length > 0
      ? html`<h3>${texts.clauses}</h3><ul>${detail.clauses.map((each) => html`<li lang="en">${each}</li>`)}</ul>`
      : ''
  }
  ${
    reportPath
      ? html`<p><a href="${reportPath}#${detail.anchor}" target="_blank" rel="noopener">${texts.inReport}</a></p>`
      : ''
  }
</details>`

/** A result with its reason, what to change, and the details. */
export function resultItem(event, parts) {
  const { texts } = parts
  const { id: name, title, verdict, reason, fix, detail } = event
  return html`<li>
  <p class="row"><span class="badge ${tones[verdict] ?? 'wait'}">${texts.verdicts[verdict]}</span>
    <code>${name}</code> <span lang="en">${title}</span></p>
  ${reason && verdict !== 'passed' ? html`<p class="reason" lang="en">${reason}</p>` : ''}
  ${fix ? html`<p class="reason"><b>${texts.fix}:</b> <span lang="en">${fix}</span></p>` : ''}
  ${detail ? details(event, parts) : ''}
</li>`
}
