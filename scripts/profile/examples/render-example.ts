import { STATUS_CODES } from 'node:http'
import type { Hop } from '#scenarios/harness/z-control-answers.ts'

/** A message in the form that a page shows. Every value is normalized already. */
export interface RenderedExchange
  extends Pick<Hop, 'method' | 'url' | 'status' | 'requestBody' | 'responseBody'> {
  readonly host: string
  readonly requestHeaders: Readonly<Record<string, string>>
  readonly responseHeaders: Readonly<Record<string, string>>
}

/** The widest line of an example. */
const width = 96

/**
 * JSON with each object and array in one line if it fits.
 * @param label what comes before the value in its line: `"name": `
 */
export function formatJson(value: unknown, indent = '', label = ''): string {
  if (value === null || typeof value !== 'object') return label + formatScalar(value)
  const inner = `${indent}  `
  const isList = Array.isArray(value)
  const members = isList
    ? value.map((each) => formatJson(each, inner))
    : Object.entries(value).map(([name, each]) =>
        formatJson(each, inner, `${JSON.stringify(name)}: `),
      )
  const [open, close] = isList ? '[]' : '{}'
  if (members.length === 0) return `${label}${open}${close}`
  const space = isList ? '' : ' '
  const line = `${label}${open}${space}${members.join(', ')}${space}${close}`
  if (!line.includes('\n') && indent.length + line.length <= width) return line
  const lines = members.map((member) => `${inner}${member}`).join(',\n')
  return `${label}${open}\n${lines}\n${indent}${close}`
}

/** Cuts a long text that holds JSON. */
function formatScalar(value: unknown): string {
  const isLong = typeof value === 'string' && value.startsWith('[{') && value.length > width
  return JSON.stringify(isLong ? `${value.slice(0, 68)}…` : value)
}

const block = (language: string, lines: readonly string[]) =>
  ['```'.concat(language), ...lines, '```'].join('\n')

export const renderJson = (value: unknown): string => block('json', [formatJson(value)])

/** Request and response as two blocks. */
export function renderExchange(exchange: RenderedExchange): string {
  const { method, url, host, status, requestHeaders, responseHeaders } = exchange
  const request = block('http', [
    ...splitQuery(`${method} ${url} HTTP/1.1`),
    `Host: ${host}`,
    ...renderHeaders(requestHeaders),
    ...renderBody(exchange.requestBody, requestHeaders),
  ])
  const response = block('http', [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...renderHeaders(responseHeaders),
    ...renderBody(exchange.responseBody, responseHeaders),
  ])
  return `${request}\n\n${response}`
}

/** A long query gets a line for each parameter, as in the examples of RFC 6749. */
function splitQuery(line: string): string[] {
  if (line.length <= width) return [line]
  const [path = '', query] = line.split('?')
  const parameters = query?.split('&') ?? []
  return [path, ...parameters.map((each, index) => `  ${index ? '&' : '?'}${each}`)]
}

function renderHeaders(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    const label = name.startsWith('x-')
      ? name
      : name.replace(/(?:^|-)[a-z]/g, (letter) => letter.toUpperCase())
    return splitQuery(`${label}: ${value}`)
  })
}

function renderBody(body: unknown, headers: Readonly<Record<string, string>>): string[] {
  if (body === undefined) return []
  const binary = typeof body === 'string' ? /^<\d+ bytes (.*)>$/.exec(body) : null
  // The sizes of images and pages vary.
  if (binary) return ['', `(${binary[1]})`]
  if (!headers['content-type']?.includes('urlencoded')) {
    return ['', typeof body === 'string' ? body : formatJson(body)]
  }
  const form = Object.entries(body as Record<string, string>).map(
    ([name, value]) => `${name}=${encodeFormValue(value)}`,
  )
  return ['', ...form.map((each, index) => (index ? `&${each}` : each))]
}

function encodeFormValue(value: string): string {
  const encoded = encodeURIComponent(value).replaceAll('%E2%80%A6', '…')
  return encoded.length > width ? `${encoded.slice(0, 28)}…` : encoded
}

const marked = /(<!-- example: (\S+) -->\n).*?(<!-- \/example -->)/gs

/** The ids between the markers of a page, in its order. */
export const findExampleIds = (markdown: string): string[] =>
  [...markdown.matchAll(marked)].map(([, , id = '']) => id)

/**
 * Writes each example between its markers, `<!-- example: ID -->` and `<!-- /example -->`.
 * @throws RangeError if a page names an example that does not exist
 */
export function fillExamples(markdown: string, examples: ReadonlyMap<string, string>): string {
  return markdown.replace(marked, (_whole, begin: string, id: string, end: string) => {
    const example = examples.get(id)
    if (example === undefined) throw new RangeError(`There is no example ${id}.`)
    return `${begin}\n${example}\n\n${end}`
  })
}
