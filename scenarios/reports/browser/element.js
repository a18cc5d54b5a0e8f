import { say, words } from './words.js'

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) node.setAttribute(name, value === true ? '' : value)
  }
  node.append(...children.flat(Number.POSITIVE_INFINITY).filter((child) => child !== undefined))
  return node
}

/** Creates an HTML element. Children are text or elements, never markup. */
export const element = (name, attributes = {}, ...children) =>
  fill(document.createElement(name), attributes, children)

/** The same for SVG. */
export const shape = (name, attributes = {}, ...children) =>
  fill(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, children)

/** Formats milliseconds: `0.4 ms`, `8 ms`, `1.24 s`. */
export function formatMilliseconds(milliseconds) {
  if (milliseconds < 1) return `${milliseconds} ms`
  return milliseconds < 1000
    ? `${Math.round(milliseconds)} ms`
    : `${(milliseconds / 1000).toFixed(2)} s`
}

/** The outcome of an exchange: an HTTP status, 0 for none, or a program's exit code. */
export const statusOf = ({ kind, status }) =>
  kind === 'command' ? say(words.exit, { status }) : status === 0 ? words.noAnswer : String(status)

export function toneOf({ kind, status }) {
  if (kind === 'command') return status === 0 ? 'good' : 'warn'
  if (status >= 500 || status === 0) return 'bad'
  return status >= 400 ? 'warn' : status >= 300 ? 'moved' : 'good'
}

/** Reference to token number 7 in a string: `\uE0007\uE001`, two private-use characters. */
const reference = /\uE000(\d+)\uE001/

/** Splits a string at its tokens: strings and token numbers alternate. */
export const splitText = (text) => text.split(reference)

/** Shortens a string to one line, with a word instead of each token. */
export const plainText = (text) =>
  splitText(text)
    .map((part, index) => (index % 2 === 1 ? words.token : part))
    .join('')

const below = (path, name) =>
  typeof name === 'number' ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`

/** Tokens in a message, in the order of their positions: `{path, number}`. */
export function findTokens(value, path = '') {
  if (typeof value === 'string') {
    return splitText(value).flatMap((part, index) =>
      index % 2 === 1 ? [{ path, number: Number(part) }] : [],
    )
  }
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => findTokens(item, below(path, index)))
  }
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([name, member]) => findTokens(member, below(path, name)))
}
