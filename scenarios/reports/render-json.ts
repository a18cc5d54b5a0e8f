import { html, type SafeHtml } from '#core/html/html.ts'

const timeMembers = /^(iat|exp|nbf|auth_time|notBefore|notAfter|now)$/

/** Unix seconds as people read them; nothing for numbers that are no such time. */
function explainTime(name: string | undefined, value: number): string | undefined {
  if (name === undefined || !timeMembers.test(name) || value < 1e9 || value > 1e11) return undefined
  return `${new Date(value * 1000).toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

function renderScalar(value: unknown, name: string | undefined): SafeHtml {
  if (typeof value === 'string') return html`<span class="s">${JSON.stringify(value)}</span>`
  const time = typeof value === 'number' ? explainTime(name, value) : undefined
  const note = time === undefined ? undefined : html` <span class="note">${time}</span>`
  return html`<span class="n">${String(value)}</span>${note}`
}

function renderMembers(
  [open, close]: readonly [string, string],
  members: readonly SafeHtml[],
  indent: string,
): SafeHtml {
  if (members.length === 0) return html`${open}${close}`
  const lines = members.map((member, index) => {
    const comma = index < members.length - 1 ? ',' : ''
    return html`${indent}  ${member}${comma}\n`
  })
  return html`${open}\n${lines}${indent}${close}`
}

function renderValue(value: unknown, name: string | undefined, indent: string): SafeHtml {
  if (Array.isArray(value)) {
    const items = value.map((item) => renderValue(item, undefined, `${indent}  `))
    return renderMembers(['[', ']'], items, indent)
  }
  if (value === null || typeof value !== 'object') return renderScalar(value, name)
  const members = Object.entries(value).map(
    ([key, member]) =>
      html`<span class="k">${JSON.stringify(key)}</span>: ${renderValue(member, key, `${indent}  `)}`,
  )
  return renderMembers(['{', '}'], members, indent)
}

/** A JSON value, indented and coloured; times in Unix seconds are explained. Text is shown as is. */
export function renderJson(value: unknown): SafeHtml {
  const body = typeof value === 'string' ? value : renderValue(value, undefined, '')
  return html`<pre class="json">${body}</pre>`
}
