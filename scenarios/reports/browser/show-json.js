import { element } from './element.js'
import { splitText } from './tokens.js'

const timeMembers = /^(iat|exp|nbf|auth_time|notBefore|notAfter|now)$/

const colored = (name, text) => element('span', { class: name }, text)

/** Unix seconds as people read them; nothing for numbers that are no such time. */
function explainTime(name, value) {
  if (!timeMembers.test(name ?? '') || value < 1e9 || value > 1e11) return undefined
  const time = new Date(value * 1000).toISOString().slice(0, 19).replace('T', ' ')
  return colored('note', ` ${time} UTC`)
}

function showText(text) {
  const parts = splitText(text).map((part, index) =>
    index % 2 === 1 ? colored('jwt', 'JWT, decoded below') : JSON.stringify(part).slice(1, -1),
  )
  return colored('s', ['"', parts, '"'])
}

function showMembers([open, close], members, indent) {
  if (members.length === 0) return [open, close]
  const lines = members.map((member, index) => [
    `${indent}  `,
    member,
    index < members.length - 1 ? ',\n' : '\n',
  ])
  return [`${open}\n`, lines, `${indent}${close}`]
}

function showValue(value, name, indent) {
  if (typeof value === 'string') return showText(value)
  if (Array.isArray(value)) {
    const items = value.map((item) => showValue(item, undefined, `${indent}  `))
    return showMembers(['[', ']'], items, indent)
  }
  if (value === null || typeof value !== 'object') {
    const time = typeof value === 'number' ? explainTime(name, value) : undefined
    return [colored('n', String(value)), time]
  }
  const members = Object.entries(value).map(([key, member]) => [
    colored('k', JSON.stringify(key)),
    ': ',
    showValue(member, key, `${indent}  `),
  ])
  return showMembers(['{', '}'], members, indent)
}

/** A JSON value, indented and coloured; a text that is no JSON stands as it is. */
export function showJson(value, label) {
  const body =
    typeof value === 'string'
      ? splitText(value).map((part, index) =>
          index % 2 === 1 ? colored('jwt', 'JWT, decoded below') : part,
        )
      : showValue(value, undefined, '')
  return element('pre', { class: 'json', tabindex: '0', role: 'group', 'aria-label': label }, body)
}
