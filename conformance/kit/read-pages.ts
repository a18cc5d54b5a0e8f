import { randomUUID } from 'node:crypto'
import {
  createHttpBrowser,
  type HttpBrowser,
  type HttpPage,
} from '#scenarios/harness/http-browser.ts'
import { fetchBy, type HttpClient } from '#scenarios/harness/http-client.ts'
import { readQrImage } from '#wallet-emulator/qr/read-qr-code.ts'
import { broken, type CheckLevel, type Finding, held, inconclusive } from './check.ts'
import { classifyStatus, outageOf } from './classify-answer.ts'

const named: Readonly<Record<string, string>> = {
  amp: '&',
  quot: '"',
  apos: "'",
  lt: '<',
  gt: '>',
}

/**
 * Decodes the character references (`&amp;`, `&#x26;`) of a page and the escapes of JSON and
 * scripts in it (`\u0026`, `\/`), so that links and codes are readable.
 */
export function decodePageText(text: string): string {
  return text
    .replace(/\\u([0-9a-f]{4})|\\x([0-9a-f]{2})/gi, (_all, four?: string, two?: string) =>
      String.fromCharCode(Number.parseInt(four ?? two ?? '', 16)),
    )
    .replaceAll('\\/', '/')
    .replace(/&(?:#x([0-9a-f]{1,4})|#(\d{1,5})|(amp|quot|apos|lt|gt));/gi, decodeReference)
}

function decodeReference(_all: string, hex?: string, decimal?: string, name?: string): string {
  if (name !== undefined) return named[name.toLowerCase()] ?? ''
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
  return String.fromCharCode(code)
}

/**
 * The start tags of a page with this name. Takes linear time: without the text after the last `>`,
 * no `<` is followed by a search that fails at the end of the page.
 */
export const tagsIn = (text: string, name: string): readonly string[] =>
  text.slice(0, text.lastIndexOf('>') + 1).match(new RegExp(`<${name}\\b[^>]*>`, 'gi')) ?? []

/** The value of an attribute in a start tag, decoded; empty if it is missing. */
export function attributeOf(tag: string, name: string): string {
  const pattern = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i')
  const [, quoted, single, bare] = pattern.exec(tag) ?? []
  return decodePageText(quoted ?? single ?? bare ?? '')
}

/** Names and values of the input fields of a page that have a name. */
export const fieldsOf = (text: string): [string, string][] =>
  tagsIn(text, 'input')
    .map((tag): [string, string] => [attributeOf(tag, 'name'), attributeOf(tag, 'value')])
    .filter(([name]) => name !== '')

/** Milliseconds for all images of a page, in which the kit does nothing else. */
const longestReading = 30_000
const mostImages = 50

/**
 * The contents of the QR codes among the PNG and JPEG images of a page; other images are ignored.
 */
export async function readPageCodes(
  http: Pick<HttpClient, 'request'>,
  { text, url }: Pick<HttpPage, 'text' | 'url'>,
): Promise<readonly string[]> {
  const sources = tagsIn(text, 'img').flatMap((tag) => attributeOf(tag, 'src') || [])
  const codes: string[] = []
  let patience = longestReading
  for (const source of sources.slice(0, mostImages)) {
    const image = await readImage(http, source, url)
    const began = performance.now()
    const read = image && patience > 0 ? readQrImage(image) : undefined
    patience -= performance.now() - began
    if (read?.ok) codes.push(read.text)
  }
  return codes
}

async function readImage(
  http: Pick<HttpClient, 'request'>,
  source: string,
  base: string,
): Promise<Uint8Array | undefined> {
  const data = /^data:image\/(?:png|jpe?g);base64,(.+)$/s.exec(source)?.[1]
  if (data !== undefined) return Buffer.from(data, 'base64')
  const address = URL.parse(source, base)
  if (!address || !/^https?:$/.test(address.protocol)) return undefined
  const { status, bytes } = await http.request(address.href)
  return status === 200 ? bytes : undefined
}

/**
 * Whether an unknown address shows the same page, or leads to it: many servers show one page for
 * every unknown address, and then the page does not confirm the requested address.
 */
export async function answersEverything(
  browser: Pick<HttpBrowser, 'get'>,
  { url, status, text, visited }: Pick<HttpPage, 'url' | 'status' | 'text' | 'visited'>,
): Promise<boolean> {
  const [requested = url] = visited
  const nowhere = new URL(requested)
  nowhere.pathname = `${nowhere.pathname.replace(/\/$/, '')}-${randomUUID()}`
  const other = await browser.get(nowhere.href)
  // A page may repeat the address that it does not know.
  const contentOf = (content: string, address: string) =>
    content.replaceAll(new URL(address).pathname, '')
  const isSame =
    contentOf(other.text, nowhere.href) === contentOf(text, requested) ||
    (other.url === url && url !== requested)
  return other.status === status && isSame
}

const unseen = ['head', 'script', 'style', 'noscript', 'template']

/** The visible text of a page before any script has run. Takes linear time. */
export function wordsOf(page: string): string {
  const text = unseen.reduce(withoutElements, page)
  const end = text.lastIndexOf('>') + 1
  return (text.slice(0, end).replace(/<[^>]*>/g, '') + text.slice(end)).trim()
}

function withoutElements(text: string, name: string): string {
  const [before = '', ...parts] = text.split(new RegExp(`<${name}\\b`, 'i'))
  const closing = new RegExp(`</${name}\\s*>`, 'i')
  let kept = before
  let unclosed = ''
  for (const part of parts) {
    const end = closing.exec(part)
    unclosed = end ? '' : `${unclosed}<${name}${part}`
    if (end) kept += part.slice(end.index + end[0].length)
  }
  return kept + unclosed
}

/** Whether a page asks for a password. */
export const hasPasswordField = ({ text }: Pick<HttpPage, 'text'>): boolean =>
  tagsIn(text, 'input').some((tag) => /type\s*=\s*["']?password/i.test(tag))

/**
 * Whether the interactive documentation is at an address, as a browser finds it.
 * @param loginLevel the level of a finding about a login in front of it, if a login is allowed
 */
export async function findDocumentation(
  http: Pick<HttpClient, 'request'>,
  address: string,
  { loginLevel }: { readonly loginLevel?: CheckLevel } = {},
): Promise<Finding> {
  const browser = createHttpBrowser([], {}, fetchBy(http.request))
  const page = await browser.get(address)
  const { status, headers, text } = page
  if (loginLevel && (status === 401 || status === 403 || hasPasswordField(page))) {
    const reason = 'The interactive documentation requires a login.'
    return broken(reason, { actual: status, level: loginLevel })
  }
  const kind = classifyStatus(status)
  const observed = `GET ${new URL(address).pathname} returned HTTP ${status}`
  if (kind === 'refused') return broken(observed, { expected: 200, actual: status })
  if (kind !== 'accepted') return inconclusive(observed, outageOf(status))
  if (await answersEverything(browser, page)) {
    return inconclusive(`${observed}, as for any unknown address.`)
  }
  const type = headers.get('content-type') ?? 'none'
  const isPage =
    status === 200 && /^(text\/html|application\/xhtml)/i.test(type) && text.trim() !== ''
  return isPage
    ? held(`${observed} with an HTML page.`)
    : broken(`${observed} with the content type ${type}.`, {
        expected: 'HTTP 200 with an HTML page',
        actual: text.slice(0, 300),
      })
}

/** A line of metrics in the Prometheus format: name, labels, value, time. */
export const metricLine = /^[a-z_:][\w:]*(\{.*\})?[ \t]+\S+([ \t]+-?\d+)?\r?$/im
