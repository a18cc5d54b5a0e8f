// What a service or a contract rejected: the rule, the expected and the found value, how to fix
// the request, and the paragraph of the profile. The rule's texts are in English.
import { html, nothing } from './lit-html/lit-html.js'

const labels = () => JSON.parse(document.getElementById('main').dataset.refusal)

/** The paragraph `docs/profile/PAGE.md#ID`: a link if the console has the documentation. */
export function paragraphRow(paragraph) {
  if (!paragraph) return nothing
  const { paragraph: label, isLinked } = labels()
  const name = paragraph.replace(/^docs\/profile\//, '')
  const shown = isLinked
    ? html`<a href=${`/${paragraph.replace('.md', '')}`} target="_blank" rel="noopener">${name}</a>`
    : html`<code>${name}</code>`
  return html`<dt>${label}</dt><dd>${shown}</dd>`
}

/** `rule` with its `reasons`, if it is broken, and if known `statement`, `fix` and `paragraph`. */
export function ruleView({ rule, statement, reasons = [], fix, paragraph }) {
  const texts = labels()
  return html`<dl class="refusal" data-rule=${rule}>
<dt>${texts.rule}</dt><dd><code>${rule}</code></dd>
${statement ? html`<dt>${texts.expected}</dt><dd lang="en">${statement}</dd>` : nothing}
${reasons.length > 0 ? html`<dt>${texts.found}</dt><dd lang="en">${reasons.map((reason) => html`<div class="fault anywhere">${reason}</div>`)}</dd>` : nothing}
${fix ? html`<dt>${texts.fix}</dt><dd lang="en">${fix}</dd>` : nothing}
${paragraphRow(paragraph)}
</dl>`
}

/** The message of an error, and the requirement that the request does not meet, if it is known. */
export const problemView = ({ message, lang, detail }) =>
  html`<p lang=${lang ?? nothing}>${message}</p>${detail?.unmet ? ruleView(detail.unmet) : nothing}`
